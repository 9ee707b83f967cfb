/* SPDX-License-Identifier: BSD-2-Clause */
/* TEXTAROSSA endpoint: what it accepts, and what it sends. */
#include <stdio.h>
#include <string.h>

#include "formats/textarossa/suite.h"

static void sizes(gw_ctx *ctx)
{
    static const uint16_t all[] = {1,   15,  16,   17,   31,   32,   33,
                                   255, 256, 1023, 1024, 1025, 4095, 4096};
    uint8_t payload[GW_TX_PAYLOAD_MAX];
    char what[64];
    gw_txc_got got;

    for (size_t i = 0; i < GW_ARRAY_LEN(all) && all[i] <= gw_txc_longest(ctx); i++) {
        gw_txc_fill(ctx, payload, all[i]);
        gw_tx_draft draft = gw_txc_draft(ctx, payload, all[i]);
        (void)snprintf(what, sizeof(what), "a payload of %u bytes", all[i]);
        gw_txc_round(ctx, &draft, &got, "TX-E3", what);
    }
}

static void size_zero(gw_ctx *ctx)
{
    const char *net = gw_txc_net(ctx);
    gw_tx_draft draft = gw_txc_draft(ctx, NULL, 0);
    gw_txc_got got;

    gw_txc_drain(ctx, net);
    (void)gw_txc_send(ctx, net, &draft);
    if (gw_txc_next(ctx, net, &got, gw_case_settle_ns(ctx)))
        gw_txc_judge(ctx, &got);
    else
        gw_case_note(ctx, "a payload of 0 bytes is not sent back, as a task may choose");
    gw_txc_still_works(ctx, "TX-E4", "one of size 0");
}

static void well_made(gw_ctx *ctx)
{
    uint8_t payload[48];
    gw_txc_got got;

    if (gw_case_stream(ctx))
        gw_txc_run_start(ctx);
    gw_txc_fill(ctx, payload, sizeof(payload));
    gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
    gw_txc_round(ctx, &draft, &got, "TX-E2", "a payload of 48 bytes");
    gw_miss miss = {.rule = "TX-E2", .packet = got.number};
    if (!got.p.has_footer)
        gw_case_fail(ctx, &miss, "the packet has no footer");
    if (got.p.footer_kind == GW_TX_FOOTER_UNKNOWN)
        gw_case_note(ctx, "the footer is none of the known ones, which TX-E9 recommends");
    if (got.p.header.virt_chan != GW_TX_LAST_VC0)
        gw_case_note(ctx, "virt_chan 0x%02x; 0x10 leaves the channel to the first router",
                     got.p.header.virt_chan);
}

void gw_txc_generate(gw_ctx *ctx, unsigned num, unsigned size, bool header_only)
{
    gw_txc_drain(ctx, gw_txc_net(ctx));
    gw_txc_write(ctx, GW_TX_PERF_INTRANODE_CF, 0);
    gw_txc_write(ctx, GW_TX_PKTGEN_CONFIG_0,
                 num | (uint32_t)size << 16 | (header_only ? UINT32_C(1) << 31 : 0));
    gw_txc_write(ctx, GW_TX_PKTGEN_CONFIG_1, 1);
    gw_txc_write(ctx, GW_TX_PERF_INTRANODE_CF, 1);
}

static void generator(gw_ctx *ctx)
{
    static const uint16_t lengths[] = {16, 48, 100};
    const gw_miss none = {.rule = "TX-E2"};
    gw_txc_got got;

    gw_txc_still_works(ctx, "TX-E2", "nothing"); /* the board knows where we are */
    for (size_t i = 0; i < GW_ARRAY_LEN(lengths); i++) {
        gw_txc_generate(ctx, 3, lengths[i], false);
        for (unsigned n = 0; n < 3; n++) {
            if (!gw_txc_next(ctx, gw_txc_net(ctx), &got, gw_case_reply_ns(ctx)))
                gw_case_fail(ctx, &none,
                             "packet %u of 3 that the generator was told to send did "
                             "not come",
                             n + 1);
            gw_txc_judge(ctx, &got);
            gw_miss miss = {.rule = "TX-E2",
                            .packet = got.number,
                            .expected = lengths[i],
                            .got = got.p.header.packet_size};
            if (got.p.header.packet_size != lengths[i] || got.p.payload_len != lengths[i])
                gw_case_fail(ctx, &miss, "%u bytes generated; %u were told",
                             got.p.header.packet_size, lengths[i]);
        }
        gw_txc_silence(ctx, gw_txc_net(ctx), "TX-E2", "the three packets that were told");
    }
}

