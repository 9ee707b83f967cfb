/* SPDX-License-Identifier: BSD-2-Clause */
/* Notes about what was lost: the first of each kind in words, the rest counted, so that a hostile
 * capture cannot drown the reader. */
#ifndef INSPECT_NOTES_H
#define INSPECT_NOTES_H

#include "goldwire/base.h"
#include "inspect/pipeline.h"

#define GW_NOTES_EACH 8 /* of a kind are told in words */

typedef enum gw_note_kind {
    GW_NOTE_UNREADABLE = 0, /* cut or malformed below UDP and TCP */
    GW_NOTE_SNAPPED,        /* the capture kept a part of the message */
    GW_NOTE_FRAGMENTS,
    GW_NOTE_GAP,
    GW_NOTE_OVERLAP,
    GW_NOTE_CONNECTION, /* pushed out, or begun before the capture */
    GW_NOTE_STRANGER,   /* on a port or link type of a format, and not its */
    GW_NOTE_KINDS,
} gw_note_kind;

typedef struct gw_notes {
    gw_note_fn fn; /* may be NULL */
    void *ctx;
    uint64_t count[GW_NOTE_KINDS];
} gw_notes;

/* gw_notes_tell passes on a note of |kind| about |frame|, or counts it. */
void gw_notes_tell(gw_notes *notes, gw_note_kind kind, uint64_t frame, const char *format, ...)
    GW_PRINTF(4, 5);

/* gw_notes_end says how many were held back. */
void gw_notes_end(gw_notes *notes);

#endif
