/* SPDX-License-Identifier: BSD-2-Clause */
/* Impairments: the shares are kept, a seed tells all, nothing is lost that was not meant to be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "harness/impair.h"
#include "harness/socket.h"
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
        gw_impair_put(&impair, 0, &i, sizeof(i), (const uint8_t *)&i, sizeof(i));
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

static void the_worse_of_two_is_taken_of_everything(void **state)
{
    gw_impairment what = {.loss = 1, .reorder = 50, .mtu = 1500, .outage_ns = 7, .seed = 5};
    const gw_impairment worse = {.loss = 100,
                                 .duplicate = 30,
                                 .delay_ns = 10,
                                 .jitter_ns = 15,
                                 .mtu = 576,
                                 .outage_from_ns = 20,
                                 .outage_ns = 25,
                                 .seed = 9};
    const gw_impairment better = {.loss = 99, .delay_ns = 9, .mtu = 577, .outage_ns = 24};
    (void)state;
    gw_impair_add(&what, &worse);
    gw_impair_add(&what, &better);
    assert_int_equal(what.loss, 100);
    assert_int_equal(what.reorder, 50);
    assert_int_equal(what.duplicate, 30);
    assert_int_equal(what.delay_ns, 10);
    assert_int_equal(what.jitter_ns, 15);
    assert_int_equal(what.mtu, 576);
    assert_int_equal(what.outage_from_ns, 20);
    assert_int_equal(what.outage_ns, 25);
    assert_int_equal(what.seed, 5);
}

/* ---- time ---- */

/* Sends number |i| at |now|. */
static void send_at(uint32_t i, int64_t now)
{
    gw_impair_put(&impair, now, &i, sizeof(i), (const uint8_t *)&i, sizeof(i));
}

static void begin(const gw_impairment *what)
{
    memset(&came, 0, sizeof(came));
    gw_impair_init(&impair, what, 0, on_pass, NULL);
}

