/* SPDX-License-Identifier: BSD-2-Clause */
/* SHA-256 of files and texts, as the 64 hexadecimal digits that sha256sum prints. */
#ifndef GOLDWIRE_DIGEST_H
#define GOLDWIRE_DIGEST_H

#include "goldwire/base.h"

#define GW_DIGEST_TEXT 65 /* 64 digits and the terminator */

/* gw_digest_bytes writes the digest of |len| bytes at |data| into |out|. */
void gw_digest_bytes(char out[GW_DIGEST_TEXT], const void *data, size_t len);

/* gw_digest_fd reads |fd| from its place to the end, a piece at a time, and writes how many bytes
 * there were and their digest. It stops after |max| bytes. False, with a text in |why|, when
 * reading fails or there are more. */
GW_MUST_USE bool gw_digest_fd(char out[GW_DIGEST_TEXT], uint64_t *size, int fd, uint64_t max,
                              char *why, size_t why_cap);

/* gw_digest_path does the same with the file |path|. */
GW_MUST_USE bool gw_digest_path(char out[GW_DIGEST_TEXT], uint64_t *size, const char *path,
                                uint64_t max, char *why, size_t why_cap);

/* gw_digest_is says whether |text| is a digest: 64 hexadecimal digits, lower case. */
GW_MUST_USE bool gw_digest_is(const char *text);

#endif
