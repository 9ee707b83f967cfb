/* SPDX-License-Identifier: BSD-2-Clause */
/* Classic pcap, read by libpcap from bytes that we hand to it: the file may be a pipe whose start
 * was needed to know its type. Plain records are taken out of the window where they lie; whatever
 * is odd about one is libpcap's to read, and to tell. */
#include "reader.h"

#include <pcap/pcap.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>

#include "goldwire/net.h"

#define FILE_HEADER 24
#define VERSION_OFFSET 4
#define VERSION 0x00040002u /* 2.4, as a host of little byte order has it; others are rare */
#define RECORD_HEADER 16
#define SNAPLEN_OFFSET 16
#define SNAPLEN 262144
#define LINK_OFFSET 20
#define LINK_MASK 0x03ffffffu /* the bits above tell the FCS length */
#define LINK_RAW 101
#define STDIO_BUFFER ((size_t)256 << 10)

#define MAGIC_MICRO 0xa1b2c3d4u
#define MAGIC_NANO 0xa1b23c4du
#define MAGIC_PATCHED 0xa1b2cd34u /* Kuznetzov's, with longer record headers */

struct pcap_state {
    pcap_t *pcap;
    uint32_t link_type;
    uint32_t record_header; /* bytes */
    uint64_t offset;        /* of the next record in the file */
    uint32_t scale;         /* nanoseconds of what stamps count, where records are plain; else 0 */
    char buffer[STDIO_BUFFER];
};

static bool is_magic(uint32_t magic)
{
    return magic == MAGIC_MICRO || magic == MAGIC_NANO || magic == MAGIC_PATCHED;
}

static bool is_pcap(gw_input *in)
{
    gw_cursor c = gw_input_want(in, 4);
    const uint8_t *p;

    return gw_cursor_bytes(&c, &p, 4) && (is_magic(gw_load_be32(p)) || is_magic(gw_load_le32(p)));
}

/* Where libpcap does no more with a record than to hand it on, it is read without it: in this order
 * of bytes, of this version, and of link types whose headers it leaves alone. */
static uint32_t plain_scale(const struct pcap_state *s, const uint8_t *head)
{
    const bool alone = s->link_type == GW_LINK_ETHERNET ||
                       (s->link_type >= GW_LINK_USER0 && s->link_type <= GW_LINK_USER15);

    if (!alone || gw_load_le32(head + VERSION_OFFSET) != VERSION)
        return 0;
    switch (gw_load_le32(head)) {
    case MAGIC_MICRO:
        return 1000;
    case MAGIC_NANO:
        return 1;
    default:
        return 0;
    }
}

/* Reads what libpcap does not tell: the link type as the file has it (libpcap translates it to the
 * platform's own numbers). Also sets the snap length to libpcap's usual maximum, 262144: libpcap
 * would cut frames that exceed a file's own (wrong) one, and some link types would let a hostile
 * file claim 128 MiB of memory. */
static void adopt_header(struct pcap_state *s, gw_input *in)
{
    gw_cursor c = gw_input_want(in, FILE_HEADER);
    const uint8_t *p;

    if (!gw_cursor_bytes(&c, &p, FILE_HEADER))
        return; /* libpcap finds words for it */
    const bool big = is_magic(gw_load_be32(p));
    const uint32_t magic = big ? gw_load_be32(p) : gw_load_le32(p);
    const uint32_t link = big ? gw_load_be32(p + LINK_OFFSET) : gw_load_le32(p + LINK_OFFSET);

    s->link_type = link & LINK_MASK;
    s->record_header = magic == MAGIC_PATCHED ? 24 : 16;
    s->offset = FILE_HEADER;
    s->scale = plain_scale(s, p);
    memcpy(in->buf + in->start + SNAPLEN_OFFSET, big ? "\0\4\0" : "\0\0\4", 4); /* SNAPLEN */
}

