/* SPDX-License-Identifier: BSD-2-Clause */
/* Traces of our own boards, in memory: the same board answers as it did, a mutant does not, and a
 * trace that somebody has broken breaks nothing. */
#include "boards/mem_testing.h"
#include "formats/l1farm/board.h"
#include "goldwire/etherbone.h"
#include "harness/capture.h"
#include "replay/testing/replay_testing.h"
#include "run/testing/long_way_testing.h"

static void the_same_board_passes(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2 * gw_num_boards; i++) {
        const gw_board *board = gw_boards[i / 2];
        bool stream = i % 2 == 1;
        if (stream && !gw_board_may_stream(board))
            continue;
        record(board->role, stream, "*");
        played p = play(board->role, NULL, stream, GW_REPLAY_LOCKSTEP);
        assert_string_equal(p.result.text, "");
        assert_int_equal(p.result.verdict, GW_PASS);
        assert_true(p.report.compared > 0);
    }
}

/* The pace of the trace, and none at all: where that makes no sense it is refused, with what to do
 * instead. */
static void any_pace_that_makes_sense_will_do(void **state)
{
    static const struct {
        const char *role;
        const char *glob;
        const char *asap; /* why not, or NULL */
    } boards[] = {
        {"etherbone-slave", "*", NULL},
        {"etherbone-master", "*", "there is nothing to answer before it has"},
        {"textarossa-node", "*", "over 2 of the board's links"},
        {"textarossa-node", "tx-n/address", "over 2 of the board's links"},
        {"textarossa-switch", "*", "over 7 of the board's links"},
        {"op2p-node", "*", "over 2 of the board's links"},
        {"op2p-node", "op-e/completion*", NULL},
        {"ims-buf", "*", "names queue pairs and memory that its answers tell first"},
        {"ims-worker", "ims-w/nack*", "there is nothing to answer before it has"},
        {"l1-ru", "*", "over 2 of the board's links"},
        {"l1-cn", "*", "over 2 of the board's links"},
        {"l1-du", "*", "over 2 of the board's links"},
    };
    char why[256] = "";
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(boards); i++) {
        const gw_board *role = gw_board_by_role(boards[i].role);
        record(boards[i].role, false, boards[i].glob);
        gw_trace *trace = load(boards[i].role, why, sizeof(why));
        assert_non_null(trace);
        for (unsigned mode = GW_REPLAY_LOCKSTEP; mode <= GW_REPLAY_ASAP; mode++) {
            bool fits = gw_replay_mode_fits(trace, role, (gw_replay_mode)mode, why, sizeof(why));
            if (fits != (mode != GW_REPLAY_ASAP || boards[i].asap == NULL))
                fail_msg("%s %s, mode %u: %s", boards[i].role, boards[i].glob, mode, why);
            if (!fits && (boards[i].asap == NULL || strstr(why, boards[i].asap) == NULL))
                fail_msg("%s: %s", boards[i].role, why);
            if (!fits)
                continue;
            played p = play(boards[i].role, NULL, false, (gw_replay_mode)mode);
            if (p.result.verdict != GW_PASS)
                fail_msg("%s, mode %u: %s", boards[i].role, mode, p.result.text);
        }
        gw_trace_free(trace);
    }
}

/* ---- one long cycle ---- */

#define LONG_CYCLE 200 /* records, more than may overtake each other */

/* Sends |len| bytes as one piece, waits for |due| bytes of answer, and notes both. */
static void exchange(gw_transport *t, gw_evidence *e, const uint8_t *bytes, size_t len, size_t due)
{
    static uint8_t answer[1 << 16];
    gw_evidence_packet packet = {.time_ns = GW_VIRTUAL_EPOCH_NS + t->ops->now(t),
                                 .local = t->local,
                                 .remote = t->remote,
                                 .len = (uint32_t)len,
                                 .dir = GW_DIR_OUT,
                                 .stream = true};
    assert_true(t->ops->send(t, bytes, len));
    (void)gw_evidence_add(e, &packet, bytes);
    size_t have = 0;
    while (have < due) {
        size_t got = 0;
        int64_t stamp;
        gw_endpoint from;
        assert_int_equal(t->ops->recv(t, answer + have, sizeof(answer) - have, &got,
                                      t->ops->now(t) + GW_SECOND, &stamp, &from),
                         GW_RECV_DATA);
        have += got;
    }
    packet.time_ns = GW_VIRTUAL_EPOCH_NS + t->ops->now(t) + 5 * GW_MS;
    packet.dir = GW_DIR_IN;
    packet.len = (uint32_t)have;
    (void)gw_evidence_add(e, &packet, answer);
}

