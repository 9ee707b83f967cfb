/* SPDX-License-Identifier: BSD-2-Clause */
/* Masters with one fault each, and the rules they break: the first is the one each was made for. */
#include <limits.h>

#include "formats/etherbone/master/mutants/mutants.h"

#pragma GCC diagnostic ignored "-Woverride-init" /* that is what OTHERWISE does */

#define RULES(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
/* The specification's policy but for what is said here. */
#define OTHERWISE(...)                                                                             \
    &(const gw_eb_master_policy)                                                                   \
    {                                                                                              \
        GW_EB_MASTER_POLICY, __VA_ARGS__                                                           \
    }
#define MUTATION(...)                                                                              \
    .mutation = &(const gw_eb_master_mutation)                                                     \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define FILTER(stage, name) MUTATION(.stage = gw_eb_w_##name)
#define POLICY(...) MUTATION(.policy = OTHERWISE(__VA_ARGS__))

const gw_mutant gw_eb_master_mutants[GW_EB_NUM_MASTER_MUTANTS] = {
    {"m-reserved-set", RULES("EB-M01"), "sets reserved bits in its packets",
     MUTATION(.header_set = GW_EB_HEADER_RESERVED, .flags_set = GW_EB_RESERVED_10)},
    {"m-long-probe", RULES("EB-M02"), "sends a probe of 12 bytes", POLICY(.long_probes_from = 1)},
    {"m-any-probe-id", RULES("EB-M03"), "believes probe responses of any id",
     POLICY(.heeds_id = false)},
    {"m-several-widths", RULES("EB-M04"), "puts the offered masks into its packet headers",
     FILTER(begin, several_widths)},
    {"m-no-padding", RULES("EB-M06"), "leaves the padding of 8-byte headers out",
     FILTER(out, no_padding)},
    {"m-nr-with-reads", RULES("EB-M07"), "sets NR in packets that read", POLICY(.nr_from = 1)},
    {"m-wrong-count", RULES("EB-M09"), "counts one write too many in write-only records",
     FILTER(record, wrong_count)},
    {"m-cyc-everywhere", RULES("EB-M10"), "ends the cycle with every record",
     MUTATION(.flags_set = GW_EB_CYC)},
    {"m-no-cyc", RULES("EB-M11", "EB-M10", "EB-M23"), "never ends a cycle",
     MUTATION(.flags_clear = GW_EB_CYC)},
    {"m-wrong-byte-enables", RULES("EB-M12", "EB-M22"), "selects lanes with holes",
     FILTER(record, wrong_byte_enables)},
    {"m-refuses-zero-fill", RULES("EB-M14"), "stops reading a reply at an empty record",
     FILTER(reply, refuses_zero_fill)},
    {"m-matches-by-order", RULES("EB-M16", "EB-M17", "EB-M27"),
     "takes any reply for the next one it waits for", POLICY(.heeds_return_address = false)},
    {"m-repeats-header", RULES("EB-M21"), "begins every run of records with a header over TCP",
     POLICY(.header_each_run = true)},
    {"m-unaligned-config", RULES("EB-M22"), "reads config registers at odd addresses",
     POLICY(.config_shift = 1)},
    {"m-dirty-padding", RULES("EB-M06"), "leaves old bytes in the padding of record headers",
     FILTER(record, dirty_padding)},
    {"m-no-probe-retry", RULES("EB-M05"), "gives up after one lost probe (SHOULD)",
     POLICY(.probe_tries = 1)},
    {"m-endless-probes", RULES("EB-M05"), "repeats an unanswered probe for ever (SHOULD)",
     POLICY(.probe_tries = UINT_MAX)},
    {"m-probe-burst", RULES("EB-M05"),
     "repeats its probe at once, as if address resolution had lost the first (SHOULD)",
     POLICY(.probe_copies = 4)},
    {"m-ignores-offer", RULES("EB-M04"), "uses its own widest widths whatever the slave offers",
     POLICY(.heeds_offer = false)},
    {"m-last-record-only", RULES("EB-M15"), "looks at the last record of a reply only",
     FILTER(reply, last_record_only)},
    {"m-return-address-reused", RULES("EB-M16", "EB-M17"),
     "uses the same return addresses again, so that a late reply fits the next request",
     POLICY(.fresh_returns = false)},
    {"m-any-return-mode", RULES("EB-M27"), "takes results whether WFF fits RFF or not",
     POLICY(.heeds_mode = false)},
    {"m-waits-for-ever", RULES("EB-M18"), "waits for a lost reply for ever (SHOULD)",
     POLICY(.patient = true)},
    {"m-late-status", RULES("EB-M19"), "reads the error register behind 70 operations (SHOULD)",
     FILTER(end, late_status)},
    {"m-long-packets", RULES("EB-M20"), "sends datagrams that must be fragmented",
     MUTATION(.packet_max = GW_EB_MASTER_WRONG_MAX, .begin = gw_eb_w_long_packets)},
    {"m-echoes-strangers", RULES("EB-M24", "EB-M17"),
     "sends replies back that it does not wait for (SHOULD)", FILTER(reply, echoes_strangers)},
    {"m-probe-id-swapped", RULES("EB-M03"), "compares the probe id with its bytes swapped",
     FILTER(id, probe_id_swapped)},
    {"m-long-probe-again", RULES("EB-M02"), "repeats a probe as one of 12 bytes",
     POLICY(.long_probes_from = 2)},
    {"m-nr-again", RULES("EB-M07"), "sets NR in requests that it repeats", POLICY(.nr_from = 2)},
    {"m-version-heard", RULES("EB-M01"),
     "repeats requests in the version of the packet that came last",
     MUTATION(.in = gw_eb_w_note_header, .begin = gw_eb_w_version_heard)},
    {"m-widths-heard", RULES("EB-M04"),
     "repeats requests with the width bits of the packet that came last",
     MUTATION(.in = gw_eb_w_note_header, .begin = gw_eb_w_widths_heard)},
    {"m-any-magic", RULES("EB-M28"), "takes replies of any magic and version",
     FILTER(in, any_magic)},
    {"m-takes-cut-replies", RULES("EB-M29"), "takes what is missing of a reply for zeros (SHOULD)",
     FILTER(in, takes_cut_replies)},
    {"m-always-one-address", RULES("EB-M27"),
     "expects results at one address though it left RFF clear", POLICY(.fixed_alone = true)},
    {"m-deaf-after-garbage", RULES("EB-M14", "EB-M15"),
     "misses the reply behind a packet that makes no sense to it",
     FILTER(heard, deaf_after_garbage)},
    {"m-hangs-on-zeros", RULES("EB-M18"),
     "stops for good when zeros follow the last record of a reply (SHOULD)",
     FILTER(read, hangs_on_zeros)},
    {"m-shy-after-garbage", RULES("EB-M15", "EB-M14"),
     "takes only the first record of the reply behind a packet that is none",
     MUTATION(.heard = gw_eb_w_note_garbage, .reply = gw_eb_w_shy_after_garbage)},
};