void gw_txc_wants_header_only(gw_ctx *ctx)
{
    if (gw_case_stream(ctx) && gw_tx_dialect_of(gw_case_dialect(ctx))->rtl)
        gw_case_na(ctx,
                   "the published transmitter cannot send a header alone over a link (TX-E14)");
}

static void header_only(gw_ctx *ctx)
{
    const gw_miss none = {.rule = "TX-E2"};
    gw_txc_got got;

    gw_txc_wants_header_only(ctx);
    gw_txc_still_works(ctx, "TX-E2", "nothing");
    gw_txc_generate(ctx, 2, 0, true);
    for (unsigned n = 0; n < 2; n++) {
        if (!gw_txc_next(ctx, gw_txc_net(ctx), &got, gw_case_reply_ns(ctx)))
            gw_case_fail(ctx, &none, "header %u of 2 did not come", n + 1);
        gw_txc_judge(ctx, &got);
        gw_miss miss = {.rule = "TX-E2", .packet = got.number};
        if (!gw_tx_header_only(&got.p.header) || got.p.has_footer || got.p.payload_len > 0)
            gw_case_fail(ctx, &miss, "a header alone was told; there is more");
    }
    gw_txc_still_works(ctx, "TX-E14", "headers alone");
}

static void ignored_fields(gw_ctx *ctx)
{
    uint8_t payload[32];
    gw_txc_got got;

    gw_txc_fill(ctx, payload, sizeof(payload));
    gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
    draft.header.reserved = 1;
    gw_txc_round(ctx, &draft, &got, "TX-E6", "a packet with the reserved bit set");
    draft.header.reserved = 0;
    draft.header.num_of_hops = 1023;
    gw_txc_round(ctx, &draft, &got, "TX-E6", "a packet with a hop count of 1023");
}

static void proc_id(gw_ctx *ctx)
{
    static const uint16_t ids[] = {0x80, 0xff, 0x100, 0xffff};
    const char *net = gw_txc_net(ctx);
    uint8_t payload[32];

    for (size_t i = 0; i < GW_ARRAY_LEN(ids); i++) {
        gw_txc_fill(ctx, payload, sizeof(payload));
        gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
        draft.header.proc_id = ids[i];
        gw_txc_drain(ctx, net);
        (void)gw_txc_send(ctx, net, &draft);
        gw_txc_silence(ctx, net, "TX-E7", "one for a channel that does not exist");
    }
    gw_txc_still_works(ctx, "TX-E7", "those for channels that do not exist");
}

static void footers(gw_ctx *ctx)
{
    uint8_t payload[32];
    gw_txc_got got;

    for (gw_tx_footer kind = GW_TX_FOOTER_HAPECOM; kind <= GW_TX_FOOTER_LEGACY; kind++) {
        gw_txc_fill(ctx, payload, sizeof(payload));
        gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
        draft.footer = gw_tx_footer_word(kind, GW_TX_PORT);
        gw_txc_round(ctx, &draft, &got, "TX-E9", "a packet with a known footer");
    }
}

