/* SPDX-License-Identifier: BSD-2-Clause */
/* What is told of a broken rule: a text of two pieces, each any letter or any number in any of its
 * ways, behind any text, in a buffer of any size up to PROOF_BYTES that ends where its object ends.
 * So it holds for any number of pieces. */
#include <limits.h>

#include "core/report.c"
#include "proof/proof.h"

enum { PIECES = 2 };

static char buffer[PROOF_BYTES];
static char pieces[2 * PIECES + 1];
static uint64_t numbers[PIECES]; /* no more than there may be of them */

static void put_piece(size_t *len)
{
    int how = Frama_C_interval(0, 4);

    //@ split how;
    if (how == 4) {
        pieces[(*len)++] = (char)(any_bool() ? Frama_C_interval(CHAR_MIN, '%' - 1)
                                             : Frama_C_interval('%' + 1, CHAR_MAX));
        return;
    }
    pieces[(*len)++] = '%';
    pieces[(*len)++] = "dxts"[how];
}

static void put_pieces(void)
{
    size_t len = 0;

    for (int i = 0; i < PIECES; i++)
        put_piece(&len);
    pieces[len] = '\0';
    Frama_C_make_unknown((char *)numbers, sizeof numbers);
}

void proof_expand(void)
{
    int cap = Frama_C_interval(1, PROOF_BYTES);
    //@ split cap;
    int len = Frama_C_interval(0, cap - 1);
    //@ split len;
    gw_text t = gw_text_over(buffer + (PROOF_BYTES - cap), (size_t)cap);

    t.len = (size_t)len;
    t.cut = any_bool();
    put_pieces();
    expand(&t, pieces, numbers);
    //@ assert within: t.len < t.cap;
}
