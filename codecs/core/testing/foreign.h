/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests: what others send over UDP, by the thousands: names asked for, voice, clocks, calls,
 * tunnels, measurements, noise, and noise that begins as our formats do. */
#ifndef CORE_TESTING_FOREIGN_H
#define CORE_TESTING_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define GW_FOREIGN_MAX 1400  /* bytes of a datagram */
#define GW_FOREIGN_ROCE 4791 /* where those go that measure InfiniBand */

typedef enum gw_foreign_kind {
    GW_FOREIGN_NOISE = 0,
    GW_FOREIGN_DNS,
    GW_FOREIGN_DNS_ANSWER,
    GW_FOREIGN_RTP,
    GW_FOREIGN_RTCP,
    GW_FOREIGN_QUIC,
    GW_FOREIGN_QUIC_SHORT,
    GW_FOREIGN_NTP,
    GW_FOREIGN_DHCP,
    GW_FOREIGN_SNMP,
    GW_FOREIGN_STUN,
    GW_FOREIGN_SIP,
    GW_FOREIGN_SYSLOG,
    GW_FOREIGN_TFTP,
    GW_FOREIGN_VXLAN,
    GW_FOREIGN_GTP,
    GW_FOREIGN_WIREGUARD,
    GW_FOREIGN_COAP,
    GW_FOREIGN_PTP,
    GW_FOREIGN_IPERF,
    GW_FOREIGN_CONSTANT,   /* one byte, again and again */
    GW_FOREIGN_LIKE_EB,    /* "No", ... */
    GW_FOREIGN_LIKE_PROBE, /* ... and its version */
    GW_FOREIGN_LIKE_O2,    /* likewise for the tunnels */
    GW_FOREIGN_LIKE_L1,
    GW_FOREIGN_LIKE_TX,  /* a header for somebody else behind two zero words */
    GW_FOREIGN_UD_SEND,  /* perftest over RoCEv2: ... */
    GW_FOREIGN_UC_WRITE, /* ... its first, middle and last packets */
    GW_FOREIGN_RC_READ,
    GW_FOREIGN_KINDS
} gw_foreign_kind;

/* gw_foreign is where the sequence stands; a seed other than 0 begins one. */
typedef struct gw_foreign {
    uint64_t random;
    uint32_t count;
} gw_foreign;

static inline uint32_t gw_foreign_next(gw_foreign *f)
{
    f->random ^= f->random << 13;
    f->random ^= f->random >> 7;
    f->random ^= f->random << 17;
    return (uint32_t)(f->random >> 32);
}

static inline size_t gw_foreign_noise(gw_foreign *f, uint8_t *out, size_t len)
{
    for (size_t i = 0; i < len; i++)
        out[i] = (uint8_t)gw_foreign_next(f);
    return len;
}

/* |len| bytes of noise that begin with the |num| bytes of |begin|. */
static inline size_t gw_foreign_begin(gw_foreign *f, uint8_t *out, size_t len, const void *begin,
                                      size_t num)
{
    (void)gw_foreign_noise(f, out, len < num ? num : len);
    memcpy(out, begin, num);
    return len < num ? num : len;
}

static inline size_t gw_foreign_name(gw_foreign *f, uint8_t *out, bool answer)
{
    static const uint8_t question[] = {1, 0, 0, 1, 0, 0, 0, 0, 0, 0};
    static const uint8_t found[] = {0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0};
    static const uint8_t asked[] = {0, 0, 1, 0, 1};
    static const uint8_t address[] = {0xc0, 12, 0, 1, 0, 1, 0, 0, 1, 44, 0, 4};
    size_t n = gw_foreign_noise(f, out, 2);
    memcpy(out + n, answer ? found : question, sizeof question);
    n += sizeof question;
    for (unsigned label = 0; label < 3; label++) {
        uint8_t len = (uint8_t)(1 + gw_foreign_next(f) % 12);
        out[n++] = len;
        for (unsigned i = 0; i < len; i++)
            out[n++] = (uint8_t)('a' + gw_foreign_next(f) % 26);
    }
    memcpy(out + n, asked, sizeof asked);
    n += sizeof asked;
    if (!answer)
        return n;
    memcpy(out + n, address, sizeof address);
    return n + sizeof address + gw_foreign_noise(f, out + n + sizeof address, 4);
}

static inline size_t gw_foreign_text(gw_foreign *f, uint8_t *out, const char *text)
{
    size_t n = 0;
    while (text[n] != '\0') {
        out[n] = (uint8_t)text[n];
        n++;
    }
    for (unsigned more = gw_foreign_next(f) % 80; more > 0; more--)
        out[n++] = (uint8_t)(' ' + gw_foreign_next(f) % 95);
    return n;
}

/* A header of INFN's form, without its datagram's address, and a footer that is none of theirs. */
static inline size_t gw_foreign_like_tx(gw_foreign *f, uint8_t *out)
{
    unsigned words = 1 + gw_foreign_next(f) % 8;
    size_t len = 16 * ((size_t)words + 2);
    (void)gw_foreign_noise(f, out, len);
    memset(out + 2, 0, 4);
    out[0] = (uint8_t)(16 * words);
    out[1] = 0;
    return len;
}

/* A base transport header of |opcode| to a queue pair, then |more| bytes and the ICRC's four. */
static inline size_t gw_foreign_ib(gw_foreign *f, uint8_t *out, uint8_t opcode, size_t more)
{
    static const uint8_t rest[] = {0, 0xff, 0xff, 0, 0, 4, 0x12, 0};
    (void)gw_foreign_noise(f, out, 12 + more + 4);
    out[0] = opcode;
    memcpy(out + 1, rest, sizeof rest);
    out[9] = (uint8_t)(f->count >> 16);
    out[10] = (uint8_t)(f->count >> 8);
    out[11] = (uint8_t)f->count;
    return 12 + more + 4;
}

