/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the captures of the plugin's tests: reads lines, writes a pcap file to standard output.
 *
 *   udp TIME SRC DST HEX [CAP]            one datagram; CAP payload bytes of it are captured
 *   tcp TIME SRC DST SEQ ACK FLAGS HEX    one segment; FLAGS are letters of SAFRP, HEX "-" for none
 *   quote TIME SRC DST HEX                an ICMP "port unreachable" that quotes such a datagram
 *   foreign COUNT SEED                    datagrams that are nobody's of ours,
 * core/testing/foreign.h etherbone COUNT SEED                 datagrams of EtherBone, many of them
 * cut or broken
 *
 * TIME is in seconds, SRC and DST are IPv4 "address:port". A line that starts with # is a comment.
 */
#include <arpa/inet.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/testing/foreign.h"

enum { ETHERNET = 14, IPV4 = 20, UDP = 8, TCP = 20, ICMP = 8, PAYLOAD_MAX = 9000 };

typedef struct end {
    uint8_t ip[4];
    uint16_t port;
} end;

static unsigned line_number;

static void die(const char *why)
{
    fprintf(stderr, "pcapgen: line %u: %s\n", line_number, why);
    exit(2);
}

static void put16(uint8_t *p, unsigned v)
{
    p[0] = (uint8_t)(v >> 8);
    p[1] = (uint8_t)v;
}

static void put32(uint8_t *p, uint32_t v)
{
    put16(p, v >> 16);
    put16(p + 2, v & 0xffff);
}

static end parse_end(const char *text)
{
    char copy[64];
    end e;

    snprintf(copy, sizeof copy, "%s", text);
    char *colon = strchr(copy, ':');
    if (colon == NULL)
        die("an end is ADDRESS:PORT");
    *colon = '\0';
    if (inet_pton(AF_INET, copy, e.ip) != 1)
        die("not an IPv4 address");
    e.port = (uint16_t)strtoul(colon + 1, NULL, 10);
    return e;
}

static unsigned hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = strchr(digits, c);

    if (c == '\0' || at == NULL)
        die("bad hex");
    return (unsigned)(at - digits);
}

static size_t parse_hex(const char *text, uint8_t *out)
{
    size_t n = 0;

    if (strcmp(text, "-") == 0)
        return 0;
    for (; text[0] != '\0'; text += 2) {
        if (n == PAYLOAD_MAX)
            die("too many bytes");
        out[n++] = (uint8_t)(hex_digit(text[0]) << 4 | hex_digit(text[1]));
    }
    return n;
}

static uint64_t parse_number(const char *text)
{
    char *rest;
    uint64_t value = strtoull(text, &rest, 10);

    if (rest == text || *rest != '\0')
        die("not a number");
    return value;
}

static uint64_t parse_time(const char *text)
{
    char *rest;
    double seconds = strtod(text, &rest);

    if (rest == text || *rest != '\0')
        die("not a time");
    return (uint64_t)(seconds * 1e9 + 0.5);
}

static void write_file_header(void)
{
    const uint32_t header[6] = {0xa1b23c4d, 4u << 16 | 2, 0, 0, 65535, 1}; /* nanoseconds */

    (void)fwrite(header, sizeof header, 1, stdout);
}

static void write_frame(uint64_t time_ns, const uint8_t *frame, size_t len, size_t cap)
{
    const uint32_t header[4] = {(uint32_t)(time_ns / 1000000000), (uint32_t)(time_ns % 1000000000),
                                (uint32_t)cap, (uint32_t)len};

    (void)fwrite(header, sizeof header, 1, stdout);
    (void)fwrite(frame, cap, 1, stdout);
}

static void put_ethernet(uint8_t *p)
{
    static const uint8_t macs[12] = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1};

    memcpy(p, macs, sizeof macs);
    put16(p + 12, 0x0800);
}

static void put_ipv4(uint8_t *p, unsigned protocol, const end *src, const end *dst, size_t len)
{
    uint32_t sum = 0;

    memset(p, 0, IPV4);
    p[0] = 0x45;
    put16(p + 2, (unsigned)(IPV4 + len));
    put16(p + 6, 0x4000);
    p[8] = 63;
    p[9] = (uint8_t)protocol;
    memcpy(p + 12, src->ip, 4);
    memcpy(p + 16, dst->ip, 4);
    for (unsigned i = 0; i < IPV4; i += 2)
        sum += (uint32_t)p[i] << 8 | p[i + 1];
    while (sum >> 16 != 0)
        sum = (sum & 0xffff) + (sum >> 16);
    put16(p + 10, ~sum & 0xffff);
}

