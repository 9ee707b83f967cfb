/* SPDX-License-Identifier: BSD-2-Clause */
/* What a message is: by content, and by who talks to whom. */
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

gw_eb_role gw_eb_role_of(const gw_message *message, const gw_dialect *dialect)
{
    gw_eb_reader r;
    gw_eb_record record;

    bool open = gw_eb_open(&r, message, dialect);
    if (!open && !r.has_header)
        return GW_EB_ROLE_UNKNOWN;
    if (r.has_header) {
        if (r.error.kind == GW_MALFORMED && r.error.offset == 0)
            return GW_EB_ROLE_UNKNOWN;
        if (r.header.flags & GW_EB_PF)
            return GW_EB_PROBE;
        if (r.header.flags & GW_EB_PR)
            return GW_EB_PROBE_RESPONSE;
    }
    while (open && gw_eb_next(&r, &record)) {
        if (record.rcount > 0)
            return GW_EB_REQUEST;
    }
    bool to_service = gw_eb_is_service_port(message->dst.port);
    bool from_service = gw_eb_is_service_port(message->src.port);
    if (to_service == from_service)
        return GW_EB_ONE_WAY;
    return to_service ? GW_EB_REQUEST : GW_EB_RESPONSE;
}

static bool one_bit(unsigned nibble)
{
    return nibble != 0 && (nibble & (nibble - 1)) == 0;
}

bool gw_eb_is_second_header(const gw_message *m)
{
    return m->part == GW_EB_RECORD && m->transport == GW_OVER_TCP && m->cap_len >= 4 &&
           gw_load_be16(m->data) == GW_EB_MAGIC && m->data[2] >> 4 == GW_EB_VERSION &&
           ((m->data[2] & (GW_EB_PF | GW_EB_PR)) != 0 ||
            (one_bit(m->data[3] >> 4) && one_bit(m->data[3] & 15)));
}

/* A datagram of no known port is ours only when everything about it fits: nobody else's traffic may
 * be claimed. Foreign bytes pass the magic once in 65 536, so the rest has to be flawless. */
bool gw_eb_claims(const gw_message *message)
{
    gw_eb_reader r;
    gw_eb_record record;
    unsigned records = 0;

    if (message->cap_len != message->len || message->len < 8 || message->part != GW_EB_PACKET)
        return false;
    if (message->data[0] != GW_EB_MAGIC >> 8 || message->data[1] != (GW_EB_MAGIC & 0xff) ||
        message->data[2] >> 4 != GW_EB_VERSION)
        return false;
    if (!gw_eb_open(&r, message, NULL) || (r.header.flags & GW_EB_HEADER_RESERVED))
        return false;
    uint8_t probe = r.header.flags & (GW_EB_PF | GW_EB_PR);
    if (probe != 0)
        return message->len == 8 && probe != (GW_EB_PF | GW_EB_PR) && r.header.widths >> 4 != 0 &&
               (r.header.widths & 15) != 0;
    while (gw_eb_next(&r, &record)) {
        if (record.flags & (GW_EB_RESERVED_10 | GW_EB_RESERVED_01))
            return false;
        records++;
    }
    return r.error.kind == GW_OK && records > 0;
}