/* gw_foreign_fill writes the next datagram of |kind| to |out|, GW_FOREIGN_MAX bytes, and returns
 * its length. */
static inline size_t gw_foreign_fill(gw_foreign *f, gw_foreign_kind kind, uint8_t *out)
{
    static const uint8_t writes[] = {0x26, 0x27, 0x28, 0x2a}; /* first, middle, last, only */
    uint32_t r = gw_foreign_next(f);
    size_t some = r % 300;
    f->count++;
    switch (kind) {
    case GW_FOREIGN_DNS:
    case GW_FOREIGN_DNS_ANSWER:
        return gw_foreign_name(f, out, kind == GW_FOREIGN_DNS_ANSWER);
    case GW_FOREIGN_RTP:
        return gw_foreign_begin(f, out, 172, (uint8_t[]){0x80, r & 8, 0x12}, 3);
    case GW_FOREIGN_RTCP:
        return gw_foreign_begin(f, out, 28, (uint8_t[]){0x80, 0xc8, 0, 6}, 4);
    case GW_FOREIGN_QUIC:
        return gw_foreign_begin(f, out, 1200, (uint8_t[]){0xc3, 0, 0, 0, 1, 8}, 6);
    case GW_FOREIGN_QUIC_SHORT:
        return gw_foreign_begin(f, out, 20 + some, (uint8_t[]){0x40 | (r & 0x1f)}, 1);
    case GW_FOREIGN_NTP:
        return gw_foreign_begin(f, out, 48, (uint8_t[]){0x23, 2, 6, 0xe9, 0, 0}, 6);
    case GW_FOREIGN_DHCP:
        memset(out, 0, 300);
        (void)gw_foreign_noise(f, out + 4, 4);
        memcpy(out, (uint8_t[]){1, 1, 6, 0}, 4);
        memcpy(out + 236, (uint8_t[]){0x63, 0x82, 0x53, 0x63, 0x35, 1, 1, 0xff}, 8);
        return 300;
    case GW_FOREIGN_SNMP:
        return gw_foreign_begin(f, out, 46, "\x30\x2c\2\1\1\4\6public\xa0\x1f\2\4", 17);
    case GW_FOREIGN_STUN:
        return gw_foreign_begin(f, out, 20, "\0\1\0\0\x21\x12\xa4\x42", 8);
    case GW_FOREIGN_SIP:
        return gw_foreign_text(f, out, "NOTIFY sip:bench@lab.test SIP/2.0\r\nVia: ");
    case GW_FOREIGN_SYSLOG:
        return gw_foreign_text(f, out, "<34>1 2024-01-01T00:00:00Z lab su - ID47 - ");
    case GW_FOREIGN_TFTP:
        return gw_foreign_begin(f, out, 516, (uint8_t[]){0, 3, 0, f->count & 0xff}, 4);
    case GW_FOREIGN_VXLAN:
        return gw_foreign_begin(f, out, 100, "\x08\0\0\0\0\0\x2a\0", 8);
    case GW_FOREIGN_GTP:
        return gw_foreign_begin(f, out, 68, "\x30\xff\0\x3c", 4);
    case GW_FOREIGN_WIREGUARD:
        return gw_foreign_begin(f, out, 32 + 16 * (some / 16), "\4\0\0", 4);
    case GW_FOREIGN_COAP:
        return gw_foreign_begin(f, out, 24, (uint8_t[]){0x44, 1}, 2);
    case GW_FOREIGN_PTP:
        return gw_foreign_begin(f, out, 44, "\0\2\0\x2c\0\0\2", 8);
    case GW_FOREIGN_IPERF:
        memset(out, 0, 1400);
        out[2] = (uint8_t)(f->count >> 8);
        out[3] = (uint8_t)f->count;
        (void)gw_foreign_noise(f, out + 4, 8);
        return 1400;
    case GW_FOREIGN_CONSTANT:
        memset(out, (int)(r >> 8 & 0xff), 1 + some);
        return 1 + some;
    case GW_FOREIGN_LIKE_EB:
        return gw_foreign_begin(f, out, 13 + some, "No", 2); /* shorter ones may be probes */
    case GW_FOREIGN_LIKE_PROBE:
        return gw_foreign_begin(f, out, 13 + some, "No\x10", 3);
    case GW_FOREIGN_LIKE_O2:
        return gw_foreign_begin(f, out, 4 + some, "O2\1", 2 + (r >> 16 & 1));
    case GW_FOREIGN_LIKE_L1:
        return gw_foreign_begin(f, out, 4 + some, "L1\1", 2 + (r >> 16 & 1));
    case GW_FOREIGN_LIKE_TX:
        return gw_foreign_like_tx(f, out);
    case GW_FOREIGN_UD_SEND:
        return gw_foreign_ib(f, out, 0x64, 8 + 4 * (some / 4));
    case GW_FOREIGN_UC_WRITE:
        return gw_foreign_ib(f, out, writes[f->count % 4],
                             (f->count % 2 == 0 ? 16 : 0) + 4 * (some / 4));
    case GW_FOREIGN_RC_READ:
        return gw_foreign_ib(f, out, 0x0c, 16);
    default:
        return gw_foreign_noise(f, out, 1 + some);
    }
}

#endif
