/* SPDX-License-Identifier: BSD-2-Clause */
/* The TEXTAROSSA suites: how a board is brought to where a case starts, and what it is asked. */
#include <stdio.h>
#include <string.h>

#include "formats/textarossa/suite.h"
#include "suite/response.h"

/* Of empty FIFOs, with the usual waiting cycle. */
#define USUAL_CREDIT UINT64_C(0x101004040)

/* Registers that the board file puts elsewhere must lie in an area as well. */
static bool named_registers_writable(gw_ctx *ctx)
{
    const gw_board_file *board = gw_case_board(ctx);
    for (size_t i = 0; i < board->num_registers; i++)
        if (!gw_board_may_write(board, board->registers[i].address, 4))
            return false;
    return true;
}

/* Whether the register block may be written. */
static bool has_registers(gw_ctx *ctx)
{
    return gw_case_has_link(ctx, GW_REGS_LINK) &&
           gw_board_may_write(gw_case_board(ctx), gw_case_board(ctx)->register_base,
                              GW_TX_TRANSCEIVER_STATUS) &&
           named_registers_writable(ctx);
}

static void begin(gw_ctx *ctx)
{
    gw_txc_state *s = gw_case_state(ctx);
    const char *net = gw_txc_net(ctx);

    s->edac = s->greeted = false;
    s->ways[0].conn = s->ways[1].conn = NULL;
    if (has_registers(ctx)) {
        gw_txc_remember(ctx);
        gw_txc_set_up(ctx);
    }
    if (gw_txc_is_switch(ctx) && gw_case_has_link(ctx, "x-"))
        gw_txc_credit(ctx, "x-", 0x40, 0x40);
    if (gw_case_stream(ctx)) {
        gw_txc_credit(ctx, net, 0x40, 0x40);
        /* What the set-up makes the link say is not to hold up what it is asked next. */
        (void)gw_txc_credit_within(ctx, net, USUAL_CREDIT, gw_case_settle_ns(ctx));
    }
    gw_txc_drain(ctx, net);
}

/* On a link the sign of life is a MAGIC: what follows is for the cases to judge. */
static bool hears_magic(gw_ctx *ctx, const char *link, int64_t timeout_ns)
{
    gw_connection *conn = gw_case_link(ctx, link);
    int64_t deadline = gw_case_now(conn) + timeout_ns;
    uint8_t beat[GW_TX_WORD];
    size_t have = 0;
    gw_packet packet;

    while (gw_case_recv(ctx, conn, deadline - gw_case_now(conn), &packet) == GW_RECV_DATA) {
        for (size_t i = 0; i < packet.len; i++) {
            beat[have++] = packet.data[i];
            if (have < GW_TX_WORD)
                continue;
            have = 0;
            if (gw_tx_is_magic(gw_tx_load(beat, GW_TX_WORD, GW_TX_ORDER_A)))
                return true;
        }
    }
    return false;
}

static bool alive(gw_ctx *ctx, int64_t timeout_ns)
{
    uint8_t payload[16];
    gw_txc_got got;
    const char *net = gw_txc_net(ctx);

    gw_txc_fill(ctx, payload, sizeof(payload));
    gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
    (void)gw_txc_send(ctx, net, &draft);
    /* Whatever comes back counts: how good it is, is for the cases to say. */
    if (gw_case_stream(ctx))
        return hears_magic(ctx, net, timeout_ns);
    return gw_txc_await(ctx, net, &got, timeout_ns);
}

/* Two packets, which differ in what they carry. */
static gw_pair pair_of_packets(gw_ctx *ctx, int64_t timeout_ns)
{
    uint8_t payloads[2][16];
    const char *net = gw_txc_net(ctx);
    gw_connection *conn = gw_case_link(ctx, net);
    gw_pair pair = {0};
    gw_txc_got got;

    gw_txc_drain(ctx, net);
    for (unsigned i = 0; i < 2; i++) {
        gw_txc_fill(ctx, payloads[i], sizeof(payloads[i]));
        gw_tx_draft draft = gw_txc_draft(ctx, payloads[i], sizeof(payloads[i]));
        (void)gw_txc_send(ctx, net, &draft);
    }
    int64_t deadline = gw_case_now(conn) + timeout_ns;
    while (gw_txc_next(ctx, net, &got, deadline - gw_case_now(conn))) {
        uint8_t payload[GW_TX_PAYLOAD_MAX];
        size_t len = gw_tx_copy_payload(&got.p, payload, sizeof(payload));
        for (unsigned i = 0; i < 2; i++) {
            if (len != sizeof(payloads[i]) || memcmp(payload, payloads[i], len) != 0)
                continue;
            gw_pair_answer(&pair, i);
        }
        if (pair.answered == 2 && pair.repeated == 0)
            deadline = gw_case_now(conn) + gw_case_settle_ns(ctx);
    }
    return pair;
}

/* Nothing overtakes on an APElink; the registers beside it are reached in datagrams. */
static gw_pair pair(gw_ctx *ctx, int64_t timeout_ns)
{
    if (gw_case_stream(ctx) && gw_case_has_link(ctx, GW_REGS_LINK))
        return gw_regs_pair(ctx, GW_TX_FIFO_REGISTER, timeout_ns);
    return pair_of_packets(ctx, timeout_ns);
}

