/* SPDX-License-Identifier: BSD-2-Clause */
/* The building writer. */
#include "goldwire/writer.h"

#include <string.h>

void gw_store_be(uint8_t *p, uint64_t value, size_t len)
{
    /*@ loop invariant proven_inside: i <= len;
      @ loop assigns i, value, p[0 .. len - 1]; */
    for (size_t i = len; i > 0; i--) {
        p[i - 1] = (uint8_t)value;
        value >>= 8;
    }
}

void gw_store_le(uint8_t *p, uint64_t value, size_t len)
{
    /*@ loop invariant proven_inside: i <= len;
      @ loop assigns i, value, p[0 .. len - 1]; */
    for (size_t i = 0; i < len; i++) {
        p[i] = (uint8_t)value;
        value >>= 8;
    }
}

/* room for |len| more bytes, or NULL and full for good */
static uint8_t *reserve(gw_writer *w, size_t len)
{
    if (w->full || w->cap - w->len < len) {
        w->full = true;
        return NULL;
    }
    //@ assert proven_enough: w->len <= w->cap - len;
    uint8_t *p = w->buf + w->len;
    w->len += len;
    return p;
}

void gw_write_be(gw_writer *w, uint64_t value, size_t len)
{
    //@ split len;
    uint8_t *p = reserve(w, len);
    if (p != NULL)
        gw_store_be(p, value, len);
}

void gw_write_le(gw_writer *w, uint64_t value, size_t len)
{
    //@ split len;
    uint8_t *p = reserve(w, len);
    if (p != NULL)
        gw_store_le(p, value, len);
}

void gw_write_bytes(gw_writer *w, const void *data, size_t len)
{
    //@ split len;
    uint8_t *p = reserve(w, len);
    if (p != NULL && len > 0)
        memcpy(p, data, len);
}

void gw_write_zeros(gw_writer *w, size_t len)
{
    //@ split len;
    uint8_t *p = reserve(w, len);
    if (p != NULL && len > 0)
        memset(p, 0, len);
}
