/* SPDX-License-Identifier: BSD-2-Clause */
/* The software master and whoever answers it. Input: one byte (dialect, stream), one of widths,
 * then pieces (fuzz.h): the choice says whether the piece is sent as it is, changes the good
 * slave's answer to the oldest packet, changes a probe response, or whether time passes.
 *
 * Oracles: requests break no rule, whatever was answered, which is looked at where the input is
 * worth it; a step sends no more than the longest
 * task has packets; a deadline lies ahead and not far; the master always ends, after a bounded
 * number of packets and of its own deadlines, and is then silent; it takes no more values than it
 * asked for, and is only satisfied with who answered. */
#include "boards/map.h"
#include "formats/etherbone/master/board.h"
#include "formats/etherbone/slave/board.h"
#include "fuzz.h"
#include "goldwire/etherbone.h"
#include "said.h"
#include "worth/worth.h"

enum {
    STEP_PACKETS = 12,   /* eight outstanding, their write, and those of a task before */
    TOTAL_PACKETS = 512, /* ten tasks, five tries, nine packets; and the probes */
    DEADLINES = 64,      /* five for each task, three for the probe */
    QUEUE = 64,
    PACKET_MAX = 1472,
    RAM = 0x1000, /* a small one is quick to set up */
};

#define PATIENCE_MAX_NS (INT64_C(6) * 1000000000)

struct packet {
    size_t len;
    uint8_t bytes[PACKET_MAX];
};

struct out {
    gw_peer_out out;
    const gw_dialect *dialect;
    bool stream;
    unsigned in_step;
    unsigned total;
    unsigned first, num; /* of the queue */
    struct packet queue[QUEUE];
    struct packet answer; /* the slave's, to the packet given to it */
    uint8_t probe[8];
    gw_fuzz_kept *kept;
};

static void on_finding(gw_verdict_sink *sink, const gw_finding *f)
{
    (void)sink;
    fprintf(stderr, "%s: %s\n", f->rule->id, f->text);
    gw_fuzz_check(f->rule->level != GW_MUST, "the good master breaks a rule");
}

static void look_at_request(void *arg, const uint8_t *data, size_t len)
{
    const struct out *out = arg;
    gw_verdict_sink sink = {.finding = on_finding};
    gw_message m = gw_message_of(data, len);

    m.src.port = 40000;
    m.dst.port = 60368;
    m.transport = GW_OVER_UDP;
    gw_etherbone.check(&m, out->dialect, &sink);
}

static void on_send(gw_peer_out *peer_out, unsigned link, uint32_t conn, const uint8_t *data,
                    size_t len)
{
    struct out *out = (struct out *)peer_out;

    gw_fuzz_check(link == 0 && conn == 0 && len > 0 && len <= PACKET_MAX, "an odd packet");
    gw_fuzz_check(++out->in_step <= STEP_PACKETS, "too many packets in one step");
    gw_fuzz_check(++out->total <= TOTAL_PACKETS, "too many packets in all");
    if (len == sizeof out->probe && gw_load_be16(data) == GW_EB_MAGIC)
        memcpy(out->probe, data, len);
    if (out->num < QUEUE) {
        struct packet *p = &out->queue[(out->first + out->num++) % QUEUE];
        p->len = len;
        memcpy(p->bytes, data, len);
    }
    if (!out->stream && !gw_fuzz_keep(out->kept, data, len))
        look_at_request(out, data, len);
}

static void on_close(gw_peer_out *out, unsigned link, uint32_t conn)
{
    (void)link;
    gw_fuzz_check(((struct out *)out)->stream && conn == 0, "closes what is not a stream");
}

static void on_answer(gw_peer_out *peer_out, unsigned link, uint32_t conn, const uint8_t *data,
                      size_t len)
{
    struct packet *answer = &((struct out *)peer_out)->answer;
    (void)link;
    (void)conn;
    if (len > sizeof answer->bytes - answer->len)
        return;
    memcpy(answer->bytes + answer->len, data, len);
    answer->len += len;
}

struct talk {
    const gw_board *master, *slave;
    uint64_t *master_state, *slave_state;
    struct out out;
    int64_t now, deadline;
    bool answered;
};

static void check_slots(const gw_eb_master *m)
{
    for (size_t i = 0; i < m->num_slots; i++)
        gw_fuzz_check(m->slots[i].received <= m->slots[i].count,
                      "takes more values than it asked for");
}

static void step_master(struct talk *t, uint8_t kind, const uint8_t *data, size_t len)
{
    const gw_peer_event event = {.kind = kind, .stream = t->out.stream, .data = data, .len = len};
    const bool was_done = t->master->done(t->master_state);

    t->out.in_step = 0;
    t->out.out = (gw_peer_out){on_send, on_close};
    t->deadline = t->master->step(t->master_state, &event, t->now, &t->out.out);
    check_slots((const gw_eb_master *)t->master_state);
    gw_fuzz_check(!was_done || (t->master->done(t->master_state) && t->out.in_step == 0),
                  "the master goes on after its end");
    if (t->master->done(t->master_state))
        gw_fuzz_check(t->deadline == GW_PEER_NEVER, "a deadline after the end");
    else if (kind != GW_PEER_START)
        gw_fuzz_check(t->deadline > t->now && t->deadline - t->now <= PATIENCE_MAX_NS,
                      "a deadline that never comes, or has come");
}

