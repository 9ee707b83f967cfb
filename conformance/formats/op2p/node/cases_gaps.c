/* SPDX-License-Identifier: BSD-2-Clause */
/* OP2P link: frames that the link interrupts, and flow control that stands inside them. A link core
 * takes idle symbols and clock compensation out, and where they stood its user sees a pause. */
#include <string.h>

#include "formats/op2p/node/suite.h"
#include "goldwire/writer.h"

#define BEATS 6  /* 2 ^ 6: longer than what a port looks ahead */
#define BEFORE 9 /* frames: one more than buffers that are known of */
#define WORDS 4  /* of payload */
#define HEADER_WORDS (GW_OP2P_HEADER / 4)

/* Sends |len| bytes of the packet |h| with a gap behind |at| double words. */
static void send_with_gap(gw_ctx *ctx, const gw_op2p_header *h, const uint32_t *words, size_t len,
                          unsigned at, uint8_t flags)
{
    uint8_t pdu[GW_OP2P_HEADER + 4 * WORDS];

    gw_op2p_put(pdu, h);
    for (size_t i = 0; i < WORDS; i++)
        gw_store_be(pdu + GW_OP2P_HEADER + 4 * i, words != NULL ? words[i] : 0, 4);
    (void)gw_opc_event(ctx, GW_OP2P_KIND_PDU, flags, GW_OP2P_GAP(at, BEATS), pdu, len);
}

static void new_words(gw_ctx *ctx, uint32_t words[WORDS])
{
    for (size_t i = 0; i < WORDS; i++)
        words[i] = gw_opc_word(ctx);
}

/* Leaves headers of writes of WORDS double words to |at| in whatever keeps what came before. */
static void leave_headers(gw_ctx *ctx, uint32_t at, const uint32_t *marks)
{
    gw_opc_put(ctx, at, marks, WORDS);
    for (unsigned i = 0; i < BEFORE; i++) {
        gw_opc_write(ctx, at, marks, WORDS);
        gw_opc_listen(ctx, gw_case_scaled_ns(ctx, GW_MS)); /* frames in a row are another matter */
    }
}

/* ---- gaps ---- */

static void gap_in_header(gw_ctx *ctx)
{
    uint32_t marks[WORDS], words[WORDS];
    uint32_t last = gw_opc_ram(ctx, sizeof(marks) + sizeof(words)), to = last + sizeof(marks);

    new_words(ctx, marks);
    for (unsigned at = 1; at < HEADER_WORDS; at++) {
        new_words(ctx, words);
        leave_headers(ctx, last, marks);
        gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_WRITE, to, sizeof(words));
        send_with_gap(ctx, &h, words, GW_OP2P_HEADER + sizeof(words), at, 0);
        gw_opc_same_all(ctx, "OP-E30", last, marks, WORDS,
                        "where the last write went, behind one with a gap inside its header");
        gw_opc_same_all(ctx, "OP-E30", to, words, WORDS, "a write with a gap inside its header");
    }
}

/* A frame that ends inside its header, behind a gap: there is no header at all. */
static void gap_in_cut_header(gw_ctx *ctx)
{
    uint32_t marks[WORDS], last = gw_opc_ram(ctx, sizeof(marks));

    new_words(ctx, marks);
    for (unsigned at = 1; at + 1 < HEADER_WORDS; at++) {
        leave_headers(ctx, last, marks);
        gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_WRITE, last, sizeof(marks));
        send_with_gap(ctx, &h, NULL, (size_t)4 * (at + 1), at, 0);
        gw_opc_same_all(ctx, "OP-E30", last, marks, WORDS,
                        "a frame that ends inside its header, behind a gap");
    }
}

/* ---- symbols ---- */

static void go_on(gw_ctx *ctx)
{
    gw_opc_event(ctx, GW_OP2P_KIND_NFC, 0, GW_OP2P_XON, NULL, 0);
}

