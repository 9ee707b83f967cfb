/* SPDX-License-Identifier: BSD-2-Clause */
/* What the sections and tables of the Streaming Protocol Specification are headed by. */
#include "ims/internal.h"

const gw_heading gw_ims_headings[] = {
    {"ims 1", 0, "ims 1, Introduction"},
    {"ims 2", 0, "ims 2, Infiniband Settings"},
    {"ims 3", 0, "ims 3, Protocol Description"},
    {"ims 3.1", 0, "ims 3.1, Status Channel Protocol"},
    {"ims 3.1.1", 0, "ims 3.1.1, Connection Establishment"},
    {"ims 3.1.2", 0, "ims 3.1.2, Status Channel Setup"},
    {"ims 3.1.3", 0, "ims 3.1.3, Data Channel Setup"},
    {"ims 3.1.4", 0, "ims 3.1.4, Channel Termination"},
    {"ims 3.2", 0, "ims 3.2, Data Channel Protocol"},
    {"ims 3.2.1", 0, "ims 3.2.1, Data Transfer"},
    {"ims 3.2.2", 0, "ims 3.2.2, Data Reception"},
    {"ims 3.2.3", 0, "ims 3.2.3, RDMA write response"},
    {"ims 4", 0, "ims 4, Data mapping"},
    {"ims 4.2", 0, "ims 4.2, Packet"},
    {"ims 4.4", 0, "ims 4.4, 4-bit image"},
    {"ims 4.5", 0, "ims 4.5, 6-bit image"},
    {"ims 4.6", 0, "ims 4.6, Image CRC"},
    {"ims T3.1", 0, "ims table 3.1, Status Packet Format"},
    {"ims T3.2", 0, "ims table 3.2, Status Channel Methods"},
    {"ims T3.3", 0, "ims table 3.3, RDMA Header"},
    {"ims T3.4", 0, "ims table 3.4, Errors And Acknowledgments"},
    {"ims T3.5", 0, "ims table 3.5, ACK/NACK Packet Format"},
    {"ims T3.6", 0, "ims table 3.6, Acknowledge Types"},
    {"ims T3.7", 0, "ims table 3.7, Event Types"},
    {"derived", 0, "derived from it"},
    {"assumed", 0, "assumed where it is silent"},
    {.source = NULL},
};
