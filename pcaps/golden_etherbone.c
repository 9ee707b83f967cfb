/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone: all traces, which have a file for each topic. */
#include "golden.h"

void golden_etherbone_traces(const char *folder)
{
    golden_bus_traces(folder);
    golden_odd_traces(folder);
    golden_dialect_traces(folder);
    golden_faulty_traces(folder);
    golden_network_traces(folder);
    golden_session_traces(folder);
    golden_tcp_traces(folder);
    golden_frame_traces(folder);
}
