/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests: a session that listens to a scripted conversation. Every message takes the next frame
 * number and comes a millisecond after the one before. Include cmocka first. */
#ifndef ETHERBONE_TESTING_CONVERSATION_H
#define ETHERBONE_TESTING_CONVERSATION_H

#include "etherbone/rules.h"
#include "etherbone/testing/exchange.h"

enum {
    CLIENT = 1, /* hosts: the last byte of their address */
    OTHER_CLIENT = 2,
    SERVER = 9,
    CLIENT_PORT = 40000,
    SERVICE_PORT = 60368,
    SESSION_BYTES = 256 * 1024,
    GIVE_UP_MS = 1000,
};

#define MS INT64_C(1000000)

static struct {
    uint64_t memory[SESSION_BYTES / 8];
    uint8_t bytes[4096]; /* of the latest message */
    exchange_log log;
    const gw_dialect *dialect;
    uint64_t frame;
    int64_t time_ns;
} exchange;

static inline void exchange_start_in(size_t cap)
{
    memset(&exchange, 0, sizeof exchange);
    exchange_log_clear(&exchange.log);
    exchange.time_ns = 1000 * MS;
    assert_true(gw_eb_session.init(exchange.memory, cap, GIVE_UP_MS * MS));
}

static inline void exchange_start(void)
{
    exchange_start_in(SESSION_BYTES);
}

static inline gw_endpoint client(void)
{
    return exchange_end(CLIENT, CLIENT_PORT);
}

static inline gw_endpoint server(void)
{
    return exchange_end(SERVER, SERVICE_PORT);
}

/* Feeds |m| as the next frame and returns its number. */
static inline uint64_t exchange_feed(gw_message m)
{
    exchange.time_ns += MS;
    m.frame = ++exchange.frame;
    m.frames[0] = m.frame;
    m.time_ns = exchange.time_ns;
    gw_eb_session.feed(exchange.memory, &m, exchange.dialect, &exchange.log.sink);
    return m.frame;
}

static inline uint64_t exchange_bytes(gw_endpoint from, gw_endpoint to, const void *bytes,
                                      size_t len)
{
    memcpy(exchange.bytes, bytes, len);
    return exchange_feed(exchange_message(exchange.bytes, len, from, to));
}

/* A packet of several records. Replies have NR, as they should. */
static inline uint64_t exchange_ops(gw_endpoint from, gw_endpoint to, uint8_t widths,
                                    const gw_eb_operation *ops, size_t num)
{
    size_t len = exchange_packet(exchange.bytes, sizeof exchange.bytes, widths, exchange.dialect,
                                 ops, num, true);
    return exchange_feed(exchange_message(exchange.bytes, len, from, to));
}

static inline uint64_t exchange_ask(gw_endpoint from, gw_endpoint to, uint64_t base, uint8_t n)
{
    gw_eb_operation op = exchange_read(base, n, GW_EB_BCA | GW_EB_CYC);
    return exchange_ops(from, to, 0x44, &op, 1);
}

static inline uint64_t exchange_reply(gw_endpoint from, gw_endpoint to, uint64_t base, uint8_t n)
{
    gw_eb_operation op = exchange_write(base, n, GW_EB_WCA | GW_EB_CYC);
    return exchange_ops(from, to, 0x44, &op, 1);
}

static inline uint64_t ask(uint64_t base, uint8_t n)
{
    return exchange_ask(client(), server(), base, n);
}

static inline uint64_t reply(uint64_t base, uint8_t n)
{
    return exchange_reply(server(), client(), base, n);
}

static inline uint64_t probe(gw_endpoint from, gw_endpoint to, uint8_t widths, uint32_t id)
{
    uint8_t bytes[8];
    gw_eb_build_probe(bytes, false, widths, id);
    return exchange_bytes(from, to, bytes, sizeof bytes);
}

static inline uint64_t probe_response(gw_endpoint from, gw_endpoint to, uint8_t widths, uint32_t id)
{
    uint8_t bytes[8];
    gw_eb_build_probe(bytes, true, widths, id);
    return exchange_bytes(from, to, bytes, sizeof bytes);
}

static inline void exchange_wait(int64_t ms)
{
    exchange.time_ns += ms * MS;
    gw_eb_session.advance(exchange.memory, exchange.time_ns, &exchange.log.sink);
}

static inline void exchange_stop(void)
{
    gw_eb_session.end(exchange.memory, &exchange.log.sink);
}

#endif
