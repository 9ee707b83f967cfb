/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone cases: malformed packets. Whatever writes, writes into RAM that is ours: a board that
 * executes what it must not does no harm outside it. */
#include <string.h>

#include "formats/etherbone/malformed.h"

/* A packet that reads one harmless word, whose reply nobody waits for. */
static void make_read(gw_ctx *ctx, gw_ebc_request *request, uint8_t cycle, uint8_t byte_enable)
{
    uint64_t address;
    gw_eb_operation op = {.reads = &address, .num_reads = 1, .byte_enable = byte_enable};
    op.flags = gw_ebc_harmless(ctx, &address) | cycle;
    gw_ebc_make(ctx, request, &op, 1);
    gw_ebc_expire_return_address(ctx, request);
}

static size_t plain_read(gw_ctx *ctx, uint8_t *out)
{
    gw_ebc_request request;
    make_read(ctx, &request, GW_EB_CYC, gw_ebc_lanes(ctx));
    memcpy(out, request.bytes, request.len);
    return request.len;
}

/* ---- headers ---- */

static size_t one_byte(gw_ctx *ctx, uint8_t *out)
{
    (void)ctx;
    out[0] = 0x4e;
    return 1;
}

static size_t three_bytes(gw_ctx *ctx, uint8_t *out)
{
    (void)plain_read(ctx, out);
    return 3;
}

static size_t other_magic(gw_ctx *ctx, uint8_t *out)
{
    size_t len = plain_read(ctx, out);
    out[1] ^= 0x01;
    return len;
}

static size_t other_version(gw_ctx *ctx, uint8_t *out)
{
    size_t len = plain_read(ctx, out);
    out[2] = 2 << 4;
    return len;
}

static size_t no_widths(gw_ctx *ctx, uint8_t *out)
{
    size_t len = plain_read(ctx, out);
    out[3] = 0;
    return len;
}

static size_t nr_with_read(gw_ctx *ctx, uint8_t *out)
{
    size_t len = plain_read(ctx, out);
    out[2] |= GW_EB_NR;
    return len;
}

/* ---- probes ---- */

static size_t short_probe(gw_ctx *ctx, uint8_t *out)
{
    gw_eb_build_probe(out, false, 0xff, (uint32_t)gw_case_random(ctx));
    return 6;
}

static size_t empty_offer(gw_ctx *ctx, uint8_t *out)
{
    gw_eb_build_probe(out, false, 0, (uint32_t)gw_case_random(ctx));
    return 8;
}

static size_t stray_response(gw_ctx *ctx, uint8_t *out)
{
    gw_eb_build_probe(out, true, 0xff, (uint32_t)gw_case_random(ctx));
    return 8;
}

/* ---- records ---- */

static size_t no_address(gw_ctx *ctx, uint8_t *out)
{
    return plain_read(ctx, out) - gw_ebc_layout(ctx).addr_unit;
}

static size_t no_last_word(gw_ctx *ctx, uint8_t *out)
{
    gw_ebc_request request;
    char why[8];
    if (!gw_ebc_has(ctx, "ram", why, sizeof(why)))
        return 0;
    const uint64_t words[2] = {gw_ebc_word(ctx), gw_ebc_word(ctx)};
    gw_eb_operation op = {.writes = words,
                          .num_writes = 2,
                          .write_base = gw_ebc_ram(ctx, 16),
                          .flags = GW_EB_WFF | GW_EB_CYC,
                          .byte_enable = gw_ebc_lanes(ctx)};
    gw_ebc_make(ctx, &request, &op, 1);
    memcpy(out, request.bytes, request.len);
    return request.len - gw_ebc_layout(ctx).data_unit;
}

static size_t promise(gw_ctx *ctx, uint8_t *out)
{
    gw_eb_layout l = gw_ebc_layout(ctx);
    (void)plain_read(ctx, out);
    out[l.header_len + 3] = 255;
    return (size_t)l.header_len + l.record_header;
}

static size_t half_header(gw_ctx *ctx, uint8_t *out)
{
    (void)plain_read(ctx, out);
    return gw_ebc_layout(ctx).header_len + 2u;
}

static size_t stray_bytes(gw_ctx *ctx, uint8_t *out)
{
    size_t len = plain_read(ctx, out);
    memset(out + len, 0, 2);
    return len + 2;
}

static size_t open_cycle(gw_ctx *ctx, uint8_t *out)
{
    gw_ebc_request request;
    make_read(ctx, &request, 0, gw_ebc_lanes(ctx));
    memcpy(out, request.bytes, request.len);
    return request.len;
}

