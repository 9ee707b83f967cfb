/* SPDX-License-Identifier: BSD-2-Clause */
/* An input taken apart by its layout, one message or the sequence mutated, and put together again.
 */
#include "mutator/message.h"

#include <string.h>

#include "crash/sequences.h"
#include "fuzz.h"
#include "goldwire/checksum.h"
#include "goldwire/mend.h"
#include "goldwire/mutate.h"
#include "goldwire/sequence.h"

enum {
    EVENTS = 512,
    HEAD_MAX = 3,
    PIECE_HEAD = 3, /* choice and length */
    TRIES = 8,      /* to keep or break rules: a fuzzer has other things to do */
};

void gw_fuzz_tell(gw_fuzz_mutator *u, const char *what)
{
    size_t len = strlen(u->did), more = what != NULL ? strlen(what) : 0;

    if (more == 0 || len + 2 + more >= sizeof u->did)
        return;
    if (len > 0) {
        memcpy(u->did + len, ", ", 2);
        len += 2;
    }
    memcpy(u->did + len, what, more + 1);
}

static void tell_done(gw_fuzz_mutator *u, uint32_t done)
{
    for (unsigned i = 0; i < GW_NUM_MUTATORS; i++) {
        if ((done & 1u << i) != 0)
            gw_fuzz_tell(u, gw_mutator_name(i));
    }
}

const gw_format *gw_fuzz_claimant(const gw_message *m)
{
    for (size_t i = 0; i < gw_num_formats; i++) {
        if (gw_formats[i]->claims != NULL && gw_formats[i]->claims(m))
            return gw_formats[i];
    }
    return NULL;
}

static const gw_format *format_of(const gw_fuzz_layout *l)
{
    return l->format == NULL ? NULL : gw_format_by_name(l->format);
}

/* The format of the message |m| in a layout that stands for any. */
static const gw_format *any_format(const gw_fuzz_layout *l, const uint8_t *head, uint8_t choice,
                                   const gw_message *m)
{
    const gw_format *format = gw_fuzz_any_format(l, head, choice);

    return format != NULL ? format : gw_fuzz_claimant(m);
}

static const gw_dialect *dialect_of(const gw_fuzz_layout *l, const gw_format *format,
                                    const uint8_t *head)
{
    return l->format == NULL || l->head == 0 ? NULL : gw_fuzz_dialect(format, head[0] & l->dialect);
}

static const gw_rule *any_rule(const gw_format *format, gw_random *random)
{
    const gw_rule *rule = &format->rules[gw_random_below(random, (uint32_t)format->num_rules)];
    return (rule->scope & GW_SCOPE_MESSAGE) != 0 ? rule : NULL;
}

size_t gw_fuzz_mutate_message(gw_fuzz_mutator *u, const gw_format *format,
                              const gw_dialect *dialect, const gw_message *m,
                              const gw_message *other, uint8_t *out, size_t cap)
{
    if (format == NULL)
        return 0;
    gw_mutate_plan plan = {.format = format, .dialect = dialect, .other = other, .tries = TRIES};
    uint32_t aim = gw_random_below(&u->random, 16);
    if (aim == 0)
        plan.rule = any_rule(format, &u->random);
    if (plan.rule != NULL)
        plan.aim = GW_MUTATE_TO_BREAK;
    else if (aim <= 2)
        plan.aim = GW_MUTATE_LEGALLY;
    gw_mutation did = gw_mutate(&plan, &u->random, m, out, cap);
    tell_done(u, did.done);
    return did.done != 0 ? did.len : 0;
}

/* A message of an input that has a layout. */
static size_t mutate_message(gw_fuzz_mutator *u, uint8_t choice, const gw_message *m,
                             const gw_message *other, uint8_t *out, size_t cap)
{
    const uint8_t *head = u->out;
    const gw_format *format =
        u->format != NULL ? u->format : any_format(u->layout, head, choice, m);

    return gw_fuzz_mutate_message(u, format, dialect_of(u->layout, format, head), m, other, out,
                                  cap);
}

/* The choices, which open other parts of a target than any message does: at times a bit of them, or
 * another byte. */
static void put_head(gw_fuzz_mutator *u, const uint8_t *data, size_t len)
{
    size_t head = u->layout->head;

    memset(u->out, 0, head);
    memcpy(u->out, data, len < head ? len : head);
    if (head == 0 || !gw_random_one_in(&u->random, 5))
        return;
    uint8_t *choice = &u->out[gw_random_below(&u->random, (uint32_t)head)];
    if (gw_random_one_in(&u->random, 2))
        *choice ^= (uint8_t)(1u << gw_random_below(&u->random, 8));
    else
        *choice = (uint8_t)gw_random_next(&u->random);
    gw_fuzz_tell(u, "other choice");
}

