/* SPDX-License-Identifier: BSD-2-Clause */
/* What a message asks of the board that receives it, format by format. */
#include "inspect/nature.h"

#include <string.h>

#include "goldwire/etherbone.h"
#include "goldwire/ims.h"
#include "goldwire/l1farm.h"
#include "goldwire/op2p.h"
#include "goldwire/textarossa.h"

/* Where touches go. */
typedef struct teller {
    gw_touch_fn touch;
    void *ctx;
} teller;

static void tell(const teller *t, gw_touch_kind kind, uint64_t first, uint64_t len)
{
    uint64_t last = len - 1 > UINT64_MAX - first ? UINT64_MAX : first + len - 1;
    gw_touch touch = {.first = first, .last = last, .kind = (uint8_t)kind};
    if (t->touch != NULL && len > 0)
        t->touch(t->ctx, &touch);
}

/* ---- EtherBone ---- */

static void tell_record(const teller *t, const gw_eb_layout *layout, const gw_eb_record *record)
{
    uint64_t step = (record->flags & GW_EB_WFF) != 0 ? 0 : layout->data_bytes;
    gw_touch_kind write = (record->flags & GW_EB_WCA) != 0 ? GW_TOUCH_CONFIG : GW_TOUCH_WRITE;
    if (record->wcount > 0)
        tell(t, write, record->write_base, step * (record->wcount - 1u) + layout->data_bytes);
    for (unsigned i = 0; i < record->rcount && (record->flags & GW_EB_RCA) == 0; i++)
        tell(t, GW_TOUCH_READ, gw_eb_read_addr(layout, record, i), layout->data_bytes);
}

static gw_nature etherbone(const gw_dialect *dialect, const gw_message *message, const teller *t)
{
    gw_nature n = {.kind = "packet"};
    gw_eb_reader reader;
    gw_eb_record record;
    bool reads = false;
    bool writes = false;

    if (message->part == GW_EB_BANNER || message->part == GW_EB_LOST) {
        n.opaque = message->part == GW_EB_LOST;
        return n;
    }
    bool open = gw_eb_open(&reader, message, dialect);
    while (open && gw_eb_next(&reader, &record)) {
        reads = reads || record.rcount > 0;
        writes = writes || record.wcount > 0;
        tell_record(t, &reader.layout, &record);
    }
    bool probes = reader.has_header && (reader.header.flags & GW_EB_PF) != 0;
    n.opaque = reader.error.kind != GW_OK && !probes;
    n.asks = reads || probes;
    n.changes = writes;
    if (reads || writes)
        n.kind = !writes ? "read" : reads ? "write and read" : "write";
    else if (probes)
        n.kind = "probe";
    return n;
}

/* ---- OP2P ---- */

static gw_nature op2p(const gw_message *message, const teller *t)
{
    gw_op2p_packet p = {0};
    gw_error error = gw_op2p_decode(&p, message);
    gw_nature n = {.kind = "link event", .changes = true, .opaque = error.kind != GW_OK};

    /* Flow control, a channel that comes up or goes down: nobody asked for that. */
    n.chatter = !p.has_header && p.has_shim && p.shim.kind != GW_OP2P_KIND_PDU;

    if (!p.has_header)
        return n;
    const gw_op2p_header *h = &p.header;
    uint64_t first = h->dst_addr & ~UINT32_C(3);
    uint64_t skipped = h->dst_addr & 3;
    switch (h->type) {
    case GW_OP2P_READ:
        n.kind = "read";
        n.asks = true;
        n.changes = false;
        tell(t, GW_TOUCH_READ, first, skipped + h->byte_count);
        return n;
    case GW_OP2P_COMPLETION:
        n.kind = "completion";
        break;
    default:
        n.kind = h->type == GW_OP2P_WRITE ? "write" : "packet";
        break;
    }
    /* Whatever its type says: bytes behind a header may end up where the header points. */
    uint64_t sent = p.payload_sent > h->byte_count ? p.payload_sent : h->byte_count;
    if (p.payload_sent > 0)
        tell(t, GW_TOUCH_WRITE, first, skipped + sent);
    return n;
}

/* ---- TEXTAROSSA ---- */

static gw_nature textarossa(const gw_message *message)
{
    gw_nature n = {.kind = "packet", .asks = true, .changes = true};

    if (message->part == GW_TX_PART_IDLE)
        n = (gw_nature){.kind = "credit", .changes = true, .chatter = true};
    else if (message->part == GW_TX_PART_STRAY)
        n = (gw_nature){.kind = "stray bytes", .changes = true};
    return n;
}

