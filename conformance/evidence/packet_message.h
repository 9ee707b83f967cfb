/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets of the evidence as the messages that they carried. */
#ifndef GOLDWIRE_EVIDENCE_PACKET_MESSAGE_H
#define GOLDWIRE_EVIDENCE_PACKET_MESSAGE_H

#include "evidence/evidence.h"

/* gw_evidence_message makes |out| what packet |number| carried, bytes of |format|: a message, or a
 * piece of a stream of them. |number| is its frame, the packet's line its stream; who calls and
 * through what is what |evidence| knows of its board. It borrows its bytes from |evidence|, until a
 * packet is added there or all are forgotten. False when there is no such packet, or it carried no
 * byte of |format|. */
GW_MUST_USE bool gw_evidence_message(gw_message *out, const gw_evidence *evidence, unsigned number,
                                     const gw_format *format);

#endif
