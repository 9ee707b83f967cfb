/* SPDX-License-Identifier: BSD-2-Clause */
/* InfiniBand packets as an adapter sees them. */
#include "ib_packet.h"

#include <stdio.h>
#include <string.h>

#include "goldwire/cursor.h"
#include "goldwire/writer.h"
#include "harness/checksum.h"

#define CONTROLLED_QKEY UINT32_C(0x80000000) /* IBTA 10.2.4: replaced by the sender's own */
#define DEFAULT_PKEY 0xffff
#define MTU_MIN 256

/* What an opcode says beside its service. */
typedef struct kind {
    uint8_t opcode;
    bool datagram;
    bool write;
    bool first;
    bool last;
    bool has_imm;
} kind;

static const kind kinds[] = {
    {GW_IB_UD_SEND_ONLY, .datagram = true, .first = true, .last = true},
    {GW_IB_UD_SEND_ONLY_IMM, .datagram = true, .first = true, .last = true, .has_imm = true},
    {GW_IB_UC_SEND_ONLY, .first = true, .last = true},
    {GW_IB_UC_SEND_ONLY_IMM, .first = true, .last = true, .has_imm = true},
    {GW_IB_UC_WRITE_FIRST, .write = true, .first = true},
    {GW_IB_UC_WRITE_MIDDLE, .write = true},
    {GW_IB_UC_WRITE_LAST, .write = true, .last = true},
    {GW_IB_UC_WRITE_LAST_IMM, .write = true, .last = true, .has_imm = true},
    {GW_IB_UC_WRITE_ONLY, .write = true, .first = true, .last = true},
    {GW_IB_UC_WRITE_ONLY_IMM, .write = true, .first = true, .last = true, .has_imm = true},
};

static const kind *kind_of(uint8_t opcode)
{
    for (size_t i = 0; i < GW_ARRAY_LEN(kinds); i++) {
        if (kinds[i].opcode == opcode)
            return &kinds[i];
    }
    return NULL;
}

/* Takes the headers that |k| has off |c|. */
static bool read_headers(gw_ib_sent *out, const kind *k, gw_cursor *c)
{
    const uint8_t *p = NULL;
    if (k->datagram) {
        if (!gw_cursor_bytes(c, &p, GW_IB_DETH))
            return false;
        out->deth = gw_ib_get_deth(p);
    }
    if (k->write && k->first) {
        if (!gw_cursor_bytes(c, &p, GW_IB_RETH))
            return false;
        out->reth = gw_ib_get_reth(p);
    }
    if (k->has_imm) {
        if (!gw_cursor_bytes(c, &p, GW_IB_IMM))
            return false;
        out->imm = gw_load_be32(p);
    }
    return true;
}

/* Takes BTH, headers and payload, everything but the ICRC. */
static bool read_packet(gw_ib_sent *out, gw_cursor *c, char *why, size_t why_cap)
{
    const uint8_t *p = NULL;
    *out = (gw_ib_sent){0};
    if (!gw_cursor_bytes(c, &p, GW_IB_BTH)) {
        (void)snprintf(why, why_cap, "no whole BTH");
        return false;
    }
    out->bth = gw_ib_get_bth(p);
    const kind *k = kind_of(out->bth.opcode);
    if (k == NULL) {
        (void)snprintf(why, why_cap, "opcode 0x%02x is none that goes through an adapter here",
                       out->bth.opcode);
        return false;
    }
    out->datagram = k->datagram;
    out->write = k->write;
    out->first = k->first;
    out->last = k->last;
    out->has_imm = k->has_imm;
    if (!read_headers(out, k, c) || gw_cursor_left(c) < out->bth.pad) {
        (void)snprintf(why, why_cap, "opcode 0x%02x: the packet ends within its headers",
                       out->bth.opcode);
        return false;
    }
    out->len = gw_cursor_left(c) - out->bth.pad;
    if ((out->len + out->bth.pad) % 4 != 0) {
        (void)snprintf(why, why_cap, "%zu bytes of payload, padded with %u: an adapter pads to 4",
                       out->len, out->bth.pad);
        return false;
    }
    out->payload = c->p;
    return true;
}

bool gw_ib_read_sent(gw_ib_sent *out, const uint8_t *packet, size_t len, const gw_endpoint *here,
                     const gw_endpoint *there, char *why, size_t why_cap)
{
    if (gw_ib_judge_udp(&gw_fast_env, here, there, packet, len, false) != GW_IB_RIGHT) {
        (void)snprintf(why, why_cap, "an adapter sends no wrong ICRC");
        return false;
    }
    gw_cursor c = gw_cursor_over(packet, len - GW_IB_ICRC);
    if (!read_packet(out, &c, why, why_cap))
        return false;
    if (out->datagram && (out->deth.qkey & CONTROLLED_QKEY) != 0) {
        (void)snprintf(why, why_cap,
                       "Q_Key 0x%08x: an adapter puts its own in place of one with "
                       "the highest bit set",
                       out->deth.qkey);
        return false;
    }
    return true;
}