/* ---- IMS ---- */

static gw_nature ims(const gw_dialect *dialect, const gw_message *message, const teller *t)
{
    static const char *const methods[GW_IMS_NUM_METHODS] = {
        "STAT_REQ", "STAT_RES", "STAT_TERM", "STAT_DOWN",
        "DATA_REQ", "DATA_RES", "DATA_TERM", "DATA_DOWN",
    };
    gw_ims_packet p = {0};
    gw_nature n = {.kind = "packet", .changes = true};

    n.opaque = gw_ims_decode(&p, message, dialect).kind != GW_OK && !p.has_bth;
    if (p.kind == GW_IMS_IS_STATUS && p.has_body) {
        bool known = p.status.method < GW_IMS_NUM_METHODS;
        n.kind = known ? methods[p.status.method] : "status packet";
        n.asks = known && (p.status.method & GW_IMS_RESPONSE) == 0;
    } else if (p.kind == GW_IMS_IS_ACK) {
        n.kind = "response";
    } else if (p.kind == GW_IMS_IS_DATA) {
        n.kind = "frame";
        n.asks = p.last;
    }
    /* The packets behind the first one go where that one said, and no farther than it is long; what
     * is longer than it says is the buffer's to refuse. */
    if (p.has_reth)
        tell(t, GW_TOUCH_WRITE, p.reth.va,
             p.reth.length > p.payload_sent ? p.reth.length : p.payload_sent);
    return n;
}

/* ---- the Level-1 farm ---- */

/* Where a readout unit's descriptors lie, behind the registers of its DMA engine. */
#define DESCRIPTORS_AT UINT64_C(0x500)

static const char *const tunnel_kinds[GW_L1_NUM_KINDS] = {
    "sub-event",   "tag",       "tag line edge", "result",   "SCI packet", "register",  "released",
    "descriptors", "ODE block", "decision",      "time-out", "entered",    "listening",
};

static void tell_register(const teller *t, const gw_l1_register *r)
{
    uint64_t at = r->offset + (r->bar == 0 ? 0 : DESCRIPTORS_AT);
    tell(t, r->op == GW_L1_WRITE ? GW_TOUCH_WRITE : GW_TOUCH_READ, at, 4);
}

static gw_nature l1farm(const gw_dialect *dialect, const gw_message *message, const teller *t)
{
    gw_l1_unit u = {0};
    gw_nature n = {.kind = "packet", .changes = true};

    n.opaque = gw_l1_decode(&u, message, dialect).kind != GW_OK || u.has == GW_L1_HAS_SCI;
    if (!u.has_shim)
        return n;
    if (u.shim.kind < GW_L1_NUM_KINDS)
        n.kind = tunnel_kinds[u.shim.kind];
    switch (u.shim.kind) {
    case GW_L1_KIND_SUBEVENT:
        tell(t, GW_TOUCH_WRITE, (uint64_t)u.shim.buffer * GW_L1_SUBEVENT_MAX + u.shim.offset,
             u.shim.length);
        break;
    case GW_L1_KIND_DESCRIPTORS:
        tell(t, GW_TOUCH_WRITE, DESCRIPTORS_AT + u.shim.offset, u.shim.length);
        break;
    case GW_L1_KIND_REGISTER:
        if (u.has != GW_L1_HAS_REGISTER)
            break;
        n.asks = u.u.reg.op == GW_L1_READ;
        n.changes = !n.asks;
        tell_register(t, &u.u.reg);
        break;
    case GW_L1_KIND_LISTEN:
        n.asks = true;
        break;
    default:
        break;
    }
    return n;
}

gw_nature gw_nature_of(const gw_format *format, const gw_dialect *dialect,
                       const gw_message *message, gw_touch_fn touch, void *ctx)
{
    teller t = {touch, ctx};

    if (format == &gw_etherbone)
        return etherbone(dialect, message, &t);
    if (format == &gw_op2p)
        return op2p(message, &t);
    if (format == &gw_textarossa)
        return textarossa(message);
    if (format == &gw_ims)
        return ims(dialect, message, &t);
    if (format == &gw_l1farm)
        return l1farm(dialect, message, &t);
    return (gw_nature){.kind = "message", .changes = true, .opaque = true};
}

bool gw_nature_chatter(const gw_field *field)
{
    static const char credit[] = "textarossa.credit.";
    return strncmp(field->name, credit, sizeof(credit) - 1) == 0;
}
