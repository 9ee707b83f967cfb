/* SPDX-License-Identifier: BSD-2-Clause */
/* The building writer: structs to bytes in a buffer of fixed size. */
#ifndef GOLDWIRE_WRITER_H
#define GOLDWIRE_WRITER_H

#include "goldwire/base.h"

GW_BEGIN_DECLS

/* gw_writer appends to |cap| bytes at |buf|. The first write that does not fit sets |full|; from
 * then on nothing is written, so one look at the end is enough. */
typedef struct gw_writer {
    uint8_t *buf;
    size_t cap;
    size_t len;
    bool full;
} gw_writer;

/* gw_writer_over returns an empty writer over |cap| bytes at |buf|, which stay the caller's. */
static inline gw_writer gw_writer_over(void *buf, size_t cap)
{
    gw_writer w = {(uint8_t *)buf, cap, 0, false};
    return w;
}

/* gw_write_be appends |value| in |len| bytes, 1 to 8, most significant first; higher bits are cut.
 */
GW_API void gw_write_be(gw_writer *w, uint64_t value, size_t len);

/* gw_write_le appends |value| in |len| bytes, 1 to 8, least significant first; higher bits are cut.
 */
GW_API void gw_write_le(gw_writer *w, uint64_t value, size_t len);

/* gw_write_bytes appends |len| bytes. */
GW_API void gw_write_bytes(gw_writer *w, const void *data, size_t len);

/* gw_write_zeros appends |len| zero bytes. */
GW_API void gw_write_zeros(gw_writer *w, size_t len);

/* gw_store_be stores |value| in |len| bytes at |p|, 1 to 8, most significant first. */
GW_API void gw_store_be(uint8_t *p, uint64_t value, size_t len);

/* gw_store_le stores |value| in |len| bytes at |p|, 1 to 8, least significant first. */
GW_API void gw_store_le(uint8_t *p, uint64_t value, size_t len);

GW_END_DECLS

#endif
