/* SPDX-License-Identifier: BSD-2-Clause */
/* An APElink's receiver: what the published one was seen to write into its FIFOs, in simulation,
 * and what a conformant one does with the same beats. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "formats/textarossa/board.h"

/* Beats and words: M is MAGIC, S START, F all ones, C the credit of an idle link with EDAC,
 * anything else the hexadecimal value of a word. */
typedef struct trace {
    const char *name;
    const char *beats;
    const char *header[GW_TX_NUM_VCS]; /* words in the header FIFO of each channel */
    const char *data[GW_TX_NUM_VCS];
    unsigned counts[6]; /* single and fatal errors; MAGIC, START, headers and footers */
} trace;

#define GOOD "MS 000000003ebeff3f4010000000200000 dd0000000000000000 FC"
#define GOOD_H " 000000003ebeff3f4010000000200000 F"
#define GOOD_D " dd0000000000000000"

static const trace published[] = {
    {"A1 four packets",
     "C MS 760000003ebeff3f4000000000200000 FC MS 690000003ebeff3f4011000000200001 "
     "a10000000000000000 a10000000000000001 FC MS 1b0000003ebeff3f4020000000200011 "
     "a20000000000000000 a20000000000000001 FC MS 180000003ebeff3f4001000000200000 "
     "a30000000000000000 FC",
     {"3ebeff3f4000000000200000 F 3ebeff3f4001000000200000 F",
      "3ebeff3f4011000000200001 F 3ebeff3f4020000000200011 F"},
     {"a30000000000000000",
      "a10000000000000000 a10000000000000001 a20000000000000000 a20000000000000001"},
     {0, 0, 4, 4, 4, 4}},
    {"B2 stuffed everywhere",
     "C MS 790000003ebeff3f4030000000200000 MCMC b0 MC b1 b2 MCMC FC",
     {"3ebeff3f4030000000200000 F", ""},
     {"b0 b1 b2", ""},
     {0, 0, 1, 1, 1, 1}},
    {"C payload like MAGIC",
     "C MS 0c0000003ebeff3f4040000000200000 c0 M c2 c3 FCCCC",
     {"3ebeff3f4040000000200000 C", ""},
     {"c0 c3 F C", ""},
     {0, 0, 1, 1, 1, 1}},
    {"C2 two of them",
     "C MS 0c0000003ebeff3f4040000000200000 MM c2 c3 FCCCC",
     {"3ebeff3f4040000000200000 C", ""},
     {"M c3 F C", ""},
     {0, 0, 1, 1, 1, 1}},
    {"C3 the last word",
     "C MS 0f0000003ebeff3f4020000000200000 c0 M FCCCC",
     {"3ebeff3f4020000000200000 C", ""},
     {"c0 C", ""},
     {0, 0, 1, 1, 1, 1}},
    {"C4 the footer",
     "C MS 0f0000003ebeff3f4020000000200000 c4 c5 MCCCC",
     {"3ebeff3f4020000000200000 C", ""},
     {"c4 c5", ""},
     {0, 0, 1, 1, 1, 1}},
    {"C5 payload like START",
     "C MS 0f0000003ebeff3f4020000000200000 S c5 FC",
     {"3ebeff3f4020000000200000 F", ""},
     {"S c5", ""},
     {0, 0, 1, 1, 1, 1}},
    {"D_x",
     "C MS 0f0000003ebeff3f4020000000000000 d0 d1 FC" GOOD,
     {"9b0000003ebeff3f4020000000200000 F" GOOD_H, ""},
     {"d0 d1" GOOD_D, ""},
     {1, 0, 2, 2, 2, 2}},
    {"D_size one word more",
     "C MS 0f0000003ebeff3f4030000000200000 d0 d1 FCC" GOOD,
     {"bb0000003ebeff3f4020000000200000 C" GOOD_H, ""},
     {"d0 d1 F" GOOD_D, ""},
     {1, 0, 2, 2, 2, 2}},
    {"D_size2 no payload",
     "C MS 0f0000003ebeff3f4000000000200000 d0 d1 FC" GOOD,
     {"bc0000003ebeff3f4020000000200000 d0" GOOD_H, ""},
     {GOOD_D, ""},
     {1, 0, 2, 2, 2, 2}},
    {"D_type header only",
     "C MS 0f0000003ebeff3f4020800000200000 d0 d1 FC" GOOD,
     {"b60000003ebeff3f4020000000200000" GOOD_H, ""},
     {GOOD_D, ""},
     {1, 0, 2, 2, 2, 1}},
    {"D_vc other channel",
     "C MS 0f0000003ebeff3f4020000000200001 d0 d1 FC" GOOD,
     {GOOD_H, "830000003ebeff3f4020000000200000 F"},
     {GOOD_D, "d0 d1"},
     {1, 0, 2, 2, 2, 2}},
    {"D_edacbit",
     "C MS 1f0000003ebeff3f4020000000200000 d0 d1 FC" GOOD,
     {"880000003ebeff3f4020000000200000 F" GOOD_H, ""},
     {"d0 d1" GOOD_D, ""},
     {1, 0, 2, 2, 2, 2}},
    {"D_dbl fatal",
     "C MS 0f0000103ebeff3f4020000000000000 d0 d1 FC" GOOD,
     {GOOD_H, ""},
     {"d1" GOOD_D, ""},
     {0, 1, 1, 2, 2, 1}},
    {"D_und taken for clean",
     "C MS 0f0000003ebeff3f4020000002000000 d0 d1 FC",
     {"040000003ebeff3f4020000002000000 F", ""},
     {"d0 d1", ""},
     {0, 0, 1, 1, 1, 1}},
    {"D_ptype_dbl fatal, header only",
     "C MS 0f0000003abeff3f4020800000200000 d0 d1 FC" GOOD,
     {GOOD_H, ""},
     {GOOD_D, ""},
     {0, 1, 2, 2, 2, 1}},
    {"F1 the footer leaks",
     "C MS 000000103ebeff3f4010000000000000 e1 FC" GOOD,
     {"F" GOOD_H, ""},
     {GOOD_D, ""},
     {0, 1, 1, 2, 2, 2}},
    {"F8 a word leaks",
     "C MS 0a0000103ebeff3f4080000000000000 e0 e1 e2 e3 e4 e5 e6 e7 FCC" GOOD,
     {GOOD_H, ""},
     {"e1" GOOD_D, ""},
     {0, 1, 1, 2, 2, 1}},
    {"garbage first", "d0 d1 M d2 C" GOOD, {GOOD_H, ""}, {GOOD_D, ""}, {0, 0, 1, 1, 1, 1}},
};

