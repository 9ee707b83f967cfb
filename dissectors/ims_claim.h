/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which InfiniBand packets are IMS streaming: nothing in them says so. */
#ifndef DISSECTORS_IMS_CLAIM_H
#define DISSECTORS_IMS_CLAIM_H

#include "compat.h"

#include <epan/packet.h>

#include "goldwire/ims.h"

/* gw_ws_ims_claims says whether |message| is surely of IMS streaming: a status packet or a response
 * that is plausible in every field, or anything on a queue pair that a status packet before it
 * named. What a status packet names is remembered until the capture is closed; to be called in the
 * first pass, in capture order. */
bool gw_ws_ims_claims(const gw_message *message, const gw_dialect *dialect);

/* gw_ws_ims_claims_init forgets what captures before named; once a program. */
void gw_ws_ims_claims_init(void);

#endif
