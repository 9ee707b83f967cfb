/* SPDX-License-Identifier: BSD-2-Clause */
/* Response times: buckets, percentiles, and which packets make a pair. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "goldwire/etherbone.h"
#include "goldwire/ims.h"
#include "goldwire/op2p.h"
#include "measure/timing.h"

static void buckets_meet_without_gaps(void **state)
{
    (void)state;
    unsigned last = gw_timing_bucket(1);
    for (int64_t t = 2; t < 100000; t++) {
        unsigned bucket = gw_timing_bucket(t);
        assert_true(bucket >= last);
        if (bucket != last) {
            assert_int_equal(gw_timing_bucket_end(last), t - 1);
            last = bucket;
        }
        assert_true(gw_timing_bucket_end(bucket) < t + (t + 4) / 4);
    }
    assert_int_equal(gw_timing_bucket(0), gw_timing_bucket(1));
    assert_int_equal(gw_timing_bucket(INT64_MAX), GW_TIMING_BUCKETS - 1);
}

static void percentiles_are_rounded_up_and_never_beyond_the_longest(void **state)
{
    (void)state;
    static gw_timings t;
    for (int64_t i = 1; i <= 100; i++)
        gw_timings_note(&t, "Read", i * 1000);
    gw_timings_note(&t, "Read", -5);
    assert_int_equal(t.num, 1);
    assert_int_equal(t.kinds[0].num, 100);
    assert_int_equal(t.kinds[0].min_ns, 1000);
    assert_int_equal(t.kinds[0].max_ns, 100000);
    assert_uint_in_range(gw_timing_percentile(&t.kinds[0], 50), 50000, 60000);
    assert_int_equal(gw_timing_percentile(&t.kinds[0], 99), 100000);
    assert_int_equal(gw_timing_percentile(&t.kinds[0], 100), 100000);
}

static void there_is_room_for_so_many_kinds(void **state)
{
    (void)state;
    static gw_timings t;
    for (unsigned i = 0; i < GW_TIMING_KINDS + 3; i++) {
        char kind[16];
        (void)snprintf(kind, sizeof(kind), "%u", i);
        gw_timings_note(&t, kind, 1);
    }
    assert_int_equal(t.num, GW_TIMING_KINDS);
    assert_int_equal(t.left_out, 3);
}

static const uint8_t probe[] = {0x4e, 0x6f, 0x11, 0x44, 0, 0, 0, 1};
static const uint8_t read_one[] = {0x4e, 0x6f, 0x10, 0x44, 0x08, 0x0f, 0, 1,
                                   0,    0,    0x80, 0,    0,    0x10, 0, 0};

static void add(gw_evidence *e, gw_evidence_packet packet, gw_direction dir, int64_t time_ns,
                const uint8_t *data, uint32_t len)
{
    packet.dir = (uint8_t)dir;
    packet.time_ns = time_ns;
    packet.len = len;
    gw_evidence_add(e, &packet, data);
}

static void answers_are_paired_on_their_line(void **state)
{
    (void)state;
    static gw_timings t;
    gw_evidence e = {0};
    const gw_evidence_packet one = {.line = 1};
    const gw_evidence_packet two = {.line = 2};
    add(&e, one, GW_DIR_OUT, 100, probe, sizeof(probe));
    add(&e, two, GW_DIR_OUT, 150, read_one, sizeof(read_one));
    add(&e, two, GW_DIR_IN, 170, probe, sizeof(probe));
    add(&e, one, GW_DIR_IN, 400, probe, sizeof(probe));
    /* Two in flight: which of them is answered, nobody can tell here. The last one is paired. */
    add(&e, one, GW_DIR_OUT, 500, probe, sizeof(probe));
    add(&e, one, GW_DIR_OUT, 600, probe, sizeof(probe));
    add(&e, one, GW_DIR_IN, 603, probe, sizeof(probe));
    add(&e, one, GW_DIR_IN, 604, probe, sizeof(probe));
    add(&e, two, GW_DIR_OUT, 700, probe, sizeof(probe)); /* never answered */
    gw_timings_read(&t, &e, &gw_etherbone, NULL);
    assert_int_equal(t.num, 2);
    assert_string_equal(t.kinds[0].kind, "Probe");
    assert_int_equal(t.kinds[0].num, 2);
    assert_int_equal(t.kinds[0].max_ns, 300);
    assert_int_equal(t.kinds[0].min_ns, 3);
    assert_string_equal(t.kinds[1].kind, "Read");
    assert_int_equal(t.kinds[1].min_ns, 20);
    gw_evidence_free(&e);
}

static void registers_speak_etherbone_and_streams_are_not_read(void **state)
{
    (void)state;
    static gw_timings t;
    gw_evidence e = {0};
    char says[96] = "";
    const gw_evidence_packet regs = {.line = 1, .regs = true};
    const gw_evidence_packet stream = {.line = 2, .stream = true};
    add(&e, regs, GW_DIR_OUT, 0, read_one, sizeof(read_one));
    add(&e, regs, GW_DIR_IN, 10, read_one, sizeof(read_one));
    add(&e, stream, GW_DIR_OUT, 0, read_one, 5);
    add(&e, stream, GW_DIR_IN, 10, read_one, 5);
    gw_timings_read(&t, &e, &gw_op2p, NULL);
    assert_int_equal(t.num, 2);
    assert_string_equal(t.kinds[0].kind, "regs: Read");
    assert_string_equal(t.kinds[1].kind, "over a stream");
    gw_evidence_summary(says, sizeof(says), &e, 1, &gw_op2p, NULL);
    assert_string_equal(says, "Read 1 @ 0x100000");
    says[0] = '?';
    gw_evidence_summary(says, sizeof(says), &e, 3, &gw_op2p, NULL);
    assert_string_equal(says, "");
    gw_evidence_free(&e);
}

/* Behind an InfiniBand packet stands its ICRC, in RoCEv2's datagrams too. */
static void packets_end_before_their_icrc(void **state)
{
    (void)state;
    uint8_t packet[GW_IB_BTH + GW_IMS_ACK + GW_IB_ICRC] = {0};
    const gw_ims_ack ack = {.va = 0x1000000040};
    gw_ims_draft draft = gw_ims_draft_ack(0x412, 7, &ack);
    const gw_evidence_packet one = {.line = 1};
    gw_evidence e = {0};
    char says[96] = "";
    assert_int_equal(gw_ims_build(packet, sizeof(packet), &draft, NULL), GW_IB_BTH + GW_IMS_ACK);
    add(&e, one, GW_DIR_IN, 0, packet, sizeof(packet));
    add(&e, one, GW_DIR_IN, 0, packet, GW_IB_ICRC);
    gw_evidence_summary(says, sizeof(says), &e, 1, &gw_ims, NULL);
    assert_string_equal(says, "ACK 0x1000000040 to qp 0x412 psn 7");
    says[0] = '\0';
    gw_evidence_summary(says, sizeof(says), &e, 2, &gw_ims, NULL);
    assert_string_equal(says, "");
    gw_evidence_free(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buckets_meet_without_gaps),
        cmocka_unit_test(percentiles_are_rounded_up_and_never_beyond_the_longest),
        cmocka_unit_test(there_is_room_for_so_many_kinds),
        cmocka_unit_test(answers_are_paired_on_their_line),
        cmocka_unit_test(registers_speak_etherbone_and_streams_are_not_read),
        cmocka_unit_test(packets_end_before_their_icrc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
