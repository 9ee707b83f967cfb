/* SPDX-License-Identifier: BSD-2-Clause */
/* OP2P endpoint: that what is allowed goes through, up to its limits. The refusals are worth
 * something only beside these. */
#include <string.h>

#include "formats/op2p/node/suite.h"

#define LARGEST (GW_OP2P_PAYLOAD_MAX / 4) /* double words */
#define REMOTE UINT32_C(0x4000)           /* what the board's host reads of us */

static void fill(gw_ctx *ctx, uint32_t *words, size_t num)
{
    for (size_t i = 0; i < num; i++)
        words[i] = gw_opc_word(ctx);
}

/* Writes |num| double words between two marks, and looks at both ends and at the marks. */
static void write_between(gw_ctx *ctx, const char *rule, uint32_t at, size_t num)
{
    uint32_t words[LARGEST], mark = gw_opc_word(ctx);
    uint32_t last = at + 4 * (uint32_t)num;

    fill(ctx, words, num);
    gw_opc_put(ctx, at, &mark, 1);
    gw_opc_put(ctx, last + 4, &mark, 1);
    gw_opc_write(ctx, at + 4, words, num);
    gw_opc_same(ctx, rule, at + 4, words[0], "the first double word of a write");
    gw_opc_same(ctx, rule, last, words[num - 1], "the last double word of a write");
    gw_opc_same(ctx, "OP-E08", at, mark, "what lies before a write");
    gw_opc_same(ctx, "OP-E08", last + 4, mark, "what lies behind a write");
}

static void write_sizes(gw_ctx *ctx)
{
    static const uint8_t words[] = {1, 2, 3, 25, 250, 254, 255};
    uint32_t at = gw_opc_ram(ctx, GW_OP2P_PAYLOAD_MAX + 8);

    for (size_t i = 0; i < GW_ARRAY_LEN(words) && 4 * words[i] <= gw_opc_largest(ctx); i++)
        write_between(ctx, "OP-E08", at, words[i]);
}

static void largest(gw_ctx *ctx)
{
    uint32_t at = gw_opc_ram(ctx, GW_OP2P_PAYLOAD_MAX + 8);
    gw_op2p_header q = gw_opc_header(ctx, GW_OP2P_READ, at, GW_OP2P_PAYLOAD_MAX);
    gw_opc_got got;

    if (gw_opc_reference(ctx))
        gw_case_forgo(ctx, "OP-E10",
                      "the reference core takes 1024 bytes for none, and overwrites 256 KiB");
    if (gw_opc_largest(ctx) < GW_OP2P_PAYLOAD_MAX)
        gw_case_na(ctx, "the path does not carry frames of 1024 bytes");
    write_between(ctx, "OP-E10", at, LARGEST);
    gw_opc_find(ctx, &q, &got, "OP-E10");
    gw_opc_want(ctx, &got, "OP-E10", "op2p.status", GW_OP2P_SUCCESS);
    gw_opc_want(ctx, &got, "OP-E10", "op2p.byte_count", GW_OP2P_PAYLOAD_MAX);
    gw_miss miss = {.rule = "OP-E04", .packet = got.number};
    if (got.p.payload_sent != GW_OP2P_PAYLOAD_MAX)
        gw_case_fail(ctx, &miss, "%u bytes of payload, %d were asked for", got.p.payload_sent,
                     GW_OP2P_PAYLOAD_MAX);
}

/* Whether the read request |q|, with a write behind it, is answered. Behind both comes another
 * frame at once: nobody is left alone with the write until the answer is here. */
static bool answered_before(gw_ctx *ctx, const gw_op2p_header *q, uint32_t value)
{
    gw_connection *conn = gw_case_connection(ctx);
    const gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_WRITE, q->dst_addr, 4);
    const gw_op2p_header behind = gw_opc_header(ctx, GW_OP2P_READ, q->dst_addr, 4);
    gw_opc_got got;

    gw_opc_drain(ctx);
    gw_opc_send(ctx, q, NULL, 0, 0);
    gw_opc_burst(ctx, &h, &value, 1);
    gw_opc_burst(ctx, &behind, NULL, 0);
    int64_t deadline = gw_case_now(conn) + gw_case_reply_ns(ctx);
    while (gw_opc_next(ctx, &got, deadline - gw_case_now(conn)))
        if (got.p.header.dst_addr == q->src_addr)
            return true;
    return false;
}

