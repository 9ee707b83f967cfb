/* SPDX-License-Identifier: BSD-2-Clause */
/* A packet on a TEXTAROSSA link, from MAGIC to footer. Dialects that differ in datagrams alone are
 * one here. */
#include "proof/message.h"
#include "textarossa/internal.h"

static void walk(const gw_message *message, const gw_dialect *dialect)
{
    (void)FORMAT.walk(message, dialect, &items);
}

static void check(const gw_message *message, const gw_dialect *dialect)
{
    FORMAT.check(message, dialect, &verdicts);
}

/* What a receiver's dialect is: strict by name and as NULL, and those that differ from it in
 * datagrams alone, which are followed at once; published RTL; encapsulations; wide words. */
enum { LIKE_STRICT, RTL, GU, WIDE };

static int kind_of(const gw_tx_dialect *d)
{
    if (d->word_bytes != GW_TX_WORD)
        return WIDE;
    if (d->rtl)
        return RTL;
    return d->gu ? GU : LIKE_STRICT;
}

static const gw_dialect *any_of(int kind)
{
    const gw_dialect *found = NULL;

    for (size_t i = 0; i < GW_TX_NUM_DIALECTS; i++) {
        const gw_dialect *dialect = &gw_tx_dialects[i];

        if (kind_of(gw_tx_dialect_of(dialect)) == kind && (kind != LIKE_STRICT || any_bool()))
            found = dialect;
    }
    return found;
}

/* Runs |run| over any packet of a link in any dialect of the kinds |first| to |last|. */
static void over_link(void (*run)(const gw_message *message, const gw_dialect *dialect), int first,
                      int last)
{
    int kind = Frama_C_interval(first, last);

    //@ split kind;
    gw_message m = any_message(PROOF_BYTES, GW_TX_PART_LINK);

    run(&m, any_of(kind));
}

void proof_link_walk(void)
{
    over_link(walk, LIKE_STRICT, GU);
}

void proof_link_check(void)
{
    over_link(check, LIKE_STRICT, GU);
}

void proof_wide_walk(void)
{
    over_link(walk, WIDE, WIDE);
}

void proof_wide_check(void)
{
    over_link(check, WIDE, WIDE);
}
