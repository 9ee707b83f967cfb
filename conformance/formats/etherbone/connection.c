/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone cases: connections, negotiation, signs of life, and the proof of silence. */
#include <stdio.h>
#include <string.h>

#include "formats/etherbone/suite.h"
#include "suite/response.h"

#define PROBE_ANSWER_MAX 64 /* bytes of an answer that are looked at */
#define PROBES_LOST 5       /* by a path, while a read that goes with each gets through */

gw_ebc_state *gw_ebc_state_of(gw_ctx *ctx)
{
    return gw_case_state(ctx);
}

void gw_ebc_begin(gw_ctx *ctx)
{
    gw_ebc_state_of(ctx)->widths = 0;
}

/* ---- widths ---- */

uint8_t gw_ebc_mask(gw_ctx *ctx)
{
    const gw_claims *claims = &gw_case_board(ctx)->claims;
    uint8_t shown = gw_ebc_state_of(ctx)->mask;
    uint8_t address = claims->address_widths != 0 ? claims->address_widths : shown >> 4;
    uint8_t port = claims->port_widths != 0 ? claims->port_widths : shown & 15;
    return (uint8_t)(address << 4 | port) & gw_ebc_shown(ctx);
}

bool gw_ebc_supports(gw_ctx *ctx, uint8_t widths)
{
    return (gw_ebc_mask(ctx) & widths) == widths;
}

uint8_t gw_ebc_shown(gw_ctx *ctx)
{
    uint8_t shown = gw_ebc_state_of(ctx)->mask;
    return shown != 0 ? shown : 0xff;
}

static uint8_t usual_widths(gw_ctx *ctx)
{
    uint8_t mask = gw_ebc_mask(ctx);
    uint8_t both_32 = GW_EB_32BIT << 4 | GW_EB_32BIT;
    if (mask == 0 || gw_ebc_supports(ctx, both_32))
        return both_32;
    uint8_t widest = gw_eb_refine(mask, 0xff);
    return widest != 0 ? widest : both_32;
}

uint8_t gw_ebc_widths(gw_ctx *ctx)
{
    gw_ebc_state *state = gw_ebc_state_of(ctx);
    if (state->widths == 0)
        gw_ebc_use(ctx, usual_widths(ctx));
    return state->widths;
}

gw_eb_layout gw_ebc_layout(gw_ctx *ctx)
{
    gw_eb_layout layout;
    if (!gw_eb_layout_for(&layout, gw_ebc_widths(ctx), gw_case_dialect(ctx)))
        gw_case_na(ctx, "the board's dialect has no such widths");
    return layout;
}

/* ---- what the dialect's devices take ---- */

static const gw_eb_dialect *ways(gw_ctx *ctx)
{
    return gw_eb_dialect_of(gw_case_dialect(ctx));
}

unsigned gw_ebc_put(gw_ctx *ctx, gw_connection *conn, const void *data, size_t len)
{
    const gw_case *self = gw_case_self(ctx);
    if (!gw_case_stream(ctx) && !gw_eb_survives(gw_case_dialect(ctx), data, len))
        gw_case_forgo(ctx, self != NULL ? self->rules[0] : NULL,
                      "devices of this dialect are dead until reset after such a packet");
    return gw_case_send(ctx, conn, data, len);
}

gw_connection *gw_ebc_connect_other(gw_ctx *ctx, const char *rule)
{
    if (gw_format_same_port(&gw_etherbone, gw_case_dialect(ctx)))
        gw_case_forgo(ctx, rule, "devices of this dialect answer to their own port only");
    return gw_case_connect(ctx);
}

bool gw_ebc_one_record(gw_ctx *ctx)
{
    return ways(ctx)->record_words != 0;
}

unsigned gw_ebc_most_words(gw_ctx *ctx)
{
    return gw_ebc_one_record(ctx) ? ways(ctx)->record_words : UINT8_MAX;
}

/* ---- connections ---- */

void gw_ebc_drain(gw_ctx *ctx, gw_connection *conn)
{
    gw_case_drain(ctx, conn);
    gw_ebc_state_of(ctx)->waiting = 0;
    gw_ebc_state_of(ctx)->taken = 0;
}

/* Collects at least |want| bytes of a stream into |buf|, and what else came with them; fewer when
 * the time is up or the board closes. */
static size_t collect(gw_ctx *ctx, gw_connection *conn, uint8_t *buf, size_t cap, size_t want,
                      int64_t timeout_ns, unsigned *number)
{
    int64_t deadline = gw_case_now(conn) + timeout_ns;
    size_t have = 0;
    while (have < want) {
        gw_packet packet;
        if (gw_case_recv(ctx, conn, deadline - gw_case_now(conn), &packet) != GW_RECV_DATA)
            break;
        size_t take = packet.len < cap - have ? packet.len : cap - have;
        memcpy(buf + have, packet.data, take);
        have += take;
        *number = packet.number;
    }
    return have;
}

