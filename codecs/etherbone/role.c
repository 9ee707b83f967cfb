/* SPDX-License-Identifier: BSD-2-Clause */
/* What a message is: by content, and by who talks to whom. */
#include "core/check.h"
#include "core/pairs.h"
#include "etherbone/internal.h"

/* 60368 = 0xEBD0 libetherbone and the VHDL cores; 1234 LiteX; 8183 the first test programs. */
const uint16_t gw_eb_service_ports[GW_EB_NUM_SERVICE_PORTS] = {60368, 1234, 8183};

bool gw_eb_is_service_port(uint16_t port)
{
    for (size_t i = 0; i < GW_EB_NUM_SERVICE_PORTS; i++) {
        if (gw_eb_service_ports[i] == port)
            return true;
    }
    return false;
}

bool gw_eb_role_of_header(const gw_eb_reader *r, bool open, gw_eb_role *role)
{
    *role = GW_EB_ROLE_UNKNOWN;
    if (!r->has_header)
        return !open;
    if (r->error.kind == GW_MALFORMED && r->error.offset == 0)
        return true;
    if (r->header.flags & GW_EB_PF)
        *role = GW_EB_PROBE;
    else if (r->header.flags & GW_EB_PR)
        *role = GW_EB_PROBE_RESPONSE;
    return *role != GW_EB_ROLE_UNKNOWN;
}

gw_eb_role gw_eb_role_of_records(const gw_message *message, bool reads)
{
    if (reads)
        return GW_EB_REQUEST;
    bool to_service = gw_eb_is_service_port(message->dst.port);
    bool from_service = gw_eb_is_service_port(message->src.port);
    if (to_service == from_service)
        return GW_EB_ONE_WAY;
    return to_service ? GW_EB_REQUEST : GW_EB_RESPONSE;
}

bool gw_eb_reads_any(gw_eb_reader r)
{
    gw_eb_record record;

    while (gw_eb_next(&r, &record)) {
        if (record.rcount > 0)
            return true;
    }
    return false;
}

gw_eb_role gw_eb_role_of(const gw_message *message, const gw_dialect *dialect)
{
    gw_eb_reader r;
    gw_eb_role role;
    bool open = gw_eb_open(&r, message, dialect);

    if (gw_eb_role_of_header(&r, open, &role))
        return role;
    return gw_eb_role_of_records(message, open && gw_eb_reads_any(r));
}

bool gw_eb_reads_as_header(const gw_message *m)
{
    gw_eb_layout layout;
    const uint8_t *p = gw_check_bytes(m, 0, GW_EB_BYTES_IN_HEADER);

    return p != NULL && gw_eb_is_v1(p) &&
           (gw_eb_probes(p) || gw_eb_layout_for(&layout, gw_eb_widths_of(p), NULL));
}

static bool has_magic(const gw_message *m)
{
    const uint8_t *p = gw_check_bytes(m, 0, 2);

    return p != NULL && gw_eb_has_magic(p);
}

static bool is_flawless(const gw_message *message, const gw_dialect *dialect)
{
    gw_eb_reader r;
    gw_eb_record record;
    unsigned records = 0;

    if (!gw_eb_open(&r, message, dialect) || (r.header.flags & GW_EB_HEADER_RESERVED))
        return false;
    uint8_t probe = r.header.flags & (GW_EB_PF | GW_EB_PR);
    if (probe != 0)
        return message->len == gw_eb_probe_len(dialect) && probe != (GW_EB_PF | GW_EB_PR) &&
               gw_eb_addr_code(r.header.widths) != 0 && gw_eb_port_code(r.header.widths) != 0;
    if (r.header.tail != 0)
        return false;
    while (gw_eb_next(&r, &record)) {
        if (record.flags & (GW_EB_RESERVED_10 | GW_EB_RESERVED_01))
            return false;
        records++;
    }
    return r.error.kind == GW_OK && records > 0;
}

/* A datagram of no known port is ours only when everything about it fits, as some device would send
 * it: nobody else's traffic may be claimed. Foreign bytes pass the magic once in 65 536, so the
 * rest has to be flawless. */
bool gw_eb_claims(const gw_message *message)
{
    const uint8_t *p = gw_check_bytes(message, 0, GW_EB_PROBE_LEN);

    if (p == NULL || message->cap_len != message->len || message->part != GW_EB_PACKET ||
        !gw_eb_is_v1(p))
        return false;
    for (size_t i = 0; i < GW_EB_NUM_DIALECTS; i++) {
        if (is_flawless(message, &gw_eb_dialects[i]))
            return true;
    }
    return false;
}

/* On a port of ours the magic is enough, whatever is wrong behind it; in a stream also what only
 * follows a header. */
static bool meet(void *state, const gw_message *message, const gw_dialect *dialect)
{
    bool plausible = message->part == GW_EB_RECORD || message->part == GW_EB_BANNER ||
                     (message->part != GW_EB_LOST && has_magic(message));

    (void)dialect;
    return gw_pairs_meet(state, message, plausible);
}

const gw_introduction_ops gw_eb_introductions = {
    .size = GW_PAIRS_SIZE,
    .init = gw_pairs_init,
    .meet = meet,
    .knows = gw_pairs_know,
};