/* A frame of 16 bytes is the shortest there is; it does not touch the one behind it. */
static void shortest(gw_ctx *ctx)
{
    uint32_t value = gw_opc_word(ctx), at = gw_opc_ram(ctx, 4);
    gw_miss miss = {.rule = "OP-E09"};
    bool answered, taken;
    unsigned tries = 0;

    do {
        const gw_op2p_header q = gw_opc_header(ctx, GW_OP2P_READ, at, 4);
        answered = answered_before(ctx, &q, value);
        taken = gw_opc_peek(ctx, at) == value;
    } while (!(answered && taken) && gw_opc_again(ctx, &tries));
    if (!(answered && taken))
        gw_opc_unless_spread(ctx);
    if (!answered)
        gw_case_fail(ctx, &miss, "a frame that is a header alone was not answered");
    gw_opc_same(ctx, "OP-E09", at, value, "the write behind a frame that is a header alone");
}

static void back_to_back(gw_ctx *ctx)
{
    uint32_t words[8];
    uint32_t at = gw_opc_ram(ctx, sizeof(words));

    fill(ctx, words, 8);
    gw_opc_write(ctx, at, &words[0], 1);
    for (uint32_t i = 1; i < 8; i++) {
        const gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_WRITE, at + 4 * i, 4);
        gw_opc_burst(ctx, &h, &words[i], 1);
    }
    for (uint32_t i = 0; i < 8; i++)
        if (gw_opc_peek(ctx, at + 4 * i) != words[i])
            gw_opc_unless_spread(ctx);
    for (uint32_t i = 0; i < 8; i++)
        gw_opc_same(ctx, "OP-L01", at + 4 * i, words[i], "one of eight writes without a pause");
}

static void whole_words(gw_ctx *ctx)
{
    uint32_t words[5];
    uint32_t at = gw_opc_ram(ctx, sizeof(words));

    for (uint32_t num = 1; num <= 5; num++) {
        fill(ctx, words, num);
        gw_opc_write(ctx, at, words, num);
        gw_opc_same(ctx, "OP-L02", at + 4 * (num - 1), words[num - 1],
                    "the end of a frame of whole double words");
    }
}

/* ---- nothing that is good is asked for again ---- */

static void undamaged(gw_ctx *ctx)
{
    static const uint16_t words[] = {1, 2, 250, LARGEST};
    uint32_t data[LARGEST], at = gw_opc_ram(ctx, sizeof(data));
    gw_opc_got got;

    memset(data, 0x5a, sizeof(data));
    gw_opc_drain(ctx);
    for (size_t i = 0; i < GW_ARRAY_LEN(words) && 4 * words[i] <= gw_opc_largest(ctx); i++) {
        gw_opc_write(ctx, at, data, words[i]);
        gw_opc_event(ctx, GW_OP2P_KIND_NFC, 0, GW_OP2P_XON, NULL, 0);
    }
    while (gw_opc_next(ctx, &got, gw_case_settle_ns(ctx))) {
        gw_miss miss = {.rule = "OP-E21", .packet = got.number};
        if (got.p.header.type == GW_OP2P_RETRANSMIT)
            gw_case_fail(ctx, &miss, "a frame without a link error is asked for again");
    }
    gw_case_expect_alive(ctx, "OP-E21", "frames without link errors");
}

/* The types there are: each is taken for what it is, and none for one that is reserved. */
static void types_in_use(gw_ctx *ctx)
{
    uint32_t value = gw_opc_word(ctx), at = gw_opc_ram(ctx, 4);
    gw_op2p_header q = gw_opc_header(ctx, GW_OP2P_READ, at, 4);
    gw_op2p_header again = {.src_id = GW_OPC_US,
                            .type = GW_OP2P_RETRANSMIT,
                            .status = GW_OP2P_UNKNOWN_ERROR,
                            .byte_count = 4,
                            .fbe = 15};
    gw_opc_got got;

    gw_opc_drain(ctx);
    gw_opc_write(ctx, at, &value, 1);
    gw_opc_send(ctx, &q, NULL, 0, 0);
    while (gw_opc_next(ctx, &got, gw_case_settle_ns(ctx)))
        gw_opc_want(ctx, &got, "OP-E18", "op2p.status", GW_OP2P_SUCCESS);
    gw_opc_send(ctx, &again, NULL, 0, 0);
    while (gw_opc_next(ctx, &got, gw_case_settle_ns(ctx)))
        gw_opc_want(ctx, &got, "OP-E18", "op2p.status", GW_OP2P_SUCCESS);
    gw_case_expect_alive(ctx, "OP-E18", "packets of the types in use");
}

