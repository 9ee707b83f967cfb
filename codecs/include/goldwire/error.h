/* SPDX-License-Identifier: BSD-2-Clause */
/* Why a decode stopped: what kind of fault, at which byte, in which field. */
#ifndef GOLDWIRE_ERROR_H
#define GOLDWIRE_ERROR_H

#include "goldwire/base.h"
#include "goldwire/field.h"

GW_BEGIN_DECLS

typedef enum gw_error_kind {
    GW_OK = 0,
    GW_TRUNCATED,   /* the message ends before the field does */
    GW_MALFORMED,   /* the bytes contradict the format */
    GW_UNSUPPORTED, /* legal or unknown, and beyond what this codec can follow */
    GW_BUG,         /* goldwire's own fault; never the board's */
} gw_error_kind;

/* gw_error is where decoding stopped. Everything before |offset| was delivered; the rest of the
 * message is one undecoded leaf. |capture_cut| tells that the capture's snap length, not the
 * sender, ended the bytes. */
typedef struct gw_error {
    const gw_field *field; /* the field that does not fit; NULL only for GW_OK */
    uint32_t offset;       /* its first byte, from the start of the message */
    uint8_t kind;          /* gw_error_kind */
    bool capture_cut;
} gw_error;

/* gw_error_kind_name returns "truncated", "malformed", "unsupported", "bug" or "ok". */
GW_API const char *gw_error_kind_name(gw_error_kind kind);

/* gw_error_stopped returns what statistics call a message whose decoding |error|, not GW_OK, has
 * stopped: "Message ends too early". */
GW_API const char *gw_error_stopped(const gw_error *error);

GW_END_DECLS

#endif
