/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone's second judgement of a message: what it owes when it is known, by other means than
 * what it holds, to be a reply. */
#include "etherbone/rules.h"
#include "proof/message.h"

static void reply(const gw_message *message, const gw_dialect *dialect)
{
    gw_eb_check_reply(message, dialect, &verdicts);
}

void proof_reply(void)
{
    over_any(reply);
}
