/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone cases: building requests that write nowhere but into the board's areas, and whose
 * results are told apart. */
#include <inttypes.h>

#include "formats/etherbone/suite.h"

static bool slot_known(const gw_ebc_state *state, uint64_t address)
{
    for (unsigned i = 0; i < GW_EBC_SLOTS; i++)
        if (state->slots[i].address == address)
            return true;
    return false;
}

/* Random, so that an answer to an earlier request is told from one with a wrong return address. */
static unsigned take_slot(gw_ctx *ctx)
{
    gw_ebc_state *state = gw_ebc_state_of(ctx);
    uint16_t address;
    do
        address = (uint16_t)(0x8000 | (gw_case_random(ctx) & 0x7ff8));
    while (slot_known(state, address));
    unsigned index = state->num_slots++ % GW_EBC_SLOTS;
    state->slots[index] = (gw_ebc_slot){.address = address};
    return index;
}

/* ---- building ---- */

static bool may_write(const gw_board_file *board, uint64_t first, uint64_t last)
{
    for (size_t i = 0; i < board->num_areas; i++) {
        const gw_area *area = &board->areas[i];
        bool writable =
            area->type == GW_AREA_RAM || area->type == GW_AREA_FIFO || area->type == GW_AREA_ERROR;
        if (writable && first >= area->address && last - area->address < area->size)
            return true;
    }
    return false;
}

/* A device that does not look at WFF would write behind the address. */
static void guard_fixed(gw_ctx *ctx, const gw_eb_operation *op)
{
    unsigned step = gw_ebc_layout(ctx).data_bytes;
    uint64_t last = op->write_base + (uint64_t)step * op->num_writes - 1;
    if ((op->flags & GW_EB_WFF) != 0 && gw_ebc_one_record(ctx) &&
        !may_write(gw_case_board(ctx), op->write_base, last))
        gw_case_forgo(ctx, "EB-S17", "writes step whatever WFF says, and would leave the area");
}

static void guard_writes(gw_ctx *ctx, const gw_eb_operation *op)
{
    unsigned step = (op->flags & GW_EB_WFF) != 0 ? 0 : gw_ebc_layout(ctx).data_bytes;
    if (op->num_writes == 0)
        return;
    guard_fixed(ctx, op);
    uint64_t last =
        op->write_base + (uint64_t)step * (op->num_writes - 1u) + gw_ebc_layout(ctx).data_bytes - 1;
    if ((op->flags & GW_EB_WCA) != 0 || !may_write(gw_case_board(ctx), op->write_base, last))
        gw_case_error(ctx, "the case would write outside the board's areas, at 0x%" PRIx64,
                      op->write_base);
}

bool gw_ebc_lies_in(const gw_board_file *board, uint64_t address, gw_area_type type)
{
    for (size_t i = 0; i < board->num_areas; i++) {
        const gw_area *area = &board->areas[i];
        if (area->type == type && address >= area->address && address - area->address < area->size)
            return true;
    }
    return false;
}

/* Whether a read at |address| leaves traces: it takes a word out, counts, or is an error. */
static bool leaves_traces(const gw_board_file *board, uint64_t address)
{
    return gw_ebc_lies_in(board, address, GW_AREA_FIFO) ||
           gw_ebc_lies_in(board, address, GW_AREA_ARBITER) ||
           gw_ebc_lies_in(board, address, GW_AREA_ERROR);
}

/* Whether nobody notices when |op| is executed twice. */
static bool may_repeat(gw_ctx *ctx, const gw_eb_operation *op)
{
    const gw_board_file *board = gw_case_board(ctx);
    if (op->num_writes > 0 &&
        ((op->flags & GW_EB_WCA) != 0 || !gw_ebc_lies_in(board, op->write_base, GW_AREA_RAM)))
        return false;
    for (unsigned i = 0; i < op->num_reads && (op->flags & GW_EB_RCA) == 0; i++)
        if (leaves_traces(board, op->reads[i]))
            return false;
    return true;
}

/* The return address of the first record that reads tells the answer. */
static void note_return(gw_ebc_request *request, const gw_eb_builder *b, const gw_eb_operation *op)
{
    size_t reads = gw_eb_record_len(&b->layout, 0, op->num_reads) - b->layout.record_header;
    if (op->num_reads == 0 || request->return_base != 0)
        return;
    request->return_base = op->return_base;
    request->return_at = b->w.len - reads;
}

void gw_ebc_make(gw_ctx *ctx, gw_ebc_request *request, const gw_eb_operation *ops, size_t num)
{
    gw_eb_builder b;
    gw_eb_layout layout = gw_ebc_layout(ctx);
    const gw_dialect *dialect = gw_case_dialect(ctx);
    bool stream = gw_case_stream(ctx);
    bool fits = stream ? gw_eb_build_records(&b, request->bytes, sizeof(request->bytes),
                                             layout.widths, dialect)
                       : gw_eb_build_packet(&b, request->bytes, sizeof(request->bytes),
                                            layout.widths, dialect);
    size_t reply = 0;
    request->num_records = 0;
    request->slot = GW_EBC_SLOTS;
    request->return_base = 0;
    request->return_at = 0;
    request->repeatable = !stream;
    for (size_t i = 0; i < num && fits && i < GW_EBC_RECORDS; i++) {
        gw_eb_operation op = ops[i];
        guard_writes(ctx, &op);
        if (op.num_reads > 0 && op.return_base == 0) {
            unsigned slot = take_slot(ctx);
            op.return_base = gw_ebc_state_of(ctx)->slots[slot].address;
            if (reply == 0)
                request->slot = slot;
        }
        if (op.num_reads > 0)
            reply += gw_eb_record_len(&layout, op.num_reads, 0);
        request->writes[request->num_records] = op.num_writes;
        request->reads[request->num_records++] = op.num_reads;
        request->repeatable = request->repeatable && may_repeat(ctx, &op);
        fits = gw_eb_build_record(&b, &op);
        if (fits)
            note_return(request, &b, &op);
    }
    if (!fits || num > GW_EBC_RECORDS)
        gw_case_error(ctx, "%zu records do not fit one packet", num);
    request->len = gw_eb_build_end(&b, false);
    request->reply_len = reply == 0 || stream ? reply : reply + layout.header_len;
}

unsigned gw_ebc_send(gw_ctx *ctx, gw_connection *conn, const gw_ebc_request *request)
{
    return gw_ebc_put(ctx, conn, request->bytes, request->len);
}

void gw_ebc_readdress(gw_ctx *ctx, gw_ebc_request *request)
{
    if (request->slot == GW_EBC_SLOTS)
        return; /* the case chose the address */
    request->slot = take_slot(ctx);
    request->return_base = gw_ebc_state_of(ctx)->slots[request->slot].address;
    gw_store_be(request->bytes + request->return_at, request->return_base,
                gw_ebc_layout(ctx).addr_unit);
}
