/* SPDX-License-Identifier: BSD-2-Clause */
/* The software decision unit. Told which events enter, it passes their results on in that order,
 * and a time-out for each that has none in time (T 6.4). Not told, it is the prototype's: a slot
 * for each buffer of the farm, a pointer that waits at one, and moves on when nothing comes
 * (T 7.6). */
#include <string.h>

#include "formats/l1farm/board.h"

static bool faulty(const gw_l1_du *d, gw_l1_du_fault fault)
{
    return (d->faults >> fault & 1) != 0;
}

static void decide(gw_l1_du *d, const gw_l1_du_event *e)
{
    gw_l1_shim s = e->shim;

    s.kind = GW_L1_KIND_DECISION;
    s.little = true;
    s.length = GW_L1_RESULT;
    d->decided++;
    if (faulty(d, L1_DU_FAULT_LAST_LAP))
        d->stale = *e;
    if (faulty(d, L1_DU_FAULT_TIMER_RUNS_ON))
        d->timer = *e;
    gw_l1_send(&d->way, &s, e->result);
    if (faulty(d, L1_DU_FAULT_DECIDES_TWICE))
        gw_l1_send(&d->way, &s, e->result);
}

static void tell_timeout(gw_l1_du *d, uint16_t event, uint16_t node, uint32_t step)
{
    gw_l1_shim s = {.kind = GW_L1_KIND_TIMEOUT, .event = event, .dest = node, .step = step};

    gw_l1_send(&d->way, &s, NULL);
}

static void keep(gw_l1_du_event *e, const gw_l1_unit *u)
{
    e->shim = u->shim;
    e->has_result = true;
    gw_l1_result r = u->u.result;
    r.rsv = 0; /* ignored when it comes, sent as zero */
    gw_l1_put_result(e->result, &r);
}

/* ---- events by their ids ---- */

static gw_l1_du_event *event_at(gw_l1_du *d, unsigned age)
{
    return &d->events[(d->first + age) % GW_L1_DU_EVENTS];
}

static void pop(gw_l1_du *d)
{
    d->first = (d->first + 1) % GW_L1_DU_EVENTS;
    d->count--;
}

static void flush_events(gw_l1_du *d, int64_t now_ns)
{
    for (; d->count > 0 && event_at(d, 0)->has_result && event_at(d, 0)->due <= now_ns; pop(d))
        decide(d, event_at(d, 0));
}

static void give_up(gw_l1_du *d, int64_t now_ns)
{
    const gw_l1_du_event *e = event_at(d, 0);

    d->timeouts++;
    d->given_up = e->node;
    d->has_given_up = faulty(d, L1_DU_FAULT_GIVES_NODES_UP);
    if (!faulty(d, L1_DU_FAULT_SKIPS))
        tell_timeout(d, e->event, e->node, e->shim.step);
    pop(d);
    if (faulty(d, L1_DU_FAULT_DROPS_ALL))
        d->count = 0;
    flush_events(d, now_ns);
}

static void enter(gw_l1_du *d, const gw_l1_shim *s, int64_t now_ns)
{
    int64_t limit = d->setup.limit_ns;

    if (d->count == GW_L1_DU_EVENTS)
        give_up(d, now_ns);
    if (d->timeouts > 0 && faulty(d, L1_DU_FAULT_IMPATIENT))
        limit /= 8;
    gw_l1_du_event *e = event_at(d, d->count++);
    *e = (gw_l1_du_event){
        .shim = *s, .event = s->event, .node = s->dest, .deadline = now_ns + limit};
    d->told = true;
    bool keeps = faulty(d, L1_DU_FAULT_NEXT_LAP) || faulty(d, L1_DU_FAULT_LAST_LAP);
    if (!keeps || !d->stale.has_result || d->stale.event != s->event)
        return;
    e->has_result = true; /* what came too late a lap ago */
    e->shim = d->stale.shim;
    memcpy(e->result, d->stale.result, sizeof(e->result));
    d->stale.has_result = false;
    flush_events(d, now_ns);
}

