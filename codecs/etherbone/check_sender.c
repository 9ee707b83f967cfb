/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a master or a slave sent the message that is judged, and which rule it owes then. */
#include "etherbone/check.h"

#include "core/check.h"

bool gw_eb_check_from_slave(const gw_message *m)
{
    if (m->side != GW_SIDE_UNKNOWN)
        return m->side == GW_SIDE_CALLED;
    return gw_eb_is_service_port(m->src.port) && !gw_eb_is_service_port(m->dst.port);
}

/* Replies set NR; a bare record of a stream has no header to say so in. */
static enum gw_eb_reply_known known_of(const gw_eb_checking *c)
{
    const gw_message *m = c->message;
    bool nr = !c->reader.has_header || (c->reader.header.flags & GW_EB_NR) != 0;

    if (m->side != GW_SIDE_UNKNOWN)
        return gw_eb_check_from_slave(m) ? GW_EB_IS_REPLY : GW_EB_IS_NO_REPLY;
    switch (gw_eb_role_of(m, c->judge.dialect)) {
    case GW_EB_RESPONSE:
    case GW_EB_PROBE_RESPONSE:
        return GW_EB_IS_REPLY;
    case GW_EB_ROLE_UNKNOWN:
        return gw_eb_check_from_slave(m) ? GW_EB_IS_REPLY : GW_EB_IS_NO_REPLY;
    case GW_EB_ONE_WAY:
        return nr ? GW_EB_MAY_BE_REPLY : GW_EB_IS_NO_REPLY;
    default:
        return GW_EB_IS_NO_REPLY;
    }
}

static enum gw_eb_reply_known known(gw_eb_checking *c)
{
    if (c->reply == GW_EB_NOT_ASKED)
        c->reply = (uint8_t)known_of(c);
    return c->reply;
}

bool gw_eb_check_is_reply(gw_eb_checking *c)
{
    return known(c) == GW_EB_IS_REPLY;
}

bool gw_eb_check_may_be_reply(gw_eb_checking *c)
{
    return known(c) != GW_EB_IS_NO_REPLY;
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
