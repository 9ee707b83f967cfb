/* SPDX-License-Identifier: BSD-2-Clause */
/* A message with other bytes. */
#include "goldwire/mutate.h"

gw_message gw_mutated(const gw_message *message, const uint8_t *data, size_t len)
{
    gw_message m = *message;

    m.data = data;
    m.cap_len = (uint32_t)len;
    m.len = (uint32_t)len + (message->len - message->cap_len);
    return m;
}