/* ---- what the host commands ---- */

static void command_sizes(gw_ctx *ctx)
{
    static const uint16_t counts[] = {4, 8, 100, 1000, GW_OP2P_PAYLOAD_MAX};
    uint32_t at = gw_opc_ram(ctx, GW_OP2P_PAYLOAD_MAX);

    for (size_t i = 0; i < GW_ARRAY_LEN(counts) && counts[i] <= gw_opc_largest(ctx); i++) {
        gw_opc_got got;
        gw_opc_drain(ctx);
        gw_opc_command(ctx, false, at, 0x2000, GW_OPC_US, counts[i]);
        if (!gw_opc_next(ctx, &got, gw_case_reply_ns(ctx)))
            gw_case_fail(ctx, &(gw_miss){.rule = "OP-E06"},
                         "a write of %u bytes was commanded, and nothing was sent", counts[i]);
        gw_opc_want(ctx, &got, "OP-E06", "op2p.byte_count", counts[i]);
        gw_miss miss = {.rule = "OP-E04",
                        .packet = got.number,
                        .expected = counts[i],
                        .got = got.p.payload_sent};
        if (got.p.payload_sent != counts[i])
            gw_case_fail(ctx, &miss, "%u bytes of payload in a write of %u", got.p.payload_sent,
                         counts[i]);
    }
}

static void complete(gw_ctx *ctx, uint32_t local, uint32_t remote, const uint32_t words[2])
{
    gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_COMPLETION, local, 8);

    h.src_addr = remote;
    gw_opc_send(ctx, &h, words, 2, 0);
}

static void read_completed(gw_ctx *ctx)
{
    uint32_t words[2], at = gw_opc_marked(ctx);
    gw_opc_got got;

    fill(ctx, words, 2);
    gw_opc_read_command(ctx, at, REMOTE, GW_OPC_US, 8, &got);
    complete(ctx, at, REMOTE, words);
    gw_opc_same(ctx, "OP-E16", at, words[0], "what a completion of status 0 brought");
    gw_opc_same(ctx, "OP-E16", at + 4, words[1], "what a completion of status 0 brought");
}

/* Two reads, one of them from id 0, whose completions come the other way round. */
static void reads_crossed(gw_ctx *ctx)
{
    uint32_t words[4], at = gw_opc_marked(ctx);
    gw_opc_got got;

    fill(ctx, words, 4);
    gw_opc_read_command(ctx, at, REMOTE, 0, 8, &got);
    gw_opc_read_command(ctx, at + 16, REMOTE + 16, GW_OPC_US, 8, &got);
    complete(ctx, at + 16, REMOTE + 16, words + 2);
    complete(ctx, at, REMOTE, words);
    gw_opc_same(ctx, "OP-E17", at + 16, words[2], "the later of two reads, completed first");
    gw_opc_same(ctx, "OP-E17", at, words[0], "a read from id 0, completed by the partner's id");
}

/* ---- frames end ---- */

static void ended(gw_ctx *ctx, const gw_opc_got *got)
{
    gw_miss miss = {.rule = "OP-E31", .packet = got->number};

    if (got->p.has_shim && (got->p.shim.flags & GW_OP2P_FLAG_NO_EOF) != 0)
        gw_case_fail(ctx, &miss, "a frame of %u bytes of payload has no end", got->p.payload_sent);
}

static void ends(gw_ctx *ctx)
{
    static const uint16_t counts[] = {4, 1000, 1004, GW_OP2P_PAYLOAD_MAX};
    uint32_t at = gw_opc_ram(ctx, GW_OP2P_PAYLOAD_MAX);

    for (size_t i = 0; i < GW_ARRAY_LEN(counts); i++) {
        gw_op2p_header q = gw_opc_header(ctx, GW_OP2P_READ, at, counts[i]);
        gw_opc_got got;
        if (counts[i] > gw_opc_largest(ctx) && !gw_opc_reference(ctx))
            gw_case_na(ctx, "the path does not carry frames of %u bytes", counts[i]);
        if (counts[i] > gw_opc_largest(ctx))
            gw_case_forgo(ctx, "OP-E31",
                          "the reference core does not end a frame of more than 1000 bytes");
        gw_opc_find(ctx, &q, &got, "OP-E12");
        ended(ctx, &got);
    }
}

