/* SPDX-License-Identifier: BSD-2-Clause */
/* Checksums, and the way to bring faster ones. */
#ifndef GOLDWIRE_CHECKSUM_H
#define GOLDWIRE_CHECKSUM_H

#include "goldwire/base.h"

GW_BEGIN_DECLS

/* gw_env holds the checksum functions a codec calls. A NULL pointer to it, or a NULL member, means
 * the portable one below. All take the running value of an earlier call, 0 for the first, and may
 * be called piecewise over consecutive bytes. */
typedef struct gw_env {
    uint32_t (*crc32)(uint32_t crc, const uint8_t *data, size_t len);
    uint32_t (*crc32c)(uint32_t crc, const uint8_t *data, size_t len);
} gw_env;

/* gw_crc32 continues the CRC-32 of IEEE 802.3 (reflected polynomial 0xEDB88320, inverted at both
 * ends): of the nine characters "123456789" it is 0xCBF43926. */
GW_API uint32_t gw_crc32(const gw_env *env, uint32_t crc, const uint8_t *data, size_t len);

/* gw_crc32c continues the Castagnoli CRC (RFC 3720 12.1, reflected polynomial 0x82F63B78, inverted
 * at both ends): of "123456789" it is 0xE3069283. */
GW_API uint32_t gw_crc32c(const gw_env *env, uint32_t crc, const uint8_t *data, size_t len);

/* gw_inet_sum continues the one's complement sum of RFC 1071 over |len| bytes, big-endian words, an
 * odd last byte padded with zero (so only the last piece may be odd). Start with 0. */
GW_API uint32_t gw_inet_sum(uint32_t sum, const uint8_t *data, size_t len);

/* gw_inet_fold ends a sum: returns its complement, the value of a checksum field (host byte order).
 */
GW_API uint16_t gw_inet_fold(uint32_t sum);

GW_END_DECLS

#endif
