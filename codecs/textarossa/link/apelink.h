/* SPDX-License-Identifier: BSD-2-Clause */
/* Cutting an APElink into messages: packets from MAGIC to footer, and the credits between them. */
#ifndef TEXTAROSSA_APELINK_H
#define TEXTAROSSA_APELINK_H

#include "goldwire/format.h"

/* gw_ape_stream cuts byte streams of beats, a beat as wide as the dialect's word, least significant
 * byte first. */
extern const gw_stream_ops gw_ape_stream;

/* gw_ape_unwrap takes off what precedes the beats in a frame of link type 153: a version (1), a
 * direction (0 received, 1 sent), the width of a beat in bytes and a byte of flags. As gw_link's.
 */
bool gw_ape_unwrap(gw_message *message, const gw_dialect *dialect);

/* gw_ape_wrap writes these four bytes for |message|. */
size_t gw_ape_wrap(const gw_message *message, uint8_t *out, size_t cap);

#endif
