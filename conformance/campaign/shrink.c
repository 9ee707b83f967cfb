/* SPDX-License-Identifier: BSD-2-Clause */
/* Delta debugging (Zeller and Hildebrandt, IEEE TSE 28, 2002), over packets, then over what is in
 * them: a change stays when the board still shows the anomaly. */
#include "campaign/shrink.h"

#include <stdlib.h>
#include <string.h>

#include "campaign/model/value_class.h"
#include "goldwire/mutate.h"

typedef struct shrinking {
    gw_search *search;
    const gw_found_context *context;
    gw_shots *shots;
    unsigned patience;
    unsigned taken; /* changes, so far */
    uint64_t *vain; /* hashes of what was tried, and does not show it */
    size_t num_vain;
    bool short_of_memory;
} shrinking;

#define VAIN_MAX 4096u

/* FNV-1a, over all that makes packets others. */
static uint64_t add_to_hash(uint64_t hash, const void *data, size_t len)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t hash_of(const gw_shots *shots)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < shots->num; i++) {
        const gw_shot *shot = &shots->list[i];
        const uint8_t how[] = {shot->link, shot->line, shot->anew, shot->joined};
        hash = add_to_hash(hash, how, sizeof(how));
        hash = add_to_hash(hash, &shot->len, sizeof(shot->len));
        hash = add_to_hash(hash, gw_shots_data(shots, shot), shot->len);
    }
    return hash;
}

/* Each round tries what the one before tried: most of it has been tried in vain. */
static bool was_in_vain(const shrinking *s, uint64_t hash)
{
    for (size_t i = 0; i < s->num_vain; i++)
        if (s->vain[i] == hash)
            return true;
    return false;
}

static bool over(const shrinking *s)
{
    return s->short_of_memory || gw_search_over(s->search);
}

static bool shows(const shrinking *s, const gw_shots *shots)
{
    for (unsigned i = 0; i < s->patience && !over(s); i++)
        if (gw_search_try(s->search, shots, 0, shots->num))
            return true;
    return false;
}

/* Takes |candidate| in the place of the shots when it does as well; frees it otherwise. */
static bool takes(shrinking *s, gw_shots *candidate, bool whole)
{
    s->short_of_memory = s->short_of_memory || !whole;
    uint64_t hash = hash_of(candidate);
    if (whole && candidate->num > 0 && !was_in_vain(s, hash) && shows(s, candidate)) {
        gw_shots_free(s->shots);
        *s->shots = *candidate;
        s->taken++;
        return true;
    }
    if (s->vain != NULL && s->num_vain < VAIN_MAX && !over(s))
        s->vain[s->num_vain++] = hash;
    gw_shots_free(candidate);
    return false;
}

/* ---- fewer packets ---- */

static bool without(shrinking *s, size_t first, size_t num)
{
    gw_shots rest = {0};
    size_t behind = first + num;
    bool whole = gw_shots_take(&rest, s->shots, 0, first) &&
                 gw_shots_take(&rest, s->shots, behind, s->shots->num - behind);
    /* What began a conversation is gone: the one behind it begins it now. */
    if (whole && first < rest.num)
        for (size_t i = first; i < behind; i++)
            rest.list[first].anew = rest.list[first].anew || s->shots->list[i].anew;
    return takes(s, &rest, whole);
}

static void drop_packets(shrinking *s)
{
    for (size_t num = s->shots->num / 2; num > 0; num = num > 1 ? num / 2 : 0) {
        size_t at = 0;
        while (at < s->shots->num && s->shots->num > 1 && !over(s)) {
            size_t some = num < s->shots->num - at ? num : s->shots->num - at;
            if (some == s->shots->num || !without(s, at, some))
                at += some;
        }
    }
}

/* ---- smaller packets ---- */

/* The shots with |len| bytes at |data|, made from |was|, in the place of those of number |at|. */
static bool put(shrinking *s, size_t at, const uint8_t *data, uint32_t len, const uint8_t *was,
                uint32_t was_len)
{
    gw_shots other = {0};
    bool whole = gw_shots_take(&other, s->shots, 0, at) &&
                 gw_shots_add(&other, &s->shots->list[at], data, len, was, was_len) &&
                 gw_shots_take(&other, s->shots, at + 1, s->shots->num - at - 1);
    return takes(s, &other, whole);
}

static bool replaced(shrinking *s, size_t at, const uint8_t *data, uint32_t len, bool as_it_was)
{
    const gw_shot *shot = &s->shots->list[at];
    return put(s, at, data, len, as_it_was ? NULL : gw_shots_was(s->shots, shot),
               as_it_was ? 0 : shot->was_len);
}

/* Whether |len| bytes at |data| in the place of |shot| would be cut where that is whole: smaller,
 * and further from what is legal. */
