/* SPDX-License-Identifier: BSD-2-Clause */
/* Puts the command where Wireshark looks for programs that capture. */
#ifndef GOLDWIRE_EXTCAP_INSTALL_H
#define GOLDWIRE_EXTCAP_INSTALL_H

/* gw_extcap_install links this program into the folders where Wireshark looks for this user, tells
 * where, and returns a gw_exit. */
int gw_extcap_install(void);

#endif
