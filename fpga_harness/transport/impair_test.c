/* SPDX-License-Identifier: BSD-2-Clause */
/* Impairments: the shares are kept, a seed tells all, nothing is lost that was not meant to be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "harness/impair.h"
#include "harness/transport.h"

#define MANY 20000

static gw_impair impair;

/* What came out: the numbers that went in. */
static struct {
    uint32_t number[3 * MANY];
    uint32_t len[3 * MANY];
    size_t num;
    size_t flipped;
} came;

static void on_pass(void *arg, const void *note, const uint8_t *data, size_t len)
{
    uint32_t number;
    uint32_t content;
    (void)arg;
    memcpy(&number, note, sizeof(number));
    memcpy(&content, data, sizeof(content));
    uint32_t difference = number ^ content;
    assert_int_equal(len, sizeof(content));
    assert_int_equal(difference & (difference - 1), 0); /* one bit at most */
    came.flipped += difference != 0;
    came.number[came.num++] = number;
}

static void send_many(const gw_impairment *what, unsigned direction)
{
    memset(&came, 0, sizeof(came));
    gw_impair_init(&impair, what, direction, on_pass, NULL);
    for (uint32_t i = 0; i < MANY; i++)
        gw_impair_put(&impair, &i, sizeof(i), (const uint8_t *)&i, sizeof(i));
    gw_impair_flush(&impair);
}

static void near_share(size_t num, double share)
{
    assert_true((double)num > share * MANY * 0.9);
    assert_true((double)num < share * MANY * 1.1);
}

static void nothing_happens_without_a_share(void **state)
{
    (void)state;
    gw_impairment none = {.seed = 7};
    send_many(&none, 0);
    assert_int_equal(came.num, MANY);
    assert_int_equal(came.flipped, 0);
    for (uint32_t i = 0; i < MANY; i++)
        assert_int_equal(came.number[i], i);
}

static void loses_its_share(void **state)
{
    (void)state;
    gw_impairment what = {.loss = GW_IMPAIR_SCALE / 10};
    send_many(&what, 0);
    near_share(MANY - came.num, 0.1);
    what.loss = GW_IMPAIR_SCALE;
    send_many(&what, 0);
    assert_int_equal(came.num, 0);
}

static void flips_and_doubles_its_share(void **state)
{
    (void)state;
    gw_impairment what = {.corrupt = GW_IMPAIR_SCALE / 5};
    send_many(&what, 0);
    assert_int_equal(came.num, MANY);
    near_share(came.flipped, 0.2);
    what = (gw_impairment){.duplicate = GW_IMPAIR_SCALE / 5};
    send_many(&what, 0);
    near_share(came.num - MANY, 0.2);
}

static void neighbours_change_places(void **state)
{
    (void)state;
    static uint8_t seen[MANY];
    gw_impairment what = {.reorder = GW_IMPAIR_SCALE / 4};
    size_t swapped = 0;
    memset(seen, 0, sizeof(seen));
    send_many(&what, 0);
    assert_int_equal(came.num, MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        assert_int_equal(seen[came.number[i]]++, 0);
        assert_true(came.number[i] + 1 >= i && came.number[i] <= i + 1);
        swapped += came.number[i] == i + 1;
    }
    near_share(swapped, 0.2); /* one of four, but not while another one waits */
}

static void tells_itself_as_a_url_does(void **state)
{
    char text[96];
    gw_impairment what = {.loss = 1, .reorder = GW_IMPAIR_SCALE / 20};
    gw_impairment worse = {.loss = GW_IMPAIR_SCALE, .duplicate = GW_IMPAIR_SCALE / 3};
    (void)state;
    assert_string_equal(gw_impair_text(&(gw_impairment){.seed = 7}, text, sizeof(text)), "");
    assert_string_equal(gw_impair_text(&what, text, sizeof(text)), "loss=0.000000001&reorder=0.05");
    gw_impair_add(&what, &worse);
    assert_string_equal(gw_impair_text(&what, text, sizeof(text)),
                        "loss=1&reorder=0.05&duplicate=0.333333333");
    assert_string_equal(gw_impair_text(&what, text, 8), "loss=1&");
}

static void a_seed_tells_all(void **state)
{
    (void)state;
    static uint32_t first[3 * MANY];
    gw_impairment what = {.loss = GW_IMPAIR_SCALE / 10,
                          .reorder = GW_IMPAIR_SCALE / 10,
                          .duplicate = GW_IMPAIR_SCALE / 10,
                          .seed = 3};
    send_many(&what, 0);
    size_t num = came.num;
    memcpy(first, came.number, sizeof(first));
    send_many(&what, 0);
    assert_int_equal(came.num, num);
    assert_memory_equal(first, came.number, sizeof(first));
    send_many(&what, 1);
    assert_memory_not_equal(first, came.number, sizeof(first));
    what.seed = 4;
    send_many(&what, 0);
    assert_memory_not_equal(first, came.number, sizeof(first));
}

