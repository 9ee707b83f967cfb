/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The walk's sink that builds Wireshark's tree, and the findings beside it. */
#include "bridge.h"

#include <inttypes.h>
#include <stdio.h>

#include <epan/wmem_scopes.h>

#include "bridge_fold.h"
#include "goldwire/text.h"
#include "registers.h"

#define MAX_DEPTH 8
#define MAX_COUNTS 4
#define TITLE_LEN 128

/* A level is an open container. Its title is known when it closes: the flags that were set, and how
 * many members of each indexed group there were. */
typedef struct level {
    proto_tree *tree;
    proto_item *item;
    const char *counted[MAX_COUNTS];
    uint32_t counts[MAX_COUNTS];
    uint32_t offset;
    gw_text flags;
    char flags_buf[TITLE_LEN];
} level;

typedef struct tree_sink {
    gw_sink base;
    const gw_ws_bridge *bridge;
    const gw_ws_place *place;
    const gw_dialect *dialect;
    gw_ws_finding *findings;
    proto_item *undecoded; /* the item of the bytes that nothing decoded */
    proto_item *container; /* the container that closed last, and where it began */
    uint32_t container_offset;
    gw_ws_fold fold;
    const gw_group *group; /* of the last item, and its place in bridge->hf */
    const int *hf;
    unsigned depth;
    bool visible; /* somebody reads the texts, not only the values */
    level levels[MAX_DEPTH];
} tree_sink;

static level *top(tree_sink *s)
{
    return &s->levels[s->depth < MAX_DEPTH ? s->depth : MAX_DEPTH - 1];
}

static void level_init(level *l, proto_tree *tree, proto_item *item, uint32_t offset)
{
    l->tree = tree;
    l->item = item;
    l->offset = offset;
    l->counted[0] = NULL;
    l->flags = gw_text_over(l->flags_buf, sizeof l->flags_buf);
}

static void count_member(level *l, const gw_item *item)
{
    for (unsigned i = 0; i < MAX_COUNTS; i++) {
        if (l->counted[i] == NULL) {
            l->counted[i] = item->field->group->segment;
            l->counts[i] = 0;
            if (i + 1 < MAX_COUNTS)
                l->counted[i + 1] = NULL;
        }
        if (l->counted[i] == item->field->group->segment) {
            l->counts[i] = item->index + 1;
            return;
        }
    }
}

static void note_for_title(level *l, const gw_item *item)
{
    const gw_field *field = item->field;

    if (field->use != GW_DATA || field->view)
        return;
    if (field->type == GW_BOOL && item->value != 0) {
        const char *key = gw_field_key(field);
        char name[32];
        size_t n = 0;
        for (; key[n] != '\0' && n < sizeof name - 1; n++)
            name[n] = g_ascii_toupper(key[n]);
        name[n] = '\0';
        gw_text_str(&l->flags, " ");
        gw_text_str(&l->flags, name);
    }
    if (field->group->indexed)
        count_member(l, item);
}

static const int *hf_of(tree_sink *s, const gw_field *field)
{
    if (field->group != s->group) {
        int g = gw_ws_bridge_group(s->bridge, field->group);
        if (g < 0)
            return NULL;
        s->group = field->group;
        s->hf = &s->bridge->hf[s->bridge->first[g]];
    }
    return &s->hf[field - field->group->fields];
}

/* A number whose width only the walk knows is shown with as many digits as it has. */
static proto_item *add_wide(const tree_sink *s, proto_tree *tree, int hf, const gw_item *item,
                            int start, int len)
{
    const gw_field *field = item->field;
    int digits = (int)((item->bits + 3) / 4);

    if (!s->visible)
        return proto_tree_add_uint64(tree, hf, s->place->tvb, start, len, item->value);
    if (field->group->indexed)
        return proto_tree_add_uint64_format(tree, hf, s->place->tvb, start, len, item->value,
                                            "%s [%u]: 0x%0*" PRIx64, field->label, item->index,
                                            digits, item->value);
    return proto_tree_add_uint64_format_value(tree, hf, s->place->tvb, start, len, item->value,
                                              "0x%0*" PRIx64, digits, item->value);
}

