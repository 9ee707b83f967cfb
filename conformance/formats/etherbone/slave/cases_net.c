/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone slave: ports, checksums, and several packets on their way. */
#include <inttypes.h>
#include <stdio.h>

#include "formats/etherbone/slave/suite.h"
#include "formats/etherbone/suite.h"

#define IN_FLIGHT 16
#define ORDER_ROUNDS 10 /* in which a path shows whether it keeps the order */

static void make_read(gw_ctx *ctx, gw_ebc_request *request, uint64_t address, uint8_t flags)
{
    gw_eb_operation op = {.reads = &address,
                          .num_reads = 1,
                          .flags = flags | GW_EB_CYC,
                          .byte_enable = gw_ebc_lanes(ctx)};
    gw_ebc_make(ctx, request, &op, 1);
}

static void own_port(gw_ctx *ctx)
{
    gw_connection *usual = gw_case_connection(ctx);
    gw_ebc_request request;
    gw_ebc_reply reply;
    gw_packet packet;
    uint64_t address;
    uint8_t flags = gw_ebc_harmless(ctx, &address);
    for (unsigned i = 0; i < 3; i++) {
        gw_connection *other = gw_ebc_connect_other(ctx, "EB-S44");
        gw_ebc_drain(ctx, usual);
        make_read(ctx, &request, address, flags);
        unsigned number = gw_ebc_send(ctx, other, &request);
        bool came = gw_ebc_await(ctx, other, &request, &reply, gw_case_reply_ns(ctx));
        gw_miss miss = {.rule = "EB-S44", .packet = number};
        while (gw_case_recv(ctx, usual, came ? 0 : gw_case_settle_ns(ctx), &packet) ==
               GW_RECV_DATA) {
            miss.packet = packet.number;
            gw_case_stake(ctx, 2); /* what was asked last on the usual line, and came twice */
            if (gw_ebc_is_answer(ctx, &packet, &request))
                gw_case_fail(ctx, &miss, "the reply went to a port that did not ask");
            gw_case_stake(ctx, 0);
        }
        if (!came)
            gw_case_fail(ctx, &miss, "a read from another port got no reply there");
    }
}

static void no_checksum(gw_ctx *ctx)
{
    gw_transport *t = gw_case_transport(gw_case_connection(ctx));
    gw_ebc_request request;
    gw_ebc_reply reply;
    uint64_t address;
    uint8_t flags = gw_ebc_harmless(ctx, &address);
    make_read(ctx, &request, address, flags);
    gw_ebc_drain(ctx, gw_case_connection(ctx));
    if (t->ops->no_checksum == NULL || !t->ops->no_checksum(t, true))
        gw_case_na(ctx, "this transport cannot send datagrams without a checksum");
    unsigned number = gw_ebc_send(ctx, gw_case_connection(ctx), &request);
    bool came = gw_ebc_await(ctx, gw_case_connection(ctx), &request, &reply, gw_case_reply_ns(ctx));
    (void)t->ops->no_checksum(t, false);
    gw_case_mark(ctx, number, "sent with UDP checksum 0");
    gw_miss miss = {.rule = "EB-S48", .packet = number};
    if (!came)
        gw_case_fail(ctx, &miss, "a datagram with UDP checksum 0 got no reply");
}

/* Replies that are missing are one thing, a board that is gone is another. */
GW_NORETURN static void unanswered(gw_ctx *ctx, unsigned i, unsigned num)
{
    gw_miss miss = {.rule = "EB-S50"};
    char what[64];
    (void)snprintf(what, sizeof(what), "%u requests that came together", num);
    gw_case_expect_alive(ctx, "EB-S03", what);
    gw_case_fail(ctx, &miss, "%u of %u requests in flight were answered", i, num);
}

/* Receives one reply of the run and returns its one result. */
static uint64_t next_result(gw_ctx *ctx, const gw_ebc_request *request, unsigned i, unsigned num)
{
    gw_ebc_reply reply;
    /* The replies are told apart by their values: return addresses are another case's business. */
    if (!gw_ebc_await(ctx, gw_case_connection(ctx), request, &reply, gw_case_reply_ns(ctx)))
        unanswered(ctx, i, num);
    return gw_ebc_result(ctx, request, &reply, 0);
}

