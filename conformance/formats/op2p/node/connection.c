/* SPDX-License-Identifier: BSD-2-Clause */
/* OP2P cases: goldwire's end of the tunnel. It sends nothing while the board has halted it or says
 * that the channel is down, and takes no datagram that the path brought late or twice. */
#include <string.h>

#include "formats/op2p/node/suite.h"
#include "goldwire/cursor.h"
#include "goldwire/writer.h"

#define TRAININGS 4 /* reply times that a channel may take to come up */

static gw_opc_state *state_of(gw_ctx *ctx)
{
    return gw_case_state(ctx);
}

/* ---- what the board says of the link ---- */

static void link_event(gw_opc_state *s, uint8_t kind, uint8_t code)
{
    if (kind == GW_OP2P_KIND_NFC && code == GW_OP2P_XOFF)
        s->halted = true;
    else if (kind == GW_OP2P_KIND_NFC && code == GW_OP2P_XON)
        s->halted = false;
    if (kind != GW_OP2P_KIND_CHANNEL)
        return;
    s->down = code == 0;
    s->halted = false; /* a link begins anew */
}

void gw_opc_heard(gw_ctx *ctx, gw_connection *conn, const gw_packet *packet)
{
    gw_opc_state *s = state_of(ctx);
    const uint8_t *data = packet->data;

    s->late = false;
    if (conn != s->conn || packet->len < GW_OP2P_SHIM || !gw_op2p_is_tunnel(data, packet->len))
        return;
    /* An answer is known by what it answers, however late it comes; an event only holds in its
     * place. */
    uint16_t number = gw_load_be16(data + 6);
    bool again = gw_op2p_repeated(&s->order, number);
    bool late = !gw_op2p_in_order(&s->order, number);
    s->late = again || (late && data[3] != GW_OP2P_KIND_PDU);
    if (s->late)
        return;
    link_event(s, data[3], data[5]);
    if (data[3] == GW_OP2P_KIND_PDU && (data[4] & GW_OP2P_FLAG_NO_EOF) != 0)
        s->endless = true;
}

/* ---- what comes in ---- */

void gw_opc_take(gw_opc_got *got, const uint8_t *bytes, size_t len, unsigned number)
{
    if (len > sizeof(got->bytes))
        len = sizeof(got->bytes);
    memcpy(got->bytes, bytes, len);
    got->number = number;
    got->message = gw_message_of(got->bytes, len);
    got->message.transport = GW_OVER_UDP;
    got->p.has_header = false;
    (void)gw_op2p_decode(&got->p, &got->message);
}

static void keep(gw_opc_state *s, const gw_packet *packet)
{
    if (s->num_kept == GW_OPC_KEPT) {
        s->first_kept = (s->first_kept + 1) % GW_OPC_KEPT;
        s->num_kept--;
    }
    gw_opc_kept *k = &s->kept[(s->first_kept + s->num_kept++) % GW_OPC_KEPT];
    k->number = packet->number;
    k->len = (uint16_t)(packet->len < sizeof(k->bytes) ? packet->len : sizeof(k->bytes));
    memcpy(k->bytes, packet->data, k->len);
}

static bool take_kept(gw_opc_state *s, gw_opc_got *got)
{
    if (s->num_kept == 0)
        return false;
    const gw_opc_kept *k = &s->kept[s->first_kept];
    s->first_kept = (s->first_kept + 1) % GW_OPC_KEPT;
    s->num_kept--;
    gw_opc_take(got, k->bytes, k->len, k->number);
    return true;
}

/* The next datagram that is in order. */
static bool receive(gw_ctx *ctx, gw_packet *packet, int64_t timeout_ns)
{
    gw_connection *conn = gw_case_connection(ctx);
    int64_t deadline = gw_case_now(conn) + timeout_ns;

    while (gw_case_recv(ctx, conn, deadline - gw_case_now(conn), packet) == GW_RECV_DATA) {
        if (!state_of(ctx)->late)
            return true;
    }
    return false;
}

bool gw_opc_next_event(gw_ctx *ctx, gw_opc_got *got, int64_t timeout_ns)
{
    gw_packet packet;

    if (take_kept(state_of(ctx), got))
        return true;
    if (!receive(ctx, &packet, timeout_ns))
        return false;
    gw_opc_take(got, packet.data, packet.len, packet.number);
    return true;
}

bool gw_opc_next(gw_ctx *ctx, gw_opc_got *got, int64_t timeout_ns)
{
    gw_connection *conn = gw_case_connection(ctx);
    int64_t deadline = gw_case_now(conn) + timeout_ns;

    while (gw_opc_next_event(ctx, got, deadline - gw_case_now(conn))) {
        if (got->p.has_header)
            return true;
    }
    return false;
}

void gw_opc_drain(gw_ctx *ctx)
{
    state_of(ctx)->num_kept = 0;
    gw_case_drain(ctx, gw_case_connection(ctx));
}

