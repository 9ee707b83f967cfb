/* SPDX-License-Identifier: BSD-2-Clause */
/* A recording of a board is good for that board, whatever was done to it since, and for others of
 * its kind: their memory holds something else, and their areas lie elsewhere. */
#include "boards/map.h"
#include "boards/mem.h"
#include "formats/ims/buf/board.h"
#include "formats/op2p/node/board.h"
#include "replay/testing/replay_testing.h"

#define REGISTERS_AT 0x4000

static void record_golden(const char *role, bool stream)
{
    static const char *const all[] = {"*"};
    record_from(role, stream, all, 1, true);
}

/* ---- boards that are set up otherwise ---- */

typedef struct other_board {
    gw_target target; /* first */
    gw_mem *mem;
    const gw_board *board;
    gw_peer_config config;
    bool stream;
} other_board;

static gw_transport *open_other(gw_target *target, unsigned link, int64_t timeout_ns,
                                bool *unreachable, char *why, size_t why_cap)
{
    other_board *o = (other_board *)target;
    (void)timeout_ns;
    *unreachable = false;
    /* Whoever calls us is started anew for it. */
    if (o->board->calls_us) {
        gw_mem_stop(o->mem);
        o->mem = gw_mem_start(o->board, &o->config, why, why_cap);
        assert_non_null(o->mem);
    }
    return gw_mem_connect(o->mem, link, target->links[link].stream, why, why_cap);
}

static bool other_over(gw_target *target)
{
    return gw_mem_done(((other_board *)target)->mem);
}

static void start_other(other_board *o, const char *role, bool stream, const gw_peer_config *config)
{
    char why[256];
    memset(o, 0, sizeof(*o));
    o->board = gw_board_by_role(role);
    o->config = *config;
    o->stream = stream;
    o->target = (gw_target){.open = open_other,
                            .virtual_time = true,
                            .fresh = o->board->calls_us,
                            .over = o->board->calls_us ? other_over : NULL,
                            .num_links = gw_board_num_links(o->board)};
    for (unsigned i = 0; i < o->target.num_links; i++)
        o->target.links[i] = (gw_target_link){.name = o->board->links[i],
                                              .present = true,
                                              .stream = gw_board_link_streams(o->board, i, stream)};
    o->mem = gw_mem_start(o->board, &o->config, why, sizeof(why));
    if (o->mem == NULL)
        fail_msg("%s: %s", role, why);
}

static played play_other(other_board *o, const gw_board_file *board, const char *what)
{
    played p = play_described(&o->target, o->board->role, board, GW_REPLAY_LOCKSTEP);
    if (p.result.verdict != GW_PASS)
        fail_msg("%s, %s: %s", o->board->role, what, p.result.text);
    assert_true(p.report.compared > 0);
    return p;
}

/* ---- the same board ---- */

static void a_board_that_was_used_passes(void **state)
{
    (void)state;
    for (size_t i = 0; i < gw_num_boards; i++) {
        const char *role = gw_boards[i]->role;
        gw_peer_config usual = {0};
        other_board o;
        const gw_board_file *board = gw_builtin_board(role);
        record_golden(role, false);
        start_other(&o, role, false, &usual);
        (void)play_other(&o, board, "the first time");
        (void)play_other(&o, board, "the second time");
        (void)play_other(&o, board, "the third time");
        gw_mem_stop(o.mem);
    }
}

static void a_recording_is_sent_to_a_board_with_a_file(void **state)
{
    char why[512] = "";
    (void)state;
    for (size_t i = 0; i < gw_num_boards; i++) {
        const char *role = gw_boards[i]->role;
        record_golden(role, false);
        gw_trace *trace = load(role, why, sizeof(why));
        assert_non_null(trace);
        if (!gw_trace_may(trace, gw_boards[i], gw_builtin_board(role), why, sizeof(why)))
            fail_msg("%s: %s", role, why);
        gw_trace_free(trace);
    }
}

/* ---- another one ---- */

static void memory_that_holds_something_else_is_no_difference(void **state)
{
    (void)state;
    for (size_t i = 0; i < gw_num_boards; i++) {
        const char *role = gw_boards[i]->role;
        gw_peer_config config = {.random_memory = true, .memory_seed = 11};
        other_board o;
        record_golden(role, false);
        start_other(&o, role, false, &config);
        played p = play_other(&o, gw_builtin_board(role), "with anything in its memory");
        gw_mem_stop(o.mem);
        bool reads_memory = strcmp(role, "etherbone-slave") == 0 || strcmp(role, "op2p-node") == 0;
        assert_true(!reads_memory || p.report.excepted > 0);
        assert_true(p.report.excepted == 0 || strstr(p.result.notes, "were not compared") != NULL);
    }
    /* Over a stream as well. */
    gw_peer_config config = {.random_memory = true, .memory_seed = 12};
    other_board o;
    record_golden("etherbone-slave", true);
    start_other(&o, "etherbone-slave", true, &config);
    assert_true(play_other(&o, gw_builtin_board("etherbone-slave"), "over TCP").report.excepted >
                0);
    gw_mem_stop(o.mem);
}

