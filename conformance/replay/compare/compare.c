/* SPDX-License-Identifier: BSD-2-Clause */
/* Comparing messages field by field, with the kinds of comparison that the tables give. */
#include "replay/compare/compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "goldwire/cursor.h"

#define SHOWN_BYTES 16

/* ---- the leaves of a message ---- */

typedef struct collector {
    gw_sink sink;
    gw_leaves *leaves;
    uint32_t containers; /* opened so far */
} collector;

static bool counts(const gw_field *field)
{
    return !field->view && !field->derived && field->compare != GW_CMP_IGNORED &&
           !field->unsolicited;
}

static bool make_room(gw_leaves *l)
{
    if (l->num < l->cap)
        return true;
    size_t cap = l->cap == 0 ? 256 : 2 * l->cap;
    if (cap > GW_COMPARE_MAX_LEAVES)
        return false;
    gw_leaf *list = realloc(l->list, cap * sizeof(*list));
    if (list == NULL)
        return false;
    l->list = list;
    l->cap = cap;
    return true;
}

static void on_item(gw_sink *sink, const gw_item *item)
{
    const collector *c = (const collector *)sink;
    gw_leaves *l = c->leaves;
    if (!counts(item->field))
        return;
    if (!make_room(l)) {
        l->overflow = true;
        return;
    }
    l->list[l->num++] = (gw_leaf){.field = item->field,
                                  .bytes = item->bytes,
                                  .value = item->value,
                                  .offset = item->offset,
                                  .bits = item->bits,
                                  .index = item->index,
                                  .container = c->containers > 0 ? c->containers - 1 : 0};
}

static void on_open(gw_sink *sink, const gw_group *group, uint32_t index, uint32_t offset)
{
    (void)group;
    (void)index;
    (void)offset;
    ((collector *)sink)->containers++;
}

static void on_close(gw_sink *sink, const gw_group *group, uint32_t end)
{
    (void)sink;
    (void)group;
    (void)end;
}

/* What the capture cut is the last leaf; nothing can be said of it. */
static void collect(gw_leaves *l, const gw_format *format, const gw_dialect *dialect,
                    const gw_message *message)
{
    collector c = {.sink = {.item = on_item, .open = on_open, .close = on_close}, .leaves = l};
    l->num = 0;
    l->overflow = false;
    gw_error error = format->walk(message, dialect, &c.sink);
    l->capture_cut = error.kind == GW_TRUNCATED && error.capture_cut;
    if (l->capture_cut && l->num > 0 && l->list[l->num - 1].field->use == GW_UNDECODED)
        l->num--;
}

void gw_comparer_free(gw_comparer *c)
{
    free(c->expected.list);
    free(c->got.list);
    free(c->asked.list);
    free(c->asked_now.list);
    memset(c, 0, sizeof(*c));
}

/* ---- echoes ---- */

/* A port and an IPv4 address in one number, as boards with an Ethernet port write them. */
static bool as_number(const gw_endpoint *end, uint64_t *value)
{
    *value = (uint64_t)end->port << 32 | gw_load_be32(end->ip);
    return end->family == GW_FAMILY_IPV4;
}

static bool same_leaf(const gw_leaf *a, const gw_leaf *b)
{
    return (a->field == b->field || strcmp(a->field->name, b->field->name) == 0) &&
           a->bits == b->bits && a->index == b->index;
}

/* The leaf of the request that |leaf| repeats: one of its own name, else one that relates. */
static size_t find_asked(const gw_leaves *asked, const gw_leaf *leaf)
{
    size_t found = asked->num;
    for (size_t i = 0; i < asked->num; i++) {
        const gw_leaf *a = &asked->list[i];
        if (a->field->type == GW_BYTES || a->value != leaf->value)
            continue;
        if (strcmp(a->field->name, leaf->field->name) == 0)
            return i;
        bool relates = a->field->compare == GW_CMP_ECHO || a->field->compare == GW_CMP_VOLATILE;
        if (found == asked->num && relates && a->bits == leaf->bits)
            found = i;
    }
    return found;
}