/* A master that sends a whole cycle in one go is answered when the first record has arrived; played
 * record by record the answers come before the last one went out. */
static void a_long_cycle_over_a_stream_is_answered_as_it_goes(void **state)
{
    static uint8_t cycle[LONG_CYCLE * 16];
    char why[256];
    uint8_t probe[8];
    gw_evidence e = {0};
    gw_eb_builder b;
    gw_eb_layout layout;
    gw_peer_config config = {0};
    const gw_board *board = gw_board_by_role("etherbone-slave");
    (void)state;
    gw_transport *t = mem_open(board, &config, true, why, sizeof(why));
    assert_non_null(t);
    assert_true(gw_eb_build_records(&b, cycle, sizeof(cycle), 0x44, NULL));
    layout = b.layout;
    for (unsigned i = 0; i < LONG_CYCLE; i++) {
        uint64_t address = 0x20000 + 4 * (i % 64);
        gw_eb_operation op = {.reads = &address,
                              .num_reads = 1,
                              .return_base = 0x9000 + 4 * i,
                              .flags = i + 1 == LONG_CYCLE ? GW_EB_CYC : 0,
                              .byte_enable = 15};
        assert_true(gw_eb_build_record(&b, &op));
    }
    size_t len = gw_eb_build_end(&b, false);
    gw_evidence_packet opened = {.time_ns = GW_VIRTUAL_EPOCH_NS,
                                 .local = t->local,
                                 .remote = t->remote,
                                 .dir = GW_DIR_OUT,
                                 .kind = GW_EVIDENCE_OPEN,
                                 .stream = true};
    (void)gw_evidence_add(&e, &opened, NULL);
    gw_eb_build_probe(probe, false, 0x44, 1);
    exchange(t, &e, probe, sizeof(probe), sizeof(probe));
    exchange(t, &e, cycle, len, (size_t)LONG_CYCLE * gw_eb_record_len(&layout, 1, 0));
    gw_transport_close(t);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(gw_evidence_write(&e, file, "role etherbone-slave"));
    assert_int_equal(fclose(file), 0);
    gw_evidence_free(&e);
    played p = play("etherbone-slave", NULL, true, GW_REPLAY_LOCKSTEP);
    assert_string_equal(p.result.text, "");
    assert_int_equal(p.result.verdict, GW_PASS);
    assert_int_equal(p.report.compared, LONG_CYCLE + 1);
}

/* ---- one side only ---- */

/* Rewrites the trace with the frames that go |dir|. */
static void only(gw_direction dir)
{
    char why[256];
    char other[80];
    gw_frame frame;
    (void)snprintf(other, sizeof(other), "%s.one", path);
    gw_capture *in = gw_capture_open(path, why, sizeof(why));
    FILE *file = fopen(other, "wb");
    assert_non_null(in);
    assert_non_null(file);
    gw_pcapng_writer *out = gw_pcapng_create(file, NULL);
    assert_int_equal(gw_pcapng_interface(out, 1, NULL, NULL), 0);
    while (gw_capture_next(in, &frame) == GW_CAPTURE_FRAME) {
        if (frame.dir == dir)
            assert_true(gw_pcapng_frame(out, &frame));
    }
    assert_true(gw_pcapng_close(out));
    assert_int_equal(fclose(file), 0);
    gw_capture_close(in);
    assert_int_equal(rename(other, path), 0);
}

static void requests_alone_are_not_a_pass(void **state)
{
    (void)state;
    record("etherbone-slave", false, "*");
    only(GW_DIR_OUT);
    played p = play("etherbone-slave", NULL, false, GW_REPLAY_LOCKSTEP);
    assert_int_equal(p.result.verdict, GW_INCONC);
    assert_non_null(strstr(p.result.text, "no answers to compare with"));
    assert_true(p.report.unjudged > 0);
    /* What the format alone says of an answer is judged all the same. */
    p = play("etherbone-slave", "m-dirty-reserved", false, GW_REPLAY_LOCKSTEP);
    assert_int_equal(p.result.verdict, GW_FAIL);
    assert_non_null(p.result.rule);
}