void gw_opc_discard(gw_ctx *ctx)
{
    gw_packet packet;

    state_of(ctx)->num_kept = 0;
    while (receive(ctx, &packet, 0))
        ;
}

/* ---- leave to send ---- */

static bool blocked(const gw_opc_state *s)
{
    return s->halted || s->down;
}

/* What came meanwhile is kept for whoever asks next. */
bool gw_opc_may_send(gw_ctx *ctx, int64_t timeout_ns)
{
    gw_connection *conn = gw_case_connection(ctx);
    gw_opc_state *s = state_of(ctx);
    int64_t deadline = gw_case_now(conn) + timeout_ns;
    gw_packet packet;

    while (receive(ctx, &packet, 0))
        keep(s, &packet);
    while (blocked(s) && receive(ctx, &packet, deadline - gw_case_now(conn)))
        keep(s, &packet);
    return !blocked(s);
}

void gw_opc_listen(gw_ctx *ctx, int64_t time_ns)
{
    gw_connection *conn = gw_case_connection(ctx);
    int64_t deadline = gw_case_now(conn) + time_ns;
    gw_packet packet;

    while (receive(ctx, &packet, deadline - gw_case_now(conn)))
        keep(state_of(ctx), &packet);
}

/* A link that comes up anew has forgotten every XOFF; whoever means his says it again. */
bool gw_opc_begin_anew(gw_ctx *ctx)
{
    gw_opc_state *s = state_of(ctx);

    gw_opc_event(ctx, GW_OP2P_KIND_CHANNEL, 0, 0, NULL, 0);
    gw_opc_event(ctx, GW_OP2P_KIND_CHANNEL, 0, 3, NULL, 0);
    s->halted = false;
    s->down = false;
    gw_opc_listen(ctx, gw_case_lag_ns(ctx));
    return gw_opc_may_send(ctx, gw_case_reply_ns(ctx));
}

/* An XON that does not come may be lost on its way, or never have been said. */
static bool insist(gw_ctx *ctx)
{
    gw_opc_state *s = state_of(ctx);

    if (!s->told && gw_case_self(ctx) != NULL)
        gw_case_note(ctx, "an XOFF was not followed by XON: the link was begun anew");
    s->told = true;
    return gw_opc_begin_anew(ctx);
}

bool gw_opc_leave_to_send(gw_ctx *ctx)
{
    gw_opc_state *s = state_of(ctx);

    if (gw_opc_may_send(ctx, gw_case_reply_ns(ctx)))
        return true;
    if (s->down && gw_opc_may_send(ctx, TRAININGS * gw_case_reply_ns(ctx)))
        return true;
    return !s->halting && insist(ctx);
}

/* ---- our way out ---- */

static unsigned put_event(gw_ctx *ctx, uint8_t kind, uint8_t flags, uint8_t code, const void *pdu,
                          size_t len)
{
    uint8_t datagram[GW_OPC_DATAGRAM];
    gw_opc_state *s = state_of(ctx);
    gw_op2p_shim shim = {
        .version = 1, .kind = kind, .flags = flags, .code = code, .sequence = s->sequence++};

    gw_op2p_put_tunnel(datagram, &shim);
    if (len > 0)
        memcpy(datagram + GW_OP2P_SHIM, pdu, len);
    return gw_case_send(ctx, gw_case_connection(ctx), datagram, GW_OP2P_SHIM + len);
}

/* Another connection begins with datagram 0, and what was said on the last one is past. */
static void know_line(gw_ctx *ctx)
{
    gw_opc_state *s = state_of(ctx);
    gw_connection *conn = gw_case_connection(ctx);

    if (s->conn == conn && s->connection == gw_case_connection_number(conn))
        return;
    s->conn = conn;
    s->connection = gw_case_connection_number(conn);
    s->sequence = 0;
    s->order = (gw_op2p_order){0};
    s->ragged |= gw_case_repeats(ctx) ? s->commanded : 0; /* what gave a part of a command, too */
    s->num_kept = 0;
}

unsigned gw_opc_event(gw_ctx *ctx, uint8_t kind, uint8_t flags, uint8_t code, const void *pdu,
                      size_t len)
{
    know_line(ctx);
    if (kind == GW_OP2P_KIND_PDU && !gw_opc_leave_to_send(ctx))
        gw_case_inconc(ctx, "the board keeps us halted, or the channel down: nothing may be sent");
    gw_opc_state *s = state_of(ctx);
    if (kind == GW_OP2P_KIND_NFC)
        s->halting = code == GW_OP2P_XOFF;
    if (kind == GW_OP2P_KIND_CHANNEL) {
        s->halting = code == 0;
        s->halted = false;
    }
    /* What overtakes would be taken for late, and be lost. */
    if (gw_case_spread_ns(ctx) > 0)
        gw_case_wait(gw_case_connection(ctx), gw_case_spread_ns(ctx));
    return put_event(ctx, kind, flags, code, pdu, len);
}