static gw_area *area_called(gw_board_file *board, const char *name)
{
    for (size_t i = 0; i < board->num_areas; i++) {
        if (strcmp(board->areas[i].name, name) == 0)
            return &board->areas[i];
    }
    return NULL;
}

/* Moves what can be moved: the bus of a slave, a node's memory, a buffer's ring, registers. */
static void move(gw_board_file *board, gw_peer_config *config, gw_eb_map *map,
                 gw_ims_buf_setup *buffer)
{
    board->register_base = config->registers_at = REGISTERS_AT;
    if (area_called(board, "registers") != NULL && strncmp(board->role, "l1-", 3) != 0)
        area_called(board, "registers")->address += REGISTERS_AT;
    if (strcmp(board->role, "etherbone-slave") == 0) {
        for (size_t i = 0; i < map->num_regions; i++)
            map->regions[i].address += 0x800000 + 0x10000 * i;
        for (size_t i = 0; i < board->num_areas; i++)
            board->areas[i].address += 0x800000 + 0x10000 * i;
        map->sdb += 0x1000000;
        config->setup = map;
    } else if (strcmp(board->role, "op2p-node") == 0) {
        area_called(board, "ram")->address = 0x280000;
        area_called(board, "pool")->address = 0x180000;
    } else if (strcmp(board->role, "ims-buf") == 0) {
        buffer->va = UINT64_C(0x20fff00000);
        area_called(board, "ring")->address = buffer->va;
        config->setup = buffer;
    }
}

static void areas_that_lie_elsewhere_are_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < gw_num_boards; i++) {
        const char *role = gw_boards[i]->role;
        gw_board_file board = *gw_builtin_board(role);
        gw_peer_config config = {.random_memory = true, .memory_seed = 13};
        gw_eb_map map = gw_eb_default_map;
        gw_ims_buf_setup buffer = gw_ims_buf_usual;
        other_board o;
        record_golden(role, false);
        move(&board, &config, &map, &buffer);
        start_other(&o, role, false, &config);
        played p = play_other(&o, &board, "with its areas elsewhere");
        gw_mem_stop(o.mem);
        /* Addresses of 8 and 16 bits do not reach a memory that begins at 8 MiB. */
        bool narrow = strcmp(role, "etherbone-slave") == 0;
        assert_int_equal(p.left_out > 0, narrow);
        assert_int_equal(narrow, strstr(p.result.notes, "out of reach of 8 bit addresses") != NULL);
    }
}

static void an_area_that_is_missing_is_told(void **state)
{
    char why[512] = "";
    const gw_board *role = gw_board_by_role("etherbone-slave");
    gw_board_file board = *gw_builtin_board("etherbone-slave");
    (void)state;
    record("etherbone-slave", false, "eb-s/write*");
    gw_trace *trace = load("etherbone-slave", why, sizeof(why));
    assert_non_null(trace);
    /* By another name it may be where it was. */
    (void)snprintf(area_called(&board, "ram")->name, GW_BOARD_TEXT, "memory");
    assert_true(gw_trace_fit(trace, role, &board, false, why, sizeof(why)));
    area_called(&board, "memory")->address = 0x800000;
    assert_false(gw_trace_fit(trace, role, &board, false, why, sizeof(why)));
    assert_non_null(
        strstr(why, "the recorded area ram, of type ram, and the board file names none"));
    assert_true(gw_trace_fit(trace, role, &board, true, why, sizeof(why)));
    (void)snprintf(area_called(&board, "memory")->name, GW_BOARD_TEXT, "ram");
    area_called(&board, "ram")->size = 4;
    assert_false(gw_trace_fit(trace, role, &board, false, why, sizeof(why)));
    assert_non_null(
        strstr(why, "of the recorded area ram (0x10000 bytes), and this board's has 0x4"));
    gw_trace_free(trace);
}

