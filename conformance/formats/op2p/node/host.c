/* SPDX-License-Identifier: BSD-2-Clause */
/* OP2P cases: playing the board's host, over its registers. */
#include "formats/op2p/node/suite.h"

#define TRAININGS 8     /* reply times that a channel may take to come up */
#define LEVEL_TRIPS 60L /* of the longest, that gw_opc_level takes about */
#define LEVEL_NS (3 * GW_SECOND)

static gw_opc_state *state_of(gw_ctx *ctx)
{
    return gw_case_state(ctx);
}

static uint32_t watch(gw_ctx *ctx, uint32_t address, uint32_t mask, uint32_t value, int64_t time_ns)
{
    gw_connection *conn = gw_case_connection(ctx);
    int64_t deadline = gw_case_now(conn) + time_ns;
    int64_t pause = gw_case_scaled_ns(ctx, GW_MS);
    uint32_t seen = gw_regs_read(ctx, address);

    /* Ever more seldom: each look is one more chance for the path to spoil the case. */
    while ((seen & mask) != value && gw_case_now(conn) < deadline) {
        gw_case_wait(conn, pause);
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
    enum { DEEP = GW_OP2P_FIFO_DEPTH + 1 };
    gw_regs_access reads[DEEP + 1];

    for (size_t i = 0; i < DEEP; i++)
        reads[i] = (gw_regs_access){.at = address};
    /* Whoever replays this learns that what comes out later went in later. */
    reads[DEEP] = (gw_regs_access){.at = GW_OP2P_FIFOSTATUS};
    gw_regs_together_on(ctx, reads, GW_ARRAY_LEN(reads));
}

void gw_opc_take_down(gw_ctx *ctx)
{
    gw_opc_event(ctx, GW_OP2P_KIND_CHANNEL, 0, 0, NULL, 0);
    (void)gw_opc_soon(ctx, GW_OP2P_LINK_STATUS, GW_OP2P_CHANNEL_UP, 0);
}

/* ---- resets ---- */

static bool comes_up(gw_ctx *ctx)
{
    const uint32_t up = GW_OP2P_CHANNEL_UP;

    return (watch(ctx, GW_OP2P_LINK_STATUS, up, up, TRAININGS * gw_case_reply_ns(ctx)) & up) != 0;
}

/* The board may tell of its channel as well, sooner or later than its registers do. */
void gw_opc_wait_up(gw_ctx *ctx)
{
    gw_opc_state *s = state_of(ctx);
    bool up = comes_up(ctx);

    if (!up) { /* a copy of the write that began the reset may have come late, and begun it again */
        gw_regs_write(ctx, GW_OP2P_PORT_RESET, 0);
        up = comes_up(ctx);
    }
    if (!up)
        gw_case_inconc(ctx, "the channel does not come up after a port reset");
    gw_case_wait(gw_case_connection(ctx), gw_case_lag_ns(ctx));
    (void)gw_opc_may_send(ctx, 0);
    s->down = false; /* that it is up may have been lost on its way */
    s->halted = false;
}

static void go_on(gw_ctx *ctx, uint16_t node)
{
    gw_regs_access released[] = {{.at = GW_OP2P_PORT_RESET, .value = 0, .write = true},
                                 {.at = GW_OP2P_LOCALID, .value = node, .write = true}};

    gw_regs_together_on(ctx, released, node != 0 ? 2 : 1);
    gw_opc_wait_up(ctx);
}

/* Each reset lasts for a round trip at least. */
static void reset_port(gw_ctx *ctx, uint16_t node)
{
    gw_regs_write(ctx, GW_OP2P_PORT_RESET, 1);
    go_on(ctx, node);
}

void gw_opc_reset(gw_ctx *ctx)
{
    reset_port(ctx, gw_opc_node(ctx));
}

/* The published core waits for ever for some packets to become others; the host's reset ends that.
 */
bool gw_opc_revive(gw_ctx *ctx)
{
    if (!gw_case_has_link(ctx, GW_REGS_LINK))
        return false;
    reset_port(ctx, gw_opc_node(ctx));
    return true;
}

/* What is not the node's own any more comes first: its host may be one that never looks again.
 * Where its pool was before nobody can read; it stays where the board file has room for one. Making
 * the queues even again must not be cut short, for the port is held in reset meanwhile. */
void gw_opc_leave(gw_ctx *ctx)
{
    gw_opc_state *s = state_of(ctx);
    bool regs = gw_case_has_link(ctx, GW_REGS_LINK);
    bool uneven = s->ragged != 0 && LEVEL_TRIPS * gw_case_lag_ns(ctx) > LEVEL_NS;

    if (regs)
        gw_regs_write(ctx, GW_OP2P_PORT_RESET, 0);
    if (regs && s->node != 0)
        gw_regs_write(ctx, GW_OP2P_LOCALID, s->node);
    s->ragged = uneven ? 0 : s->ragged;
    gw_opc_begin(ctx); /* the link, and commands that are not whole */
    if (uneven)
        gw_case_inconc(ctx, "its queues hold parts of commands, until it is reset");
}

/* ---- commands ---- */

void gw_opc_ragged(gw_ctx *ctx, unsigned sets)
{
    state_of(ctx)->ragged |= sets;
    state_of(ctx)->commanded |= sets;
}

void gw_opc_even(gw_ctx *ctx)
{
    state_of(ctx)->ragged = 0;
}

void gw_opc_fields(gw_ctx *ctx, gw_regs_access fields[5], bool read, uint32_t local,
                   uint32_t remote, uint16_t dst, uint32_t count)
{
    uint32_t at = read ? GW_OP2P_RDREQ_LOCALADDRESS : GW_OP2P_WR_SOURCEADDRESS;
    const uint32_t values[5] = {local, remote, gw_opc_node(ctx), dst, count};

    for (uint32_t i = 0; i < 5; i++)
        fields[i] = (gw_regs_access){.at = at + 4 * i, .value = values[i], .write = true};
}

/* Fills the FIFOs of write (or read) commands, whatever there was in them: what is too much is
 * dropped. */
static void fill_up(gw_ctx *ctx, bool read, uint32_t local)
{
    gw_regs_access fields[5], writes[GW_REGS_TOGETHER];
    size_t num = 0;

    gw_opc_fields(ctx, fields, read, local, 0x2000, GW_OPC_US, 4);
    for (size_t i = 0; i < (size_t)5 * GW_OP2P_FIFO_DEPTH; i++) {
        writes[num++] = fields[i % 5];
        if (num < GW_REGS_TOGETHER && i + 1 < (size_t)5 * GW_OP2P_FIFO_DEPTH)
            continue;
        gw_regs_together_on(ctx, writes, num);
        num = 0;
    }
}

/* Held in reset, and halted, the port carries out nothing, and its FIFOs keep what they hold. When
 * all are full they are equally long, and what is carried out then leaves them empty. */
void gw_opc_level(gw_ctx *ctx)
{
    const gw_area *area = gw_board_area(gw_case_board(ctx), GW_AREA_RAM, 32, 4);
    uint32_t local = area != NULL ? (uint32_t)area->address : 0;
    gw_opc_state *s = state_of(ctx);

    gw_regs_write(ctx, GW_OP2P_PORT_RESET, 1);
    gw_opc_event(ctx, GW_OP2P_KIND_NFC, 0, GW_OP2P_XOFF, NULL, 0);
    gw_case_wait(gw_case_connection(ctx), gw_case_lag_ns(ctx));
    if ((s->ragged & GW_OPC_WRITES) != 0)
        fill_up(ctx, false, local);
    if ((s->ragged & GW_OPC_READS) != 0)
        fill_up(ctx, true, local);
    go_on(ctx, gw_opc_node(ctx));
    gw_opc_event(ctx, GW_OP2P_KIND_NFC, 0, GW_OP2P_XON, NULL, 0);
    gw_case_wait(gw_case_connection(ctx), gw_case_settle_ns(ctx));
    if ((s->ragged & GW_OPC_READS) != 0)
        gw_opc_reset(ctx); /* forgets them */
    gw_opc_drain(ctx);
    s->ragged = 0;
    s->commanded = 0;
}

/* Nothing of an earlier case is left: the board may send, and what it had to say has come. */
void gw_opc_begin(gw_ctx *ctx)
{
    gw_opc_state *s = state_of(ctx);
    bool regs = gw_case_has_link(ctx, GW_REGS_LINK);

    gw_opc_begin_link(ctx);
    if (regs && s->endless) {
        gw_opc_reset(ctx);
        s->endless = false;
    }
    if (regs && s->ragged != 0)
        gw_opc_level(ctx);
    gw_opc_drain(ctx);
}

void gw_opc_command(gw_ctx *ctx, bool read, uint32_t local, uint32_t remote, uint16_t dst,
                    uint32_t count)
{
    gw_regs_access fields[5];

    gw_opc_fields(ctx, fields, read, local, remote, dst, count);
    gw_regs_together_on(ctx, fields, 5);
}

#define COMMANDS 3 /* in a packet */

uint32_t gw_opc_fill_fifos(gw_ctx *ctx, uint32_t local)
{
    gw_regs_access together[6 * COMMANDS]; /* a look at the status, and a command */
    uint32_t before = 0;

    for (unsigned i = 0; i < GW_OP2P_FIFO_DEPTH; i += COMMANDS) {
        size_t num = 0;
        for (unsigned k = i; k < i + COMMANDS && k < GW_OP2P_FIFO_DEPTH; k++, num += 6) {
            together[num] = (gw_regs_access){.at = GW_OP2P_FIFOSTATUS};
            gw_opc_fields(ctx, together + num + 1, false, local, 0x2000, GW_OPC_US, 4);
        }
        if (!gw_regs_together(ctx, together, num))
            gw_case_inconc(ctx, "the registers do not answer: nobody knows what the FIFOs hold");
        for (size_t k = 0; k < num; k += 6)
            before |= together[k].value;
    }
    return before;
}

unsigned gw_opc_come_up(gw_ctx *ctx)
{
    gw_opc_got got;
    unsigned came = 0, tries = 0;

    do {
        gw_opc_event(ctx, GW_OP2P_KIND_CHANNEL, 0, 3, NULL, 0);
        while (came < 2 * GW_OP2P_FIFO_DEPTH && gw_opc_next(ctx, &got, gw_case_settle_ns(ctx)))
            came++;
    } while (came == 0 && gw_case_again(ctx, &tries));
    return came;
}

void gw_opc_read_command(gw_ctx *ctx, uint32_t local, uint32_t remote, uint16_t dst, uint32_t count,
                         gw_opc_got *got)
{
    unsigned tries = 0;

    do {
        gw_opc_drain(ctx);
        gw_opc_command(ctx, true, local, remote, dst, count);
        if (gw_opc_next(ctx, got, gw_case_reply_ns(ctx)))
            return;
    } while (gw_case_again(ctx, &tries));
    gw_case_inconc(ctx, "the read request that the host commanded was not sent");
}
