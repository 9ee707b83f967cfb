/* SPDX-License-Identifier: BSD-2-Clause */
/* Masters with one fault each, and the rules they break: the first is the one each was made for. */
#include "etherbone_master.h"

#define RULES(...)                                                                                 \
    (const char *const[])                                                                          \
    {                                                                                              \
        __VA_ARGS__, NULL                                                                          \
    }
#define FAULT(name) GW_FAULT(MASTER_FAULT_##name)

const gw_mutant gw_eb_master_mutants[GW_EB_NUM_MASTER_MUTANTS] = {
    {"m-reserved-set", RULES("EB-M01"), "sets reserved bits in its packets", FAULT(RESERVED)},
    {"m-long-probe", RULES("EB-M02"), "sends a probe of 12 bytes", FAULT(LONG_PROBE)},
    {"m-any-probe-id", RULES("EB-M03"), "believes probe responses of any id", FAULT(ANY_PROBE_ID)},
    {"m-several-widths", RULES("EB-M04"), "puts the offered masks into its packet headers",
     FAULT(SEVERAL_WIDTHS)},
    {"m-no-padding", RULES("EB-M06"), "leaves the padding of 8-byte headers out",
     FAULT(NO_PADDING)},
    {"m-nr-with-reads", RULES("EB-M07"), "sets NR in packets that read", FAULT(NR_WITH_READS)},
    {"m-wrong-count", RULES("EB-M09"), "counts one write too many in write-only records",
     FAULT(WRONG_COUNT)},
    {"m-cyc-everywhere", RULES("EB-M10"), "ends the cycle with every record",
     FAULT(CYC_EVERYWHERE)},
    {"m-no-cyc", RULES("EB-M11", "EB-M10", "EB-M23"), "never ends a cycle", FAULT(NO_CYC)},
    {"m-wrong-byte-enables", RULES("EB-M12", "EB-M22"), "selects lanes with holes",
     FAULT(BYTE_ENABLES)},
    {"m-refuses-zero-fill", RULES("EB-M14"), "stops reading a reply at an empty record",
     FAULT(NO_ZERO_FILL)},
    {"m-matches-by-order", RULES("EB-M16", "EB-M17", "EB-M27"),
     "takes any reply for the next one it waits for", FAULT(BY_ORDER)},
    {"m-repeats-header", RULES("EB-M21"), "begins every run of records with a header over TCP",
     FAULT(HEADERS)},
    {"m-unaligned-config", RULES("EB-M22"), "reads config registers at odd addresses",
     FAULT(UNALIGNED_CONFIG)},
    {"m-dirty-padding", RULES("EB-M06"), "leaves old bytes in the padding of record headers",
     FAULT(DIRTY_PADDING)},
    {"m-no-probe-retry", RULES("EB-M05"), "gives up after one lost probe (SHOULD)",
     FAULT(NO_PROBE_RETRY)},
    {"m-endless-probes", RULES("EB-M05"), "repeats an unanswered probe for ever (SHOULD)",
     FAULT(ENDLESS_PROBES)},
    {"m-probe-burst", RULES("EB-M05"),
     "repeats its probe at once, as if address resolution had lost the first (SHOULD)",
     FAULT(PROBE_BURST)},
    {"m-ignores-offer", RULES("EB-M04"), "uses its own widest widths whatever the slave offers",
     FAULT(IGNORES_OFFER)},
    {"m-last-record-only", RULES("EB-M15"), "looks at the last record of a reply only",
     FAULT(LAST_RECORD)},
    {"m-return-address-reused", RULES("EB-M16", "EB-M17"),
     "uses the same return addresses again, so that a late reply fits the next request",
     FAULT(REUSES_RETURN)},
    {"m-any-return-mode", RULES("EB-M27"), "takes results whether WFF fits RFF or not",
     FAULT(ANY_MODE)},
    {"m-waits-for-ever", RULES("EB-M18"), "waits for a lost reply for ever (SHOULD)",
     FAULT(WAITS_FOR_EVER)},
    {"m-late-status", RULES("EB-M19"), "reads the error register behind 70 operations (SHOULD)",
     FAULT(LATE_STATUS)},
    {"m-long-packets", RULES("EB-M20"), "sends datagrams that must be fragmented",
     FAULT(LONG_PACKETS)},
    {"m-echoes-strangers", RULES("EB-M24", "EB-M17"),
     "sends replies back that it does not wait for (SHOULD)", FAULT(ECHOES)},
};
