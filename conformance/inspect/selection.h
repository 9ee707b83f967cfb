/* SPDX-License-Identifier: BSD-2-Clause */
/* Which traffic is whose: formats by port, dialects by address, as the user chose them. */
#ifndef INSPECT_SELECTION_H
#define INSPECT_SELECTION_H

#include "goldwire/announce.h"
#include "goldwire/base.h"
#include "goldwire/format.h"
#include "goldwire/message.h"
#include "goldwire/net.h"

#define GW_SELECTION_DIALECTS 64

/* gw_dialect_choice gives a dialect to the traffic of a host. */
typedef struct gw_dialect_choice {
    const gw_format *format;
    const gw_dialect *dialect;
    gw_endpoint host; /* family GW_FAMILY_NONE: every host; port 0: every port */
} gw_dialect_choice;

/* gw_link_is_private says whether |link_type| is one that anybody may use for anything. */
bool gw_link_is_private(uint32_t link_type);

/* gw_link_is_bare says whether frames of |link_type| may be messages of a format as they are, with
 * nothing around them: on private link types, and on InfiniBand. */
static inline bool gw_link_is_bare(uint32_t link_type)
{
    return (link_type >= GW_LINK_USER0 && link_type <= GW_LINK_USER15) ||
           link_type == GW_LINK_INFINIBAND;
}

/* gw_selection is what the options of a verb say. The port tables hold an index into gw_formats
 * plus one, 0 for unknown ports. */
typedef struct gw_selection {
    const gw_format *proto; /* takes all traffic on unknown ports; NULL: nobody does */
    gw_dialect_choice dialects[GW_SELECTION_DIALECTS];
    size_t num_dialects;
    uint8_t udp[UINT16_MAX + 1];
    uint8_t tcp[UINT16_MAX + 1];
} gw_selection;

/* gw_selection_init knows the formats' own ports, and no wishes yet. */
void gw_selection_init(gw_selection *s);

/* gw_selection_proto applies `--proto |name|`. False with a text for people in |why|. */
GW_MUST_USE bool gw_selection_proto(gw_selection *s, const char *name, char *why, size_t why_cap);

/* gw_selection_dialect applies `--dialect |text|`, D[@HOST[:PORT]]. Every format that has a dialect
 * D gets it. False with a text for people in |why|. */
GW_MUST_USE bool gw_selection_dialect(gw_selection *s, const char *text, char *why, size_t why_cap);

/* gw_selection_udp returns the format of a UDP datagram between two ports, the destination's first;
 * NULL when neither is known and no format was forced. */
const gw_format *gw_selection_udp(const gw_selection *s, uint16_t src, uint16_t dst);

/* gw_selection_tcp does the same for a TCP connection; formats that do not travel over streams are
 * never forced on one. */
const gw_format *gw_selection_tcp(const gw_selection *s, uint16_t src, uint16_t dst);

/* gw_selection_link returns how frames of |link_type| are read, and puts the format in *|format|;
 * NULL when they are nobody's. The format that the capture itself tells of, |said| or NULL, or else
 * a forced one, takes all private link types; otherwise the formats' own ones count, InfiniBand
 * among them. */
const gw_link *gw_selection_link(const gw_selection *s, uint32_t link_type,
                                 const gw_announcement *said, const gw_format **format);

/* gw_selection_pick returns the dialect for traffic of |format| between two ends: of the choices
 * that match either end the most specific one, of equals the last given; "strict" when none does.
 */
const gw_dialect *gw_selection_pick(const gw_selection *s, const gw_format *format,
                                    const gw_endpoint *src, const gw_endpoint *dst);

/* gw_selection_choice does the same; NULL when no choice matches. */
const gw_dialect *gw_selection_choice(const gw_selection *s, const gw_format *format,
                                      const gw_endpoint *src, const gw_endpoint *dst);

/* gw_selection_pick_said does the same; where no choice matches, what the capture itself says
 * counts: |said|, of that format or NULL. */
static inline const gw_dialect *
gw_selection_pick_said(const gw_selection *s, const gw_format *format, const gw_announcement *said,
                       const gw_endpoint *src, const gw_endpoint *dst)
{
    const gw_dialect *chosen = NULL;

    if (s->num_dialects > 0) /* few captures need any, and this is asked of every message */
        chosen = gw_selection_choice(s, format, src, dst);
    if (chosen != NULL)
        return chosen;
    return said != NULL && said->dialect != NULL ? said->dialect : &format->dialects[0];
}

/* gw_format_find returns the format called |name|. NULL, with the names that exist and the nearest
 * one in |why|, when there is none. */
const gw_format *gw_format_find(const char *name, char *why, size_t why_cap);

#endif
