/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings on their way out: who sent the message that each is about, where the capture tells, and
 * those that say the same once. */
#ifndef CLI_FINDINGS_H
#define CLI_FINDINGS_H

#include "goldwire/rule.h"
#include "inspect/pipeline.h"
#include "inspect/sender.h"

#define GW_FINDINGS_FRAMES 65536 /* whose senders are remembered */
#define GW_FINDINGS_HELD 64
#define GW_FINDINGS_TEXT 256

/* gw_held_finding is a finding that waits for others that say the same. */
typedef struct gw_held_finding {
    gw_finding finding; /* its text is |text| */
    uint32_t times;
    uint8_t sender; /* gw_sender */
    char text[GW_FINDINGS_TEXT];
} gw_held_finding;

/* gw_findings holds those of one frame. */
typedef struct gw_findings {
    void (*print)(void *ctx, const gw_held_finding *held);
    void *ctx;
    uint64_t frame; /* being read */
    size_t num;
    gw_held_finding held[GW_FINDINGS_HELD];
    struct {
        uint64_t frame;
        uint8_t sender;
    } senders[GW_FINDINGS_FRAMES];
} gw_findings;

/* gw_findings_start begins a capture. Each finding goes to |print| once, in the order of the first
 * of its kind. */
void gw_findings_start(gw_findings *f, void (*print)(void *ctx, const gw_held_finding *held),
                       void *ctx);

/* gw_findings_flush prints what is held. */
void gw_findings_flush(gw_findings *f);

/* gw_findings_sender notes who sent |frame|. */
void gw_findings_sender(gw_findings *f, uint64_t frame, gw_sender sender);

/* gw_findings_frame notes the frame and the sender of the next message. */
static inline void gw_findings_frame(gw_findings *f, uint64_t frame, gw_sender sender)
{
    if (GW_UNLIKELY(f->num > 0) && frame != f->frame)
        gw_findings_flush(f);
    f->frame = frame;
    if (GW_UNLIKELY(sender != GW_SENDER_UNKNOWN))
        gw_findings_sender(f, frame, sender);
}

/* gw_findings_add takes a finding, and returns who sent what it is about. */
gw_sender gw_findings_add(gw_findings *f, const gw_finding *finding);

#endif
