/* SPDX-License-Identifier: BSD-2-Clause */
/* Taking InfiniBand packets out of what wraps them, and wrapping them. */
#include <string.h>

#include "goldwire/cursor.h"
#include "goldwire/ib.h"
#include "goldwire/writer.h"

enum {
    LNH_LOCAL = 2, /* a BTH follows the LRH */
    LNH_GLOBAL = 3,
    PACKET_WORDS = 0x7ff, /* mask of the LRH's packet length */
    NEXT_BTH = 0x1b,      /* next header of a GRH */
    HAS_QP = 3,           /* places in an endpoint of family LID */
    QP = 5,
};

uint16_t gw_ib_dlid(const uint8_t lrh[GW_IB_LRH])
{
    return gw_load_be16(lrh + 2);
}

uint16_t gw_ib_slid(const uint8_t lrh[GW_IB_LRH])
{
    return gw_load_be16(lrh + 6);
}

void gw_ib_put_lrh(uint8_t out[GW_IB_LRH], uint8_t vl, uint8_t sl, uint16_t dlid, uint16_t slid,
                   size_t packet_len, bool has_grh)
{
    size_t len = GW_IB_LRH + (has_grh ? (size_t)GW_IB_GRH : 0) + packet_len + GW_IB_ICRC;

    out[0] = (uint8_t)(vl << 4);
    out[1] = (uint8_t)(sl << 4 | (has_grh ? LNH_GLOBAL : LNH_LOCAL));
    gw_store_be(out + 2, dlid, 2);
    gw_store_be(out + 4, len / 4 & PACKET_WORDS, 2);
    gw_store_be(out + 6, slid, 2);
}

gw_endpoint gw_ib_lid_endpoint(uint16_t lid)
{
    gw_endpoint end = {.family = GW_FAMILY_LID};

    gw_store_be(end.ip, lid, 2);
    return end;
}

void gw_ib_endpoint_set_qp(gw_endpoint *end, uint32_t qp)
{
    end->ip[HAS_QP] = 1;
    gw_store_be(end->ip + QP, qp, 3);
}

uint16_t gw_ib_endpoint_lid(const gw_endpoint *end)
{
    return gw_load_be16(end->ip);
}

bool gw_ib_endpoint_qp(const gw_endpoint *end, uint32_t *qp)
{
    *qp = (uint32_t)gw_load_be(end->ip + QP, 3);
    return end->ip[HAS_QP] == 1;
}

/* ---- RoCEv2 ---- */

static gw_ib_verdict judge(uint32_t came, uint32_t due)
{
    return came == due ? GW_IB_RIGHT : GW_IB_WRONG;
}

bool gw_ib_open_udp(gw_ib *out, gw_message *m)
{
    if (m->len < GW_IB_ICRC)
        return false;
    *out = (gw_ib){0};
    if (m->cap_len == m->len) {
        uint32_t at = m->cap_len - GW_IB_ICRC;
        out->icrc = gw_load_le32(m->data + at);
        if (m->lower != NULL) {
            out->icrc_due = gw_ib_icrc_roce(NULL, m->lower, m->lower_len, m->data, at);
            out->icrc_verdict = (uint8_t)judge(out->icrc, out->icrc_due);
        }
    }
    m->len -= GW_IB_ICRC;
    if (m->cap_len > m->len)
        m->cap_len = m->len;
    m->ib = out;
    return true;
}

size_t gw_ib_close_udp(uint8_t *out, size_t cap, const uint8_t *packet, size_t len,
                       const gw_endpoint *src, const gw_endpoint *dst, uint32_t flaw)
{
    if (cap < GW_IB_ICRC || cap - GW_IB_ICRC < len)
        return 0;
    uint32_t crc = gw_ib_icrc_udp(NULL, src, dst, packet, len);
    if (len > 0)
        memmove(out, packet, len);
    gw_store_le(out + len, crc ^ flaw, GW_IB_ICRC);
    return len + GW_IB_ICRC;
}

/* ---- native links ---- */

/* Where the parts of a frame lie: offsets from its first byte. */
typedef struct layout {
    uint32_t bth;
    uint32_t icrc;
    uint32_t vcrc;
    bool has_vcrc;
} layout;

/* Reads LRH and GRH. NULL, or what is wrong at *|fault_offset|. */
static const char *read_headers(gw_ib *out, gw_cursor *c, uint32_t *fault_offset)
{
    *fault_offset = 0;
    if (!gw_cursor_bytes(c, &out->lrh, GW_IB_LRH))
        return "LRH: 8 bytes expected";
    *fault_offset = 1;
    switch (out->lrh[1] & 3) {
    case LNH_LOCAL:
        return NULL;
    case LNH_GLOBAL:
        break;
    default:
        return "LRH next header: 2 or 3, a packet with BTH, expected";
    }
    *fault_offset = GW_IB_LRH;
    if (!gw_cursor_bytes(c, &out->grh, GW_IB_GRH))
        return "GRH: 40 bytes expected";
    *fault_offset = GW_IB_LRH + 6;
    return out->grh[6] == NEXT_BTH ? NULL : "GRH next header: 27, a BTH, expected";
}

