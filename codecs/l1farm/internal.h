/* SPDX-License-Identifier: BSD-2-Clause */
/* What the Level-1 farm codec's files share. */
#ifndef L1FARM_INTERNAL_H
#define L1FARM_INTERNAL_H

#include "core/bits.h"
#include "core/report.h"
#include "core/walk.h"
#include "goldwire/l1farm.h"

/* GW_L1_F_MAGIC ... and GW_L1_G_SHIM ..., numbered from l1farm.def */
#define GW_TABLE_DEF "l1farm/l1farm.def"
#define GW_ID(name) GW_L1_##name
#include "core/table_ids.h"
#undef GW_ID
#undef GW_TABLE_DEF

/* GET reads, and PUT writes, field |id| of the flat group at |p|. */
#define GET(p, id) gw_bits_get(p, GW_L1_FROM_##id, GW_L1_TO_##id, GW_L1_ORDER_OF_##id)
#define PUT(p, id, value) gw_bits_put(p, GW_L1_FROM_##id, GW_L1_TO_##id, GW_L1_ORDER_OF_##id, value)

/* GW_L1_COMMAND_MASK is the mask in a command symbol of the bits that the views |first| to |last|
 * read. */
#define GW_L1_COMMAND_MASK(first, last)                                                            \
    (UINT32_C(0xffff) >> (GW_L1_FROM_##first - GW_L1_FROM_SEND_COMMAND) &                          \
     UINT32_C(0xffff) << (GW_L1_TO_SEND_COMMAND - GW_L1_TO_##last))

/* gw_l1_headings tells what the places in its documents are headed by. */
extern const gw_heading gw_l1_headings[];

/* gw_l1_groups lists all groups. */
extern const gw_group *const gw_l1_groups[];

/* gw_l1_group returns group GW_L1_G_... */
const gw_group *gw_l1_group(int id);

/* gw_l1_field returns field GW_L1_F_... */
const gw_field *gw_l1_field(int id);

/* L1_S01 ... are the rules' places in gw_l1_rules. Places may change, ids may not. */
enum gw_l1_rule_place {
#define GW_L1_RULE(number, level, scope, clause, text, why) L1_##number,
#include "l1farm/l1farm_rules.def"
    L1_NUM_RULES
};

/* gw_l1_rules holds every rule, indexed by gw_l1_rule_place. */
extern const gw_rule gw_l1_rules[];

enum { GW_L1_NUM_DIALECTS = 9 };

/* gw_l1_dialects lists the dialects, strict first. */
extern const gw_dialect gw_l1_dialects[GW_L1_NUM_DIALECTS];

/* gw_l1_session judges conversations. */
extern const gw_session_ops gw_l1_session;

/* gw_l1_report reports that |rule| is broken in |field| (GW_L1_F_...) of a group that begins at
 * byte |start|; |text| and |numbers| as for gw_report. */
static inline void gw_l1_report(const gw_judge *judge, enum gw_l1_rule_place rule, int field,
                                uint32_t start, const char *text, const uint64_t *numbers)
{
    const gw_field *f = gw_l1_field(field);

    gw_report(judge, &gw_l1_rules[rule], f, start + f->byte, text, numbers);
}

/* gw_l1_sci_kind_by_length tells what |len| bytes of symbols can be when nobody else says. */
uint8_t gw_l1_sci_kind_by_length(uint32_t len);

/* gw_l1_sci_read reads what was captured of a packet of |len| bytes, |symbols|; of |out|, kind,
 * flags and ringlet are given. */
void gw_l1_sci_read(gw_l1_sci *out, gw_cursor symbols, uint32_t len, const gw_l1_profile *profile);

/* gw_l1_trace_read finds the next packet among |clocks|, behind which they begin then, its offset
 * counting from their base. False, and no move, when there is none. */
bool gw_l1_trace_read(gw_l1_traced *out, gw_cursor *clocks);

/* gw_l1_traced_len returns how many bytes of the symbols of |packet| are in it. */
static inline uint32_t gw_l1_traced_len(const gw_l1_traced *packet)
{
    return packet->len < sizeof packet->symbols ? packet->len : (uint32_t)sizeof packet->symbols;
}

/* gw_l1_data returns the data of |u|, which was read from |message|. */
static inline gw_cursor gw_l1_data(const gw_message *message, const gw_l1_unit *u)
{
    gw_cursor data = gw_cursor_over(message->data, message->cap_len);

    if (gw_cursor_skip(&data, u->data_offset)) /* it stood there before */
        gw_cursor_bound(&data, u->data_len);
    return data;
}

/* gw_l1_tid returns the transaction ID of |sci|. */
static inline uint8_t gw_l1_tid(const gw_l1_sci *sci)
{
    return sci->control % GW_L1_TID;
}

/* gw_l1_block_name returns "readsb" or "writesb", what |sci|, whose head is there, does with a few
 * bytes of a block; NULL: something else, or |profile| does not say where commands lie (S14). */
static inline const char *gw_l1_block_name(const gw_l1_sci *sci, const gw_l1_profile *profile)
{
    if (!profile->layout || (sci->command & profile->command_mask) >= 0x20)
        return NULL;
    return (sci->command & 0x10) != 0 ? "writesb" : "readsb";
}

/* gw_l1_ode_clusters returns how many clusters an ODE block of |len| bytes has room for. */
static inline uint32_t gw_l1_ode_clusters(uint32_t len)
{
    uint32_t around = GW_L1_BYTES_IN_ODE_HEADER + GW_L1_BYTES_IN_ODE_TRAILER;

    return len > around ? (len - around) / GW_L1_BYTES_IN_HIT : 0;
}

/* gw_l1_is_image says whether datagrams of |kind| carry the image of a little-endian memory. */
bool gw_l1_is_image(uint8_t kind, const gw_l1_profile *profile);

gw_error gw_l1_walk(const gw_message *message, const gw_dialect *dialect, gw_sink *sink);
void gw_l1_check(const gw_message *message, const gw_dialect *dialect, gw_verdict_sink *sink);
gw_transaction gw_l1_transaction(const gw_message *message, const gw_dialect *dialect,
                                 const gw_access_sink *accesses);

/* gw_l1_portion is the format's portion. */
bool gw_l1_portion(const gw_message *message, const gw_dialect *dialect, gw_portion *out);
void gw_l1_summary(const gw_message *message, const gw_dialect *dialect, gw_text *text);

/* gw_l1_claims says whether a datagram on an unknown port is surely one of the tunnel. */
bool gw_l1_claims(const gw_message *message);

/* gw_l1_introductions tells who talks the farm's protocol. */
extern const gw_introduction_ops gw_l1_introductions;

#endif
