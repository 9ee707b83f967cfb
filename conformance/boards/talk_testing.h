/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests: talking to a board in hexadecimal. Blanks are for the reader's eye. */
#ifndef GOLDWIRE_BOARDS_TALK_TESTING_H
#define GOLDWIRE_BOARDS_TALK_TESTING_H

#include <stdio.h>
#include <string.h>

#include "boards/mem_testing.h"
#include "harness/transport.h"

/* Long enough for any answer, in virtual or in real time. */
#define TALK_PATIENCE (INT64_C(10) * 1000000000)

static inline size_t unhex(uint8_t *out, const char *hex)
{
    size_t len = 0;
    unsigned digits = 0;
    for (; *hex != '\0'; hex++) {
        const char *p = strchr("0123456789abcdef", *hex);
        if (*hex == ' ')
            continue;
        assert_non_null(p);
        unsigned digit = (unsigned)(p - "0123456789abcdef");
        if (digits++ % 2 == 0)
            out[len] = (uint8_t)(digit << 4);
        else
            out[len++] |= (uint8_t)digit;
    }
    assert_int_equal(digits % 2, 0);
    return len;
}

static inline void say(gw_transport *t, const char *hex)
{
    uint8_t bytes[65536];
    assert_true(t->ops->send(t, bytes, unhex(bytes, hex)));
}

/* The next answer is exactly |hex|. */
static inline void hear(gw_transport *t, const char *hex)
{
    uint8_t expected[8192];
    uint8_t got[65536];
    size_t expected_len = unhex(expected, hex);
    size_t len = 0;
    while (len < expected_len) {
        size_t more = 0;
        assert_int_equal(t->ops->recv(t, got + len, sizeof(got) - len, &more,
                                      t->ops->now(t) + TALK_PATIENCE, NULL, NULL),
                         GW_RECV_DATA);
        len += more;
        if (!t->stream)
            break;
    }
    if (len != expected_len || memcmp(got, expected, len) != 0) {
        print_error("expected %s\n     got ", hex);
        for (size_t i = 0; i < len; i++)
            print_error("%02x", got[i]);
        print_error("\n");
    }
    assert_int_equal(len, expected_len);
    assert_memory_equal(got, expected, len);
}

/* No answer comes. |t| must be in memory, where waiting costs nothing. */
static inline void hear_nothing(gw_transport *t)
{
    uint8_t got[65536];
    size_t len;
    assert_int_equal(
        t->ops->recv(t, got, sizeof(got), &len, t->ops->now(t) + TALK_PATIENCE, NULL, NULL),
        GW_RECV_TIMEOUT);
}

static inline void hear_close(gw_transport *t)
{
    uint8_t got[64];
    size_t len;
    assert_int_equal(
        t->ops->recv(t, got, sizeof(got), &len, t->ops->now(t) + TALK_PATIENCE, NULL, NULL),
        GW_RECV_CLOSED);
}

static inline void ask(gw_transport *t, const char *request, const char *reply)
{
    say(t, request);
    hear(t, reply);
}

static inline gw_transport *talk_to(const char *role, const char *mutant, const char *dialect,
                                    bool stream)
{
    static gw_peer_config config;
    char why[256] = "";
    const gw_board *board;
    config = (gw_peer_config){0};
    if (!gw_peer_find(role, mutant, dialect, &board, &config, why, sizeof(why)))
        fail_msg("%s", why);
    gw_transport *t = mem_open(board, &config, stream, why, sizeof(why));
    if (t == NULL)
        fail_msg("%s", why);
    return t;
}

#endif
