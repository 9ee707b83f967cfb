/* SPDX-License-Identifier: BSD-2-Clause */
/* What the cases for a TEXTAROSSA switch share: a packet goes in at one link or port and comes out
 * at another. */
#ifndef GOLDWIRE_FORMATS_TEXTAROSSA_SWITCH_SUITE_H
#define GOLDWIRE_FORMATS_TEXTAROSSA_SWITCH_SUITE_H

#include "formats/textarossa/suite.h"

/* What a board must have for them. */
#define GW_TXS_NEEDS GW_LIST("regs", "x-", "port0", "port1", "port2", "port3")

/* gw_txs_place tells the board where it is, and how large its lattice: values of COORDME_REG and
 * LATTICESIZE_REG. */
void gw_txs_place(gw_ctx *ctx, unsigned me, uint32_t lattice);

/* gw_txs_packet returns a packet to node |x| with |len| random bytes, which it puts into |payload|.
 */
gw_tx_draft gw_txs_packet(gw_ctx *ctx, unsigned x, uint8_t *payload, size_t len);

/* gw_txs_exit names the link or port of |hop|. */
const char *gw_txs_exit(const gw_tx_hop *hop);

/* gw_txs_drain takes what is left over from earlier, everywhere. The first time in a case it also
 * makes the switch know where we are at its ports. */
void gw_txs_drain(gw_ctx *ctx);

/* gw_txs_arrive waits for a packet on |link|; when it comes elsewhere, or not at all, |rule| is
 * broken. */
void gw_txs_arrive(gw_ctx *ctx, const char *link, gw_txc_got *got, const char *rule,
                   const char *what);

/* gw_txs_elsewhere takes a packet that has come at another place than |link|, and names that place;
 * NULL when none has. */
const char *gw_txs_elsewhere(gw_ctx *ctx, const char *link, gw_txc_got *got);

/* gw_txs_route sends |draft| in at |from| and wants it where routing says, with the header that it
 * says. */
void gw_txs_route(gw_ctx *ctx, unsigned me, uint32_t lattice, const char *from,
                  const gw_tx_draft *draft, gw_txc_got *got, const char *rule);

/* gw_txs_same_footer fails with |rule| unless |got| has the footer of |draft|. */
void gw_txs_same_footer(gw_ctx *ctx, const gw_txc_got *got, const gw_tx_draft *draft,
                        const char *rule);

/* gw_txs_inputs_work fails with |rule| unless a link and a port still take packets. */
void gw_txs_inputs_work(gw_ctx *ctx, const char *rule);

#endif
