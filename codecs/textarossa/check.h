/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files that judge one message share. */
#ifndef TEXTAROSSA_CHECK_H
#define TEXTAROSSA_CHECK_H

#include "textarossa/internal.h"

/* gw_tx_checking is a message being judged. */
typedef struct gw_tx_checking {
    gw_judge judge;
    const gw_message *message;
    const gw_tx_dialect *d;
    gw_tx_packet p;
    gw_error error; /* of its decoding */
} gw_tx_checking;

/* gw_tx_report reports that |rule| is broken in |field| (GW_TX_F_...) at byte |offset|; |text| and
 * |numbers| as for gw_report. */
void gw_tx_report(const gw_judge *judge, enum gw_tx_rule_place rule, int field, uint32_t offset,
                  const char *text, const uint64_t *numbers);

/* gw_tx_report_header reports of a field of the header, named as in port layout; its place follows
 * from the packet's layout and byte order. */
void gw_tx_report_header(const gw_tx_checking *c, enum gw_tx_rule_place rule, int field,
                         const char *text, const uint64_t *numbers);

/* gw_tx_check_header judges the fields of a header that can be trusted. */
void gw_tx_check_header(const gw_tx_checking *c);

/* gw_tx_check_carrier judges the IP and UDP headers of a datagram. */
void gw_tx_check_carrier(const gw_tx_checking *c);

/* gw_tx_frame_fault says what is wrong with the length of the Ethernet frame that carried
 * |message|: a text for gw_report, whose number is that length; NULL when nothing is. */
const char *gw_tx_frame_fault(const gw_message *message);

/* gw_tx_check_link judges a run of beats, or those between two runs. */
void gw_tx_check_link(const gw_tx_checking *c);

#endif
