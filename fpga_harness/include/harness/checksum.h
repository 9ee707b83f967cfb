/* SPDX-License-Identifier: BSD-2-Clause */
/* Checksums as fast as the processor: ISA-L's, for codecs that are given them. */
#ifndef HARNESS_CHECKSUM_H
#define HARNESS_CHECKSUM_H

#include "goldwire/checksum.h"

/* gw_fast_env computes what the portable functions compute. */
extern const gw_env gw_fast_env;

#endif
