/* SPDX-License-Identifier: BSD-2-Clause */
/* What the documents of the Level-1 farm leave open, as data. */
#include "l1farm/internal.h"

/* SCI as it is remembered: the CRC of the CCITT, and where the parts of the command symbol are. */
#define SCI_ASSUMED(start)                                                                         \
    .crc = {.poly = 0x1021, .seed = (start)}, .flow_mask = GW_L1_COMMAND_MASK(SEND_MPR, SEND_OLD), \
    .old_mask = GW_L1_COMMAND_MASK(SEND_OLD, SEND_OLD),                                            \
    .echo_mask = GW_L1_COMMAND_MASK(SEND_ECH, SEND_ECH),                                           \
    .extended_mask = GW_L1_COMMAND_MASK(SEND_EH, SEND_EH),                                         \
    .command_mask = GW_L1_COMMAND_MASK(SEND_CMD, SEND_CMD), .layout = true, .judge_crc = true

/* The torus of 3 rows and 10 columns with one readout unit a row (T 6.2), 810 ns a tag. */
#define PROTOTYPE                                                                                  \
    .nodes = 26, .buffers = 2, .columns = 10, .rus_in_row = 1, .step_ns = 810,                     \
    .ringlet_rate = 432, .decision_steps = 2022

static const gw_l1_profile strict = {SCI_ASSUMED(0), PROTOTYPE, .unit = 4};
static const gw_l1_profile opaque = {PROTOTYPE, .unit = 4};
static const gw_l1_profile seeded = {SCI_ASSUMED(0xffff), PROTOTYPE, .unit = 4};
static const gw_l1_profile hamming19 = {SCI_ASSUMED(0), PROTOTYPE, .unit = 4,
                                        .code = GW_L1_HAMMING_19};
static const gw_l1_profile uncoded = {SCI_ASSUMED(0), PROTOTYPE, .unit = 4, .code = GW_L1_UNCODED};
static const gw_l1_profile top_down = {SCI_ASSUMED(0), PROTOTYPE, .unit = 8,
                                       .order = GW_L1_TOP_DOWN};
static const gw_l1_profile prose = {SCI_ASSUMED(0), PROTOTYPE, .unit = 8, .order = GW_L1_PROSE};
static const gw_l1_profile ode = {SCI_ASSUMED(0), PROTOTYPE, .unit = 4, .ode = true};

/* 17 rows of 17 columns of compute nodes and two readout units: 900 ns a tag (T 6.4, 7.9). */
static const gw_l1_profile final = {SCI_ASSUMED(0),      .nodes = 289,           .buffers = 2,
                                    .columns = 19,       .rus_in_row = 2,        .step_ns = 900,
                                    .ringlet_rate = 432, .decision_steps = 1820, .unit = 4,
                                    .ode = true,         .final = true};

const gw_dialect gw_l1_dialects[GW_L1_NUM_DIALECTS] = {
    {"strict", "The prototype; SCI as it is remembered, tags in a Hamming code of 20 bits", &strict,
     NULL},
    {"opaque", "As strict, and nothing of SCI assumed: no CRC, no parts of symbols", &opaque, NULL},
    {"crc-ffff", "SCI's CRC starts from 0xffff", &seeded, NULL},
    {"hamming19", "Tags in a Hamming code of 19 bits, which takes two wrong bits for another tag",
     &hamming19, NULL},
    {"uncoded", "Tags are 14 bits without a code", &uncoded, NULL},
    {"desc-top-down", "Descriptors: unused, size, unused, address; sizes in units of 8 bytes",
     &top_down, NULL},
    {"desc-prose", "Descriptors: address, size, unused, unused; sizes in units of 8 bytes", &prose,
     NULL},
    {"ode", "Sub-events hold what readout units send for a real detector", &ode, NULL},
    {"final", "The planned farm: real sub-events, buffers released, decisions in order", &final,
     NULL},
};

const gw_l1_profile *gw_l1_profile_of(const gw_dialect *dialect)
{
    return dialect == NULL ? &strict : (const gw_l1_profile *)dialect->data;
}