/* A reset falls into the middle of a packet of a stream: what is sent whole is another story. */
static void an_interrupted_message_is_left_out(void **state)
{
    static const char *const cases[] = {"tx-r/reset-amidst", "tx-r/holes"};
    static const char role[] = "textarossa-switch";
    char why[512] = "";
    (void)state;
    for (size_t num = GW_ARRAY_LEN(cases); num > 0; num--) {
        record_cases(role, true, cases, num);
        gw_trace *trace = load(role, why, sizeof(why));
        assert_non_null(trace);
        assert_false(gw_trace_whole(trace, why, sizeof(why)));
        assert_non_null(strstr(why, "in whose middle others went over another link"));
        bool any = gw_trace_fit(trace, gw_board_by_role(role), gw_builtin_board(role), false, why,
                                sizeof(why));
        assert_int_equal(any, num > 1);
        assert_int_equal(trace->num_left_out, 1);
        assert_string_equal(trace->left_out, cases[0]);
        if (!any)
            assert_non_null(strstr(why, "nothing is left to send without tx-r/reset-amidst: "));
        gw_trace_free(trace);
    }
    record_from(role, true, cases, GW_ARRAY_LEN(cases), true);
    played p = play(role, NULL, true, GW_REPLAY_LOCKSTEP);
    assert_int_equal(p.result.verdict, GW_PASS);
    assert_int_equal(p.left_out, 0);
}

/* ---- behind a network ---- */

/* Whatever a network does to it, a good board is not blamed; one that takes its time alone is no
 * reason to doubt what boards answer that do not work against time. */
static void a_network_is_nobodys_fault(void **state)
{
    static const struct {
        const char *what;
        bool decides;
    } ways[] = {{"rtt=20ms", true},
                {"rtt=100ms", true},
                {"rtt=40ms&jitter=10ms&seed=1", false},
                {"loss=0.01&seed=2", false},
                {"reorder=0.05&rtt=2ms&seed=3", false},
                {"duplicate=0.05&seed=4", false}};
    (void)state;
    for (size_t i = 0; i < gw_num_boards; i++) {
        const char *role = gw_boards[i]->role;
        const gw_board *board = gw_boards[i];
        bool timed = board->calls_us || strncmp(role, "l1-", 3) == 0;
        record_golden(role, false);
        for (size_t k = 0; k < GW_ARRAY_LEN(ways); k++) {
            char url[128];
            char why[256] = "";
            (void)snprintf(url, sizeof(url), "peer:%s?via=mem&%s", role, ways[k].what);
            gw_dut_place place = {"", url};
            gw_dut *dut = gw_dut_open(&place, 1, board, board->calls_us, why, sizeof(why));
            if (dut == NULL)
                fail_msg("%s: %s", url, why);
            played p = play_against(gw_dut_target(dut), role, GW_REPLAY_LOCKSTEP);
            bool good = p.result.verdict == GW_PASS ||
                        (p.result.verdict == GW_INCONC && (timed || !ways[k].decides));
            if (!good)
                fail_msg("%s: %s: %s", url, gw_verdict_name(p.result.verdict), p.result.text);
            gw_dut_close(dut);
        }
    }
}

/* ---- what is still seen ---- */

/* What the trace wrote has to be there, wherever the memory lies and whatever it held. */
static void a_write_that_is_lost_is_seen(void **state)
{
    gw_board_file board = *gw_builtin_board("etherbone-slave");
    gw_peer_config config = {.random_memory = true, .memory_seed = 14};
    gw_eb_map map = gw_eb_default_map;
    gw_ims_buf_setup buffer = gw_ims_buf_usual;
    other_board o;
    (void)state;
    record_golden("etherbone-slave", false);
    move(&board, &config, &map, &buffer);
    config.mutant = gw_mutant_by_id(gw_board_by_role("etherbone-slave"), "m-no-step");
    assert_non_null(config.mutant);
    start_other(&o, "etherbone-slave", false, &config);
    played p = play_described(&o.target, "etherbone-slave", &board, GW_REPLAY_LOCKSTEP);
    assert_int_equal(p.result.verdict, GW_FAIL);
    assert_string_equal(p.report.difference.field->name, "etherbone.write.value");
    gw_mem_stop(o.mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_board_that_was_used_passes),
        cmocka_unit_test(a_recording_is_sent_to_a_board_with_a_file),
        cmocka_unit_test(memory_that_holds_something_else_is_no_difference),
        cmocka_unit_test(areas_that_lie_elsewhere_are_found),
        cmocka_unit_test(an_area_that_is_missing_is_told),
        cmocka_unit_test(an_interrupted_message_is_left_out),
        cmocka_unit_test(a_network_is_nobodys_fault),
        cmocka_unit_test(a_write_that_is_lost_is_seen),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
