/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which answer belongs to which request: the format's session, run once over a capture, and its
 * results, shown whenever a packet is.
 *
 * Wireshark dissects a packet as often as it likes and in any order, but the first time in capture
 * order. The session is fed in that first pass only; what it finds is kept by message until the
 * capture is closed. */
#ifndef DISSECTORS_TRACK_H
#define DISSECTORS_TRACK_H

#include <epan/prefs.h>

#include "bridge.h"
#include "stats/account.h"

/* gw_ws_track is the tracking of one format. */
typedef struct gw_ws_track gw_ws_track;

/* gw_ws_track_register registers the generated fields and expert infos of |bridge|'s format and
 * returns what keeps its conversations. Once a format, after the bridge. */
gw_ws_track *gw_ws_track_register(const gw_ws_bridge *bridge);

/* gw_ws_track_preferences adds to |module| what the user may say of the format's conversations:
 * after how many milliseconds of capture time a request is given up, |give_up_ms| unless told,
 * which |title| and |text| explain; and, where the format's session can tell the difference, that
 * nothing got lost, was repeated or overtook. What they are at the first message of a capture
 * counts. The texts have to live as long as the program. */
void gw_ws_track_preferences(gw_ws_track *track, module_t *module, unsigned give_up_ms,
                             const char *title, const char *text);

/* gw_ws_track_id names message number |ordinal| of a frame: the frame number itself for the first
 * one. */
uint64_t gw_ws_track_id(uint32_t frame, uint32_t ordinal);

/* gw_ws_track_id_at names the message that begins where |tvb| does: a frame may hold several, such
 * as copies that a switch sends to its controller. */
uint64_t gw_ws_track_id_at(const packet_info *pinfo, tvbuff_t *tvb);

/* gw_ws_track_feed gives the session its next message, called |id| from then on. */
void gw_ws_track_feed(gw_ws_track *track, const gw_message *message, const gw_dialect *dialect,
                      uint64_t id);

/* gw_ws_track_origin returns the id of the message that message |id| passes on; 0: none. */
uint64_t gw_ws_track_origin(gw_ws_track *track, uint64_t id);

/* gw_ws_track_show adds what is known of message |id| to the tree and to the expert system. */
void gw_ws_track_show(gw_ws_track *track, const gw_ws_place *place, const gw_dialect *dialect,
                      uint64_t id);

/* gw_ws_track_tell adds to |account| what gw_ws_track_show has shown of message |id|. */
void gw_ws_track_tell(gw_ws_track *track, packet_info *pinfo, const gw_dialect *dialect,
                      uint64_t id, gw_ws_account *account);

#endif
