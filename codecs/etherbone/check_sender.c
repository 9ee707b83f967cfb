/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a master or a slave sent the message that is judged, and which rule it owes then. */
#include "etherbone/check.h"

#include "core/check.h"

bool gw_eb_check_is_reply(gw_eb_checking *c)
{
    if (c->reply != GW_EB_NOT_ASKED)
        return c->reply == GW_EB_IS_REPLY;

    bool reply = false;
    switch (gw_eb_role_of(c->message, c->judge.dialect)) {
    case GW_EB_RESPONSE:
    case GW_EB_PROBE_RESPONSE:
        reply = true;
        break;
    case GW_EB_ROLE_UNKNOWN:
        reply = gw_eb_is_service_port(c->message->src.port) &&
                !gw_eb_is_service_port(c->message->dst.port);
        break;
    default:
        break;
    }
    c->reply = reply ? GW_EB_IS_REPLY : GW_EB_IS_NO_REPLY;
    return reply;
}

enum gw_eb_rule_place gw_eb_check_rule(gw_eb_checking *c, enum gw_eb_rule_place master,
                                       enum gw_eb_rule_place slave)
{
    return gw_eb_check_is_reply(c) ? slave : master;
}

bool gw_eb_check_value(gw_eb_checking *c, enum gw_eb_rule_place master, enum gw_eb_rule_place slave,
                       int field, uint32_t start, uint64_t value)
{
    const gw_field *f = gw_eb_field(field);

    if (gw_field_legal(f, value))
        return true;
    gw_check_report(&c->judge, &gw_eb_rules[gw_eb_check_rule(c, master, slave)], f, value,
                    start + f->byte);
    return false;
}
