/* SPDX-License-Identifier: BSD-2-Clause */
/* What goldwire and a simulator say to each other over a local socket.
 *
 * Messages are framed as Remote-Port 4.3 frames them, so that tools that know it can read along: a
 * header of five 32-bit words, then a body, all big endian. What is said is stricter: the simulator
 * stands still between its answer to a SYNC and the next SYNC, so neither side ever waits for what
 * the other may say unasked, and simulated time alone decides what happens when.
 *
 *   message    goes        body
 *   HELLO      both ways   u16 4, u16 3, u32 length of what follows the first 12 bytes, u32 0;
 *                          then "GWCS", i8 exponent of the time unit (-12), u8 N, u16 version of
 *                          what is not Remote-Port's (GW_WIRE_VERSION), and for each of N ports u8
 * number, u8 kind, u8 bytes of a beat, u8 flags WRITE      to sim      GW_WIRE_BUS bytes, then
 * data: a frame, a chunk of words, or a write on a bus; the response's time is when the last beat
 * was taken from sim    the same, posted: a frame or a chunk; its time is that of its last beat
 *   READ       to sim      GW_WIRE_BUS bytes; the response carries the data
 *   INTERRUPT  to sim      u64 time, u64 0, u32 line, u32 level: a reset wire
 *   SYNC       to sim      u64 until; the response's u64 is the time at which it stands still now
 *   NOP        from sim    u64 now: a sign of life, about every half second of the wall's clock
 *   END        both ways   from the simulator u64 now
 *   MARK       to sim      32 characters: what is going on, for the waves
 *   ERROR      both ways   u64 now, text: what is wrong, before it ends, or why it has to
 *   FINDING    from sim    u64 now, u32 port, u32 which (enum gw_hdl_breach), u64 how often so far
 *   FLOW       to sim      u32 lane, u32 on, u32 of, u32 share, u32 seed: of port |device|, when it
 *                          begins to offer a beat (lane 0) or is ready for one (lane 1): in the
 *                          first |on| of |of| cycles in turn, or, when |of| is 0, by chance, in
 *                          |share| of 10^9 cycles. A reset begins it anew. Not optional: a
 *                          simulator that does not know it ends
 *   EDGES      to sim      u64 from, u64 to: what were the signals of this port?
 *              from sim    the response, and posted some clock edges behind the first FINDING of a
 *                          kind: u64 now, u64 the time of the finding (else 0), u32 which, u32 N,
 *                          and N times what they were from a clock edge on until the next one that
 *                          is told of their lane: u64 time, u32 number of the edge, from any on,
 *                          of 30 bits, u32 wires (two bits each: 0, 1, or 2 unknown), u8 lane
 *                          (0 to the core, 1 from it), u8 B, u16 0, B bytes of data, u64 keep,
 *                          u64 which bytes are unknown. Only the last GW_WIRE_EDGES_MAX of a lane
 *                          are kept. Wires from the lowest bits: valid, ready, last, start of a
 *                          stream or link; stb, cyc, we, stall, ack, err, rty of a bus that is
 *                          watched, whose data are half address, half data. Of registers, the same
 *                          data to the core, and what comes from it in lane 1: hdl/gw_wb, gw_axil
 *
 * Version 1 of this has EDGES; there was none before.
 */
#ifndef GW_HDL_WIRE_H
#define GW_HDL_WIRE_H

#include <stdint.h>

#define GW_WIRE_HEADER 20      /* command, length, id, flags, device (the port) */
#define GW_WIRE_BUS 38         /* time, attributes, address, length, width, stream width, master */
#define GW_WIRE_BODY (1 << 20) /* at most: longer ones are an error */
#define GW_WIRE_MAJOR 4
#define GW_WIRE_MINOR 3
#define GW_WIRE_VERSION 1 /* of what is not Remote-Port's */
#define GW_WIRE_EDGES_MAX 2048
#define GW_WIRE_EDGES_HEAD 24
#define GW_WIRE_EDGE 36 /* and its data */
#define GW_WIRE_LANES 2
#define GW_WIRE_FLOW_LEN 20
#define GW_WIRE_FLOW_SCALE 1000000000u
#define GW_WIRE_MARK 32
#define GW_WIRE_MAX_PORTS 16
#define GW_WIRE_MAX_BEAT 64
#define GW_WIRE_MAGIC UINT32_C(0x47574353) /* "GWCS" */

