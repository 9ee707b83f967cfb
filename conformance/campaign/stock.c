/* SPDX-License-Identifier: BSD-2-Clause */
/* Stories from evidence and traces. What went to a board's registers is in none: a setting that is
 * cut out of its story takes a good board out of service.
 * What each connection is called there does not matter: to every
 * link the first one is the usual one, and the others are beside it. */
#include "campaign/stock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evidence/packet_message.h"

/* Which connections a story has met, by link. */
typedef struct lines {
    uint32_t known[GW_TARGET_LINKS][GW_SHOT_LINES];
    unsigned num[GW_TARGET_LINKS];
} lines;

/* The number of connection |id| to |link|; those that are too many share the last one. */
static uint8_t line_of(lines *l, unsigned link, uint32_t id)
{
    for (unsigned i = 0; i < l->num[link]; i++)
        if (l->known[link][i] == id)
            return (uint8_t)i;
    if (l->num[link] == GW_SHOT_LINES)
        return GW_SHOT_LINES - 1;
    l->known[link][l->num[link]] = id;
    return (uint8_t)l->num[link]++;
}

static bool find_link(const gw_target *target, const char *name, unsigned *link)
{
    for (unsigned i = 0; name != NULL && i < target->num_links; i++) {
        *link = i;
        if (target->links[i].present && strcmp(target->links[i].name, name) == 0)
            return true;
    }
    return false;
}

/* Where a story begins; NULL when there is no room or memory. */
static gw_story *begin(gw_stock *stock, const char *name)
{
    if (stock->stories == NULL)
        stock->stories = calloc(GW_STOCK_STORIES, sizeof(*stock->stories));
    if (stock->stories == NULL || stock->num == GW_STOCK_STORIES) {
        stock->left_out++;
        return NULL;
    }
    gw_story *story = &stock->stories[stock->num];
    *story = (gw_story){.first = stock->shots.num};
    (void)snprintf(story->name, sizeof(story->name), "%s", name);
    return story;
}

static void finish(gw_stock *stock, gw_story *story)
{
    story->num = stock->shots.num - story->first;
    stock->num += story->num > 0;
}

/* What is being told: where messages go that are cut out of a stream. */
typedef struct teller {
    gw_stock *stock;
    const gw_stock_source *source;
    gw_story *story;
    unsigned link;
    uint8_t line;
    bool full;
} teller;

/* Adds a shot to the story; what has no room is left out with all that comes after it. */
static void tell(void *ctx, const gw_message *m)
{
    teller *t = ctx;
    if (m->dir != GW_DIR_OUT || t->full)
        return;
    gw_shots *shots = &t->stock->shots;
    gw_shot like = {.link = (uint8_t)t->link,
                    .line = t->line,
                    .part = m->part,
                    .part_arg = m->part_arg,
                    .anew = shots->num == t->story->first};
    t->full = m->cap_len < m->len || m->len > GW_SHOT_MAX ||
              !gw_shots_add(shots, &like, m->data, m->len, NULL, 0);
    if (!t->full && t->source->told != NULL)
        t->source->told(t->source->arg, m, like.anew);
}

/* ---- evidence ---- */

/* The streams of a story, cut into messages: one state a connection. */
typedef struct cutters {
    void *of[GW_TARGET_LINKS][GW_SHOT_LINES];
} cutters;

static void push(cutters *c, teller *t, const gw_stock_source *source, const gw_evidence_packet *p,
                 const gw_message *m)
{
    const gw_format *format = source->format;
    void **state = &c->of[t->link][t->line];
    if (!p->stream || format->stream == NULL) {
        tell(t, m);
        return;
    }
    if (*state == NULL) {
        *state = calloc(1, format->stream->size);
        t->full = t->full || *state == NULL;
        if (*state == NULL)
            return;
        format->stream->init(*state, source->dialect);
    }
    /* What a stream means depends on both directions: which widths were agreed on, say. */
    format->stream->push(*state, p->dir == GW_DIR_OUT ? 0 : 1, m, tell, t);
}

static void end_streams(cutters *c)
{
    for (unsigned link = 0; link < GW_TARGET_LINKS; link++)
        for (unsigned line = 0; line < GW_SHOT_LINES; line++)
            free(c->of[link][line]);
}

bool gw_stock_take(gw_stock *stock, const char *name, const gw_evidence *evidence,
                   const gw_stock_source *source)
{
    lines met = {0};
    cutters streams = {0};
    gw_story *story = begin(stock, name);
    if (story == NULL)
        return stock->stories != NULL;
    teller t = {.stock = stock, .source = source, .story = story};
    for (unsigned n = 1; n <= evidence->num_packets && !t.full; n++) {
        const gw_evidence_packet *p = gw_evidence_get(evidence, n);
        gw_message m;
        if (p->regs || !find_link(source->target, p->link, &t.link) ||
            (p->dir != GW_DIR_OUT && !p->stream) ||
            !gw_evidence_message(&m, evidence, n, source->format))
            continue;
        t.line = line_of(&met, t.link, p->line);
        push(&streams, &t, source, p, &m);
    }
    stock->left_out += t.full;
    end_streams(&streams);
    finish(stock, story);
    return true;
}

/* ---- traces ---- */

bool gw_stock_read(gw_stock *stock, const gw_trace *trace, const gw_stock_source *source)
{
    uint32_t at = 0;
    while (at < trace->num_steps) {
        lines met = {0};
        uint32_t label = trace->steps[at].label;
        const char *name = gw_trace_label(trace, at);
        gw_story *story = begin(stock, name[0] != '\0' ? name : "trace");
        if (story == NULL)
            return stock->stories != NULL;
        teller t = {.stock = stock, .source = source, .story = story};
        for (; at < trace->num_steps && trace->steps[at].label == label; at++) {
            const gw_trace_step *s = &trace->steps[at];
            const gw_trace_line *line = &trace->lines[s->line];
            gw_message m = gw_trace_message(trace, at);
            m.dir = GW_DIR_OUT;
            t.link = line->link;
            t.line = line_of(&met, line->link, s->line);
            if (s->ours && !s->left_out && !line->foreign && line->format == source->format)
                tell(&t, &m);
        }
        stock->left_out += t.full;
        finish(stock, story);
    }
    return true;
}

void gw_stock_free(gw_stock *stock)
{
    gw_shots_free(&stock->shots);
    free(stock->stories);
    memset(stock, 0, sizeof(*stock));
}
