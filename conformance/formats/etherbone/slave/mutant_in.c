/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutants do to what comes in. */
#include "formats/etherbone/slave/mutants.h"

bool gw_eb_mutant_header(gw_eb_slave *s, gw_eb_header *header)
{
    return s->mutation->header == NULL || s->mutation->header(s, header);
}

bool gw_eb_m_probe_version_1_only(gw_eb_slave *s, gw_eb_header *header)
{
    (void)s;
    return (header->flags & GW_EB_PF) == 0 || header->version == GW_EB_VERSION;
}

bool gw_eb_m_five_bit_version(gw_eb_slave *s, gw_eb_header *header)
{
    bool odd = (header->flags & GW_EB_HEADER_RESERVED) != 0;
    s->kept.version = odd ? (uint8_t)(header->version << 1 | 1) : GW_EB_VERSION;
    return true;
}
