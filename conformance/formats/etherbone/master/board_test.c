/* SPDX-License-Identifier: BSD-2-Clause */
/* The software EtherBone master against the software slave, with a wire between them that loses,
 * delays and forges. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "boards/talk_testing.h"
#include "formats/etherbone/master/board.h"
#include "goldwire/etherbone.h"
#include "goldwire/writer.h"

#define SECOND INT64_C(1000000000)

/* Two boards in memory and the wire between them, which counts and notes what the master says. */
typedef struct wire {
    gw_mem *master;
    gw_mem *slave;
    gw_transport *to_master;
    gw_transport *to_slave;
    unsigned lose;       /* every how manieth message is lost; 0: none */
    unsigned lose_from;  /* messages from this on are lost, counting from 1, ... */
    unsigned lose_to;    /* ... up to before this */
    bool forge;          /* wrong answers come before the right ones */
    bool garble;         /* what is no answer comes before the right ones */
    bool other;          /* before each answer comes one with other data, from somebody else */
    bool late;           /* answers wait until the next one comes */
    unsigned rounds;     /* of waiting, after which nobody cares any more; 0: all must end */
    unsigned count;      /* messages, both ways */
    const char *finding; /* the first rule that the master broke */
    uint8_t held[2048];
    size_t held_len;
    size_t said_len;
    uint8_t said[1 << 18]; /* what the master sent, each with its length */
} wire;

static gw_mem *start_in_a_hurry(const char *role, const char *mutant, const char *dialect,
                                const gw_eb_map *map, uint32_t hurry)
{
    static gw_peer_config configs[64];
    static unsigned used;
    gw_peer_config *config = &configs[used++ % GW_ARRAY_LEN(configs)];
    const gw_board *board;
    char why[256] = "";
    *config = (gw_peer_config){.setup = map, .hurry = hurry};
    if (!gw_peer_find(role, mutant, dialect, &board, config, why, sizeof(why)))
        fail_msg("%s", why);
    gw_mem *mem = gw_mem_start(board, config, why, sizeof(why));
    if (mem == NULL)
        fail_msg("%s", why);
    return mem;
}

static gw_mem *start(const char *role, const char *mutant, const char *dialect,
                     const gw_eb_map *map)
{
    return start_in_a_hurry(role, mutant, dialect, map, 0);
}

static wire *connect_boards(gw_mem *master, gw_mem *slave, bool stream)
{
    char why[256];
    wire *w = calloc(1, sizeof(*w));
    assert_non_null(w);
    w->master = master;
    w->slave = slave;
    w->to_master = gw_mem_connect(master, 0, stream, why, sizeof(why));
    w->to_slave = gw_mem_connect(slave, 0, stream, why, sizeof(why));
    assert_non_null(w->to_master);
    assert_non_null(w->to_slave);
    return w;
}

static void disconnect(wire *w)
{
    gw_transport_close(w->to_master);
    gw_transport_close(w->to_slave);
    gw_mem_stop(w->master);
    gw_mem_stop(w->slave);
    free(w);
}

static bool is_lost(wire *w)
{
    w->count++;
    return (w->lose != 0 && w->count % w->lose == 0) ||
           (w->count >= w->lose_from && w->count < w->lose_to);
}

/* A probe response of another id; a reply to another return address with other data. */
static void send_forged(wire *w, const uint8_t *data, size_t len)
{
    uint8_t forged[2048];
    memcpy(forged, data, len);
    if (len == 8 && (data[2] & GW_EB_PR) != 0) {
        forged[3] = 0x11;
        forged[7] ^= 1;
    } else if (len >= 16) {
        /* the first record's return address and value, behind header and record header */
        size_t at = (data[3] & 0x88) != 0 ? 16 : 8;
        size_t unit = at / 2;
        forged[at + unit - 2] ^= 0x40;
        forged[at + 2 * unit - 1] ^= 0x66;
    }
    w->to_master->ops->send(w->to_master, forged, len);
}

/* A reply of another magic, one that is cut off, and one of another version and several widths, all
 * with other data. */
static void send_garbled(wire *w, const uint8_t *data, size_t len)
{
    uint8_t garbled[2048];
    if (len < 16)
        return;
    memcpy(garbled, data, len);
    garbled[len - 3] ^= 0x66;
    garbled[1] ^= 1;
    w->to_master->ops->send(w->to_master, garbled, len);
    garbled[1] ^= 1;
    w->to_master->ops->send(w->to_master, garbled, len - 1);
    garbled[2] = 0x24;
    garbled[3] = 0xcc;
    w->to_master->ops->send(w->to_master, garbled, len);
}

