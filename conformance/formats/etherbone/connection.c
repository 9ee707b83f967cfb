/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone cases: connections, negotiation, and what the board has. */
#include <stdio.h>
#include <string.h>

#include "formats/etherbone/suite.h"
#include "suite/response.h"

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
                      "devices of this dialect may be dead until reset after such a packet");
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

size_t gw_ebc_collect(gw_ctx *ctx, gw_connection *conn, uint8_t *buf, size_t cap, size_t want,
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
    if (gw_ebc_collect(ctx, conn, answer, sizeof(answer), 8, gw_case_reply_ns(ctx), &number) < 8)
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

size_t gw_ebc_longest_packet(gw_ctx *ctx)
{
    enum { IPV6_LONGER = 20 };
    const gw_transport *t = gw_case_transport(gw_case_connection(ctx));
    size_t limit = gw_case_board(ctx)->claims.max_payload;
    size_t most = GW_EBC_PACKET_MAX;
    if (t->local.family == GW_FAMILY_IPV6 && !t->stream)
        most -= IPV6_LONGER;
    return limit != 0 && limit < most ? limit : most;
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