static bool tears(const shrinking *s, const gw_shot *shot, const uint8_t *data, size_t len)
{
    gw_message now = gw_shots_message(shot, gw_shots_data(s->shots, shot), shot->len);
    gw_message then = gw_shots_message(shot, data, (uint32_t)len);
    return !gw_found_unreadable(s->context, &now) && gw_found_unreadable(s->context, &then);
}

/* Leaves out the pieces that a message consists of, one after the other. What was never mutated
 * stays so: it would be made what it was again, and so on. */
static void drop_pieces(shrinking *s, size_t at)
{
    uint8_t out[GW_SHOT_MAX];
    for (uint32_t piece = 0; !over(s);) {
        const gw_shot *shot = &s->shots->list[at];
        gw_message m = gw_shots_message(shot, gw_shots_data(s->shots, shot), shot->len);
        size_t len = gw_mutate_trim(s->context->suite->format, s->context->dialect, &m, piece, out,
                                    sizeof(out));
        if (len == 0 || len >= shot->len)
            return;
        if (tears(s, shot, out, len) || !replaced(s, at, out, (uint32_t)len, !shot->mutated))
            piece++;
    }
}

/* A field in a run of bytes that differ from what they were. */
typedef struct part {
    gw_sink sink;
    const uint8_t *now;
    const uint8_t *was;
    uint32_t first; /* byte of the run */
    uint32_t end;
    unsigned skip; /* fields that differ, before the one that is asked for */
    bool found;
    uint8_t *out; /* the message with that field as it was */
} part;

static void on_item(gw_sink *sink, const gw_item *item)
{
    part *p = (part *)sink;
    uint8_t mask[GW_SHOT_MAX];
    size_t bytes = gw_item_mask(item, mask, sizeof(mask));
    bool own = false;
    bool others = false;
    if (p->found || item->field->view || item->field->derived)
        return;
    for (uint32_t i = p->first; i < p->end; i++) {
        uint8_t differs = p->now[i] ^ p->was[i];
        bool inside = i >= item->offset && i - item->offset < bytes;
        uint8_t bits = inside ? mask[i - item->offset] : 0;
        own = own || (differs & bits) != 0;
        others = others || (differs & ~bits & 0xff) != 0;
    }
    /* One that is all of the run has been tried as a run. */
    if (!own || !others || p->skip-- > 0)
        return;
    p->found = true;
    for (uint32_t i = p->first; i < p->end; i++)
        if (i >= item->offset && i - item->offset < bytes)
            p->out[i] ^= (p->now[i] ^ p->was[i]) & mask[i - item->offset];
}

/* Takes back field after field of a run that cannot go as a whole. */
static void take_back_fields(shrinking *s, size_t at, uint32_t first, uint32_t end)
{
    uint8_t now[GW_SHOT_MAX];
    for (unsigned skip = 0; !over(s);) {
        const gw_shot *shot = &s->shots->list[at];
        part p = {.sink = {.item = on_item},
                  .now = gw_shots_data(s->shots, shot),
                  .was = gw_shots_was(s->shots, shot),
                  .first = first,
                  .end = end,
                  .skip = skip,
                  .out = now};
        gw_message m = gw_shots_message(shot, p.was, shot->was_len);
        memcpy(now, p.now, shot->len);
        (void)s->context->suite->format->walk(&m, s->context->dialect, &p.sink);
        if (!p.found)
            return;
        if (!replaced(s, at, now, shot->len, false))
            skip++;
    }
}

/* Takes back what was changed, run by run of the bytes that differ. */
static void take_back(shrinking *s, size_t at)
{
    uint8_t now[GW_SHOT_MAX];
    const gw_shot *shot = &s->shots->list[at];
    uint32_t len = shot->len < shot->was_len ? shot->len : shot->was_len;
    for (uint32_t i = 0; i < len && !over(s);) {
        shot = &s->shots->list[at];
        const uint8_t *is = gw_shots_data(s->shots, shot);
        const uint8_t *was = gw_shots_was(s->shots, shot);
        uint32_t end = i;
        while (end < len && is[end] != was[end])
            end++;
        if (end > i) {
            memcpy(now, is, shot->len);
            memcpy(now + i, was + i, end - i);
            if (!replaced(s, at, now, shot->len, false))
                take_back_fields(s, at, i, end);
        }
        i = end + 1;
    }
}

/* A field that is not legal, and is when it is zero. */
typedef struct illegal {
    gw_sink sink;
    unsigned skip; /* of them, before the one that is asked for */
    bool found;
    uint8_t *out; /* the message, ... */
    uint32_t len;
    uint8_t *was; /* ... and what it was made from: both get that one cleared */
    uint32_t was_len;
} illegal;

static bool is_better_zero(const gw_item *item)
{
    uint32_t classes = gw_value_classes(item);
    if ((classes >> GW_VALUE_NOT_ZERO & 1) != 0)
        return true;
    return classes >> GW_VALUE_ILLEGAL != 0 && gw_field_legal(item->field, 0);
}

