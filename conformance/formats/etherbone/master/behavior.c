/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone master cases: what a behavior of the slave lets a master do. */
#include "formats/etherbone/master/suite.h"

bool gw_eb_master_is_about_probes(const gw_eb_master_behavior *behavior)
{
    return behavior->drop_probes > 0 || behavior->slow_probe;
}

bool gw_eb_master_may_ask_nothing(const gw_eb_master_behavior *behavior)
{
    return gw_eb_master_is_about_probes(behavior) || behavior->wrong_id ||
           behavior->false_probe_responses;
}