/* Requests for more than a frame may hold: whatever comes, ends. The reference core's does not, and
 * only its host can stop that. */
static void refused_ends(gw_ctx *ctx)
{
    static const uint16_t counts[] = {0, 1028, 2048, 0xfffc};
    uint32_t at = gw_opc_ram(ctx, GW_OP2P_PAYLOAD_MAX);
    gw_opc_got got;

    for (size_t i = 0; i < GW_ARRAY_LEN(counts); i++) {
        gw_op2p_header q = gw_opc_header(ctx, GW_OP2P_READ, at, counts[i]);
        if (gw_opc_reference(ctx) && !gw_case_has_link(ctx, GW_REGS_LINK))
            gw_case_forgo(ctx, "OP-E31", "the reference core cannot be stopped without its host");
        gw_opc_drain(ctx);
        gw_opc_send(ctx, &q, NULL, 0, 0);
        while (gw_opc_next(ctx, &got, gw_case_settle_ns(ctx)))
            ended(ctx, &got);
    }
    gw_case_expect_alive(ctx, "OP-E31", "read requests for too much");
}

#define RAM .needs = GW_LIST("ram")
#define HOST .needs = GW_LIST("ram", "regs")
#define WRITES .after = GW_LIST("op-e/write")

const gw_case gw_op_e_legal[] = {
    {.id = "op-e/write-sizes",
     .title = "A write of any size is executed whole, and no other address is written",
     .rules = GW_LIST("OP-E08"),
     WRITES,
     RAM,
     .run = write_sizes},
    {.id = "op-e/largest",
     .title = "1024 bytes are written, and read, in one packet",
     .rules = GW_LIST("OP-E10", "OP-E08", "OP-E04"),
     WRITES,
     RAM,
     .run = largest},
    {.id = "op-e/shortest",
     .title = "A frame that is a header alone is executed, and so is the frame after it",
     .rules = GW_LIST("OP-E09"),
     WRITES,
     RAM,
     .run = shortest},
    {.id = "op-l/back-to-back",
     .title = "Frames without a pause between them are each executed",
     .rules = GW_LIST("OP-L01"),
     WRITES,
     RAM,
     .run = back_to_back},
    {.id = "op-l/whole-words",
     .title = "Frames of any number of double words are executed to their end",
     .rules = GW_LIST("OP-L02"),
     WRITES,
     RAM,
     .run = whole_words},
    {.id = "op-e/undamaged",
     .title = "No retransmit request is sent for a frame without link errors",
     .rules = GW_LIST("OP-E21"),
     WRITES,
     RAM,
     .run = undamaged},
    {.id = "op-e/types-in-use",
     .title = "A packet of a type in use is not answered by an error",
     .rules = GW_LIST("OP-E18"),
     .after = GW_LIST("op-e/write", "op-e/resend"),
     RAM,
     .run = types_in_use},
    {.id = "op-e/command-sizes",
     .title = "Commands of the host from 4 to 1024 bytes are sent whole",
     .rules = GW_LIST("OP-E06", "OP-E04"),
     .after = GW_LIST("op-h/five-fifos"),
     HOST,
     .run = command_sizes},
    {.id = "op-e/read-completed",
     .title = "A completion stores the data that the host asked for",
     .rules = GW_LIST("OP-E16"),
     .after = GW_LIST("op-h/five-fifos"),
     HOST,
     .run = read_completed},
    {.id = "op-e/reads-crossed",
     .title = "Completions find their requests in any order, from id 0 as well",
     .rules = GW_LIST("OP-E17"),
     .after = GW_LIST("op-e/read-completed"),
     HOST,
     .run = reads_crossed},
    {.id = "op-e/frame-ends",
     .title = "The frame of a completion ends, whatever its size",
     .rules = GW_LIST("OP-E31"),
     .after = GW_LIST("op-e/sizes"),
     RAM,
     .run = ends},
    {.id = "op-e/refused-ends",
     .title = "The frame of an answer to a read of too many bytes ends",
     .rules = GW_LIST("OP-E31"),
     .after = GW_LIST("op-e/sizes"),
     RAM,
     .negative = true,
     .run = refused_ends},
    {0},
};
