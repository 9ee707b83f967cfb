/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone slave: the layout under each of the 16 pairs of widths. */
#include <inttypes.h>

#include "formats/etherbone/slave/suite.h"
#include "formats/etherbone/suite.h"

static void check_length(gw_ctx *ctx, const gw_ebc_request *request, const gw_ebc_reply *reply)
{
    /* Too long is another rule's business. */
    if (reply->message.len >= request->reply_len)
        return;
    gw_miss miss = {.rule = "EB-S12", .packet = reply->number, .offset = reply->message.len};
    gw_case_mark(ctx, reply->number, "EB-S12: %zu bytes expected", request->reply_len);
    gw_case_fail(ctx, &miss, "reply of %" PRIu32 " bytes, %zu expected for these widths",
                 reply->message.len, request->reply_len);
}

#define WORDS 4

/* Reads all |addresses| in one record; each result must be the one of |expected| (NULL: unknown),
 * in a unit of its own. */
static void check_read(gw_ctx *ctx, const uint64_t addresses[WORDS], uint8_t flags,
                       const uint64_t *expected)
{
    gw_ebc_request request;
    gw_ebc_reply reply;
    gw_eb_operation op = {.reads = addresses,
                          .num_reads = WORDS,
                          .flags = flags | GW_EB_CYC,
                          .byte_enable = gw_ebc_lanes(ctx)};
    gw_ebc_make(ctx, &request, &op, 1);
    gw_ebc_ask(ctx, &request, &reply, NULL);
    check_length(ctx, &request, &reply);
    for (unsigned i = 0; i < WORDS; i++) {
        uint64_t got = gw_ebc_result(ctx, &request, &reply, i);
        if (expected == NULL || got == expected[i])
            continue;
        gw_miss miss = gw_ebc_word_miss(ctx, "EB-S12", expected[i], got);
        gw_case_fail(ctx, &miss, "0x%" PRIx64 " was written, result %u reads 0x%" PRIx64,
                     expected[i], i, got);
    }
}

static void layout(gw_ctx *ctx)
{
    uint8_t widths = (uint8_t)gw_case_self(ctx)->arg;
    if (!gw_ebc_supports(ctx, widths))
        gw_case_na(ctx, "the board has no %u bit addresses with %u bit data", 8u * (widths >> 4),
                   8u * (widths & 15));
    gw_ebc_use(ctx, widths);
    gw_eb_layout l = gw_ebc_layout(ctx);
    if (gw_board_area(gw_case_board(ctx), GW_AREA_RAM, l.addr_bytes * 8u, 16) == NULL) {
        uint64_t address;
        uint8_t flags = gw_ebc_harmless(ctx, &address);
        check_read(ctx, (const uint64_t[WORDS]){address, address, address, address}, flags, NULL);
        gw_case_note(ctx, "no RAM in reach of these addresses: only lengths were compared");
        return;
    }
    /* Two words, the same from both ends, so that the order of reads does not matter here. */
    uint64_t a = gw_ebc_ram(ctx, 16);
    uint64_t b = a + l.data_bytes;
    uint64_t word = gw_ebc_word(ctx);
    uint64_t other = ~word & UINT64_MAX >> (64 - l.data_bytes * 8);
    gw_ebc_write(ctx, a, word);
    gw_ebc_write(ctx, b, other);
    check_read(ctx, (const uint64_t[WORDS]){a, b, b, a}, 0,
               (const uint64_t[WORDS]){word, other, other, word});
}

/* A request with clean padding is answered with clean padding, under all widths. */
static void clean(gw_ctx *ctx)
{
    unsigned compared = 0;
    for (unsigned pair = 0; pair < 16; pair++) {
        uint8_t code = (uint8_t)(0x10 << pair / 4 | 1 << pair % 4);
        uint64_t address;
        gw_ebc_request request;
        gw_ebc_reply reply;
        if (!gw_ebc_supports(ctx, code))
            continue;
        gw_ebc_use(ctx, code);
        gw_eb_operation op = {.reads = &address,
                              .num_reads = 1,
                              .return_base = 0x40, /* fits the narrowest address */
                              .byte_enable = gw_ebc_lanes(ctx)};
        op.flags = gw_ebc_harmless(ctx, &address) | GW_EB_CYC;
        gw_ebc_make(ctx, &request, &op, 1);
        gw_ebc_ask(ctx, &request, &reply, NULL);
        gw_case_expect_clear(ctx, &reply.message, reply.number, "EB-S13");
        compared++;
    }
    if (compared == 0)
        gw_case_na(ctx, "neither the board file nor the probe response names any widths");
}

#define WIDTHS(name, what, code)                                                                   \
    {                                                                                              \
        .id = name, .title = what, .rules = GW_LIST("EB-S12"),                                     \
        .after = GW_LIST("eb-s/read-answered"), .arg = (code), .run = layout                       \
    }

const gw_case gw_eb_s_widths[] = {
    WIDTHS("eb-s/widths-a8-d8", "8 bit addresses and 8 bit data are laid out as their unit demands",
           0x11),
    WIDTHS("eb-s/widths-a8-d16",
           "8 bit addresses and 16 bit data are laid out as their unit demands", 0x12),
    WIDTHS("eb-s/widths-a8-d32",
           "8 bit addresses and 32 bit data are laid out as their unit demands", 0x14),
    WIDTHS("eb-s/widths-a8-d64",
           "8 bit addresses and 64 bit data are laid out as their unit demands", 0x18),
    WIDTHS("eb-s/widths-a16-d8",
           "16 bit addresses and 8 bit data are laid out as their unit demands", 0x21),
    WIDTHS("eb-s/widths-a16-d16",
           "16 bit addresses and 16 bit data are laid out as their unit demands", 0x22),
    WIDTHS("eb-s/widths-a16-d32",
           "16 bit addresses and 32 bit data are laid out as their unit demands", 0x24),
    WIDTHS("eb-s/widths-a16-d64",
           "16 bit addresses and 64 bit data are laid out as their unit demands", 0x28),
    WIDTHS("eb-s/widths-a32-d8",
           "32 bit addresses and 8 bit data are laid out as their unit demands", 0x41),
    WIDTHS("eb-s/widths-a32-d16",
           "32 bit addresses and 16 bit data are laid out as their unit demands", 0x42),
    WIDTHS("eb-s/widths-a32-d32",
           "32 bit addresses and 32 bit data are laid out as their unit demands", 0x44),
    WIDTHS("eb-s/widths-a32-d64",
           "32 bit addresses and 64 bit data are laid out as their unit demands", 0x48),
    WIDTHS("eb-s/widths-a64-d8",
           "64 bit addresses and 8 bit data are laid out as their unit demands", 0x81),
    WIDTHS("eb-s/widths-a64-d16",
           "64 bit addresses and 16 bit data are laid out as their unit demands", 0x82),
    WIDTHS("eb-s/widths-a64-d32",
           "64 bit addresses and 32 bit data are laid out as their unit demands", 0x84),
    WIDTHS("eb-s/widths-a64-d64",
           "64 bit addresses and 64 bit data are laid out as their unit demands", 0x88),
    {.id = "eb-s/reply-clean",
     .title = "Padding and reserved bits of a reply are zero under all widths",
     .rules = GW_LIST("EB-S13"),
     .after = GW_LIST("eb-s/reply-counts"), /* which say what is padding */
     .run = clean},
    {0},
};