/* ---- messages ---- */

bool gw_ib_is_mtu(uint32_t bytes)
{
    return bytes >= MTU_MIN && bytes <= GW_IB_MTU_MAX && (bytes & (bytes - 1)) == 0;
}

static bool begin(gw_ib_message *m, const gw_ib_sent *p, uint32_t mtu, char *why, size_t why_cap)
{
    if (m->open) {
        (void)snprintf(why, why_cap, "a message begins before the last one has ended");
        return false;
    }
    if (!p->last && (p->len > mtu || !gw_ib_is_mtu((uint32_t)p->len))) {
        (void)snprintf(why, why_cap,
                       "packets of %zu bytes: an adapter cuts at 256, 512, 1024, 2048 or 4096, "
                       "this one at %u or less",
                       p->len, mtu);
        return false;
    }
    *m = (gw_ib_message){
        .open = true,
        .dest_qp = p->bth.dest_qp,
        .psn = p->bth.psn,
        .next = p->bth.psn,
        .packet = p->last ? mtu : (uint32_t)p->len,
        .reth = p->reth,
    };
    return true;
}

/* Whether |p| may come next, wherever in the message it lies. */
static bool fits(const gw_ib_message *m, const gw_ib_sent *p, char *why, size_t why_cap)
{
    bool whole = p->last ? p->len <= m->packet : p->len == m->packet;
    if (p->bth.psn != m->next)
        (void)snprintf(why, why_cap, "PSN 0x%06x where an adapter sends 0x%06x", p->bth.psn,
                       m->next);
    else if (p->bth.dest_qp != m->dest_qp)
        (void)snprintf(why, why_cap, "a message to queue pair 0x%06x goes on to 0x%06x", m->dest_qp,
                       p->bth.dest_qp);
    else if (!whole)
        (void)snprintf(why, why_cap, "%zu bytes in a packet of a message that is cut at %u", p->len,
                       m->packet);
    else if (p->write && p->len > m->reth.length - m->got)
        (void)snprintf(why, why_cap, "more bytes than the %u of the RETH", m->reth.length);
    else if (p->write && p->last && p->len < m->reth.length - m->got)
        (void)snprintf(why, why_cap, "less bytes than the %u of the RETH", m->reth.length);
    else
        return true;
    return false;
}

bool gw_ib_gather(gw_ib_message *m, const gw_ib_sent *p, uint32_t mtu, uint32_t *offset, char *why,
                  size_t why_cap)
{
    bool good = false;
    if (!p->first && !m->open)
        (void)snprintf(why, why_cap, "a packet of a message without beginning");
    else if (!p->first || begin(m, p, mtu, why, why_cap))
        good = fits(m, p, why, why_cap);
    m->open = good && !p->last;
    if (!good)
        return false;
    *offset = m->got;
    m->got += (uint32_t)p->len;
    m->next = (m->next + 1) & GW_IB_NUMBER_MASK;
    return true;
}

/* ---- what came ---- */

static uint8_t opcode_of(const gw_ib_came *c)
{
    if (c->datagram)
        return c->has_imm ? GW_IB_UD_SEND_ONLY_IMM : GW_IB_UD_SEND_ONLY;
    return c->has_imm ? GW_IB_UC_SEND_ONLY_IMM : GW_IB_UC_SEND_ONLY;
}

size_t gw_ib_write_came(uint8_t *out, size_t cap, const gw_ib_came *c, const gw_endpoint *here,
                        const gw_endpoint *there)
{
    uint8_t header[GW_IB_BTH];
    uint8_t datagram[GW_IB_DETH];
    gw_writer w = gw_writer_over(out, cap);
    gw_ib_bth bth = {
        .opcode = opcode_of(c),
        .pad = (uint8_t)(-c->len & 3),
        .pkey = DEFAULT_PKEY,
        .dest_qp = c->dest_qp,
        .psn = c->psn,
    };
    gw_ib_deth deth = {.qkey = c->qkey, .src_qp = c->src_qp};

    gw_ib_put_bth(header, &bth);
    gw_ib_put_deth(datagram, &deth);
    gw_write_bytes(&w, header, sizeof(header));
    if (c->datagram)
        gw_write_bytes(&w, datagram, sizeof(datagram));
    if (c->has_imm)
        gw_write_be(&w, c->imm, GW_IB_IMM);
    gw_write_bytes(&w, c->payload, c->len);
    gw_write_zeros(&w, bth.pad);
    return w.full ? 0 : gw_ib_close_udp(out, cap, out, w.len, there, here, 0);
}