static void answers_alone_are_nothing(void **state)
{
    char why[256] = "";
    (void)state;
    record("etherbone-slave", false, "eb-s/read*");
    only(GW_DIR_IN);
    assert_null(load("etherbone-slave", why, sizeof(why)));
    assert_non_null(strstr(why, "nothing to send"));
}

/* ---- names ---- */

/* A board in memory that is set up otherwise than the one that was recorded. */
typedef struct other_way {
    gw_target target; /* first */
    gw_mem *mem;
} other_way;

static gw_transport *other_open(gw_target *target, unsigned link, int64_t timeout_ns,
                                bool *unreachable, char *why, size_t why_cap)
{
    (void)timeout_ns;
    *unreachable = false;
    return gw_mem_connect(((other_way *)target)->mem, link, false, why, why_cap);
}

static void another_node_has_another_number(void **state)
{
    gw_l1_setup setup = {.node = 9, .check_ns = GW_L1_CN_CHECK_NS, .limit_ns = GW_L1_DU_LIMIT_NS};
    gw_peer_config config = {.setup = &setup};
    char why[256];
    (void)state;
    record("l1-cn", false, "*");
    other_way way = {
        .target = {.open = other_open,
                   .virtual_time = true,
                   .num_links = 2,
                   .links = {{.name = "in", .present = true}, {.name = "out", .present = true}}},
        .mem = gw_mem_start(gw_board_by_role("l1-cn"), &config, why, sizeof(why))};
    assert_non_null(way.mem);
    played p = play_against(&way.target, "l1-cn", GW_REPLAY_LOCKSTEP);
    assert_string_equal(p.result.text, "");
    assert_int_equal(p.result.verdict, GW_PASS);
    gw_mem_stop(way.mem);
    /* Its results have to bear the number that it told. */
    config.mutant = gw_mutant_by_id(gw_board_by_role("l1-cn"), "m-other-tag");
    way.mem = gw_mem_start(gw_board_by_role("l1-cn"), &config, why, sizeof(why));
    assert_non_null(way.mem);
    p = play_against(&way.target, "l1-cn", GW_REPLAY_LOCKSTEP);
    assert_int_equal(p.result.verdict, GW_FAIL);
    assert_string_equal(p.report.difference.field->name, "l1farm.tunnel.event");
    gw_mem_stop(way.mem);
}

/* ---- what gets lost ---- */

/* A way that loses one message of the board's, and could lose any. */
typedef struct lossy_way {
    unsigned seen;
    unsigned lose; /* the message with this number */
} lossy_way;

static gw_recv_status recv_lossy(between_connection *conn, uint8_t *buf, size_t cap, size_t *len,
                                 int64_t deadline, int64_t *stamp_ns, gw_endpoint *from)
{
    lossy_way *way = conn->way->arg;
    for (;;) {
        gw_recv_status status =
            conn->inner->ops->recv(conn->inner, buf, cap, len, deadline, stamp_ns, from);
        if (status != GW_RECV_DATA || ++way->seen != way->lose)
            return status;
    }
}

static played play_lossy(unsigned lose)
{
    gw_dut *dut = start("etherbone-slave", NULL, false);
    lossy_way lossy = {.lose = lose};
    between way = {.recv = recv_lossy, .arg = &lossy};
    between_lay(&way, gw_dut_target(dut));
    way.target.lossy = true;
    way.target.impairment.loss = 1; /* what is told of the way; this one does it itself */
    played p = play_against(&way.target, "etherbone-slave", GW_REPLAY_LOCKSTEP);
    if (lose == 0)
        p.report.came = lossy.seen;
    gw_dut_close(dut);
    return p;
}

/* Whichever answer is lost: a read is asked for again, a write never, for which the whole trace is
 * played anew, and nobody is blamed. */
static void a_loss_is_nobodys_fault(void **state)
{
    unsigned again = 0;
    unsigned anew = 0;
    (void)state;
    record("etherbone-slave", false, "eb-s/[rw][er]*");
    unsigned num = (unsigned)play_lossy(0).report.came;
    for (unsigned lose = 1; lose < num; lose++) {
        played p = play_lossy(lose);
        again += p.report.asked_again > 0;
        anew += p.result.attempts > 1;
        if (p.result.verdict != GW_PASS)
            fail_msg("%u of %u: %s", lose, num, p.result.text);
    }
    assert_true(again > 0);
    assert_true(anew > 0);
}