static ssize_t replay(void *cookie, char *out, size_t len)
{
    return gw_input_read(cookie, out, len);
}

static bool open_pcap(gw_capture *capture)
{
    struct pcap_state *s = calloc(1, sizeof(*s));
    char why[PCAP_ERRBUF_SIZE];

    if (s == NULL)
        return false;
    capture->state = s;
    adopt_header(s, &capture->in);

    FILE *file = fopencookie(&capture->in, "r", (cookie_io_functions_t){.read = replay});
    if (file == NULL)
        return false;
    /* What libpcap has not asked for yet stays in the window, for us. */
    (void)setvbuf(file, s->buffer, s->scale != 0 ? _IONBF : _IOFBF, sizeof(s->buffer));
    (void)__fsetlocking(file, FSETLOCKING_BYCALLER);
    s->pcap = pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, why);
    if (s->pcap == NULL) {
        (void)fclose(file);
        capture->status = gw_capture_broken(capture, 0, "%s", why);
        return true;
    }
    /* Some systems wrote their own number of raw IP into files. */
    if (pcap_datalink(s->pcap) == DLT_RAW)
        s->link_type = LINK_RAW;
    return true;
}

/* Reads a record that is whole and of no odd length; false leaves it to libpcap. */
static bool read_plain(struct pcap_state *s, gw_input *in, gw_frame *frame)
{
    gw_cursor c = gw_input_want(in, RECORD_HEADER);
    const uint8_t *p;

    if (!gw_cursor_bytes(&c, &p, RECORD_HEADER))
        return false;
    const uint32_t seconds = gw_load_le32(p), parts = gw_load_le32(p + 4);
    const uint32_t cap_len = gw_load_le32(p + 8), len = gw_load_le32(p + 12);
    if (cap_len > SNAPLEN)
        return false;
    c = gw_input_want(in, RECORD_HEADER + cap_len);
    if (!gw_cursor_skip(&c, RECORD_HEADER) || !gw_cursor_bytes(&c, &frame->data, cap_len))
        return false;
    frame->cap_len = cap_len;
    frame->len = len > cap_len ? len : cap_len;
    frame->link_type = s->link_type;
    frame->time_ns = (int64_t)seconds * 1000000000 + (int64_t)(int32_t)parts * s->scale;
    gw_input_take(in, RECORD_HEADER + cap_len);
    s->offset += RECORD_HEADER + cap_len;
    return true;
}

static gw_capture_status read_pcap(gw_capture *capture, gw_frame *frame)
{
    struct pcap_state *s = capture->state;
    struct pcap_pkthdr *header;
    const u_char *data;

    if (s->scale != 0 && read_plain(s, &capture->in, frame))
        return GW_CAPTURE_FRAME;
    switch (pcap_next_ex(s->pcap, &header, &data)) {
    case 1:
        break;
    case PCAP_ERROR_BREAK:
        return GW_CAPTURE_END;
    default:
        return gw_capture_broken(capture, s->offset, "%s", pcap_geterr(s->pcap));
    }
    s->offset += s->record_header + header->caplen;
    frame->data = data;
    frame->cap_len = header->caplen;
    frame->len = header->len > header->caplen ? header->len : header->caplen;
    frame->link_type = s->link_type;
    /* libpcap takes the file's 32 bits of seconds as signed, which would end them in 2038; with
     * this precision tv_usec holds nanoseconds. */
    frame->time_ns = (int64_t)(uint32_t)header->ts.tv_sec * 1000000000 + header->ts.tv_usec;
    return GW_CAPTURE_FRAME;
}

static void close_pcap(gw_capture *capture)
{
    struct pcap_state *s = capture->state;

    if (s != NULL && s->pcap != NULL)
        pcap_close(s->pcap);
    free(s);
}

const gw_reader gw_reader_pcap = {
    .type = "pcap",
    .matches = is_pcap,
    .open = open_pcap,
    .next = read_pcap,
    .close = close_pcap,
};
