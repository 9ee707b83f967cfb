/* SPDX-License-Identifier: BSD-2-Clause */
/* Decision units with one fault each, and the rules they break: the first is the one each was made
 * for. */
#include <string.h>

#define GW_ROW_POLICY gw_l1_du_policy
#define GW_ROW_GOOD GW_L1_DU_POLICY
#include "boards/mutant_rows.h"
#include "formats/l1farm/board.h"

/* ---- results ---- */

static bool takes_torn(gw_l1_unit *u, const gw_peer_event *event, const gw_dialect *dialect)
{
    uint8_t image[GW_L1_RESULT] = {0};

    if (gw_l1_read(u, event, dialect))
        return true;
    if (event->len < GW_L1_SHIM || event->len >= GW_L1_SHIM + sizeof(image))
        return false;
    memcpy(image, event->data + GW_L1_SHIM, event->len - GW_L1_SHIM);
    *u = (gw_l1_unit){.has = GW_L1_HAS_RESULT, .shim = gw_l1_get_shim(event->data)};
    u->u.result = gw_l1_get_result(image);
    return true;
}

/* m-gives-nodes-up */
static void unless_given_up(gw_l1_du *d, const gw_l1_unit *u, int64_t now_ns)
{
    if (u->has != GW_L1_HAS_RESULT || !d->kept.has_result || u->shim.dest != d->kept.node)
        gw_l1_du_take(d, u, now_ns);
}

/* An event with a result changes places with the first one. */
static void as_they_come(gw_l1_du *d, const gw_l1_unit *u, int64_t now_ns)
{
    bool result = u->has == GW_L1_HAS_RESULT && u->shim.kind == GW_L1_KIND_RESULT;
    gw_l1_du_event *e = result ? gw_l1_du_find(d, u->shim.event) : NULL;

    if (e != NULL) {
        gw_l1_du_event first = *gw_l1_du_at(d, 0);
        *gw_l1_du_at(d, 0) = *e;
        *e = first;
    }
    gw_l1_du_take(d, u, now_ns);
}

/* Whether it came too late, and is kept. */
static bool is_late(gw_l1_du *d, const gw_l1_unit *u, int64_t now_ns)
{
    uint32_t late = d->late;

    gw_l1_du_take(d, u, now_ns);
    if (!d->told || d->late == late)
        return false;
    gw_l1_du_keep(&d->kept, u);
    d->kept.event = u->shim.event;
    return true;
}

static void passes_late(gw_l1_du *d, const gw_l1_unit *u, int64_t now_ns)
{
    if (is_late(d, u, now_ns))
        gw_l1_du_tell(d, &d->kept, GW_L1_KIND_DECISION);
}

/* m-next-lap */
static void keeps_late(gw_l1_du *d, const gw_l1_unit *u, int64_t now_ns)
{
    (void)is_late(d, u, now_ns);
}

/* ---- events that enter ---- */

/* m-next-lap, m-last-lap */
static void had_result(gw_l1_du *d, const gw_l1_shim *s, int64_t now_ns)
{
    gw_l1_du_enter(d, s, now_ns);
    if (!d->kept.has_result || d->kept.event != s->event)
        return;
    *gw_l1_du_at(d, d->count - 1) = d->kept;
    d->kept.has_result = false;
    gw_l1_du_flush(d, now_ns);
}

static void waits_for_ever(gw_l1_du *d, const gw_l1_shim *s, int64_t now_ns)
{
    gw_l1_du_enter(d, s, now_ns);
    gw_l1_du_at(d, d->count - 1)->deadline = GW_PEER_NEVER;
}

static void impatient(gw_l1_du *d, const gw_l1_shim *s, int64_t now_ns)
{
    gw_l1_du_enter(d, s, now_ns);
    if (d->timeouts > 0)
        gw_l1_du_at(d, d->count - 1)->deadline = now_ns + d->setup.limit_ns / 8;
}

/* ---- decisions and time-outs ---- */

/* The time-out leaves alone, and takes what is left. */
static void drops_all(gw_l1_du *d, const gw_l1_du_event *e, const gw_l1_shim *s)
{
    if (s->kind == GW_L1_KIND_TIMEOUT)
        d->count = 1;
    gw_l1_du_send(d, e, s);
}

