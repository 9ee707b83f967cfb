/* SPDX-License-Identifier: BSD-2-Clause */
/* What a campaign starts from: conversations that are known to be good, a story each. */
#ifndef GOLDWIRE_CAMPAIGN_STOCK_H
#define GOLDWIRE_CAMPAIGN_STOCK_H

#include "campaign/shots.h"
#include "evidence/evidence.h"
#include "replay/trace.h"
#include "run/run.h"

#define GW_STOCK_STORIES 4096u

/* gw_story is a run of shots of a stock, from the opening of its first connection on. */
typedef struct gw_story {
    size_t first;
    size_t num;
    char name[64]; /* of the case or the trace's part that it comes from */
} gw_story;

/* gw_stock is what is known to be good. All zeros is an empty one. */
typedef struct gw_stock {
    gw_shots shots;
    gw_story *stories;
    size_t num;
    size_t left_out; /* stories for which there was no room */
} gw_stock;

/* gw_stock_source is what is known of evidence. */
typedef struct gw_stock_source {
    const gw_target *target;   /* whose links it names */
    const gw_format *format;   /* of them all but those to registers, which are left out */
    const gw_dialect *dialect; /* NULL: strict */
    /* told gets each message that is taken of evidence, whose number is its frame, and whether it
     * opens the story; NULL: nobody does. */
    void (*told)(void *arg, const gw_message *m, bool anew);
    void *arg;
} gw_stock_source;

/* gw_stock_take makes a story of what |evidence| says that we sent. A conversation without anything
 * of ours is none; what is no whole message of a stream is left out. False when memory is short. */
GW_MUST_USE bool gw_stock_take(gw_stock *stock, const char *name, const gw_evidence *evidence,
                               const gw_stock_source *source);

/* gw_stock_read makes stories of the parts of |trace|. False when memory is short. */
GW_MUST_USE bool gw_stock_read(gw_stock *stock, const gw_trace *trace,
                               const gw_stock_source *source);

/* gw_stock_free gives the memory back. */
void gw_stock_free(gw_stock *stock);

#endif
