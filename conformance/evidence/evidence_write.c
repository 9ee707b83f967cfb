/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the evidence of a case as pcapng. What a socket shows has no headers, so Ethernet, IP, UDP
 * and TCP headers are made up around it; the file says so, and says it where frames are real. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "evidence/evidence.h"
#include "goldwire/net.h"
#include "harness/capture.h"

#define MAX_LINES 64    /* connections of one case whose sequence numbers are followed */
#define SEGMENT 1460    /* bytes of a synthesised TCP segment: what Ethernet carries */
#define FRAME_MAX 66000 /* the largest UDP datagram and its headers */
#define FRAME_MIN 60    /* an Ethernet frame at its shortest, without check sequence */
#define COMMENT_MAX 16384
#define MAX_INTERFACES 32 /* links of a board, made up or real */

static const char what_this_is[] =
    "What goldwire's sockets sent and received. Payloads and times are real; the Ethernet, IP, UDP "
    "and TCP headers are synthesised around them.";

static const char what_frames_are[] =
    "What goldwire sent and received as a station on an Ethernet. Frames, headers and times are "
    "real.";

/* One link of the board, or its registers; one wire that it is at. */
typedef struct interface {
    const char *link;
    bool regs;
    bool wire;
    int number;
} interface;

/* The sequence numbers of one TCP connection: what each side sends next. */
typedef struct sequence {
    uint32_t ours;
    uint32_t theirs;
} sequence;

struct gw_evidence_file {
    const gw_evidence *evidence; /* being written */
    gw_pcapng_writer *out;
    const char *title;
    sequence *lines;
    uint8_t *frame;
    interface interfaces[MAX_INTERFACES];
    size_t num_interfaces;
    uint8_t told[(UINT16_MAX + 1) / 8]; /* lines whose link has been named, a bit each */
    char comment[COMMENT_MAX];
};

static void append(char *text, size_t cap, const char *more)
{
    size_t len = strlen(text);
    if (len > 0 && len + 1 < cap)
        text[len++] = '\n';
    size_t add = strnlen(more, cap - 1 - len);
    memcpy(text + len, more, add);
    text[len + add] = '\0';
}

/* Whoever reads the file has to know which of a board's links a line leads to. */
static void tell_link(gw_evidence_file *w, const gw_evidence_packet *packet)
{
    uint8_t bit = (uint8_t)(1u << packet->line % 8);
    if (packet->kind != GW_EVIDENCE_BYTES || packet->link == NULL || packet->link[0] == '\0' ||
        (w->told[packet->line / 8] & bit) != 0)
        return;
    w->told[packet->line / 8] |= bit;
    append(w->comment, sizeof(w->comment), "link ");
    size_t len = strlen(w->comment);
    (void)snprintf(w->comment + len, sizeof(w->comment) - len, "%s", packet->link);
}

static const char *comment_of(gw_evidence_file *w, unsigned number)
{
    const gw_evidence *e = w->evidence;
    w->comment[0] = '\0';
    if (number == 1 && w->title != NULL)
        append(w->comment, sizeof(w->comment), w->title);
    tell_link(w, gw_evidence_get(e, number));
    for (size_t i = 0; i < e->num_comments; i++)
        if (e->comments[i].number == number)
            append(w->comment, sizeof(w->comment), e->text + e->comments[i].text);
    if (number == e->num_packets && e->overflow)
        append(w->comment, sizeof(w->comment), "later packets were too many to be kept");
    return w->comment[0] == '\0' ? NULL : w->comment;
}

/* What the file says of |packet|'s link. On a wire there may be others: the ports tell them apart.
 */
static void announce(const gw_evidence_file *w, const gw_evidence_packet *packet, gw_text *text)
{
    gw_announcement a = w->evidence->board;
    uint16_t ports[] = {packet->remote.port, packet->local.port};

    if (a.format == NULL)
        return;
    if (packet->regs) {
        a.format = gw_register_format;
        a.tunnel = false;
    }
    if (packet->regs || a.dialect == NULL)
        a.dialect = &a.format->dialects[0];
    (void)snprintf(a.link, sizeof(a.link), "%s", packet->link != NULL ? packet->link : "");
    for (size_t i = 0; i < GW_ARRAY_LEN(ports); i++)
        if (packet->frame_len > 0 && ports[i] != 0)
            a.ports[a.num_ports++] = ports[i];
    gw_announcement_write(&a, text);
    gw_text_str(text, " - ");
}

