/* SPDX-License-Identifier: BSD-2-Clause */
/* Links of words and buses of a simulated board: a child process plays a core that sends back each
 * word and event that it gets, and has four registers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "goldwire/etherbone.h"
#include "goldwire/op2p.h"
#include "gw_hdl.h"
#include "harness/sim.h"

#define PERIOD_PS 8000
#define WAIT_NS INT64_C(20000000000)
#define LINK 0
#define BUS 14
#define WIDTHS (GW_EB_32BIT << 4 | GW_EB_32BIT)

static const gw_endpoint here = {.ip = {10, 0, 0, 1}, .family = GW_FAMILY_IPV4, .port = 50000};
static const gw_endpoint there = {.ip = {10, 0, 0, 2}, .family = GW_FAMILY_IPV4, .port = 60368};

/* ---- the core ---- */

typedef struct core {
    unsigned add;    /* to what is beside each word */
    unsigned remove; /* from it */
    bool deaf;       /* takes no word */
    uint32_t registers[4];
} core;

/* Sends back what is on offer on |port|, |offered| as gw_hdl_tx tells it. */
static int send_back(const core *c, int port, int us, int ps, int offered)
{
    unsigned beside = (unsigned)offered >> GW_SIM_SIDE_SHIFT;
    int last = offered & GW_SIM_LAST_BEAT;
    if (offered <= 0)
        return offered;
    if (port == LINK)
        beside = (beside | c->add) & ~c->remove;
    gw_hdl_rx_word(port, 0, gw_hdl_tx_word(port, 0));
    return gw_hdl_rx(port, us, ps, 4, (int)(beside << GW_SIM_SIDE_SHIFT) | last);
}

/* Ends the access on offer; 0, or how gw_hdl_bus is told. */
static int access_registers(core *c, int what, int *data)
{
    unsigned address = (unsigned)gw_hdl_bus_address(BUS);
    *data = 0;
    if (what <= 0)
        return 0;
    if (address >= sizeof(c->registers) || address % 4 != 0)
        return 2;
    if (what == 2)
        c->registers[address / 4] = (uint32_t)gw_hdl_bus_data(BUS);
    *data = (int)c->registers[address / 4];
    return 1;
}

/* What was told to a port at the last clock edge, and what at this one: where it was nothing and
 * goldwire has had no turn since, it is nothing still, so that a port need not ask (hdl/gw_words).
 */
static int hold_to_turns(bool new_turn, int before, int now)
{
    if (!new_turn && before == 0 && now > 0)
        _exit(8);
    return now;
}

static pid_t start_core(core c)
{
    pid_t child = fork();
    if (child != 0)
        return child;
    (void)!freopen("/dev/null", "w", stderr);
    if (gw_hdl_port(LINK, GW_SIM_OP2P, 4) < 0 || gw_hdl_port(LINK + 1, GW_SIM_LINK, 4) < 0 ||
        gw_hdl_port(BUS, GW_SIM_BUS, 4) < 0)
        _exit(9);
    int what = 0, said = 0, offered = 0, event = 0, turns = -1;
    for (uint64_t now = 0; said >= 0 && what >= 0; now += PERIOD_PS) {
        int us = (int)(now / 1000000), ps = (int)(now % 1000000), data;
        int turns_now = gw_hdl_turns((int)(now >> 32), (int)(uint32_t)now);
        bool new_turn = turns_now != turns;
        int done = access_registers(&c, what, &data);
        turns = turns_now;
        said = offered = hold_to_turns(new_turn, offered, gw_hdl_tx(LINK, us, ps, !c.deaf));
        if (said >= 0 && !c.deaf)
            said = send_back(&c, LINK, us, ps, said);
        if (said >= 0) {
            event = hold_to_turns(new_turn, event, gw_hdl_tx(LINK + 1, us, ps, 1));
            said = send_back(&c, LINK + 1, us, ps, event);
        }
        what = hold_to_turns(new_turn, what, gw_hdl_bus(BUS, us, ps, done, data));
    }
    _exit(0);
}