/* m-gives-nodes-up */
static void keeps_given_up(gw_l1_du *d, const gw_l1_du_event *e, const gw_l1_shim *s)
{
    if (s->kind == GW_L1_KIND_TIMEOUT)
        d->kept = (gw_l1_du_event){.node = e->node, .has_result = true};
    gw_l1_du_send(d, e, s);
}

/* m-last-lap, m-timer-runs-on */
static void keeps_decided(gw_l1_du *d, const gw_l1_du_event *e, const gw_l1_shim *s)
{
    if (s->kind == GW_L1_KIND_DECISION)
        d->kept = *e;
    gw_l1_du_send(d, e, s);
}

/* ---- time ---- */

static int64_t timer_runs_on(gw_l1_du *d, const gw_peer_event *event, int64_t now_ns)
{
    gw_l1_du_watch(d, now_ns);
    if (d->kept.has_result && d->kept.deadline <= now_ns) {
        d->kept.has_result = false;
        gw_l1_du_tell(d, &d->kept, GW_L1_KIND_TIMEOUT);
    }
    int64_t next = gw_l1_du_step(d, event, now_ns);
    return d->kept.has_result && d->count == 0 ? d->kept.deadline : next;
}

static void slot_announced(gw_l1_du *d, int64_t now_ns)
{
    gw_l1_du_event nobody = {.node = d->read_pointer % (GW_L1_DU_SLOTS / GW_L1_BUFFERS)};

    gw_l1_du_tell(d, &nobody, GW_L1_KIND_TIMEOUT);
    gw_l1_du_pass_slot(d, now_ns);
}

static void slot_stuck(gw_l1_du *d, int64_t now_ns)
{
    d->timeouts++;
    d->deadline = now_ns + d->setup.limit_ns;
}

const gw_mutant gw_l1_du_mutants[GW_L1_DU_NUM_MUTANTS] = {
    {"m-as-they-come", RULES("L1-U01", "L1-U04"), "passes results on as they come",
     POLICY(.take = as_they_come)},
    {"m-skips", RULES("L1-U01", "L1-U02", "L1-U03", "L1-U04"),
     "passes over an event without a time-out", POLICY(.times = {0, 1})},
    {"m-waits-for-ever", RULES("L1-U03", "L1-U01", "L1-U02", "L1-U04"),
     "waits for a result for ever", POLICY(.enter = waits_for_ever)},
    {"m-passes-late", RULES("L1-U02", "L1-U01"), "passes a result on after its time-out",
     POLICY(.take = passes_late)},
    {"m-next-lap", RULES("L1-U02"), "takes a late result for the next lap's event",
     POLICY(.take = keeps_late, .enter = had_result)},
    {"m-decides-twice", RULES("L1-U01", "L1-U02", "L1-U04"), "sends every decision twice",
     POLICY(.times = {1, 2})},
    {"m-drops-all", RULES("L1-U04", "L1-U01"), "a silent node's time-out takes the others along",
     POLICY(.send = drops_all)},
    {"m-slot-announced", RULES("L1-U01"), "sends a time-out for a slot of the prototype's buffer",
     POLICY(.pass_slot = slot_announced)},
    {"m-slot-stuck", RULES("L1-U01", "L1-U04", "L1-U02"),
     "the read pointer waits at a silent slot for ever", POLICY(.pass_slot = slot_stuck)},
    {"m-slot-next-lap", RULES("L1-U02"), "keeps a late result for the slot's next turn",
     POLICY(.early = GW_L1_DU_SLOTS)},
    {"m-last-lap", RULES("L1-U02"), "decides a TagID that comes again by its earlier result",
     POLICY(.send = keeps_decided, .enter = had_result)},
    {"m-impatient", RULES("L1-U03"), "waits an eighth of the time after its first time-out",
     POLICY(.enter = impatient)},
    {"m-timer-runs-on", RULES("L1-U01"), "gives an event up that it has decided",
     POLICY(.send = keeps_decided, .step = timer_runs_on)},
    {"m-gives-nodes-up", RULES("L1-U04"), "ignores a node that was silent once",
     POLICY(.send = keeps_given_up, .take = unless_given_up)},
    {"m-few-nodes", RULES("L1-U04", "L1-U01", "L1-U02"), "knows sixteen nodes only",
     POLICY(.nodes = 16)},
    {"m-takes-torn", RULES("L1-U01"), "takes half a result for a whole one",
     POLICY(.read = takes_torn)},
    {"m-late", RULES("L1-U03"), "its decisions come 400 ms late",
     POLICY(.delay_ns = GW_L1_LATE_NS)},
};
