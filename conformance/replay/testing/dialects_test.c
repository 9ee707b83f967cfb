/* SPDX-License-Identifier: BSD-2-Clause */
/* A board that departs from its document is replayed by its own habits: what it was recorded to say
 * it says again. */
#include "goldwire/etherbone.h"
#include "replay/testing/replay_testing.h"
#include "run/testing/between_testing.h"

static gw_dut *start_dialect(const gw_board *board, const gw_dialect *dialect, const char *over)
{
    char url[128];
    char why[256] = "";
    (void)snprintf(url, sizeof(url), "peer:%s?via=mem&dialect=%s%s", board->role, dialect->name,
                   over);
    gw_dut_place place = {"", url};
    gw_dut *dut = gw_dut_open(&place, 1, board, board->calls_us, why, sizeof(why));
    if (dut == NULL)
        fail_msg("%s: %s", url, why);
    return dut;
}

static void comes_back(const gw_board *board, const gw_dialect *dialect, const char *over)
{
    static const char *const all[] = {"*"};
    gw_dut *dut = start_dialect(board, dialect, over);
    bool kept = record_board(dut, board->role, all, 1, true);
    gw_dut_close(dut);
    if (!kept) { /* whoever answers a master writes into its memory, of which nothing is declared */
        assert_true(board->calls_us);
        return;
    }
    dut = start_dialect(board, dialect, over);
    played p = play_in(gw_dut_target(dut), board->role, gw_builtin_board(board->role), dialect,
                       GW_REPLAY_LOCKSTEP);
    if (p.result.verdict != GW_PASS)
        fail_msg("%s, %s%s: %s", board->role, dialect->name, over, p.result.text);
    assert_true(p.report.compared > 0);
    gw_dut_close(dut);
}

static void every_dialect_comes_back(void **state)
{
    static const struct {
        const char *over;
        gw_carriage carriage;
    } ways[] = {{"", GW_CARRY_UDP}, {"&over=tcp", GW_CARRY_TCP}, {"&over=raw", GW_CARRY_RAW}};
    (void)state;
    for (size_t i = 0; i < gw_num_boards; i++) {
        const gw_board *board = gw_boards[i];
        const gw_suite *suite = gw_suite_by_role(board->role);
        for (size_t d = 0; d < board->format->num_dialects; d++) {
            const gw_dialect *dialect = &board->format->dialects[d];
            for (size_t k = 0; k < GW_ARRAY_LEN(ways); k++) {
                char why[256];
                bool stream = gw_board_link_streams(board, 0, ways[k].carriage == GW_CARRY_TCP);
                if (gw_carriage_fits(board, ways[k].carriage) &&
                    (suite->accepts == NULL || suite->accepts(dialect, stream, why, sizeof(why))))
                    comes_back(board, dialect, ways[k].over);
            }
        }
    }
}

/* Whatever the memory holds that the trace did not write, in lanes that nobody asked for as well.
 */
static void memory_may_hold_anything(void **state)
{
    static const char *const all[] = {"*"};
    const gw_board *board = gw_board_by_role("etherbone-slave");
    (void)state;
    for (size_t d = 0; d < board->format->num_dialects; d++) {
        const gw_dialect *dialect = &board->format->dialects[d];
        gw_dut *dut = start_dialect(board, dialect, "");
        assert_true(record_board(dut, board->role, all, 1, true));
        gw_dut_close(dut);
        for (unsigned seed = 1; seed < 9; seed++) {
            char over[32];
            (void)snprintf(over, sizeof(over), "&random-memory=%u", seed);
            dut = start_dialect(board, dialect, over);
            played p = play_in(gw_dut_target(dut), board->role, gw_builtin_board(board->role),
                               dialect, GW_REPLAY_LOCKSTEP);
            if (p.result.verdict != GW_PASS)
                fail_msg("%s%s: %s", dialect->name, over, p.result.text);
            gw_dut_close(dut);
        }
    }
}

/* Who answers writes says the same to each of them; over a path that takes its time each answer may
 * have come before the next write goes out. */
static void equal_answers_are_not_doubled(void **state)
{
    static const char *const globs[] = {"eb-s/write*"};
    const gw_board *board = gw_board_by_role("etherbone-slave");
    const gw_dialect *dialect = gw_dialect_by_name(&gw_etherbone, "gsi");
    gw_dut *dut = start_dialect(board, dialect, "");
    (void)state;
    assert_true(record_board(dut, board->role, globs, GW_ARRAY_LEN(globs), true));
    gw_dut_close(dut);
    dut = start_dialect(board, dialect, "&rtt=20ms");
    played p = play_in(gw_dut_target(dut), board->role, gw_builtin_board(board->role), dialect,
                       GW_REPLAY_LOCKSTEP);
    assert_string_equal(p.result.text, "");
    assert_int_equal(p.result.verdict, GW_PASS);
    assert_int_equal(p.report.doubled, 0);
    gw_dut_close(dut);
}

/* ---- answers that are under way ---- */

#define WRITES 8

/* Adds to |e| whatever has come by |deadline|. */
static void hear(gw_transport *t, gw_evidence *e, int64_t deadline)
{
    uint8_t answer[64];
    size_t len;
    int64_t stamp;
    gw_endpoint from;
    while (t->ops->recv(t, answer, sizeof(answer), &len, deadline, &stamp, &from) == GW_RECV_DATA) {
        gw_evidence_packet packet = {.time_ns = GW_VIRTUAL_EPOCH_NS + t->ops->now(t),
                                     .local = t->local,
                                     .remote = t->remote,
                                     .len = (uint32_t)len,
                                     .dir = GW_DIR_IN};
        (void)gw_evidence_add(e, &packet, answer);
    }
}