static gw_transport *open_pair(gw_transport **server, const char *options)
{
    char why[256] = "";
    char text[128];
    bool unreachable;
    gw_url url;
    assert_true(gw_url_parse(&url, "roce://127.0.0.1:0", why, sizeof(why)));
    *server = gw_transport_serve(&url, why, sizeof(why));
    if (*server == NULL) {
        fail_msg("%s", why);
        return NULL;
    }
    snprintf(text, sizeof(text), "roce://127.0.0.1:%u?local=127.0.0.2:0%s", (*server)->local.port,
             options);
    assert_true(gw_url_parse(&url, text, why, sizeof(why)));
    gw_transport *t = gw_transport_open(&url, 0, &unreachable, why, sizeof(why));
    if (t == NULL)
        fail_msg("%s", why);
    return t;
}

static gw_recv_status take(gw_transport *t, uint8_t *byte, int64_t wait_ns)
{
    size_t len;
    gw_endpoint from;
    return t->ops->recv(t, byte, 1, &len, t->ops->now(t) + wait_ns, NULL, &from);
}

static void a_transport_meets_with_them(void **state)
{
    (void)state;
    gw_transport *server;
    uint8_t byte = 0;
    gw_transport *t = open_pair(&server, "&reorder=1");
    assert_int_equal(t->local.ip[3], 2);
    for (uint8_t i = 1; i <= 2; i++)
        assert_true(t->ops->send(t, &i, 1));
    assert_int_equal(take(server, &byte, INT64_C(10000000000)), GW_RECV_DATA);
    assert_int_equal(byte, 2);
    assert_int_equal(take(server, &byte, INT64_C(10000000000)), GW_RECV_DATA);
    assert_int_equal(byte, 1);
    for (uint8_t i = 3; i <= 5; i++)
        assert_true(server->ops->send(server, &i, 1));
    static const uint8_t order[] = {4, 3, 5}; /* nothing follows the last one */
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(take(t, &byte, INT64_C(10000000000)), GW_RECV_DATA);
        assert_int_equal(byte, order[i]);
    }
    gw_transport_close(t);
    gw_transport_close(server);

    t = open_pair(&server, "&loss=1");
    assert_true(t->ops->send(t, &byte, 1));
    assert_int_equal(take(server, &byte, 20000000), GW_RECV_TIMEOUT);
    gw_transport_close(t);
    gw_transport_close(server);
}

static void strangers_are_not_heard(void **state)
{
    (void)state;
    gw_transport *server;
    gw_transport *stranger_server;
    uint8_t byte = 1;
    gw_transport *t = open_pair(&server, "");
    gw_transport *stranger = open_pair(&stranger_server, "");
    /* Somebody at 127.0.0.2 is not whom |t| has called at 127.0.0.1. */
    gw_url url;
    char why[256], text[96];
    bool unreachable;
    snprintf(text, sizeof(text), "roce://127.0.0.2:%u?local=127.0.0.3:0", t->local.port);
    assert_true(gw_url_parse(&url, text, why, sizeof(why)));
    gw_transport *other = gw_transport_open(&url, 0, &unreachable, why, sizeof(why));
    assert_non_null(other);
    assert_true(other->ops->send(other, &byte, 1));
    byte = 2;
    assert_true(t->ops->send(t, &byte, 1));
    assert_int_equal(take(server, &byte, INT64_C(10000000000)), GW_RECV_DATA);
    byte = 3;
    assert_true(server->ops->send(server, &byte, 1));
    assert_int_equal(take(t, &byte, INT64_C(10000000000)), GW_RECV_DATA);
    assert_int_equal(byte, 3);
    gw_transport_close(other);
    gw_transport_close(stranger);
    gw_transport_close(stranger_server);
    gw_transport_close(t);
    gw_transport_close(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_happens_without_a_share),
        cmocka_unit_test(loses_its_share),
        cmocka_unit_test(flips_and_doubles_its_share),
        cmocka_unit_test(neighbours_change_places),
        cmocka_unit_test(tells_itself_as_a_url_does),
        cmocka_unit_test(a_seed_tells_all),
        cmocka_unit_test(a_transport_meets_with_them),
        cmocka_unit_test(strangers_are_not_heard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