/* A connection begins with a probe, which also is its header (spec 1117); a board that answers no
 * probes gets a plain header. */
static void negotiate(gw_ctx *ctx, uint8_t widths)
{
    uint8_t probe[8];
    uint8_t answer[8];
    unsigned number = 0;
    gw_connection *conn = gw_case_reconnect(ctx);
    gw_ebc_state_of(ctx)->waiting = 0;
    gw_ebc_state_of(ctx)->taken = 0;
    gw_ebc_state_of(ctx)->header_due = false;
    if (gw_ebc_state_of(ctx)->by_read) {
        const uint8_t header[8] = {0x4e, 0x6f, GW_EB_VERSION << 4, widths};
        gw_eb_layout layout;
        if (!gw_eb_layout_for(&layout, widths, gw_case_dialect(ctx)))
            gw_case_na(ctx, "the board's dialect has no such widths");
        gw_ebc_put(ctx, conn, header, layout.header_len);
        gw_ebc_state_of(ctx)->header_due = true;
        return;
    }
    gw_eb_build_probe(probe, false, widths, (uint32_t)gw_case_random(ctx));
    gw_ebc_put(ctx, conn, probe, sizeof(probe));
    if (collect(ctx, conn, answer, sizeof(answer), 8, gw_case_reply_ns(ctx), &number) < 8)
        gw_case_inconc(ctx, "the probe that opens the connection got no answer");
    gw_packet packet;
    if (gw_case_recv(ctx, conn, 0, &packet) == GW_RECV_CLOSED)
        gw_case_inconc(ctx, "the board closes a connection that offers widths 0x%02x alone",
                       widths);
}

void gw_ebc_use(gw_ctx *ctx, uint8_t widths)
{
    gw_ebc_state_of(ctx)->widths = widths;
    if (gw_case_stream(ctx))
        negotiate(ctx, widths);
}

void gw_ebc_remember_probe(gw_ctx *ctx, uint32_t id)
{
    gw_ebc_state *state = gw_ebc_state_of(ctx);
    state->probes[state->num_probes++ % GW_EBC_PROBES] = id;
}

/* The next datagram that is about this probe, as far as anybody can tell: faulty boards get ids
 * wrong, but not by bringing back one of before. */
static bool await_probe(gw_ctx *ctx, gw_connection *conn, uint32_t id, gw_packet *packet)
{
    int64_t deadline = gw_case_now(conn) + gw_case_reply_ns(ctx);
    while (gw_case_recv(ctx, conn, deadline - gw_case_now(conn), packet) == GW_RECV_DATA)
        if (gw_eb_probe_answers(packet->data, packet->len, id) ||
            !gw_ebc_excused(ctx, conn, packet))
            return true;
    return false;
}

/* Whatever looks like an answer to our probe: some boards get the flag wrong, some the id; but one
 * that brings back another probe's id answers that. */
static bool answers_probe(const gw_ebc_state *state, const gw_packet *packet, uint32_t id)
{
    if (packet->len < 4 || gw_load_be16(packet->data) != GW_EB_MAGIC)
        return false;
    bool flagged = (packet->data[2] & GW_EB_PR) != 0;
    if (gw_eb_probe_answers(packet->data, packet->len, id))
        return flagged || packet->len == 8;
    for (unsigned i = 0; i < GW_EBC_PROBES && i < state->num_probes; i++)
        if (gw_eb_probe_answers(packet->data, packet->len, state->probes[i]))
            return false;
    return flagged;
}

/* Sends it, in the dialect's length, until something answers. */
static bool probe_datagram(gw_ctx *ctx, const uint8_t probe[8], gw_packet *packet)
{
    uint8_t bytes[GW_EB_PROBE_MAX];
    uint32_t id = gw_load_be32(probe + 4);
    gw_connection *conn = gw_case_connection(ctx);
    size_t len = gw_eb_build_any_probe(bytes, probe[3], id, gw_case_dialect(ctx));
    unsigned tries = 0;
    bool came;
    memcpy(bytes, probe, 8);
    do {
        gw_ebc_drain(ctx, conn);
        gw_ebc_put(ctx, conn, bytes, len);
        came = await_probe(ctx, conn, id, packet);
    } while (!came && gw_case_loses(ctx) && gw_case_again(ctx, &tries));
    gw_ebc_remember_probe(ctx, id);
    /* Then it was the path that lost those before. */
    if (came && answers_probe(gw_ebc_state_of(ctx), packet, id))
        gw_ebc_state_of(ctx)->by_read = false;
    return came;
}

