/* SPDX-License-Identifier: BSD-2-Clause */
/* How the input of a fuzz target is laid out: what the target, what mutates for it, and what makes
 * a capture of a crash know. */
#ifndef GOLDWIRE_CRASH_LAYOUT_H
#define GOLDWIRE_CRASH_LAYOUT_H

#include "goldwire/format.h"

/* gw_fuzz_layout is a line of layouts.def. It names its format, so that a target which asks for its
 * layout is not linked with all formats. */
typedef struct gw_fuzz_layout {
    const char *target;
    const char *format;
    uint8_t head;
    uint8_t dialect;
    bool sequence;
    uint8_t link;
    uint8_t delay;
    void (*message)(gw_message *m, const uint8_t *head, uint8_t choice);
} gw_fuzz_layout;

/* The lines' numbers, GW_FUZZ_etherbone_decode and so on. */
enum {
#define GW_LAYOUT(target, ...) GW_FUZZ_##target,
#include "crash/layouts.def"
    GW_FUZZ_NUM_LAYOUTS
};

/* gw_fuzz_layouts holds them. */
extern const gw_fuzz_layout gw_fuzz_layouts[GW_FUZZ_NUM_LAYOUTS];

/* gw_fuzz_layout_of returns the layout of |target|, or NULL. */
const gw_fuzz_layout *gw_fuzz_layout_of(const char *target);

/* gw_fuzz_message returns the message that the |len| bytes at |bytes| are in an input that begins
 * with |head|; |choice| is that of its piece. */
gw_message gw_fuzz_message(const gw_fuzz_layout *layout, const uint8_t *head, uint8_t choice,
                           const uint8_t *bytes, size_t len);

#endif