static bool has(gw_ctx *ctx, const char *need, char *why, size_t why_cap)
{
    if (strcmp(need, "regs") == 0) {
        (void)snprintf(why, why_cap, "%s",
                       gw_case_has_link(ctx, GW_REGS_LINK)
                           ? "no ram area is declared that is the register block"
                           : "nobody said where the board's link regs is");
        return has_registers(ctx);
    }
    if (strcmp(need, "link") == 0) {
        (void)snprintf(why, why_cap, "the board is reached over its Ethernet port, not an APElink");
        return gw_case_stream(ctx);
    }
    if (strcmp(need, "response_us") == 0)
        return gw_response_claimed(ctx, why, why_cap);
    if (strcmp(need, "ethernet") == 0) {
        (void)snprintf(why, why_cap, "the board is reached over an APElink");
        return !gw_case_stream(ctx);
    }
    (void)snprintf(why, why_cap, "nobody said where the board's link %s is", need);
    return gw_case_has_link(ctx, need);
}

static void show(gw_ctx *ctx, gw_claims *shown)
{
    if (gw_case_has_link(ctx, GW_REGS_LINK))
        shown->revision = gw_regs_read(ctx, GW_TX_REVISION_REG);
}

static void identify(gw_ctx *ctx, char *out, size_t cap)
{
    (void)snprintf(out, cap, "%s, %s",
                   gw_txc_is_switch(ctx) ? "TEXTAROSSA switch" : "TEXTAROSSA node",
                   gw_case_stream(ctx) ? "over APElink" : "over its Ethernet port");
}

static bool accepts_node(const gw_dialect *dialect, bool stream, char *why, size_t why_cap)
{
    const gw_tx_dialect *d = gw_tx_dialect_of(dialect);

    if (d->gu) {
        (void)snprintf(why, why_cap,
                       "payloads with headers of further hops are for a task: judge a capture of "
                       "them with `goldwire check --dialect gu'");
        return false;
    }
    (void)snprintf(why, why_cap, "the beats of an APElink are of 128 bits here, not %u",
                   8U * d->word_bytes);
    return !stream || d->word_bytes == GW_TX_WORD;
}

static bool accepts_switch(const gw_dialect *dialect, bool stream, char *why, size_t why_cap)
{
    if (!accepts_node(dialect, true, why, why_cap))
        return false;
    (void)snprintf(why, why_cap,
                   "x+ is an APElink, a byte stream: give it as x+=tcp://HOST:PORT, or, simulated, "
                   "as x+=sim://NAME?port=N&over=apelink");
    return stream;
}

#define NOTHING_ACKNOWLEDGED                                                                       \
    {                                                                                              \
        "TX-L11", GW_BOTH_WAYS,                                                                    \
            "It says what a link does not promise: a board that does more breaks nothing."         \
    }

static const gw_exception node_exceptions[] = {
    {"TX-E13", GW_BOTH_WAYS,
     "The count is for the task that reads the stream, behind the node's router; what that "
     "makes of it is its own affair. `goldwire check --dialect gu' judges the sender."},
    NOTHING_ACKNOWLEDGED,
    {"TX-N12", GW_BOTH_WAYS,
     "A board that verifies checksums and one that does not are both right: nothing that it "
     "does breaks the rule."},
    {"TX-N13", GW_BOTH_WAYS,
     "The dialect says in which order to read the board; in another one no header makes sense."},
};

static const gw_exception switch_exceptions[] = {NOTHING_ACKNOWLEDGED};

static const gw_case *const node_groups[] = {
    gw_tx_l_send,    gw_tx_l_room, gw_tx_l_receive, gw_tx_e,   gw_tx_e_edges, gw_tx_e_hostile,
    gw_tx_l_footers, gw_tx_n,      gw_tx_wire,      gw_tx_arp, gw_tx_r};
static const gw_case *const switch_groups[] = {gw_tx_l_send, gw_tx_l_room,  gw_tx_l_receive,
                                               gw_tx_s,      gw_tx_s_carry, gw_tx_r};

const gw_suite gw_tx_node_suite = {
    .role = "textarossa-node",
    .format = &gw_textarossa,
    .families = GW_LIST("TX-E", "TX-N", "TX-R", "TX-L"),
    .groups = node_groups,
    .num_groups = GW_ARRAY_LEN(node_groups),
    .exceptions = node_exceptions,
    .num_exceptions = GW_ARRAY_LEN(node_exceptions),
    .state_size = sizeof(gw_txc_state),
    .accepts = accepts_node,
    .begin = begin,
    .alive = alive,
    .pair = pair,
    .has = has,
    .show = show,
    .leave = gw_txc_restore,
    .identify = identify,
    .loads = &gw_tx_node_loads,
};

const gw_suite gw_tx_switch_suite = {
    .role = "textarossa-switch",
    .format = &gw_textarossa,
    .families = GW_LIST("TX-S", "TX-R", "TX-L"),
    .groups = switch_groups,
    .num_groups = GW_ARRAY_LEN(switch_groups),
    .exceptions = switch_exceptions,
    .num_exceptions = GW_ARRAY_LEN(switch_exceptions),
    .state_size = sizeof(gw_txc_state),
    .tunnels = true,
    .accepts = accepts_switch,
    .begin = begin,
    .alive = alive,
    .pair = pair,
    .has = has,
    .show = show,
    .leave = gw_txc_restore,
    .identify = identify,
    .loads = &gw_tx_switch_loads,
};
