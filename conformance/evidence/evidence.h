/* SPDX-License-Identifier: BSD-2-Clause */
/* The evidence of one case: every byte sent and received, with times and comments, kept in memory
 * until it is written as pcapng. */
#ifndef GOLDWIRE_EVIDENCE_EVIDENCE_H
#define GOLDWIRE_EVIDENCE_EVIDENCE_H

#include <stdio.h>

#include "goldwire/announce.h"
#include "goldwire/base.h"
#include "goldwire/format.h"
#include "goldwire/message.h"

/* What one case may keep. A board that floods us must not fill our memory. */
#define GW_EVIDENCE_MAX_BYTES (16u << 20)
#define GW_EVIDENCE_MAX_PACKETS 65536u

/* What all cases of a run may keep together, and what each may keep all the same. */
#define GW_EVIDENCE_RUN_BYTES (64u << 20)
#define GW_EVIDENCE_LEAST_BYTES (64u << 10)
#define GW_EVIDENCE_PACKET_BYTES 128u /* of headers and block around each packet in its file */

/* gw_evidence_packet is one event of a line: bytes, a frame, or the opening or closing of a
 * connection. */
typedef struct gw_evidence_packet {
    int64_t time_ns; /* since 1970-01-01 UTC */
    gw_endpoint local;
    gw_endpoint remote;
    size_t data; /* index of the first byte */
    uint32_t len;
    size_t frame; /* index of the first byte of the Ethernet frame that carried it, or the ... */
    uint32_t frame_len; /* ... last of several; 0: the frame was not seen */
    uint16_t line;      /* which connection */
    uint8_t dir;        /* gw_direction: GW_DIR_OUT is ours */
    uint8_t kind;       /* gw_evidence_kind */
    bool stream;
    bool wire;                /* the line's frames are seen: nothing has to be made up */
    bool regs;                /* the line leads to the board's registers, which speak EtherBone */
    const char *link;         /* of the board; "" for the only one; NULL: not told */
    const gw_ip_style *style; /* of the headers to make up around a datagram; NULL: the usual */
} gw_evidence_packet;

typedef enum gw_evidence_kind {
    GW_EVIDENCE_BYTES = 0,
    GW_EVIDENCE_OPEN,  /* TCP: connected */
    GW_EVIDENCE_CLOSE, /* TCP: closed by |dir| */
    GW_EVIDENCE_FRAME, /* an Ethernet frame that is no datagram of this line: ARP, a fragment ... */
} gw_evidence_kind;

/* gw_evidence_comment belongs to packet |number|. */
typedef struct gw_evidence_comment {
    unsigned number;
    size_t text; /* index of its first character */
} gw_evidence_comment;

/* gw_evidence keeps its memory from case to case. Start with all zeros. */
typedef struct gw_evidence {
    gw_evidence_packet *packets;
    size_t num_packets;
    size_t cap_packets;
    uint8_t *bytes;
    size_t num_bytes;
    size_t cap_bytes;
    gw_evidence_comment *comments;
    size_t num_comments;
    size_t cap_comments;
    char *text;
    size_t num_text;
    size_t cap_text;
    size_t spent;          /* bytes that earlier cases of the run have kept */
    bool overflow;         /* something was left out */
    gw_announcement board; /* what the file says of itself: format, dialect, role and who calls;
                              without a format nothing */
} gw_evidence;

/* gw_evidence_spend counts what is kept towards what all cases of a run may keep together; from
 * then on a case may keep less. */
void gw_evidence_spend(gw_evidence *evidence);

/* gw_evidence_clear forgets every packet; it keeps the memory, and what board it is of. */
void gw_evidence_clear(gw_evidence *evidence);

/* gw_evidence_move gives what |from| holds to |to|, whose own is freed; |from| is empty then, and
 * of the same board. */
void gw_evidence_move(gw_evidence *to, gw_evidence *from);

/* gw_evidence_free gives the memory back. */
void gw_evidence_free(gw_evidence *evidence);

/* gw_evidence_add copies |packet|, whose bytes are |data|, and returns its number, counting from 1.
 * What does not fit is counted out, not kept: the number is that of the last packet kept. */
unsigned gw_evidence_add(gw_evidence *evidence, const gw_evidence_packet *packet,
                         const uint8_t *data);

/* gw_evidence_add_frame does the same for what was seen on a wire: the |len| bytes of |frame|, and
 * within or outside of it what it carried, |packet->len| bytes at |data|. */
unsigned gw_evidence_add_frame(gw_evidence *evidence, const gw_evidence_packet *packet,
                               const uint8_t *data, const uint8_t *frame, size_t len);

/* gw_evidence_comment_on adds |text| to packet |number|; unknown numbers are ignored. */
void gw_evidence_comment_on(gw_evidence *evidence, unsigned number, const char *text);

/* gw_evidence_get returns packet |number|, or NULL. */
const gw_evidence_packet *gw_evidence_get(const gw_evidence *evidence, unsigned number);

/* gw_evidence_span is where a packet stands in the file of its evidence. */
typedef struct gw_evidence_span {
    unsigned number; /* of the packet; 0: there is none, and nothing else is told */
    uint32_t first;  /* of its frames in the file, counting from 1; ... */
    uint32_t num;    /* ... and how many: more than one of a long piece of a stream, none of what
                        was not seen as a frame */
    gw_endpoint src;
    gw_endpoint dst;
    uint8_t kind;  /* gw_evidence_kind */
    bool doubtful; /* it is the last one kept, and later ones were not: the number is theirs too */
} gw_evidence_span;

/* gw_evidence_span_of returns where packet |number| stands in the file that gw_evidence_write makes
 * of |evidence|. */
gw_evidence_span gw_evidence_span_of(const gw_evidence *evidence, unsigned number);

/* gw_evidence_file is a pcapng file that takes the evidence of several cases. */
typedef struct gw_evidence_file gw_evidence_file;

/* gw_evidence_create starts a file on |file|, which stays the caller's. NULL when memory or the
 * file fails. */
gw_evidence_file *gw_evidence_create(FILE *file);

/* gw_evidence_append writes |evidence|: Ethernet frames as they were, or synthesised around what
 * the sockets saw, each on an interface whose description says so, and what it holds
 * (goldwire/announce.h): one for each link of the board. |title|, unless it is NULL, goes into the
 * first packet's comment; "link NAME" into that of each line's first bytes, when the board has
 * links, whose names outlive |out|. False when the file fails. */
GW_MUST_USE bool gw_evidence_append(gw_evidence_file *out, const gw_evidence *evidence,
                                    const char *title);

/* gw_evidence_skip leaves |len| bytes out that side |dir| of connection |line| sent and that nobody
 * has: sequence numbers show the gap. */
void gw_evidence_skip(gw_evidence_file *out, uint16_t line, gw_direction dir, uint32_t len);

/* gw_evidence_lost notes that up to |time_ns| |num| packets, in all, are not in the file. False
 * when the file fails. */
GW_MUST_USE bool gw_evidence_lost(gw_evidence_file *out, int64_t time_ns, uint64_t num);

/* gw_evidence_close ends the file and frees |out|; NULL is allowed. False when anything failed to
 * be written. */
GW_MUST_USE bool gw_evidence_close(gw_evidence_file *out);

/* gw_evidence_write writes such a file of |evidence| alone. |title| goes into the first packet's
 * comment. False when the file fails. */
GW_MUST_USE bool gw_evidence_write(const gw_evidence *evidence, FILE *file, const char *title);

#endif