static void a_delay_is_exact_and_keeps_order(void **state)
{
    (void)state;
    begin(&(gw_impairment){.delay_ns = 1000, .seed = 5});
    assert_true(gw_impair_next(&impair) == GW_IMPAIR_NEVER);
    send_at(0, 50);
    send_at(1, 50);
    send_at(2, 51);
    assert_int_equal(gw_impair_next(&impair), 1050);
    gw_impair_run(&impair, 1049);
    assert_int_equal(came.num, 0);
    gw_impair_run(&impair, 1050);
    assert_int_equal(came.num, 2);
    assert_int_equal(gw_impair_next(&impair), 1051);
    gw_impair_run(&impair, 2000);
    assert_int_equal(came.num, 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(came.number[i], i);
    assert_true(gw_impair_next(&impair) == GW_IMPAIR_NEVER);
}

/* Each has a time of its own between none and twice the delay; later ones overtake. */
static void jitter_stays_within_its_bounds(void **state)
{
    enum { NUM = 1000 };
    int64_t least = INT64_MAX, most = 0;
    bool overtook = false;
    (void)state;
    for (unsigned round = 0; round < 2; round++) {
        gw_impairment what = {.delay_ns = 1000, .jitter_ns = round == 0 ? 500 : 4000};
        gw_impair_init(&impair, &what, 0, NULL, NULL);
        for (uint32_t i = 0; i < NUM; i++)
            send_at(i, 0);
        uint32_t last = 0;
        for (unsigned i = 0; i < NUM; i++) {
            gw_impair_item *item = gw_impair_pop(&impair, GW_IMPAIR_NEVER);
            uint32_t number;
            assert_non_null(item);
            memcpy(&number, item->note, sizeof(number));
            overtook = overtook || number < last;
            last = number;
            least = item->due < least ? item->due : least;
            most = item->due > most ? item->due : most;
            free(item);
        }
        assert_uint_in_range(least, round == 0 ? 500 : 0, round == 0 ? 520 : 0);
        assert_uint_in_range(most, round == 0 ? 1480 : 4900, round == 0 ? 1500 : 5000);
        assert_true(overtook);
        least = INT64_MAX;
        most = 0;
    }
}

static void nothing_passes_while_the_link_is_down(void **state)
{
    (void)state;
    begin(&(gw_impairment){.outage_from_ns = 100, .outage_ns = 50});
    impair.begun_ns = 1000;
    static const int64_t at[] = {1000, 1099, 1100, 1149, 1150, 9999};
    for (uint32_t i = 0; i < 6; i++)
        send_at(i, at[i]);
    static const uint32_t passed[] = {0, 1, 4, 5};
    assert_int_equal(came.num, 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(came.number[i], passed[i]);
}

static void what_is_longer_than_the_mtu_is_lost(void **state)
{
    static const struct {
        gw_impair_kind kind;
        size_t most;
    } kinds[] = {
        {GW_IMPAIR_BYTES, 576},
        {GW_IMPAIR_UDP4, 548},
        {GW_IMPAIR_UDP6, 528},
        {GW_IMPAIR_FRAMES, 590},
    };
    static const uint8_t data[600];
    gw_impairment what = {.mtu = 576};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        gw_impair_init(&impair, &what, 0, NULL, NULL);
        impair.kind = kinds[i].kind;
        assert_int_equal(gw_impair_carries(&what, kinds[i].kind), kinds[i].most);
        gw_impair_put(&impair, 0, "", 0, data, kinds[i].most + 1);
        assert_null(gw_impair_pop(&impair, GW_IMPAIR_NEVER));
        gw_impair_put(&impair, 0, "", 0, data, kinds[i].most);
        gw_impair_item *item = gw_impair_pop(&impair, 0);
        assert_non_null(item);
        assert_int_equal(item->len, kinds[i].most);
        free(item);
    }
    assert_int_equal(gw_impair_carries(&(gw_impairment){0}, GW_IMPAIR_UDP4), 0);
}

/* What a checksum covers does not come changed; it does not come. */
static void a_checksum_turns_damage_into_loss(void **state)
{
    gw_impairment what = {.corrupt = GW_IMPAIR_SCALE / 5};
    (void)state;
    send_many(&what, 0);
    size_t flipped = came.flipped;
    assert_true(flipped > 0);
    begin(&what);
    impair.kind = GW_IMPAIR_UDP4;
    for (uint32_t i = 0; i < MANY; i++)
        send_at(i, 0);
    assert_int_equal(came.flipped, 0);
    assert_int_equal(came.num, MANY - flipped);
}

static void one_waits_for_the_next_or_a_while(void **state)
{
    (void)state;
    begin(&(gw_impairment){.reorder = GW_IMPAIR_SCALE, .delay_ns = 100});
    send_at(0, 0);
    assert_int_equal(gw_impair_next(&impair), 100 + GW_IMPAIR_QUIET_NS);
    send_at(1, 10);
    assert_int_equal(gw_impair_next(&impair), 110);
    gw_impair_run(&impair, 110);
    assert_int_equal(came.num, 2);
    assert_int_equal(came.number[0], 1);
    assert_int_equal(came.number[1], 0);
    send_at(2, 200); /* and nothing follows */
    gw_impair_run(&impair, 300 + GW_IMPAIR_QUIET_NS - 1);
    assert_int_equal(came.num, 2);
    gw_impair_run(&impair, 300 + GW_IMPAIR_QUIET_NS);
    assert_int_equal(came.num, 3);
    send_at(3, 5000000);
    send_at(4, 5000000);
    gw_impair_flush(&impair);
    assert_int_equal(came.number[3], 4);
    gw_impair_end(&impair);
}

/* The dice go on where they were, and times have dice of their own. */
static void fates_go_on(void **state)
{
    gw_impairment what = {.loss = GW_IMPAIR_SCALE / 2, .seed = 9};
    static uint32_t whole[MANY];
    gw_impair first;
    (void)state;
    send_many(&what, 0);
    size_t num = came.num;
    memcpy(whole, came.number, num * sizeof(whole[0]));
    begin(&what);
    for (uint32_t i = 0; i < MANY / 2; i++)
        send_at(i, 0);
    first = impair;
    gw_impair_init(&impair, &what, 0, on_pass, NULL);
    gw_impair_go_on(&impair, &first);
    for (uint32_t i = MANY / 2; i < MANY; i++)
        send_at(i, 0);
    assert_int_equal(came.num, num);
    assert_memory_equal(came.number, whole, num * sizeof(whole[0]));
    what.jitter_ns = 1; /* who is lost does not depend on how long the others take */
    send_many(&what, 0);
    assert_int_equal(came.num, num);
}

static void too_much_under_way_is_lost(void **state)
{
    static const uint8_t block[GW_IMPAIR_MAX];
    unsigned num = 0;
    (void)state;
    gw_impair_init(&impair, &(gw_impairment){.delay_ns = 1}, 0, NULL, NULL);
    for (unsigned i = 0; i < 1000; i++)
        gw_impair_put(&impair, 0, "", 0, block, sizeof(block));
    assert_true(impair.used <= GW_IMPAIR_ROOM);
    for (gw_impair_item *item; (item = gw_impair_pop(&impair, 1)) != NULL; num++)
        free(item);
    assert_uint_in_range(num, GW_IMPAIR_ROOM / GW_IMPAIR_MAX / 2, GW_IMPAIR_ROOM / GW_IMPAIR_MAX);
    assert_int_equal(impair.used, 0);
}

/* ---- streams ---- */

#define MS INT64_C(1000000)

/* A stream loses nothing and keeps its order; what the network does to segments costs time. */
static void a_stream_is_late_but_whole(void **state)
{
    static uint8_t sent[100000], got[100000];
    gw_impairment what = {.loss = GW_IMPAIR_SCALE / 10,
                          .corrupt = GW_IMPAIR_SCALE / 10,
                          .duplicate = GW_IMPAIR_SCALE / 2,
                          .reorder = GW_IMPAIR_SCALE / 2,
                          .delay_ns = MS,
                          .jitter_ns = MS};
    int64_t behind = 0, last = 0;
    size_t len = 0;
    (void)state;
    for (size_t i = 0; i < sizeof(sent); i++)
        sent[i] = (uint8_t)(i * 31 + i / 256);
    gw_impair_init(&impair, &what, 0, NULL, NULL);
    for (size_t at = 0; at < sizeof(sent); at += 10000)
        assert_true(gw_impair_put_stream(&impair, (int64_t)at, "", 0, sent + at, 10000, &behind));
    for (gw_impair_item *item; (item = gw_impair_pop(&impair, GW_IMPAIR_NEVER)) != NULL;) {
        assert_true(item->due >= last);
        assert_true(item->len <= 1460);
        last = item->due;
        memcpy(got + len, item->bytes, item->len);
        len += item->len;
        free(item);
    }
    assert_int_equal(len, sizeof(sent));
    assert_memory_equal(got, sent, len);
    assert_int_equal(last, behind);
    assert_true(last >= 200 * MS); /* something was sent again */
}

static void a_lost_segment_is_sent_again_after_twice_the_time(void **state)
{
    /* The link is down for 1 s: tried at 0, 0.22, 0.66 and 1.54 s with a round trip of 20 ms. */
    gw_impairment what = {.delay_ns = 10 * MS, .outage_ns = 1000 * MS};
    int64_t behind = 0;
    (void)state;
    gw_impair_init(&impair, &what, 0, NULL, NULL);
    assert_true(gw_impair_put_stream(&impair, 0, "", 0, (const uint8_t *)"a", 1, &behind));
    assert_int_equal(behind, 1550 * MS);
    /* what follows waits behind it */
    assert_true(gw_impair_put_stream(&impair, 1100 * MS, "", 0, (const uint8_t *)"b", 1, &behind));
    assert_int_equal(behind, 1550 * MS);
    gw_impair_end(&impair);
    what = (gw_impairment){.loss = GW_IMPAIR_SCALE};
    behind = 0;
    gw_impair_init(&impair, &what, 0, NULL, NULL);
    assert_false(gw_impair_put_stream(&impair, 0, "", 0, (const uint8_t *)"a", 1, &behind));
    assert_false(gw_impair_put_stream(&impair, 0, "", 0, (const uint8_t *)"a", 1, &behind));
    assert_true(gw_impair_next(&impair) == GW_IMPAIR_NEVER);
}

static void a_handshake_takes_a_round_trip(void **state)
{
    gw_impairment what = {.delay_ns = 10 * MS};
    gw_impair back;
    (void)state;
    gw_impair_init(&impair, &what, 0, NULL, NULL);
    gw_impair_init(&back, &what, 1, NULL, NULL);
    assert_int_equal(gw_impair_handshake(&impair, &back, 5), 20 * MS);
    impair.what.outage_ns = back.what.outage_ns = 2500 * MS; /* tried at 0, 1 and 3 s */
    assert_int_equal(gw_impair_handshake(&impair, &back, 0), 3020 * MS);
    impair.what.loss = GW_IMPAIR_SCALE;
    assert_true(gw_impair_handshake(&impair, &back, 0) == GW_IMPAIR_NEVER);
}

/* ---- transports ---- */

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

/* Both directions take their time, also while somebody else waits; what is too long is refused. */
static void a_transport_takes_its_time(void **state)
{
    (void)state;
    gw_transport *server;
    uint8_t byte = 7;
    gw_transport *t = open_pair(&server, "&rtt=60ms&mtu=100");
    int64_t begin = t->ops->now(t);
    assert_int_equal(t->carries, 72);
    assert_true(t->ops->send(t, &byte, 1));
    assert_int_equal(take(server, &byte, 0), GW_RECV_TIMEOUT);
    assert_int_equal(take(server, &byte, INT64_C(10000000000)), GW_RECV_DATA);
    assert_true(t->ops->now(t) - begin >= 30000000);
    assert_true(server->ops->send(server, &byte, 1));
    assert_int_equal(take(t, &byte, INT64_C(10000000000)), GW_RECV_DATA);
    assert_true(t->ops->now(t) - begin >= 60000000);
    /* What comes while nobody listens is under way as well. */
    assert_true(server->ops->send(server, &byte, 1));
    t->ops->wait(t, t->ops->now(t) + 40000000);
    assert_int_equal(take(t, &byte, 0), GW_RECV_DATA);
    assert_true(t->ops->send(t, &byte, 1));
    server->ops->wait(server, server->ops->now(server) + 40000000);
    assert_int_equal(take(server, &byte, 0), GW_RECV_DATA);

    static const uint8_t longer[73];
    assert_true(t->ops->send(t, longer, 72));
    assert_false(t->too_long);
    assert_false(t->ops->send(t, longer, 73));
    assert_true(t->too_long);
    assert_string_equal(t->error, "send: 73 bytes are more than the path carries (72)");
    gw_transport_close(t); /* what was sent arrives */
    assert_int_equal(take(server, &byte, INT64_C(10000000000)), GW_RECV_DATA);
    gw_transport_close(server);
}

/* Opens a stream on which |options| happen at the caller's end. */
static gw_transport *open_stream(gw_transport **server, const char *options)
{
    char why[256] = "";
    char text[96];
    bool unreachable;
    gw_url url;
    assert_true(gw_url_parse(&url, "tcp://127.0.0.1:0", why, sizeof(why)));
    *server = gw_transport_serve(&url, why, sizeof(why));
    assert_non_null(*server);
    (void)snprintf(text, sizeof(text), "tcp://127.0.0.1:%u?%s", (*server)->local.port, options);
    assert_true(gw_url_parse(&url, text, why, sizeof(why)));
    gw_transport *t = gw_transport_open(&url, INT64_C(5000000000), &unreachable, why, sizeof(why));
    if (t == NULL)
        fail_msg("%s", why);
    assert_true(t->stream);
    return t;
}

/* Of a stream all comes, in order, in pieces as small as wanted, and its end behind all of it. */
static void a_stream_takes_its_time_and_is_whole(void **state)
{
    (void)state;
    static uint8_t sent[20000];
    gw_transport *server;
    uint8_t byte = 0;
    size_t late = 0;
    int64_t called = gw_clock_ns(CLOCK_MONOTONIC);
    gw_transport *t = open_stream(&server, "rtt=40ms&jitter=10ms&loss=0.1&reorder=0.2&seed=5");
    for (size_t i = 0; i < sizeof(sent); i++)
        sent[i] = (uint8_t)(i * 7 + i / 256);
    int64_t begin = t->ops->now(t);
    assert_true(begin - called >= 20000000); /* the handshake has been waited for */
    assert_int_equal(take(server, &byte, 0), GW_RECV_TIMEOUT); /* takes the caller */
    assert_true(t->ops->send(t, sent, sizeof(sent)));
    for (size_t i = 0; i < sizeof(sent); i++) {
        int64_t limit = t->ops->now(t) + INT64_C(10000000000);
        while (take(server, &byte, 0) != GW_RECV_DATA) {
            assert_true(t->ops->now(t) < limit);
            t->ops->wait(t, t->ops->now(t) + 1000000); /* it goes on while anybody waits */
        }
        assert_int_equal(byte, sent[i]);
        assert_true(t->ops->now(t) - begin >= 10000000);
    }
    assert_true(server->ops->send(server, sent, sizeof(sent)));
    gw_transport_close(server);
    while (take(t, &byte, INT64_C(10000000000)) == GW_RECV_DATA)
        assert_int_equal(byte, sent[late++]);
    assert_int_equal(late, sizeof(sent));
    assert_int_equal(take(t, &byte, 0), GW_RECV_CLOSED);
    gw_transport_close(t);
}

/* A connection that takes longer than whoever calls is willing to wait is none. */
static void a_stream_is_not_waited_for_longer_than_asked(void **state)
{
    (void)state;
    char why[256] = "";
    char text[96];
    bool unreachable;
    gw_url url;
    assert_true(gw_url_parse(&url, "tcp://127.0.0.1:0", why, sizeof(why)));
    gw_transport *server = gw_transport_serve(&url, why, sizeof(why));
    assert_non_null(server);
    (void)snprintf(text, sizeof(text), "tcp://127.0.0.1:%u?rtt=3600s", server->local.port);
    assert_true(gw_url_parse(&url, text, why, sizeof(why)));
    assert_null(gw_transport_open(&url, INT64_C(100000000), &unreachable, why, sizeof(why)));
    assert_true(unreachable);
    assert_non_null(strstr(why, "timed out"));
    gw_transport_close(server);
}

/* Whoever is served has one caller after the other. */
static void a_served_stream_begins_anew(void **state)
{
    (void)state;
    char why[256] = "";
    char text[96];
    bool unreachable;
    gw_url url;
    uint8_t byte = 0;
    assert_true(gw_url_parse(&url, "tcp://127.0.0.1:0?delay=5ms&seed=1", why, sizeof(why)));
    gw_transport *server = gw_transport_serve(&url, why, sizeof(why));
    assert_non_null(server);
    (void)snprintf(text, sizeof(text), "tcp://127.0.0.1:%u", server->local.port);
    assert_true(gw_url_parse(&url, text, why, sizeof(why)));
    for (uint8_t i = 1; i <= 3; i++) {
        gw_transport *t =
            gw_transport_open(&url, INT64_C(5000000000), &unreachable, why, sizeof(why));
        assert_non_null(t);
        assert_true(t->ops->send(t, &i, 1));
        int64_t begin = t->ops->now(t);
        assert_int_equal(take(server, &byte, INT64_C(10000000000)), GW_RECV_DATA);
        assert_int_equal(byte, i);
        assert_true(t->ops->now(t) - begin >= 4000000);
        gw_transport_close(t);
        assert_int_equal(take(server, &byte, INT64_C(10000000000)), GW_RECV_CLOSED);
    }
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
        cmocka_unit_test(the_worse_of_two_is_taken_of_everything),
        cmocka_unit_test(a_seed_tells_all),
        cmocka_unit_test(a_delay_is_exact_and_keeps_order),
        cmocka_unit_test(jitter_stays_within_its_bounds),
        cmocka_unit_test(nothing_passes_while_the_link_is_down),
        cmocka_unit_test(what_is_longer_than_the_mtu_is_lost),
        cmocka_unit_test(a_checksum_turns_damage_into_loss),
        cmocka_unit_test(one_waits_for_the_next_or_a_while),
        cmocka_unit_test(fates_go_on),
        cmocka_unit_test(too_much_under_way_is_lost),
        cmocka_unit_test(a_stream_is_late_but_whole),
        cmocka_unit_test(a_lost_segment_is_sent_again_after_twice_the_time),
        cmocka_unit_test(a_handshake_takes_a_round_trip),
        cmocka_unit_test(a_transport_meets_with_them),
        cmocka_unit_test(a_transport_takes_its_time),
        cmocka_unit_test(a_stream_takes_its_time_and_is_whole),
        cmocka_unit_test(a_stream_is_not_waited_for_longer_than_asked),
        cmocka_unit_test(a_served_stream_begins_anew),
        cmocka_unit_test(strangers_are_not_heard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
