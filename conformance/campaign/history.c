/* SPDX-License-Identifier: BSD-2-Clause */
/* Notes of what happened when. */
#include "campaign/history.h"

#include <stdio.h>

#define EVERY_NS (GW_SECOND / 10) /* between samples at first */

const char *gw_event_kind_name(gw_event_kind kind)
{
    static const char *const names[GW_NUM_EVENT_KINDS] = {
        [GW_EVENT_ILL] = "ill",
        [GW_EVENT_FOUND] = "found",
        [GW_EVENT_DISMISSED] = "not again",
        [GW_EVENT_EXCUSED] = "excused",
        [GW_EVENT_RECOVERED] = "recovered",
        [GW_EVENT_WELL] = "well",
        [GW_EVENT_OUTAGE] = "outage",
        [GW_EVENT_LOST] = "lost",
    };
    return names[kind];
}

static void thin_out(gw_history *h)
{
    unsigned kept = 0;
    for (unsigned i = 1; i < h->num_samples; i += 2)
        h->samples[kept++] = h->samples[i];
    h->num_samples = kept;
    h->every_ns *= 2;
}

void gw_history_sample(gw_history *h, int64_t at_ns, uint64_t packets)
{
    if (h->every_ns == 0)
        h->every_ns = EVERY_NS;
    if (h->num_samples > 0 && at_ns - h->samples[h->num_samples - 1].at_ns < h->every_ns)
        return;
    if (h->num_samples == GW_HISTORY_SAMPLES)
        thin_out(h);
    h->samples[h->num_samples++] = (gw_sample){.at_ns = at_ns, .packets = packets};
}

void gw_history_note(gw_history *h, int64_t at_ns, uint64_t packets, gw_event_kind kind,
                     const gw_anomaly *anomaly, const char *text)
{
    if (h == NULL)
        return;
    if (h->num_events == GW_HISTORY_EVENTS) {
        h->left_out++;
        return;
    }
    gw_event *e = &h->events[h->num_events++];
    *e = (gw_event){.at_ns = at_ns,
                    .packets = packets,
                    .kind = (uint8_t)kind,
                    .symptom = (uint8_t)(anomaly != NULL ? anomaly->symptom : GW_SYMPTOM_NONE)};
    (void)snprintf(e->text, sizeof(e->text), "%s", text);
}