static proto_item *add_fixed(const tree_sink *s, proto_tree *tree, int hf, const gw_item *item,
                             int start)
{
    const gw_field *field = item->field;
    uint64_t word = item->value << field->shift; /* Wireshark shifts a masked field back itself */
    size_t first;
    int len = (int)gw_field_span(field, &first);

    if (field->type == GW_BOOL)
        return proto_tree_add_boolean(tree, hf, s->place->tvb, start, len, (uint32_t)word);
    if (field->base == GW_IPV4)
        return proto_tree_add_ipv4(tree, hf, s->place->tvb, start, len,
                                   g_htonl((uint32_t)item->value));
    switch (proto_registrar_get_ftype(hf)) {
    case FT_UINT8:
    case FT_UINT16:
    case FT_UINT24:
    case FT_UINT32:
        return proto_tree_add_uint(tree, hf, s->place->tvb, start, len, (uint32_t)word);
    default:
        return proto_tree_add_uint64(tree, hf, s->place->tvb, start, len, word);
    }
}

/* What was computed belongs to no bytes. */
static proto_item *add_derived(const tree_sink *s, proto_tree *tree, int hf, const gw_item *item,
                               int start)
{
    proto_item *added;

    if (item->field->type == GW_BYTES)
        added = proto_tree_add_bytes_with_length(tree, hf, s->place->tvb, start, 0, item->bytes,
                                                 (int)(item->bits / 8));
    else if (item->field->type == GW_BOOL)
        added = proto_tree_add_boolean(tree, hf, s->place->tvb, start, 0, (uint32_t)item->value);
    else if (item->field->base == GW_HEX && item->field->values == NULL)
        added = proto_tree_add_uint64_format_value(tree, hf, s->place->tvb, start, 0, item->value,
                                                   "0x%" PRIx64, item->value);
    else
        added = proto_tree_add_uint64(tree, hf, s->place->tvb, start, 0, item->value);
    proto_item_set_generated(added);
    return added;
}

static proto_item *add_item(tree_sink *s, proto_tree *tree, int hf, const gw_item *item)
{
    int start = (int)(s->place->offset + item->offset);
    int len = (int)((item->bits + 7) / 8);

    if (item->field->derived)
        return add_derived(s, tree, hf, item, start);
    if (item->field->type == GW_BYTES)
        return proto_tree_add_bytes_with_length(tree, hf, s->place->tvb, start, len, item->bytes,
                                                len);
    if (item->field->bits == 0)
        return add_wide(s, tree, hf, item, start, len);
    return add_fixed(s, tree, hf, item, start);
}

/* The first departure that a message is told of ends its text in the column Info. */
static void tell_column(const gw_ws_bridge *bridge, packet_info *pinfo, const gw_rule *rule,
                        const char *text)
{
    if ((*bridge->told)++ == 0)
        col_append_fstr(pinfo->cinfo, COL_INFO, " [%s %s: %s]", rule->id,
                        gw_level_name(rule->level), text);
}

/* The column names the first of |findings| as they were found, as `goldwire decode --brief' does,
 * and not the first in the tree: whether somebody looks at that must not change the column. */
static void tell_first(const gw_ws_bridge *bridge, packet_info *pinfo, const gw_dialect *dialect,
                       const gw_ws_finding *findings)
{
    const gw_ws_finding *f = findings;

    while (f != NULL && gw_dialect_knows(dialect, f->rule, NULL, f->text) != NULL)
        f = f->next;
    if (f != NULL)
        tell_column(bridge, pinfo, f->rule, f->text);
}

static void show_finding(const gw_ws_bridge *bridge, packet_info *pinfo, proto_item *item,
                         const gw_dialect *dialect, gw_ws_finding *finding)
{
    gw_ws_bridge_expert(bridge, pinfo, item, finding->rule, dialect, finding->text);
    finding->shown = true;
}

