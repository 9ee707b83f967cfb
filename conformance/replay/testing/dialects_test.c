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
        cmocka_unit_test(equal_answers_are_not_doubled),
        cmocka_unit_test(what_was_apart_stays_apart),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