static size_t mutate_single(gw_fuzz_mutator *u, gw_cursor in, gw_cursor other, size_t cap)
{
    const gw_fuzz_layout *l = u->layout;
    gw_message m = gw_fuzz_message(l, u->out, 0, in.p, gw_cursor_left(&in));
    gw_message donor = gw_fuzz_message(l, u->out, 0, other.p, gw_cursor_left(&other));
    size_t len =
        mutate_message(u, 0, &m, donor.len > 0 ? &donor : NULL, u->out + l->head, cap - l->head);
    return len > 0 ? l->head + len : 0;
}

/* ---- sequences ---- */

/* The bits of |choice| that |mask| has, moved together, and apart again. */
static uint32_t gather(uint8_t choice, uint8_t mask)
{
    uint32_t value = 0, at = 0;

    for (unsigned bit = 0; bit < 8; bit++) {
        if (mask & 1u << bit)
            value |= (uint32_t)(choice >> bit & 1) << at++;
    }
    return value;
}

static uint8_t scatter(uint32_t value, uint8_t mask)
{
    uint8_t choice = 0;

    for (unsigned bit = 0; bit < 8; bit++) {
        if (mask & 1u << bit) {
            choice |= (uint8_t)((value & 1) << bit);
            value >>= 1;
        }
    }
    return choice;
}

static uint32_t num_values(uint8_t mask)
{
    return gather(mask, mask) + 1;
}

static gw_sequence take_apart(const gw_fuzz_layout *l, gw_cursor c, gw_sequence_event *events)
{
    gw_sequence s = {.events = events, .cap = EVENTS, .num_links = num_values(l->link)};
    gw_cursor piece;
    uint8_t choice;

    s.longest_ns = num_values(l->delay) - 1;
    while (s.num < EVENTS && gw_fuzz_piece(&c, &choice, &piece)) {
        events[s.num++] = (gw_sequence_event){
            .data = piece.p,
            .len = (uint32_t)gw_cursor_left(&piece),
            .link = gather(choice, l->link),
            .tag = choice & (uint8_t) ~(l->link | l->delay),
            .delay_ns = gather(choice, l->delay),
        };
    }
    return s;
}

static uint8_t choice_of(const gw_fuzz_layout *l, const gw_sequence_event *e)
{
    return (uint8_t)(e->tag | scatter(e->link, l->link) | scatter((uint32_t)e->delay_ns, l->delay));
}

static size_t put_together(gw_fuzz_mutator *u, const gw_sequence *s, size_t cap)
{
    size_t len = u->layout->head;

    for (size_t i = 0; i < s->num; i++) {
        const gw_sequence_event *e = &s->events[i];
        if (e->len > UINT16_MAX || len + PIECE_HEAD + e->len > cap)
            break;
        u->out[len++] = choice_of(u->layout, e);
        u->out[len++] = (uint8_t)(e->len >> 8);
        u->out[len++] = (uint8_t)e->len;
        if (e->len > 0)
            memcpy(u->out + len, e->data, e->len);
        len += e->len;
    }
    return len;
}

/* How long |e| may become, for all of |s| to fit into |cap| bytes. */
static size_t room_for(const gw_fuzz_layout *l, const gw_sequence *s, const gw_sequence_event *e,
                       size_t cap)
{
    size_t others = l->head + s->num * PIECE_HEAD;

    for (size_t i = 0; i < s->num; i++)
        others += &s->events[i] != e ? s->events[i].len : 0;
    size_t room = cap > others ? cap - others : 0;
    return room < UINT16_MAX ? room : UINT16_MAX;
}

static bool mutate_event(gw_fuzz_mutator *u, gw_sequence *s, const gw_sequence *other, size_t cap)
{
    gw_sequence_event *e = &s->events[gw_random_below(&u->random, (uint32_t)s->num)];
    const gw_sequence *from = other->num > 0 ? other : s;
    const gw_sequence_event *donor =
        &from->events[gw_random_below(&u->random, (uint32_t)from->num)];
    uint8_t choice = choice_of(u->layout, e);
    gw_message m = gw_fuzz_any_message(u->layout, u->out, choice, e->data, e->len);
    gw_message d = gw_fuzz_any_message(u->layout, u->out, choice, donor->data, donor->len);
    size_t len = mutate_message(u, choice, &m, d.len > 0 ? &d : NULL, u->piece,
                                room_for(u->layout, s, e, cap));

    if (len == 0)
        return false;
    e->data = u->piece;
    e->len = (uint32_t)len;
    return true;
}

