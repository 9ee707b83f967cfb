/* SPDX-License-Identifier: BSD-2-Clause */
/* What goes over the socket between a run and who looks on: one record a datagram, in this
 * machine's byte order, which is this struct, then |text_len| characters, then the bytes of a
 * packet. */
#ifndef GOLDWIRE_RUNNING_RECORD_H
#define GOLDWIRE_RUNNING_RECORD_H

#include "goldwire/base.h"
#include "goldwire/message.h"

#define GW_RECORD_TEXT 1024          /* characters at the most */
#define GW_RECORD_BYTES 66000u       /* of a packet, and as many of the frame that carried it */
#define GW_RECORD_PIECE (41u * 1460) /* of a stream: whole segments of those that evidence has */

typedef enum gw_record_kind {
    GW_RECORD_GREETING = 1, /* the text announces the board (goldwire/announce.h) */
    GW_RECORD_PACKET,       /* the text is a comment on it */
    GW_RECORD_REFUSED,      /* the text says why; nothing else comes */
    GW_RECORD_OVER,         /* the run has ended */
} gw_record_kind;

enum {
    GW_RECORD_STREAM = 0x01,
    GW_RECORD_WIRE = 0x02,
    GW_RECORD_REGS = 0x04,
    GW_RECORD_STYLED = 0x08, /* headers to make up are filled as the following say: */
    GW_RECORD_MAY_FRAGMENT = 0x10,
    GW_RECORD_NO_CHECKSUM = 0x20,
};

/* gw_record begins each record. What follows |dropped| is about a packet: gw_evidence_packet. */
typedef struct gw_record {
    uint32_t kind; /* gw_record_kind */
    uint32_t text_len;
    uint64_t dropped; /* packets that whoever gets this has not got, so far */
    int64_t time_ns;
    gw_endpoint local;
    gw_endpoint remote;
    uint32_t position; /* of a stream's bytes, from wherever counting began */
    uint32_t len;
    uint32_t frame_len;
    uint32_t data_at; /* within the frame; |frame_len|: behind it */
    uint16_t line;
    uint8_t dir;
    uint8_t kind_of_packet; /* gw_evidence_kind */
    uint8_t flags;
    uint8_t ttl;
    char link[32]; /* terminated */
} gw_record;

#endif
