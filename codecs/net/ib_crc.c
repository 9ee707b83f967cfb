/* SPDX-License-Identifier: BSD-2-Clause */
/* InfiniBand's two checksums. What routers and switches may change on the way is taken as ones. */
#include <string.h>

#include "goldwire/cursor.h"
#include "goldwire/ib.h"
#include "net/headers.h"

enum {
    IPV6_HEADER = 40,  /* bytes */
    IPV4_ID_FLAGS = 3, /* bytes of the identification and of the flags */
    MASKED = 5,        /* bytes of a packet up to what changes on the way */
};

#define CRC32_POLYNOMIAL 0xedb88320u /* reflected */
static const uint8_t ones[GW_IB_LRH] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

/* What an ICRC is over before a packet, with room for what the packet begins with: in one piece, as
 * several small ones take longer than their bytes do. */
typedef struct head {
    uint8_t bytes[GW_IB_LRH + IPV6_HEADER + GW_UDP_HEADER + MASKED];
    size_t len;
} head;

static void append(head *h, const uint8_t *bytes, size_t len)
{
    memcpy(h->bytes + h->len, bytes, len);
    h->len += len;
}

/* FECN, BECN and the reserved bits beside them count as ones. */
static uint32_t add_packet(const gw_env *env, uint32_t crc, head *h, const uint8_t *packet,
                           size_t len)
{
    if (len < MASKED) {
        crc = gw_crc32(env, crc, h->bytes, h->len);
        return gw_crc32(env, crc, packet, len);
    }
    append(h, packet, MASKED - 1);
    h->bytes[h->len++] = 0xff;
    crc = gw_crc32(env, crc, h->bytes, h->len);
    return gw_crc32(env, crc, packet + MASKED, len - MASKED);
}

/* The header of IPv6, or the GRH, which is one: traffic class, flow label and hop limit. */
static void mask_ipv6(uint8_t header[IPV6_HEADER])
{
    header[0] |= 0x0f;
    memset(header + 1, 0xff, 3);
    header[7] = 0xff;
}

static void mask_ipv4(uint8_t header[GW_IPV4_HEADER])
{
    header[GW_IPV4_TOS] = 0xff;
    header[GW_IPV4_TTL] = 0xff;
    memset(header + GW_IPV4_CHECKSUM, 0xff, 2);
}

uint32_t gw_ib_icrc_native(const gw_env *env, const uint8_t *lrh, const uint8_t *grh,
                           const uint8_t *packet, size_t len)
{
    head h = {{0}, 0};

    if (grh == NULL) {
        append(&h, lrh, GW_IB_LRH);
        h.bytes[0] |= 0xf0; /* the virtual lane */
    } else {
        append(&h, ones, GW_IB_LRH);
        append(&h, grh, GW_IB_GRH);
        mask_ipv6(h.bytes + GW_IB_LRH);
    }
    return add_packet(env, 0, &h, packet, len);
}

uint32_t gw_ib_icrc_roce(const gw_env *env, const uint8_t *lower, size_t lower_len,
                         const uint8_t *packet, size_t len)
{
    size_t base = lower_len > 0 && lower[0] >> 4 == 4 ? GW_IPV4_HEADER : IPV6_HEADER;
    uint32_t crc = 0;
    head h = {{0}, 0};

    append(&h, ones, GW_IB_LRH);
    if (lower_len < base + GW_UDP_HEADER)
        return add_packet(env, crc, &h, packet, len);
    append(&h, lower, base);
    if (base == GW_IPV4_HEADER)
        mask_ipv4(h.bytes + GW_IB_LRH);
    else
        mask_ipv6(h.bytes + GW_IB_LRH);
    if (lower_len > base + GW_UDP_HEADER) { /* options or further headers */
        crc = gw_crc32(env, crc, h.bytes, h.len);
        crc = gw_crc32(env, crc, lower + base, lower_len - base - GW_UDP_HEADER);
        h.len = 0;
    }
    append(&h, lower + lower_len - GW_UDP_HEADER, GW_UDP_HEADER);
    memset(h.bytes + h.len - GW_UDP_HEADER + GW_UDP_CHECKSUM, 0xff, 2);
    return add_packet(env, crc, &h, packet, len);
}

static void append_be16(head *h, size_t value)
{
    h->bytes[h->len++] = (uint8_t)(value >> 8);
    h->bytes[h->len++] = (uint8_t)value;
}