static size_t write_pdu(uint8_t *pdu, const gw_op2p_header *h, const uint32_t *words, size_t num)
{
    gw_op2p_put(pdu, h);
    for (size_t i = 0; i < num; i++)
        gw_store_be(pdu + GW_OP2P_HEADER + 4 * i, words[i], 4);
    return GW_OP2P_HEADER + 4 * num;
}

unsigned gw_opc_send(gw_ctx *ctx, const gw_op2p_header *h, const uint32_t *words, size_t num,
                     uint8_t flags)
{
    uint8_t pdu[GW_OP2P_PDU_MAX + 64];
    size_t len = write_pdu(pdu, h, words, num);

    return gw_opc_event(ctx, GW_OP2P_KIND_PDU, flags, 0, pdu, len);
}

unsigned gw_opc_burst(gw_ctx *ctx, const gw_op2p_header *h, const uint32_t *words, size_t num)
{
    uint8_t pdu[GW_OP2P_PDU_MAX + 64];
    size_t len = write_pdu(pdu, h, words, num);

    return put_event(ctx, GW_OP2P_KIND_PDU, 0, 0, pdu, len);
}

void gw_opc_unless_spread(gw_ctx *ctx)
{
    if (gw_case_spread_ns(ctx) > 0)
        gw_case_inconc(ctx, "the path brings frames that are sent together out of their order");
}

void gw_opc_blind(gw_ctx *ctx, const gw_op2p_header *h, uint8_t flags)
{
    uint8_t pdu[GW_OP2P_HEADER];

    (void)put_event(ctx, GW_OP2P_KIND_PDU, flags, 0, pdu, write_pdu(pdu, h, NULL, 0));
}

/* ---- silence ---- */

/* A PDU that must not come, |packet| of the evidence. */
GW_NORETURN static void spoke(gw_ctx *ctx, const char *rule, const gw_opc_got *got,
                              const char *after)
{
    gw_miss miss = {.rule = rule, .packet = got->number};
    gw_case_fail(ctx, &miss, "a packet of type 0x%x came after %s; none is expected",
                 got->p.header.type, after);
}

static bool was_asked(const gw_opc_state *s, uint32_t landing)
{
    for (unsigned i = 0; i < GW_OPC_ASKED && i < s->num_asked; i++)
        if (s->asked[i] == landing)
            return true;
    return false;
}

/* What a case is not about may still be on its way. */
static bool may_come(const gw_opc_state *s, const gw_opc_got *got)
{
    return !got->p.has_header ||
           (got->p.header.type == GW_OP2P_COMPLETION && was_asked(s, got->p.header.dst_addr));
}

bool gw_opc_excused(gw_ctx *ctx, gw_connection *conn, const gw_packet *packet)
{
    gw_opc_state *s = state_of(ctx);
    gw_opc_got got;

    if (conn != s->conn || s->late)
        return true;
    gw_opc_take(&got, packet->data, packet->len, packet->number);
    return may_come(s, &got);
}

/* What came before the silence was looked for. */
static void judge_kept(gw_ctx *ctx, const char *rule, const char *after)
{
    gw_opc_got got;

    while (take_kept(state_of(ctx), &got))
        if (!may_come(state_of(ctx), &got))
            spoke(ctx, rule, &got, after);
}

void gw_opc_silence(gw_ctx *ctx, const char *rule, const char *after)
{
    const gw_silence silence = {.rule = rule, .what = after};

    judge_kept(ctx, rule, after);
    gw_case_expect_silence(ctx, &silence);
}

void gw_opc_quiet(gw_ctx *ctx, const char *rule, const char *after)
{
    gw_connection *conn = gw_case_connection(ctx);
    int64_t deadline = gw_case_now(conn) + gw_case_settle_ns(ctx);
    gw_opc_got got;

    while (gw_opc_next_event(ctx, &got, deadline - gw_case_now(conn)))
        if (!may_come(state_of(ctx), &got))
            spoke(ctx, rule, &got, after);
}

/* Nothing of an earlier case is left on the link: the board may send. */
void gw_opc_begin_link(gw_ctx *ctx)
{
    gw_opc_state *s = state_of(ctx);

    know_line(ctx);
    s->num_kept = 0;
    s->told = false;
    /* An XON may be under way: a link that works is not taken down. */
    if (blocked(s) && !gw_opc_may_send(ctx, gw_case_lag_ns(ctx)))
        gw_opc_event(ctx, GW_OP2P_KIND_CHANNEL, 0, 0, NULL, 0);
    s->num_kept = 0;
    s->down = false;
    gw_opc_event(ctx, GW_OP2P_KIND_CHANNEL, 0, 3, NULL, 0);
    gw_opc_event(ctx, GW_OP2P_KIND_NFC, 0, GW_OP2P_XON, NULL, 0);
}
