/* SPDX-License-Identifier: BSD-2-Clause */
/* What a finding is, said of its packets. */
#ifndef GOLDWIRE_CAMPAIGN_NAME_H
#define GOLDWIRE_CAMPAIGN_NAME_H

#include "campaign/catch.h"

#define GW_FOUND_NAME 96
#define GW_FOUND_VARIANT 160

/* gw_found_name writes what |found| is called by what it does, not by when it was found: the
 * symptom, and the rule that the board breaks then (or the case that it fails); of a board that no
 * longer answers, or in time, what sets it off: a packet that cannot be read to its end, or the
 * rule that one breaks, else what is asked last and the field that is changed. Two campaigns give
 * one fault one name, once its packets are as few as can be. */
void gw_found_name(char out[GW_FOUND_NAME], const gw_found_context *context, const gw_catch *found);

/* gw_found_variant writes what is chance among findings of one name: "write, read, breaks EB-M01".
 * Returns |out|. */
const char *gw_found_variant(char *out, size_t cap, const gw_found_context *context,
                             const gw_catch *found);

/* gw_found_extent writes "3 packets", or that it takes none but those of the case. Returns |out|.
 */
const char *gw_found_extent(char *out, size_t cap, const gw_shots *shots);

/* gw_found_breaks returns the first rule that |shot| breaks by itself, or NULL; gw_found_changes
 * the first field that it has otherwise than what it was made from, or NULL; gw_found_kind what it
 * asks for, "read". */
const gw_rule *gw_found_breaks(const gw_found_context *context, const gw_shots *shots,
                               const gw_shot *shot);
const gw_field *gw_found_changes(const gw_found_context *context, const gw_shots *shots,
                                 const gw_shot *shot);
const char *gw_found_kind(const gw_found_context *context, const gw_shots *shots,
                          const gw_shot *shot);

/* gw_found_unreadable says whether |m| ends, or makes no sense, before its end. */
bool gw_found_unreadable(const gw_found_context *context, const gw_message *m);

/* gw_found_describe writes what |shot| is: "read, 16 bytes, breaks EB-M09, changed at
 * etherbone.version". Returns |out|. */
const char *gw_found_describe(char *out, size_t cap, const gw_found_context *context,
                              const gw_shots *shots, const gw_shot *shot);

/* gw_found_comment comments |num| shots from |first| on in |said|, where each went out in packet
 * |sent|, 0 for none; the last one also with what |anomaly| was seen then. */
void gw_found_comment(gw_evidence *said, const gw_found_context *context, const gw_shots *shots,
                      size_t first, size_t num, const unsigned *sent, const gw_anomaly *anomaly);

#endif
