/* SPDX-License-Identifier: BSD-2-Clause */
/* From captured frames to messages: link layer, IP, fragments, UDP, TCP streams, private link
 * types, and the cut of streams into messages. Memory is taken once and does not grow with the
 * capture.
 *
 * Whatever is lost on the way, or cannot be followed, is told as a note; nothing is guessed. */
#ifndef INSPECT_PIPELINE_H
#define INSPECT_PIPELINE_H

#include "goldwire/announce.h"
#include "goldwire/base.h"
#include "goldwire/format.h"
#include "goldwire/message.h"
#include "goldwire/text.h"
#include "harness/capture.h"
#include "inspect/selection.h"

/* GW_PIPELINE_FORMATS is how many formats there are, for what is kept format by format. */
enum {
#define GW_FORMAT(name) GW_PIPELINE_HAS_##name,
#include "goldwire/formats.def"
    GW_PIPELINE_FORMATS
};

/* gw_pipeline_place returns where |format|, one of gw_formats, stands in them. */
static inline size_t gw_pipeline_place(const gw_format *format)
{
    size_t i = 0;

    while (gw_formats[i] != format)
        i++;
    return i;
}

/* What is followed at a time. More connections push the longest idle one out, which is noted.
 * Fuzzing follows less, to come to the ends of it. */
#ifndef GW_PIPELINE_CONNECTIONS
#define GW_PIPELINE_CONNECTIONS 128
#define GW_PIPELINE_WINDOW 65536
#define GW_PIPELINE_DATAGRAMS 32
#endif
#define GW_PIPELINE_PORTS 16 /* captured interfaces whose frames make a stream */

/* gw_found is one message and how it was found. All pointers are valid during the call. */
typedef struct gw_found {
    const gw_message *message;
    const gw_format *format;
    const gw_dialect *dialect;
    uint32_t lost_before; /* TCP: bytes of this direction missing directly before the message */
    uint8_t tcp_dir;      /* TCP: 0 from the side whose segment was seen first, 1 from the other */
    uint8_t sender;       /* gw_sender */
    bool start_missing;   /* TCP: the start of this direction was not captured */
} gw_found;

typedef void (*gw_found_fn)(void *ctx, const gw_found *found);

/* gw_note_fn receives a note about |frame|; 0 when it is about none in particular. */
typedef void (*gw_note_fn)(void *ctx, uint64_t frame, const char *text);

/* gw_pipeline_counts says where the frames went. */
typedef struct gw_pipeline_counts {
    uint64_t frames;
    uint64_t messages;
    uint64_t not_ip;        /* other EtherTypes */
    uint64_t other_ip;      /* IP, neither UDP nor TCP */
    uint64_t unknown_link;  /* link types without a parser */
    uint64_t private_links; /* of these, link types that anybody may use */
    uint64_t unreadable;    /* cut or malformed below UDP and TCP */
    uint64_t unknown_ports; /* UDP and TCP that no format was chosen for */
    uint64_t foreign;       /* messages of InfiniBand that no session introduced */
    uint64_t strangers;     /* on a port or link type of a format, and not its by what they hold */
    uint64_t fragments;     /* IP fragments, whatever became of them */
} gw_pipeline_counts;

typedef struct gw_pipeline gw_pipeline;

/* gw_pipeline_new prepares for one capture. |selection| outlives the pipeline; |note| may be NULL.
 * NULL when memory is short. */
gw_pipeline *gw_pipeline_new(const gw_selection *selection, gw_found_fn found, gw_note_fn note,
                             void *ctx);

/* gw_arp_fn receives an ARP packet, as gw_session_ops' arp does. */
typedef void (*gw_arp_fn)(void *ctx, const gw_message *message);

/* gw_pipeline_arp asks for ARP packets as well; they count as not IP all the same. */
void gw_pipeline_arp(gw_pipeline *p, gw_arp_fn arp);

/* gw_pipeline_frame takes the next frame. */
void gw_pipeline_frame(gw_pipeline *p, const gw_frame *frame);

/* gw_pipeline_end tells that the capture is over: what waits for more bytes is handed over as it
 * is, and notes that were held back are summed up. */
void gw_pipeline_end(gw_pipeline *p);

/* gw_pipeline_count returns the counts so far. */
const gw_pipeline_counts *gw_pipeline_count(const gw_pipeline *p);

/* gw_pipeline_free frees everything; NULL is allowed. */
void gw_pipeline_free(gw_pipeline *p);

/* gw_pipeline_why_nothing appends why a capture gave no message, and what to try: "397 frames, 57
 * not IP, 340 on unknown ports; try --proto etherbone". */
void gw_pipeline_why_nothing(const gw_pipeline *p, gw_text *text);

#endif
