/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone cases: connections, negotiation, signs of life, and the proof of silence. */
#include <stdio.h>
#include <string.h>

#include "cases/eb.h"
#include "cases/response.h"

#define DRAIN_MAX 4096      /* packets */
#define PROBE_ANSWER_MAX 64 /* bytes of an answer that are looked at */

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

/* ---- connections ---- */

void gw_ebc_drain(gw_ctx *ctx, gw_line *line)
{
    gw_packet packet;
    /* A board that babbles on is not waited for. */
    for (unsigned i = 0; i < DRAIN_MAX; i++)
        if (gw_case_recv(ctx, line, 0, &packet) != GW_RECV_DATA)
            break;
    gw_ebc_state_of(ctx)->waiting = 0;
    gw_ebc_state_of(ctx)->taken = 0;
}

/* Collects at least |want| bytes of a stream into |buf|, and what else came with them; fewer when
 * the time is up or the board closes. */
static size_t collect(gw_ctx *ctx, gw_line *line, uint8_t *buf, size_t cap, size_t want,
                      int64_t timeout_ns, unsigned *number)
{
    int64_t deadline = gw_case_now(line) + timeout_ns;
    size_t have = 0;
    while (have < want) {
        gw_packet packet;
        if (gw_case_recv(ctx, line, deadline - gw_case_now(line), &packet) != GW_RECV_DATA)
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
    gw_line *line = gw_case_redial(ctx);
    gw_ebc_state_of(ctx)->waiting = 0;
    gw_ebc_state_of(ctx)->taken = 0;
    gw_ebc_state_of(ctx)->header_due = false;
    if (gw_ebc_state_of(ctx)->by_read) {
        const uint8_t header[8] = {0x4e, 0x6f, GW_EB_VERSION << 4, widths};
        gw_eb_layout layout;
        if (!gw_eb_layout_for(&layout, widths, gw_case_dialect(ctx)))
            gw_case_na(ctx, "the board's dialect has no such widths");
        gw_case_send(ctx, line, header, layout.header_len);
        gw_ebc_state_of(ctx)->header_due = true;
        return;
    }
    gw_eb_build_probe(probe, false, widths, (uint32_t)gw_case_random(ctx));
    gw_case_send(ctx, line, probe, sizeof(probe));
    if (collect(ctx, line, answer, sizeof(answer), 8, gw_case_reply_ns(ctx), &number) < 8)
        gw_case_inconc(ctx, "the probe that opens the connection got no answer");
    gw_packet packet;
    if (gw_case_recv(ctx, line, 0, &packet) == GW_RECV_CLOSED)
        gw_case_inconc(ctx, "the board closes a connection that offers widths 0x%02x alone",
                       widths);
}

void gw_ebc_use(gw_ctx *ctx, uint8_t widths)
{
    gw_ebc_state_of(ctx)->widths = widths;
    if (gw_case_stream(ctx))
        negotiate(ctx, widths);
}

bool gw_ebc_probe(gw_ctx *ctx, const uint8_t probe[8], gw_ebc_reply *reply)
{
    uint8_t *answer = gw_ebc_state_of(ctx)->answer;
    gw_packet packet = {.data = answer};
    if (!gw_case_stream(ctx)) {
        gw_line *line = gw_case_line(ctx);
        gw_ebc_drain(ctx, line);
        gw_case_send(ctx, line, probe, 8);
        if (gw_case_recv(ctx, line, gw_case_reply_ns(ctx), &packet) != GW_RECV_DATA)
            return false;
    } else {
        gw_line *line = gw_case_redial(ctx);
        gw_case_send(ctx, line, probe, 8);
        packet.len =
            collect(ctx, line, answer, PROBE_ANSWER_MAX, 8, gw_case_reply_ns(ctx), &packet.number);
        /* What is too long may show its tail a little later. */
        if (packet.len == 8)
            packet.len += collect(ctx, line, answer + 8, PROBE_ANSWER_MAX - 8, 1,
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

/* Whatever looks like an answer to our probe: some boards get the flag wrong, some the id. */
static bool answers_probe(const gw_packet *packet, uint32_t id)
{
    if (packet->len < 4 || gw_load_be16(packet->data) != GW_EB_MAGIC)
        return false;
    bool flagged = (packet->data[2] & GW_EB_PR) != 0;
    bool same_id = packet->len >= 8 && gw_load_be32(packet->data + 4) == id;
    return flagged || (packet->len == 8 && same_id);
}

/* Sends a probe on |line| and waits for its answer. What comes before it is |other|'s business. */
typedef struct probing {
    uint32_t id;
    bool answered;
    bool disturbed; /* something else came first */
    gw_packet other;
} probing;

static probing probe_once(gw_ctx *ctx, gw_line *line, uint8_t mask, int64_t timeout_ns)
{
    probing p = {.id = (uint32_t)gw_case_random(ctx)};
    uint8_t probe[8];
    gw_packet packet;
    gw_eb_build_probe(probe, false, mask, p.id);
    gw_case_send(ctx, line, probe, sizeof(probe));
    int64_t deadline = gw_case_now(line) + timeout_ns;
    while (gw_case_recv(ctx, line, deadline - gw_case_now(line), &packet) == GW_RECV_DATA) {
        if (answers_probe(&packet, p.id)) {
            uint8_t shown = packet.data[3];
            if (gw_ebc_state_of(ctx)->mask == 0)
                gw_ebc_state_of(ctx)->mask = shown;
            p.answered = true;
            return p;
        }
        if (!p.disturbed)
            p.other = packet;
        p.disturbed = true;
    }
    return p;
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
    gw_ebc_send(ctx, gw_case_line(ctx), &request);
    return gw_ebc_await(ctx, gw_case_line(ctx), &request, &reply, timeout_ns) &&
           gw_ebc_has_magic(ctx, &reply);
}

static bool probed(gw_ctx *ctx, int64_t timeout_ns)
{
    if (!gw_case_stream(ctx)) {
        gw_ebc_drain(ctx, gw_case_line(ctx));
        return probe_once(ctx, gw_case_line(ctx), 0xff, timeout_ns).answered;
    }
    /* What the case left of its connection may be out of step: life shows on a new one. */
    gw_line *line = gw_case_redial(ctx);
    bool yes = probe_once(ctx, line, 0xff, timeout_ns).answered;
    gw_case_hang_up(ctx, line);
    gw_ebc_begin(ctx);
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
        state->by_read = yes;
    }
    if (yes)
        state->knows = true;
    return yes;
}

/* ---- silence ---- */

GW_NORETURN static void answered(gw_ctx *ctx, const char *rule, unsigned number,
                                 const gw_packet *packet, const char *what)
{
    gw_miss miss = {.rule = rule, .packet = packet->number};
    gw_case_mark(ctx, number, "%s: must get no answer", rule);
    gw_case_mark(ctx, packet->number, "%s: this answer must not come", rule);
    gw_case_fail(ctx, &miss, "%s was answered with %zu bytes; silence expected", what, packet->len);
}

/* Over UDP the good probe follows at once: a board answers in order, so what answers the bad packet
 * comes first. */
static void silence_then_probe(gw_ctx *ctx, const char *rule, unsigned number, const char *what)
{
    gw_line *line = gw_case_line(ctx);
    gw_packet packet;
    probing p = probe_once(ctx, line, 0xff, gw_case_reply_ns(ctx));
    if (p.disturbed)
        answered(ctx, rule, number, &p.other, what);
    if (!p.answered) {
        gw_miss miss = {.rule = rule, .packet = number};
        gw_case_fail(ctx, &miss, "the board stopped answering after %s", what);
    }
    int64_t deadline = gw_case_now(line) + gw_case_settle_ns(ctx);
    while (gw_case_recv(ctx, line, deadline - gw_case_now(line), &packet) == GW_RECV_DATA)
        if (!answers_probe(&packet, p.id))
            answered(ctx, rule, number, &packet, what);
}

void gw_ebc_expect_silence(gw_ctx *ctx, const char *rule, unsigned number, const char *what)
{
    gw_packet packet;
    if (!gw_case_stream(ctx) && !gw_ebc_state_of(ctx)->by_read) {
        silence_then_probe(ctx, rule, number, what);
        return;
    }
    if (gw_case_recv(ctx, gw_case_line(ctx), gw_case_settle_ns(ctx), &packet) == GW_RECV_DATA)
        answered(ctx, rule, number, &packet, what);
    if (gw_ebc_alive(ctx, gw_case_reply_ns(ctx)))
        return;
    gw_miss miss = {.rule = rule, .packet = number};
    gw_case_fail(ctx, &miss, "the board stopped answering after %s", what);
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