static size_t reserved_bits(gw_ctx *ctx, uint8_t *out)
{
    gw_ebc_request request;
    make_read(ctx, &request, GW_EB_CYC, gw_ebc_lanes(ctx));
    gw_ebc_set_reserved_bits(ctx, &request);
    memcpy(out, request.bytes, request.len);
    return request.len;
}

static size_t lanes_with_hole(gw_ctx *ctx, uint8_t *out)
{
    gw_ebc_request request;
    make_read(ctx, &request, GW_EB_CYC, 0x05);
    memcpy(out, request.bytes, request.len);
    return request.len;
}

void gw_ebc_set_reserved_bits(gw_ctx *ctx, gw_ebc_request *request)
{
    gw_eb_layout l = gw_ebc_layout(ctx);
    size_t at = gw_case_stream(ctx) ? 0 : l.header_len;
    uint8_t reserved = GW_EB_RESERVED_10 | GW_EB_RESERVED_01;
    if (!gw_case_stream(ctx))
        request->bytes[2] |= GW_EB_HEADER_RESERVED;
    for (size_t i = 4; i < at; i++)
        request->bytes[i] = 0xff;
    request->bytes[at] |= l.mirrored_flags ? gw_eb_flags_swap(reserved) : reserved;
    for (size_t i = 4; i < l.record_header; i++)
        request->bytes[at + i] = 0xff;
}

/* ---- all of them ---- */

typedef struct malformed {
    const char *what;
    const char *rule; /* of a board that does not survive it */
    size_t (*make)(gw_ctx *ctx, uint8_t *out);
    bool probe; /* what answers it looks like a probe response */
} malformed;

static const malformed cases[GW_EBC_NUM_MALFORMED] = {
    {"a datagram of one byte", "EB-S49", one_byte, false},
    {"a datagram of three bytes", "EB-S49", three_bytes, false},
    {"a packet with another magic", "EB-S01", other_magic, false},
    {"a packet of version 2", "EB-S02", other_version, false},
    {"a packet that names no widths", "EB-S45", no_widths, false},
    {"a read in a packet with NR", "EB-S29", nr_with_read, false},
    {"a probe of six bytes", "EB-S03", short_probe, true},
    {"a probe that offers no widths", "EB-S03", empty_offer, true},
    {"a probe response that nobody asked for", "EB-S03", stray_response, true},
    {"a read without its address", "EB-S42", no_address, false},
    {"a write without its last word", "EB-S42", no_last_word, false},
    {"a record that ends after promising 255 reads", "EB-S42", promise, false},
    {"half a record header", "EB-S42", half_header, false},
    {"two bytes behind the last record", "EB-S42", stray_bytes, false},
    {"a packet that leaves its cycle open", "EB-S33", open_cycle, false},
    {"a read with reserved bits set", "EB-S14", reserved_bits, false},
    {"a read of byte lanes with a hole", "EB-S23", lanes_with_hole, false},
};

const char *gw_ebc_malformed_rule(unsigned i)
{
    return cases[i].rule;
}

unsigned gw_ebc_send_malformed(gw_ctx *ctx, gw_connection *conn, unsigned i, const char **what)
{
    uint8_t bytes[GW_EBC_PACKET_MAX + 2];
    size_t len = cases[i].make(ctx, bytes);
    *what = cases[i].what;
    if (len == 0 || !gw_eb_survives(gw_case_dialect(ctx), bytes, len))
        return 0;
    unsigned number = gw_ebc_put(ctx, conn, bytes, len);
    gw_case_mark(ctx, number, "malformed: %s", cases[i].what);
    return number;
}

void gw_ebc_let_pass(gw_ctx *ctx, gw_connection *conn)
{
    gw_case_wait(conn, gw_case_settle_ns(ctx));
    gw_ebc_drain(ctx, conn);
}

/* The sign of life passes over what answers the malformed packet, for it comes first; only two
 * answers to probes cannot be told apart. */
const char *gw_ebc_inject_malformed(gw_ctx *ctx, unsigned i)
{
    const char *what;
    unsigned number = gw_ebc_send_malformed(ctx, gw_case_connection(ctx), i, &what);
    if (number == 0)
        return NULL;
    if (cases[i].probe || gw_ebc_state_of(ctx)->by_read)
        gw_ebc_let_pass(ctx, gw_case_connection(ctx));
    gw_case_expect_alive(ctx, cases[i].rule, what);
    return what;
}
