/* SPDX-License-Identifier: BSD-2-Clause */
/* The compressions whose libraries this goldwire was built with. */
#ifndef HARNESS_CAPTURE_UNPACK_LIBRARIES_H
#define HARNESS_CAPTURE_UNPACK_LIBRARIES_H

#include "unpack.h"

extern const gw_unpack_ops gw_unpack_gzip, gw_unpack_zstd, gw_unpack_lz4;

#ifdef GW_HAVE_GZIP
#define GW_UNPACK_GZIP (&gw_unpack_gzip)
#else
#define GW_UNPACK_GZIP NULL
#endif

#ifdef GW_HAVE_ZSTD
#define GW_UNPACK_ZSTD (&gw_unpack_zstd)
#else
#define GW_UNPACK_ZSTD NULL
#endif

#ifdef GW_HAVE_LZ4
#define GW_UNPACK_LZ4 (&gw_unpack_lz4)
#else
#define GW_UNPACK_LZ4 NULL
#endif

#endif
