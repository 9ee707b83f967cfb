/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutants do to the record that answers a record. */
#include <string.h>

#include "formats/etherbone/slave/mutants/mutants.h"

#define FLAGS 0 /* where they stand in a record */

/* A patch says flags as the specification counts them. */
static gw_eb_patch patch_for(const gw_eb_layout *layout, gw_eb_patch patch)
{
    if (patch.at == FLAGS && layout->mirrored_flags) {
        patch.clear = gw_eb_flags_swap(patch.clear);
        patch.flip = gw_eb_flags_swap(patch.flip);
    }
    return patch;
}

size_t gw_eb_mutant_answer(gw_eb_answer answer)
{
    gw_eb_patch_byte(answer.data, patch_for(answer.layout, answer.s->mutation->answer_patch));
    if (answer.s->mutation->answer != NULL)
        answer.s->mutation->answer(&answer);
    return answer.len;
}

/* ---- its header ---- */

void gw_eb_m_dirty_reserved_answer(gw_eb_answer *answer)
{
    answer->data[0] |= answer->request->flags & (GW_EB_RESERVED_10 | GW_EB_RESERVED_01);
}

void gw_eb_m_byte_enable_not_copied(gw_eb_answer *answer)
{
    answer->data[1] = (uint8_t)((1u << answer->layout->data_bytes) - 1);
}

void gw_eb_m_counts_kept(gw_eb_answer *answer)
{
    answer->data[3] = answer->data[2];
    answer->data[2] = 0;
}

void gw_eb_m_return_address_masked(gw_eb_answer *answer)
{
    const gw_eb_layout *layout = answer->layout;
    if (answer->request->rcount > 0)
        memset(answer->data + layout->record_header, 0,
               (size_t)(layout->addr_unit - layout->addr_bytes));
}

/* ---- its words ---- */

/* The unit of the |i|th word. */
static uint8_t *unit(const gw_eb_answer *answer, unsigned i)
{
    const gw_eb_layout *layout = answer->layout;
    return answer->data + layout->record_header + layout->addr_unit + (size_t)i * layout->data_unit;
}

static size_t padding(const gw_eb_answer *answer)
{
    return (size_t)(answer->layout->data_unit - answer->layout->data_bytes);
}

void gw_eb_m_dirty_padding_answer(gw_eb_answer *answer)
{
    memset(answer->data + 4, GW_EB_M_DIRT, answer->layout->record_header - 4u);
    for (unsigned i = 0; i < answer->request->rcount; i++)
        memset(unit(answer, i), GW_EB_M_DIRT, padding(answer));
}

void gw_eb_m_value_at_front(gw_eb_answer *answer)
{
    size_t bytes = answer->layout->data_bytes;
    for (unsigned i = 0; i < answer->request->rcount && answer->layout->addr_bytes == 1; i++) {
        memmove(unit(answer, i), unit(answer, i) + padding(answer), bytes);
        memset(unit(answer, i) + bytes, 0, padding(answer));
    }
}

/* Behind the first word nobody thinks of padding. */
void gw_eb_m_words_packed(gw_eb_answer *answer)
{
    size_t bytes = answer->layout->data_bytes;
    uint8_t *to = unit(answer, 1);
    for (unsigned i = 1; i < answer->request->rcount; i++, to += bytes) {
        memmove(to, unit(answer, i) + padding(answer), bytes);
        answer->len -= padding(answer);
    }
}

void gw_eb_m_odd_reads(gw_eb_answer *answer)
{
    unsigned num = answer->request->rcount;
    if (num > 1 && num % 2 == 1)
        memcpy(unit(answer, num - 1), unit(answer, num - 2), answer->layout->data_unit);
}

static void swap(uint8_t *first, uint8_t *second, size_t len)
{
    uint8_t kept[8];
    memcpy(kept, first, len);
    memcpy(first, second, len);
    memcpy(second, kept, len);
}

/* Two words are one of 64 bits, whose halves come in the wrong order. */
void gw_eb_m_pairs_swapped(gw_eb_answer *answer)
{
    bool is_half = answer->layout->data_bytes == 4;
    for (unsigned i = 0; i + 1 < answer->request->rcount && is_half; i += 2)
        swap(unit(answer, i), unit(answer, i + 1), answer->layout->data_unit);
}

/* The 32 bits of a bus that come first go out first, but for the first word. */
void gw_eb_m_halves_swapped(gw_eb_answer *answer)
{
    for (unsigned i = 1; i < answer->request->rcount && answer->layout->data_bytes == 8; i++)
        swap(unit(answer, i), unit(answer, i) + 4, 4);
}
