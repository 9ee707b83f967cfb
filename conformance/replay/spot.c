/* SPDX-License-Identifier: BSD-2-Clause */
/* What a value in an answer is, by where it was read. */
#include <string.h>

#include "goldwire/op2p.h"
#include "peers/ims_buf.h"
#include "peers/op2p_node.h"
#include "replay/access.h"
#include "replay/remember.h"

#define CONFIG_SDB 8 /* the config space's pointer to the SDB table: 8 bytes (spec 1044) */

/* ---- an EtherBone slave's bus ---- */

static const gw_area *area_at(const gw_replay *r, uint64_t address)
{
    const gw_recorded *recorded = &r->trace->recorded;
    const gw_board_file *board = gw_case_board(r->ctx);
    if (recorded->num_areas > 0)
        return gw_recorded_area(recorded, address, address);
    for (size_t i = 0; i < board->num_areas; i++) {
        if (address - board->areas[i].address < board->areas[i].size)
            return &board->areas[i];
    }
    return NULL;
}

static gw_spot bus_spot(const gw_replay *r, const gw_access_one *a)
{
    gw_spot spot = {.space = GW_SPACE_BUS,
                    .address = a->address & ~(uint64_t)(a->bytes - 1),
                    .lanes = a->lanes};
    if (a->config) {
        spot.space = GW_SPACE_CONFIG;
        if (spot.address - CONFIG_SDB < 8)
            spot.kind = GW_SPOT_MEMORY;
        return spot;
    }
    const gw_area *area = area_at(r, spot.address);
    /* Nothing is known of what no area describes, but that it may change by itself. */
    spot.kind = GW_SPOT_QUEUE;
    if (area == NULL)
        return spot;
    switch ((gw_area_type)area->type) {
    case GW_AREA_RAM:
    case GW_AREA_READONLY:
        spot.kind = GW_SPOT_MEMORY;
        break;
    case GW_AREA_ERROR:
        spot.kind = GW_SPOT_ANYTHING;
        break;
    case GW_AREA_ARBITER:
        spot.kind = GW_SPOT_STATE;
        break;
    default:
        break;
    }
    return spot;
}

/* ---- registers ---- */

static gw_spot_kind op2p_register(uint32_t offset)
{
    switch (offset % GW_OP2P_REGISTERS) {
    case GW_OP2P_FIFOSTATUS:
        return GW_SPOT_FLAGS;
    case GW_OP2P_WR_SOURCEADDRESS:
    case GW_OP2P_RDREQ_LOCALADDRESS:
    case GW_OP2P_FORWARDING_BUFFERBASE:
    case GW_OP2P_FORW_FREEUPADDR:
        return GW_SPOT_PLACE;
    case GW_OP2P_FORWREQ_POINTER:
    case GW_OP2P_RDCOMPL_LOCALADDRESS:
    case GW_OP2P_ARRIVEDWRITE_ADDRESS:
        return GW_SPOT_TAKEN;
    default:
        return GW_SPOT_STATE;
    }
}

static gw_spot_kind ims_register(uint32_t offset)
{
    bool channel = offset >= GW_IMS_BUF_CHANNEL && offset < GW_IMS_BUF_REGISTERS;
    if (channel && offset % GW_IMS_BUF_CHANNEL == GW_IMS_BUF_REG_QPN)
        return GW_SPOT_QP;
    return GW_SPOT_STATE;
}

gw_spot_kind gw_spot_register(const gw_replay *r, uint32_t address)
{
    const gw_format *format = r->ctx->suite->format;
    uint32_t offset =
        gw_recorded_offset(&r->trace->recorded, gw_case_board(r->ctx), format, address);
    if (format == &gw_op2p && offset < GW_OP2P_NODE_PORTS * GW_OP2P_REGISTERS)
        return op2p_register(offset);
    if (format == &gw_op2p)
        return offset >= GW_OP2P_NODE_MEMORY ? GW_SPOT_MEMORY : GW_SPOT_STATE;
    if (format == &gw_ims)
        return offset >= GW_IMS_BUF_MEMORY ? GW_SPOT_WORDS : ims_register(offset);
    return GW_SPOT_STATE;
}

/* ---- a node's memory ---- */

/* What a node keeps for others it has filled itself, with what it was sent. */
static bool in_pool(const gw_replay *r, uint64_t address)
{
    return r->has_pool && address - r->pool < (uint64_t)GW_OP2P_POOL_ENTRIES * GW_OP2P_POOL_ENTRY;
}

/* Packets with data say where the node has it from. */
static gw_spot op2p_spot(const gw_replay *r, const gw_leaves *all)
{
    const gw_leaf *type = gw_leaf_called(all, "op2p.type");
    const gw_leaf *from = gw_leaf_called(all, "op2p.src_addr");
    gw_spot spot = {.space = GW_SPACE_BUS, .lanes = UINT8_MAX};
    if (type == NULL || from == NULL ||
        (type->value != GW_OP2P_COMPLETION && type->value != GW_OP2P_WRITE))
        return spot;
    spot.address = from->value & ~UINT64_C(3);
    spot.kind = in_pool(r, spot.address) ? GW_SPOT_STATE : GW_SPOT_MEMORY;
    return spot;
}

/* ---- */

gw_spot gw_spot_of(const gw_replay *r, const gw_related *related, const gw_leaves *all,
                   const gw_leaf *leaf)
{
    const gw_trace_line *line = &r->trace->lines[r->trace->steps[r->judged].line];
    const gw_suite *suite = r->ctx->suite;
    bool regs = line->format != suite->format;
    gw_access_one a;
    gw_spot spot = {.kind = GW_SPOT_STATE};

    if (related->is_ours || (suite->calls_us && !regs))
        return spot;
    if (line->format == &gw_op2p && strcmp(leaf->field->name, "op2p.payload") == 0)
        return op2p_spot(r, all);
    if (line->format != &gw_etherbone || strcmp(leaf->field->name, "etherbone.write.value") != 0 ||
        related->asked == NULL ||
        !gw_access_answered(&a, related->asked, line->dialect, leaf->container, leaf->index))
        return spot;
    if (!regs)
        return bus_spot(r, &a);
    /* The error register that an acknowledgement brings is in the config space. */
    if (a.config || a.address > UINT32_MAX)
        return spot;
    return (gw_spot){.kind = gw_spot_register(r, (uint32_t)a.address),
                     .space = GW_SPACE_REGS,
                     .address = a.address,
                     .lanes = a.lanes};
}
