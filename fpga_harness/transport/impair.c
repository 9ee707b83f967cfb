/* SPDX-License-Identifier: BSD-2-Clause */
/* Impairments of one direction: loss, flipped bits, duplicates, changed places. */
#include "harness/impair.h"

#include <stdio.h>
#include <string.h>

#include "goldwire/text.h"

/* SplitMix64: every seed is as good as another. */
static uint64_t next_random(gw_impair *impair)
{
    uint64_t z = impair->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static bool happens(gw_impair *impair, uint32_t share)
{
    return next_random(impair) % GW_IMPAIR_SCALE < share;
}

bool gw_impairs(const gw_impairment *what)
{
    return (what->loss | what->reorder | what->duplicate | what->corrupt) != 0;
}

static void worsen(uint32_t *to, uint32_t share)
{
    if (*to < share)
        *to = share;
}

void gw_impair_add(gw_impairment *to, const gw_impairment *what)
{
    worsen(&to->loss, what->loss);
    worsen(&to->reorder, what->reorder);
    worsen(&to->duplicate, what->duplicate);
    worsen(&to->corrupt, what->corrupt);
}

/* Appends "loss=0.01": a share has nine decimals, of which the last zeros are left out. */
static void add_share(gw_text *text, const char *name, uint32_t share)
{
    char digits[16];
    if (share == 0)
        return;
    size_t len = (size_t)snprintf(digits, sizeof(digits), "%u.%09u", share / GW_IMPAIR_SCALE,
                                  share % GW_IMPAIR_SCALE);
    while (digits[len - 1] == '0')
        len--;
    digits[digits[len - 1] == '.' ? len - 1 : len] = '\0';
    gw_text_str(text, text->len > 0 ? "&" : "");
    gw_text_str(text, name);
    gw_text_str(text, "=");
    gw_text_str(text, digits);
}

const char *gw_impair_text(const gw_impairment *what, char *out, size_t cap)
{
    gw_text text = gw_text_over(out, cap);
    add_share(&text, "loss", what->loss);
    add_share(&text, "reorder", what->reorder);
    add_share(&text, "duplicate", what->duplicate);
    add_share(&text, "corrupt", what->corrupt);
    return out;
}

void gw_impair_init(gw_impair *impair, const gw_impairment *what, unsigned number,
                    gw_impair_pass_fn pass, void *arg)
{
    impair->what = *what;
    impair->random = what->seed;
    for (unsigned i = 0; i <= number; i++)
        impair->random = next_random(impair);
    impair->pass = pass;
    impair->arg = arg;
    impair->holds = false;
    impair->held_len = 0;
}

static void hold(gw_impair *impair, const void *note, size_t note_len, const uint8_t *data,
                 size_t len)
{
    memset(impair->held_note, 0, sizeof(impair->held_note));
    memcpy(impair->held_note, note, note_len);
    if (len > 0)
        memcpy(impair->held, data, len);
    impair->held_len = len;
    impair->holds = true;
}

void gw_impair_put(gw_impair *impair, const void *note, size_t note_len, const uint8_t *data,
                   size_t len)
{
    /* All dice are thrown for every datagram: what one share is does not change the others' luck.
     */
    bool lost = happens(impair, impair->what.loss);
    bool corrupted = happens(impair, impair->what.corrupt);
    bool twice = happens(impair, impair->what.duplicate);
    bool late = happens(impair, impair->what.reorder);
    uint64_t where = next_random(impair);

    if (lost || len > sizeof(impair->copy) || note_len > sizeof(impair->held_note))
        return;
    if (corrupted && len > 0) {
        memcpy(impair->copy, data, len);
        impair->copy[where / 8 % len] ^= (uint8_t)(1u << where % 8);
        data = impair->copy;
    }
    if (late && !impair->holds) {
        hold(impair, note, note_len, data, len);
        if (twice)
            impair->pass(impair->arg, note, data, len);
        return;
    }
    impair->pass(impair->arg, note, data, len);
    if (twice)
        impair->pass(impair->arg, note, data, len);
    gw_impair_flush(impair);
}

void gw_impair_flush(gw_impair *impair)
{
    if (!impair->holds)
        return;
    impair->holds = false;
    impair->pass(impair->arg, impair->held_note, impair->held, impair->held_len);
}
