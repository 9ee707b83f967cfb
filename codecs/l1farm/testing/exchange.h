/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests: messages fed to the session one by one, and what it says of them. */
#ifndef L1FARM_TESTING_EXCHANGE_H
#define L1FARM_TESTING_EXCHANGE_H

#include "l1farm/session.h"
#include "l1farm/testing/frames.h"
#include "l1farm/testing/verdicts.h"

enum { MICROSECOND = 1000, GIVE_UP = 1000000, ROOM = 1 << 17 };

/* A conversation in progress. */
typedef struct exchange {
    verdicts v;
    const gw_dialect *dialect;
    uint64_t frame;
    int64_t now;
    uint8_t transport; /* gw_transport_kind */
    uint16_t port;     /* of who sends */
} exchange;

static uint64_t memory[ROOM];

static inline exchange begin(const char *dialect)
{
    exchange t = {.v = no_verdicts(), .dialect = gw_dialect_by_name(&gw_l1farm, dialect)};

    assert_non_null(t.dialect);
    assert_true(gw_l1_session.init(memory, sizeof memory, GIVE_UP));
    return t;
}

static inline void feed(exchange *t, const uint8_t *bytes, size_t len, uint8_t part)
{
    gw_message m = gw_message_of(bytes, len);

    m.part = part;
    m.transport = t->transport;
    m.src.port = t->port;
    m.frame = ++t->frame;
    m.time_ns = t->now += MICROSECOND;
    gw_l1_session.feed(memory, &m, t->dialect, &t->v.sink);
}

static inline void send(exchange *t, uint8_t part, const char *hex)
{
    uint8_t bytes[512];

    feed(t, bytes, gw_hex_bytes(bytes, sizeof bytes, hex), part);
}

#define assert_ends(t, expected)                                                                   \
    do {                                                                                           \
        gw_l1_session.end(memory, &(t)->v.sink);                                                   \
        assert_string_equal((t)->v.rules, expected);                                               \
    } while (0)

static inline void put(exchange *t, gw_l1_shim shim, const uint8_t *data)
{
    uint8_t bytes[GW_L1_SHIM + 1024];

    shim.version = 1;
    shim.little = true;
    gw_l1_put_shim(bytes, &shim);
    for (size_t i = 0; i < shim.length; i++)
        bytes[GW_L1_SHIM + i] = data[i];
    feed(t, bytes, GW_L1_SHIM + shim.length, GW_L1_TUNNEL);
}

static inline void fragment(exchange *t, uint8_t ru, uint16_t event, uint16_t dest, uint8_t buffer,
                            uint32_t step, uint16_t len)
{
    static const uint8_t zeros[1024];
    gw_l1_shim s = {
        .ru = ru, .event = event, .dest = dest, .buffer = buffer, .step = step, .length = len};

    put(t, s, zeros);
}

/* The prototype's schedule: three units, 26 nodes, two buffers; event e, unit r in step e + r. */
static inline void run_prototype(exchange *t, unsigned first, unsigned num)
{
    for (unsigned step = first; step < first + num + 2; step++) {
        for (unsigned ru = 0; ru < 3; ru++) {
            unsigned event = step - ru;
            if (step < first + ru || event >= first + num)
                continue;
            fragment(t, (uint8_t)ru, (uint16_t)event, (uint16_t)(event % 26),
                     (uint8_t)(event / 26 % 2), step, 128);
        }
    }
}

#endif