/* A frame that is not as long as its LRH says ends where it ends, and is taken to have a VCRC. */
static bool lay_out(layout *l, const gw_ib *ib, const gw_message *m)
{
    uint32_t said = ib->header_len;

    l->has_vcrc = m->len != said;
    if (m->len < l->bth + GW_IB_ICRC + (l->has_vcrc ? (uint32_t)GW_IB_VCRC : 0))
        return false;
    l->vcrc = said + GW_IB_VCRC <= m->len ? said : m->len - (l->has_vcrc ? GW_IB_VCRC : 0);
    if (l->vcrc < l->bth + GW_IB_ICRC)
        return false;
    l->icrc = l->vcrc - GW_IB_ICRC;
    return true;
}

/* Checksums are judged in frames that are as long as they say, and whole. The LRH was captured,
 * which is longer than either of them. */
static void judge_crcs(gw_ib *ib, const layout *l, const gw_message *m)
{
    if (ib->frame_len != ib->header_len)
        return;
    if (l->icrc <= m->cap_len - GW_IB_ICRC) {
        ib->icrc = gw_load_le32(m->data + l->icrc);
        ib->icrc_due =
            gw_ib_icrc_native(NULL, ib->lrh, ib->grh, m->data + l->bth, l->icrc - l->bth);
        ib->icrc_verdict = (uint8_t)judge(ib->icrc, ib->icrc_due);
    }
    if (l->has_vcrc && l->vcrc <= m->cap_len - GW_IB_VCRC) {
        ib->vcrc = gw_load_le16(m->data + l->vcrc);
        ib->vcrc_due = gw_ib_vcrc(0, m->data, l->vcrc);
        ib->vcrc_verdict = (uint8_t)judge(ib->vcrc, ib->vcrc_due);
    }
}

static void set_ends(gw_message *m, const gw_ib *ib)
{
    m->src = gw_ib_lid_endpoint(gw_ib_slid(ib->lrh));
    m->dst = gw_ib_lid_endpoint(gw_ib_dlid(ib->lrh));
    if (m->cap_len < GW_IB_BTH)
        return;
    gw_ib_bth bth = gw_ib_get_bth(m->data);
    gw_ib_endpoint_set_qp(&m->dst, bth.dest_qp);
    if ((bth.opcode & GW_IB_SERVICE) == GW_IB_UD && m->cap_len >= GW_IB_BTH + GW_IB_DETH)
        gw_ib_endpoint_set_qp(&m->src, gw_ib_get_deth(m->data + GW_IB_BTH).src_qp);
}

const char *gw_ib_open_native(gw_ib *out, gw_message *m, uint32_t *fault_offset)
{
    gw_cursor c = gw_cursor_over(m->data, m->cap_len);
    layout l;

    *out = (gw_ib){0};
    const char *fault = read_headers(out, &c, fault_offset);
    if (fault != NULL)
        return fault;
    l.bth = gw_cursor_offset(&c);
    //@ split l.bth;
    out->header_len = (gw_load_be16(out->lrh + 4) & PACKET_WORDS) * 4u;
    if (!lay_out(&l, out, m)) {
        *fault_offset = 4;
        return "LRH packet length: room for the headers and an ICRC expected";
    }
    out->frame_len = m->len - (l.has_vcrc ? (uint32_t)GW_IB_VCRC : 0);
    judge_crcs(out, &l, m);
    m->data += l.bth;
    m->cap_len = (m->cap_len < l.icrc ? m->cap_len : l.icrc) - l.bth;
    m->len = l.icrc - l.bth;
    m->ib = out;
    set_ends(m, out);
    return NULL;
}

size_t gw_ib_close_native(uint8_t *out, size_t cap, const uint8_t *lrh, const uint8_t *grh,
                          const uint8_t *packet, size_t len, uint32_t icrc_flaw, uint16_t vcrc_flaw)
{
    gw_writer w = gw_writer_over(out, cap);

    gw_write_bytes(&w, lrh, GW_IB_LRH);
    if (grh != NULL)
        gw_write_bytes(&w, grh, GW_IB_GRH);
    gw_write_bytes(&w, packet, len);
    gw_write_le(&w, gw_ib_icrc_native(NULL, lrh, grh, packet, len) ^ icrc_flaw, GW_IB_ICRC);
    if (w.full)
        return 0;
    gw_write_le(&w, (uint16_t)(gw_ib_vcrc(0, out, w.len) ^ vcrc_flaw), GW_IB_VCRC);
    return w.full ? 0 : w.len;
}
