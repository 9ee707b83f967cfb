/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS buffer cases: frames, their responses, and the software around the buffer. */
#include <inttypes.h>

#include "formats/ims/buf/board.h"
#include "formats/ims/buf/suite.h"

/* ---- frames ---- */

gw_imb_frame gw_imb_frame_of(gw_ctx *ctx, gw_imb_worker *w, uint32_t size, uint32_t packet)
{
    const gw_area *area = gw_board_area(gw_case_board(ctx), GW_AREA_RAM, 64, GW_IMS_ALIGN);
    gw_imb_frame f = {
        .reth = {.va = w->next, .rkey = w->rkey, .length = size},
        .size = size,
        .packet = packet,
        .seed = (uint8_t)gw_case_random(ctx),
    };

    if (area == NULL || w->next < area->address || w->next - area->address > area->size ||
        area->size - (w->next - area->address) < size)
        gw_case_na(ctx,
                   "%" PRIu32 " bytes at 0x%" PRIx64 " do not lie in the first ram area, which is "
                   "the ring",
                   size, w->next);
    w->next += size;
    return f;
}

uint8_t gw_imb_byte(const gw_imb_frame *f, uint32_t offset)
{
    return (uint8_t)((offset * 167u + (offset >> 8) * 59u) ^ f->seed);
}

gw_ims_draft gw_imb_part(const gw_imb_worker *w, const gw_imb_frame *f, uint32_t offset,
                         uint8_t *data, uint32_t len)
{
    gw_ib_reth whole = f->reth;

    for (uint32_t i = 0; i < len; i++)
        data[i] = gw_imb_byte(f, offset + i);
    /* First, middle or last is told by what is sent, not by what the header will say. */
    whole.length = f->size;
    gw_ims_draft draft = gw_ims_draft_write(w->buffer_qpn, w->psn, &whole, offset, data, len);
    draft.reth = f->reth;
    return draft;
}

unsigned gw_imb_packet(gw_ctx *ctx, gw_imb_worker *w, const gw_imb_frame *f, uint32_t offset,
                       uint32_t len)
{
    uint8_t data[GW_IB_MTU_MAX];
    gw_ims_draft draft = gw_imb_part(w, f, offset, data, len);

    w->psn = (w->psn + 1) & GW_IB_NUMBER_MASK;
    return gw_imb_send(ctx, &draft);
}

unsigned gw_imb_write(gw_ctx *ctx, gw_imb_worker *w, const gw_imb_frame *f)
{
    uint32_t offset = 0;
    unsigned first = 0;

    w->last = f->reth.va;
    for (unsigned i = 0; offset < f->size; i++) {
        uint32_t left = f->size - offset;
        uint32_t len = left < f->packet ? left : f->packet;
        if (i < 64 && (f->skip >> i & 1) != 0)
            w->psn = (w->psn + 1) & GW_IB_NUMBER_MASK;
        else if (first == 0)
            first = gw_imb_packet(ctx, w, f, offset, len);
        else
            (void)gw_imb_packet(ctx, w, f, offset, len);
        offset += len;
    }
    return first;
}

/* Whether |got| is about a frame before the last one, which was answered already: one whose packets
 * a path repeats is answered once more. */
static bool is_again(gw_ctx *ctx, const gw_imb_worker *w, const gw_imb_got *got)
{
    const gw_imb_state *s = gw_case_state(ctx);

    if (!gw_case_repeats(ctx) || got->p.kind != GW_IMS_IS_ACK || !got->p.has_body ||
        got->p.ack.va == w->last)
        return false;
    for (unsigned i = 0; i < GW_ARRAY_LEN(s->answered) && i < s->num_answered; i++)
        if (s->answered[i].va == got->p.ack.va && s->answered[i].data_qpn == w->data_qpn)
            return true;
    return false;
}

static void note_answered(gw_ctx *ctx, const gw_imb_worker *w, const gw_imb_got *got)
{
    gw_imb_state *s = gw_case_state(ctx);
    unsigned place = s->num_answered % GW_ARRAY_LEN(s->answered);

    if (got->p.kind != GW_IMS_IS_ACK || !got->p.has_body)
        return;
    s->answered[place].va = got->p.ack.va;
    s->answered[place].data_qpn = w->data_qpn;
    s->num_answered++;
}

bool gw_imb_response(gw_ctx *ctx, const gw_imb_worker *w, gw_imb_got *got, int64_t timeout_ns)
{
    gw_connection *conn = gw_case_connection(ctx);
    int64_t deadline = gw_case_now(conn) + timeout_ns;

    while (gw_imb_next_to(ctx, w->data_qpn, got, deadline - gw_case_now(conn))) {
        if (is_again(ctx, w, got))
            continue;
        note_answered(ctx, w, got);
        return true;
    }
    return false;
}

static bool is_type(const gw_imb_got *got, uint32_t type)
{
    return got->p.kind == GW_IMS_IS_ACK && got->p.has_body && got->p.ack.type == type;
}

/* Where |field|, |in| bytes into a response, stands in |got|; the whole packet where it has none.
 */
static gw_miss miss_at(const gw_imb_got *got, const char *rule, const char *field, uint32_t in)
{
    gw_miss miss = {.rule = rule, .packet = got->number};

    if (got->p.kind != GW_IMS_IS_ACK || !got->p.has_body)
        return miss;
    miss.field = gw_format_field(&gw_ims, field);
    miss.offset = (uint32_t)(got->p.payload - got->bytes) + in;
    return miss;
}