/* Puts into |value| what the recorded |leaf| has to be now. False when it is free. */
static bool echo_now(const gw_comparer *c, const gw_leaf *leaf, const gw_related *r,
                     uint64_t *value)
{
    *value = leaf->value;
    for (unsigned side = 0; side < 2 && leaf->field->bits == 48; side++) {
        uint64_t then;
        uint64_t now;
        if (as_number(&r->then[side], &then) && then == leaf->value &&
            as_number(&r->now[side], &now)) {
            *value = now;
            return true;
        }
    }
    gw_named_how how =
        r->named != NULL ? r->named(r->ctx, r, &c->expected, leaf, value) : GW_NAMED_NOT;
    if (how != GW_NAMED_NOT)
        return how == GW_NAMED;
    if (r->asked == NULL)
        return !r->is_free;
    size_t i = find_asked(&c->asked, leaf);
    if (i < c->asked.num && i < c->asked_now.num &&
        same_leaf(&c->asked.list[i], &c->asked_now.list[i]))
        *value = c->asked_now.list[i].value;
    return true;
}

static bool moved(const gw_leaf *leaf, const gw_related *r, uint64_t *value)
{
    *value = leaf->value;
    return r->moved != NULL && leaf->field->type != GW_BYTES && r->moved(r->ctx, r, leaf, value);
}

static void collect_asked(gw_comparer *c, const gw_format *format, const gw_dialect *dialect,
                          const gw_related *r)
{
    c->asked.num = 0;
    c->asked_now.num = 0;
    /* What was sent as it stands in the trace is repeated as it stands there. */
    if (r->asked == NULL || (r->asked->cap_len == r->asked_now->cap_len &&
                             memcmp(r->asked->data, r->asked_now->data, r->asked->cap_len) == 0))
        return;
    collect(&c->asked, format, dialect, r->asked);
    collect(&c->asked_now, format, dialect, r->asked_now);
}

bool gw_rebind(gw_comparer *c, const gw_format *format, const gw_dialect *dialect,
               const gw_message *message, const gw_related *related, uint8_t *bytes)
{
    bool changed = false;
    collect(&c->expected, format, dialect, message);
    collect_asked(c, format, dialect, related);
    for (size_t i = 0; i < c->expected.num; i++) {
        const gw_leaf *leaf = &c->expected.list[i];
        uint64_t value;
        if (leaf->field->type == GW_BYTES ||
            (!moved(leaf, related, &value) &&
             (leaf->field->compare != GW_CMP_ECHO || !echo_now(c, leaf, related, &value) ||
              value == leaf->value)))
            continue;
        gw_item item = {.field = leaf->field,
                        .value = value,
                        .offset = leaf->offset,
                        .bits = leaf->bits,
                        .index = leaf->index};
        changed = gw_emit(bytes, message->cap_len, &item) || changed;
    }
    return changed;
}

/* ---- comparing ---- */

static void show(char *out, size_t cap, const gw_leaf *leaf, uint64_t value, uint32_t from)
{
    if (leaf == NULL) {
        (void)snprintf(out, cap, "nothing");
        return;
    }
    if (leaf->field->type != GW_BYTES) {
        const char *name = gw_field_value_name(leaf->field, value);
        const char *fmt = leaf->field->base == GW_HEX ? "0x%" PRIx64 "%s%s%s" : "%" PRIu64 "%s%s%s";
        (void)snprintf(out, cap, fmt, value, name != NULL ? " (" : "", name != NULL ? name : "",
                       name != NULL ? ")" : "");
        return;
    }
    uint32_t len = leaf->bits / 8;
    int at = snprintf(out, cap, "%" PRIu32 " bytes, from %" PRIu32 " on", len, from);
    for (uint32_t i = from; i < len && i < from + SHOWN_BYTES && at > 0 && (size_t)at < cap; i++)
        at += snprintf(out + at, cap - (size_t)at, " %02x", leaf->bytes[i]);
}

/* A walk that stops caring behind leaf number |number|, whose path it notes. */
typedef struct path_finder {
    gw_sink sink;
    gw_path path;
    size_t number;
    size_t seen;
    char *out;
} path_finder;

static void path_item(gw_sink *sink, const gw_item *item)
{
    path_finder *f = (path_finder *)sink;
    if (counts(item->field) && f->seen++ == f->number)
        (void)snprintf(f->out, GW_PATH_MAX, "%s", gw_path_of(&f->path, item));
}

static void path_open(gw_sink *sink, const gw_group *group, uint32_t index, uint32_t offset)
{
    (void)offset;
    gw_path_open(&((path_finder *)sink)->path, group, index);
}

static void path_close(gw_sink *sink, const gw_group *group, uint32_t end)
{
    (void)group;
    (void)end;
    gw_path_close(&((path_finder *)sink)->path);
}

static void find_path(gw_difference *out, const gw_format *format, const gw_dialect *dialect,
                      const gw_message *message, size_t number)
{
    path_finder f = {.sink = {.item = path_item, .open = path_open, .close = path_close},
                     .number = number,
                     .out = out->path};
    gw_path_init(&f.path, format->name);
    (void)format->walk(message, dialect, &f.sink);
}

