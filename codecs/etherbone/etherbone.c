/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone as a format. */
#include "etherbone/internal.h"
#include "etherbone/rules.h"

const gw_format gw_etherbone = {
    .name = "etherbone",
    .title = "EtherBone",
    .groups = gw_eb_groups,
    .num_groups = GW_EB_NUM_GROUPS,
    .rules = gw_eb_rules,
    .num_rules = EB_NUM_RULES,
    .headings = gw_eb_headings,
    .dialects = gw_eb_dialects,
    .num_dialects = GW_EB_NUM_DIALECTS,
    .udp_ports = gw_eb_service_ports,
    .num_udp_ports = GW_EB_NUM_SERVICE_PORTS,
    .tcp_ports = gw_eb_service_ports,
    .num_tcp_ports = GW_EB_NUM_SERVICE_PORTS,
    .stream = &gw_eb_stream,
    .session = &gw_eb_session,
    .walk = gw_eb_walk,
    .check = gw_eb_check,
    .same_port = gw_eb_same_port,
    .claims = gw_eb_claims,
    .introductions = &gw_eb_introductions,
    .transaction = gw_eb_transaction,
    .summary = gw_eb_summary,
};