bool gw_ebc_probe(gw_ctx *ctx, const uint8_t probe[8], gw_ebc_reply *reply)
{
    uint8_t *answer = gw_ebc_state_of(ctx)->answer;
    gw_packet packet = {.data = answer};
    if (!gw_case_stream(ctx)) {
        if (!probe_datagram(ctx, probe, &packet))
            return false;
    } else {
        gw_connection *conn = gw_case_reconnect(ctx);
        gw_case_send(ctx, conn, probe, 8);
        packet.len =
            collect(ctx, conn, answer, PROBE_ANSWER_MAX, 8, gw_case_reply_ns(ctx), &packet.number);
        /* What is too long may show its tail a little later. */
        if (packet.len == 8)
            packet.len += collect(ctx, conn, answer + 8, PROBE_ANSWER_MAX - 8, 1,
                                  gw_case_settle_ns(ctx), &packet.number);
    }
    reply->number = packet.number;
    reply->message = gw_message_of(packet.data, packet.len);
    reply->message.part = gw_case_stream(ctx) ? GW_EB_HEAD : GW_EB_PACKET;
    reply->message.transport = gw_case_stream(ctx) ? GW_OVER_TCP : GW_OVER_UDP;
    return packet.len > 0;
}

/* ---- signs of life ---- */

bool gw_ebc_has_magic(gw_ctx *ctx, const gw_ebc_reply *reply)
{
    const gw_message *m = &reply->message;
    bool headed = !gw_case_stream(ctx) || m->part == GW_EB_HEAD;
    return !headed || (m->len >= 4 && gw_load_be16(m->data) == GW_EB_MAGIC);
}

uint32_t gw_ebc_send_probe(gw_ctx *ctx, gw_connection *conn)
{
    uint8_t probe[GW_EB_PROBE_MAX];
    uint32_t id = (uint32_t)gw_case_random(ctx);
    gw_ebc_put(ctx, conn, probe, gw_eb_build_any_probe(probe, 0xff, id, gw_case_dialect(ctx)));
    return id;
}

/* Sends a probe on |conn| and waits for its answer. */
static bool probe_once(gw_ctx *ctx, gw_connection *conn, int64_t timeout_ns)
{
    gw_ebc_state *state = gw_ebc_state_of(ctx);
    gw_packet packet;
    bool yes = false;
    uint32_t id = gw_ebc_send_probe(ctx, conn);
    int64_t deadline = gw_case_now(conn) + timeout_ns;
    while (!yes && gw_case_recv(ctx, conn, deadline - gw_case_now(conn), &packet) == GW_RECV_DATA) {
        yes = answers_probe(state, &packet, id);
        if (yes && state->mask == 0)
            state->mask = packet.data[3];
    }
    gw_ebc_remember_probe(ctx, id);
    return yes;
}

/* A read answered is as good as a probe answered, for a board that does not know probes. */
static bool read_once(gw_ctx *ctx, int64_t timeout_ns)
{
    gw_ebc_request request;
    gw_ebc_reply reply;
    uint64_t address;
    gw_ebc_state_of(ctx)->by_read = true;
    /* As with a probe, life shows on a new connection. */
    if (gw_case_stream(ctx))
        gw_ebc_begin(ctx);
    uint8_t flags = gw_ebc_harmless(ctx, &address);
    gw_eb_operation op = {.reads = &address,
                          .num_reads = 1,
                          .flags = flags | GW_EB_CYC,
                          .byte_enable = gw_ebc_lanes(ctx)};
    gw_ebc_make(ctx, &request, &op, 1);
    gw_ebc_send(ctx, gw_case_connection(ctx), &request);
    return gw_ebc_await(ctx, gw_case_connection(ctx), &request, &reply, timeout_ns) &&
           gw_ebc_has_magic(ctx, &reply);
}

static bool probed(gw_ctx *ctx, int64_t timeout_ns)
{
    if (!gw_case_stream(ctx)) {
        gw_ebc_drain(ctx, gw_case_connection(ctx));
        return probe_once(ctx, gw_case_connection(ctx), timeout_ns);
    }
    /* What the case left of its connection may be out of step: life shows on a new one. */
    gw_connection *conn = gw_case_reconnect(ctx);
    bool yes = probe_once(ctx, conn, timeout_ns);
    gw_case_close(ctx, conn);
    gw_ebc_begin(ctx);
    return yes;
}

/* Whether a board that answers reads answers probes as well, and the path lost the first one. */
static bool probed_after_all(gw_ctx *ctx, int64_t timeout_ns)
{
    bool yes = false;
    if (gw_case_near(ctx) || gw_case_stream(ctx))
        return false;
    for (unsigned i = 0; i < PROBES_LOST && !yes; i++)
        yes = probed(ctx, timeout_ns);
    return yes;
}

