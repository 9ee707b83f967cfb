/* SPDX-License-Identifier: BSD-2-Clause */
/* OP2P cases: playing the board's host, over its registers. */
#include "cases/op.h"

#define TRAININGS 8 /* reply times that a channel may take to come up */

static gw_opc_state *state_of(gw_ctx *ctx)
{
    return gw_case_state(ctx);
}

static uint32_t watch(gw_ctx *ctx, uint32_t address, uint32_t mask, uint32_t value, int64_t time_ns)
{
    gw_line *line = gw_case_line(ctx);
    int64_t deadline = gw_case_now(line) + time_ns;
    int64_t pause = GW_MS;
    uint32_t seen = gw_regs_read(ctx, address);

    /* Ever more seldom: each look is one more chance for the path to spoil the case. */
    while ((seen & mask) != value && gw_case_now(line) < deadline) {
        gw_case_wait(line, pause);
        pause *= 2;
        seen = gw_regs_read(ctx, address);
    }
    return seen;
}

uint32_t gw_opc_soon(gw_ctx *ctx, uint32_t address, uint32_t mask, uint32_t value)
{
    return watch(ctx, address, mask, value, gw_case_reply_ns(ctx));
}

void gw_opc_forget(gw_ctx *ctx, uint32_t address)
{
    for (unsigned i = 0; i <= GW_OP2P_FIFO_DEPTH; i++)
        (void)gw_regs_read_on(ctx, address);
}

void gw_opc_take_down(gw_ctx *ctx)
{
    gw_opc_event(ctx, GW_OP2P_KIND_CHANNEL, 0, 0, NULL, 0);
    (void)gw_opc_soon(ctx, GW_OP2P_LINK_STATUS, GW_OP2P_CHANNEL_UP, 0);
}

/* ---- resets ---- */

/* The board may tell of its channel as well, sooner or later than its registers do. */
void gw_opc_wait_up(gw_ctx *ctx)
{
    gw_opc_state *s = state_of(ctx);
    int64_t most = TRAININGS * gw_case_reply_ns(ctx);
    uint32_t seen = watch(ctx, GW_OP2P_LINK_STATUS, GW_OP2P_CHANNEL_UP, GW_OP2P_CHANNEL_UP, most);

    if ((seen & GW_OP2P_CHANNEL_UP) == 0)
        gw_case_inconc(ctx, "the channel does not come up after a port reset");
    gw_case_wait(gw_case_line(ctx), gw_case_lag_ns(ctx));
    (void)gw_opc_may_send(ctx, 0);
    s->down = false; /* that it is up may have been lost on its way */
    s->halted = false;
}

void gw_opc_reset(gw_ctx *ctx)
{
    gw_regs_write(ctx, GW_OP2P_PORT_RESET, 1);
    gw_regs_write(ctx, GW_OP2P_PORT_RESET, 0);
    gw_regs_write(ctx, GW_OP2P_LOCALID, gw_opc_node(ctx));
    gw_opc_wait_up(ctx);
}

/* The published core waits for ever for some packets to become others; the host's reset ends that.
 */
bool gw_opc_revive(gw_ctx *ctx)
{
    gw_opc_state *s = state_of(ctx);

    if (!gw_case_has_link(ctx, GW_REGS_LINK))
        return false;
    gw_regs_write(ctx, GW_OP2P_PORT_RESET, 1);
    gw_regs_write(ctx, GW_OP2P_PORT_RESET, 0);
    if (s->node != 0)
        gw_regs_write(ctx, GW_OP2P_LOCALID, s->node);
    gw_opc_wait_up(ctx);
    return true;
}

/* ---- commands ---- */

void gw_opc_ragged(gw_ctx *ctx, bool yes)
{
    state_of(ctx)->ragged = yes;
    state_of(ctx)->commanded = true;
}

static void push_until_full(gw_ctx *ctx, uint32_t address, uint32_t value, uint32_t full)
{
    for (unsigned i = 0; i < 2 * GW_OP2P_FIFO_DEPTH; i++) {
        if ((gw_regs_read(ctx, GW_OP2P_FIFOSTATUS) & full) != 0)
            return;
        gw_regs_write_on(ctx, address, value);
    }
}

/* Held in reset, and halted, the port carries out nothing, and its FIFOs keep what they hold. When
 * all are full they are equally long, and what is carried out then leaves them empty. */
void gw_opc_level(gw_ctx *ctx)
{
    const uint32_t fields[5] = {0, 0x2000, gw_opc_node(ctx), GW_OPC_US, 4};
    const gw_area *area = gw_board_area(gw_case_board(ctx), GW_AREA_RAM, 32, 4);
    uint32_t local = area != NULL ? (uint32_t)area->address : 0;

    gw_regs_write(ctx, GW_OP2P_PORT_RESET, 1);
    gw_opc_event(ctx, GW_OP2P_KIND_NFC, 0, GW_OP2P_XOFF, NULL, 0);
    gw_case_wait(gw_case_line(ctx), gw_case_lag_ns(ctx));
    for (uint32_t i = 0; i < 5; i++) {
        uint32_t value = i == 0 ? local : fields[i];
        push_until_full(ctx, GW_OP2P_WR_SOURCEADDRESS + 4 * i, value,
                        (uint32_t)GW_OP2P_WR_FULL << i);
        push_until_full(ctx, GW_OP2P_RDREQ_LOCALADDRESS + 4 * i, value,
                        (uint32_t)GW_OP2P_RDREQ_FULL << i);
    }
    gw_regs_write(ctx, GW_OP2P_PORT_RESET, 0);
    gw_regs_write(ctx, GW_OP2P_LOCALID, gw_opc_node(ctx));
    gw_opc_wait_up(ctx);
    gw_opc_event(ctx, GW_OP2P_KIND_NFC, 0, GW_OP2P_XON, NULL, 0);
    gw_case_wait(gw_case_line(ctx), gw_case_settle_ns(ctx));
    gw_opc_reset(ctx); /* forgets the reads */
    gw_opc_drain(ctx);
    gw_opc_ragged(ctx, false);
    state_of(ctx)->commanded = false;
}

void gw_opc_command(gw_ctx *ctx, bool read, uint32_t local, uint32_t remote, uint16_t dst,
                    uint32_t count)
{
    uint32_t at = read ? GW_OP2P_RDREQ_LOCALADDRESS : GW_OP2P_WR_SOURCEADDRESS;
    const uint32_t fields[5] = {local, remote, gw_opc_node(ctx), dst, count};

    unsigned tries = 0;

    /* When nobody knows whether a field is there, all is emptied, and the command begins anew; not
     * so while the port is kept from sending, which emptying takes. */
    for (uint32_t i = 0; i < 5; i++) {
        gw_opc_ragged(ctx, true);
        if (gw_regs_push(ctx, at + 4 * i, fields[i]))
            continue;
        if (state_of(ctx)->halting || !gw_case_again(ctx, &tries))
            gw_case_inconc(ctx, "the registers do not answer: write 0x%03x", at + 4 * i);
        gw_opc_level(ctx);
        i = UINT32_MAX;
    }
    gw_opc_ragged(ctx, false);
}