/* A reply with other data, from somebody whom the master has not asked. */
static void send_as_other(wire *w, const uint8_t *data, size_t len)
{
    uint8_t changed[2048];
    gw_endpoint from;
    if (len < 16)
        return;
    memcpy(changed, data, len);
    changed[len - 3] ^= 0x66;
    assert_true(w->to_master->ops->send_as_other(w->to_master, changed, len, &from));
}

static void hand_back(wire *w, const uint8_t *data, size_t len)
{
    if (w->other)
        send_as_other(w, data, len);
    if (w->garble)
        send_garbled(w, data, len);
    if (is_lost(w))
        return;
    if (w->forge)
        send_forged(w, data, len);
    bool probe = len == 8 && (data[2] & GW_EB_PR) != 0;
    if (w->late && !probe && len <= sizeof(w->held)) {
        if (w->held_len > 0)
            w->to_master->ops->send(w->to_master, w->held, w->held_len);
        memcpy(w->held, data, len);
        w->held_len = len;
        return;
    }
    w->to_master->ops->send(w->to_master, data, len);
}

typedef struct judge {
    gw_verdict_sink sink;
    const char *finding;
} judge;

static void on_finding(gw_verdict_sink *sink, const gw_finding *finding)
{
    judge *j = (judge *)sink;
    if (finding->rule->level == GW_MUST && j->finding == NULL)
        j->finding = finding->rule->id;
}

static void on_relation(gw_verdict_sink *sink, const gw_relation *relation)
{
    (void)sink;
    (void)relation;
}

static void note(wire *w, const uint8_t *data, size_t len)
{
    gw_writer note = gw_writer_over(w->said + w->said_len, sizeof(w->said) - w->said_len);
    gw_write_be(&note, len, 2);
    gw_write_bytes(&note, data, len);
    assert_false(note.full);
    w->said_len += note.len;
    if (w->to_master->stream)
        return;
    judge j = {.sink = {on_finding, on_relation}};
    gw_message message = gw_message_of(data, len);
    message.transport = GW_OVER_UDP;
    message.src.port = 50000;
    message.dst.port = 60368;
    gw_etherbone.check(&message, ((const gw_eb_master *)gw_mem_state(w->master))->dialect, &j.sink);
    if (w->finding == NULL)
        w->finding = j.finding;
}

/* Carries everything until the master is done. */
static void run(wire *w)
{
    uint8_t buf[65536];
    size_t len = 0;
    for (unsigned round = 0; !gw_mem_done(w->master); round++) {
        if (w->rounds > 0 && round == w->rounds)
            return;
        assert_true(round < 10000);
        gw_transport *m = w->to_master;
        gw_transport *s = w->to_slave;
        gw_recv_status status =
            m->ops->recv(m, buf, sizeof(buf), &len, m->ops->now(m) + SECOND / 10, NULL, NULL);
        if (status == GW_RECV_TIMEOUT && w->held_len > 0) {
            m->ops->send(m, w->held, w->held_len);
            w->held_len = 0;
        }
        if (status != GW_RECV_DATA)
            continue;
        note(w, buf, len);
        if (!is_lost(w) && !s->ops->send(s, buf, len))
            return;
        while (s->ops->recv(s, buf, sizeof(buf), &len, s->ops->now(s) + SECOND / 1000, NULL,
                            NULL) == GW_RECV_DATA)
            hand_back(w, buf, len);
    }
}

static gw_eb_master *outcome(const wire *w)
{
    return gw_mem_state(w->master);
}

static void expect_all_done(const wire *w)
{
    char text[256];
    bool well = gw_eb_master_board.report(outcome(w), text, sizeof(text));
    if (!well)
        fail_msg("%s", text);
    if (w->finding != NULL)
        fail_msg("the master broke %s", w->finding);
}

static void completes_over_both(void **state)
{
    (void)state;
    for (unsigned stream = 0; stream < 2; stream++) {
        wire *w = connect_boards(start("etherbone-master", NULL, NULL, NULL),
                                 start("etherbone-slave", NULL, NULL, NULL), stream == 1);
        run(w);
        expect_all_done(w);
        assert_int_equal(outcome(w)->num_done, gw_eb_script_for(NULL)->num_tasks);
        assert_int_equal(outcome(w)->repeated, 0);
        assert_int_equal(outcome(w)->widths, 0x88);
        disconnect(w);
    }
}

/* LiteX probes over UDP alone, sets no flag and says one record a packet. */
static void works_with_a_litex_core(void **state)
{
    (void)state;
    for (unsigned stream = 0; stream < 2; stream++) {
        wire *w = connect_boards(start("etherbone-master", NULL, "litex", NULL),
                                 start("etherbone-slave", NULL, "litex", NULL), stream == 1);
        run(w);
        expect_all_done(w);
        assert_int_equal(outcome(w)->num_done, outcome(w)->script->num_tasks);
        assert_int_equal(outcome(w)->repeated, 0);
        assert_int_equal(outcome(w)->widths, 0x44);
        disconnect(w);
    }
}

