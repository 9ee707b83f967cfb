/* SPDX-License-Identifier: BSD-2-Clause */
/* Capture files (pcap, pcapng and ERF, also in gzip, zstd or lz4) and interfaces behind one reader,
 * and a pcapng writer. Memory does not grow with the file's length. */
#ifndef HARNESS_CAPTURE_H
#define HARNESS_CAPTURE_H

#include <stdio.h>

#include "goldwire/announce.h"
#include "goldwire/base.h"
#include "goldwire/format.h"
#include "goldwire/message.h"
#include "harness/tcb.h"

/* GW_LINK_ERF_OTHER is the link type of an ERF record that has none: ATM, HDLC, metadata ... */
#define GW_LINK_ERF_OTHER 0xffffffffu

/* gw_frame is one captured frame. Pointers are valid until the next read. */
typedef struct gw_frame {
    const uint8_t *data;
    uint32_t cap_len;
    uint32_t len;                     /* before the capture's cut */
    uint32_t link_type;               /* of its interface, link-type registry numbers */
    uint32_t interface;               /* number of the interface in its section; 0 in pcap */
    uint64_t number;                  /* counting from 1 */
    int64_t time_ns;                  /* since 1970-01-01 UTC */
    uint8_t dir;                      /* gw_direction */
    uint8_t erf_type;                 /* of an ERF record, 2 is Ethernet; 0 in other files */
    const gw_announcement *announced; /* what the capture says of the interface, or NULL */
    const char
        *comment; /* first comment, UTF-8, terminated, control characters as they are; or NULL */
} gw_frame;

typedef enum gw_capture_status {
    GW_CAPTURE_FRAME = 0,
    GW_CAPTURE_END,
    GW_CAPTURE_BROKEN, /* the file breaks off or contradicts itself, gw_capture_error says where;
                          the interface went away */
} gw_capture_status;

typedef struct gw_capture gw_capture;

/* gw_capture_open opens the file |path| ("-" is standard input) and reads enough to know its type.
 * NULL when it cannot be opened or is no known type, with a text for people in |why|, which names
 * the path. */
gw_capture *gw_capture_open(const char *path, char *why, size_t why_cap);

/* gw_capture_live captures on |interface| from now on, all that passes, until gw_stopped, which is
 * its end, or the interface goes away. NULL when that cannot be, with a text for people in |why|,
 * which names it.
 */
gw_capture *gw_capture_live(const char *interface, char *why, size_t why_cap);

/* gw_capture_on_idle has |idle| called whenever the capture, an interface or a pipe, is about to
 * wait for what is still to come: somebody may be waiting for what was printed so far. */
void gw_capture_on_idle(gw_capture *capture, void (*idle)(void *ctx), void *ctx);

#define GW_CAPTURE_TAPS 16 /* captures that are merged, at the most */

/* gw_capture_shift is how far the clock of a capture is from the first one's. */
typedef struct gw_capture_shift {
    int64_t shift_ns;  /* added to its times */
    int64_t spread_ns; /* half of the frames agree to within this */
    uint64_t frames;   /* that both have, and once only; 0: nothing is known of their clocks */
} gw_capture_shift;

/* gw_capture_merge opens the |num| files |paths|, from 1 to GW_CAPTURE_TAPS, as one capture in the
 * order of time: taps of the same traffic. Clocks are compared by the frames that the beginnings of
 * the files have in common: |shifts| gets a line for each file. A frame that several taps have is
 * told once, as the first of them has it. Frames are numbered anew, and interfaces told apart. NULL
 * when a file cannot be read, or not twice (a pipe), with a text for people in |why|. A file that
 * breaks off ends there, and the others go on: GW_CAPTURE_BROKEN comes when all have ended. */
gw_capture *gw_capture_merge(char *const *paths, size_t num, gw_capture_shift *shifts, char *why,
                             size_t why_cap);

/* gw_capture_repeated returns how many frames of a merged capture were left out so far, since
 * another tap had them; 0 of others. */
uint64_t gw_capture_repeated(const gw_capture *capture);

/* gw_capture_lost returns how many frames the kernel or the interface has dropped since the capture
 * on an interface began; 0 of files. */
uint64_t gw_capture_lost(gw_capture *capture);

