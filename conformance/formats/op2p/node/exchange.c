/* SPDX-License-Identifier: BSD-2-Clause */
/* OP2P cases: talking to a node as its link partner and as its host. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/op2p/node/suite.h"
#include "goldwire/cursor.h"
#include "goldwire/writer.h"
#include "suite/response.h"
#include "suite/wires.h"

/* Where we want the data of our reads, and above. A node that takes it for the fourth double word
 * of a header, as after a frame of one, finds a reserved type there, and always the same. */
#define LANDING UINT32_C(0x00c05fe0)

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

uint16_t gw_opc_largest(gw_ctx *ctx)
{
    size_t room = gw_case_transport(gw_case_connection(ctx))->carries;
    uint16_t most = gw_opc_reference(ctx) ? GW_OP2P_REFERENCE_MAX : GW_OP2P_PAYLOAD_MAX;

    if (room == 0 || room >= GW_OP2P_SHIM + GW_OP2P_HEADER + (size_t)most)
        return most;
    room -= GW_OP2P_SHIM + GW_OP2P_HEADER;
    return (uint16_t)(room - room % 4);
}

bool gw_opc_reference(gw_ctx *ctx)
{
    return gw_op2p_dialect_of(gw_case_dialect(ctx))->reference;
}

uint32_t gw_opc_word(gw_ctx *ctx)
{
    return (uint32_t)gw_case_random(ctx) | UINT32_C(0x01010101);
}

/* ---- headers ---- */

/* There are no tags: a landing place of its own tells the answer to a read from late answers to
 * earlier ones. */
