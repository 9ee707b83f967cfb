/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone cases: probes, signs of life, and silence. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/etherbone/suite.h"
#include "harness/stop.h"
#include "harness/times.h"

#define PROBE_ANSWER_MAX 64 /* bytes of an answer that are looked at */
#define PROBES_LOST 5       /* by a path, while a read that goes with each gets through */
#define READS_TRIED 4u      /* of a board that answers probes */

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

/* What comes for |id| later is an old answer; where nothing lies between that delays or doubles it,
 * a probe that something has answered gets no second one: a board that repeats its id is alive. */
static void remember(gw_ctx *ctx, uint32_t id, bool answered)
{
    if (!answered || !gw_case_near(ctx))
        gw_ebc_remember_probe(ctx, id);
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
    remember(ctx, id, came);
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
        packet.len = gw_ebc_collect(ctx, conn, answer, PROBE_ANSWER_MAX, 8, gw_case_reply_ns(ctx),
                                    &packet.number);
        /* What is too long may show its tail a little later. */
        if (packet.len == 8)
            packet.len += gw_ebc_collect(ctx, conn, answer + 8, PROBE_ANSWER_MAX - 8, 1,
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
    remember(ctx, id, yes);
    return yes;
}

/* Sends a read on a new connection, or as a datagram, and waits for its reply. */
static bool try_read(gw_ctx *ctx, int64_t timeout_ns, uint64_t *at)
{
    gw_ebc_request request;
    gw_ebc_reply reply;
    uint64_t address;
    /* As with a probe, life shows on a new connection. */
    if (gw_case_stream(ctx))
        gw_ebc_begin(ctx);
    uint8_t flags = gw_ebc_harmless(ctx, &address);
    *at = address;
    gw_eb_operation op = {.reads = &address,
                          .num_reads = 1,
                          .flags = flags | GW_EB_CYC,
                          .byte_enable = gw_ebc_lanes(ctx)};
    gw_ebc_make(ctx, &request, &op, 1);
    gw_ebc_send(ctx, gw_case_connection(ctx), &request);
    return gw_ebc_await(ctx, gw_case_connection(ctx), &request, &reply, timeout_ns) &&
           gw_ebc_has_magic(ctx, &reply);
}

/* A read answered is as good as a probe answered, for a board that does not know probes. */
static bool read_once(gw_ctx *ctx, int64_t timeout_ns)
{
    uint64_t address;
    gw_ebc_state_of(ctx)->by_read = true;
    return try_read(ctx, timeout_ns, &address);
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

const char *gw_ebc_serves(gw_ctx *ctx, int64_t timeout_ns, char *what, size_t cap)
{
    uint64_t address = 0;
    char within[24];
    if (gw_ebc_state_of(ctx)->by_read)
        return NULL;
    gw_ebc_begin(ctx);
    for (unsigned i = 0; i < READS_TRIED && !gw_stopped(); i++)
        if (try_read(ctx, timeout_ns, &address))
            return NULL;
    (void)snprintf(what, cap,
                   "it answers probes, but none of %u reads at address 0x%" PRIx64
                   ", each given %s",
                   READS_TRIED, address, gw_times_text(within, sizeof(within), timeout_ns));
    return gw_stopped() ? NULL : "eb-s/read-answered";
}

void gw_ebc_expect_silence(gw_ctx *ctx, const char *rule, unsigned number, const char *what)
{
    gw_case_expect_silence(ctx, &(gw_silence){.rule = rule, .what = what, .number = number});
}
