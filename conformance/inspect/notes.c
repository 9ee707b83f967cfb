/* SPDX-License-Identifier: BSD-2-Clause */
/* Notes about what was lost. */
#include "inspect/notes.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

static const char *const held_back[GW_NOTE_KINDS] = {
    [GW_NOTE_UNREADABLE] = "frames that cannot be read",
    [GW_NOTE_SNAPPED] = "messages that the capture cut",
    [GW_NOTE_FRAGMENTS] = "notes on IP fragments",
    [GW_NOTE_GAP] = "gaps in TCP streams",
    [GW_NOTE_OVERLAP] = "TCP retransmissions that differ",
    [GW_NOTE_CONNECTION] = "notes on TCP connections",
    [GW_NOTE_STRANGER] = "messages that only the port or link type speaks for",
};

void gw_notes_tell(gw_notes *notes, gw_note_kind kind, uint64_t frame, const char *format, ...)
{
    char text[320];
    va_list args;

    if (notes->count[kind]++ >= GW_NOTES_EACH || notes->fn == NULL)
        return;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    notes->fn(notes->ctx, frame, text);
}

void gw_notes_end(gw_notes *notes)
{
    char text[160];

    for (unsigned kind = 0; kind < GW_NOTE_KINDS && notes->fn != NULL; kind++) {
        if (notes->count[kind] <= GW_NOTES_EACH)
            continue;
        snprintf(text, sizeof text, "%" PRIu64 " more %s", notes->count[kind] - GW_NOTES_EACH,
                 held_back[kind]);
        notes->fn(notes->ctx, 0, text);
    }
}