/* Sends |num| probes together; whether an answer came before that to an earlier one. */
static bool is_overtaken(gw_ctx *ctx, unsigned num)
{
    gw_connection *conn = gw_case_connection(ctx);
    uint32_t ids[IN_FLIGHT];
    gw_packet packet;
    unsigned next = 0; /* behind the latest that was answered */
    bool came[IN_FLIGHT] = {false};
    bool overtaken = false;
    gw_ebc_drain(ctx, conn);
    for (unsigned i = 0; i < num; i++)
        ids[i] = gw_ebc_send_probe(ctx, conn);
    int64_t deadline = gw_case_now(conn) + gw_case_settle_ns(ctx);
    while (gw_case_recv(ctx, conn, deadline - gw_case_now(conn), &packet) == GW_RECV_DATA) {
        unsigned i = 0;
        while (i < num && !gw_eb_probe_answers(packet.data, packet.len, ids[i]))
            i++;
        if (i == num)
            continue;
        overtaken = overtaken || (i < next && !came[i]);
        came[i] = true;
        next = i >= next ? i + 1 : next;
    }
    for (unsigned i = 0; i < num; i++)
        gw_ebc_remember_probe(ctx, ids[i]);
    return overtaken;
}

/* Replies in another order say nothing of the board where probes lose theirs, too. */
static void want_order(gw_ctx *ctx, unsigned num)
{
    if (gw_case_near(ctx) || gw_case_stream(ctx) || gw_ebc_state_of(ctx)->by_read)
        return;
    for (unsigned i = 0; i < ORDER_ROUNDS; i++)
        if (is_overtaken(ctx, num))
            gw_case_inconc(ctx,
                           "the path to the board does not keep the order: of %u probes in "
                           "flight some are answered before earlier ones, too",
                           num);
}

static bool is_another(const uint64_t *words, unsigned num, uint64_t got)
{
    for (unsigned i = 0; i < num; i++)
        if (words[i] == got)
            return true;
    return false;
}

static void pipelining(gw_ctx *ctx)
{
    gw_ebc_request requests[IN_FLIGHT];
    uint64_t words[IN_FLIGHT];
    uint64_t got[IN_FLIGHT];
    gw_miss misses[IN_FLIGHT];
    uint32_t claimed = gw_case_board(ctx)->claims.pipeline;
    unsigned num = claimed != 0 && claimed < IN_FLIGHT ? claimed : IN_FLIGHT;
    uint64_t base = gw_ebc_ram(ctx, UINT64_C(8) * IN_FLIGHT);
    for (unsigned i = 0; i < num; i++) {
        words[i] = (gw_ebc_word(ctx) & ~UINT64_C(15)) | i;
        gw_ebc_write(ctx, base + UINT64_C(8) * i, words[i]);
        make_read(ctx, &requests[i], base + UINT64_C(8) * i, 0);
    }
    gw_ebc_drain(ctx, gw_case_connection(ctx));
    for (unsigned i = 0; i < num; i++)
        gw_ebc_send(ctx, gw_case_connection(ctx), &requests[i]);
    /* All of them first: who misses one says nothing of their order. */
    for (unsigned i = 0; i < num; i++) {
        got[i] = next_result(ctx, &requests[i], i, num);
        misses[i] = gw_ebc_word_miss(ctx, "EB-S50", words[i], got[i]);
    }
    for (unsigned i = 0; i < num; i++) {
        if (got[i] == words[i])
            continue;
        if (is_another(words, num, got[i]))
            want_order(ctx, num);
        gw_case_fail(ctx, &misses[i],
                     "reply %u of %u holds 0x%" PRIx64 ", 0x%" PRIx64 " expected in that place", i,
                     num, got[i], words[i]);
    }
}

const gw_case gw_eb_s_net[] = {
    {.id = "eb-s/own-port",
     .title = "A reply goes to the port that asked, whoever asked before",
     .rules = GW_LIST("EB-S44"),
     .after = GW_LIST("eb-s/read-answered"),
     .needs = GW_LIST("udp"),
     .run = own_port},
    {.id = "eb-s/checksum-zero",
     .title = "A UDP checksum of zero is accepted",
     .rules = GW_LIST("EB-S48"),
     .after = GW_LIST("eb-s/read-answered"),
     .needs = GW_LIST("udp"),
     .run = no_checksum},
    {.id = "eb-s/pipelining",
     .title = "Several requests in flight are answered in their order",
     .rules = GW_LIST("EB-S50", "EB-S03"),
     .after = GW_LIST("eb-s/write-read", "eb-s/reply-length"),
     .needs = GW_LIST("ram"),
     .run = pipelining},
    {0},
};
