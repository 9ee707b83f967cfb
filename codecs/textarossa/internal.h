/* SPDX-License-Identifier: BSD-2-Clause */
/* What the TEXTAROSSA codec's files share. */
#ifndef TEXTAROSSA_INTERNAL_H
#define TEXTAROSSA_INTERNAL_H

#include "core/report.h"
#include "core/walk.h"
#include "goldwire/textarossa.h"

/* GW_TX_F_VIRT_CHAN ... and GW_TX_G_HEADER ..., numbered from textarossa.def */
#define GW_TABLE_DEF "textarossa/textarossa.def"
#define GW_ID(name) GW_TX_##name
#include "core/table_ids.h"
#undef GW_ID
#undef GW_TABLE_DEF

/* gw_tx_bits reads bits |from| to |to| of |word|, at most 64 of them; gw_tx_set_bits writes the low
 * bits of |value| there. */
static inline uint64_t gw_tx_bits(gw_tx_word word, unsigned from, unsigned to)
{
    uint64_t value = from < 64 ? word.lo >> from : word.hi >> (from - 64);

    if (from < 64 && to >= 64)
        value |= word.hi << (64 - from);
    return value & UINT64_MAX >> (63 - (to - from));
}

static inline void gw_tx_set_bits(gw_tx_word *word, unsigned from, unsigned to, uint64_t value)
{
    uint64_t mask = UINT64_MAX >> (63 - (to - from));

    value &= mask;
    if (from < 64)
        word->lo = (word->lo & ~(mask << from)) | value << from;
    if (from >= 64)
        word->hi = (word->hi & ~(mask << (from - 64))) | value << (from - 64);
    else if (to >= 64)
        word->hi = (word->hi & ~(mask >> (64 - from))) | value >> (64 - from);
}

/* GET reads, and PUT writes, field |id| of the word |w|. */
#define GET(w, id) gw_tx_bits(w, GW_TX_FROM_##id, GW_TX_TO_##id)
#define PUT(w, id, value) gw_tx_set_bits(&(w), GW_TX_FROM_##id, GW_TX_TO_##id, value)

/* gw_tx_may_be_credit says whether |word| has nothing but zeros where a credit is not used. */
static inline bool gw_tx_may_be_credit(gw_tx_word word)
{
    return GET(word, CREDIT_UNUSED) == 0 && GET(word, CREDIT_UNUSED_HIGH) == 0;
}

/* gw_tx_headings tells what the places in its documents are headed by. */
extern const gw_heading gw_tx_headings[];

/* gw_tx_groups lists all groups. */
extern const gw_group *const gw_tx_groups[];

/* gw_tx_group returns group GW_TX_G_... */
const gw_group *gw_tx_group(int id);

/* gw_tx_field returns field GW_TX_F_... */
const gw_field *gw_tx_field(int id);

/* TX_E1 ... are the rules' places in gw_tx_rules. Places may change, ids may not. */
enum gw_tx_rule_place {
#define GW_TX_RULE(number, level, scope, clause, text, why) TX_##number,
#include "textarossa/textarossa_rules.def"
    TX_NUM_RULES
};

/* gw_tx_rules holds every rule of TEXTAROSSA, indexed by gw_tx_rule_place. */
extern const gw_rule gw_tx_rules[];

enum { GW_TX_NUM_DIALECTS = 8 };

/* gw_tx_dialects lists the dialects, strict first. */
extern const gw_dialect gw_tx_dialects[GW_TX_NUM_DIALECTS];

/* gw_tx_session judges conversations. */
extern const gw_session_ops gw_tx_session;

/* gw_tx_has_carrier says whether |message| came through an Ethernet port: what stands around it is
 * the format's then. */
bool gw_tx_has_carrier(const gw_message *message);

/* gw_tx_detect returns the byte order in which the header of datagram |message| names the address
 * and port that the datagram goes to; GW_TX_ORDER_DETECT when none does, or more than one. */
gw_tx_order gw_tx_detect(const gw_message *message, const gw_tx_dialect *dialect);

/* gw_tx_scan is a walk that also fills a packet. */
typedef struct gw_tx_scan {
    gw_walk w;
    gw_tx_packet *p;
    const gw_tx_dialect *d;
} gw_tx_scan;

/* gw_tx_scan_over starts a scan of |message| to |sink|, which may be NULL, and clears |out|. */
gw_tx_scan gw_tx_scan_over(gw_tx_packet *out, const gw_message *message,
                           const gw_tx_dialect *dialect, gw_sink *sink);

/* gw_tx_scan_message walks |message| to |sink|, which may be NULL, and fills |out|. */
gw_error gw_tx_scan_message(gw_tx_packet *out, const gw_message *message,
                            const gw_tx_dialect *dialect, gw_sink *sink);

/* gw_tx_scan_link walks a GW_TX_PART_LINK, gw_tx_scan_idle a GW_TX_PART_IDLE. */
void gw_tx_scan_link(gw_tx_scan *s);
void gw_tx_scan_idle(gw_tx_scan *s);

/* gw_tx_take_flat takes a flat group; gw_tx_take_string a string of |len| bytes that is there as a
 * whole or not at all; gw_tx_take_run what there is of |len| bytes of payload, or of padding. False
 * where bytes are missing. gw_tx_derive tells a derived number. */
GW_MUST_USE bool gw_tx_take_flat(gw_tx_scan *s, int group);
GW_MUST_USE bool gw_tx_take_string(gw_tx_scan *s, int group, int field, size_t len);
GW_MUST_USE bool gw_tx_take_run(gw_tx_scan *s, bool is_payload, size_t len);
void gw_tx_derive(gw_tx_scan *s, int field, uint64_t value, uint32_t offset);

/* gw_tx_take_header takes a header word and judges its check byte; |edac_is_on| as for
 * gw_tx_edac_judge, |judged| says whether it is judged at all. */
GW_MUST_USE bool gw_tx_take_header(gw_tx_scan *s, bool judged, bool edac_is_on);

/* gw_tx_take_footer takes a footer word and tells whose it is. */
bool gw_tx_take_footer(gw_tx_scan *s);

/* gw_tx_take_payload copies |len| bytes of the payload of |packet| from byte |from| on as they lie
 * in memory. False when not all of them are there. */
GW_MUST_USE bool gw_tx_take_payload(const gw_tx_packet *packet, size_t from, uint8_t *out,
                                    size_t len);

gw_error gw_tx_walk(const gw_message *message, const gw_dialect *dialect, gw_sink *sink);
void gw_tx_check(const gw_message *message, const gw_dialect *dialect, gw_verdict_sink *sink);
gw_transaction gw_tx_transaction(const gw_message *message, const gw_dialect *dialect,
                                 const gw_access_sink *accesses);
void gw_tx_summary(const gw_message *message, const gw_dialect *dialect, gw_text *text);
bool gw_tx_claims(const gw_message *message);

/* gw_tx_introductions tells who talks TEXTAROSSA in datagrams. */
extern const gw_introduction_ops gw_tx_introductions;

#endif