static void on_illegal(gw_sink *sink, const gw_item *item)
{
    illegal *r = (illegal *)sink;
    uint8_t mask[GW_SHOT_MAX];
    size_t bytes = gw_item_mask(item, mask, sizeof(mask));
    if (r->found || item->field->view || item->field->derived || item->offset > r->len ||
        bytes > r->len - item->offset || !is_better_zero(item) || r->skip-- > 0)
        return;
    r->found = true;
    for (size_t i = 0; i < bytes; i++) {
        r->out[item->offset + i] &= (uint8_t)~mask[i];
        if (item->offset + i < r->was_len)
            r->was[item->offset + i] &= (uint8_t)~mask[i];
    }
}

/* Makes legal what can be, field by field: what a story says that breaks something itself is as far
 * from that as a mutation. */
static void clear_illegal(shrinking *s, size_t at)
{
    uint8_t out[GW_SHOT_MAX];
    uint8_t was[GW_SHOT_MAX];
    for (unsigned skip = 0; !over(s);) {
        const gw_shot *shot = &s->shots->list[at];
        illegal r = {.sink = {.item = on_illegal},
                     .skip = skip,
                     .out = out,
                     .len = shot->len,
                     .was = was,
                     .was_len = shot->mutated ? shot->was_len : 0};
        memcpy(out, gw_shots_data(s->shots, shot), r.len);
        memcpy(was, gw_shots_was(s->shots, shot), r.was_len);
        gw_message m = gw_shots_message(shot, gw_shots_data(s->shots, shot), r.len);
        (void)s->context->suite->format->walk(&m, s->context->dialect, &r.sink);
        if (!r.found)
            return;
        if (!put(s, at, out, r.len, shot->mutated ? was : NULL, r.was_len))
            skip++;
    }
}

static void mend_packet(shrinking *s, size_t at)
{
    uint8_t was[GW_SHOT_MAX];
    const gw_shot *shot = &s->shots->list[at];
    if (shot->mutated) {
        uint32_t len = shot->was_len;
        memcpy(was, gw_shots_was(s->shots, shot), len);
        if (!replaced(s, at, was, len, true))
            take_back(s, at);
    }
    clear_illegal(s, at);
    drop_pieces(s, at);
}

/* ---- fewer conversations ---- */

/* Whether shot |at| is the first of a connection that is not the first of all. */
static bool opens_another(const gw_shots *shots, size_t at)
{
    const gw_shot *shot = &shots->list[at];
    for (size_t i = at; i > 0; i--) {
        const gw_shot *before = &shots->list[i - 1];
        if (shots->list[i].anew)
            break;
        if (before->link == shot->link && before->line == shot->line)
            return false;
    }
    return at > 0;
}

/* Tries with all of it in one conversation, over one connection a link; what began the others,
 * which a stream takes at its beginning only, is left out if |openings| are. */
static bool unite(shrinking *s, bool openings)
{
    gw_shots one = {0};
    bool apart = false;
    bool whole = true;
    for (size_t i = 0; whole && i < s->shots->num; i++) {
        bool another = opens_another(s->shots, i);
        apart = apart || another;
        if (another && openings && s->context->target->links[s->shots->list[i].link].stream)
            continue;
        whole = gw_shots_take(&one, s->shots, i, 1);
        if (!whole)
            break;
        one.list[one.num - 1].line = 0;
        one.list[one.num - 1].anew = i == 0;
    }
    if (apart && !over(s))
        return takes(s, &one, whole);
    s->short_of_memory = s->short_of_memory || !whole;
    gw_shots_free(&one);
    return false;
}

/* Tries with each message of a stream in one piece with that before it. */
static void join(shrinking *s)
{
    for (size_t i = 1; i < s->shots->num && !over(s); i++) {
        const gw_shot *shot = &s->shots->list[i];
        const gw_shot *before = shot - 1;
        gw_shots one = {0};
        if (!s->context->target->links[shot->link].stream || shot->anew ||
            shot->link != before->link || shot->line != before->line)
            continue;
        bool whole = gw_shots_take(&one, s->shots, 0, s->shots->num);
        if (whole)
            one.list[i].joined = true;
        (void)takes(s, &one, whole);
    }
}

bool gw_shrink(gw_search *search, const gw_found_context *context, gw_shots *shots,
               unsigned patience)
{
    shrinking s = {.search = search,
                   .context = context,
                   .shots = shots,
                   .patience = patience,
                   /* Without memory for that it takes longer. */
                   .vain = calloc(VAIN_MAX, sizeof(*s.vain))};
    drop_packets(&s);
    if (unite(&s, true) || unite(&s, false))
        drop_packets(&s);
    join(&s);
    /* What a packet lost may leave bytes that can be as they were, and the other way round: two
     * findings of one fault end alike only where nothing more can be taken. */
    unsigned before;
    do {
        before = s.taken;
        for (size_t i = 0; i < s.shots->num && !over(&s); i++)
            mend_packet(&s, i);
    } while (s.taken > before && !over(&s));
    free(s.vain);
    return !s.short_of_memory;
}