/* Writes word after word at a pace that does not wait for what |dut| answers. */
static void record_writes(gw_dut *dut, const gw_dialect *dialect)
{
    char why[256];
    bool unreachable;
    uint8_t packet[64];
    gw_evidence e = {0};
    gw_target *target = gw_dut_target(dut);
    gw_transport *t = target->open(target, 0, GW_SECOND, &unreachable, why, sizeof(why));
    assert_non_null(t);
    for (unsigned i = 0; i < WRITES; i++) {
        gw_eb_builder b;
        uint64_t value = i;
        gw_eb_operation op = {.writes = &value,
                              .num_writes = 1,
                              .write_base = 0x100 + 4 * i,
                              .flags = GW_EB_CYC,
                              .byte_enable = 15};
        assert_true(gw_eb_build_packet(&b, packet, sizeof(packet), 0x44, dialect));
        assert_true(gw_eb_build_record(&b, &op));
        size_t len = gw_eb_build_end(&b, false);
        gw_evidence_packet sent = {.time_ns = GW_VIRTUAL_EPOCH_NS + t->ops->now(t),
                                   .local = t->local,
                                   .remote = t->remote,
                                   .len = (uint32_t)len,
                                   .dir = GW_DIR_OUT};
        assert_true(t->ops->send(t, packet, len));
        (void)gw_evidence_add(&e, &sent, packet);
        hear(t, &e, t->ops->now(t) + 10 * GW_MS);
    }
    hear(t, &e, t->ops->now(t) + GW_SECOND);
    gw_transport_close(t);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(gw_evidence_write(&e, file, "role etherbone-slave"));
    assert_int_equal(fclose(file), 0);
    assert_int_equal(e.num_packets, 2 * WRITES);
    gw_evidence_free(&e);
}

/* What a slow board says to the last write but one, a quick one says before the last has gone out.
 */
static void answers_come_when_they_are_asked_for(void **state)
{
    static const char *const ways[] = {"", "&over=raw", "&rtt=4ms", "&rtt=20ms&jitter=5ms"};
    const gw_board *board = gw_board_by_role("etherbone-slave");
    const gw_dialect *dialect = gw_dialect_by_name(&gw_etherbone, "gsi");
    (void)state;
    gw_dut *dut = start_dialect(board, dialect, "&rtt=15ms");
    record_writes(dut, dialect);
    gw_dut_close(dut);
    for (size_t i = 0; i < GW_ARRAY_LEN(ways); i++) {
        for (unsigned mode = GW_REPLAY_LOCKSTEP; mode <= GW_REPLAY_ASAP; mode++) {
            dut = start_dialect(board, dialect, ways[i]);
            played p = play_in(gw_dut_target(dut), board->role, gw_builtin_board(board->role),
                               dialect, (gw_replay_mode)mode);
            if (p.result.verdict != GW_PASS)
                fail_msg("%s, mode %u: %s", ways[i], mode, p.result.text);
            assert_int_equal(p.report.compared, WRITES);
            gw_dut_close(dut);
        }
    }
}

/* ---- what is sent at once comes together ---- */

typedef struct together {
    uint8_t bytes[65536];
    size_t len;
} together;

static bool hold(between_connection *conn, const uint8_t *data, size_t len)
{
    together *held = conn->way->arg;
    assert_true(len <= sizeof(held->bytes) - held->len);
    memcpy(held->bytes + held->len, data, len);
    held->len += len;
    return true;
}

static void let_go(between_connection *conn)
{
    together *held = conn->way->arg;
    size_t len = held->len;
    held->len = 0;
    if (len > 0)
        (void)!conn->inner->ops->send(conn->inner, held->bytes, len);
}

static gw_recv_status recv_together(between_connection *conn, uint8_t *buf, size_t cap, size_t *len,
                                    int64_t deadline, int64_t *stamp_ns, gw_endpoint *from)
{
    if (deadline <= conn->inner->ops->now(conn->inner))
        return GW_RECV_TIMEOUT;
    let_go(conn);
    return conn->inner->ops->recv(conn->inner, buf, cap, len, deadline, stamp_ns, from);
}

/* To who takes what comes together for one message, nothing is sent at once that was sent apart. */
static void what_was_apart_stays_apart(void **state)
{
    static const char *const globs[] = {"eb-s/read*", "eb-s/write*", "eb-s/error*"};
    static together held;
    const gw_board *board = gw_board_by_role("etherbone-slave");
    const gw_dialect *dialect = gw_dialect_by_name(&gw_etherbone, "libetherbone");
    gw_dut *dut = start_dialect(board, dialect, "&over=tcp");
    (void)state;
    assert_true(record_board(dut, board->role, globs, GW_ARRAY_LEN(globs), true));
    gw_dut_close(dut);
    dut = start_dialect(board, dialect, "&over=tcp");
    between way = {.send = hold, .recv = recv_together, .close = let_go, .arg = &held};
    between_lay(&way, gw_dut_target(dut));
    played p =
        play_in(&way.target, board->role, gw_builtin_board(board->role), dialect, GW_REPLAY_ASAP);
    assert_string_equal(p.result.text, "");
    assert_int_equal(p.result.verdict, GW_PASS);
    gw_dut_close(dut);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_dialect_comes_back),
        cmocka_unit_test(memory_may_hold_anything),
        cmocka_unit_test(equal_answers_are_not_doubled),
        cmocka_unit_test(answers_come_when_they_are_asked_for),
        cmocka_unit_test(what_was_apart_stays_apart),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
