/* SPDX-License-Identifier: BSD-2-Clause */
/* What the traces of TEXTAROSSA share. */
#ifndef GOLDEN_TEXTAROSSA_H
#define GOLDEN_TEXTAROSSA_H

#include "golden.h"
#include "goldwire/textarossa.h"

#define GOLDEN_TX_LINK (GW_LINK_USER0 + 6)

/* golden_tx is one trace in the making. */
typedef struct golden_tx {
    golden g;
    const gw_dialect *dialect;
} golden_tx;

/* The ends of every datagram. */
extern const gw_endpoint golden_tx_near, golden_tx_far;

/* golden_tx_draft returns a packet of |size| bytes to the far end, or |back| to the near one. */
gw_tx_draft golden_tx_draft(bool back, size_t size);

/* The traces. */
void golden_tx_arp(golden_tx *t);
void golden_tx_arp_broken(golden_tx *t);
void golden_tx_link(golden_tx *t);
void golden_tx_link_broken(golden_tx *t);
void golden_tx_link_rtl(golden_tx *t);
void golden_tx_link_edac(golden_tx *t);
void golden_tx_link_torus(golden_tx *t);

#endif