/* The corrected header frames, and what cannot be placed is gone to the last word. */
static const trace conformant[] = {
    {"stuffed everywhere",
     "C MS 790000003ebeff3f4030000000200000 MCMC b0 MC b1 b2 MCMC FC",
     {"3ebeff3f4030000000200000 F", ""},
     {"b0 b1 b2", ""},
     {0, 0, 1, 1, 1, 1}},
    {"a flip in the size",
     "C MS 0f0000003ebeff3f4030000000200000 d0 d1 FC" GOOD,
     {"bb0000003ebeff3f4020000000200000 F" GOOD_H, ""},
     {"d0 d1" GOOD_D, ""},
     {1, 0, 2, 2, 2, 2}},
    {"a flip in the type",
     "C MS 0f0000003ebeff3f4020800000200000 d0 d1 FC" GOOD,
     {"b60000003ebeff3f4020000000200000 F" GOOD_H, ""},
     {"d0 d1" GOOD_D, ""},
     {1, 0, 2, 2, 2, 2}},
    {"a flip in the channel",
     "C MS 0f0000003ebeff3f4020000000200001 d0 d1 FC" GOOD,
     {"830000003ebeff3f4020000000200000 F" GOOD_H, ""},
     {"d0 d1" GOOD_D, ""},
     {1, 0, 2, 2, 2, 2}},
    {"fatal",
     "C MS 0f0000103ebeff3f4020000000000000 d0 d1 FC" GOOD,
     {GOOD_H, ""},
     {GOOD_D, ""},
     {0, 1, 1, 2, 2, 1}},
    {"a double flip of the 448",
     "C MS 0f0000003ebeff3f4020000002000000 d0 d1 FC" GOOD,
     {GOOD_H, ""},
     {GOOD_D, ""},
     {0, 1, 1, 2, 2, 1}},
    {"a packet that breaks off",
     "C MS 0f0000003ebeff3f4020000000200000 d0" GOOD,
     {GOOD_H, ""},
     {GOOD_D, ""},
     {0, 0, 1, 2, 2, 1}},
    {"a channel that does not exist",
     "C MS 0b0000003ebeff3f4010000000200002 d0 FC" GOOD,
     {GOOD_H, ""},
     {GOOD_D, ""},
     {0, 0, 1, 2, 2, 1}},
    {"garbage first", "d0 d1 M d2 C" GOOD, {GOOD_H, ""}, {GOOD_D, ""}, {0, 0, 2, 1, 1, 1}},
};