/* The datagram from its IP header on; returns its length. */
static size_t put_datagram(uint8_t *p, const end *src, const end *dst, const uint8_t *data,
                           size_t len)
{
    put_ipv4(p, 17, src, dst, UDP + len);
    put16(p + IPV4, src->port);
    put16(p + IPV4 + 2, dst->port);
    put16(p + IPV4 + 4, (unsigned)(UDP + len));
    put16(p + IPV4 + 6, 0);
    if (len > 0)
        memcpy(p + IPV4 + UDP, data, len);
    return IPV4 + UDP + len;
}

static void write_datagram(uint64_t time_ns, const end *src, const end *dst, const uint8_t *data,
                           size_t len, size_t cap)
{
    static uint8_t frame[ETHERNET + IPV4 + UDP + PAYLOAD_MAX];

    put_ethernet(frame);
    size_t total = ETHERNET + put_datagram(frame + ETHERNET, src, dst, data, len);
    write_frame(time_ns, frame, total, cap < len ? total - (len - cap) : total);
}

static void write_quote(uint64_t time_ns, const end *src, const end *dst, const uint8_t *data,
                        size_t len)
{
    static uint8_t frame[ETHERNET + IPV4 + ICMP + IPV4 + UDP + PAYLOAD_MAX];
    uint8_t *icmp = frame + ETHERNET + IPV4;
    size_t quoted = put_datagram(icmp + ICMP, src, dst, data, len);

    put_ethernet(frame);
    put_ipv4(frame + ETHERNET, 1, dst, src, ICMP + quoted);
    memset(icmp, 0, ICMP);
    icmp[0] = 3;
    icmp[1] = 3;
    write_frame(time_ns, frame, ETHERNET + IPV4 + ICMP + quoted, ETHERNET + IPV4 + ICMP + quoted);
}

static void write_segment(uint64_t time_ns, const end *src, const end *dst, uint32_t seq,
                          uint32_t ack, const char *flags, const uint8_t *data, size_t len)
{
    static uint8_t frame[ETHERNET + IPV4 + TCP + PAYLOAD_MAX];
    static const char letters[] = "FSRPA";
    uint8_t *tcp = frame + ETHERNET + IPV4;
    unsigned bits = 0;

    for (; *flags != '\0'; flags++) {
        const char *at = strchr(letters, *flags);
        if (at == NULL)
            die("flags are letters of SAFRP");
        bits |= 1u << (at - letters);
    }
    put_ethernet(frame);
    put_ipv4(frame + ETHERNET, 6, src, dst, TCP + len);
    memset(tcp, 0, TCP);
    put16(tcp, src->port);
    put16(tcp + 2, dst->port);
    put32(tcp + 4, seq);
    put32(tcp + 8, ack);
    tcp[12] = TCP / 4 << 4;
    tcp[13] = (uint8_t)bits;
    put16(tcp + 14, 65535);
    if (len > 0)
        memcpy(tcp + TCP, data, len);
    write_frame(time_ns, frame, ETHERNET + IPV4 + TCP + len, ETHERNET + IPV4 + TCP + len);
}

/* ---- foreign datagrams ---- */

static uint64_t random_state;

static uint32_t next_random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 32);
}

static size_t fill_random(uint8_t *out, size_t len)
{
    for (size_t i = 0; i < len; i++)
        out[i] = (uint8_t)next_random();
    return len;
}

static void write_foreign(unsigned count, uint64_t seed)
{
    static const uint16_t ours[] = {64098, 60368, 1234, 8183, 50000};
    static uint8_t data[GW_FOREIGN_MAX];
    gw_foreign f = {.random = seed};

    for (unsigned i = 0; i < count; i++) {
        gw_foreign_kind kind = (gw_foreign_kind)(i % GW_FOREIGN_KINDS);
        end src = {{10, 1, (uint8_t)(i >> 8), (uint8_t)i},
                   (uint16_t)(20000 + gw_foreign_next(&f) % 9000)};
        end dst = {{10, 2, 0, 1}, (uint16_t)(30000 + gw_foreign_next(&f) % 9000)};
        size_t len = gw_foreign_fill(&f, kind, data);
        bool magic = len > 1 && memcmp(data, "No", 2) == 0; /* on EtherBone's ports enough */
        if (kind >= GW_FOREIGN_UD_SEND)
            dst.port = GW_FOREIGN_ROCE;
        else if (i % 4 == 0 && !magic)
            src.port = ours[i / 4 % (sizeof ours / sizeof ours[0])];
        write_datagram((uint64_t)i * 1000, &src, &dst, data, len, len);
    }
}

