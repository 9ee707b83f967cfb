/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folding flags. */
#include "bridge_fold.h"

#include <string.h>

#define FLAGS_MIN 3 /* that follow each other; fewer stand in one line each as well */

/* What follows the last of the flags that begin with |field|; NULL when they are too few. */
static const gw_field *end_of_flags(const gw_field *field)
{
    const gw_field *f = field;
    const gw_field *all = field->group->fields + field->group->num_fields;

    while (f < all && f->type == GW_BOOL && !f->view)
        f++;
    return f - field >= FLAGS_MIN ? f : NULL;
}

static bool is_reread(const gw_ws_fold *f, const gw_field *view)
{
    return view->view && !view->derived && f->first != NULL && f->end == NULL &&
           view->group == f->first->group && view->first >= f->first->first &&
           view->last <= f->first->last;
}

static void open_fold(gw_ws_fold *f, const gw_field *first, const gw_field *end, proto_item *item)
{
    f->item = item;
    f->tree = NULL;
    f->first = first;
    f->end = end;
    f->names = gw_text_over(f->names_buf, sizeof f->names_buf);
}

proto_tree *gw_ws_fold_place(gw_ws_fold *f, const gw_ws_bridge *bridge, const gw_ws_place *place,
                             proto_tree *tree, const gw_item *item, int start)
{
    const gw_field *field = item->field;

    if (is_reread(f, field)) {
        if (f->tree == NULL)
            f->tree = proto_item_add_subtree(f->item, bridge->ett_fold);
        return f->tree;
    }
    if (f->end != NULL && field > f->first && field < f->end)
        return f->tree;
    gw_ws_fold_close(f);
    const gw_field *end = end_of_flags(field);
    if (end == NULL)
        return tree;
    proto_item *flags;
    int len = end[-1].byte + end[-1].num_bytes - field->byte;
    proto_tree *subtree =
        proto_tree_add_subtree(tree, place->tvb, start, len, bridge->ett_fold, &flags, "Flags");
    open_fold(f, field, end, flags);
    f->tree = subtree;
    return subtree;
}

/* The document's own abbreviation, which ends the label in parentheses, or else the label up to
 * any: "No reads (NR)" is NR, "Echo (assumed)" Echo. */
static void put_name(gw_text *t, const char *label)
{
    const char *open = strrchr(label, '(');
    char name[GW_WS_FOLD_NAMES];
    gw_text text = gw_text_over(name, sizeof name);

    gw_text_str(&text, label);
    if (open > label && g_ascii_isupper(open[1])) {
        gw_text_str(t, open + 1);
        t->buf[--t->len] = '\0'; /* the parenthesis */
        return;
    }
    if (open > label)
        name[open - label - 1] = '\0';
    gw_text_str(t, name);
}

void gw_ws_fold_note(gw_ws_fold *f, const gw_item *item, proto_item *added)
{
    const gw_field *field = item->field;

    if (field->type == GW_BOOL && f->first != NULL && !field->derived) {
        if (item->value == 0)
            return;
        gw_text_str(&f->names, f->names.len > 0 ? ", " : "");
        put_name(&f->names, field->label);
        return;
    }
    if (!field->view && field->bits != 0)
        open_fold(f, field, NULL, added);
}

void gw_ws_fold_close(gw_ws_fold *f)
{
    if (f->first == NULL)
        return;
    if (f->end != NULL)
        proto_item_append_text(f->item, ": %s", f->names.len > 0 ? f->names_buf : "none");
    else if (f->names.len > 0 && f->first->values == NULL)
        proto_item_append_text(f->item, " (%s)", f->names_buf);
    f->item = NULL;
    f->first = NULL;
    f->end = NULL;
}
