/* SPDX-License-Identifier: BSD-2-Clause */
/* What the EtherBone codec's files share. */
#ifndef ETHERBONE_INTERNAL_H
#define ETHERBONE_INTERNAL_H

#include "core/walk.h"
#include "goldwire/etherbone.h"

/* GW_EB_F_MAGIC ... and GW_EB_G_HEADER ..., numbered from etherbone.def */
#define GW_TABLE_DEF "etherbone/etherbone.def"
#define GW_ID(name) GW_EB_##name
#include "core/table_ids.h"
#undef GW_ID
#undef GW_TABLE_DEF

/* gw_eb_groups lists all groups. */
extern const gw_group *const gw_eb_groups[];

/* gw_eb_group returns group GW_EB_G_... */
const gw_group *gw_eb_group(int id);

/* gw_eb_field returns field GW_EB_F_... */
const gw_field *gw_eb_field(int id);

enum {
    GW_EB_NUM_DIALECTS = 4,
    GW_EB_NUM_SERVICE_PORTS = 3,
};

/* How the devices of the dialects are known to break rules. */
extern const gw_known_fault gw_eb_litex_known[];
extern const gw_known_fault gw_eb_gsi_known[];
extern const gw_known_fault gw_eb_libetherbone_known[];

/* gw_eb_same_port serves gw_format. */
bool gw_eb_same_port(const gw_dialect *dialect);

/* gw_eb_dialects lists the dialects, strict first. */
extern const gw_dialect gw_eb_dialects[GW_EB_NUM_DIALECTS];

/* gw_eb_service_ports lists the UDP and TCP ports that EtherBone servers listen on by default. */
extern const uint16_t gw_eb_service_ports[GW_EB_NUM_SERVICE_PORTS];

extern const gw_stream_ops gw_eb_stream;

gw_error gw_eb_walk(const gw_message *message, const gw_dialect *dialect, gw_sink *sink);
/* gw_eb_walk_record walks the record at the cursor as record[|index|]. */
void gw_eb_walk_record(gw_walk *w, const gw_eb_layout *layout, uint32_t index);

bool gw_eb_claims(const gw_message *message);

/* gw_eb_introductions tells who talks EtherBone on its ports. */
extern const gw_introduction_ops gw_eb_introductions;
gw_transaction gw_eb_transaction(const gw_message *message, const gw_dialect *dialect,
                                 const gw_access_sink *accesses);
void gw_eb_summary(const gw_message *message, const gw_dialect *dialect, gw_text *text);

/* gw_eb_is_service_port says whether EtherBone servers listen on |port| by default. */
bool gw_eb_is_service_port(uint16_t port);

/* gw_eb_is_second_header says whether a stream names its header again where a record should be. */
bool gw_eb_is_second_header(const gw_message *m);

#endif