static void tree_item(gw_sink *sink, const gw_item *item)
{
    tree_sink *s = (tree_sink *)sink;
    level *l = top(s);
    const int *hf = hf_of(s, item->field);

    if (hf == NULL)
        return;
    proto_tree *tree = l->tree;
    if (s->visible)
        tree = gw_ws_fold_place(&s->fold, s->bridge, s->place, tree, item,
                                (int)(s->place->offset + item->offset));
    proto_item *added = add_item(s, tree, *hf, item);
    if (item->field->use == GW_UNDECODED)
        s->undecoded = added;
    if (s->place->registers != NULL)
        gw_ws_registers_item(s->place->registers, s->place, tree, item, added);
    if (s->visible) {
        note_for_title(l, item);
        gw_ws_fold_note(&s->fold, item, added);
    }
    for (gw_ws_finding *f = s->findings; f != NULL; f = f->next) {
        if (!f->shown && f->field == item->field && f->offset == item->offset)
            show_finding(s->bridge, s->place->pinfo, added, s->dialect, f);
    }
}

static void tree_open(gw_sink *sink, const gw_group *group, uint32_t index, uint32_t offset)
{
    tree_sink *s = (tree_sink *)sink;
    proto_tree *parent = top(s)->tree;
    int g = gw_ws_bridge_group(s->bridge, group);
    int start = (int)(s->place->offset + offset);

    gw_ws_fold_close(&s->fold);
    s->depth++;
    if (s->depth >= MAX_DEPTH || g < 0)
        return;
    proto_item *item;
    if (group->indexed)
        item = proto_tree_add_none_format(parent, s->bridge->hf_container[g], s->place->tvb, start,
                                          0, "%s %u", group->label, index);
    else
        item = proto_tree_add_none_format(parent, s->bridge->hf_container[g], s->place->tvb, start,
                                          0, "%s", group->label);
    level_init(top(s), proto_item_add_subtree(item, s->bridge->ett_container[g]), item, offset);
}

/* Whether containers of |format| hold members that can be counted. */
static bool has_members(const gw_format *format)
{
    for (size_t g = 0; g < format->num_groups; g++) {
        if (format->groups[g]->indexed && format->groups[g]->shape != GW_CONTAINER)
            return true;
    }
    return false;
}

static void append_title(const gw_ws_bridge *bridge, level *l)
{
    char title[2 * TITLE_LEN];
    gw_text text = gw_text_over(title, sizeof title);

    gw_text_str(&text, l->flags_buf);
    for (unsigned i = 0; i < MAX_COUNTS && l->counted[i] != NULL; i++) {
        gw_text_str(&text, text.len > 0 ? ", " : " ");
        gw_text_dec(&text, l->counts[i]);
        gw_text_str(&text, " ");
        gw_text_str(&text, l->counted[i]);
        gw_text_str(&text, l->counts[i] == 1 ? "" : "s");
    }
    if (text.len > 0)
        proto_item_append_text(l->item, ":%s", title);
    else if (has_members(bridge->format))
        proto_item_append_text(l->item, ": empty");
}

static void tree_close(gw_sink *sink, const gw_group *group, uint32_t end)
{
    tree_sink *s = (tree_sink *)sink;
    (void)group;

    gw_ws_fold_close(&s->fold);
    if (s->depth < MAX_DEPTH) {
        level *l = top(s);
        proto_item_set_len(l->item, (int)(end - l->offset));
        s->container = l->item;
        s->container_offset = l->offset;
        if (s->visible)
            append_title(s->bridge, l);
    }
    s->depth--;
}

static void null_item(gw_sink *sink, const gw_item *item)
{
    (void)sink;
    (void)item;
}

