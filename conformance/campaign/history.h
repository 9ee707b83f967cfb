/* SPDX-License-Identifier: BSD-2-Clause */
/* What happened in a campaign, and when: how fast packets went out, and how the board was. */
#ifndef GOLDWIRE_CAMPAIGN_HISTORY_H
#define GOLDWIRE_CAMPAIGN_HISTORY_H

#include "campaign/watch.h"

#define GW_HISTORY_SAMPLES 240u
#define GW_HISTORY_EVENTS 1000u

typedef enum gw_event_kind {
    GW_EVENT_ILL = 0,   /* the board is not well */
    GW_EVENT_FOUND,     /* that was brought about again: a finding */
    GW_EVENT_DISMISSED, /* it did not show again */
    GW_EVENT_EXCUSED,   /* it shows without any packet, or is the board's good right */
    GW_EVENT_RECOVERED, /* the board was brought back */
    GW_EVENT_WELL,      /* the board is well again, and the campaign goes on */
    GW_EVENT_OUTAGE,    /* the path is broken on our side */
    GW_EVENT_LOST,      /* the campaign ends early */
    GW_NUM_EVENT_KINDS,
} gw_event_kind;

/* gw_event_kind_name returns "ill", "found" ... */
const char *gw_event_kind_name(gw_event_kind kind);

/* gw_event is one of them. */
typedef struct gw_event {
    int64_t at_ns; /* since the campaign began */
    uint64_t packets;
    uint8_t kind;    /* gw_event_kind */
    uint8_t symptom; /* gw_symptom */
    char text[200];  /* for people */
} gw_event;

/* gw_sample is how many packets had been sent at some time. */
typedef struct gw_sample {
    int64_t at_ns;
    uint64_t packets;
} gw_sample;

/* gw_history is all of it, in bounded memory: samples thin out as time goes by, and of events the
 * first ones are kept. All zeros: nothing happened. */
typedef struct gw_history {
    gw_sample samples[GW_HISTORY_SAMPLES];
    unsigned num_samples;
    int64_t every_ns; /* between samples */
    gw_event events[GW_HISTORY_EVENTS];
    unsigned num_events;
    unsigned left_out; /* events for which there was no room */
} gw_history;

/* gw_history_sample notes that |packets| had been sent at |at_ns|. */
void gw_history_sample(gw_history *history, int64_t at_ns, uint64_t packets);

/* gw_history_note notes that something happened; a NULL |history| is allowed. */
void gw_history_note(gw_history *history, int64_t at_ns, uint64_t packets, gw_event_kind kind,
                     const gw_anomaly *anomaly, const char *text);

#endif
