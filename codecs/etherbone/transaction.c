/* SPDX-License-Identifier: BSD-2-Clause */
/* What an EtherBone packet asks of a slave. */
#include "core/access.h"
#include "etherbone/internal.h"

static void report_record(const gw_access_sink *to, const gw_eb_layout *layout,
                          const gw_eb_record *record)
{
    uint64_t step = (record->flags & GW_EB_WFF) != 0 ? 0 : layout->data_bytes;
    gw_access_kind write = (record->flags & GW_EB_WCA) != 0 ? GW_ACCESS_CONFIG : GW_ACCESS_WRITE;
    if (record->wcount > 0)
        gw_report_access(to, write, record->write_base,
                         step * (record->wcount - 1u) + layout->data_bytes);
    if ((record->flags & GW_EB_RCA) != 0)
        return;
    //@ split record->rcount;
    for (unsigned i = 0; i < record->rcount; i++)
        gw_report_access(to, GW_ACCESS_READ, gw_eb_read_addr(layout, record, i),
                         layout->data_bytes);
}

gw_transaction gw_eb_transaction(const gw_message *message, const gw_dialect *dialect,
                                 const gw_access_sink *accesses)
{
    gw_transaction t = {.kind = "packet"};
    gw_eb_reader reader;
    gw_eb_record record;
    bool reads = false;
    bool writes = false;

    if (message->part == GW_EB_BANNER || message->part == GW_EB_LOST) {
        t.opaque = message->part == GW_EB_LOST;
        return t;
    }
    bool open = gw_eb_open(&reader, message, dialect);
    while (open && gw_eb_next(&reader, &record)) {
        reads = reads || record.rcount > 0;
        writes = writes || record.wcount > 0;
        report_record(accesses, &reader.layout, &record);
    }
    bool probes = reader.has_header && (reader.header.flags & GW_EB_PF) != 0;
    t.opaque = reader.error.kind != GW_OK && !probes;
    t.asks = reads || probes;
    t.changes = writes;
    if (reads || writes)
        t.kind = !writes ? "read" : reads ? "write and read" : "write";
    else if (probes)
        t.kind = "probe";
    return t;
}
