/* SPDX-License-Identifier: BSD-2-Clause */
/* A run that ends in the middle of a case leaves words in a FIFO: the next run passes on a good
 * board all the same, and a run that is only told to stop takes them out before it goes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "boards/map.h"
#include "device/dut.h"
#include "formats/builtin.h"
#include "goldwire/etherbone.h"
#include "harness/stop.h"
#include "run/run.h"
#include "run/testing/between_testing.h"

#define ROLE "etherbone-slave"

static const char *const ids[] = {"eb-s/write-fifo", "eb-s/fifo-once", "eb-s/fifo-empty"};

static between way;      /* first */
static bool in_case;     /* the case's own packets are counted, not the pre-flight's */
static unsigned sent;    /* by the case */
static unsigned last;    /* packet that still gets through; 0: all of them */
static unsigned stop_at; /* packet before which we are told to stop; 0: none */

static void note_case(void *arg, size_t done, size_t total, const gw_case *next)
{
    (void)arg;
    (void)done;
    (void)total;
    in_case = next != NULL;
}

static bool send_some(between_connection *conn, const uint8_t *data, size_t len)
{
    sent += in_case;
    if (in_case && sent == stop_at)
        (void)raise(SIGTERM);
    if (last != 0 && sent > last)
        return true; /* nobody is there any more to send it */
    return conn->inner->ops->send(conn->inner, data, len);
}

/* The verdict of one case on the board behind |way|, and how many packets that took. */
static gw_verdict judge(const char *id, unsigned *packets)
{
    char why[256] = "";
    gw_run run;
    const gw_suite *suite = gw_suite_by_role(ROLE);
    const gw_case *one = gw_suite_case(suite, id);
    assert_non_null(one);
    in_case = false;
    sent = 0;
    gw_run_setup setup = {.suite = suite,
                          .board = gw_builtin_board(ROLE),
                          .target = &way.target,
                          .cases = &one,
                          .num_cases = 1,
                          .seed = 1,
                          .progress = note_case};
    assert_true(gw_run_cases(&run, &setup, why, sizeof(why)));
    gw_verdict verdict = run.results[0].verdict;
    if (last == 0)
        assert_string_equal(run.not_left, "");
    gw_run_free(&run);
    *packets = sent;
    return verdict;
}

static gw_dut *plug(void)
{
    char why[256] = "";
    gw_dut *dut = gw_dut_in_memory(gw_board_by_role(ROLE), NULL, GW_CARRY_UDP, why, sizeof(why));
    assert_non_null(dut);
    last = 0;
    stop_at = 0;
    way = (between){.send = send_some};
    between_lay(&way, gw_dut_target(dut));
    return dut;
}

/* Takes one word out of the FIFO, and looks into the error register, in one packet. */
static size_t build_look(uint8_t *packet, size_t cap)
{
    static const uint64_t fifo = GW_EB_MAP_FIFO;
    static const uint64_t errors = 4; /* the lower half: the last operation is bit 0 */
    gw_eb_builder b;
    gw_eb_operation take = {
        .reads = &fifo, .num_reads = 1, .flags = GW_EB_CYC | GW_EB_RFF, .byte_enable = 0x0f};
    gw_eb_operation look = {.reads = &errors,
                            .num_reads = 1,
                            .flags = GW_EB_RCA | GW_EB_CYC | GW_EB_RFF,
                            .byte_enable = 0x0f};
    assert_true(gw_eb_build_packet(&b, packet, cap, 0x44, NULL));
    assert_true(gw_eb_build_record(&b, &take));
    assert_true(gw_eb_build_record(&b, &look));
    return gw_eb_build_end(&b, false);
}

/* How many words are in the FIFO of the board, which is empty then: reading more is a bus error. */
static unsigned words_left(void)
{
    char why[256] = "";
    bool unreachable;
    unsigned words = 0;
    uint8_t packet[64];
    uint8_t reply[256];
    size_t len = build_look(packet, sizeof(packet));
    gw_transport *t = way.inner->open(way.inner, 0, GW_SECOND, &unreachable, why, sizeof(why));
    assert_non_null(t);
    for (;; words++) {
        size_t got;
        int64_t stamp_ns;
        gw_endpoint from;
        int64_t deadline = t->ops->now(t) + GW_SECOND;
        assert_true(t->ops->send(t, packet, len));
        assert_int_equal(t->ops->recv(t, reply, sizeof(reply), &got, deadline, &stamp_ns, &from),
                         GW_RECV_DATA);
        if ((reply[got - 1] & 1) != 0)
            break;
        assert_true(words < 1000);
    }
    gw_transport_close(t);
    return words;
}

static void what_a_killed_run_left_fails_nobody(void **state)
{
    unsigned dirty = 0;
    unsigned whole;
    unsigned again;
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(ids); i++) {
        gw_dut *dut = plug();
        assert_int_equal(judge(ids[i], &whole), GW_PASS);
        gw_dut_close(dut);
        for (unsigned n = 1; n <= whole; n++) {
            dut = plug();
            last = n;
            (void)judge(ids[i], &again);
            last = 0;
            for (size_t k = 0; k < GW_ARRAY_LEN(ids); k++)
                if (judge(ids[k], &again) != GW_PASS)
                    fail_msg("%s fails behind %s, killed after packet %u", ids[k], ids[i], n);
            gw_dut_close(dut);
            dut = plug();
            last = n;
            (void)judge(ids[i], &again);
            dirty += words_left() > 0;
            gw_dut_close(dut);
        }
    }
    assert_true(dirty > 3); /* there was something to find */
}

/* In a process of its own, which is told to stop before packet |n| of the case. */
static int stop_before(const char *id, unsigned n)
{
    int status;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        unsigned packets;
        gw_dut *dut = plug();
        gw_stop_watch();
        stop_at = n;
        (void)judge(id, &packets);
        gw_stop_grace(GW_SECOND);
        bool clean = packets >= n && words_left() == 0;
        gw_dut_close(dut);
        _exit(clean ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void who_is_told_to_stop_empties_it(void **state)
{
    unsigned whole;
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(ids); i++) {
        gw_dut *dut = plug();
        assert_int_equal(judge(ids[i], &whole), GW_PASS);
        gw_dut_close(dut);
        for (unsigned n = 1; n <= whole; n++)
            if (stop_before(ids[i], n) != 0)
                fail_msg("%s, told to stop before packet %u, leaves words", ids[i], n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_killed_run_left_fails_nobody),
        cmocka_unit_test(who_is_told_to_stop_empties_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
