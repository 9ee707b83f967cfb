/* SPDX-License-Identifier: BSD-2-Clause */
/* A cable of our own: what goes in comes out, and we stay where we are. Skipped where the system
 * refuses namespaces. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>

#include <cmocka.h>

#include <string.h>
#include <unistd.h>

#include "harness/cable.h"
#include "harness/ether.h"
#include "harness/raw.h"

#define SECOND INT64_C(1000000000)

static gw_cable *lay(void)
{
    char why[160];
    gw_cable *cable = gw_cable_lay(why, sizeof(why));
    if (cable == NULL) {
        print_message("%s\n", why);
        skip();
    }
    return cable;
}

static void own_network(char out[64])
{
    ssize_t len = readlink("/proc/self/ns/net", out, 63);
    assert_true(len > 0);
    out[len] = '\0';
}

static void frames_cross_it(void **state)
{
    uint8_t mac[2][6];
    uint8_t got[2048];
    char why[160], before[64], after[64];
    size_t len = 0;
    int64_t stamp = 0;
    (void)state;
    own_network(before);
    gw_cable *cable = lay();
    own_network(after);
    assert_string_equal(before, after);
    gw_transport *one = gw_cable_open(cable, 0, mac[0], why, sizeof(why));
    gw_transport *other = gw_cable_open(cable, 1, mac[1], why, sizeof(why));
    gw_transport *third = gw_cable_open(cable, 1, mac[1], why, sizeof(why));
    assert_non_null(one);
    assert_non_null(other);
    assert_non_null(third);
    assert_memory_not_equal(mac[0], mac[1], 6);
    gw_cable_free(cable); /* what is open stays so */

    uint8_t frame[GW_ETHER_FRAME_MIN] = {0x02, 1, 2, 3, 4, 5, 0x02, 6, 7, 8, 9, 10, 0x88, 0xb5, 42};
    assert_true(one->ops->send(one, frame, sizeof(frame)));
    gw_transport *ends[] = {other, third};
    for (size_t i = 0; i < GW_ARRAY_LEN(ends); i++) {
        gw_transport *t = ends[i];
        assert_int_equal(
            t->ops->recv(t, got, sizeof(got), &len, t->ops->now(t) + 5 * SECOND, &stamp, NULL),
            GW_RECV_DATA);
        assert_int_equal(len, sizeof(frame));
        assert_memory_equal(got, frame, len);
        assert_true(stamp > 0);
    }
    /* Nobody hears himself. */
    assert_int_equal(one->ops->recv(one, got, sizeof(got), &len, 0, &stamp, NULL), GW_RECV_TIMEOUT);
    gw_transport_close(one);
    gw_transport_close(other);
    gw_transport_close(third);
}

static void two_cables_are_apart(void **state)
{
    uint8_t mac[6];
    uint8_t got[2048];
    char why[160];
    size_t len = 0;
    uint8_t frame[GW_ETHER_FRAME_MIN] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, [12] = 0x88, 0xb5};
    (void)state;
    gw_cable *mine = lay();
    gw_cable *yours = lay();
    gw_transport *from = gw_cable_open(mine, 0, mac, why, sizeof(why));
    gw_transport *to = gw_cable_open(mine, 1, mac, why, sizeof(why));
    gw_transport *elsewhere = gw_cable_open(yours, 1, mac, why, sizeof(why));
    assert_non_null(from);
    assert_non_null(to);
    assert_non_null(elsewhere);
    assert_true(from->ops->send(from, frame, sizeof(frame)));
    assert_int_equal(
        to->ops->recv(to, got, sizeof(got), &len, to->ops->now(to) + 5 * SECOND, NULL, NULL),
        GW_RECV_DATA);
    assert_int_equal(elsewhere->ops->recv(elsewhere, got, sizeof(got), &len, 0, NULL, NULL),
                     GW_RECV_TIMEOUT);
    gw_transport_close(from);
    gw_transport_close(to);
    gw_transport_close(elsewhere);
    gw_cable_free(mine);
    gw_cable_free(yours);
}

/* The kernel takes its time to connect two interfaces; nobody may see that. */
static void the_very_first_frame_crosses(void **state)
{
    uint8_t mac[6];
    uint8_t got[2048];
    char why[160];
    size_t len = 0;
    uint8_t frame[GW_ETHER_FRAME_MIN] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2, [12] = 0x88, 0xb5};
    (void)state;
    for (frame[14] = 0; frame[14] < 24; frame[14]++) {
        gw_cable *cable = lay();
        gw_transport *from = gw_cable_open(cable, frame[14] & 1, mac, why, sizeof(why));
        gw_transport *to = gw_cable_open(cable, ~frame[14] & 1, mac, why, sizeof(why));
        assert_non_null(from);
        assert_non_null(to);
        assert_true(from->ops->send(from, frame, sizeof(frame)));
        assert_int_equal(
            to->ops->recv(to, got, sizeof(got), &len, to->ops->now(to) + 5 * SECOND, NULL, NULL),
            GW_RECV_DATA);
        assert_int_equal(len, sizeof(frame));
        assert_memory_equal(got, frame, len);
        gw_transport_close(from);
        gw_transport_close(to);
        gw_cable_free(cable);
    }
}

static void says_which_interface_is_missing(void **state)
{
    uint8_t mac[6];
    char why[512];
    (void)state;
    assert_null(gw_packet_open("nosuchif0", mac, why, sizeof(why)));
    assert_non_null(strstr(why, "raw://nosuchif0: "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_cross_it),
        cmocka_unit_test(two_cables_are_apart),
        cmocka_unit_test(the_very_first_frame_crosses),
        cmocka_unit_test(says_which_interface_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