static void symbols(gw_ctx *ctx)
{
    uint32_t words[WORDS], at = gw_opc_ram(ctx, sizeof(words));
    gw_opc_got got;
    gw_miss miss = {.rule = "OP-L03"};

    for (unsigned i = 1; i < HEADER_WORDS + WORDS; i++) {
        new_words(ctx, words);
        gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_WRITE, at, sizeof(words));
        send_with_gap(ctx, &h, words, GW_OP2P_HEADER + sizeof(words), i, GW_OP2P_FLAG_HALT_INSIDE);
        go_on(ctx);
        gw_opc_same_all(ctx, "OP-L03", at, words, WORDS, "a write with an XOFF inside");
    }
    gw_op2p_header q = gw_opc_header(ctx, GW_OP2P_READ, at, sizeof(words));
    gw_opc_drain(ctx);
    send_with_gap(ctx, &q, NULL, GW_OP2P_HEADER, 2, GW_OP2P_FLAG_HALT_INSIDE);
    gw_opc_quiet(ctx, "OP-L03", "a read request with an XOFF inside");
    go_on(ctx);
    if (!gw_opc_completion(ctx, &q, &got))
        gw_case_fail(ctx, &miss, "a read request with an XOFF inside was not answered after XON");
}

/* Who carries out what lacks a double word in any case shows nothing here. */
static void require_refusal(gw_ctx *ctx, uint32_t at, const uint32_t *words)
{
    uint32_t before[WORDS], after[WORDS];

    gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_WRITE, at, 4 * WORDS);
    gw_opc_peek_all(ctx, at, before, WORDS);
    gw_opc_send(ctx, &h, words, WORDS - 1, 0);
    gw_opc_peek_all(ctx, at, after, WORDS);
    if (memcmp(before, after, sizeof(before)) != 0)
        gw_case_na(ctx, "the board carries out writes that lack a double word, whatever stands in "
                        "them");
}

/* What lacks a double word is not made whole by a symbol. */
static void symbols_are_no_words(gw_ctx *ctx)
{
    uint32_t words[WORDS], marks[WORDS], at = gw_opc_ram(ctx, sizeof(words));

    new_words(ctx, marks);
    new_words(ctx, words);
    require_refusal(ctx, at, words);
    for (unsigned i = 1; i < HEADER_WORDS + WORDS - 1; i++) {
        gw_opc_put(ctx, at, marks, WORDS);
        gw_op2p_header h = gw_opc_header(ctx, GW_OP2P_WRITE, at, sizeof(words));
        send_with_gap(ctx, &h, words, GW_OP2P_HEADER + sizeof(words) - 4, i,
                      GW_OP2P_FLAG_HALT_INSIDE);
        go_on(ctx);
        gw_opc_same_all(ctx, "OP-L03", at, marks, WORDS,
                        "a write that lacks a double word, with an XOFF inside");
    }
}

#define NEEDS .needs = GW_LIST("gaps", "ram")

const gw_case gw_op_e_gaps[] = {
    {.id = "op-e/gap-in-header",
     .title = "A write whose header the link interrupts goes where it says",
     .rules = GW_LIST("OP-E30"),
     .after = GW_LIST("op-e/write"),
     NEEDS,
     .run = gap_in_header},
    {.id = "op-e/gap-in-cut-header",
     .title = "A frame that ends inside its header, behind a gap, writes nothing",
     .rules = GW_LIST("OP-E30"),
     .after = GW_LIST("op-e/gap-in-header", "op-e/short-frame"),
     NEEDS,
     .negative = true,
     .run = gap_in_cut_header},
    {.id = "op-l/symbols",
     .title = "Flow control inside a frame is heeded, and is no part of the frame",
     .rules = GW_LIST("OP-L03"),
     .after = GW_LIST("op-e/gap-in-header", "op-e/xoff"),
     NEEDS,
     .run = symbols},
    {.id = "op-l/symbols-no-words",
     .title = "A frame that lacks a double word is not made whole by flow control inside it",
     .rules = GW_LIST("OP-L03"),
     .after = GW_LIST("op-l/symbols", "op-e/payload-length"),
     NEEDS,
     .negative = true,
     .run = symbols_are_no_words},
    {0},
};
