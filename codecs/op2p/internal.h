/* SPDX-License-Identifier: BSD-2-Clause */
/* What the OP2P codec's files share. */
#ifndef OP2P_INTERNAL_H
#define OP2P_INTERNAL_H

#include "core/bits.h"
#include "core/report.h"
#include "core/walk.h"
#include "goldwire/op2p.h"

/* GW_OP2P_F_SRC_ID ... and GW_OP2P_G_HEADER ..., numbered from op2p.def */
#define GW_TABLE_DEF "op2p/op2p.def"
#define GW_ID(name) GW_OP2P_##name
#include "core/table_ids.h"
#undef GW_ID
#undef GW_TABLE_DEF

/* GET reads, and PUT writes, field |id| of the flat group at |p|. */
#define GET(p, id) gw_bits_get_msb0(p, GW_OP2P_FROM_##id, GW_OP2P_TO_##id)
#define PUT(p, id, value) gw_bits_put_msb0(p, GW_OP2P_FROM_##id, GW_OP2P_TO_##id, value)

/* gw_op2p_headings tells what the places in its documents are headed by. */
extern const gw_heading gw_op2p_headings[];

/* gw_op2p_groups lists all groups. */
extern const gw_group *const gw_op2p_groups[];

/* gw_op2p_group returns group GW_OP2P_G_... */
const gw_group *gw_op2p_group(int id);

/* gw_op2p_field returns field GW_OP2P_F_... */
const gw_field *gw_op2p_field(int id);

/* OP_E01 ... are the rules' places in gw_op2p_rules. Places may change, ids may not. */
enum gw_op2p_rule_place {
#define GW_OP2P_RULE(number, level, scope, clause, text, why) OP_##number,
#include "op2p/op2p_rules.def"
    OP_NUM_RULES
};

/* gw_op2p_rules holds every rule of OP2P, indexed by gw_op2p_rule_place. */
extern const gw_rule gw_op2p_rules[];

enum { GW_OP2P_NUM_DIALECTS = 2 };

/* gw_op2p_dialects lists the dialects, strict first. */
extern const gw_dialect gw_op2p_dialects[GW_OP2P_NUM_DIALECTS];

/* gw_op2p_session judges conversations. */
extern const gw_session_ops gw_op2p_session;

/* gw_op2p_report reports that |rule| is broken in |field| (GW_OP2P_F_...) of a packet whose header
 * begins at byte |start|; |text| and |numbers| as for gw_report. */
static inline void gw_op2p_report(const gw_judge *judge, enum gw_op2p_rule_place rule, int field,
                                  uint32_t start, const char *text, const uint64_t *numbers)
{
    const gw_field *f = gw_op2p_field(field);

    gw_report(judge, &gw_op2p_rules[rule], f, start + f->byte, text, numbers);
}

/* gw_op2p_damaged says whether an error on the link may have changed |packet|, which is not its
 * sender's fault. */
bool gw_op2p_damaged(const gw_op2p_packet *packet);

/* gw_op2p_get_tunnel and gw_op2p_get_event read the eight bytes before a PDU. */
gw_op2p_shim gw_op2p_get_tunnel(const uint8_t *p);
gw_op2p_shim gw_op2p_get_event(const uint8_t *p);

gw_error gw_op2p_walk(const gw_message *message, const gw_dialect *dialect, gw_sink *sink);
void gw_op2p_check(const gw_message *message, const gw_dialect *dialect, gw_verdict_sink *sink);
gw_transaction gw_op2p_transaction(const gw_message *message, const gw_dialect *dialect,
                                   const gw_access_sink *accesses);

/* gw_op2p_portion is the format's portion. */
bool gw_op2p_portion(const gw_message *message, const gw_dialect *dialect, gw_portion *out);
void gw_op2p_summary(const gw_message *message, const gw_dialect *dialect, gw_text *text);

/* gw_op2p_claims says whether a datagram on an unknown port is surely one of the tunnel. */
bool gw_op2p_claims(const gw_message *message);

/* gw_op2p_introductions tells who talks OP2P. */
extern const gw_introduction_ops gw_op2p_introductions;

#endif
