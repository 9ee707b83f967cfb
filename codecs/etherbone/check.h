/* SPDX-License-Identifier: BSD-2-Clause */
/* What the parts of the one-message check share. */
#ifndef ETHERBONE_CHECK_H
#define ETHERBONE_CHECK_H

#include "etherbone/internal.h"
#include "etherbone/report.h"

enum gw_eb_reply_known {
    GW_EB_NOT_ASKED = 0,
    GW_EB_IS_REPLY,
    GW_EB_MAY_BE_REPLY, /* only writes, as a reply has them, between ports that do not tell */
    GW_EB_IS_NO_REPLY,
};

/* gw_eb_checking is one message being judged. */
typedef struct gw_eb_checking {
    gw_judge judge;
    const gw_message *message;
    gw_eb_reader reader;
    uint32_t last_offset; /* of the last record, when last_open */
    uint8_t reply;        /* gw_eb_reply_known */
    bool reads;           /* a record reads */
    bool last_open;       /* the last record leaves the cycle open */
} gw_eb_checking;

/* gw_eb_check_from_slave says whether the capture, or else its ports, tell that a slave sent |m|.
 */
bool gw_eb_check_from_slave(const gw_message *m);

/* gw_eb_check_is_reply says whether the message is judged as a slave's. It decodes the message
 * once more, so ask only when something looks wrong. */
bool gw_eb_check_is_reply(gw_eb_checking *c);

/* gw_eb_check_may_be_reply says whether a slave may have sent the message: what only a master owes
 * is not judged then. It costs what gw_eb_check_is_reply does. */
bool gw_eb_check_may_be_reply(gw_eb_checking *c);

/* gw_eb_check_rule returns the rule that the message's sender owes: |master|'s or |slave|'s. */
enum gw_eb_rule_place gw_eb_check_rule(gw_eb_checking *c, enum gw_eb_rule_place master,
                                       enum gw_eb_rule_place slave);

/* gw_eb_check_value judges |field| (GW_EB_F_...) of a group that begins at byte |start| by the rule
 * that its sender owes. True when |value| is legal. */
bool gw_eb_check_value(gw_eb_checking *c, enum gw_eb_rule_place master, enum gw_eb_rule_place slave,
                       int field, uint32_t start, uint64_t value);

/* gw_eb_check_record judges the record that the reader has just delivered. */
void gw_eb_check_record(gw_eb_checking *c, const gw_eb_record *record);

#endif
