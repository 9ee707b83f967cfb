/* SPDX-License-Identifier: BSD-2-Clause */
/* OP2P cases: talking to a node as its link partner and as its host. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cases/op.h"
#include "cases/response.h"
#include "goldwire/cursor.h"
#include "goldwire/writer.h"

#define LANDING UINT32_C(0x00c0ffe0) /* where we want the data of our reads, and above */

static gw_opc_state *state_of(gw_ctx *ctx)
{
    return gw_case_state(ctx);
}

uint16_t gw_opc_node(gw_ctx *ctx)
{
    return state_of(ctx)->node;
}

uint32_t gw_opc_ram(gw_ctx *ctx, uint32_t len)
{
    const gw_area *area = gw_board_area(gw_case_board(ctx), GW_AREA_RAM, 32, len);
    if (area == NULL)
        gw_case_na(ctx, "no ram area of %" PRIu32 " bytes is declared", len);
    uint64_t room = (area->size - len) / 8 + 1;
    return (uint32_t)(area->address + gw_case_random(ctx) % room * 8);
}

uint32_t gw_opc_word(gw_ctx *ctx)
{
    return (uint32_t)gw_case_random(ctx) | UINT32_C(0x01010101);
}

/* ---- our way out ---- */

unsigned gw_opc_event(gw_ctx *ctx, uint8_t kind, uint8_t flags, uint8_t code, const void *pdu,
                      size_t len)
{
    uint8_t datagram[GW_OP2P_SHIM + GW_OP2P_PDU_MAX + 64];
    gw_opc_state *s = state_of(ctx);
    gw_line *line = gw_case_line(ctx);

    if (s->line != line)
        s->sequence = 0;
    s->line = line;
    gw_op2p_shim shim = {
        .version = 1, .kind = kind, .flags = flags, .code = code, .sequence = s->sequence++};
    gw_op2p_put_tunnel(datagram, &shim);
    if (len > 0)
        memcpy(datagram + GW_OP2P_SHIM, pdu, len);
    return gw_case_send(ctx, line, datagram, GW_OP2P_SHIM + len);
}

/* There are no tags: a landing place of its own tells the answer to a read from late answers to
 * earlier ones. */
static uint32_t landing(gw_ctx *ctx)
{
    return LANDING + ((uint32_t)state_of(ctx)->landings++ << 12);
}

gw_op2p_header gw_opc_header(gw_ctx *ctx, uint8_t type, uint32_t address, uint16_t count)
{
    gw_op2p_header h = {.src_id = GW_OPC_US,
                        .dst_id = gw_opc_node(ctx),
                        .dst_addr = address,
                        .src_addr = landing(ctx),
                        .byte_count = count,
                        .type = type,
                        .fbe = 15};
    return h;
}

unsigned gw_opc_send(gw_ctx *ctx, const gw_op2p_header *h, const uint32_t *words, size_t num,
                     uint8_t flags)
{
    uint8_t pdu[GW_OP2P_PDU_MAX + 64];

    gw_op2p_put(pdu, h);
    for (size_t i = 0; i < num; i++)
        gw_store_be(pdu + GW_OP2P_HEADER + 4 * i, words[i], 4);
    return gw_opc_event(ctx, GW_OP2P_KIND_PDU, flags, 0, pdu, GW_OP2P_HEADER + 4 * num);
}

/* ---- what comes in ---- */

bool gw_opc_next_event(gw_ctx *ctx, gw_opc_got *got, int64_t timeout_ns)
{
    gw_packet packet;

    if (gw_case_recv(ctx, gw_case_line(ctx), timeout_ns, &packet) != GW_RECV_DATA)
        return false;
    size_t len = packet.len < sizeof(got->bytes) ? packet.len : sizeof(got->bytes);
    memcpy(got->bytes, packet.data, len);
    got->number = packet.number;
    got->message = gw_message_of(got->bytes, len);
    got->message.transport = GW_OVER_UDP;
    got->p.has_header = false;
    (void)gw_op2p_decode(&got->p, &got->message);
    return true;
}

bool gw_opc_next(gw_ctx *ctx, gw_opc_got *got, int64_t timeout_ns)
{
    gw_line *line = gw_case_line(ctx);
    int64_t deadline = gw_case_now(line) + timeout_ns;

    while (gw_opc_next_event(ctx, got, deadline - gw_case_now(line))) {
        if (got->p.has_header)
            return true;
    }
    return false;
}

