/* SPDX-License-Identifier: BSD-2-Clause */
/* How the reference core departs from the datasheet. */
#include "op2p/internal.h"

static const gw_op2p_dialect strict = {.reference = false};
static const gw_op2p_dialect reference = {.reference = true};

/* What the reference core was seen to do (sim S2 to S36). */
static const char *const reference_waives[] = {
    "OP-E05", "OP-E06", "OP-E08", "OP-E09", "OP-E10", "OP-E12", "OP-E14", "OP-E15", "OP-E16",
    "OP-E17", "OP-E18", "OP-E19", "OP-E20", "OP-E21", "OP-E22", "OP-E23", "OP-E24", "OP-E26",
    "OP-E28", "OP-E29", "OP-E30", "OP-E31", "OP-E32", "OP-E33", "OP-H03", "OP-F03", "OP-F04",
    "OP-F05", "OP-F07", "OP-F08", "OP-F10", "OP-F12", NULL};

const gw_dialect gw_op2p_dialects[GW_OP2P_NUM_DIALECTS] = {
    {"strict", "The datasheet, with what is needed to be safe where it is silent", &strict, NULL},
    {"vhdl", "The reference core: old data after read requests, error completions for everybody",
     &reference, reference_waives},
};

const gw_op2p_dialect *gw_op2p_dialect_of(const gw_dialect *dialect)
{
    return dialect == NULL ? &strict : (const gw_op2p_dialect *)dialect->data;
}
