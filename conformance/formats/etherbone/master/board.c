/* SPDX-License-Identifier: BSD-2-Clause */
/* The software EtherBone master: probes, agrees on widths, works through its script. */
#include "formats/etherbone/master/board.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATIENCE_NS (INT64_C(1000) * 1000000)
#define STREAM_PATIENCE_NS (INT64_C(5000) * 1000000)
#define MAX_TRIES 5

static void finish(gw_eb_master *m)
{
    m->phase = MASTER_DONE;
    m->deadline = GW_PEER_NEVER;
    m->num_slots = 0;
}

static void fail(gw_eb_master *m, const char *what)
{
    if (m->failed == NULL)
        m->failed = what;
    m->num_failed++;
}

/* What goes over TCP is not sent again: its time is that until nobody waits any more. */
static int64_t patience_ns(const gw_eb_master *m)
{
    if (m->stream)
        return gw_peer_wait(m->config, STREAM_PATIENCE_NS);
    int64_t hurried_ns = gw_peer_wait(m->config, PATIENCE_NS);
    int64_t path_ns = gw_patience_ns(&m->patience, PATIENCE_NS, m->tries);
    return m->config->hurry > 1 && hurried_ns < path_ns ? hurried_ns : path_ns;
}

static void begin_wait(gw_eb_master *m)
{
    m->sent_ns = m->now;
    m->deadline = m->now + patience_ns(m);
}

/* What was waited for has come, and answers what was sent last if it |tells|, or if that was sent
 * only once. */
static void note_trip(gw_eb_master *m, bool tells)
{
    if (tells || m->tries == 1)
        gw_patience_add(&m->patience, m->now - m->sent_ns);
}

static unsigned max_tries(const gw_eb_master *m, unsigned over_udp)
{
    return m->stream ? 1 : over_udp; /* TCP repeats what is lost */
}

/* ---- probing ---- */

/* Well spread and different for each probe, from the time and the number of the try. */
static uint32_t fresh_id(const gw_eb_master *m)
{
    uint64_t x = (uint64_t)m->now + UINT64_C(0x9e3779b97f4a7c15) * (m->tries + 1);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(x ^ x >> 31);
}

static void ignore_message(void *ctx, const gw_message *message)
{
    (void)ctx;
    (void)message;
}

/* LiteX's probes have none: a client is alone with its core. */
static bool has_ids(const gw_eb_master *m)
{
    return gw_eb_dialect_of(m->dialect)->record_words == 0;
}

/* The widths that it can use: LiteX knows no others than 32 bits. */
static uint8_t own_widths(const gw_eb_master *m)
{
    return has_ids(m) ? m->map->widths : m->map->widths & (GW_EB_32BIT << 4 | GW_EB_32BIT);
}

static void send_probe(gw_eb_master *m)
{
    uint8_t probe[GW_EB_PROBE_MAX] = {0};
    m->probe_id = has_ids(m) ? fresh_id(m) : 0;
    size_t len = gw_eb_build_any_probe(probe, own_widths(m), m->probe_id, m->dialect);
    if (m->stream) {
        gw_message message = gw_message_of(probe, len);
        gw_etherbone.stream->push(m->codec, 0, &message, ignore_message, NULL);
    }
    m->tries++;
    m->phase = MASTER_PROBING;
    begin_wait(m);
    if (m->policy.long_probes_from > 0 && m->tries >= m->policy.long_probes_from)
        len = sizeof(probe);
    unsigned copies = m->stream ? 1 : m->policy.probe_copies;
    for (unsigned i = 0; i < copies; i++)
        m->out->send(m->out, 0, 0, probe, len);
}

/* ---- working ---- */

static void send_task(gw_eb_master *m)
{
    gw_eb_master_new_try(m);
    m->tries++;
    begin_wait(m);
    m->script->tasks[m->task].send(m);
}

static void begin_task(gw_eb_master *m)
{
    const gw_eb_script *s = m->script;
    while (m->task < s->num_tasks && s->tasks[m->task].fits != NULL && !s->tasks[m->task].fits(m))
        m->task++;
    m->tries = 0;
    if (m->task == s->num_tasks)
        finish(m);
    else
        send_task(m);
}

static void end_task(gw_eb_master *m, bool ok)
{
    if (ok)
        m->num_done++;
    else
        fail(m, m->script->tasks[m->task].name);
    m->task++;
    begin_task(m);
}

/* The answers did not come or were wrong: once more, while that makes sense. */
static void repeat_task(gw_eb_master *m)
{
    if (m->tries >= max_tries(m, MAX_TRIES)) {
        end_task(m, false);
        return;
    }
    m->repeated++;
    send_task(m);
}

static bool all_received(const gw_eb_master *m)
{
    for (size_t i = 0; i < m->num_slots; i++) {
        if (m->slots[i].received < m->slots[i].count)
            return false;
    }
    return true;
}