static uint32_t landing(gw_ctx *ctx)
{
    return LANDING + ((uint32_t)state_of(ctx)->landings++ << 16);
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

/* ---- asking ---- */

bool gw_opc_again(gw_ctx *ctx, unsigned *tries)
{
    return gw_case_loses(ctx) && gw_case_again(ctx, tries);
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

/* Waits for the completion to |q|; |*any| says whether anything else came. */
static bool await(gw_ctx *ctx, const gw_op2p_header *q, gw_opc_got *got, bool *any)
{
    gw_connection *conn = gw_case_connection(ctx);
    int64_t deadline = gw_case_now(conn) + gw_case_reply_ns(ctx);

    while (gw_opc_next(ctx, got, deadline - gw_case_now(conn))) {
        const gw_op2p_header *h = &got->p.header;
        if (h->type == GW_OP2P_COMPLETION && h->dst_addr == q->src_addr)
            return true;
        *any = true;
    }
    return false;
}

bool gw_opc_completion(gw_ctx *ctx, const gw_op2p_header *q, gw_opc_got *got)
{
    bool any = false;

    return await(ctx, q, got, &any);
}

static bool answer(gw_ctx *ctx, const gw_op2p_header *q, gw_opc_got *got, bool *any)
{
    gw_opc_discard(ctx);
    gw_opc_send(ctx, q, NULL, 0, 0);
    return await(ctx, q, got, any);
}

void gw_opc_find(gw_ctx *ctx, gw_op2p_header *q, gw_opc_got *got, const char *rule)
{
    gw_miss miss = {.rule = rule};
    bool any = false;
    unsigned tries = 0;

    do {
        q->src_addr = landing(ctx);
        if (answer(ctx, q, got, &any))
            return;
    } while (gw_case_again(ctx, &tries));
    gw_case_fail(ctx, &miss, "a read request of %u bytes was not answered", q->byte_count);
}

/* A read that a case is not about: its answer may come late, and twice when it is asked again. */
static gw_op2p_header aside(gw_ctx *ctx, uint32_t address, size_t num)
{
    gw_opc_state *s = state_of(ctx);
    gw_op2p_header q = gw_opc_header(ctx, GW_OP2P_READ, address, (uint16_t)(4 * num));

    s->asked[s->num_asked++ % GW_OPC_ASKED] = q.src_addr;
    return q;
}

#define BEHIND 253 /* double words: a few more, and the reference core takes a frame twice */

/* Where the first BEHIND double words, should somebody write them, spoil nothing that a case has
 * laid at |address|; false when there is no such place. */
static bool beside(gw_ctx *ctx, uint32_t address, uint32_t *at)
{
    const uint32_t len = 4 * BEHIND;
    const gw_area *area = gw_board_area(gw_case_board(ctx), GW_AREA_RAM, 32, len);

    if (area == NULL)
        return false;
    *at = (uint32_t)area->address;
    if (address >= *at && address - *at < len)
        *at += (uint32_t)(area->size - len) & ~UINT32_C(3);
    return address < *at ? *at - address >= 4 * GW_OPC_BLOCK : address - *at >= len;
}

void gw_opc_leave_header(gw_ctx *ctx, uint32_t address)
{
    uint32_t words[BEHIND], at;
    uint8_t bytes[GW_OP2P_HEADER];
    size_t room = gw_case_transport(gw_case_connection(ctx))->carries;
    gw_op2p_header left = gw_opc_header(ctx, GW_OP2P_WRITE, address, 8);
    gw_opc_got got;

    if (!beside(ctx, address, &at) ||
        (room != 0 && room < GW_OP2P_SHIM + GW_OP2P_HEADER + sizeof(words)))
        return;
    gw_op2p_put(bytes, &left);
    /* The reference core looks from double word 253 of the frame on. */
    for (size_t i = 0; i < BEHIND; i++)
        words[i] = gw_load_be32(bytes + 4 * ((i + 3) % 4));
    gw_op2p_header q = aside(ctx, at, 1);
    gw_opc_send(ctx, &q, words, BEHIND, 0);
    (void)gw_opc_completion(ctx, &q, &got);
    /* Who has answered before the frame's end may halt us at its end, and for good. */
    gw_opc_listen(ctx, gw_case_lag_ns(ctx));
    if (!gw_opc_may_send(ctx, 0))
        (void)gw_opc_begin_anew(ctx);
}

void gw_opc_peek_all(gw_ctx *ctx, uint32_t address, uint32_t *words, size_t num)
{
    gw_opc_got got;
    unsigned tries = 0;
    bool any = false;

    do {
        gw_op2p_header q = aside(ctx, address, num);
        if (!answer(ctx, &q, &got, &any))
            continue;
        if (got.p.payload_len < 4 * num)
            gw_case_inconc(ctx, "the memory cannot be read: a completion without data");
        for (size_t i = 0; i < num; i++)
            words[i] = gw_load_be32(got.p.payload + 4 * i);
        return;
    } while (gw_case_again(ctx, &tries));
    if (!any)
        gw_case_expect_alive(ctx, NULL, "a read of its memory");
    gw_case_inconc(ctx, "the memory cannot be read: no completion with data");
}

uint32_t gw_opc_peek(gw_ctx *ctx, uint32_t address)
{
    uint32_t word;

    gw_opc_peek_all(ctx, address, &word, 1);
    return word;
}

/* Whether the |num| double words at |address| are |words|, or of many the first and the last. */
static bool is_there(gw_ctx *ctx, uint32_t address, const uint32_t *words, size_t num)
{
    uint32_t seen[GW_OPC_BLOCK];

    if (num > GW_OPC_BLOCK)
        return gw_opc_peek(ctx, address + 4 * (uint32_t)(num - 1)) == words[num - 1] &&
               gw_opc_peek(ctx, address) == words[0];
    gw_opc_peek_all(ctx, address, seen, num);
    return memcmp(seen, words, num * sizeof(seen[0])) == 0;
}

void gw_opc_put(gw_ctx *ctx, uint32_t address, const uint32_t *words, size_t num)
{
    unsigned tries = 0;

    do {
        gw_opc_write(ctx, address, words, num);
        if (is_there(ctx, address, words, num))
            return;
    } while (gw_case_again(ctx, &tries));
    gw_case_inconc(ctx, "the memory does not keep what is written to it");
}

void gw_opc_same_all(gw_ctx *ctx, const char *rule, uint32_t address, const uint32_t *values,
                     size_t num, const char *what)
{
    uint32_t seen[GW_OPC_BLOCK];
    gw_miss miss = {.rule = rule};

    gw_opc_peek_all(ctx, address, seen, num);
    for (uint32_t i = 0; i < num; i++) {
        miss.expected = values[i];
        miss.got = seen[i];
        if (seen[i] != values[i])
            gw_case_fail(ctx, &miss,
                         "%s: 0x%08" PRIx32 " at 0x%08" PRIx32 ", 0x%08" PRIx32 " expected", what,
                         seen[i], address + 4 * i, values[i]);
    }
}

void gw_opc_same(gw_ctx *ctx, const char *rule, uint32_t address, uint32_t value, const char *what)
{
    gw_opc_same_all(ctx, rule, address, &value, 1, what);
}

/* ---- signs of life ---- */

/* The answer to the ping |q|: how good it is, is for the cases to say. */
static bool pong(const gw_opc_got *got, const gw_op2p_header *q)
{
    uint8_t turned[GW_OP2P_HEADER];
    const gw_op2p_header *h = &got->p.header;

    gw_op2p_swap(turned, got->message.data + (got->p.has_shim ? GW_OP2P_SHIM : 0), sizeof(turned));
    return h->dst_addr == q->src_addr || h->src_addr == q->src_addr ||
           gw_op2p_get(turned).dst_addr == q->src_addr;
}

static gw_op2p_header ping(gw_ctx *ctx)
{
    gw_op2p_header q = aside(ctx, 0, 1);

    gw_opc_send(ctx, &q, NULL, 0, 0);
    return q;
}

bool gw_opc_alive(gw_ctx *ctx, int64_t timeout_ns)
{
    gw_opc_state *s = state_of(ctx);
    gw_connection *conn = gw_case_connection(ctx);
    gw_opc_got got;

    if (s->node == 0 && gw_case_has_link(ctx, GW_REGS_LINK))
        s->node = (uint16_t)gw_regs_read(ctx, GW_OP2P_LOCALID);
    /* Who says XOFF once more is there, even if he does not let anybody speak. */
    if (!gw_opc_leave_to_send(ctx))
        return s->halted;
    gw_op2p_header q = ping(ctx);
    int64_t deadline = gw_case_now(conn) + timeout_ns;
    while (gw_opc_next(ctx, &got, deadline - gw_case_now(conn))) {
        if (!pong(&got, &q))
            continue;
        if (s->node == 0 && got.p.header.dst_id == GW_OPC_US)
            s->node = got.p.header.src_id;
        return true;
    }
    return false;
}

/* What the path repeats or reorders is seen by the datagrams' own order. */
gw_pair gw_opc_pair(gw_ctx *ctx, int64_t timeout_ns)
{
    gw_connection *conn = gw_case_connection(ctx);
    gw_opc_state *s = state_of(ctx);
    gw_pair pair = {0};
    gw_packet packet;

    gw_opc_drain(ctx);
    const gw_op2p_header q[2] = {ping(ctx), ping(ctx)};
    int64_t deadline = gw_case_now(conn) + timeout_ns;
    while (gw_case_recv(ctx, conn, deadline - gw_case_now(conn), &packet) == GW_RECV_DATA) {
        gw_opc_got got;
        gw_opc_take(&got, packet.data, packet.len, packet.number);
        if (!got.p.has_header)
            continue;
        for (unsigned i = 0; i < 2; i++) {
            if (!pong(&got, &q[i]))
                continue;
            gw_pair_answer(&pair, i);
        }
        if (pair.answered == 2 && deadline > gw_case_now(conn) + gw_case_lag_ns(ctx))
            deadline = gw_case_now(conn) + gw_case_lag_ns(ctx);
    }
    s->late = false;
    return pair;
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
    if (strcmp(need, "gaps") == 0) {
        (void)snprintf(why, why_cap, "the board file claims no adapter that makes gaps");
        return gw_case_board(ctx)->claims.gaps == GW_CLAIM_YES;
    }
    if (strcmp(need, "wires") == 0)
        return gw_wires_there(ctx, why, why_cap);
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