/* ---- goldwire ---- */

typedef struct scene {
    gw_sim *sim;
    pid_t child;
    gw_transport *t;
} scene;

static scene begin(core c, unsigned port)
{
    static unsigned number;
    char why[256] = "", name[48];
    scene s;
    (void)snprintf(name, sizeof(name), "words-%ld-%u", (long)getpid(), ++number);
    s.sim = gw_sim_listen(name, why, sizeof(why));
    if (s.sim == NULL)
        fail_msg("%s", why);
    s.child = start_core(c);
    if (!gw_sim_await(s.sim, WAIT_NS, why, sizeof(why)))
        fail_msg("%s", why);
    s.t = gw_sim_open(s.sim, port, &here, &there, why, sizeof(why));
    if (s.t == NULL)
        fail_msg("%s", why);
    return s;
}

static void end(scene *s)
{
    int status = 0;
    gw_transport_close(s->t);
    gw_sim_free(s->sim);
    assert_int_equal(waitpid(s->child, &status, 0), s->child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static size_t receive(scene *s, uint8_t out[2048])
{
    size_t len = 0;
    int64_t deadline = s->t->ops->now(s->t) + 100000;
    gw_recv_status got = s->t->ops->recv(s->t, out, 2048, &len, deadline, NULL, NULL);
    return got == GW_RECV_DATA ? len : 0;
}

static void send(scene *s, uint8_t kind, uint8_t flags, uint8_t code, size_t len)
{
    uint8_t datagram[2048];
    gw_op2p_shim shim = {.version = 1, .kind = kind, .flags = flags, .code = code};
    gw_op2p_header h = {.src_id = 0x42, .dst_id = 0x41, .dst_addr = 0x2000, .byte_count = 8};
    gw_op2p_put_tunnel(datagram, &shim);
    gw_op2p_put(datagram + GW_OP2P_SHIM, &h);
    for (size_t i = GW_OP2P_HEADER; i < len; i++)
        datagram[GW_OP2P_SHIM + i] = (uint8_t)i;
    assert_true(s->t->ops->send(s->t, datagram, GW_OP2P_SHIM + len));
}

/* What comes next is a frame of |len| bytes with |flags|, the |number|th datagram. */
static void expect_frame(scene *s, unsigned number, uint8_t flags, size_t len)
{
    uint8_t got[2048];
    assert_int_equal(receive(s, got), GW_OP2P_SHIM + len);
    const uint8_t head[GW_OP2P_SHIM] = {'O',   '2', 1, GW_OP2P_KIND_PDU,
                                        flags, 0,   0, (uint8_t)number};
    assert_memory_equal(got, head, sizeof(head));
    assert_int_equal(gw_op2p_get(got + GW_OP2P_SHIM).dst_addr, 0x2000);
    for (size_t i = GW_OP2P_HEADER; i < len; i++)
        assert_int_equal(got[GW_OP2P_SHIM + i], (uint8_t)i);
}

static void expect_event(scene *s, uint8_t kind, uint8_t code)
{
    uint8_t got[2048];
    assert_int_equal(receive(s, got), GW_OP2P_SHIM);
    assert_int_equal(got[3], kind);
    assert_int_equal(got[5], code);
}

/* ---- links ---- */

static void frames_become_words_and_back(void **state)
{
    (void)state;
    scene s = begin((core){0}, LINK);
    send(&s, GW_OP2P_KIND_PDU, 0, 0, 16);
    send(&s, GW_OP2P_KIND_PDU, 0, 0, GW_OP2P_PDU_MAX);
    expect_frame(&s, 0, 0, 16);
    expect_frame(&s, 1, 0, GW_OP2P_PDU_MAX);
    end(&s);
}

static void what_is_no_whole_word_is_told(void **state)
{
    (void)state;
    scene s = begin((core){0}, LINK);
    for (unsigned tail = 1; tail < 4; tail++) {
        send(&s, GW_OP2P_KIND_PDU, 0, 0, 16 + tail);
        expect_frame(&s, tail - 1, GW_OP2P_FLAG_PAD, 16 + tail);
    }
    send(&s, GW_OP2P_KIND_PDU, GW_OP2P_FLAG_PAD, 0, 20);
    expect_frame(&s, 3, GW_OP2P_FLAG_PAD, 19);
    end(&s);
}

static void a_frame_without_an_end_is_told_once(void **state)
{
    uint8_t got[2048];
    (void)state;
    scene s = begin((core){.remove = GW_SIM_WORD_EOF}, LINK);
    send(&s, GW_OP2P_KIND_PDU, 0, 0, 1200);
    expect_frame(&s, 0, GW_OP2P_FLAG_NO_EOF, 24); /* its header names 8 bytes */
    assert_int_equal(receive(&s, got), 0);
    end(&s);
}

static void a_frame_inside_another_ends_it(void **state)
{
    (void)state;
    scene s = begin((core){.remove = GW_SIM_WORD_EOF}, LINK);
    send(&s, GW_OP2P_KIND_PDU, 0, 0, 20);
    send(&s, GW_OP2P_KIND_PDU, 0, 0, 20);
    expect_frame(&s, 0, GW_OP2P_FLAG_NO_EOF, 20);
    end(&s);
}

static void words_that_no_frame_begins_with_are_a_frame_error(void **state)
{
    (void)state;
    scene s = begin((core){.remove = GW_SIM_WORD_SOF}, LINK);
    send(&s, GW_OP2P_KIND_PDU, 0, 0, 20);
    expect_frame(&s, 0, GW_OP2P_FLAG_FRAME_ERROR, 20);
    end(&s);
}

/* What stands in the pause comes before the frame, which is whole all the same. */
static void a_frame_pauses_where_it_is_told_to(void **state)
{
    (void)state;
    scene s = begin((core){0}, LINK);
    int64_t before_ns = s.t->ops->now(s.t);
    send(&s, GW_OP2P_KIND_PDU, 0, GW_OP2P_GAP(2, 6), 24);
    assert_true(s.t->ops->now(s.t) - before_ns >= INT64_C(64) * 13);
    expect_frame(&s, 0, 0, 24);
    send(&s, GW_OP2P_KIND_PDU, GW_OP2P_FLAG_HALT_INSIDE, GW_OP2P_GAP(5, 2), 24);
    expect_event(&s, GW_OP2P_KIND_NFC, GW_OP2P_XOFF);
    expect_frame(&s, 2, 0, 24);
    send(&s, GW_OP2P_KIND_PDU, 0, GW_OP2P_GAP(15, 15), 24); /* behind its end: nowhere */
    expect_frame(&s, 3, 0, 24);
    end(&s);
}

static void events_have_their_place_among_frames(void **state)
{
    (void)state;
    scene s = begin((core){0}, LINK);
    send(&s, GW_OP2P_KIND_PDU, 0, 0, 40);
    send(&s, GW_OP2P_KIND_NFC, 0, GW_OP2P_XOFF, 0);
    send(&s, GW_OP2P_KIND_CHANNEL, 0, 3, 0);
    send(&s, GW_OP2P_KIND_PDU, 0, 0, 44);
    expect_frame(&s, 0, 0, 40);
    expect_event(&s, GW_OP2P_KIND_NFC, GW_OP2P_XOFF);
    expect_event(&s, GW_OP2P_KIND_CHANNEL, 3);
    expect_frame(&s, 3, 0, 44);
    end(&s);
}

/* Who takes no words still hears of the channel. */
static void events_do_not_wait_for_ever(void **state)
{
    (void)state;
    scene s = begin((core){.deaf = true}, LINK);
    send(&s, GW_OP2P_KIND_PDU, 0, 0, 40);
    send(&s, GW_OP2P_KIND_CHANNEL, 0, 0, 0);
    expect_event(&s, GW_OP2P_KIND_CHANNEL, 0);
    assert_int_equal(gw_sim_untaken(s.sim, LINK), 50);
    end(&s);
}

/* ---- registers ---- */

static size_t build(uint8_t *out, const gw_eb_operation *operations, size_t num)
{
    gw_eb_builder b;
    assert_true(gw_eb_build_packet(&b, out, 256, WIDTHS, NULL));
    for (size_t i = 0; i < num; i++)
        assert_true(gw_eb_build_record(&b, &operations[i]));
    return gw_eb_build_end(&b, false);
}

static void registers_are_read_and_written(void **state)
{
    static const uint64_t values[] = {0x11223344, 0x55667788}, places[] = {4, 8, 0x100},
                          errors[] = {4};
    const gw_eb_operation operations[] = {
        {.writes = values, .num_writes = 2, .write_base = 4, .byte_enable = 15},
        {.reads = places, .num_reads = 3, .return_base = 0xa000, .byte_enable = 15},
        {.reads = errors,
         .num_reads = 1,
         .return_base = 0xb000,
         .flags = GW_EB_RCA,
         .byte_enable = 15},
    };
    const uint32_t expected[] = {0x11223344, 0x55667788, 0, 1};
    uint8_t packet[256], got[2048];
    gw_eb_reader r;
    gw_eb_record record;
    size_t num = 0;
    (void)state;
    scene s = begin((core){0}, BUS);
    size_t len = build(packet, operations, 3);
    int64_t before = s.t->ops->now(s.t);
    assert_true(s.t->ops->send(s.t, packet, len));
    len = receive(&s, got);
    assert_true(s.t->ops->now(s.t) > before);
    gw_message m = gw_message_of(got, len);
    m.transport = GW_OVER_UDP;
    assert_true(gw_eb_open(&r, &m, NULL));
    while (gw_eb_next(&r, &record)) {
        assert_int_equal(record.write_base, num == 0 ? 0xa000 : 0xb000);
        for (unsigned i = 0; i < record.wcount; i++)
            assert_int_equal(gw_eb_write_value(&r.layout, &record, i), expected[num++]);
    }
    assert_int_equal(num, 4);
    assert_int_equal(receive(&s, got), 0);
    end(&s);
}

static void a_probe_is_answered(void **state)
{
    uint8_t probe[8], got[2048];
    (void)state;
    scene s = begin((core){0}, BUS);
    gw_eb_build_probe(probe, false, WIDTHS, 0x12345678);
    assert_true(s.t->ops->send(s.t, probe, sizeof(probe)));
    assert_true(gw_eb_probe_answers(got, receive(&s, got), 0x12345678));
    end(&s);
}

static void broken_packets_reach_no_register(void **state)
{
    static const uint64_t values[] = {7};
    const gw_eb_operation write = {.writes = values, .num_writes = 1, .byte_enable = 15};
    uint8_t packet[256], got[2048];
    (void)state;
    scene s = begin((core){0}, BUS);
    size_t len = build(packet, &write, 1);
    int64_t before = s.t->ops->now(s.t);
    for (size_t cut = 0; cut < len; cut++)
        assert_true(s.t->ops->send(s.t, packet, cut));
    assert_int_equal(s.t->ops->now(s.t), before);
    assert_int_equal(receive(&s, got), 0);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_become_words_and_back),
        cmocka_unit_test(what_is_no_whole_word_is_told),
        cmocka_unit_test(a_frame_without_an_end_is_told_once),
        cmocka_unit_test(a_frame_inside_another_ends_it),
        cmocka_unit_test(words_that_no_frame_begins_with_are_a_frame_error),
        cmocka_unit_test(a_frame_pauses_where_it_is_told_to),
        cmocka_unit_test(events_have_their_place_among_frames),
        cmocka_unit_test(events_do_not_wait_for_ever),
        cmocka_unit_test(registers_are_read_and_written),
        cmocka_unit_test(a_probe_is_answered),
        cmocka_unit_test(broken_packets_reach_no_register),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