/* The other side has |offer|: the widths of both are settled, and the work begins. */
static void agree(gw_eb_master *m, uint8_t offer)
{
    m->widths = gw_eb_refine(own_widths(m), offer);
    if (m->widths == 0 || !gw_eb_layout_for(&m->layout, m->widths, m->dialect)) {
        fail(m, "no width in common");
        if (m->stream)
            m->out->close(m->out, 0, 0);
        finish(m);
        return;
    }
    m->widths = m->layout.widths; /* gsi reads 32/32 from either half, and we say it in both */
    m->phase = MASTER_WORKING;
    begin_task(m);
}

/* ---- answers ---- */

static void on_probe_response(gw_eb_master *m, const gw_eb_header *header)
{
    bool ours = !has_ids(m) || !m->policy.heeds_id || header->tail == gw_eb_master_mutant_id(m);
    if (m->phase != MASTER_PROBING || header->len != 8 || !ours)
        return;
    note_trip(m, has_ids(m));
    m->offered = header->widths;
    agree(m, m->policy.heeds_offer ? header->widths : own_widths(m));
}

gw_eb_slot *gw_eb_master_slot(gw_eb_master *m, const gw_eb_record *record)
{
    bool config = (record->flags & GW_EB_WCA) != 0;
    bool fixed = (record->flags & GW_EB_WFF) != 0;
    for (size_t i = 0; i < m->num_slots; i++) {
        gw_eb_slot *slot = &m->slots[i];
        if (slot->received == slot->count)
            continue;
        if (!m->policy.heeds_return_address)
            return slot;
        uint64_t base = slot->base;
        if ((slot->flags & GW_EB_RFF) == 0)
            base += (uint64_t)slot->received * m->layout.data_bytes;
        bool wants_fixed = (slot->flags & GW_EB_RFF) != 0 || m->policy.fixed_alone;
        bool mode = fixed == wants_fixed || !m->policy.heeds_mode;
        if (record->write_base == base && config == ((slot->flags & GW_EB_BCA) != 0) && mode)
            return slot;
    }
    return NULL;
}

static void on_record(gw_eb_master *m, const gw_eb_layout *layout, const gw_eb_record *record)
{
    if (record->wcount == 0 || record->rcount != 0)
        return;
    gw_eb_slot *slot = gw_eb_master_slot(m, record);
    if (slot == NULL || record->wcount > slot->count - slot->received)
        return; /* late, or not ours */
    for (unsigned i = 0; i < record->wcount; i++)
        slot->values[slot->received++] = gw_eb_write_value(layout, record, i);
}

static void after_answer(gw_eb_master *m)
{
    if (m->phase != MASTER_WORKING || m->hung || m->num_slots == 0 || !all_received(m))
        return;
    note_trip(m, false);
    if (m->script->tasks[m->task].check(m))
        end_task(m, true);
    else
        repeat_task(m);
}

static void read_replies(gw_eb_master *m, gw_eb_reader *r, const gw_message *message)
{
    gw_eb_record record = {.wcount = 1};
    gw_eb_master_heard heard = {.m = m, .message = message, .r = r, .record = &record};
    while (gw_eb_next(r, &record)) {
        gw_eb_master_take take = gw_eb_master_mutant_reply(&heard);
        if (take == GW_EB_END)
            return;
        if (take != GW_EB_PASS_OVER)
            on_record(m, &r->layout, &record);
        if (take == GW_EB_TAKE_AND_END)
            return;
    }
    gw_eb_master_mutant_read(&heard);
}

static void on_message(void *ctx, const gw_message *message)
{
    gw_eb_master *m = ctx;
    gw_eb_reader r;
    gw_eb_master_heard heard = {.m = m, .message = message, .r = &r};
    heard.regular = gw_eb_open(&r, message, m->dialect);
    heard.probe = r.has_header && (r.header.flags & (GW_EB_PR | GW_EB_PF)) != 0;
    if (!gw_eb_master_mutant_heard(&heard))
        return;
    if (heard.probe) {
        if ((r.header.flags & GW_EB_PR) != 0 && message->len == gw_eb_probe_len(m->dialect) &&
            gw_load_be16(message->data) == GW_EB_MAGIC)
            on_probe_response(m, &r.header);
        return;
    }
    if (heard.regular && m->phase == MASTER_WORKING && r.layout.widths == m->layout.widths)
        read_replies(m, &r, message);
}

static void on_datagram(gw_eb_master *m, const uint8_t *data, size_t len)
{
    gw_message message = gw_eb_master_mutant_in(m, data, len);
    on_message(m, &message);
}

/* ---- the board ---- */

static void on_open(gw_eb_master *m, bool stream)
{
    m->stream = stream;
    m->tries = 0;
    if (stream) {
        m->codec = malloc(gw_etherbone.stream->size);
        if (m->codec == NULL) {
            fail(m, "out of memory");
            finish(m);
            return;
        }
        gw_etherbone.stream->init(m->codec, m->dialect);
    }
    if (stream && !has_ids(m))
        agree(m, own_widths(m)); /* LiteX's server knows no probes */
    else
        send_probe(m);
}

