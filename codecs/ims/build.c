/* SPDX-License-Identifier: BSD-2-Clause */
/* From structs to bytes: what cannot be wrong is computed. */
#include <string.h>

#include "goldwire/writer.h"
#include "ims/internal.h"

#define DEFAULT_PKEY 0xffff

void gw_ims_put_status(uint8_t out[GW_IMS_STATUS], const gw_ims_status *status, gw_ims_order order)
{
    memset(out, 0, GW_IMS_STATUS);
    PUT(out, STATUS_METHOD, order, status->method);
    PUT(out, STATUS_RESERVED, order, status->reserved);
    PUT(out, STATUS_MINOR, order, status->minor);
    PUT(out, STATUS_MAJOR, order, status->major);
    PUT(out, STATUS_LID, order, status->lid);
    PUT(out, STATUS_QPN, order, status->qpn);
    PUT(out + GW_IMS_KEY_AT, STATUS_QKEY, order, status->key);
    PUT(out + GW_IMS_MEMORY_AT, STATUS_VA, order, status->va);
    PUT(out + GW_IMS_MEMORY_AT, STATUS_RKEY, order, status->rkey);
}

void gw_ims_put_ack(uint8_t out[GW_IMS_ACK], const gw_ims_ack *ack, gw_ims_order order)
{
    memset(out, 0, GW_IMS_ACK);
    PUT(out, ACK_TYPE, order, ack->type);
    PUT(out, ACK_EVENTS, order, ack->events);
    PUT(out, ACK_VA, order, ack->va);
}

/* ---- drafts ---- */

static gw_ib_bth bth_of(uint8_t opcode, uint32_t dest_qp, uint32_t psn)
{
    gw_ib_bth bth = {.opcode = opcode, .pkey = DEFAULT_PKEY, .dest_qp = dest_qp, .psn = psn};
    return bth;
}

gw_ims_draft gw_ims_draft_status(uint32_t dest_qp, uint32_t src_qp, uint32_t qkey, uint32_t psn,
                                 const gw_ims_status *status)
{
    gw_ims_draft draft = {
        .bth = bth_of(GW_IB_UD_SEND_ONLY, dest_qp, psn),
        .deth = {.qkey = qkey, .src_qp = src_qp},
        .status = *status,
    };
    return draft;
}

gw_ims_draft gw_ims_draft_ack(uint32_t dest_qp, uint32_t psn, const gw_ims_ack *ack)
{
    gw_ims_draft draft = {.bth = bth_of(GW_IB_UC_SEND_ONLY, dest_qp, psn), .ack = *ack};
    return draft;
}

gw_ims_draft gw_ims_draft_write(uint32_t dest_qp, uint32_t psn, const gw_ib_reth *reth,
                                uint32_t offset, const uint8_t *data, size_t len)
{
    bool first = offset == 0, last = (uint64_t)offset + len >= reth->length;
    uint8_t opcode = GW_IB_UC_WRITE_MIDDLE;

    if (first)
        opcode = last ? GW_IB_UC_WRITE_ONLY : GW_IB_UC_WRITE_FIRST;
    else if (last)
        opcode = GW_IB_UC_WRITE_LAST;
    gw_ims_draft draft = {
        .bth = bth_of(opcode, dest_qp, psn), .reth = *reth, .payload = data, .payload_len = len};
    return draft;
}

static void write_headers(gw_writer *w, const gw_ims_draft *draft, uint8_t pad)
{
    uint8_t bytes[GW_IB_RETH];
    gw_ib_bth bth = draft->bth;

    bth.pad = pad;
    gw_ib_put_bth(bytes, &bth);
    gw_write_bytes(w, bytes, GW_IB_BTH);
    if (gw_ims_has_deth(bth.opcode)) {
        gw_ib_put_deth(bytes, &draft->deth);
        gw_write_bytes(w, bytes, GW_IB_DETH);
    }
    if (gw_ims_has_reth(bth.opcode)) {
        gw_ib_put_reth(bytes, &draft->reth);
        gw_write_bytes(w, bytes, GW_IB_RETH);
    }
    if (gw_ims_has_imm(bth.opcode))
        gw_write_be(w, draft->imm, GW_IB_IMM);
}

static void write_status(gw_writer *w, const gw_ims_status *status, gw_ims_order order)
{
    uint8_t bytes[GW_IMS_STATUS];

    gw_ims_put_status(bytes, status, order);
    gw_write_bytes(w, bytes, sizeof bytes);
}

static void write_ack(gw_writer *w, const gw_ims_ack *ack, gw_ims_order order)
{
    uint8_t bytes[GW_IMS_ACK];

    gw_ims_put_ack(bytes, ack, order);
    gw_write_bytes(w, bytes, sizeof bytes);
}

size_t gw_ims_build(uint8_t *out, size_t cap, const gw_ims_draft *draft, const gw_dialect *dialect)
{
    const gw_ims_dialect *d = gw_ims_dialect_of(dialect);
    gw_writer w = gw_writer_over(out, cap);
    uint8_t opcode = draft->bth.opcode;
    bool status = !draft->raw && gw_ims_has_deth(opcode);
    bool ack = !draft->raw && !status && gw_ims_kind_of(opcode, 0) == GW_IMS_IS_ACK;
    size_t len = status ? GW_IMS_STATUS : ack ? GW_IMS_ACK : draft->payload_len;
    uint8_t pad = (uint8_t)((4 - len % 4) % 4);

    write_headers(&w, draft, pad);
    if (status)
        write_status(&w, &draft->status, (gw_ims_order)d->status_order);
    else if (ack)
        write_ack(&w, &draft->ack, (gw_ims_order)d->ack_order);
    else
        gw_write_bytes(&w, draft->payload, len);
    gw_write_zeros(&w, pad);
    return w.full ? 0 : w.len;
}

size_t gw_ims_build_datagram(uint8_t *out, size_t cap, const gw_ims_draft *draft,
                             const gw_dialect *dialect, const gw_endpoint *src,
                             const gw_endpoint *dst)
{
    size_t len = gw_ims_build(out, cap, draft, dialect);

    return len == 0 ? 0 : gw_ib_close_udp(out, cap, out, len, src, dst, 0);
}

gw_ims_zone gw_ims_zone_of(uint64_t va, uint32_t length, uint64_t rp, uint64_t ring, uint32_t frame)
{
    uint64_t room = ring > frame ? ring - frame : 0; /* from the read pointer to the bound */
    uint64_t ahead = va - rp;

    if (va < rp)
        return GW_IMS_BELOW;
    if (ahead > room || va + length < va)
        return GW_IMS_BEYOND;
    return room - ahead < length ? GW_IMS_GREY : GW_IMS_INSIDE;
}
