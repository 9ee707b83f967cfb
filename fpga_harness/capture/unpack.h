/* SPDX-License-Identifier: BSD-2-Clause */
/* Compressed files, unpacked as they are read: one layer beneath all readers of captures. */
#ifndef HARNESS_CAPTURE_UNPACK_H
#define HARNESS_CAPTURE_UNPACK_H

#include "goldwire/base.h"
#include "goldwire/cursor.h"

#define GW_PACKER_MAGIC 4 /* bytes that tell a compression */

/* GW_UNPACK_GROWTH is how much larger than itself a file may become, once it has become larger than
 * GW_UNPACK_GRACE. gzip (1032) and lz4 (255) never come near; captures that zstd packs do not
 * either, since every packet brings a time of its own; what is made to fill disks does. */
#define GW_UNPACK_GROWTH 10000
#define GW_UNPACK_GRACE ((uint64_t)64 << 20)

/* gw_unpack_io is what one step reads and writes; both ends advance. */
typedef struct gw_unpack_io {
    const uint8_t *in;
    size_t in_len;
    uint8_t *out;
    size_t out_len;
    const char *why; /* of a fault */
} gw_unpack_io;

typedef enum gw_unpack_step {
    GW_UNPACK_MORE = 0, /* inside of what is compressed */
    GW_UNPACK_WHOLE,    /* a piece that stands alone has ended; another one may follow */
    GW_UNPACK_FAULT,
} gw_unpack_step;

/* gw_unpack_ops is one compression. */
typedef struct gw_unpack_ops {
    void *(*open)(void); /* NULL when memory is short */
    gw_unpack_step (*step)(void *state, gw_unpack_io *io);
    void (*close)(void *state);
} gw_unpack_ops;

/* gw_packer is a compression that is known by the first bytes of a file. */
typedef struct gw_packer {
    uint8_t magic[GW_PACKER_MAGIC];
    uint8_t magic_len;
    const char *name;
    const char *command;      /* that unpacks a file to standard output */
    const char *missing;      /* what to say when it cannot be unpacked here, behind its name */
    const gw_unpack_ops *ops; /* NULL: it cannot */
} gw_packer;

/* gw_packer_of returns what |start|, the first bytes of a file, are compressed with, or NULL. */
const gw_packer *gw_packer_of(gw_cursor start);

/* gw_unpacker reads a compressed file. */
typedef struct gw_unpacker gw_unpacker;

/* gw_unpacker_new unpacks by |packer|, which has ops. |start| is what was read of the file already.
 * NULL when memory is short. */
gw_unpacker *gw_unpacker_new(const gw_packer *packer, gw_cursor start);

/* gw_unpacker_read unpacks up to |len| bytes to |out|, reading |fd| when it needs more: 0 at the
 * end, -1 and errno when reading fails or the file does not hold (gw_unpacker_fault then). */
ptrdiff_t gw_unpacker_read(gw_unpacker *u, int fd, void *out, size_t len);

/* gw_unpacker_fault says what is wrong with the file, NULL when nothing was found, and in |*offset|
 * at which byte of it. */
const char *gw_unpacker_fault(const gw_unpacker *u, uint64_t *offset);

/* gw_unpacker_free frees everything; NULL is allowed. */
void gw_unpacker_free(gw_unpacker *u);

#endif