static void step_slave(struct talk *t, uint8_t kind, const uint8_t *data, size_t len)
{
    const gw_peer_event event = {.kind = kind, .stream = t->out.stream, .data = data, .len = len};
    t->out.answer.len = 0;
    t->out.out = (gw_peer_out){on_answer, on_close};
    (void)t->slave->step(t->slave_state, &event, t->now, &t->out.out);
}

/* Gives |p| to the master, changed: pairs of offset and mask. */
static void deliver_changed(struct talk *t, const struct packet *p, gw_cursor changes)
{
    uint8_t *bytes = gw_fuzz_lend(p->bytes, p->len);
    uint8_t at, mask;

    while (p->len > 0 && gw_cursor_u8(&changes, &at) && gw_cursor_u8(&changes, &mask))
        bytes[at % p->len] ^= mask;
    t->answered |= p->len > 0;
    if (p->len > 0 || !t->out.stream)
        step_master(t, GW_PEER_BYTES, bytes, p->len);
    gw_fuzz_take_back(bytes);
}

static void answer_oldest(struct talk *t, gw_cursor changes)
{
    if (t->out.num == 0)
        return;
    const struct packet *p = &t->out.queue[t->out.first];
    t->out.first = (t->out.first + 1) % QUEUE;
    t->out.num--;
    step_slave(t, GW_PEER_BYTES, p->bytes, p->len);
    const struct packet answer = t->out.answer;
    if (answer.len > 0)
        deliver_changed(t, &answer, changes);
}

static void play(struct talk *t, uint8_t choice, gw_cursor piece)
{
    struct packet p;

    t->now += 1000;
    switch (choice & 7) {
    case 0: /* whatever it is */
        p.len = gw_cursor_left(&piece);
        uint8_t *bytes = gw_fuzz_lend(piece.p, p.len);
        t->answered |= p.len > 0;
        if (p.len > 0 || !t->out.stream)
            step_master(t, GW_PEER_BYTES, bytes, p.len);
        gw_fuzz_take_back(bytes);
        break;
    case 1:
        if (t->deadline == GW_PEER_NEVER)
            break;
        t->now = t->deadline;
        step_master(t, GW_PEER_TIMER, NULL, 0);
        break;
    case 2: /* lost */
        t->out.first = (t->out.first + (t->out.num > 0)) % QUEUE;
        t->out.num -= t->out.num > 0;
        break;
    case 3:
        p.len = sizeof t->out.probe;
        memcpy(p.bytes, t->out.probe, p.len);
        p.bytes[2] = (uint8_t)((p.bytes[2] & 0xf0) | GW_EB_PR);
        deliver_changed(t, &p, piece);
        break;
    case 4:
        if ((choice & 0xf8) == 0xf8)
            step_master(t, GW_PEER_CLOSE, NULL, 0);
        break;
    default:
        for (unsigned i = 0; i <= (unsigned)choice >> 3; i++)
            answer_oldest(t, i == 0 ? piece : gw_cursor_over(NULL, 0));
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct talk t;
    static uint64_t *master_state, *slave_state;
    static gw_eb_map map, slaves;
    static gw_fuzz_kept kept;
    gw_cursor c = gw_cursor_over(data, size), piece;
    uint8_t choice, widths;
    char text[512] = "";

    if (size > 16384 || !gw_cursor_u8(&c, &choice) || !gw_cursor_u8(&c, &widths))
        return 0;
    memset(&t, 0, sizeof t);
    t.out.kept = &kept;
    t.master = &gw_eb_master_board;
    t.slave = &gw_eb_slave_board;
    if (master_state == NULL) {
        master_state = malloc(t.master->size);
        slave_state = malloc(t.slave->size);
    }
    t.master_state = master_state;
    t.slave_state = slave_state;
    slaves = gw_eb_default_map;
    slaves.regions[0].size = RAM;
    map = slaves;
    map.widths = (widths & 0xf0) != 0 && (widths & 0x0f) != 0 ? widths : 0xff;
    t.out.stream = (choice & 2) != 0;
    t.out.dialect = &gw_etherbone.dialects[choice & 1 ? 2 : 0];
    const gw_peer_config of_master = {.dialect = t.out.dialect, .setup = &map};
    const gw_peer_config of_slave = {.dialect = t.out.dialect, .setup = &slaves};
    gw_fuzz_check(t.master->init(master_state, &of_master, text, sizeof text) &&
                      t.slave->init(slave_state, &of_slave, text, sizeof text),
                  "a board does not start");
    step_slave(&t, GW_PEER_START, NULL, 0);
    step_slave(&t, GW_PEER_OPEN, NULL, 0);
    step_master(&t, GW_PEER_START, NULL, 0);
    step_master(&t, GW_PEER_OPEN, NULL, 0);

    while (gw_fuzz_piece(&c, &choice, &piece))
        play(&t, choice, piece);
    gw_fuzz_read(t.answered);
    for (unsigned i = 0; !t.master->done(master_state); i++) {
        gw_fuzz_check(i < DEADLINES, "the master waits for ever");
        t.now = t.deadline;
        step_master(&t, GW_PEER_TIMER, NULL, 0);
    }
    gw_fuzz_check(!t.master->report(master_state, text, sizeof text) || t.answered,
                  "satisfied with nobody");
    gw_fuzz_check(text[0] != '\0', "nothing to report");
    if (gw_fuzz_worth())
        gw_fuzz_kept_each(&kept, look_at_request, &t.out);
    kept.used = 0;
    t.master->fini(master_state);
    t.slave->fini(slave_state);
    return 0;
}