static void on_bytes(gw_eb_master *m, const uint8_t *data, size_t len)
{
    gw_message message = gw_message_of(data, len);
    if (m->stream)
        gw_etherbone.stream->push(m->codec, 1, &message, on_message, m);
    else
        on_datagram(m, data, len);
    after_answer(m);
}

static void on_timeout(gw_eb_master *m)
{
    if (m->hung || (m->phase == MASTER_WORKING && m->policy.patient)) {
        m->deadline = GW_PEER_NEVER;
    } else if (m->phase == MASTER_WORKING) {
        repeat_task(m);
    } else if (m->tries < max_tries(m, m->policy.probe_tries)) {
        m->repeated++;
        send_probe(m);
    } else {
        fail(m, "no answer to the probe");
        finish(m);
    }
}

static const gw_eb_master_policy specified = {GW_EB_MASTER_POLICY};
static const gw_eb_master_mutation none;

static bool master_init(void *state, const gw_peer_config *config, char *why, size_t why_cap)
{
    (void)why;
    (void)why_cap;
    gw_eb_master *m = state;
    memset(m, 0, sizeof(*m));
    m->map = config->setup != NULL ? config->setup : &gw_eb_default_map;
    m->dialect = config->dialect;
    m->config = config;
    m->script = gw_eb_script_for(m->dialect);
    bool mutant = config->mutant != NULL && config->mutant->mutation != NULL;
    m->mutation = mutant ? config->mutant->mutation : &none;
    m->policy = m->mutation->policy != NULL ? *m->mutation->policy : specified;
    m->deadline = GW_PEER_NEVER;
    return true;
}

static int64_t master_step(void *state, const gw_peer_event *event, int64_t now_ns,
                           gw_peer_out *out)
{
    gw_eb_master *m = state;
    m->out = out;
    m->now = now_ns;
    /* Only whom we call may send to us. */
    bool heeds_sender = m->policy.heeds_sender && has_ids(m); /* LiteX's client does not */
    if ((event->conn != 0 && heeds_sender) || m->phase == MASTER_DONE)
        return m->deadline;
    switch (event->kind) {
    case GW_PEER_OPEN:
        if (m->phase == MASTER_IDLE)
            on_open(m, event->stream);
        break;
    case GW_PEER_BYTES:
        if (m->phase != MASTER_IDLE)
            on_bytes(m, event->data, event->len);
        break;
    case GW_PEER_TIMER:
        if (now_ns >= m->deadline)
            on_timeout(m);
        break;
    case GW_PEER_CLOSE:
        fail(m, "the connection was closed");
        finish(m);
        break;
    default:
        break;
    }
    return m->deadline;
}

static bool master_done(const void *state)
{
    return ((const gw_eb_master *)state)->phase == MASTER_DONE;
}

static bool master_report(void *state, char *text, size_t cap)
{
    const gw_eb_master *m = state;
    int len = snprintf(text, cap,
                       "%u of %zu tasks done with %u-bit addresses and %u-bit data, %u "
                       "packets or tasks repeated",
                       m->num_done, m->script->num_tasks, 8u * m->layout.addr_bytes,
                       8u * m->layout.data_bytes, m->repeated);
    if (m->failed != NULL && len >= 0 && (size_t)len < cap)
        snprintf(text + len, cap - (size_t)len, "; failed: %s%s", m->failed,
                 m->num_failed > 1 ? " and more" : "");
    return m->phase == MASTER_DONE && m->num_failed == 0;
}

static void master_fini(void *state)
{
    free(((gw_eb_master *)state)->codec);
}

static const char *const links[] = {"bus", NULL};

/* What it declares, and where it may be written to. */
static const gw_board_file file = {
    .role = "etherbone-master",
    .dialect = "strict",
    .make = "goldwire software board",
    .serial = "none",
    .firmware = "as built",
    .claims = {.address_widths = 15,
               .port_widths = 15,
               .tcp = GW_CLAIM_YES,
               .long_cycles = GW_CLAIM_YES},
};

const gw_board gw_eb_master_board = {
    .role = "etherbone-master",
    .blurb = "Probes a slave and works through reads, writes, FIFO and cycles",
    .links = links,
    .mutants = gw_eb_master_mutants,
    .num_mutants = GW_EB_NUM_MASTER_MUTANTS,
    .file = &file,
    .format = &gw_etherbone,
    .calls_us = true,
    .waits = true,
    .size = sizeof(gw_eb_master),
    .init = master_init,
    .step = master_step,
    .done = master_done,
    .report = master_report,
    .fini = master_fini,
    .open_setup = gw_eb_map_open_setup,
    .close_setup = gw_eb_map_close_setup,
};
