/* SPDX-License-Identifier: BSD-2-Clause */
/* Looking back at what a master sent: findings of one rule, and counts of what it is about. */
#ifndef GOLDWIRE_FORMATS_ETHERBONE_MASTER_SCAN_H
#define GOLDWIRE_FORMATS_ETHERBONE_MASTER_SCAN_H

#include "formats/etherbone/master/suite.h"

/* gw_eb_master_finding is one finding against a message. */
typedef struct gw_eb_master_finding {
    const gw_rule *rule;
    const gw_field *field;
    uint32_t offset;
    char text[256];
} gw_eb_master_finding;

#define GW_EB_MASTER_MAX_FINDINGS 8 /* of one message; more tell nothing new */

/* gw_eb_master_scan is what was seen of one rule, and of what it is about. */
typedef struct gw_eb_master_scan {
    gw_verdict_sink sink; /* first */
    gw_ctx *ctx;
    const gw_dialect *dialect;
    const char *rule; /* that counts */
    void *session;
    gw_eb_master_finding findings[GW_EB_MASTER_MAX_FINDINGS]; /* of the message that is looked at */
    unsigned num_findings;
    bool found;
    bool known;                 /* of the dialect: what was found is nothing new */
    gw_eb_master_finding worst; /* the first finding against the rule */
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
} gw_eb_master_scan;

/* gw_eb_master_scan_reference scans the good exchanges, which become the evidence of the case,
 * for findings of |rule|. */
gw_eb_master_scan gw_eb_master_scan_reference(gw_ctx *ctx, const char *rule);

/* gw_eb_master_scan_exchange scans |exchange|, which the running case had, for findings of
 * |rule|. */
gw_eb_master_scan gw_eb_master_scan_exchange(gw_ctx *ctx, const gw_eb_master_exchange *exchange,
                                             const char *rule);

/* gw_eb_master_reads_status says whether |record|, in a packet of |layout|, reads the error
 * register and nothing else (spec 1012 to 1035: it begins the configuration space, whose addresses
 * have 16 bits). */
bool gw_eb_master_reads_status(const gw_eb_layout *layout, const gw_eb_record *record);

/* gw_eb_master_judge fails the case with the scan's rule when a finding was made. */
void gw_eb_master_judge(gw_ctx *ctx, const gw_eb_master_scan *scan);

#endif