/* The first byte in which two strings differ; the shorter one's length when it begins the other. */
static uint32_t first_byte(const gw_leaf *a, const gw_leaf *b)
{
    uint32_t len = (a->bits < b->bits ? a->bits : b->bits) / 8;
    uint32_t i = 0;
    while (i < len && a->bytes[i] == b->bytes[i])
        i++;
    return i;
}

/* Whether |have| has gone on as |want| did, if it counts; else |otherwise|. */
static bool counted(const gw_leaf *want, const gw_leaf *have, const gw_related *related,
                    bool otherwise, uint64_t *expected)
{
    if (related->counts == NULL)
        return otherwise;
    switch (related->counts(related->ctx, related, want, have, expected)) {
    case GW_COUNTS_ON:
        return true;
    case GW_COUNTS_WRONG:
        return false;
    case GW_COUNTS_NOT:
        break;
    }
    return otherwise;
}

static bool equal_leaf(const gw_comparer *c, const gw_leaf *want, const gw_leaf *have,
                       const gw_related *related, uint64_t *expected)
{
    if (moved(want, related, expected))
        return *expected == have->value;
    switch ((gw_compare)want->field->compare) {
    case GW_CMP_ECHO:
        if (want->field->type != GW_BYTES)
            return !echo_now(c, want, related, expected) || *expected == have->value;
        break;
    case GW_CMP_VOLATILE:
        return want->bits == have->bits && counted(want, have, related, true, expected);
    case GW_CMP_IGNORED:
        return true;
    case GW_CMP_EXACT:
        break;
    }
    bool equal =
        want->field->type != GW_BYTES
            ? want->value == have->value
            : want->bits == have->bits && memcmp(want->bytes, have->bytes, want->bits / 8) == 0;
    if (want->field->type == GW_BYTES && want->bits != have->bits)
        return false;
    return counted(want, have, related, equal, expected);
}

static void fill(gw_difference *out, const gw_leaf *want, const gw_leaf *have, uint64_t expected,
                 uint32_t end)
{
    bool same = want != NULL && have != NULL && strcmp(want->field->name, have->field->name) == 0;
    uint32_t from = same && want->field->type == GW_BYTES ? first_byte(want, have) : 0;
    out->kind = same ? GW_DIFFERS : want != NULL ? GW_LACKS : GW_EXCEEDS;
    out->field = want != NULL ? want->field : have != NULL ? have->field : NULL;
    out->offset = (have != NULL ? have->offset : end) + from;
    out->expected = want != NULL ? expected : 0;
    out->got = have != NULL && (same || want == NULL) ? have->value : 0;
    show(out->expected_text, sizeof(out->expected_text), want, expected, from);
    if (have != NULL && !same && want != NULL)
        (void)snprintf(out->got_text, sizeof(out->got_text), "%s", have->field->name);
    else
        show(out->got_text, sizeof(out->got_text), have, have != NULL ? have->value : 0, from);
}

bool gw_compare_messages(gw_comparer *c, const gw_format *format, const gw_dialect *dialect,
                         const gw_message *expected, const gw_message *got,
                         const gw_related *related, gw_difference *out)
{
    memset(out, 0, sizeof(*out));
    collect(&c->expected, format, dialect, expected);
    collect(&c->got, format, dialect, got);
    collect_asked(c, format, dialect, related);
    if (c->expected.overflow || c->got.overflow) {
        out->kind = GW_TOO_BIG;
        return false;
    }
    size_t most = c->expected.num > c->got.num ? c->expected.num : c->got.num;
    if (c->expected.capture_cut)
        most = c->expected.num;
    for (size_t i = 0; i < most; i++) {
        const gw_leaf *want = i < c->expected.num ? &c->expected.list[i] : NULL;
        const gw_leaf *have = i < c->got.num ? &c->got.list[i] : NULL;
        uint64_t value = want != NULL ? want->value : 0;
        bool placed = want != NULL && have != NULL &&
                      strcmp(want->field->name, have->field->name) == 0 &&
                      (want->field->type == GW_BYTES || want->bits == have->bits);
        if (placed && equal_leaf(c, want, have, related, &value))
            continue;
        fill(out, want, have, value, got->cap_len);
        if (want != NULL)
            find_path(out, format, dialect, expected, i);
        else
            find_path(out, format, dialect, got, i);
        return false;
    }
    return true;
}
