/* SPDX-License-Identifier: BSD-2-Clause */
/* What the sections of the thesis on the Level-1 farm are headed by, and what the other sources
 * are called. */
#include "l1farm/internal.h"

const gw_heading gw_l1_headings[] = {
    {"T 3.2", 0, "thesis 3.2, Front-End Electronics"},
    {"T 4.4.2", 0, "thesis 4.4.2, SCI Logical Layer"},
    {"T 4.4.3", 0, "thesis 4.4.3, The Dolphin Implementation"},
    {"T 6.1.1", 0, "thesis 6.1.1, Network Feeds (RUs)"},
    {"T 6.2", 0, "thesis 6.2, Network Topology and Size"},
    {"T 6.3.2", 0, "thesis 6.3.2, Scheduled Data Transfer"},
    {"T fig 6.8", 0, "thesis figure 6.8, fractions of events moving through the torus"},
    {"T 6.4", 0, "thesis 6.4, Level-1 Decision Unit Interface"},
    {"T 7.2.1", 0, "thesis 7.2.1, Data Scheduling and TagNet Prototype"},
    {"T 7.2.2", 0, "thesis 7.2.2, DMA Logic"},
    {"T 7.3", 0, "thesis 7.3, Global Shared Memory"},
    {"T 7.4.1", 0, "thesis 7.4.1, Transfer Order"},
    {"T 7.4.2", 0, "thesis 7.4.2, Data Format"},
    {"T 7.5", 0, "thesis 7.5, Data Integrity"},
    {"T 7.6", 0, "thesis 7.6, The Level-1 Decision Unit Interface"},
    {"T table 7.3", 0, "thesis table 7.3, message to the Level-1 Decision Unit Interface"},
    {"T 7.9.2", 0, "thesis 7.9.2, Scheduled Transfer"},
    {"T 7.12", 0, "thesis 7.12, Fault Tolerance"},
    {"W", 0, "public encyclopedia, Scalable Coherent Interface"},
    {"assumed", 0, "assumed of IEEE 1596"},
    {"profile", 0, "goldwire's choice"},
    {"capture", 0, "goldwire's capture format"},
    {"tunnel", 0, "goldwire's lab tunnel"},
    {"inferred", 0, "inferred where no source tells"},
    {"policy", 0, "goldwire's policy"},
    {"safety", 0, "what keeps a farm safe"},
    {.source = NULL},
};
