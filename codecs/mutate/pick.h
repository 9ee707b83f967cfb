/* SPDX-License-Identifier: BSD-2-Clause */
/* Choosing where to mutate: one of the fields, or of the pieces, that a walk comes by. */
#ifndef MUTATE_PICK_H
#define MUTATE_PICK_H

#include "mutate/internal.h"

/* gw_wants says whether an item will do. |ctx| is the caller's. */
typedef bool (*gw_wants)(const gw_item *item, const void *ctx);

/* gw_pick_item chooses one of the leaves that |wants| takes, each as likely as the others, and
 * returns how many there were; 0, and nothing chosen, when there were none. The item's bytes lie in
 * the edit's. */
uint32_t gw_pick_item(const gw_mutating *m, gw_wants wants, const void *ctx, gw_item *chosen);

/* gw_piece is something that a message may have more or less of: a container, a unit with its
 * padding, a run of bytes, a flat group. */
typedef struct gw_piece {
    const gw_group *group;
    uint32_t start;
    uint32_t end;
} gw_piece;

/* gw_piece_fn receives the pieces of a message, a container behind what it holds. */
typedef void (*gw_piece_fn)(void *ctx, const gw_piece *piece);

/* gw_pieces tells |fn| of all pieces of |message|, of which one byte at the least is there. */
void gw_pieces(const gw_format *format, const gw_dialect *dialect, const gw_message *message,
               gw_piece_fn fn, void *ctx);

/* gw_pick_piece chooses a piece of |message|, of |group| when that is not NULL, and of one of the
 * |shapes|, bits 1 << GW_FLAT and so on. False when there is none. */
GW_MUST_USE bool gw_pick_piece(const gw_mutating *m, const gw_message *message,
                               const gw_group *group, unsigned shapes, gw_piece *chosen);

/* gw_pick_second chooses another piece of |first|'s group behind it. False when there is none. */
GW_MUST_USE bool gw_pick_second(const gw_mutating *m, const gw_message *message,
                                const gw_piece *first, gw_piece *chosen);

#endif
