/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From goldwire's field tables to Wireshark: header fields, expert infos, and the tree.
 *
 * Nothing here reads a packet's bytes. The codec walks the message; the bridge shows the values
 * that the codec computed and marks the bytes that they came from. */
#ifndef DISSECTORS_BRIDGE_H
#define DISSECTORS_BRIDGE_H

#include "compat.h"

#include <epan/expert.h>
#include <epan/packet.h>

#include "goldwire/format.h"

/* Departures that have no rule: where decoding stopped, and why. */
typedef enum gw_ws_kind {
    GW_WS_TRUNCATED = 0,
    GW_WS_MALFORMED,
    GW_WS_UNSUPPORTED,
    GW_WS_BUG,
    GW_WS_CAPTURE_CUT,
    GW_WS_WAIVED,
    GW_WS_NUM_KINDS
} gw_ws_kind;

/* gw_ws_stop_fn tells where decoding |message| stops and why, as the walk does and faster. */
typedef gw_error (*gw_ws_stop_fn)(const gw_message *message, const gw_dialect *dialect);

struct gw_ws_objects;
struct gw_ws_tap;
struct gw_ws_track;
struct gw_ws_dialects;
struct gw_ws_ends;

/* gw_ws_bridge holds what Wireshark knows of one format. It lives as long as the program. */
typedef struct gw_ws_bridge {
    const gw_format *format;
    const char *column; /* the Protocol column, which is narrow */
    gw_ws_stop_fn stop; /* NULL: the walk tells */
    int proto;
    int ett;             /* the protocol's own subtree */
    int ett_fold;        /* of flags, and of what re-reads a field */
    int *hf;             /* header fields, group after group */
    uint16_t *first;     /* first[g]: the place in |hf| where group g begins */
    int *hf_container;   /* one a group, -1 unless it is a container */
    int *ett_container;  /* the same */
    expert_field *rules; /* one a rule */
    expert_field kinds[GW_WS_NUM_KINDS];
    unsigned *told;        /* how many broken rules were told of the message that is being shown */
    struct gw_ws_tap *tap; /* what its statistics listen to */
    struct gw_ws_objects *objects;   /* NULL: its messages carry no pieces of anything */
    struct gw_ws_track *track;       /* set by whoever registers the format; see track.h ... */
    struct gw_ws_dialects *dialects; /* ... dialects.h ... */
    struct gw_ws_ends *ends;         /* ... and ends.h */
} gw_ws_bridge;

struct gw_message_names;

/* gw_ws_place says where in Wireshark a message is shown. */
typedef struct gw_ws_place {
    tvbuff_t *tvb;
    packet_info *pinfo;
    proto_item *item;                   /* the protocol's item; NULL without a tree */
    proto_tree *tree;                   /* its subtree; NULL when nobody looks at it */
    uint32_t offset;                    /* of the message in |tvb| */
    struct gw_message_names *registers; /* names of its addresses, see registers.h; NULL: none */
} gw_ws_place;

/* gw_ws_finding is a finding that waits for its item in the tree. */
typedef struct gw_ws_finding gw_ws_finding;
struct gw_ws_finding {
    gw_ws_finding *next;
    const gw_rule *rule;
    const gw_field *field;
    const char *text;
    uint32_t offset;
    bool shown;
};

/* gw_ws_bridge_register registers |format|'s protocol, fields and rules and fills |bridge|.
 * |column| is the protocol's short name. |stop| may be NULL; it is used when there is no tree to
 * fill. */
void gw_ws_bridge_register(gw_ws_bridge *bridge, const gw_format *format, const char *column,
                           gw_ws_stop_fn stop);

/* gw_ws_bridge_group returns the number of |group| in the format, or -1. */
int gw_ws_bridge_group(const gw_ws_bridge *bridge, const gw_group *group);

/* gw_ws_bridge_check judges |message| alone and returns what was found, in packet scope. */
gw_ws_finding *gw_ws_bridge_check(const gw_ws_bridge *bridge, packet_info *pinfo,
                                  const gw_message *message, const gw_dialect *dialect);

/* gw_ws_bridge_show walks |message| into the tree and returns where decoding stopped. Findings are
 * shown at their field, those without one at the protocol's item. Without a tree it only tells
 * Wireshark's expert system. */
gw_error gw_ws_bridge_show(const gw_ws_bridge *bridge, const gw_ws_place *place,
                           const gw_message *message, const gw_dialect *dialect,
                           gw_ws_finding *findings);

/* gw_ws_bridge_expert tells Wireshark's expert system of a departure from |rule| at |item|; what
 * |dialect| is known for is told as a waiver. The first departure of a message ends its text in the
 * Info column. */
void gw_ws_bridge_expert(const gw_ws_bridge *bridge, packet_info *pinfo, proto_item *item,
                         const gw_rule *rule, const gw_dialect *dialect, const char *text);

#endif