/* ---- what queues hold ---- */

#define QUEUE 32

/* A way whose board takes so many messages at once, and no more. */
typedef struct short_queue {
    unsigned came;
} short_queue;

static bool send_queued(between_connection *conn, const uint8_t *data, size_t len)
{
    short_queue *q = conn->way->arg;
    return ++q->came > QUEUE || conn->inner->ops->send(conn->inner, data, len);
}

/* Whoever does not wait finds no answer. */
static gw_recv_status recv_awaited(between_connection *conn, uint8_t *buf, size_t cap, size_t *len,
                                   int64_t deadline, int64_t *stamp_ns, gw_endpoint *from)
{
    short_queue *q = conn->way->arg;
    if (deadline <= conn->inner->ops->now(conn->inner))
        return GW_RECV_TIMEOUT;
    q->came = 0;
    return conn->inner->ops->recv(conn->inner, buf, cap, len, deadline, stamp_ns, from);
}

/* As fast as possible is no faster than answers come. */
static void no_queue_is_flooded(void **state)
{
    short_queue queue = {0};
    (void)state;
    record("etherbone-slave", false, "eb-s/read*");
    gw_dut *dut = start("etherbone-slave", NULL, false);
    between way = {.send = send_queued, .recv = recv_awaited, .arg = &queue};
    between_lay(&way, gw_dut_target(dut));
    played p = play_against(&way.target, "etherbone-slave", GW_REPLAY_ASAP);
    assert_string_equal(p.result.text, "");
    assert_int_equal(p.result.verdict, GW_PASS);
    gw_dut_close(dut);
}

/* ---- queues that do not say when they are empty ---- */

/* Plays the trace to a board whose queue is said to be at |address|. */
static played play_queue_at(uint64_t address)
{
    gw_board_file board = *gw_builtin_board("etherbone-slave");
    gw_dut *dut = start("etherbone-slave", NULL, false);
    for (size_t i = 0; i < board.num_areas; i++) {
        if (board.areas[i].type == GW_AREA_FIFO)
            board.areas[i].address = address;
    }
    played p = play_described(gw_dut_target(dut), "etherbone-slave", &board, GW_REPLAY_LOCKSTEP);
    gw_dut_close(dut);
    return p;
}

/* A register that brings one word over and over looks like an empty queue without an error, and one
 * that counts like a queue that has no end. */
static void queues_without_an_error_are_left(void **state)
{
    (void)state;
    record("etherbone-slave", false, "eb-s/write-fifo");
    played p = play("etherbone-slave", NULL, false, GW_REPLAY_LOCKSTEP);
    assert_int_equal(p.result.verdict, GW_PASS);
    assert_int_equal(p.report.presumed_empty, 0);
    p = play_queue_at(0x8000);
    assert_true(p.report.presumed_empty > 0);
    assert_string_equal(p.report.presumed, "fifo");
    p = play_queue_at(0x40004);
    assert_int_equal(p.result.verdict, GW_INCONC);
    assert_non_null(strstr(p.result.text, "still brings words"));
}

/* ---- a machine that is busy ---- */

/* Everything goes out 3 ms late. */
static bool send_late(between_connection *conn, const uint8_t *data, size_t len)
{
    gw_transport *t = conn->inner;
    t->ops->wait(t, t->ops->now(t) + 3 * GW_MS);
    return t->ops->send(t, data, len);
}

static played play_late(const char *role, const char *mutant)
{
    gw_dut *dut = start(role, mutant, false);
    between way = {.send = send_late};
    between_lay(&way, gw_dut_target(dut));
    way.target.virtual_time = false;
    played p = play_against(&way.target, role, GW_REPLAY_LOCKSTEP);
    gw_dut_close(dut);
    return p;
}

/* A node that looks at a buffer before we have overwritten it is right to call it good. */
static void our_lateness_is_nobodys_fault(void **state)
{
    (void)state;
    record("l1-cn", false, "l1-e/overwritten");
    played p = play_late("l1-cn", NULL);
    assert_int_equal(p.result.verdict, GW_INCONC);
    assert_non_null(strstr(p.result.text, "this machine was busy"));
    /* What is wrong whenever it comes is told all the same. */
    record("etherbone-slave", false, "*");
    assert_int_equal(play_late("etherbone-slave", NULL).result.verdict, GW_PASS);
    p = play_late("etherbone-slave", "m-dirty-reserved");
    assert_int_equal(p.result.verdict, GW_FAIL);
    assert_non_null(p.result.rule);
}

