/* SPDX-License-Identifier: BSD-2-Clause */
/* The software decision unit. Told which events enter, it passes their results on in that order,
 * and a time-out for each that has none in time (T 6.4). Not told, it is the prototype's: a slot
 * for each buffer of the farm, a pointer that waits at one, and moves on when nothing comes
 * (T 7.6). */
#include <string.h>

#include "formats/l1farm/board.h"

void gw_l1_du_send(gw_l1_du *d, const gw_l1_du_event *e, const gw_l1_shim *s)
{
    gw_l1_send(&d->way, s, e->result);
}

void gw_l1_du_tell(gw_l1_du *d, const gw_l1_du_event *e, uint8_t kind)
{
    bool decided = kind == GW_L1_KIND_DECISION;
    gw_l1_shim s = {.event = e->event, .dest = e->node, .step = e->shim.step};

    if (decided) {
        s = e->shim;
        s.little = true;
        s.length = GW_L1_RESULT;
        d->decided++;
    }
    s.kind = kind;
    for (unsigned i = 0; i < d->policy->times[decided]; i++)
        d->policy->send(d, e, &s);
}

void gw_l1_du_keep(gw_l1_du_event *e, const gw_l1_unit *u)
{
    e->shim = u->shim;
    e->has_result = true;
    gw_l1_result r = u->u.result;
    r.rsv = 0; /* ignored when it comes, sent as zero */
    gw_l1_put_result(e->result, &r);
}

/* ---- events by their ids ---- */

gw_l1_du_event *gw_l1_du_at(gw_l1_du *d, unsigned age)
{
    return &d->events[(d->first + age) % GW_L1_DU_EVENTS];
}

static void pop(gw_l1_du *d)
{
    d->first = (d->first + 1) % GW_L1_DU_EVENTS;
    d->count--;
}

void gw_l1_du_flush(gw_l1_du *d, int64_t now_ns)
{
    for (; d->count > 0 && gw_l1_du_at(d, 0)->has_result && gw_l1_du_at(d, 0)->due <= now_ns;
         pop(d))
        gw_l1_du_tell(d, gw_l1_du_at(d, 0), GW_L1_KIND_DECISION);
}

static void give_up(gw_l1_du *d, int64_t now_ns)
{
    d->timeouts++;
    gw_l1_du_tell(d, gw_l1_du_at(d, 0), GW_L1_KIND_TIMEOUT);
    pop(d);
    gw_l1_du_flush(d, now_ns);
}

void gw_l1_du_enter(gw_l1_du *d, const gw_l1_shim *s, int64_t now_ns)
{
    if (d->count == GW_L1_DU_EVENTS)
        give_up(d, now_ns);
    *gw_l1_du_at(d, d->count++) = (gw_l1_du_event){
        .shim = *s, .event = s->event, .node = s->dest, .deadline = now_ns + d->setup.limit_ns};
    d->told = true;
}

gw_l1_du_event *gw_l1_du_find(gw_l1_du *d, uint16_t event)
{
    for (unsigned age = 0; age < d->count; age++) {
        gw_l1_du_event *e = gw_l1_du_at(d, age);
        if (e->event == event && !e->has_result)
            return e;
    }
    return NULL;
}

static void take_by_event(gw_l1_du *d, const gw_l1_unit *u, int64_t now_ns)
{
    gw_l1_du_event *e = gw_l1_du_find(d, u->shim.event);

    if (e == NULL) {
        d->late++;
        return;
    }
    gw_l1_du_keep(e, u);
    e->due = now_ns + d->policy->delay_ns;
    gw_l1_du_flush(d, now_ns);
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
        gw_l1_du_tell(d, &d->slots[d->read_pointer], GW_L1_KIND_DECISION);
        d->slots[d->read_pointer].has_result = false;
        d->silent = 0;
        advance_pointer(d, now_ns);
    }
}

