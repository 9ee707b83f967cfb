/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the addresses that EtherBone reads and writes: from a file that a preference names, and
 * of each board from the SDB table that somebody reads in the capture. */
#ifndef DISSECTORS_REGISTERS_H
#define DISSECTORS_REGISTERS_H

#include "bridge.h"

#include <epan/prefs.h>

#include "names/message.h"

/* gw_ws_registers_register makes the field etherbone.register of |proto| and the preference
 * known. */
void gw_ws_registers_register(int proto, module_t *module);

/* gw_ws_registers_apply reads the file of the preference, when it is another one than before. What
 * is wrong with it is reported. */
void gw_ws_registers_apply(void);

/* gw_ws_registers_learn takes what |message| shows of a board's SDB table. For each message once,
 * in the capture's order. */
void gw_ws_registers_learn(const gw_message *message, const gw_dialect *dialect);

/* gw_ws_registers_for returns the names for |message|, in packet scope; NULL when it touches no
 * addresses, or nothing has a name. */
gw_message_names *gw_ws_registers_for(packet_info *pinfo, const gw_message *message,
                                      const gw_dialect *dialect);

/* gw_ws_registers_name returns what the address |address| of the bus is called, "leds", or
 * "ram+0x10" behind the first byte, in packet scope; NULL: nothing is known to lie there. */
const char *gw_ws_registers_name(const gw_message_names *names, packet_info *pinfo,
                                 uint64_t address);

/* gw_ws_registers_item follows the walk: |item| is shown as |added| in |tree|. An address and what
 * is written there get their register's name. */
void gw_ws_registers_item(gw_message_names *names, const gw_ws_place *place, proto_tree *tree,
                          const gw_item *item, proto_item *added);

#endif