void gw_opc_drain(gw_ctx *ctx)
{
    gw_opc_got got;
    for (unsigned i = 0; i < 1000 && gw_opc_next_event(ctx, &got, 0); i++)
        ;
}

void gw_opc_silence(gw_ctx *ctx, const char *rule, const char *after)
{
    gw_opc_got got;
    gw_miss miss = {.rule = rule};

    if (gw_opc_next(ctx, &got, gw_case_settle_ns(ctx))) {
        miss.packet = got.number;
        gw_case_fail(ctx, &miss, "a packet of type 0x%x came after %s; none is expected",
                     got.p.header.type, after);
    }
}

void gw_opc_want(gw_ctx *ctx, const gw_opc_got *got, const char *rule, const char *field,
                 uint64_t value)
{
    gw_want want = {.rule = rule, .field = field, .value = value};
    gw_case_expect(ctx, &got->message, got->number, &want);
}

void gw_opc_ask(gw_ctx *ctx, const gw_op2p_header *q, gw_opc_got *got, const char *rule)
{
    gw_miss miss = {.rule = rule};

    gw_opc_drain(ctx);
    gw_opc_send(ctx, q, NULL, 0, 0);
    if (!gw_opc_next(ctx, got, gw_case_reply_ns(ctx)))
        gw_case_fail(ctx, &miss, "a read request of %u bytes was not answered", q->byte_count);
    gw_opc_want(ctx, got, rule, "op2p.type", GW_OP2P_COMPLETION);
}

void gw_opc_write(gw_ctx *ctx, uint32_t address, const uint32_t *words, size_t num)
{
    gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_WRITE, address, (uint16_t)(4 * num));
    gw_opc_send(ctx, &h, words, num, 0);
}

/* Sends |q| and waits for the completion to it. */
static bool answer(gw_ctx *ctx, const gw_op2p_header *q, gw_opc_got *got)
{
    gw_line *line = gw_case_line(ctx);

    gw_opc_drain(ctx);
    gw_opc_send(ctx, q, NULL, 0, 0);
    int64_t deadline = gw_case_now(line) + gw_case_reply_ns(ctx);
    while (gw_opc_next(ctx, got, deadline - gw_case_now(line))) {
        const gw_op2p_header *h = &got->p.header;
        if (h->type == GW_OP2P_COMPLETION && h->dst_addr == q->src_addr)
            return true;
    }
    return false;
}

void gw_opc_find(gw_ctx *ctx, gw_op2p_header *q, gw_opc_got *got, const char *rule)
{
    gw_miss miss = {.rule = rule};

    q->src_addr = landing(ctx);
    if (!answer(ctx, q, got))
        gw_case_fail(ctx, &miss, "a read request of %u bytes was not answered", q->byte_count);
}

uint32_t gw_opc_peek(gw_ctx *ctx, uint32_t address)
{
    gw_op2p_header q = gw_opc_header(ctx, GW_OP2P_READ, address, 4);
    gw_opc_got got;

    if (!answer(ctx, &q, &got) || got.p.payload_len < 4)
        gw_case_inconc(ctx, "the memory cannot be read: no completion with data");
    return gw_load_be32(got.p.payload);
}

void gw_opc_same(gw_ctx *ctx, const char *rule, uint32_t address, uint32_t value, const char *what)
{
    gw_miss miss = {.rule = rule, .expected = value};
    uint32_t seen = gw_opc_peek(ctx, address);

    miss.got = seen;
    if (seen != value)
        gw_case_fail(ctx, &miss, "%s: 0x%08" PRIx32 " at 0x%08" PRIx32 ", 0x%08" PRIx32 " expected",
                     what, seen, address, value);
}

/* ---- as the host ---- */

uint32_t gw_opc_soon(gw_ctx *ctx, uint32_t address, uint32_t mask, uint32_t value)
{
    gw_line *line = gw_case_line(ctx);
    int64_t deadline = gw_case_now(line) + gw_case_reply_ns(ctx);
    uint32_t seen = gw_regs_read(ctx, address);

    while ((seen & mask) != value && gw_case_now(line) < deadline) {
        gw_case_wait(line, GW_MS);
        seen = gw_regs_read(ctx, address);
    }
    return seen;
}

void gw_opc_forget(gw_ctx *ctx, uint32_t address)
{
    for (unsigned i = 0; i <= GW_OP2P_FIFO_DEPTH; i++)
        (void)gw_regs_read(ctx, address);
}

