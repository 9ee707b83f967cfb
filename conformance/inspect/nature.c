/* SPDX-License-Identifier: BSD-2-Clause */
/* What a message asks of the board that receives it, format by format. */
#include "inspect/nature.h"

#include <string.h>

#include "goldwire/etherbone.h"
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
    return (gw_nature){.kind = "message", .changes = true, .opaque = true};
}

bool gw_nature_chatter(const gw_field *field)
{
    static const char credit[] = "textarossa.credit.";
    return strncmp(field->name, credit, sizeof(credit) - 1) == 0;
}