/* Every pair of widths that the other side may leave. */
static void works_at_all_widths(void **state)
{
    (void)state;
    for (unsigned addr = 1; addr <= 8; addr *= 2) {
        for (unsigned port = 1; port <= 8; port *= 2) {
            gw_eb_map map = gw_eb_default_map;
            map.widths = (uint8_t)(addr << 4 | port);
            for (unsigned stream = 0; stream < 2; stream++) {
                wire *w = connect_boards(start("etherbone-master", NULL, NULL, NULL),
                                         start("etherbone-slave", NULL, NULL, &map), stream == 1);
                run(w);
                expect_all_done(w);
                assert_int_equal(outcome(w)->widths, map.widths);
                /* Whatever does not lie within reach of short addresses is left out. */
                assert_int_equal(outcome(w)->num_done, addr >= 4
                                                           ? gw_eb_script_for(NULL)->num_tasks
                                                           : gw_eb_script_for(NULL)->num_tasks - 2);
                disconnect(w);
            }
        }
    }
}

static void accepts_zero_filled_replies(void **state)
{
    (void)state;
    wire *w = connect_boards(start("etherbone-master", NULL, NULL, NULL),
                             start("etherbone-slave", NULL, "gsi", NULL), false);
    run(w);
    expect_all_done(w);
    assert_int_equal(outcome(w)->widths, 0x44);
    disconnect(w);
}

static void survives_loss(void **state)
{
    (void)state;
    for (unsigned lose = 5; lose < 40; lose++) {
        wire *w = connect_boards(start("etherbone-master", NULL, NULL, NULL),
                                 start("etherbone-slave", NULL, NULL, NULL), false);
        w->lose = lose;
        run(w);
        /* One packet in five lost is too much for the longer tasks; all ends in any case. */
        if (lose >= 20)
            expect_all_done(w);
        if (lose < 30)
            assert_true(outcome(w)->repeated > 0);
        assert_null(w->finding);
        disconnect(w);
    }
}

static void is_not_taken_in(void **state)
{
    (void)state;
    wire *w = connect_boards(start("etherbone-master", NULL, NULL, NULL),
                             start("etherbone-slave", NULL, NULL, NULL), false);
    w->forge = true;
    run(w);
    expect_all_done(w);
    assert_int_equal(outcome(w)->repeated, 0);
    disconnect(w);
}

static void late_replies_are_matched_or_ignored(void **state)
{
    (void)state;
    wire *w = connect_boards(start("etherbone-master", NULL, NULL, NULL),
                             start("etherbone-slave", NULL, NULL, NULL), false);
    w->late = true;
    run(w);
    expect_all_done(w);
    disconnect(w);
}

/* What goes to a quick slave and is lost is asked for again at once; behind a slow path there is
 * time for the answer. How long it takes is known when the first one has come. */
static void asks_again_as_the_path_is(void **state)
{
    static const int64_t trips[] = {0, SECOND / 10, 3 * SECOND / 10, 9 * SECOND / 10};
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(trips); i++) {
        gw_mem *master = start("etherbone-master", NULL, NULL, NULL);
        gw_mem_impair(master, &(gw_impairment){.delay_ns = trips[i] / 2}, 0, NULL);
        wire *w = connect_boards(master, start("etherbone-slave", NULL, NULL, NULL), false);
        run(w);
        expect_all_done(w);
        assert_int_equal(outcome(w)->repeated, 0);
        disconnect(w);
    }
    /* What is lost is the first task, once or twice, behind a probe and its response. */
    static const struct {
        unsigned lost;
        uint32_t hurry;
        int64_t waits;
    } losses[] = {{1, 0, SECOND / 4}, {2, 0, 3 * SECOND / 4}, {1, 4, SECOND / 4},
                  {2, 4, SECOND / 2}, {1, 2, SECOND / 4},     {1, 10, SECOND / 10}};
    for (size_t i = 0; i < GW_ARRAY_LEN(losses); i++) {
        wire *w =
            connect_boards(start_in_a_hurry("etherbone-master", NULL, NULL, NULL, losses[i].hurry),
                           start("etherbone-slave", NULL, NULL, NULL), false);
        w->lose_from = 3;
        w->lose_to = 3 + losses[i].lost;
        run(w);
        expect_all_done(w);
        assert_int_equal(outcome(w)->repeated, losses[i].lost);
        assert_true(outcome(w)->now >= losses[i].waits);
        assert_true(outcome(w)->now < losses[i].waits + SECOND / 10);
        disconnect(w);
    }
}

