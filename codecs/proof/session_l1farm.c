/* SPDX-License-Identifier: BSD-2-Clause */
/* A step of a conversation of the farm, whatever was before: memory holds any state that keeps its
 * ranges, and does so behind the step. So it holds for any number of messages. */
#include "l1farm/session.h"
#include "proof/session.h"

static uint64_t memory[(sizeof(l1_session) + L1_SENDS * L1_SEND_BYTES) / 8];
static l1_session *const s = (l1_session *)memory;

static gw_chains by_sender; /* as they were made */

static l1_readout any_readout(void)
{
    l1_readout r;

    Frama_C_make_unknown((char *)&r, sizeof r);
    r.everywhere = any_bool();
    r.udp = any_bool();
    return r;
}

static l1_lines any_lines(void)
{
    l1_lines l;

    Frama_C_make_unknown((char *)&l, sizeof l);
    l.in_seen = any_bool();
    l.out_seen = any_bool();
    l.next_busy = any_bool();
    l.busy = any_bool();
    return l;
}

static l1_list any_list(void)
{
    l1_list l;

    Frama_C_make_unknown((char *)&l, sizeof l);
    l.num = (uint8_t)Frama_C_interval(0, GW_L1_DESCRIPTORS);
    l.named = any_bool();
    l.vague = any_bool();
    return l;
}

static l1_place any_place(void)
{
    l1_place p;

    Frama_C_make_unknown((char *)&p, sizeof p);
    p.released = any_bool();
    return p;
}

static l1_event any_event(void)
{
    l1_event e;

    Frama_C_make_unknown((char *)&e, sizeof e);
    e.sent = any_bool();
    return e;
}

static l1_send any_send(void)
{
    l1_send e;

    Frama_C_make_unknown((char *)&e, sizeof e);
    e.sci.extended = any_bool();
    e.sci.has_crc = any_bool();
    e.sci.data = NULL;
    e.busy = any_bool();
    e.answers = any_bool();
    return e;
}

/* Numbers are any, but for places and what is yes or no. */
static void put_any_state(void)
{
    s->give_up_ns = (int64_t)any_u64();
    s->lossless = any_bool();
    s->clock = any_u64();
    s->dialect = any_dialect();
    s->last_decision = any_u64();
    s->last_decided = any_u16();
    s->last_order = any_u64();
    s->entries = any_u64();
    s->next_shot = any_u32();
    s->laid_out = any_bool() ? NULL : gw_l1_profile_of(any_dialect());
    Frama_C_make_unknown((char *)s->shots, sizeof s->shots);
    for (size_t i = 0; i < L1_UNITS; i++) {
        s->units[i] = any_readout();
        s->lines[i] = any_lines();
        s->lists[i] = any_list();
    }
    Frama_C_make_unknown((char *)s->ordered, sizeof s->ordered);
    s->releases = any_bool();
    s->tags = any_bool();
    s->next_datagram = any_u32();
    Frama_C_make_unknown((char *)s->datagrams, sizeof s->datagrams);
    Frama_C_make_unknown((char *)s->told, sizeof s->told);
    for (size_t i = 0; i < L1_PLACES; i++)
        s->places[i] = any_place();
    for (size_t i = 0; i < L1_EVENTS; i++)
        s->events[i] = any_event();
    s->first = (size_t)Frama_C_interval(0, L1_SENDS - 1);
    s->count = (size_t)Frama_C_interval(0, L1_SENDS);
    for (size_t i = 0; i < L1_SENDS; i++)
        s->sends[i] = any_send();
    put_any_chains(&s->by_sender);
}

/* What put_any_state takes for granted, of any one of each table's entries. */
static void look_at_state(void)
{
    size_t unit = (size_t)Frama_C_interval(0, L1_UNITS - 1);
    size_t place = (size_t)Frama_C_interval(0, L1_PLACES - 1);
    size_t event = (size_t)Frama_C_interval(0, L1_EVENTS - 1);
    size_t send = (size_t)Frama_C_interval(0, L1_SENDS - 1);
    const l1_readout *r = &s->units[unit];
    const l1_lines *l = &s->lines[unit];
    const l1_list *list = &s->lists[unit];
    const l1_send *e = &s->sends[send];

    //@ assert ring: s->room == L1_SENDS && s->first < L1_SENDS && s->count <= L1_SENDS;
    //@ assert num: list->num <= GW_L1_DESCRIPTORS;
    //@ assert data: e->sci.data == \null;
    look_at_dialect(s->dialect);
    if (s->laid_out != NULL)
        seen = s->laid_out->nodes;
    look_at_chains(&s->by_sender, &by_sender);
    seen = s->lossless + s->releases + s->tags; /* each is a bool that is one, or an alarm */
    seen = r->everywhere + r->udp + l->in_seen + l->out_seen + l->next_busy + l->busy;
    seen = list->named + list->vague + s->places[place].released + s->events[event].sent;
    seen = e->sci.extended + e->sci.has_crc + e->busy + e->answers;
}

static void step(const gw_message *message, const gw_dialect *dialect)
{
    put_any_state();
    FORMAT.session->feed(memory, message, dialect, &verdicts);
    look_at_state();
}

void proof_session(void)
{
    if (!FORMAT.session->init(memory, sizeof memory, (int64_t)any_u64()))
        return;
    by_sender = s->by_sender;
    look_at_state();
    over_any(step);
}

/* What comes without a message. */
void proof_pass(void)
{
    if (!FORMAT.session->init(memory, sizeof memory, (int64_t)any_u64()))
        return;
    by_sender = s->by_sender;
    put_any_state();
    pass_without(memory);
    look_at_state();
}
