/* SPDX-License-Identifier: BSD-2-Clause */
/* IMS streaming as a format. */
#include "goldwire/net.h"
#include "ims/internal.h"

static const uint16_t udp_ports[] = {GW_ROCE_PORT};

static const gw_link links[] = {
    {GW_LINK_INFINIBAND, 0, NULL, NULL, NULL, "InfiniBand packet, LRH to VCRC"},
};

/* What gw_ib_icrc_udp takes for granted. */
static const gw_ip_style ip_style = {.ttl = 64, .no_udp_checksum = true};

const gw_format gw_ims = {
    .name = "ims",
    .title = "IMS streaming",
    .groups = gw_ims_groups,
    .num_groups = GW_IMS_NUM_GROUPS,
    .rules = gw_ims_rules,
    .num_rules = IMS_NUM_RULES,
    .headings = gw_ims_headings,
    .dialects = gw_ims_dialects,
    .num_dialects = GW_IMS_NUM_DIALECTS,
    .infiniband = true,
    .udp_ports = udp_ports,
    .num_udp_ports = GW_ARRAY_LEN(udp_ports),
    .links = links,
    .num_links = GW_ARRAY_LEN(links),
    .ip_style = &ip_style,
    .session = &gw_ims_session,
    .introductions = &gw_ims_introductions,
    .walk = gw_ims_walk,
    .check = gw_ims_check,
    .transaction = gw_ims_transaction,
    .portion = gw_ims_portion,
    .summary = gw_ims_summary,
};
