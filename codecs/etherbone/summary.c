/* SPDX-License-Identifier: BSD-2-Clause */
/* One line for people: "Write 8 @ 0x7ffffff0 FIFO". */
#include "etherbone/internal.h"

static void widths(gw_text *t, uint8_t mask)
{
    static const char *const name[] = {"8", "16", "32", "64"};

    for (unsigned half = 0; half < 2; half++) {
        unsigned nibble = half == 0 ? gw_eb_addr_code(mask) : gw_eb_port_code(mask);
        const char *before = half == 0 ? " a" : " d";
        for (unsigned i = 0; i < 4; i++) {
            if ((nibble & 1u << i) == 0)
                continue;
            gw_text_str(t, before);
            gw_text_str(t, name[i]);
            before = "/";
        }
        if (nibble == 0) {
            gw_text_str(t, before);
            gw_text_str(t, "?");
        }
    }
}

static void writes(gw_text *t, const gw_eb_record *r, bool reply)
{
    gw_text_str(t, reply ? "Reply " : "Write ");
    gw_text_dec(t, r->wcount);
    gw_text_str(t, r->flags & GW_EB_WCA ? " @ config " : " @ ");
    gw_text_hex(t, r->write_base, 1);
    if (r->flags & GW_EB_WFF)
        gw_text_str(t, " FIFO");
}

static void reads(gw_text *t, const gw_eb_layout *l, const gw_eb_record *r)
{
    gw_text_str(t, "Read ");
    gw_text_dec(t, r->rcount);
    gw_text_str(t, r->flags & GW_EB_RCA ? " @ config " : " @ ");
    gw_text_hex(t, gw_eb_read_addr(l, r, 0), 1);
    if (r->rcount > 1)
        gw_text_str(t, "...");
}

static void records(gw_text *t, gw_eb_reader *reader, bool reply)
{
    enum { SHOWN = 3 };
    gw_eb_record record;
    unsigned shown = 0, hidden = 0, empty = 0;

    while (gw_eb_next(reader, &record)) {
        if (record.wcount == 0 && record.rcount == 0) {
            empty++;
            continue;
        }
        if (shown == SHOWN) {
            hidden++;
            continue;
        }
        if (shown++ > 0)
            gw_text_str(t, "; ");
        if (record.wcount > 0)
            writes(t, &record, reply);
        if (record.wcount > 0 && record.rcount > 0)
            gw_text_str(t, ", ");
        if (record.rcount > 0)
            reads(t, &reader->layout, &record);
    }
    if (hidden > 0) {
        gw_text_str(t, "; ");
        gw_text_dec(t, hidden);
        gw_text_str(t, " more");
    }
    if (shown == 0) {
        if (empty == 0)
            gw_text_str(t, reader->has_header && reader->error.kind == GW_OK ? "Header" : "Record");
        else
            gw_text_str(t, empty == 1 ? "Empty record" : "Empty records");
    }
}

/* Only what comes from a server's port can be a reply: no other message's records are looked at
 * before they are told. */
static bool is_reply(const gw_message *message, gw_eb_reader reader)
{
    return gw_eb_role_of_records(message, false) == GW_EB_RESPONSE && !gw_eb_reads_any(reader);
}

void gw_eb_summary(const gw_message *message, const gw_dialect *dialect, gw_text *t)
{
    gw_eb_reader reader;

    if (message->part == GW_EB_BANNER) {
        gw_text_str(t, "Server banner");
        return;
    }
    if (message->part == GW_EB_LOST) {
        gw_text_str(t, "Stream bytes that cannot be placed");
        return;
    }
    bool open = gw_eb_open(&reader, message, dialect);
    gw_eb_role role;
    (void)gw_eb_role_of_header(&reader, open, &role);
    if (role == GW_EB_PROBE || role == GW_EB_PROBE_RESPONSE) {
        gw_text_str(t, role == GW_EB_PROBE ? "Probe" : "Probe response");
        widths(t, reader.header.widths);
    } else if (open && message->part == GW_EB_HEAD) {
        gw_text_str(t, "Stream header");
        widths(t, reader.header.widths);
    } else if (open) {
        records(t, &reader, is_reply(message, reader));
    } else {
        gw_text_str(t, "Header");
    }
    gw_text_end(t, &reader.error);
}