static void check_byte(gw_ctx *ctx)
{
    static const uint8_t bytes[] = {0x9b, 0x80, 0xff}; /* of corrected headers */
    uint8_t payload[32];
    gw_txc_got got;

    for (size_t i = 0; i < GW_ARRAY_LEN(bytes); i++) {
        gw_txc_fill(ctx, payload, sizeof(payload));
        gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
        draft.header.edac = bytes[i];
        gw_txc_round(ctx, &draft, &got, "TX-E10", "a packet with a status in its check byte");
    }
}

static void byte_order(gw_ctx *ctx)
{
    uint8_t payload[32];
    gw_txc_got got;

    for (unsigned i = 0; i < sizeof(payload); i++)
        payload[i] = (uint8_t)(i + 1);
    for (size_t len = sizeof(payload); len > 16; len -= 5) {
        gw_tx_draft draft = gw_txc_draft(ctx, payload, len);
        gw_txc_round(ctx, &draft, &got, "TX-E11", "a payload of ascending bytes");
    }
}

static void padding(gw_ctx *ctx)
{
    enum { FRAMED = 3 * GW_TX_WORD }; /* bytes of a run up to its payload */
    uint8_t payload[32], bytes[8 * GW_TX_WORD], head[8 * GW_TX_WORD];
    const char *net = gw_txc_net(ctx);
    bool stream = gw_case_stream(ctx);
    size_t (*build)(uint8_t *, size_t, const gw_tx_draft *, const gw_dialect *) =
        stream ? gw_tx_build_run : gw_tx_build;
    gw_txc_got got;

    gw_txc_fill(ctx, payload, sizeof(payload));
    gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
    gw_tx_draft shorter = draft;
    shorter.payload_len = 19;
    /* Built whole and declared shorter, so that what lies behind the payload is not zero. */
    size_t len = build(bytes, sizeof(bytes), &draft, gw_case_dialect(ctx));
    (void)build(head, sizeof(head), &shorter, gw_case_dialect(ctx));
    memcpy(bytes, head, stream ? FRAMED : len - FRAMED);
    gw_txc_drain(ctx, net);
    (void)gw_case_send(ctx, gw_case_connection(ctx), bytes, len);
    gw_txc_back(ctx, &shorter, &got, "TX-E11", "a payload of 19 bytes with padding");
}

static void bounced(gw_ctx *ctx)
{
    const char *net = gw_txc_net(ctx);
    uint8_t payload[32];

    gw_txc_fill(ctx, payload, sizeof(payload));
    gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
    draft.header.dest_x = GW_TXC_RING; /* outside: the board's own router marks it */
    gw_txc_drain(ctx, net);
    (void)gw_txc_send(ctx, net, &draft);
    gw_txc_silence(ctx, net, "TX-E12", "a packet that was bounced to port 0");
    gw_txc_still_works(ctx, "TX-E12", "a bounced one");
}

/* Sends a packet of three words, of which the one at |place| is like MAGIC. */
static void send_magic(gw_ctx *ctx, size_t place)
{
    const gw_tx_word magic = {GW_TX_MAGIC, GW_TX_MAGIC};
    const char *net = gw_txc_net(ctx);
    const size_t at = 3 + place; /* behind MAGIC, START and header */
    uint8_t payload[48];
    gw_tx_word beats[16];

    gw_txc_fill(ctx, payload, sizeof(payload));
    gw_tx_draft draft = gw_txc_draft(ctx, payload, sizeof(payload));
    size_t num = gw_txc_run(ctx, &draft, beats, GW_ARRAY_LEN(beats) - 2);
    /* The one way to send the word: behind a MAGIC, with a credit behind it (sim C2). */
    memmove(&beats[at + 3], &beats[at + 1], (num - at - 1) * sizeof(beats[0]));
    beats[at] = beats[at + 1] = magic;
    beats[at + 2] = beats[num + 1]; /* the credit behind the packet */
    gw_txc_drain(ctx, net);
    (void)gw_txc_beats(ctx, net, beats, num + 2);
}

