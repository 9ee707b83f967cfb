/* SPDX-License-Identifier: BSD-2-Clause */
/* What the TEXTAROSSA cases beneath UDP share. */
#ifndef GOLDWIRE_FORMATS_TEXTAROSSA_WIRE_H
#define GOLDWIRE_FORMATS_TEXTAROSSA_WIRE_H

#include "formats/textarossa/suite.h"
#include "suite/wire.h"

/* GW_TXC_WIRE is what they need. */
#define GW_TXC_WIRE GW_LIST("ethernet", GW_NEEDS_RAW)

/* gw_txc_headers lets packets of several sizes come back and judges what lies beneath them by the
 * case's first rule. */
void gw_txc_headers(gw_ctx *ctx);

#endif
