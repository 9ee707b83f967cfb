/* SPDX-License-Identifier: BSD-2-Clause */
/* Looking back at what a master said: findings of one rule, and counts of what it is about. */
#ifndef GOLDWIRE_FORMATS_ETHERBONE_MASTER_SCAN_H
#define GOLDWIRE_FORMATS_ETHERBONE_MASTER_SCAN_H

#include "formats/etherbone/master/suite.h"

/* gw_ebm_fault is one finding against a message. */
typedef struct gw_ebm_fault {
    const gw_rule *rule;
    const gw_field *field;
    uint32_t offset;
    char text[256];
} gw_ebm_fault;

#define GW_EBM_MAX_FAULTS 8 /* of one message; more tell nothing new */

/* gw_ebm_scan is what was seen of one rule, and of what it is about. */
typedef struct gw_ebm_scan {
    gw_verdict_sink sink; /* first */
    gw_ctx *ctx;
    const gw_dialect *dialect;
    const char *rule; /* that counts */
    void *session;
    gw_ebm_fault faults[GW_EBM_MAX_FAULTS]; /* of the message that is looked at */
    unsigned num_faults;
    bool found;
    bool known;         /* of the dialect: what was found is nothing new */
    gw_ebm_fault worst; /* the first finding against the rule */
    unsigned frame;
    bool lost;       /* a stream: its records make no sense any more ... */
    bool was_lost;   /* ... or did not in an earlier connection */
    bool miscounted; /* some datagram has counts that do not fit */
    bool open;       /* a stream: the record before left its cycle open */
    /* counted */
    unsigned messages;
    unsigned probes;
    unsigned requests;
    unsigned decoded; /* of these */
    unsigned reading;
    unsigned writing_only;
    unsigned with_nr;
    unsigned padded; /* headers of 8 bytes */
    unsigned config_reads;
    unsigned status_reads;
    unsigned spanning;  /* records that go on with a cycle */
    unsigned left_open; /* datagrams that end in an open cycle */
    unsigned open_frame;
    unsigned several;   /* packets with several records that read */
    unsigned unchecked; /* bus operations since the last status read */
    unsigned most_unchecked;
} gw_ebm_scan;

/* gw_ebm_look_back scans the good conversations, which become the evidence of the case, for
 * findings of |rule|. */
gw_ebm_scan gw_ebm_look_back(gw_ctx *ctx, const char *rule);

/* gw_ebm_look_at scans |talk|, which the case that runs has held, for findings of |rule|. */
gw_ebm_scan gw_ebm_look_at(gw_ctx *ctx, const gw_ebm_talk *talk, const char *rule);

/* gw_ebm_judge fails the case with the scan's rule when a finding was made. */
void gw_ebm_judge(gw_ctx *ctx, const gw_ebm_scan *scan);

#endif
