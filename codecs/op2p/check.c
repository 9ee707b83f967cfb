/* SPDX-License-Identifier: BSD-2-Clause */
/* What one message shows of its sender. */
#include "core/check.h"
#include "op2p/internal.h"

typedef struct checker {
    gw_judge judge;
    const gw_message *message;
    const gw_op2p_packet *p;
    const gw_op2p_header *h;
    uint32_t start; /* of the header */
} checker;

static void report(const checker *c, enum gw_op2p_rule_place rule, int field, const char *text,
                   const uint64_t *numbers)
{
    gw_op2p_report(&c->judge, rule, field, c->start, text, numbers);
}

static bool is_sized(const gw_op2p_header *h)
{
    return gw_op2p_has_payload(h) || h->type == GW_OP2P_READ;
}

/* A completion is as long as its request asked for. */
static void check_count(const checker *c, bool reference)
{
    uint16_t count = c->h->byte_count;

    if (!is_sized(c->h))
        return;
    if (count < 4 || count > GW_OP2P_PAYLOAD_MAX || count % 4 != 0)
        report(c, OP_E06, GW_OP2P_F_BYTE_COUNT,
               "byte count %d; 4 to 1024, a multiple of 4, is allowed", GW_NUMBERS(count));
    else if (reference && c->h->type != GW_OP2P_COMPLETION && count > GW_OP2P_REFERENCE_MAX)
        report(c, OP_E07, GW_OP2P_F_BYTE_COUNT,
               "byte count %d; the reference core handles 1000 at the most", GW_NUMBERS(count));
}

/* A frame that does not end has no length (OP-E31). */
static void check_length(const checker *c)
{
    const gw_op2p_header *h = c->h;
    uint32_t sent = c->p->payload_sent;

    if (c->p->has_shim && (c->p->shim.flags & GW_OP2P_FLAG_NO_EOF) != 0)
        return;
    if (sent % 4 != 0)
        report(c, OP_E01, GW_OP2P_F_BYTE_COUNT,
               "%d bytes follow the header; whole double words are expected", GW_NUMBERS(sent));
    else if (gw_op2p_has_payload(h) && sent != h->byte_count)
        report(c, OP_E04, GW_OP2P_F_BYTE_COUNT, "%d bytes of payload; the byte count says %d",
               GW_NUMBERS(sent, h->byte_count));
    else if ((h->type == GW_OP2P_READ || h->type == GW_OP2P_RETRANSMIT) && sent > 0)
        report(c, OP_E05, GW_OP2P_F_TYPE,
               "%d bytes follow a request that carries none; the reference core sends old data",
               GW_NUMBERS(sent));
}

static void check_ids(const checker *c)
{
    const gw_op2p_header *h = c->h;

    if (h->src_id != 0 && gw_op2p_chassis(h->src_id) == 0)
        report(c, OP_E33, GW_OP2P_F_SRC_ID, "source id %x is in chassis 0", GW_NUMBERS(h->src_id));
    if (h->dst_id != 0 && gw_op2p_chassis(h->dst_id) == 0)
        report(c, OP_E33, GW_OP2P_F_DST_ID, "destination id %x is in chassis 0",
               GW_NUMBERS(h->dst_id));
}

static void check_retransmit(const checker *c)
{
    const gw_op2p_header *h = c->h;

    if (h->type != GW_OP2P_RETRANSMIT)
        return;
    if (h->dst_id != 0)
        report(c, OP_E21, GW_OP2P_F_DST_ID,
               "a retransmit request to %x; it is for the link partner, id 0",
               GW_NUMBERS(h->dst_id));
    if (h->status != GW_OP2P_UNKNOWN_ERROR)
        report(c, OP_E21, GW_OP2P_F_STATUS, "a retransmit request of status %d; 2 is expected",
               GW_NUMBERS(h->status));
}

static void check_packet(const checker *c, bool reference)
{
    const uint8_t *header = gw_check_bytes(c->message, c->start, GW_OP2P_HEADER);

    if (header != NULL)
        (void)gw_check_group(&c->judge, gw_op2p_group(GW_OP2P_G_HEADER), header, c->start);
    check_count(c, reference);
    check_length(c);
    check_ids(c);
    check_retransmit(c);
}

static void check_link(const checker *c)
{
    if (c->p->has_shim && (c->p->shim.flags & GW_OP2P_FLAG_NO_EOF) != 0)
        gw_report(&c->judge, &gw_op2p_rules[OP_E31], gw_op2p_field(GW_OP2P_F_EVENT_FLAGS), 2,
                  "this frame has no end", NULL);
}

/* That a frame does not end is its sender's fault. */
bool gw_op2p_damaged(const gw_op2p_packet *p)
{
    return p->has_shim && (p->shim.flags & GW_OP2P_FLAGS_BAD & ~GW_OP2P_FLAG_NO_EOF) != 0;
}

void gw_op2p_check(const gw_message *message, const gw_dialect *dialect, gw_verdict_sink *sink)
{
    gw_op2p_packet p;
    checker c = {
        .judge = gw_judge_of(message, dialect, sink), .message = message, .p = &p, .h = &p.header};
    gw_error error = gw_op2p_decode(&p, message);

    c.start = p.has_shim ? GW_OP2P_SHIM : 0;
    check_link(&c);
    if (gw_op2p_damaged(&p) || error.capture_cut || error.kind == GW_UNSUPPORTED)
        return;
    if (!p.has_header) {
        if (error.kind == GW_TRUNCATED && (!p.has_shim || p.shim.kind == GW_OP2P_KIND_PDU))
            gw_report(&c.judge, &gw_op2p_rules[OP_E01], error.field, error.offset,
                      "a frame of %d bytes; a header alone has 16",
                      GW_NUMBERS(message->len - c.start));
        return;
    }
    if (message->origin == 0)
        check_packet(&c, gw_op2p_dialect_of(dialect)->reference);
}