/* gw_capture_next reads the next frame. A pipe that has none is waited for until gw_stopped; that
 * breaks the capture off. A capture on an interface ends behind what had come until gw_stopped. */
GW_MUST_USE gw_capture_status gw_capture_next(gw_capture *capture, gw_frame *frame);

/* gw_capture_error returns where and why GW_CAPTURE_BROKEN came: "byte 1234: block of 7 bytes, at
 * least 12 expected; the last frame before it is 9"; of a compressed capture that is a byte of what
 * it unpacks to, and says so, unless the compression is what does not hold: of a file, that is
 * known by its check sums, to which it is read then. Valid until the capture is closed. */
const char *gw_capture_error(const gw_capture *capture);

/* gw_capture_close closes the file and frees the reader; NULL is allowed. */
void gw_capture_close(gw_capture *capture);

/* gw_pcapng_writer writes pcapng: one section, any number of interfaces, nanosecond stamps,
 * comments. */
typedef struct gw_pcapng_writer gw_pcapng_writer;

/* gw_pcapng_create starts a capture on |file|, which stays the caller's. |application| names the
 * writer in the section header; NULL leaves it out. NULL when memory or the file fails. */
gw_pcapng_writer *gw_pcapng_create(FILE *file, const char *application);

/* gw_pcapng_interface adds an interface and returns its number; |name| and |description| may be
 * NULL. -1 when the file fails. */
int gw_pcapng_interface(gw_pcapng_writer *w, uint32_t link_type, const char *name,
                        const char *description);

/* gw_pcapng_frame writes |frame| on frame->interface: data, lengths, time, direction, and its
 * comment if any. False when the file fails. */
GW_MUST_USE bool gw_pcapng_frame(gw_pcapng_writer *w, const gw_frame *frame);

/* gw_pcapng_dropped writes an interface statistics block: until |time_ns|, nanoseconds since
 * 1970-01-01 UTC, |num| packets of |interface|, in all, were lost before they could be written.
 * False when the file fails. */
GW_MUST_USE bool gw_pcapng_dropped(gw_pcapng_writer *w, uint32_t interface, int64_t time_ns,
                                   uint64_t num);

/* gw_pcapng_close flushes and frees the writer, not the file. False when anything failed to be
 * written. */
GW_MUST_USE bool gw_pcapng_close(gw_pcapng_writer *w);

enum {
    GW_ERF_HEADER = 16, /* bytes of a record's header */
    GW_ERF_INFINIBAND = 21,
};

/* gw_erf_header writes the header of an ERF record of |type| around |len| bytes, the last |cut| of
 * which were not captured. Behind it and the captured bytes the record ends, without padding. */
void gw_erf_header(uint8_t out[GW_ERF_HEADER], uint8_t type, int64_t time_ns, size_t len,
                   size_t cut);

/* gw_frame_udp writes an Ethernet frame with an IP and a UDP header around |len| bytes at |payload|
 * into |out| and returns its length; 0 when |cap| is too small or the ends are of different
 * families. Addresses decide the MAC addresses (02:00:... and the address), checksums are right. */
size_t gw_frame_udp(uint8_t *out, size_t cap, const gw_endpoint *src, const gw_endpoint *dst,
                    const uint8_t *payload, size_t len);

/* gw_frame_udp_styled does the same, with headers in |style|; NULL is gw_frame_udp. */
size_t gw_frame_udp_styled(uint8_t *out, size_t cap, const gw_endpoint *src, const gw_endpoint *dst,
                           const uint8_t *payload, size_t len, const gw_ip_style *style);

/* gw_frame_tcp does the same for one TCP segment. */
size_t gw_frame_tcp(uint8_t *out, size_t cap, const gw_endpoint *src, const gw_endpoint *dst,
                    uint32_t seq, uint32_t ack, uint8_t flags, const uint8_t *payload, size_t len);

/* gw_frame_tcp_like does the same, with the sequence numbers, flags, window and, where it is not 0,
 * the largest segment of |like|, and with an IP header in |style|; NULL: as a host's sockets do. */
size_t gw_frame_tcp_like(uint8_t *out, size_t cap, const gw_endpoint *src, const gw_endpoint *dst,
                         const gw_tcp_segment *like, const gw_ip_style *style);

#endif