/* The interface of |packet|, which comes with its first; -1 when the file fails. */
static int interface_of(gw_evidence_file *w, const gw_evidence_packet *packet)
{
    char says[GW_ANNOUNCE_MAX + sizeof(what_this_is)];
    gw_text text = gw_text_over(says, sizeof(says));
    interface wanted = {.link = packet->link != NULL ? packet->link : "",
                        .regs = packet->regs,
                        .wire = packet->frame_len > 0};

    for (size_t i = 0; i < w->num_interfaces; i++) {
        const interface *one = &w->interfaces[i];
        if (one->regs == wanted.regs && one->wire == wanted.wire &&
            strcmp(one->link, wanted.link) == 0)
            return one->number;
    }
    if (w->num_interfaces == MAX_INTERFACES)
        return w->interfaces[MAX_INTERFACES - 1].number;
    announce(w, packet, &text);
    gw_text_str(&text, wanted.wire ? what_frames_are : what_this_is);
    wanted.number =
        gw_pcapng_interface(w->out, GW_LINK_ETHERNET, wanted.wire ? "wire" : "goldwire", says);
    w->interfaces[w->num_interfaces++] = wanted;
    return wanted.number;
}

/* Headers that are made up make a frame such as an Ethernet port sends: no runt. */
static bool put(gw_evidence_file *w, const gw_evidence_packet *packet, size_t len,
                const char *comment)
{
    int number = interface_of(w, packet);
    if (len > 0 && len < FRAME_MIN) {
        memset(w->frame + len, 0, FRAME_MIN - len);
        len = FRAME_MIN;
    }
    gw_frame frame = {.data = w->frame,
                      .cap_len = (uint32_t)len,
                      .len = (uint32_t)len,
                      .link_type = GW_LINK_ETHERNET,
                      .interface = (uint32_t)number,
                      .time_ns = packet->time_ns,
                      .dir = packet->dir,
                      .comment = comment};
    return len > 0 && number >= 0 && gw_pcapng_frame(w->out, &frame);
}

/* A frame as it was. */
static bool put_frame(gw_evidence_file *w, const gw_evidence_packet *packet, const char *comment)
{
    int number = interface_of(w, packet);
    gw_frame frame = {.data = w->evidence->bytes + packet->frame,
                      .cap_len = packet->frame_len,
                      .len = packet->frame_len,
                      .link_type = GW_LINK_ETHERNET,
                      .interface = (uint32_t)number,
                      .time_ns = packet->time_ns,
                      .dir = packet->dir,
                      .comment = comment};
    return number >= 0 && gw_pcapng_frame(w->out, &frame);
}

static bool put_udp(gw_evidence_file *w, const gw_evidence_packet *packet, const char *comment)
{
    bool out = packet->dir == GW_DIR_OUT;
    size_t len = gw_frame_udp_styled(w->frame, FRAME_MAX, out ? &packet->local : &packet->remote,
                                     out ? &packet->remote : &packet->local,
                                     w->evidence->bytes + packet->data, packet->len, packet->style);
    return put(w, packet, len, comment);
}