void gw_opc_take_down(gw_ctx *ctx)
{
    gw_opc_event(ctx, GW_OP2P_KIND_CHANNEL, 0, 0, NULL, 0);
    (void)gw_opc_soon(ctx, GW_OP2P_LINK_STATUS, GW_OP2P_CHANNEL_UP, 0);
}

void gw_opc_command(gw_ctx *ctx, bool read, uint32_t local, uint32_t remote, uint16_t dst,
                    uint32_t count)
{
    uint32_t at = read ? GW_OP2P_RDREQ_LOCALADDRESS : GW_OP2P_WR_SOURCEADDRESS;

    gw_regs_write(ctx, at, local);
    gw_regs_write(ctx, at + 4, remote);
    gw_regs_write(ctx, at + 8, gw_opc_node(ctx));
    gw_regs_write(ctx, at + 12, dst);
    gw_regs_write(ctx, at + 16, count);
}

/* ---- signs of life ---- */

/* Whatever comes back counts: how good it is, is for the cases to say. What an earlier case made it
 * say may come first; the answer is waited for a little, so that it does not come into the next. */
static bool ping(gw_ctx *ctx, uint16_t node, int64_t timeout_ns, gw_opc_got *got)
{
    gw_op2p_header q = gw_opc_header(ctx, GW_OP2P_READ, 0, 4);
    gw_line *line = gw_case_line(ctx);
    int64_t deadline = gw_case_now(line) + timeout_ns;
    bool came = false;

    q.dst_id = node;
    gw_opc_send(ctx, &q, NULL, 0, 0);
    while (gw_opc_next(ctx, got, deadline - gw_case_now(line))) {
        if (got->p.header.dst_addr == q.src_addr)
            return true;
        if (!came)
            deadline = gw_case_now(line) + gw_case_settle_ns(ctx);
        came = true;
    }
    return came;
}

bool gw_opc_alive(gw_ctx *ctx, int64_t timeout_ns)
{
    gw_opc_state *s = state_of(ctx);
    gw_opc_got got;

    gw_opc_drain(ctx);
    gw_opc_event(ctx, GW_OP2P_KIND_CHANNEL, 0, 3, NULL, 0);
    gw_opc_event(ctx, GW_OP2P_KIND_NFC, 0, GW_OP2P_XON, NULL, 0);
    gw_opc_drain(ctx);
    if (s->node == 0 && gw_case_has_link(ctx, GW_REGS_LINK))
        s->node = (uint16_t)gw_regs_read(ctx, GW_OP2P_LOCALID);
    if (!ping(ctx, s->node, timeout_ns, &got))
        return false;
    if (s->node == 0 && got.p.header.dst_id == GW_OPC_US)
        s->node = got.p.header.src_id;
    return true;
}

/* Nothing of an earlier case is left: the board may send, and what it had to say has come. */
void gw_opc_begin(gw_ctx *ctx)
{
    gw_opc_event(ctx, GW_OP2P_KIND_CHANNEL, 0, 3, NULL, 0);
    gw_opc_event(ctx, GW_OP2P_KIND_NFC, 0, GW_OP2P_XON, NULL, 0);
    gw_opc_drain(ctx);
}

bool gw_opc_has(gw_ctx *ctx, const char *need, char *why, size_t why_cap)
{
    if (strcmp(need, "regs") == 0) {
        (void)snprintf(why, why_cap, "nobody said where the board's link regs is");
        return gw_case_has_link(ctx, GW_REGS_LINK);
    }
    if (strcmp(need, "forwarding") == 0) {
        (void)snprintf(why, why_cap, "the board file claims no forwarding");
        return gw_case_board(ctx)->claims.forwarding != GW_CLAIM_NO;
    }
    if (strcmp(need, "response_us") == 0)
        return gw_response_claimed(ctx, why, why_cap);
    (void)snprintf(why, why_cap, "no ram area is declared");
    return gw_board_area(gw_case_board(ctx), GW_AREA_RAM, 32, 8) != NULL;
}

void gw_opc_show(gw_ctx *ctx, gw_claims *shown)
{
    shown->node = gw_opc_node(ctx);
}

void gw_opc_identify(gw_ctx *ctx, char *out, size_t cap)
{
    uint16_t node = gw_opc_node(ctx);

    if (node == 0)
        (void)snprintf(out, cap, "an OP2P node that does not tell its id");
    else
        (void)snprintf(out, cap, "OP2P node 0x%04x, chassis %u slot %u", node,
                       gw_op2p_chassis(node), gw_op2p_slot(node));
}
