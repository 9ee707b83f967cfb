/* SPDX-License-Identifier: BSD-2-Clause */
/* What a unit of the Level-1 farm asks of its receiver. */
#include "core/access.h"
#include "l1farm/internal.h"

/* Where a readout unit's descriptors lie, behind the registers of its DMA engine. */
#define DESCRIPTORS_AT UINT64_C(0x500)

static void report_register(const gw_access_sink *to, const gw_l1_register *r)
{
    uint64_t at = r->offset + (r->bar == 0 ? 0 : DESCRIPTORS_AT);
    gw_report_access(to, r->op == GW_L1_WRITE ? GW_ACCESS_WRITE : GW_ACCESS_READ, at, 4);
}

static const char *packet(const gw_l1_sci *s, const gw_l1_profile *profile)
{
    const char *block = gw_l1_sci_has_head(s) ? gw_l1_block_name(s, profile) : NULL;

    switch (s->kind) {
    case GW_L1_SCI_SEND:
        return block != NULL ? block : "send";
    case GW_L1_SCI_IS_ECHO:
        return "echo";
    case GW_L1_SCI_IS_SPECIAL:
        return "special packet";
    case GW_L1_SCI_IDLE:
        return "idle symbols";
    default:
        return "packet";
    }
}

/* What a frame of a captured link is. */
static const char *frame(const gw_l1_unit *u, const gw_l1_profile *profile)
{
    if (u->has_memory)
        return "burst";
    switch (u->has) {
    case GW_L1_HAS_SCI:
        return packet(&u->u.sci, profile);
    case GW_L1_HAS_TRACE:
        return "symbols";
    case GW_L1_HAS_TAG:
        return "tag";
    case GW_L1_HAS_EDGE:
        return "tag line edge";
    default:
        return "packet";
    }
}

gw_transaction gw_l1_transaction(const gw_message *message, const gw_dialect *dialect,
                                 const gw_access_sink *accesses)
{
    gw_l1_unit u = {0};
    gw_transaction t = {.kind = "packet", .changes = true};

    t.opaque = gw_l1_decode(&u, message, dialect).kind != GW_OK || u.has == GW_L1_HAS_SCI;
    if (!u.has_shim) {
        t.kind = frame(&u, gw_l1_profile_of(dialect));
        return t;
    }
    const char *name = gw_field_value_name(gw_l1_field(GW_L1_F_KIND), u.shim.kind);
    if (name != NULL)
        t.kind = name;
    switch (u.shim.kind) {
    case GW_L1_KIND_SUBEVENT:
        gw_report_access(accesses, GW_ACCESS_WRITE,
                         (uint64_t)u.shim.buffer * GW_L1_SUBEVENT_MAX + u.shim.offset,
                         u.shim.length);
        break;
    case GW_L1_KIND_DESCRIPTORS:
        gw_report_access(accesses, GW_ACCESS_WRITE, DESCRIPTORS_AT + u.shim.offset, u.shim.length);
        break;
    case GW_L1_KIND_REGISTER:
        if (u.has != GW_L1_HAS_REGISTER)
            break;
        t.asks = u.u.reg.op == GW_L1_READ;
        t.changes = !t.asks;
        report_register(accesses, &u.u.reg);
        break;
    case GW_L1_KIND_LISTEN:
        t.asks = true;
        break;
    default:
        break;
    }
    return t;
}