/* One segment from the side that |out| names; SYN and FIN take a sequence number themselves. */
static bool put_tcp(gw_evidence_file *w, const gw_evidence_packet *packet, bool out, uint8_t flags,
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

/* A port may serve again soon: the next connection's numbers are far from the last one's. */
static sequence first_sequence(const gw_evidence_packet *packet)
{
    uint32_t first = packet->line * UINT32_C(0x10000001);
    return (sequence){first, first};
}

/* One of the frames that a packet becomes: as it was, or with headers that are made up. */
typedef struct planned {
    bool as_it_was;
    bool stream;
    bool turned; /* the other side sends it */
    uint8_t flags;
    size_t at, len; /* what it carries of the packet's bytes */
} planned;

/* The frame |i| of |packet|, from 0; false when there is none. */
static bool plan(const gw_evidence_packet *packet, size_t i, planned *out)
{
    static const planned opens[] = {
        {.stream = true, .flags = GW_TCP_SYN},
        {.stream = true, .flags = GW_TCP_SYN | GW_TCP_ACK, .turned = true},
        {.stream = true, .flags = GW_TCP_ACK},
    };

    *out = (planned){.as_it_was = packet->frame_len > 0, .stream = packet->stream};
    if (out->as_it_was)
        return i == 0;
    if (packet->wire)
        return false; /* the frames that opened or closed it are there themselves */
    if (!packet->stream) {
        out->len = packet->len;
        return i == 0;
    }
    switch ((gw_evidence_kind)packet->kind) {
    case GW_EVIDENCE_OPEN:
        if (i < GW_ARRAY_LEN(opens))
            *out = opens[i];
        return i < GW_ARRAY_LEN(opens);
    case GW_EVIDENCE_CLOSE:
        out->flags = GW_TCP_FIN | GW_TCP_ACK;
        return i == 0;
    case GW_EVIDENCE_BYTES:
    case GW_EVIDENCE_FRAME:
        break;
    }
    out->flags = GW_TCP_ACK;
    out->at = i * SEGMENT;
    if (out->at >= packet->len)
        return false;
    out->len = packet->len - out->at < SEGMENT ? packet->len - out->at : SEGMENT;
    return true;
}

static bool put_packet(gw_evidence_file *w, const gw_evidence_packet *packet, const char *comment)
{
    bool out = packet->dir == GW_DIR_OUT, ok = true;
    planned one;

    for (size_t i = 0; ok && plan(packet, i, &one); i++, comment = NULL) {
        if (one.flags == GW_TCP_SYN)
            w->lines[packet->line % MAX_LINES] = first_sequence(packet);
        if (one.as_it_was)
            ok = put_frame(w, packet, comment);
        else if (one.stream)
            ok = put_tcp(w, packet, out != one.turned, one.flags, one.at, one.len, comment);
        else
            ok = put_udp(w, packet, comment);
    }
    return ok;
}

static uint32_t frames_of(const gw_evidence_packet *packet)
{
    uint32_t num = 0;
    planned one;

    while (plan(packet, num, &one))
        num++;
    return num;
}

gw_evidence_span gw_evidence_span_of(const gw_evidence *evidence, unsigned number)
{
    const gw_evidence_packet *packet = gw_evidence_get(evidence, number);
    if (packet == NULL)
        return (gw_evidence_span){0};
    bool ours = packet->dir == GW_DIR_OUT;
    gw_evidence_span span = {.number = number,
                             .first = 1,
                             .num = frames_of(packet),
                             .src = ours ? packet->local : packet->remote,
                             .dst = ours ? packet->remote : packet->local,
                             .kind = packet->kind,
                             .doubtful = evidence->overflow && number == evidence->num_packets};
    for (unsigned n = 1; n < number; n++)
        span.first += frames_of(gw_evidence_get(evidence, n));
    return span;
}

static void free_file(gw_evidence_file *w)
{
    free(w->frame);
    free(w->lines);
    free(w);
}

gw_evidence_file *gw_evidence_create(FILE *file)
{
    gw_evidence_file *w = calloc(1, sizeof(*w));
    if (w == NULL)
        return NULL;
    w->lines = calloc(MAX_LINES, sizeof(*w->lines));
    w->frame = malloc(FRAME_MAX);
    w->out = gw_pcapng_create(file, "goldwire " GW_VERSION);
    if (w->lines != NULL && w->frame != NULL && w->out != NULL)
        return w;
    if (w->out != NULL && !gw_pcapng_close(w->out))
        w->out = NULL; /* the file takes nothing; that is why we are here */
    free_file(w);
    return NULL;
}

bool gw_evidence_append(gw_evidence_file *out, const gw_evidence *evidence, const char *title)
{
    out->evidence = evidence;
    out->title = title;
    for (unsigned number = 1; number <= evidence->num_packets; number++) {
        const gw_evidence_packet *packet = gw_evidence_get(evidence, number);
        if (!put_packet(out, packet, comment_of(out, number)))
            return false;
    }
    return true;
}

void gw_evidence_skip(gw_evidence_file *out, uint16_t line, gw_direction dir, uint32_t len)
{
    sequence *seq = &out->lines[line % MAX_LINES];
    *(dir == GW_DIR_OUT ? &seq->ours : &seq->theirs) += len;
}

bool gw_evidence_lost(gw_evidence_file *out, int64_t time_ns, uint64_t num)
{
    return out->num_interfaces == 0 ||
           gw_pcapng_dropped(out->out, (uint32_t)out->interfaces[0].number, time_ns, num);
}

bool gw_evidence_close(gw_evidence_file *out)
{
    if (out == NULL)
        return true;
    bool ok = out->out != NULL && gw_pcapng_close(out->out);
    free_file(out);
    return ok;
}

bool gw_evidence_write(const gw_evidence *evidence, FILE *file, const char *title)
{
    gw_evidence_file *out = gw_evidence_create(file);
    bool ok = out != NULL && gw_evidence_append(out, evidence, title);
    return gw_evidence_close(out) && ok;
}