/* Takes the next word off |text|; false at its end. */
static bool next_word(const char **text, gw_tx_word *word)
{
    static const char digits[] = "0123456789abcdef";

    while (**text == ' ')
        ++*text;
    switch (**text) {
    case '\0':
        return false;
    case 'M':
        *word = (gw_tx_word){GW_TX_MAGIC, GW_TX_MAGIC};
        break;
    case 'S':
        *word = (gw_tx_word){GW_TX_START, GW_TX_START};
        break;
    case 'F':
        *word = (gw_tx_word){UINT64_MAX, UINT64_MAX};
        break;
    case 'C':
        *word = (gw_tx_word){0x101004040, UINT64_C(0x4d00000000000000)};
        break;
    default:
        for (*word = (gw_tx_word){0, 0}; **text != '\0' && strchr(digits, **text) != NULL;
             ++*text) {
            word->hi = word->hi << 4 | word->lo >> 60;
            word->lo = word->lo << 4 | (uint64_t)(strchr(digits, **text) - digits);
        }
        return true;
    }
    ++*text;
    return true;
}

static void holds(const char *name, const gw_tx_fifo *f, const char *text)
{
    gw_tx_word want;
    unsigned i = 0;

    for (; next_word(&text, &want); i++) {
        gw_tx_word got = gw_tx_fifo_at(f, i);
        if (i >= f->count || got.lo != want.lo || got.hi != want.hi)
            fail_msg("%s: word %u of %u is %016llx %016llx, %016llx %016llx expected", name, i,
                     f->count, (unsigned long long)got.hi, (unsigned long long)got.lo,
                     (unsigned long long)want.hi, (unsigned long long)want.lo);
    }
    if (f->count != i)
        fail_msg("%s: %u words, %u expected", name, f->count, i);
}

static void receive(const trace *t, const char *dialect, unsigned piece)
{
    gw_tx_board *b = calloc(1, sizeof(*b));
    gw_peer_config config = {.dialect = gw_dialect_by_name(&gw_textarossa, dialect)};
    char why[128];
    uint8_t bytes[64 * GW_TX_WORD];
    size_t len = 0;
    gw_tx_word word;
    gw_tx_link *l = &b->links[0];

    assert_non_null(b);
    assert_true(gw_tx_switch_board.init(b, &config, why, sizeof(why)));
    b->stalled = true; /* so that the words stay where they are */
    b->values[GW_TX_LINK_0_CONFIG_0 / 4] = 0x0f000000;
    for (const char *text = t->beats; next_word(&text, &word); len += GW_TX_WORD)
        gw_tx_store(bytes + len, GW_TX_WORD, GW_TX_ORDER_A, word);
    for (size_t at = 0; at < len; at += piece)
        gw_tx_link_receive(b, l, bytes + at, at + piece < len ? piece : len - at);
    for (unsigned vc = 0; vc < GW_TX_NUM_VCS; vc++) {
        holds(t->name, &l->rx[vc].header, t->header[vc]);
        holds(t->name, &l->rx[vc].data, t->data[vc]);
    }
    const unsigned counts[] = {l->single,   l->fatals,     l->rx_magic,
                               l->rx_start, l->rx_headers, l->rx_footers};
    for (size_t i = 0; i < GW_ARRAY_LEN(counts); i++) {
        if (counts[i] != t->counts[i])
            fail_msg("%s: count %zu is %u, %u expected", t->name, i, counts[i], t->counts[i]);
    }
    assert_int_equal(l->theirs.vc[0].header, 0x40);
    gw_tx_switch_board.fini(b);
    free(b);
}

static void receives_as_published(void **state)
{
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(published); i++) {
        receive(&published[i], "rtl", 16);
        receive(&published[i], "rtl", 7);
    }
}

static void receives_as_demanded(void **state)
{
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(conformant); i++) {
        receive(&conformant[i], "strict", 16);
        receive(&conformant[i], "strict", 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(receives_as_published),
        cmocka_unit_test(receives_as_demanded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
