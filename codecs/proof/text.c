/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts: one piece more behind any text, in a buffer of any size up to PROOF_BYTES that ends where
 * its object ends. So it holds for any number of pieces. */
#include "core/report.h"
#include "proof/proof.h"

static char room[PROOF_BYTES];

/* Runs |run| over a text of any room, filled to anywhere. */
static void over_any(void (*run)(gw_text *text))
{
    int cap = Frama_C_interval(1, PROOF_BYTES);
    //@ split cap;
    int len = Frama_C_interval(0, cap - 1);
    //@ split len;
    gw_text t = gw_text_over(room + (PROOF_BYTES - cap), (size_t)cap);

    t.len = (size_t)len;
    t.cut = any_bool();
    run(&t);
    //@ assert within: t.len < t.cap;
}

static void numbers(gw_text *text)
{
    gw_field field = {.base = (uint8_t)Frama_C_interval(0, GW_IPV4)};

    switch (Frama_C_interval(0, 3)) {
    case 0:
        gw_text_dec(text, any_u64());
        break;
    case 1:
        gw_text_hex(text, any_u64(), any_u32());
        break;
    case 2:
        gw_text_digits(text, any_u32(), any_u32());
        break;
    default:
        gw_text_value(text, &field, any_u64(), any_u32());
        break;
    }
}

void proof_numbers(void)
{
    over_any(numbers);
}

static void words(gw_text *text)
{
    char word[6];
    uint8_t bytes[6];
    gw_error error = {.kind = (uint8_t)Frama_C_interval(0, GW_BUG),
                      .capture_cut = any_bool(),
                      .offset = any_u32()};

    Frama_C_make_unknown(word, sizeof word);
    word[sizeof word - 1] = '\0';
    Frama_C_make_unknown((char *)bytes, sizeof bytes);
    switch (Frama_C_interval(0, 2)) {
    case 0:
        gw_text_str(text, word);
        break;
    case 1:
        gw_text_bytes(text, bytes, (size_t)Frama_C_interval(0, sizeof bytes));
        break;
    default:
        gw_text_end(text, &error);
        break;
    }
}

void proof_words(void)
{
    over_any(words);
}

static void ends(gw_text *text)
{
    gw_endpoint end = {0};

    Frama_C_make_unknown((char *)&end, sizeof end);
    gw_text_endpoint(text, &end);
}

void proof_ends(void)
{
    over_any(ends);
}
