/* SPDX-License-Identifier: BSD-2-Clause */
/* How the reference core departs from the datasheet. */
#include "op2p/internal.h"

static const gw_op2p_dialect strict = {.reference = false};
static const gw_op2p_dialect reference = {.reference = true};

/* What the reference core was seen to do (sim S2 to S36). */
static const gw_known_fault reference_known[] = {
    {.rule = "OP-E05"},
    {.rule = "OP-E06"},
    {.rule = "OP-E08"},
    {.rule = "OP-E09"},
    {.rule = "OP-E10"},
    {.rule = "OP-E12"},
    {.rule = "OP-E14"},
    {.rule = "OP-E15"},
    {.rule = "OP-E16"},
    {.rule = "OP-E17"},
    {.rule = "OP-E18"},
    {.rule = "OP-E19"},
    {.rule = "OP-E20"},
    {.rule = "OP-E21"},
    {.rule = "OP-E22"},
    {.rule = "OP-E23"},
    {.rule = "OP-E24"},
    {.rule = "OP-E26"},
    {.rule = "OP-E28"},
    {.rule = "OP-E29"},
    {.rule = "OP-E30"},
    {.rule = "OP-E31"},
    {.rule = "OP-E32"},
    {.rule = "OP-E33"},
    {.rule = "OP-H03"},
    {.rule = "OP-H05"},
    {.rule = "OP-F03"},
    {.rule = "OP-F04"},
    {.rule = "OP-F05"},
    {.rule = "OP-F07"},
    {.rule = "OP-F08"},
    {.rule = "OP-F10"},
    {.rule = "OP-F12"},
    {.rule = "OP-E04",
     .text = "bytes of payload; the byte count says",
     .why = "It sends again as much as it is asked for, whatever its header says"},
    {.rule = "OP-E11",
     .which = "op-e/after-illegal",
     .text = "was not executed after a frame of one double word",
     .why = "A frame of one double word swallows the next one"},
    {.rule = "OP-E13",
     .which = "op-e/refused-silent",
     .text = "a completion of status",
     .why = "A frame of one double word makes another packet of the next one, which it may answer"},
    {.rule = "OP-F02",
     .which = "op-f/not-executed-odd",
     .text = "a packet of type 15",
     .why =
         "It takes a packet of type 15 for one whose header has not come yet, whoever it is for, "
         "and then carries out what its buffer holds"},
    {.rule = "OP-F13",
     .which = "op-f/id-0-illegal",
     .text = "the board stopped answering",
     .why = "A read request of 65532 bytes keeps it busy until its port is reset"},
    {.rule = "OP-H04",
     .which = "op-h/nothing-arrived",
     .text = "the board stopped answering",
     .why = "A read request of 65532 bytes keeps it busy until its port is reset"},
    {.rule = "OP-H04",
     .which = "op-h/nothing-arrived",
     .why = "It carries out frames that end inside their header, and tells of them"},
    {.rule = "OP-L02",
     .which = "op-l/pad",
     .text = "a write in a frame with a link error",
     .why = "It does not look at how many bytes of the last double word are valid"},
    {.rule = "OP-L02",
     .which = "op-l/odd-length",
     .text = "a write that ends inside a double word",
     .why = "It does not look at how many bytes of the last double word are valid"},
    {0}};

const gw_dialect gw_op2p_dialects[GW_OP2P_NUM_DIALECTS] = {
    {"strict", "The datasheet, with what is needed to be safe where it is silent", &strict, NULL},
    {"vhdl", "The reference core: old data after read requests, error completions for everybody",
     &reference, reference_known},
};

const gw_op2p_dialect *gw_op2p_dialect_of(const gw_dialect *dialect)
{
    return dialect == NULL ? &strict : (const gw_op2p_dialect *)dialect->data;
}