gw_miss gw_imb_type_miss(const gw_imb_got *got, const char *rule, uint32_t expected)
{
    gw_miss miss = miss_at(got, rule, "ims.ack.type", 0);
    miss.expected = expected;
    miss.got = got->p.ack.type;
    return miss;
}

gw_miss gw_imb_events_miss(const gw_imb_got *got, const char *rule, uint32_t expected)
{
    gw_miss miss = miss_at(got, rule, "ims.ack.events", 4);
    miss.expected = expected;
    miss.got = got->p.ack.events;
    return miss;
}

/* A packet that the path delivers twice breaks the sequence: the frame is sent again, as a Worker
 * would. */
static bool is_out_of_step(const gw_ctx *ctx, const gw_imb_got *got)
{
    return gw_case_repeats(ctx) && is_type(got, GW_IMS_TYPE_NACK) &&
           (got->p.ack.events & GW_IMS_OUT_OF_SEQUENCE) != 0;
}

void gw_imb_acked(gw_ctx *ctx, gw_imb_worker *w, const gw_imb_frame *f, const char *rule,
                  const char *what)
{
    gw_imb_got got;
    gw_miss miss = {.rule = rule};
    unsigned tries = 0;

    do {
        if (tries > 0)
            gw_imb_drain(ctx);
        miss.packet = gw_imb_write(ctx, w, f);
        if (!gw_imb_response(ctx, w, &got, gw_case_reply_ns(ctx)))
            gw_case_fail(ctx, &miss, "%s was not answered", what);
    } while (is_out_of_step(ctx, &got) && gw_case_again(ctx, &tries));
    miss = gw_imb_type_miss(&got, rule, GW_IMS_TYPE_ACK);
    if (!is_type(&got, GW_IMS_TYPE_ACK))
        gw_case_fail(ctx, &miss, "%s was not acknowledged: type %" PRIu32 ", events 0x%03" PRIx32,
                     what, got.p.ack.type, got.p.ack.events);
}

void gw_imb_nacked(gw_ctx *ctx, const gw_imb_worker *w, uint32_t events, gw_imb_got *got,
                   const char *rule, const char *what)
{
    gw_miss miss = {.rule = rule};

    if (!gw_imb_response(ctx, w, got, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &miss, "%s was not answered", what);
    miss = gw_imb_type_miss(got, rule, GW_IMS_TYPE_NACK);
    if (!is_type(got, GW_IMS_TYPE_NACK))
        gw_case_fail(ctx, &miss, "%s was not refused: type %" PRIu32, what, got->p.ack.type);
    miss = gw_imb_events_miss(got, rule, got->p.ack.events | events);
    if ((got->p.ack.events & events) != events)
        gw_case_fail(ctx, &miss,
                     "%s was refused with events 0x%03" PRIx32 "; 0x%03" PRIx32
                     " is expected among them",
                     what, got->p.ack.events, events);
}

void gw_imb_no_response(gw_ctx *ctx, const gw_imb_worker *w, const char *rule, const char *after)
{
    gw_imb_got got;
    gw_miss miss = {.rule = rule};

    if (gw_imb_response(ctx, w, &got, gw_case_settle_ns(ctx))) {
        miss.packet = got.number;
        gw_case_fail(ctx, &miss, "a response came after %s; none is expected", after);
    }
}

/* ---- registers ---- */

static uint64_t read_pair(gw_ctx *ctx, uint32_t address)
{
    uint64_t lower = gw_regs_read(ctx, address);
    return (uint64_t)gw_regs_read(ctx, address + 4) << 32 | lower;
}

uint32_t gw_imb_channel(gw_ctx *ctx, const gw_imb_worker *w)
{
    uint32_t channels = gw_regs_read(ctx, GW_IMS_BUF_REG_CHANNELS);

    for (uint32_t i = 1; i <= channels && i <= GW_IMS_BUF_MAX_CHANNELS; i++) {
        uint32_t at = i * GW_IMS_BUF_CHANNEL;
        if (gw_regs_read(ctx, at + GW_IMS_BUF_REG_QPN) == w->buffer_qpn)
            return at;
    }
    gw_case_inconc(ctx, "no registers belong to queue pair 0x%" PRIx32, w->buffer_qpn);
}

uint64_t gw_imb_ring(gw_ctx *ctx)
{
    return read_pair(ctx, GW_IMS_BUF_REG_RING);
}

uint32_t gw_imb_margin(gw_ctx *ctx)
{
    return gw_regs_read(ctx, GW_IMS_BUF_REG_FRAME);
}

uint32_t gw_imb_memory(gw_ctx *ctx, const gw_imb_worker *w, uint64_t offset)
{
    uint64_t ring = gw_imb_ring(ctx);
    uint32_t number = gw_imb_channel(ctx, w) / GW_IMS_BUF_CHANNEL - 1;
    return gw_regs_read(ctx, GW_IMS_BUF_MEMORY + (uint32_t)(number * ring + offset));
}

void gw_imb_hold(gw_ctx *ctx, const gw_imb_worker *w)
{
    gw_regs_write(ctx, gw_imb_channel(ctx, w) + GW_IMS_BUF_REG_EXPOSE, 0);
}

void gw_imb_read_pointer(gw_ctx *ctx, const gw_imb_worker *w, uint64_t va)
{
    uint32_t at = gw_imb_channel(ctx, w) + GW_IMS_BUF_REG_READ;
    gw_regs_write(ctx, at, (uint32_t)va);
    gw_regs_write(ctx, at + 4, (uint32_t)(va >> 32));
}