/* ---- EtherBone, mostly ---- */

static uint8_t one_of(const uint8_t *choices, unsigned num)
{
    return choices[next_random() % num];
}

static size_t fill_etherbone(uint8_t *out)
{
    static const uint8_t flags[] = {0x10, 0x10, 0x14, 0x14, 0x11, 0x16, 0x18, 0x20, 0x12};
    static const uint8_t widths[] = {0x44, 0x44, 0x44, 0x88, 0x11, 0x22,
                                     0x48, 0x84, 0x12, 0xff, 0x40};
    size_t n = 0;

    out[n++] = 'N';
    out[n++] = 'o';
    out[n++] = one_of(flags, sizeof flags);
    out[n++] = one_of(widths, sizeof widths);
    unsigned unit = out[3] == 0x44 ? 4 : (out[3] & 0x88) != 0 ? 8 : (out[3] & 0x44) != 0 ? 4 : 2;
    if (unit == 8 || (out[2] & 3) != 0)
        n += fill_random(out + n, 4);
    for (unsigned left = next_random() % 4; left > 0; left--) {
        unsigned writes = next_random() % 5, reads = next_random() % 4;
        n += fill_random(out + n, 2);
        out[n++] = (uint8_t)writes;
        out[n++] = (uint8_t)reads;
        n += fill_random(out + n, unit == 8 ? 4 : 0);
        n += fill_random(out + n, (size_t)unit * (writes + (writes > 0) + reads + (reads > 0)));
    }
    if (next_random() % 8 == 0)
        out[next_random() % n] ^= (uint8_t)(1u << next_random() % 8);
    if (next_random() % 4 == 0)
        n = 1 + next_random() % n;
    return n;
}

static void write_etherbone(unsigned count, uint64_t seed)
{
    const end ends[2] = {{{10, 0, 0, 1}, 40000}, {{10, 0, 0, 2}, 60368}};
    uint8_t data[1500];

    random_state = seed * 2654435761u + 1;
    for (unsigned i = 0; i < count; i++) {
        size_t len = fill_etherbone(data);
        size_t cap = next_random() % 6 == 0 ? 1 + next_random() % len : len;
        write_datagram((uint64_t)i * 1000000, &ends[i % 2], &ends[1 - i % 2], data, len, cap);
    }
}

/* A line: its words. */
typedef struct words {
    char *word[8];
    unsigned num;
} words;

static words split(char *line)
{
    words w = {.num = 0};
    char *rest = NULL;

    for (char *word = strtok_r(line, " \n", &rest); word != NULL && w.num < 8;
         word = strtok_r(NULL, " \n", &rest))
        w.word[w.num++] = word;
    return w;
}

static bool is(const words *w, const char *name, unsigned least, unsigned most)
{
    return strcmp(w->word[0], name) == 0 && w->num >= least && w->num <= most;
}

static void take(const words *w)
{
    static uint8_t data[PAYLOAD_MAX];
    char *const *a = w->word;

    if (is(w, "udp", 5, 6)) {
        end src = parse_end(a[2]), dst = parse_end(a[3]);
        size_t len = parse_hex(a[4], data);
        write_datagram(parse_time(a[1]), &src, &dst, data, len,
                       w->num == 6 ? parse_number(a[5]) : len);
    } else if (is(w, "quote", 5, 5)) {
        end src = parse_end(a[2]), dst = parse_end(a[3]);
        size_t len = parse_hex(a[4], data);
        write_quote(parse_time(a[1]), &src, &dst, data, len);
    } else if (is(w, "tcp", 8, 8)) {
        end src = parse_end(a[2]), dst = parse_end(a[3]);
        size_t len = parse_hex(a[7], data);
        write_segment(parse_time(a[1]), &src, &dst, (uint32_t)parse_number(a[4]),
                      (uint32_t)parse_number(a[5]), a[6], data, len);
    } else if (is(w, "foreign", 3, 3)) {
        write_foreign((unsigned)parse_number(a[1]), parse_number(a[2]));
    } else if (is(w, "etherbone", 3, 3)) {
        write_etherbone((unsigned)parse_number(a[1]), parse_number(a[2]));
    } else {
        die("not a line that I know");
    }
}

int main(void)
{
    static char line[4 * PAYLOAD_MAX];

    write_file_header();
    while (fgets(line, sizeof line, stdin) != NULL) {
        line_number++;
        words w = split(line);
        if (w.num > 0 && w.word[0][0] != '#')
            take(&w);
    }
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 4;
}
