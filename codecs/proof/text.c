/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts: one piece more behind any text, in a buffer of any size up to PROOF_BYTES that ends where
 * its object ends. So it holds for any number of pieces. */
#include "core/report.h"
#include "proof/proof.h"

static char room[PROOF_BYTES];

/* Filled to |len|. */
static gw_text any_text(int cap, int len)
{
    gw_text t = gw_text_over(room + (PROOF_BYTES - cap), (size_t)cap);

    t.len = (size_t)len;
    t.cut = any_bool();
    return t;
}

void proof_numbers(void)
{
    int cap = Frama_C_interval(1, PROOF_BYTES);
    //@ split cap;
    int len = Frama_C_interval(0, cap - 1);
    //@ split len;
    gw_text t = any_text(cap, len);
    gw_field field = {.base = (uint8_t)Frama_C_interval(0, GW_IPV4)};

    switch (Frama_C_interval(0, 3)) {
    case 0:
        gw_text_dec(&t, any_u64());
        break;
    case 1:
        gw_text_hex(&t, any_u64(), any_u32());
        break;
    case 2:
        gw_text_digits(&t, any_u32(), any_u32());
        break;
    default:
        gw_text_value(&t, &field, any_u64(), any_u32());
        break;
    }
    //@ assert within: t.len < t.cap;
}

void proof_words(void)
{
    int cap = Frama_C_interval(1, PROOF_BYTES);
    //@ split cap;
    int len = Frama_C_interval(0, cap - 1);
    //@ split len;
    gw_text t = any_text(cap, len);
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
        gw_text_str(&t, word);
        break;
    case 1:
        gw_text_bytes(&t, bytes, (size_t)Frama_C_interval(0, sizeof bytes));
        break;
    default:
        gw_text_end(&t, &error);
        break;
    }
    //@ assert within: t.len < t.cap;
}

void proof_ends(void)
{
    int cap = Frama_C_interval(1, PROOF_BYTES);
    //@ split cap;
    int len = Frama_C_interval(0, cap - 1);
    //@ split len;
    gw_text t = any_text(cap, len);
    gw_endpoint end = {0};

    Frama_C_make_unknown((char *)&end, sizeof end);
    gw_text_endpoint(&t, &end);
    //@ assert within: t.len < t.cap;
}