bool gw_ebc_alive(gw_ctx *ctx, int64_t timeout_ns)
{
    gw_ebc_state *state = gw_ebc_state_of(ctx);
    bool yes = false;
    if (!state->knows || !state->by_read) {
        state->by_read = false;
        yes = probed(ctx, timeout_ns);
    }
    if (!yes && (!state->knows || state->by_read)) {
        yes = read_once(ctx, timeout_ns);
        state->by_read = yes && (state->knows || !probed_after_all(ctx, timeout_ns));
    }
    if (yes)
        state->knows = true;
    return yes;
}

/* ---- silence ---- */

void gw_ebc_expect_silence(gw_ctx *ctx, const char *rule, unsigned number, const char *what)
{
    gw_case_expect_silence(ctx, &(gw_silence){.rule = rule, .what = what, .number = number});
}

/* ---- what the board has ---- */

bool gw_ebc_accepts(const gw_dialect *dialect, bool stream, char *why, size_t why_cap)
{
    if (!stream || gw_eb_dialect_of(dialect)->framing == GW_EB_HEADER_ONCE)
        return true;
    (void)snprintf(
        why, why_cap,
        "dialect %s has a TCP framing of its own, which the specification does not know; "
        "certify the board over UDP",
        dialect->name);
    return false;
}

static bool has_area(gw_ctx *ctx, const char *need, char *why, size_t why_cap)
{
    const gw_board_file *board = gw_case_board(ctx);
    for (unsigned type = 0; type < GW_NUM_AREA_TYPES; type++) {
        if (strcmp(need, gw_area_type_name((gw_area_type)type)) != 0)
            continue;
        if (gw_board_area(board, (gw_area_type)type, 64, 1) != NULL)
            return true;
        (void)snprintf(why, why_cap,
                       "no %s area is declared: goldwire touches only what the board "
                       "file lists",
                       need);
        return false;
    }
    (void)snprintf(why, why_cap, "unknown need \"%s\"", need);
    return false;
}

static bool claimed(uint8_t claim, const char *need, char *why, size_t why_cap)
{
    if (claim != GW_CLAIM_NO)
        return true;
    (void)snprintf(why, why_cap, "the board file claims no %s", need);
    return false;
}

bool gw_ebc_has(gw_ctx *ctx, const char *need, char *why, size_t why_cap)
{
    const gw_claims *claims = &gw_case_board(ctx)->claims;
    const char *carriage = gw_case_stream(ctx) ? "tcp" : "udp";
    if (strcmp(need, "udp") == 0 || strcmp(need, "tcp") == 0) {
        if (strcmp(need, carriage) == 0)
            return true;
        (void)snprintf(why, why_cap, "meaningful over %s only", need);
        return false;
    }
    if (strcmp(need, "response_us") == 0)
        return gw_response_claimed(ctx, why, why_cap);
    bool config = strcmp(need, "config-space") == 0 || strcmp(need, "sdb") == 0;
    if (config && ways(ctx)->no_config_space) {
        (void)snprintf(why, why_cap, "devices of dialect %s have no config space",
                       gw_case_dialect(ctx)->name);
        return false;
    }
    if (strcmp(need, "config-space") == 0)
        return claimed(claims->config_space, need, why, why_cap);
    if (strcmp(need, "sdb") == 0)
        return claimed(claims->config_space, "config-space", why, why_cap) &&
               claimed(claims->sdb, need, why, why_cap);
    return has_area(ctx, need, why, why_cap);
}

void gw_ebc_show(gw_ctx *ctx, gw_claims *shown)
{
    uint8_t mask = gw_ebc_state_of(ctx)->mask;
    shown->address_widths = mask >> 4;
    shown->port_widths = mask & 15;
    shown->tcp = gw_case_stream(ctx) ? GW_CLAIM_YES : GW_CLAIM_UNKNOWN;
}

static void list_widths(char *out, size_t cap, unsigned mask)
{
    size_t len = 0;
    for (unsigned bits = 8; bits <= 64; bits *= 2)
        if ((mask & (bits / 8)) != 0 && len < cap)
            len += (size_t)snprintf(out + len, cap - len, "%s%u", len > 0 ? "/" : "", bits);
}

void gw_ebc_identify(gw_ctx *ctx, char *out, size_t cap)
{
    gw_ebc_state *state = gw_ebc_state_of(ctx);
    char address[32] = "no";
    char port[32] = "no";
    if (state->by_read) {
        (void)snprintf(out, cap, "answers reads, but no probe");
        return;
    }
    list_widths(address, sizeof(address), state->mask >> 4);
    list_widths(port, sizeof(port), state->mask & 15);
    (void)snprintf(out, cap, "probe response: %s bit addresses, %s bit ports", address, port);
}