/* ---- links that are apart ---- */

/* A register that is read at once tells nothing yet of what a link was told just before. */
static void links_are_given_time(void **state)
{
    static const char *const roles[] = {"textarossa-switch", "textarossa-node", "op2p-node"};
    static long_way way;
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(roles); i++) {
        unsigned last = gw_board_num_links(gw_board_by_role(roles[i])) - 1;
        record(roles[i], false, "*");
        for (unsigned others = 0; others < 2; others++) {
            gw_dut *dut = start(roles[i], NULL, false);
            long_way_lay(&way, gw_dut_target(dut), others ? (1u << last) - 1 : 1u << last);
            played p = play_against(&way.way.target, roles[i], GW_REPLAY_LOCKSTEP);
            if (p.result.verdict != GW_PASS)
                fail_msg("%s: %s", roles[i], p.result.text);
            gw_dut_close(dut);
        }
    }
}

/* ---- broken traces ---- */

static void any_byte_may_be_wrong(void **state)
{
    static uint8_t bytes[1 << 16];
    char why[256];
    uint64_t random = 1;
    (void)state;
    record("etherbone-slave", false, "eb-s/probe*");
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t len = fread(bytes, 1, sizeof(bytes), file);
    (void)fclose(file);
    assert_uint_in_range(len, 100, sizeof(bytes) - 1);
    for (unsigned round = 0; round < 300; round++) {
        uint8_t broken[sizeof(bytes)];
        memcpy(broken, bytes, len);
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
        broken[(random >> 20) % len] ^= (uint8_t)(1u << (random >> 60) % 8);
        size_t cut = round % 3 == 0 ? (random >> 33) % len : len;
        file = fopen(path, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(broken, 1, cut, file), cut);
        (void)fclose(file);
        gw_trace *trace = load("etherbone-slave", why, sizeof(why));
        if (trace == NULL) {
            assert_true(why[0] != '\0');
            continue;
        }
        gw_trace_free(trace);
        (void)play("etherbone-slave", NULL, false, GW_REPLAY_LOCKSTEP);
    }
}

/* ---- what may be written ---- */

static void only_areas_are_written(void **state)
{
    char why[256] = "";
    const gw_board *role = gw_board_by_role("etherbone-slave");
    gw_board_file board = *gw_builtin_board("etherbone-slave");
    (void)state;
    record("etherbone-slave", false, "eb-s/write*");
    gw_trace *trace = load("etherbone-slave", why, sizeof(why));
    assert_non_null(trace);
    assert_true(gw_trace_may(trace, role, &board, why, sizeof(why)));
    board.areas[0].size = 4;
    assert_false(gw_trace_may(trace, role, &board, why, sizeof(why)));
    assert_non_null(strstr(why, "which no area of the board file lets goldwire write"));
    gw_board_file none = {.role = ""};
    assert_false(gw_trace_may(trace, role, &none, why, sizeof(why)));
    assert_non_null(strstr(why, "without a board file only traces that read are sent"));
    gw_trace_free(trace);
    record("etherbone-slave", false, "eb-s/probe-answered");
    trace = load("etherbone-slave", why, sizeof(why));
    assert_non_null(trace);
    if (!gw_trace_may(trace, role, &none, why, sizeof(why)))
        fail_msg("%s", why);
    gw_trace_free(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_board_passes),
        cmocka_unit_test(any_pace_that_makes_sense_will_do),
        cmocka_unit_test(a_long_cycle_over_a_stream_is_answered_as_it_goes),
        cmocka_unit_test(requests_alone_are_not_a_pass),
        cmocka_unit_test(answers_alone_are_nothing),
        cmocka_unit_test(another_node_has_another_number),
        cmocka_unit_test(a_loss_is_nobodys_fault),
        cmocka_unit_test(no_queue_is_flooded),
        cmocka_unit_test(queues_without_an_error_are_left),
        cmocka_unit_test(our_lateness_is_nobodys_fault),
        cmocka_unit_test(links_are_given_time),
        cmocka_unit_test(any_byte_may_be_wrong),
        cmocka_unit_test(only_areas_are_written),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