/* One message, the sequence, or both. An input without pieces gets one. */
static size_t mutate_sequence(gw_fuzz_mutator *u, gw_cursor in, gw_cursor other, size_t cap)
{
    gw_sequence_event events[EVENTS], others[EVENTS];
    gw_sequence s = take_apart(u->layout, in, events);
    gw_sequence o = take_apart(u->layout, other, others);
    uint32_t what = gw_random_below(&u->random, 4);
    bool done = false;

    if (s.num == 0)
        events[s.num++] = (gw_sequence_event){.data = u->piece};
    if (what <= 2)
        done = mutate_event(u, &s, &o, cap);
    if (what >= 2) {
        gw_sequence_edit edit = gw_sequence_mutate(&s, o.num > 0 ? &o : NULL, &u->random);
        gw_fuzz_tell(u, gw_sequence_edit_name(edit));
        done |= edit != GW_NUM_SEQUENCE_EDITS;
    }
    return done ? put_together(u, &s, cap) : 0;
}

/* What is behind the head; nothing of an input that has no more. */
static gw_cursor behind_head(const gw_fuzz_layout *l, const uint8_t *data, size_t len)
{
    gw_cursor c = gw_cursor_over(data, len);

    if (!gw_cursor_skip(&c, l->head))
        c = gw_cursor_over(NULL, 0);
    return c;
}

bool gw_fuzz_mutator_init(gw_fuzz_mutator *mutator, const char *target, uint64_t seed)
{
    mutator->layout = gw_fuzz_layout_of(target);
    mutator->format = mutator->layout != NULL ? format_of(mutator->layout) : NULL;
    mutator->random.state = seed;
    return mutator->layout != NULL || strcmp(target, "capture") == 0;
}

size_t gw_fuzz_mutate(gw_fuzz_mutator *mutator, const uint8_t *data, size_t len,
                      const uint8_t *other, size_t other_len, size_t cap)
{
    const gw_fuzz_layout *l = mutator->layout;

    mutator->did[0] = '\0';
    cap = cap < sizeof mutator->out ? cap : sizeof mutator->out;
    if (l == NULL)
        return gw_fuzz_mutate_capture(mutator, data, len, other, other_len, cap);
    if (cap < l->head || len > sizeof mutator->out)
        return 0;
    put_head(mutator, data, len);
    gw_cursor in = behind_head(l, data, len), from = behind_head(l, other, other_len);
    return l->sequence ? mutate_sequence(mutator, in, from, cap)
                       : mutate_single(mutator, in, from, cap);
}

static void mend_message(const gw_fuzz_layout *l, const uint8_t *head, uint8_t choice,
                         uint8_t *bytes, size_t len)
{
    gw_message m = gw_fuzz_any_message(l, head, choice, bytes, len);
    gw_check_leaf stale[GW_MEND_MAX];
    const gw_format *format = l->format != NULL ? format_of(l) : any_format(l, head, choice, &m);

    if (format != NULL)
        gw_mend_apply(bytes, len, stale,
                      gw_mend_find(stale, format, &m, dialect_of(l, format, head)));
}

void gw_fuzz_mend(const gw_fuzz_layout *layout, uint8_t *data, size_t len)
{
    gw_cursor in, piece;
    uint8_t choice;

    if (layout == NULL || gw_crc32c(NULL, 0, data, len) % 8 == 0)
        return;
    in = behind_head(layout, data, len);
    if (!layout->sequence && gw_cursor_left(&in) > 0)
        mend_message(layout, data, 0, data + layout->head, len - layout->head);
    while (layout->sequence && gw_fuzz_piece(&in, &choice, &piece)) {
        size_t at = (size_t)(piece.p - data);
        mend_message(layout, data, choice, data + at, gw_cursor_left(&piece));
    }
}

/* A whole piece of a sequence goes first; messages are trimmed where there is one. */
static size_t trim_sequence(gw_fuzz_mutator *u, gw_cursor in, uint32_t which)
{
    gw_sequence_event events[EVENTS];
    gw_sequence s = take_apart(u->layout, in, events);

    if (which >= s.num || s.num < 2)
        return 0;
    memmove(&events[which], &events[which + 1], (s.num - which - 1) * sizeof events[0]);
    s.num--;
    return put_together(u, &s, sizeof u->out);
}

size_t gw_fuzz_trim(gw_fuzz_mutator *mutator, const uint8_t *data, size_t len, uint32_t piece)
{
    const gw_fuzz_layout *l = mutator->layout;

    if (l == NULL || len < l->head || len > sizeof mutator->out)
        return 0;
    memcpy(mutator->out, data, l->head);
    gw_cursor in = behind_head(l, data, len);
    if (l->sequence)
        return trim_sequence(mutator, in, piece);
    gw_message m = gw_fuzz_message(l, data, 0, in.p, gw_cursor_left(&in));
    const gw_format *format = mutator->format;
    size_t left = gw_mutate_trim(format, dialect_of(l, format, data), &m, piece,
                                 mutator->out + l->head, sizeof mutator->out - l->head);
    return left > 0 ? l->head + left : 0;
}