/* With the masks already, and identification 0. */
static void append_ip(head *h, const gw_endpoint *src, const gw_endpoint *dst, size_t udp_len)
{
    static const uint8_t v4[] = {0x40, 0x00, 0xff, 0x11, 0xff, 0xff}; /* do not fragment */
    static const uint8_t v6[] = {0x6f, 0xff, 0xff, 0xff};

    if (src->family == GW_FAMILY_IPV6) {
        append(h, v6, sizeof v6);
        append_be16(h, udp_len);
        append_be16(h, 0x11ff);
        append(h, src->ip, 16);
        append(h, dst->ip, 16);
    } else {
        append_be16(h, 0x45ff);
        append_be16(h, GW_IPV4_HEADER + udp_len);
        append_be16(h, 0);
        append(h, v4, sizeof v4);
        append(h, src->ip, 4);
        append(h, dst->ip, 4);
    }
}

uint32_t gw_ib_icrc_udp(const gw_env *env, const gw_endpoint *src, const gw_endpoint *dst,
                        const uint8_t *packet, size_t len)
{
    size_t udp_len = GW_UDP_HEADER + len + GW_IB_ICRC;
    head h = {{0}, 0};

    append(&h, ones, GW_IB_LRH);
    append_ip(&h, src, dst, udp_len);
    append_be16(&h, src->port);
    append_be16(&h, dst->port);
    append_be16(&h, udp_len);
    append_be16(&h, 0xffff);
    return add_packet(env, 0, &h, packet, len);
}

/* One bit of zero taken back: division by x, of the polynomials whose bit 31 stands for x^0. */
static uint32_t divide(uint32_t state)
{
    return state >> 31 != 0 ? (state ^ CRC32_POLYNOMIAL) << 1 | 1 : state << 1;
}

static uint32_t multiply(uint32_t a, uint32_t b)
{
    uint32_t product = 0;

    for (uint32_t bit = UINT32_C(1) << 31; bit != 0; bit >>= 1) {
        if ((a & bit) != 0)
            product ^= b;
        b = (b & 1) != 0 ? b >> 1 ^ CRC32_POLYNOMIAL : b >> 1;
    }
    return product;
}

/* Undoes what |len| zero bytes do to the state of a CRC-32, in as many steps as |len| has bits:
 * whoever sends wrong sums does not choose what they cost. */
static uint32_t step_back(uint32_t state, size_t len)
{
    uint32_t factor = UINT32_C(1) << 31;

    for (unsigned bit = 0; bit < 8; bit++)
        factor = divide(factor);
    for (; len > 0; len >>= 1) {
        if ((len & 1) != 0)
            state = multiply(state, factor);
        factor = multiply(factor, factor);
    }
    return state;
}

/* A CRC is linear: |difference| between the right value for identification 0 with DF and the one
 * that came is explained by another identification when, stepped back over all that follows, only
 * those bits are left. */
static bool is_by_id(uint32_t difference, size_t packet_len)
{
    size_t after = GW_IPV4_HEADER - GW_IPV4_ID - IPV4_ID_FLAGS + GW_UDP_HEADER + packet_len;
    uint32_t changed = step_back(difference, after + IPV4_ID_FLAGS);

    return (changed & ~(uint32_t)0x40ffff) == 0;
}

gw_ib_verdict gw_ib_judge_udp(const gw_env *env, const gw_endpoint *src, const gw_endpoint *dst,
                              const uint8_t *datagram, size_t len, bool any_id)
{
    if (len < GW_IB_ICRC)
        return GW_IB_NOT_JUDGED;
    len -= GW_IB_ICRC;
    uint32_t came = gw_load_le32(datagram + len);
    uint32_t due = gw_ib_icrc_udp(env, src, dst, datagram, len);
    if (came == due)
        return GW_IB_RIGHT;
    if (src->family == GW_FAMILY_IPV6)
        return GW_IB_WRONG;
    if (!any_id)
        return GW_IB_NOT_JUDGED;
    return is_by_id(came ^ due, len) ? GW_IB_RIGHT : GW_IB_WRONG;
}

/* Polynomial 0x100b, reflected, a nibble at a time. */
uint16_t gw_ib_vcrc(uint16_t crc, const uint8_t *data, size_t len)
{
    static const uint16_t table[16] = {0x0000, 0x1a01, 0x3402, 0x2e03, 0x6804, 0x7205,
                                       0x5c06, 0x4607, 0xd008, 0xca09, 0xe40a, 0xfe0b,
                                       0xb80c, 0xa20d, 0x8c0e, 0x960f};
    uint32_t state = (uint16_t)~crc;

    for (size_t i = 0; i < len; i++) {
        state ^= data[i];
        state = state >> 4 ^ table[state & 15];
        state = state >> 4 ^ table[state & 15];
    }
    return (uint16_t)~state;
}