static void take_by_slot(gw_l1_du *d, const gw_l1_unit *u, int64_t now_ns)
{
    unsigned slot = u->shim.offset / GW_L1_RESULT % GW_L1_DU_SLOTS;

    if (!d->running) {
        d->running = true;
        d->read_pointer = slot;
        d->silent = 0;
    }
    unsigned ahead = (slot + GW_L1_DU_SLOTS - d->read_pointer) % GW_L1_DU_SLOTS;
    if (ahead >= d->policy->early) {
        d->late++;
        return;
    }
    gw_l1_du_keep(&d->slots[slot], u);
    flush_slots(d, now_ns);
}

/* Nothing came to the slot in time: counted, and passed over without a word. A farm that is silent
 * for a lap has stopped. */
void gw_l1_du_pass_slot(gw_l1_du *d, int64_t now_ns)
{
    d->timeouts++;
    advance_pointer(d, now_ns);
    if (++d->silent == GW_L1_DU_SLOTS)
        d->running = false;
    flush_slots(d, now_ns);
}

/* ---- the board ---- */

/* When something is to be done about the oldest event. */
static int64_t next_event(gw_l1_du *d)
{
    const gw_l1_du_event *e = gw_l1_du_at(d, 0);

    return e->has_result ? e->due : e->deadline;
}

void gw_l1_du_watch(gw_l1_du *d, int64_t now_ns)
{
    gw_l1_du_flush(d, now_ns);
    while (d->count > 0 && next_event(d) <= now_ns)
        give_up(d, now_ns);
    if (!d->told && d->running && d->deadline <= now_ns)
        d->policy->pass_slot(d, now_ns);
}

static int64_t next_deadline(gw_l1_du *d)
{
    if (d->count > 0)
        return next_event(d);
    return !d->told && d->running ? d->deadline : GW_PEER_NEVER;
}

void gw_l1_du_take(gw_l1_du *d, const gw_l1_unit *u, int64_t now_ns)
{
    if (u->has == GW_L1_HAS_NOTICE && u->shim.kind == GW_L1_KIND_ENTERED) {
        d->policy->enter(d, &u->shim, now_ns);
        return;
    }
    if (u->has != GW_L1_HAS_RESULT || u->shim.kind != GW_L1_KIND_RESULT ||
        u->shim.dest >= d->policy->nodes)
        return;
    if (d->told)
        take_by_event(d, u, now_ns);
    else
        take_by_slot(d, u, now_ns);
}

static void start_run(gw_l1_du *d)
{
    gw_l1_du fresh = {.policy = d->policy, .dialect = d->dialect, .setup = d->setup, .way = d->way};
    *d = fresh;
}

static const gw_l1_du_policy specified = {GW_L1_DU_POLICY};

static bool du_init(void *state, const gw_peer_config *config, char *why, size_t why_cap)
{
    static const gw_l1_setup usual = {.limit_ns = GW_L1_DU_LIMIT_NS};
    gw_l1_du *d = state;

    (void)why;
    (void)why_cap;
    memset(d, 0, sizeof(*d));
    d->policy = config->mutant != NULL ? config->mutant->mutation : &specified;
    d->dialect = config->dialect;
    d->setup = config->setup != NULL ? *(const gw_l1_setup *)config->setup : usual;
    d->setup.limit_ns = gw_peer_wait(config, d->setup.limit_ns);
    return true;
}

int64_t gw_l1_du_step(gw_l1_du *d, const gw_peer_event *event, int64_t now_ns)
{
    gw_l1_unit u;

    gw_l1_du_watch(d, now_ns);
    if (event->link == GW_L1_LINK_OUT && event->kind != GW_PEER_TIMER) {
        if (gw_l1_listen(&d->way, event, 0))
            start_run(d);
    } else if (event->kind == GW_PEER_BYTES && d->policy->read(&u, event, d->dialect)) {
        d->policy->take(d, &u, now_ns);
    }
    return next_deadline(d);
}

static int64_t du_step(void *state, const gw_peer_event *event, int64_t now_ns, gw_peer_out *out)
{
    gw_l1_du *d = state;

    d->way.out = out;
    return d->policy->step(d, event, now_ns);
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
    .waits = true,
    .format = &gw_l1farm,
    .size = sizeof(gw_l1_du),
    .init = du_init,
    .step = du_step,
    .fini = gw_l1_fini,
};
