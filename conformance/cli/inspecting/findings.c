/* SPDX-License-Identifier: BSD-2-Clause */
/* Findings on their way out. A packet of many records, or a segment of many packets, may break one
 * rule in the same way in each. */
#include "cli/inspecting/findings.h"

#include <stdio.h>
#include <string.h>

void gw_findings_start(gw_findings *f, void (*print)(void *ctx, const gw_held_finding *held),
                       void *ctx)
{
    memset(f, 0, sizeof *f);
    f->print = print;
    f->ctx = ctx;
}

void gw_findings_flush(gw_findings *f)
{
    for (size_t i = 0; i < f->num; i++)
        f->print(f->ctx, &f->held[i]);
    f->num = 0;
}

void gw_findings_sender(gw_findings *f, uint64_t frame, gw_sender sender)
{
    size_t place = frame % GW_FINDINGS_FRAMES;

    f->senders[place].frame = frame;
    f->senders[place].sender = (uint8_t)sender;
}

static gw_sender sender_of(const gw_findings *f, uint64_t frame)
{
    size_t place = frame % GW_FINDINGS_FRAMES;

    return f->senders[place].frame == frame ? (gw_sender)f->senders[place].sender
                                            : GW_SENDER_UNKNOWN;
}

static bool says_the_same(const gw_held_finding *h, const gw_finding *f)
{
    return h->finding.rule == f->rule && h->finding.field == f->field &&
           h->finding.frame == f->frame && h->finding.revealed_by == f->revealed_by &&
           h->finding.offset == f->offset && strcmp(h->text, f->text) == 0;
}

gw_sender gw_findings_add(gw_findings *f, const gw_finding *finding)
{
    gw_sender sender = sender_of(f, finding->frame);

    for (size_t i = 0; i < f->num; i++) {
        if (says_the_same(&f->held[i], finding)) {
            f->held[i].times++;
            return sender;
        }
    }
    if (f->num == GW_FINDINGS_HELD)
        gw_findings_flush(f);
    gw_held_finding *h = &f->held[f->num++];
    h->finding = *finding;
    h->finding.text = h->text;
    h->times = 1;
    h->sender = (uint8_t)sender;
    (void)snprintf(h->text, sizeof h->text, "%s", finding->text);
    return sender;
}
