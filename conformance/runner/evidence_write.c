/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the evidence of a case as pcapng. What a socket shows has no headers, so Ethernet, IP, UDP
 * and TCP headers are made up around it; the file says so. */
#include <stdlib.h>
#include <string.h>

#include "goldwire/net.h"
#include "harness/capture.h"
#include "runner/evidence.h"

#define MAX_LINES 64    /* connections of one case whose sequence numbers are followed */
#define SEGMENT 1460    /* bytes of a synthesised TCP segment: what Ethernet carries */
#define FRAME_MAX 66000 /* the largest UDP datagram and its headers */
#define COMMENT_MAX 2048

static const char what_this_is[] =
    "What goldwire's sockets sent and received. Payloads and times are real; the Ethernet, IP, UDP "
    "and TCP headers are synthesised around them.";

/* The sequence numbers of one TCP connection: what each side sends next. */
typedef struct sequence {
    uint32_t ours;
    uint32_t theirs;
} sequence;

typedef struct evidence_writer {
    const gw_evidence *evidence;
    gw_pcapng_writer *out;
    const char *title;
    sequence *lines;
    uint8_t *frame;
    char comment[COMMENT_MAX];
} evidence_writer;

static void append(char *text, size_t cap, const char *more)
{
    size_t len = strlen(text);
    if (len > 0 && len + 1 < cap)
        text[len++] = '\n';
    size_t add = strnlen(more, cap - 1 - len);
    memcpy(text + len, more, add);
    text[len + add] = '\0';
}

static const char *comment_of(evidence_writer *w, unsigned number)
{
    const gw_evidence *e = w->evidence;
    w->comment[0] = '\0';
    if (number == 1)
        append(w->comment, sizeof(w->comment), w->title);
    for (size_t i = 0; i < e->num_comments; i++)
        if (e->comments[i].number == number)
            append(w->comment, sizeof(w->comment), e->text + e->comments[i].text);
    if (number == e->num_packets && e->overflow)
        append(w->comment, sizeof(w->comment), "later packets were too many to be kept");
    return w->comment[0] == '\0' ? NULL : w->comment;
}

static bool put(evidence_writer *w, const gw_evidence_packet *packet, size_t len,
                const char *comment)
{
    gw_frame frame = {.data = w->frame,
                      .cap_len = (uint32_t)len,
                      .len = (uint32_t)len,
                      .link_type = GW_LINK_ETHERNET,
                      .time_ns = packet->time_ns,
                      .dir = packet->dir,
                      .comment = comment};
    return len > 0 && gw_pcapng_frame(w->out, &frame);
}

static bool put_udp(evidence_writer *w, const gw_evidence_packet *packet, const char *comment)
{
    bool out = packet->dir == GW_DIR_OUT;
    size_t len = gw_frame_udp_styled(w->frame, FRAME_MAX, out ? &packet->local : &packet->remote,
                                     out ? &packet->remote : &packet->local,
                                     w->evidence->bytes + packet->data, packet->len, packet->style);
    return put(w, packet, len, comment);
}

/* One segment from the side that |out| names; SYN and FIN take a sequence number themselves. */
static bool put_tcp(evidence_writer *w, const gw_evidence_packet *packet, bool out, uint8_t flags,
                    size_t at, size_t len, const char *comment)
{
    sequence *seq = &w->lines[packet->line % MAX_LINES];
    uint32_t *mine = out ? &seq->ours : &seq->theirs;
    uint32_t ack = out ? seq->theirs : seq->ours;
    size_t frame_len = gw_frame_tcp(w->frame, FRAME_MAX, out ? &packet->local : &packet->remote,
                                    out ? &packet->remote : &packet->local, *mine,
                                    (flags & GW_TCP_ACK) != 0 ? ack : 0, flags,
                                    len > 0 ? w->evidence->bytes + packet->data + at : NULL, len);
    *mine += (uint32_t)len + ((flags & (GW_TCP_SYN | GW_TCP_FIN)) != 0 ? 1 : 0);
    gw_evidence_packet one = *packet;
    one.dir = out ? GW_DIR_OUT : GW_DIR_IN;
    return put(w, &one, frame_len, comment);
}

static bool put_stream(evidence_writer *w, const gw_evidence_packet *packet, const char *comment)
{
    bool out = packet->dir == GW_DIR_OUT;
    switch ((gw_evidence_kind)packet->kind) {
    case GW_EVIDENCE_OPEN:
        w->lines[packet->line % MAX_LINES] = (sequence){0};
        return put_tcp(w, packet, out, GW_TCP_SYN, 0, 0, comment) &&
               put_tcp(w, packet, !out, GW_TCP_SYN | GW_TCP_ACK, 0, 0, NULL) &&
               put_tcp(w, packet, out, GW_TCP_ACK, 0, 0, NULL);
    case GW_EVIDENCE_CLOSE:
        return put_tcp(w, packet, out, GW_TCP_FIN | GW_TCP_ACK, 0, 0, comment);
    case GW_EVIDENCE_BYTES:
        break;
    }
    for (size_t at = 0; at < packet->len; at += SEGMENT) {
        size_t len = packet->len - at < SEGMENT ? packet->len - at : SEGMENT;
        if (!put_tcp(w, packet, out, GW_TCP_ACK, at, len, at == 0 ? comment : NULL))
            return false;
    }
    return true;
}

static bool put_all(evidence_writer *w)
{
    if (gw_pcapng_interface(w->out, GW_LINK_ETHERNET, "goldwire", what_this_is) < 0)
        return false;
    for (unsigned number = 1; number <= w->evidence->num_packets; number++) {
        const gw_evidence_packet *packet = gw_evidence_get(w->evidence, number);
        const char *comment = comment_of(w, number);
        if (!(packet->stream ? put_stream(w, packet, comment) : put_udp(w, packet, comment)))
            return false;
    }
    return true;
}

bool gw_evidence_write(const gw_evidence *evidence, FILE *file, const char *title)
{
    evidence_writer w = {.evidence = evidence, .title = title};
    w.lines = calloc(MAX_LINES, sizeof(*w.lines));
    w.frame = malloc(FRAME_MAX);
    w.out = gw_pcapng_create(file, "goldwire " GW_VERSION);
    bool ok = w.lines != NULL && w.frame != NULL && w.out != NULL && put_all(&w);
    if (w.out != NULL && !gw_pcapng_close(w.out))
        ok = false;
    free(w.frame);
    free(w.lines);
    return ok;
}
