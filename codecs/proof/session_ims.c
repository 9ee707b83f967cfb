/* SPDX-License-Identifier: BSD-2-Clause */
/* A step of an IMS conversation, whatever was before: memory holds any state that keeps its ranges,
 * and does so behind the step. So it holds for any number of messages. */
#include "ims/session.h"
#include "proof/session.h"

enum { FRAMES = GW_IMS_FRAMES_MIN };

static uint64_t memory[(sizeof(gw_ims_sessions) + FRAMES * GW_IMS_SENT_BYTES) / 8];
static gw_ims_sessions *const s = (gw_ims_sessions *)memory;
static gw_chains by_address; /* as they were made */

static void put_any_frame(gw_ims_sent *f)
{
    f->flow = (uint32_t)Frama_C_interval(0, GW_IMS_FLOWS - 1);
    f->has_other = any_bool();
    f->no_image = any_bool();
    f->known_rkey = any_bool();
    f->granted = any_bool();
    f->gap = any_bool();
    f->in_doubt = any_bool();
    f->excused = any_bool();
    f->whole = any_bool();
    f->late = any_bool();
    f->closed = any_bool();
    f->settled = any_bool();
    f->heeded = any_bool();
}

static void put_any_flow(gw_ims_flow *flow)
{
    put_any_frame(&flow->current);
    flow->shared = any_bool();
    flow->has_psn = any_bool();
    flow->has_due = any_bool();
    flow->in_step = any_bool();
    flow->has_next = any_bool();
    flow->has_delivered = any_bool();
    flow->in_frame = any_bool();
}

static void put_any_worker(gw_ims_worker *w)
{
    for (size_t i = 0; i < GW_IMS_REQUESTS; i++) {
        w->asked[i].owed = any_bool();
        w->asked[i].given_up = any_bool();
        w->asked[i].repeated = any_bool();
    }
    w->asks = any_bool();
    w->has_known = any_bool();
    w->in_doubt = any_bool();
    w->told_both = any_bool();
    w->told_both_qps = any_bool();
    w->has_worker_qp = any_bool();
    w->has_memory = any_bool();
    w->was_open = any_bool();
    w->ended = any_bool();
    w->wrote = any_bool();
}

/* Places are those that there are; all else is any. */
static void put_any_state(void)
{
    Frama_C_make_unknown((char *)memory, sizeof memory);
    s->by_address = by_address;
    put_any_chains(&s->by_address);
    s->give_up_ns = (int64_t)Frama_C_unsigned_long_long_interval(0, INT64_MAX);
    s->shared_lane = any_bool();
    s->shared_level = any_bool();
    s->lossless = any_bool();
    s->room = FRAMES;
    s->first = (size_t)Frama_C_interval(0, FRAMES - 1);
    s->count = (size_t)Frama_C_interval(0, FRAMES);
    for (size_t i = 0; i < GW_IMS_WORKERS; i++)
        put_any_worker(&s->workers[i]);
    for (size_t i = 0; i < GW_IMS_FLOWS; i++)
        put_any_flow(&s->flows[i]);
    for (size_t i = 0; i < FRAMES; i++)
        put_any_frame(&s->sent[i]);
}

static void look_at_frame(const gw_ims_sent *f)
{
    //@ assert flow: f->flow < GW_IMS_FLOWS;
    seen = f->has_other + f->no_image + f->known_rkey + f->granted + f->gap + f->in_doubt;
    seen = f->excused + f->whole + f->late + f->closed + f->settled + f->heeded;
}

static void look_at_flow(const gw_ims_flow *flow)
{
    look_at_frame(&flow->current);
    seen = flow->shared + flow->has_psn + flow->has_due + flow->in_step + flow->has_next +
           flow->has_delivered + flow->in_frame;
}

static void look_at_worker(const gw_ims_worker *w)
{
    for (size_t i = 0; i < GW_IMS_REQUESTS; i++)
        seen = w->asked[i].owed + w->asked[i].given_up + w->asked[i].repeated;
    seen = w->asks + w->has_known + w->in_doubt + w->told_both + w->told_both_qps;
    seen = w->has_worker_qp + w->has_memory + w->was_open + w->ended + w->wrote;
}

/* What put_any_state takes for granted: a bool that is none is an alarm. */
static void look_at_state(void)
{
    //@ assert give_up: s->give_up_ns >= 0;
    //@ assert first: s->first < FRAMES;
    //@ assert count: s->count <= FRAMES;
    //@ assert room: s->room == FRAMES;
    seen = s->shared_lane + s->shared_level + s->lossless;
    for (size_t i = 0; i < GW_IMS_WORKERS; i++)
        look_at_worker(&s->workers[i]);
    for (size_t i = 0; i < GW_IMS_FLOWS; i++)
        look_at_flow(&s->flows[i]);
    for (size_t i = 0; i < FRAMES; i++)
        look_at_frame(&s->sent[i]);
    look_at_chains(&s->by_address, &by_address);
}

static void init(void)
{
    (void)FORMAT.session->init(memory, sizeof memory,
                               (int64_t)Frama_C_unsigned_long_long_interval(0, INT64_MAX));
    by_address = s->by_address;
    look_at_state();
    put_any_state();
}

static void feed(const gw_message *message, const gw_dialect *dialect)
{
    FORMAT.session->feed(memory, message, dialect, &verdicts);
    look_at_state();
}

/* A packet of |opcode|, or of that with immediate data, as it begins with it. */
static void put_opcode(const gw_message *message, uint8_t opcode, uint8_t imm)
{
    room[PROOF_BYTES - message->cap_len] = any_bool() ? opcode : imm;
}

static void feed_status(const gw_message *message, const gw_dialect *dialect)
{
    put_opcode(message, GW_IB_UD_SEND_ONLY, GW_IB_UD_SEND_ONLY_IMM);
    feed(message, dialect);
}

static void feed_response(const gw_message *message, const gw_dialect *dialect)
{
    put_opcode(message, GW_IB_UC_SEND_ONLY, GW_IB_UC_SEND_ONLY_IMM);
    feed(message, dialect);
}

void proof_status(void)
{
    init();
    over_any(feed_status);
}

void proof_response(void)
{
    init();
    over_any(feed_response);
}

void proof_data(void)
{
    init();
    over_any(feed);
}

void proof_time(void)
{
    init();
    pass_without(memory);
    look_at_state();
}