static void take_late(gw_l1_du *d, const gw_l1_unit *u)
{
    d->late++;
    if (!faulty(d, L1_DU_FAULT_LAST_LAP)) {
        d->stale.event = u->shim.event;
        keep(&d->stale, u);
    }
    if (faulty(d, L1_DU_FAULT_PASSES_LATE))
        decide(d, &d->stale);
}

static void take_by_event(gw_l1_du *d, const gw_l1_unit *u, int64_t now_ns)
{
    for (unsigned age = 0; age < d->count; age++) {
        gw_l1_du_event *e = event_at(d, age);
        if (e->event != u->shim.event || e->has_result)
            continue;
        keep(e, u);
        e->due = faulty(d, L1_DU_FAULT_LATE) ? now_ns + GW_L1_LATE_NS : now_ns;
        if (faulty(d, L1_DU_FAULT_AS_THEY_COME)) {
            decide(d, e);
            *e = *event_at(d, 0);
            pop(d);
            return;
        }
        flush_events(d, now_ns);
        return;
    }
    take_late(d, u);
}

/* ---- slots of the prototype's cyclic buffer ---- */

static void advance_pointer(gw_l1_du *d, int64_t now_ns)
{
    d->read_pointer = (d->read_pointer + 1) % GW_L1_DU_SLOTS;
    d->deadline = now_ns + d->setup.limit_ns;
}

static void flush_slots(gw_l1_du *d, int64_t now_ns)
{
    for (unsigned i = 0; i < GW_L1_DU_SLOTS && d->slots[d->read_pointer].has_result; i++) {
        decide(d, &d->slots[d->read_pointer]);
        d->slots[d->read_pointer].has_result = false;
        d->silent = 0;
        advance_pointer(d, now_ns);
    }
}

/* Half a lap ahead of the pointer is early, the rest is behind it: late. */
static void take_by_slot(gw_l1_du *d, const gw_l1_unit *u, int64_t now_ns)
{
    unsigned slot = u->shim.offset / GW_L1_RESULT % GW_L1_DU_SLOTS;

    if (!d->running) {
        d->running = true;
        d->read_pointer = slot;
        d->silent = 0;
    }
    unsigned ahead = (slot + GW_L1_DU_SLOTS - d->read_pointer) % GW_L1_DU_SLOTS;
    if (ahead >= GW_L1_DU_SLOTS / 2 && !faulty(d, L1_DU_FAULT_SLOT_NEXT_LAP)) {
        d->late++;
        return;
    }
    keep(&d->slots[slot], u);
    flush_slots(d, now_ns);
}

/* Nothing came to the slot in time: counted, and passed over without a word. A farm that is silent
 * for a lap has stopped. */
static void pass_slot(gw_l1_du *d, int64_t now_ns)
{
    d->timeouts++;
    if (faulty(d, L1_DU_FAULT_SLOT_STUCK)) {
        d->deadline = now_ns + d->setup.limit_ns;
        return;
    }
    if (faulty(d, L1_DU_FAULT_SLOT_ANNOUNCED))
        tell_timeout(d, 0, (uint16_t)(d->read_pointer % (GW_L1_DU_SLOTS / GW_L1_BUFFERS)), 0);
    advance_pointer(d, now_ns);
    if (++d->silent == GW_L1_DU_SLOTS)
        d->running = false;
    flush_slots(d, now_ns);
}

/* ---- the board ---- */

/* When something is to be done about the oldest event. */
static int64_t next_event(gw_l1_du *d)
{
    const gw_l1_du_event *e = event_at(d, 0);

    return e->has_result ? e->due : e->deadline;
}

static void watch(gw_l1_du *d, int64_t now_ns)
{
    bool waits = faulty(d, L1_DU_FAULT_WAITS_FOR_EVER);

    flush_events(d, now_ns);
    while (d->count > 0 && !waits && next_event(d) <= now_ns)
        give_up(d, now_ns);
    if (d->timer.has_result && d->timer.deadline <= now_ns) {
        tell_timeout(d, d->timer.event, d->timer.node, d->timer.shim.step);
        d->timer.has_result = false;
    }
    if (!d->told && d->running && d->deadline <= now_ns)
        pass_slot(d, now_ns);
}

