/* SPDX-License-Identifier: BSD-2-Clause */
/* What a board said, judged by itself and beside what it was sent. */
#ifndef GOLDWIRE_CAMPAIGN_WORDS_H
#define GOLDWIRE_CAMPAIGN_WORDS_H

#include "goldwire/rule.h"
#include "run/ctx.h"

/* gw_told are rules that are known to be broken: nobody has to be told again. */
typedef struct gw_told {
    const gw_rule *rules[32];
    size_t num;
} gw_told;

/* gw_told_has says whether |rule| is among them. */
bool gw_told_has(const gw_told *told, const gw_rule *rule);

/* gw_words_break judges all that the board said in the case's evidence, streams cut into messages,
 * and says whether some of it breaks a rule that neither the dialect nor |told| knows to be broken:
 * then *|rule| is the first one, and |text| tells. The conversation is judged as well where nothing
 * that is under way can be lost, come twice or out of order. What the board was sent, and passes
 * on, is not its fault. Without memory for it nothing is judged. */
bool gw_words_break(const gw_ctx *ctx, const gw_told *told, const gw_rule **rule, char *text,
                    size_t text_cap);

/* gw_words_break_always does so for rules that whoever asks keeps whatever it is answered
 * (gw_replay_format.always), in each datagram by itself. */
bool gw_words_break_always(const gw_ctx *ctx, const gw_told *told, const gw_rule **rule, char *text,
                           size_t text_cap);

#endif
