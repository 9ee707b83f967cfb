/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a station calls its faults. */
#ifndef ETHER_ETHER_FAULTS_H
#define ETHER_ETHER_FAULTS_H

#include "harness/ether.h"

enum { GW_ETHER_EXTRA = 4 }; /* bytes that faults may add to a packet */

/* gw_ether_fault_hears sees a frame of |len| bytes for the station, and says whether that is alive.
 */
GW_MUST_USE bool gw_ether_fault_hears(gw_ether *e, const gw_net *net, gw_net_status status,
                                      size_t len);

/* gw_ether_fault_takes changes a datagram, in a frame that ends at |end| or put together of a
 * |fragment|; false keeps it from the board. */
GW_MUST_USE bool gw_ether_fault_takes(gw_ether *e, gw_net *net, const uint8_t *end, bool fragment);

/* gw_ether_fault_padded returns how long a frame becomes of which |len| bytes are written, an ARP
 * reply if it |replies|. */
size_t gw_ether_fault_padded(const gw_ether *e, size_t len, bool replies);

/* gw_ether_fault_style changes how headers are filled. */
void gw_ether_fault_style(const gw_ether *e, gw_ip_style *style);

/* gw_ether_fault_header changes an IP packet of |len| bytes, before its checksum, and returns its
 * length. gw_ether_fault_sum returns the checksum that is sent for the right |sum|. */
size_t gw_ether_fault_header(const gw_ether *e, uint8_t *ip, size_t len);
uint16_t gw_ether_fault_sum(const gw_ether *e, uint16_t sum);

/* gw_ether_fault_reads is gw_net_arp. */
GW_MUST_USE bool gw_ether_fault_reads(const gw_ether *e, gw_arp *arp, gw_cursor payload);

/* gw_ether_fault_answers returns whom |arp|, which came |to_all| or not, is answered to; NULL is
 * nobody. |to| is who should be. */
const uint8_t *gw_ether_fault_answers(const gw_ether *e, const gw_arp *arp, bool to_all,
                                      const uint8_t *to);

/* gw_ether_fault_waiting returns where the datagram goes to that waits for |n|; NULL: nowhere. */
const uint8_t *gw_ether_fault_waiting(const gw_ether *e, const gw_ether_neighbour *n);

/* gw_ether_fault_knows returns where |whom| is taken to be, which is at |mac| or (NULL) unknown;
 * then |asked| is what is known of it, or NULL. *|anew| says whether it is asked for once more. */
const uint8_t *gw_ether_fault_knows(gw_ether *e, const gw_endpoint *whom,
                                    const gw_ether_neighbour *asked, const uint8_t *mac,
                                    bool *anew);

#endif