static void no_magic(gw_ctx *ctx)
{
    const size_t places = 2; /* the last of three words cannot be sent */
    gw_tx_word back[64];
    gw_miss miss = {.rule = "TX-E15"};

    for (size_t place = 0; place < places; place++) {
        send_magic(ctx, place);
        size_t num = gw_txc_collect(ctx, back, GW_ARRAY_LEN(back), &miss.packet);
        /* Nothing is stuffed here, so a MAGIC without START is a word of the packet. */
        for (size_t i = 0; i + 1 < num; i++) {
            if (gw_tx_is_magic(back[i]) && !gw_tx_is_start(back[i + 1]))
                gw_case_fail(ctx, &miss, "word %zu of a payload is like MAGIC and is sent", place);
        }
        gw_txc_still_works(ctx, "TX-E15", "a payload with a word like MAGIC");
    }
}

const gw_case gw_tx_e[] = {
    {.id = "tx-e/well-made",
     .title = "A packet has a header with every unused field zero, its payload and a footer",
     .rules = GW_LIST("TX-E2", "TX-E1", "TX-E5", "TX-E6", "TX-E8", "TX-L1"),
     .run = well_made},
    {.id = "tx-e/sizes",
     .title = "Packets with payloads of every size come back",
     .rules = GW_LIST("TX-E3"),
     .after = GW_LIST("tx-e/well-made"),
     .run = sizes},
    {.id = "tx-e/size-zero",
     .title = "A packet of size 0 is accepted",
     .rules = GW_LIST("TX-E4"),
     .after = GW_LIST("tx-e/well-made"),
     .negative = true,
     .run = size_zero},
    {.id = "tx-e/generator",
     .title = "The packet generator sends the number and size of packets that it was told",
     .rules = GW_LIST("TX-E2", "TX-E5", "TX-E6", "TX-E8"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = GW_LIST("regs"),
     .run = generator},
    {.id = "tx-e/header-only",
     .title = "A packet sent as a header alone has neither payload nor footer",
     .rules = GW_LIST("TX-E2", "TX-E14"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = GW_LIST("regs"),
     .run = header_only},
    {.id = "tx-e/ignored-fields",
     .title = "The reserved bit and the hop count of a received packet are ignored",
     .rules = GW_LIST("TX-E6"),
     .after = GW_LIST("tx-e/well-made"),
     .negative = true,
     .run = ignored_fields},
    {.id = "tx-e/proc-id",
     .title = "A packet for a channel that does not exist is rejected",
     .rules = GW_LIST("TX-E7"),
     .after = GW_LIST("tx-e/well-made"),
     .negative = true,
     .run = proc_id},
    {.id = "tx-e/footers",
     .title = "A packet is accepted with any of the known footers",
     .rules = GW_LIST("TX-E9"),
     .after = GW_LIST("tx-e/well-made"),
     .run = footers},
    {.id = "tx-e/check-byte",
     .title = "The check byte of a received header is not treated as data",
     .rules = GW_LIST("TX-E10"),
     .after = GW_LIST("tx-e/well-made"),
     .run = check_byte},
    {.id = "tx-e/byte-order",
     .title = "Payload bytes are delivered in their order",
     .rules = GW_LIST("TX-E11"),
     .after = GW_LIST("tx-e/well-made"),
     .run = byte_order},
    {.id = "tx-e/padding",
     .title = "Bytes after the payload in its last word are ignored",
     .rules = GW_LIST("TX-E11"),
     .after = GW_LIST("tx-e/well-made"),
     .run = padding},
    {.id = "tx-e/bounced",
     .title = "A packet that was bounced to port 0 is not taken for data",
     .rules = GW_LIST("TX-E12"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = GW_LIST("regs"),
     .negative = true,
     .run = bounced},
    {.id = "tx-e/no-magic",
     .title = "No word of payload like MAGIC is sent over a link",
     .rules = GW_LIST("TX-E15"),
     .after = GW_LIST("tx-e/well-made"),
     .needs = GW_LIST("link", "regs"),
     .negative = true,
     .run = no_magic},
    {.id = NULL},
};
