/* SPDX-License-Identifier: BSD-2-Clause */
/* OP2P cases: frames that break a requirement, each of which some node has stumbled over, and marks
 * in the memory that show whether one was executed. */
#include "formats/op2p/node/suite.h"
#include "goldwire/writer.h"

#define MARK UINT32_C(0x600dda7a)
#define BAD UINT32_C(0xbadbadba)
#define MOST 20 /* double words of payload */

#define WRITE .type = GW_OP2P_WRITE
#define READ .type = GW_OP2P_READ
#define COMPLETION .type = GW_OP2P_COMPLETION
#define DAMAGED .flags = GW_OP2P_FLAG_SOFT_ERROR

const gw_opc_illegal gw_opc_illegals[GW_OPC_ILLEGALS] = {
    {"a frame of one double word", WRITE, .count = 4, .fbe = 15, .cut = 4, .incomplete = true},
    {"a frame of three double words", WRITE, .count = 4, .fbe = 15, .cut = 12, .incomplete = true},
    {"a frame that ends inside its header", WRITE, .count = 4, .fbe = 15, .cut = 14,
     .incomplete = true},
    {"a write of 0 bytes with payload", WRITE, .words = 4, .fbe = 15, .incomplete = true},
    {"a write of 3 bytes", WRITE, .count = 3, .words = 1, .fbe = 15, .incomplete = true},
    {"a write of 1028 bytes", WRITE, .count = 1028, .words = 4, .fbe = 15, .incomplete = true},
    {"a write with too little payload", WRITE, .count = 32, .words = 2, .fbe = 15,
     .incomplete = true},
    {"a write with too much payload", WRITE, .count = 4, .words = MOST, .fbe = 15,
     .incomplete = true},
    {"a damaged write", WRITE, .count = 4, .words = 1, .fbe = 15, DAMAGED, .incomplete = true},
    {"a write with first byte enable 0", WRITE, .count = 4, .words = 1},
    {"a read request of 0 bytes", READ, .fbe = 15},
    {"a read request of 6 bytes", READ, .count = 6, .fbe = 15},
    {"a read request of 65532 bytes", READ, .count = 0xfffc, .fbe = 15},
    {"a damaged read request", READ, .count = 4, .fbe = 15, DAMAGED, .incomplete = true},
    {"a completion that answers nothing", COMPLETION, .count = 8, .words = 2, .fbe = 15},
    {"a completion with too little payload", COMPLETION, .count = 32, .words = 2, .fbe = 15,
     .incomplete = true},
    {"an error completion that answers nothing", COMPLETION, .count = 8, .status = 2, .fbe = 15},
    {"a packet of type 3", .type = 3, .count = 16, .fbe = 15},
    {"a packet of type 15", .type = 15, .count = 4, .words = 1, .fbe = 15},
};

void gw_opc_send_illegal(gw_ctx *ctx, const gw_opc_illegal *one, uint16_t dst, uint32_t address)
{
    uint8_t pdu[GW_OP2P_HEADER + 4 * MOST];
    gw_op2p_header h = gw_opc_header(ctx, one->type, address, one->count);

    h.dst_id = dst;
    h.status = one->status;
    h.fbe = one->fbe;
    /* Nobody answers to it, and what a node makes of the frame shall be the same each time. */
    if (one->type == GW_OP2P_WRITE || one->type == GW_OP2P_COMPLETION)
        h.src_addr = UINT32_C(0x00c05fe0);
    if (one->type == 15)
        gw_opc_leave_header(ctx, address);
    gw_op2p_put(pdu, &h);
    for (size_t i = 0; i < one->words; i++)
        gw_store_be(pdu + GW_OP2P_HEADER + 4 * i, BAD, 4);
    size_t len = one->cut > 0 ? one->cut : GW_OP2P_HEADER + (size_t)4 * one->words;
    gw_opc_event(ctx, GW_OP2P_KIND_PDU, one->flags, 0, pdu, len);
}

void gw_opc_slip_in(gw_ctx *ctx, const gw_opc_illegal *one, uint16_t dst, uint32_t address)
{
    gw_opc_got got;

    gw_opc_send_illegal(ctx, one, dst, address);
    /* It may ask for what was damaged, and complain of what it does not know. */
    if (one->flags != 0 || one->type > GW_OP2P_COMPLETION)
        (void)gw_opc_next(ctx, &got, gw_case_settle_ns(ctx));
    /* The reference core halts us for good after some; what follows too soon is lost then. */
    if (gw_opc_reference(ctx))
        gw_opc_listen(ctx, gw_case_settle_ns(ctx));
}

static const uint32_t marks[] = {MARK, MARK, MARK, MARK, MARK, MARK, MARK, MARK};

static uint32_t mark(gw_ctx *ctx, uint32_t at)
{
    gw_opc_put(ctx, at, marks, GW_ARRAY_LEN(marks));
    return at;
}

uint32_t gw_opc_marked(gw_ctx *ctx)
{
    return mark(ctx, gw_opc_ram(ctx, sizeof(marks)));
}

uint32_t gw_opc_marked_lowest(gw_ctx *ctx)
{
    const gw_area *area = gw_board_area(gw_case_board(ctx), GW_AREA_RAM, 32, sizeof(marks));

    if (area == NULL)
        gw_case_na(ctx, "no ram area of %zu bytes is declared", sizeof(marks));
    return mark(ctx, (uint32_t)area->address);
}

void gw_opc_still_marked(gw_ctx *ctx, const char *rule, uint32_t at, const char *after)
{
    gw_opc_same_all(ctx, rule, at, marks, GW_ARRAY_LEN(marks), after);
}
