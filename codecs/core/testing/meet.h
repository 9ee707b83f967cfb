/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests: what a format claims on unknown ports, and whom its messages introduce. Include cmocka
 * first. */
#ifndef CORE_TESTING_MEET_H
#define CORE_TESTING_MEET_H

#include <stdlib.h>

#include "core/testing/hex.h"
#include "goldwire/format.h"

/* gw_meet_sample is a message, and what is to be said of it. */
typedef struct gw_meet_sample {
    const char *hex;
    uint8_t part;
    uint8_t transport;
    bool is_claimed;   /* on whatever port */
    bool is_plausible; /* on the format's own */
} gw_meet_sample;

/* gw_meet_message goes from 192.168.0.3 to 192.168.0.2, port 0xfa62. */
static inline gw_message gw_meet_message(uint8_t *bytes, size_t cap, const gw_meet_sample *sample)
{
    gw_message m = gw_message_of(bytes, gw_hex_bytes(bytes, cap, sample->hex));
    m.part = sample->part;
    m.transport = sample->transport;
    m.frame = 1;
    m.src = (gw_endpoint){.ip = {192, 168, 0, 3}, .port = 0xfa62, .family = GW_FAMILY_IPV4};
    m.dst = (gw_endpoint){.ip = {192, 168, 0, 2}, .port = 0xfa62, .family = GW_FAMILY_IPV4};
    return m;
}

/* gw_meet_check fails the test where |format| says something else than the |num| samples. A message
 * that is plausible introduces its ends, and from then on whatever they say is the format's. */
static inline void gw_meet_check(const gw_format *format, const gw_meet_sample *samples, size_t num)
{
    const gw_introduction_ops *ops = format->introductions;
    void *state = malloc(ops->size);

    assert_non_null(state);
    for (size_t i = 0; i < num; i++) {
        const gw_meet_sample broken = {"00", samples[i].part, samples[i].transport, false, false};
        uint8_t bytes[512], other[1];
        gw_message m = gw_meet_message(bytes, sizeof bytes, &samples[i]);
        gw_message next = gw_meet_message(other, sizeof other, &broken);

        ops->init(state);
        if (format->claims(&m) != samples[i].is_claimed)
            fail_msg("sample %zu: claimed or not, otherwise than meant", i);
        assert_false(ops->knows(state, &m));
        if (ops->meet(state, &m, NULL) != samples[i].is_plausible)
            fail_msg("sample %zu: plausible or not, otherwise than meant", i);
        assert_int_equal(ops->knows(state, &next), samples[i].is_plausible);
        next.dst.port = 99;
        assert_false(ops->knows(state, &next));
    }
    free(state);
}

#endif