static void gives_up(void **state)
{
    (void)state;
    char text[256];
    /* nobody there: three probes of different ids */
    gw_mem *master = start("etherbone-master", NULL, NULL, NULL);
    char why[64];
    gw_transport *t = gw_mem_connect(master, 0, false, why, sizeof(why));
    uint8_t ids[3][4];
    for (unsigned i = 0; i < 3; i++) {
        uint8_t probe[64];
        size_t len = 0;
        assert_int_equal(
            t->ops->recv(t, probe, sizeof(probe), &len, t->ops->now(t) + 2 * SECOND, NULL, NULL),
            GW_RECV_DATA);
        assert_int_equal(len, 8);
        assert_memory_equal(probe, "\x4e\x6f\x11\xff", 4);
        memcpy(ids[i], probe + 4, 4);
    }
    assert_memory_not_equal(ids[0], ids[1], 4);
    assert_memory_not_equal(ids[1], ids[2], 4);
    hear_nothing(t);
    assert_true(gw_mem_done(master));
    assert_false(gw_eb_master_board.report(gw_mem_state(master), text, sizeof(text)));
    assert_non_null(strstr(text, "no answer to the probe"));
    gw_transport_close(t);
    gw_mem_stop(master);

    /* no width in common */
    gw_eb_map narrow = gw_eb_default_map;
    narrow.widths = 0x11;
    gw_eb_map wide = gw_eb_default_map;
    wide.widths = 0x88;
    wire *w = connect_boards(start("etherbone-master", NULL, NULL, &narrow),
                             start("etherbone-slave", NULL, NULL, &wide), false);
    run(w);
    assert_false(gw_eb_master_board.report(outcome(w), text, sizeof(text)));
    assert_non_null(strstr(text, "no width in common"));
    disconnect(w);
}

static void notices_a_bad_slave(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "m-no-step",         "m-fifo-increments", "m-writes-after-reads",
        "m-reads-reordered", "m-bca-not-mapped",  "m-wrong-sdb-pointer"};
    for (size_t i = 0; i < GW_ARRAY_LEN(bad); i++) {
        wire *w = connect_boards(start("etherbone-master", NULL, NULL, NULL),
                                 start("etherbone-slave", bad[i], NULL, NULL), false);
        run(w);
        assert_true(outcome(w)->num_failed > 0);
        disconnect(w);
    }
}

/* What a master says in several situations, one after the other. */
typedef struct transcript {
    size_t len;
    uint8_t bytes[1 << 20];
} transcript;

static void converse(transcript *out, const char *mutant)
{
    static const struct {
        const char *slave; /* mutant */
        const char *dialect;
        bool stream;
        bool forge;
        bool garble;
        bool other;
        unsigned lose;
    } situations[] = {{0},
                      {.dialect = "gsi"},
                      {.stream = true},
                      {.forge = true},
                      {.lose = 7},
                      {.garble = true, .lose = 7},
                      {.other = true},
                      {.slave = "m-ignores-probes"},
                      {.slave = "m-rff-not-mapped"},
                      {.slave = "m-long-reply"}};
    out->len = 0;
    for (size_t i = 0; i < GW_ARRAY_LEN(situations); i++) {
        wire *w = connect_boards(
            start("etherbone-master", mutant, NULL, NULL),
            start("etherbone-slave", situations[i].slave, situations[i].dialect, NULL),
            situations[i].stream);
        w->forge = situations[i].forge;
        w->garble = situations[i].garble;
        w->other = situations[i].other;
        w->lose = situations[i].lose;
        w->rounds = 1000;
        run(w);
        assert_true(out->len + w->said_len <= sizeof(out->bytes));
        memcpy(out->bytes + out->len, w->said, w->said_len);
        out->len += w->said_len;
        disconnect(w);
    }
}

static void every_mutant_differs(void **state)
{
    (void)state;
    static transcript good;
    static transcript bad;
    converse(&good, NULL);
    for (size_t i = 0; i < gw_eb_master_board.num_mutants; i++) {
        const gw_mutant *mutant = &gw_eb_master_board.mutants[i];
        converse(&bad, mutant->id);
        if (good.len == bad.len && memcmp(good.bytes, bad.bytes, good.len) == 0)
            fail_msg("%s does what the good board does", mutant->id);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(completes_over_both),
        cmocka_unit_test(works_with_a_litex_core),
        cmocka_unit_test(works_at_all_widths),
        cmocka_unit_test(accepts_zero_filled_replies),
        cmocka_unit_test(survives_loss),
        cmocka_unit_test(is_not_taken_in),
        cmocka_unit_test(late_replies_are_matched_or_ignored),
        cmocka_unit_test(asks_again_as_the_path_is),
        cmocka_unit_test(gives_up),
        cmocka_unit_test(notices_a_bad_slave),
        cmocka_unit_test(every_mutant_differs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
