/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the captures of the plugin's tests: reads lines, writes a pcap file to standard output.
 *
 *   udp TIME SRC DST HEX [CAP]            one datagram; CAP payload bytes of it are captured
 *   tcp TIME SRC DST SEQ ACK FLAGS HEX    one segment; FLAGS are letters of SAFRP, HEX "-" for none
 *   quote TIME SRC DST HEX                an ICMP "port unreachable" that quotes such a datagram
 *   foreign COUNT SEED                    datagrams that are not EtherBone: noise, DNS, near misses
 *
 * TIME is in seconds, SRC and DST are IPv4 "address:port". A line that starts with # is a comment.
 */
#include <arpa/inet.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static size_t parse_hex(const char *text, uint8_t *out)
{
    size_t n = 0;

    if (strcmp(text, "-") == 0)
        return 0;
    for (; text[0] != '\0'; text += 2) {
        unsigned byte;
        if (n == PAYLOAD_MAX || sscanf(text, "%2x", &byte) != 1 || text[1] == '\0')
            die("bad hex");
        out[n++] = (uint8_t)byte;
    }
    return n;
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

static size_t fill_dns(uint8_t *out)
{
    static const uint8_t rest[] = {0, 0, 1, 0, 1};
    size_t n = fill_random(out, 2);

    memcpy(out + n, "\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00", 10);
    n += 10;
    for (unsigned label = 0; label < 3; label++) {
        uint8_t len = (uint8_t)(1 + next_random() % 12);
        out[n++] = len;
        for (unsigned i = 0; i < len; i++)
            out[n++] = (uint8_t)('a' + next_random() % 26);
    }
    memcpy(out + n, rest, sizeof rest);
    return n + sizeof rest;
}

/* The magic by chance, everything after it noise: what a heuristic has to look twice at. */
static size_t fill_near_miss(uint8_t *out)
{
    size_t n = fill_random(out, 4 + next_random() % 200);

    out[0] = 'N';
    out[1] = 'o';
    return n;
}

static void write_foreign(unsigned count, uint64_t seed)
{
    uint8_t data[1500];

    random_state = seed * 2654435761u + 1;
    for (unsigned i = 0; i < count; i++) {
        end src = {{10, 1, (uint8_t)(i >> 8), (uint8_t)i},
                   (uint16_t)(20000 + next_random() % 9000)};
        end dst = {{10, 2, 0, 1}, (uint16_t)(30000 + next_random() % 9000)};
        size_t len;
        if (i % 4 == 0)
            len = fill_dns(data);
        else if (i % 50 == 1)
            len = fill_near_miss(data);
        else
            len = fill_random(data, 1 + next_random() % 300);
        write_datagram((uint64_t)i * 1000, &src, &dst, data, len, len);
    }
}

int main(void)
{
    static char line[4 * PAYLOAD_MAX];
    static char hex[3 * PAYLOAD_MAX];
    uint8_t data[PAYLOAD_MAX];
    char src[64], dst[64], flags[16];
    double time;
    unsigned seq, ack, cap, count;
    unsigned long long seed;

    write_file_header();
    while (fgets(line, sizeof line, stdin) != NULL) {
        line_number++;
        cap = PAYLOAD_MAX;
        if (sscanf(line, "udp %lf %63s %63s %26999s %u", &time, src, dst, hex, &cap) >= 4) {
            end from = parse_end(src), to = parse_end(dst);
            size_t len = parse_hex(hex, data);
            write_datagram((uint64_t)(time * 1e9 + 0.5), &from, &to, data, len, cap);
        } else if (sscanf(line, "quote %lf %63s %63s %26999s", &time, src, dst, hex) == 4) {
            end from = parse_end(src), to = parse_end(dst);
            size_t len = parse_hex(hex, data);
            write_quote((uint64_t)(time * 1e9 + 0.5), &from, &to, data, len);
        } else if (sscanf(line, "tcp %lf %63s %63s %u %u %15s %26999s", &time, src, dst, &seq, &ack,
                          flags, hex) == 7) {
            end from = parse_end(src), to = parse_end(dst);
            size_t len = parse_hex(hex, data);
            write_segment((uint64_t)(time * 1e9 + 0.5), &from, &to, seq, ack, flags, data, len);
        } else if (sscanf(line, "foreign %u %llu", &count, &seed) == 2) {
            write_foreign(count, seed);
        } else if (line[0] != '#' && line[0] != '\n') {
            die("not a line that I know");
        }
    }
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 4;
}
