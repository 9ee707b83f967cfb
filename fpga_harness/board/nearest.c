/* SPDX-License-Identifier: BSD-2-Clause */
/* Edit distance with swaps of neighbours, the slip that keyboards see most. */
#include "harness/nearest.h"

#include <stdio.h>
#include <string.h>

#define WORD_MAX 63

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned gw_slips(const char *a, const char *b)
{
    unsigned rows[3][WORD_MAX + 1];
    size_t a_len = strnlen(a, WORD_MAX);
    size_t b_len = strnlen(b, WORD_MAX);
    for (size_t j = 0; j <= b_len; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= a_len; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *above = rows[(i - 1) % 3];
        const unsigned *two_above = rows[(i + 1) % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_len; j++) {
            unsigned wrong = a[i - 1] == b[j - 1] ? 0 : 1;
            row[j] = least(above[j - 1] + wrong, least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], two_above[j - 2] + 1);
        }
    }
    return rows[a_len % 3][b_len];
}

/* The only one of |choices| that goes on where |word| stops. */
static const char *completion(const char *word, const char *const *choices)
{
    const char *found = NULL;
    size_t len = strlen(word);
    for (; len >= 2 && *choices != NULL; choices++) {
        if (strncmp(word, *choices, len) != 0)
            continue;
        if (found != NULL)
            return NULL;
        found = *choices;
    }
    return found;
}

const char *gw_nearest(const char *word, const char *const *choices)
{
    const char *best = completion(word, choices);
    unsigned best_slips = 0;
    if (best != NULL)
        return best;
    for (; *choices != NULL; choices++) {
        unsigned slips = gw_slips(word, *choices);
        if (best == NULL || slips < best_slips) {
            best = *choices;
            best_slips = slips;
        }
    }
    /* More than a third of the letters wrong is another word. */
    if (best == NULL || best_slips > 1 + strlen(best) / 3)
        return NULL;
    return best;
}

const char *gw_nearest_said(char *out, size_t cap, const char *word, const char *const *choices)
{
    const char *near = gw_nearest(word, choices);
    out[0] = '\0';
    if (near != NULL)
        (void)snprintf(out, cap, "; did you mean '%s'?", near);
    return out;
}
