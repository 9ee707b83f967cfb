/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames for the tests of this folder, header by header. */
#ifndef GOLDWIRE_NET_TEST_H
#define GOLDWIRE_NET_TEST_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#include "goldwire/net.h"

typedef struct frame {
    uint8_t bytes[4096];
    uint32_t len;
} frame;

static inline void put(frame *f, uint64_t value, uint32_t len)
{
    for (uint32_t i = len; i > 0; i--)
        f->bytes[f->len++] = (uint8_t)(value >> (8 * (i - 1)));
}

static inline void put_bytes(frame *f, const void *data, size_t len)
{
    memcpy(f->bytes + f->len, data, len);
    f->len += (uint32_t)len;
}

static inline void put_ethernet(frame *f, uint16_t type)
{
    put(f, 0x02000a000002, 6);
    put(f, 0x02000a000001, 6);
    put(f, type, 2);
}

/* 10.0.0.1 to 10.0.0.2; |flags_offset| as in the header. */
static inline void put_ipv4(frame *f, uint8_t protocol, uint16_t payload_len, uint16_t flags_offset)
{
    put(f, 0x4500, 2);
    put(f, 20u + payload_len, 2);
    put(f, 0x1234, 2);
    put(f, flags_offset, 2);
    put(f, 63, 1);
    put(f, protocol, 1);
    put(f, 0, 2);
    put(f, 0x0a000001, 4);
    put(f, 0x0a000002, 4);
}

/* fe80::1 to fe80::2. */
static inline void put_ipv6(frame *f, uint8_t next, uint16_t payload_len)
{
    put(f, 0x60000000, 4);
    put(f, payload_len, 2);
    put(f, next, 1);
    put(f, 64, 1);
    put(f, 0xfe80000000000000, 8);
    put(f, 1, 8);
    put(f, 0xfe80000000000000, 8);
    put(f, 2, 8);
}

static inline void put_udp(frame *f, uint16_t len)
{
    put(f, 60368, 2);
    put(f, 1234, 2);
    put(f, len, 2);
    put(f, 0xbeef, 2);
}

/* |words| is the data offset; the options are no-operations. */
static inline void put_tcp(frame *f, uint8_t words, uint8_t flags)
{
    put(f, 60368, 2);
    put(f, 1234, 2);
    put(f, 0x01020304, 4);
    put(f, 0x05060708, 4);
    put(f, (uint64_t)words << 4, 1);
    put(f, flags, 1);
    put(f, 0xffff, 2);
    put(f, 0, 4);
    for (int i = 5; i < words; i++)
        put(f, 0x01010101, 4);
}

/* Parses an exact copy of the frame's first |cap| bytes, so that a sanitizer sees every step
 * outside. The copy stays in |*copy| for the caller to free. */
static inline gw_net_status parse_copy(gw_net *net, unsigned link, const frame *f, uint32_t cap,
                                       uint32_t orig_len, uint8_t **copy)
{
    *copy = malloc(cap > 0 ? cap : 1);
    assert_non_null(*copy);
    memcpy(*copy, f->bytes, cap);
    return gw_net_parse(net, link, gw_cursor_over(*copy, cap), orig_len);
}

static inline gw_net_status parse(gw_net *net, unsigned link, const frame *f)
{
    return gw_net_parse(net, link, gw_cursor_over(f->bytes, f->len), f->len);
}

static inline void assert_fault(const gw_net *net, uint32_t offset, const char *begins)
{
    assert_non_null(net->fault);
    assert_memory_equal(net->fault, begins, strlen(begins));
    assert_int_equal(net->fault_offset, offset);
}

/* A frame whose headers, |headers| bytes, end in UDP or TCP, cut by the capture at every length:
 * either the cut is in a header and told there, or the payload is what is left of it. Then cut on
 * the wire: the lengths in the headers cannot hold any more. */
static inline void check_every_prefix(unsigned link, const frame *f, uint32_t headers)
{
    for (uint32_t cap = 0; cap <= f->len; cap++) {
        uint8_t *copy;
        gw_net net;
        gw_net_status status = parse_copy(&net, link, f, cap, f->len, &copy);
        if (cap < headers) {
            assert_int_equal(status, GW_NET_TRUNCATED);
            assert_non_null(net.fault);
            assert_true(net.fault_offset <= cap);
            assert_int_equal(gw_cursor_left(&net.payload), 0);
        } else {
            assert_int_equal(status, GW_NET_OK);
            assert_int_equal(net.payload_len, f->len - headers);
            assert_int_equal(gw_cursor_left(&net.payload), cap - headers);
            assert_int_equal(gw_cursor_offset(&net.payload), headers);
        }
        free(copy);

        status = parse_copy(&net, link, f, cap, cap, &copy);
        if (cap == f->len) {
            assert_int_equal(status, GW_NET_OK);
        } else {
            assert_true(status == GW_NET_TRUNCATED || status == GW_NET_MALFORMED);
            assert_non_null(net.fault);
            assert_true(net.fault_offset <= cap);
        }
        free(copy);
    }
}

/* A small generator, so that a test's run is the same everywhere (splitmix64). */
static inline uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

#endif