static void show_error(const gw_ws_bridge *bridge, const gw_ws_place *place, proto_item *item,
                       const gw_error *error)
{
    static const struct {
        gw_ws_kind kind;
        const char *text;
    } kinds[] = {[GW_OK] = {GW_WS_BUG, "No error"},
                 [GW_TRUNCATED] = {GW_WS_TRUNCATED, "Truncated"},
                 [GW_MALFORMED] = {GW_WS_MALFORMED, "Malformed"},
                 [GW_UNSUPPORTED] = {GW_WS_UNSUPPORTED, "Unsupported"},
                 [GW_BUG] = {GW_WS_BUG, "Fault in goldwire"}};
    gw_ws_kind kind = error->capture_cut ? GW_WS_CAPTURE_CUT : kinds[error->kind].kind;
    const char *text = error->capture_cut ? "Cut off by the capture" : kinds[error->kind].text;
    const gw_field *field = error->field;
    expert_field *id = (expert_field *)&bridge->kinds[kind];

    expert_add_info_format(place->pinfo, item, id, "%s: %s at byte %u (%s)", text,
                           field != NULL ? field->label : "?", error->offset,
                           field != NULL ? gw_clause_of(bridge->format, field->clause).text : "?");
}

/* Where an error is shown: at the bytes that were left, or else at the record that lacks some. */
static proto_item *stopped_at(const tree_sink *s, const gw_error *error)
{
    if (s->undecoded != NULL)
        return s->undecoded;
    if (s->container != NULL && error->offset > s->container_offset)
        return s->container;
    return s->place->item;
}

gw_error gw_ws_bridge_show(const gw_ws_bridge *bridge, const gw_ws_place *place,
                           const gw_message *message, const gw_dialect *dialect,
                           gw_ws_finding *findings)
{
    proto_item *stopped = place->item;
    gw_error error;

    tell_first(bridge, place->pinfo, dialect, findings);
    if (place->tree == NULL && bridge->stop != NULL) {
        error = bridge->stop(message, dialect);
    } else if (place->tree == NULL) {
        gw_sink nobody = {.item = null_item};
        error = bridge->format->walk(message, dialect, &nobody);
    } else {
        tree_sink s = {.base = {.item = tree_item, .open = tree_open, .close = tree_close},
                       .bridge = bridge,
                       .place = place,
                       .dialect = dialect,
                       .findings = findings,
                       .visible = PTREE_DATA(place->tree)->visible};
        level_init(&s.levels[0], place->tree, place->item, 0);
        error = bridge->format->walk(message, dialect, &s.base);
        gw_ws_fold_close(&s.fold);
        stopped = stopped_at(&s, &error);
    }
    if (error.kind != GW_OK)
        show_error(bridge, place, stopped, &error);
    for (gw_ws_finding *f = findings; f != NULL; f = f->next) {
        if (!f->shown)
            show_finding(bridge, place->pinfo, place->item, dialect, f);
    }
    return error;
}

void gw_ws_bridge_expert(const gw_ws_bridge *bridge, packet_info *pinfo, proto_item *item,
                         const gw_rule *rule, const gw_dialect *dialect, const char *text)
{
    if (gw_dialect_knows(dialect, rule, NULL, text) != NULL) {
        expert_add_info_format(pinfo, item, (expert_field *)&bridge->kinds[GW_WS_WAIVED],
                               "%s, known of dialect %s: %s", rule->id, dialect->name, text);
        return;
    }
    tell_column(bridge, pinfo, rule, text);
    expert_add_info_format(pinfo, item, &bridge->rules[rule - bridge->format->rules], "%s %s: %s",
                           rule->id, gw_level_name(rule->level), text);
}

/* ---- check ---- */

typedef struct check_sink {
    gw_verdict_sink base;
    packet_info *pinfo;
    gw_ws_finding *first;
    gw_ws_finding **last;
} check_sink;

static void collect(gw_verdict_sink *sink, const gw_finding *finding)
{
    check_sink *s = (check_sink *)sink;
    gw_ws_finding *f = wmem_new0(s->pinfo->pool, gw_ws_finding);

    f->rule = finding->rule;
    f->field = finding->field;
    f->offset = finding->offset;
    f->text = wmem_strdup(s->pinfo->pool, finding->text);
    *s->last = f;
    s->last = &f->next;
}

gw_ws_finding *gw_ws_bridge_check(const gw_ws_bridge *bridge, packet_info *pinfo,
                                  const gw_message *message, const gw_dialect *dialect)
{
    check_sink sink = {.base = {.finding = collect}, .pinfo = pinfo};

    sink.last = &sink.first;
    bridge->format->check(message, dialect, &sink.base);
    return sink.first;
}