enum gw_wire_command {
    GW_WIRE_NOP = 0,
    GW_WIRE_HELLO = 1,
    GW_WIRE_READ = 3,
    GW_WIRE_WRITE = 4,
    GW_WIRE_INTERRUPT = 5,
    GW_WIRE_SYNC = 6,
    GW_WIRE_END = 0x47570001,
    GW_WIRE_MARK_CASE = 0x47570002,
    GW_WIRE_ERROR = 0x47570003,
    GW_WIRE_FINDING = 0x47570004,
    GW_WIRE_EDGES = 0x47570005,
    GW_WIRE_FLOW = 0x47570006,
};

enum gw_wire_flag {
    GW_WIRE_OPTIONAL = 1,
    GW_WIRE_RESPONSE = 2,
    GW_WIRE_POSTED = 4,
    GW_WIRE_FREE = 0x100,  /* of a SYNC: what comes from the core does not stop it */
    GW_WIRE_CLEAR = 0x200, /* of an INTERRUPT: what is on its way through all ports is forgotten */
};

/* Attributes of a WRITE or READ. */
#define GW_WIRE_LAST 1u          /* the end of a frame or chunk */
#define GW_WIRE_BUS_ERROR 0x100u /* of a response: the bus said error, or nothing at all */

/* gw_wire_head is the header of a message. */
typedef struct gw_wire_head {
    uint32_t command;
    uint32_t len; /* of the body */
    uint32_t id;  /* a response has its request's */
    uint32_t flags;
    uint32_t port;
} gw_wire_head;

/* gw_wire_bus is how the body of a WRITE or READ begins. */
typedef struct gw_wire_bus {
    uint64_t time_ps;
    uint64_t attributes;
    uint64_t address;
    uint32_t len;   /* bytes of data */
    uint32_t width; /* of a beat; of an access to a bus, its byte enables as a mask */
} gw_wire_bus;

static inline void gw_wire_put16(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)(v >> 8);
    p[1] = (uint8_t)v;
}

static inline void gw_wire_put32(uint8_t *p, uint32_t v)
{
    gw_wire_put16(p, v >> 16);
    gw_wire_put16(p + 2, v & 0xffff);
}

static inline void gw_wire_put64(uint8_t *p, uint64_t v)
{
    gw_wire_put32(p, (uint32_t)(v >> 32));
    gw_wire_put32(p + 4, (uint32_t)v);
}

static inline uint32_t gw_wire_get16(const uint8_t *p)
{
    return (uint32_t)p[0] << 8 | p[1];
}

static inline uint32_t gw_wire_get32(const uint8_t *p)
{
    return gw_wire_get16(p) << 16 | gw_wire_get16(p + 2);
}

static inline uint64_t gw_wire_get64(const uint8_t *p)
{
    return (uint64_t)gw_wire_get32(p) << 32 | gw_wire_get32(p + 4);
}

static inline void gw_wire_put_head(uint8_t *p, const gw_wire_head *head)
{
    gw_wire_put32(p, head->command);
    gw_wire_put32(p + 4, head->len);
    gw_wire_put32(p + 8, head->id);
    gw_wire_put32(p + 12, head->flags);
    gw_wire_put32(p + 16, head->port);
}

static inline gw_wire_head gw_wire_get_head(const uint8_t *p)
{
    gw_wire_head head = {gw_wire_get32(p), gw_wire_get32(p + 4), gw_wire_get32(p + 8),
                         gw_wire_get32(p + 12), gw_wire_get32(p + 16)};
    return head;
}

static inline void gw_wire_put_bus(uint8_t *p, const gw_wire_bus *bus)
{
    gw_wire_put64(p, bus->time_ps);
    gw_wire_put64(p + 8, bus->attributes);
    gw_wire_put64(p + 16, bus->address);
    gw_wire_put32(p + 24, bus->len);
    gw_wire_put32(p + 28, bus->width);
    gw_wire_put32(p + 32, bus->width);
    gw_wire_put16(p + 36, 0);
}

static inline gw_wire_bus gw_wire_get_bus(const uint8_t *p)
{
    gw_wire_bus bus = {gw_wire_get64(p), gw_wire_get64(p + 8), gw_wire_get64(p + 16),
                       gw_wire_get32(p + 24), gw_wire_get32(p + 28)};
    return bus;
}

#endif
