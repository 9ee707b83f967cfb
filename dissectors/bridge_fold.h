/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Flags, and what re-reads bits of a field, in a subtree of their own with one line that says which
 * are set. */
#ifndef DISSECTORS_BRIDGE_FOLD_H
#define DISSECTORS_BRIDGE_FOLD_H

#include "bridge.h"
#include "goldwire/text.h"

#define GW_WS_FOLD_NAMES 256

/* gw_ws_fold is the subtree that is open among the fields of one container. It begins as zeros. */
typedef struct gw_ws_fold {
    proto_item *item;      /* whose subtree it is; NULL: none is open */
    proto_tree *tree;      /* NULL until something goes there */
    const gw_field *first; /* the field that is re-read, or the first of a run of flags ... */
    const gw_field *end;   /* ... and what follows the last one; NULL: no run */
    gw_text names;         /* of the flags that are set */
    char names_buf[GW_WS_FOLD_NAMES];
} gw_ws_fold;

/* gw_ws_fold_place returns the tree that |item|, which stands at byte |start| of |place|'s data,
 * goes to: |tree|, or a subtree of it. */
proto_tree *gw_ws_fold_place(gw_ws_fold *f, const gw_ws_bridge *bridge, const gw_ws_place *place,
                             proto_tree *tree, const gw_item *item, int start);

/* gw_ws_fold_note takes note that |item| is shown as |added|. */
void gw_ws_fold_note(gw_ws_fold *f, const gw_item *item, proto_item *added);

/* gw_ws_fold_close says in the subtree's line which flags are set, and forgets it. */
void gw_ws_fold_close(gw_ws_fold *f);

#endif
