/* SPDX-License-Identifier: BSD-2-Clause */
/* What the IMS codec's files share. */
#ifndef IMS_INTERNAL_H
#define IMS_INTERNAL_H

#include "core/bits.h"
#include "core/report.h"
#include "core/walk.h"
#include "goldwire/ims.h"

/* GW_IMS_F_BTH_OPCODE ... and GW_IMS_G_BTH ..., numbered from ims.def */
#define GW_TABLE_DEF "ims/ims.def"
#define GW_ID(name) GW_IMS_##name
#include "core/table_ids.h"
#undef GW_ID
#undef GW_TABLE_DEF

/* GET reads, and PUT writes, field |id| of the flat group at |p|, whose words are in |order|. */
#define GET(p, id, order)                                                                          \
    gw_bits_get(p, GW_IMS_FROM_##id, GW_IMS_TO_##id, gw_ims_bytes_order(order))
#define PUT(p, id, order, value)                                                                   \
    gw_bits_put(p, GW_IMS_FROM_##id, GW_IMS_TO_##id, gw_ims_bytes_order(order), value)

/* gw_ims_bytes_order is the order of a group whose words are in |order|, as the table has it. */
static inline unsigned gw_ims_bytes_order(gw_ims_order order)
{
    return order == GW_IMS_BE32 ? GW_IMS_ORDER_IN_STATUS_B : GW_IMS_ORDER_IN_STATUS;
}

/* Where the groups of a status packet begin, and the parts of an image. */
enum {
    GW_IMS_KEY_AT = GW_IMS_BYTES_IN_STATUS,
    GW_IMS_MEMORY_AT = GW_IMS_KEY_AT + GW_IMS_BYTES_IN_QKEY,
    GW_IMS_IMAGE_CRC_BYTES = 4, /* with which it begins */
    GW_IMS_IMAGE_VA_AT = 8,
    GW_IMS_IMAGE_VA_BYTES = 8,
};

/* gw_ims_headings tells what the places in its documents are headed by. */
extern const gw_heading gw_ims_headings[];

/* gw_ims_groups lists all groups. */
extern const gw_group *const gw_ims_groups[];

/* gw_ims_group returns group GW_IMS_G_... */
const gw_group *gw_ims_group(int id);

/* gw_ims_field returns field GW_IMS_F_... */
const gw_field *gw_ims_field(int id);

/* IMS_C1 ... are the rules' places in gw_ims_rules. Places may change, ids may not. */
enum gw_ims_rule_place {
#define GW_IMS_RULE(number, level, scope, clause, text, why) IMS_##number,
#include "ims/ims_rules.def"
    IMS_NUM_RULES
};

/* gw_ims_rules holds every rule of IMS streaming, indexed by gw_ims_rule_place. */
extern const gw_rule gw_ims_rules[];

enum { GW_IMS_NUM_DIALECTS = 9 };

/* gw_ims_dialects lists the dialects, strict first. */
extern const gw_dialect gw_ims_dialects[GW_IMS_NUM_DIALECTS];

/* gw_ims_session judges conversations. */
extern const gw_session_ops gw_ims_session;

/* gw_ims_introductions tells which queue pairs are IMS's. */
extern const gw_introduction_ops gw_ims_introductions;

/* gw_ims_is_foreign says whether |message| is known to be nobody's of this protocol. */
static inline bool gw_ims_is_foreign(const gw_message *message)
{
    return message->ib != NULL && message->ib->foreign;
}

/* gw_ims_headers_len returns how many bytes of headers, from BTH on, |p| was read with. */
static inline uint32_t gw_ims_headers_len(const gw_ims_packet *p)
{
    uint32_t len = GW_IB_BTH;

    len += p->has_deth ? GW_IB_DETH : 0;
    len += p->has_reth ? GW_IB_RETH : 0;
    len += p->has_imm ? GW_IB_IMM : 0;
    return len;
}

/* gw_ims_kind_of says what a packet with |opcode| is whose body, above all headers and without
 * padding, has |body| bytes. */
gw_ims_kind gw_ims_kind_of(uint8_t opcode, uint32_t body);

/* gw_ims_has_deth, gw_ims_has_reth and gw_ims_has_imm say which headers follow the BTH. */
bool gw_ims_has_deth(uint8_t opcode);
bool gw_ims_has_reth(uint8_t opcode);
bool gw_ims_has_imm(uint8_t opcode);

/* gw_ims_is_mask says whether the events of a NACK are a mask in |dialect|. */
bool gw_ims_is_mask(const gw_ims_dialect *dialect);

/* gw_ims_report reports that |rule| is broken in |field| (GW_IMS_F_...) at byte |offset|; |text|
 * and |numbers| as for gw_report. */
static inline void gw_ims_report(const gw_judge *judge, enum gw_ims_rule_place rule, int field,
                                 uint32_t offset, const char *text, const uint64_t *numbers)
{
    gw_report(judge, &gw_ims_rules[rule], gw_ims_field(field), offset, text, numbers);
}

gw_error gw_ims_walk(const gw_message *message, const gw_dialect *dialect, gw_sink *sink);
void gw_ims_check(const gw_message *message, const gw_dialect *dialect, gw_verdict_sink *sink);
gw_transaction gw_ims_transaction(const gw_message *message, const gw_dialect *dialect,
                                  const gw_access_sink *accesses);

/* gw_ims_portion is the format's portion. */
bool gw_ims_portion(const gw_message *message, const gw_dialect *dialect, gw_portion *out);
void gw_ims_summary(const gw_message *message, const gw_dialect *dialect, gw_text *text);

#endif