static int64_t next_deadline(gw_l1_du *d)
{
    if (d->count > 0 && !faulty(d, L1_DU_FAULT_WAITS_FOR_EVER))
        return next_event(d);
    if (d->timer.has_result)
        return d->timer.deadline;
    return !d->told && d->running ? d->deadline : GW_PEER_NEVER;
}

static void take(gw_l1_du *d, const gw_l1_unit *u, int64_t now_ns)
{
    if (u->has == GW_L1_HAS_NOTICE && u->shim.kind == GW_L1_KIND_ENTERED) {
        enter(d, &u->shim, now_ns);
        return;
    }
    if (u->has != GW_L1_HAS_RESULT || u->shim.kind != GW_L1_KIND_RESULT)
        return;
    if (u->shim.dest >= 16 && faulty(d, L1_DU_FAULT_FEW_NODES))
        return;
    if (d->has_given_up && u->shim.dest == d->given_up)
        return;
    if (d->told)
        take_by_event(d, u, now_ns);
    else
        take_by_slot(d, u, now_ns);
}

/* A mutant's: half a result is taken for a whole one, whose other half is zero. */
static void take_torn(gw_l1_du *d, const gw_peer_event *event, int64_t now_ns)
{
    uint8_t image[GW_L1_RESULT] = {0};
    gw_l1_unit u = {.has = GW_L1_HAS_RESULT};

    if (event->len < GW_L1_SHIM || event->len >= GW_L1_SHIM + sizeof(image))
        return;
    memcpy(image, event->data + GW_L1_SHIM, event->len - GW_L1_SHIM);
    u.shim = gw_l1_get_shim(event->data);
    u.u.result = gw_l1_get_result(image);
    take(d, &u, now_ns);
}

static void start_run(gw_l1_du *d)
{
    gw_l1_du fresh = {.faults = d->faults, .dialect = d->dialect, .setup = d->setup, .way = d->way};
    *d = fresh;
}

static bool du_init(void *state, const gw_peer_config *config, char *why, size_t why_cap)
{
    static const gw_l1_setup usual = {.limit_ns = GW_L1_DU_LIMIT_NS};
    gw_l1_du *d = state;

    (void)why;
    (void)why_cap;
    memset(d, 0, sizeof(*d));
    d->faults = config->mutant != NULL ? config->mutant->faults : 0;
    d->dialect = config->dialect;
    d->setup = config->setup != NULL ? *(const gw_l1_setup *)config->setup : usual;
    return true;
}

static int64_t du_step(void *state, const gw_peer_event *event, int64_t now_ns, gw_peer_out *out)
{
    gw_l1_du *d = state;
    gw_l1_unit u;

    d->way.out = out;
    watch(d, now_ns);
    if (event->link == GW_L1_LINK_OUT && event->kind != GW_PEER_TIMER) {
        if (gw_l1_listen(&d->way, event, 0))
            start_run(d);
    } else if (event->kind == GW_PEER_BYTES && gw_l1_read(&u, event, d->dialect)) {
        take(d, &u, now_ns);
    } else if (event->kind == GW_PEER_BYTES && faulty(d, L1_DU_FAULT_TAKES_TORN)) {
        take_torn(d, event, now_ns);
    }
    return next_deadline(d);
}

static const char *const links[] = {"in", "out", NULL};

/* What it declares, and where it may be written to. */
static const gw_board_file file = {
    .role = "l1-du",
    .dialect = "strict",
    .make = "goldwire software board",
    .serial = "none",
    .firmware = "as built",
    .claims = {.response_us = GW_L1_RESPONSE_US},
};

const gw_board gw_l1_du_board = {
    .role = "l1-du",
    .blurb = "The decision unit of the Level-1 farm: results in order, time-outs",
    .links = links,
    .datagram_links = 3,
    .mutants = gw_l1_du_mutants,
    .num_mutants = GW_L1_DU_NUM_MUTANTS,
    .file = &file,
    .format = &gw_l1farm,
    .size = sizeof(gw_l1_du),
    .init = du_init,
    .step = du_step,
    .fini = gw_l1_fini,
};
