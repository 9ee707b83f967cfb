/* SPDX-License-Identifier: BSD-2-Clause */
/* Register accesses as EtherBone packets. */
#include "cases/regs_wire.h"

#include "goldwire/etherbone.h"

#define WIDTHS (GW_EB_32BIT << 4 | GW_EB_32BIT)
#define CONFIG_ERRORS_LOW 4 /* the low half of the 64-bit error register */

static bool one_record(const gw_dialect *dialect)
{
    return gw_eb_dialect_of(dialect)->record_words != 0;
}

/* The value goes to |tag|, the error register to |tag| + 4. */
void gw_regs_take(gw_regs_answer *a, const uint8_t *data, size_t len, uint32_t tag,
                  const gw_dialect *dialect)
{
    gw_message m = gw_message_of(data, len);
    gw_eb_reader r;
    gw_eb_record record;

    m.transport = GW_OVER_UDP;
    if (one_record(dialect) && gw_eb_probe_answers(data, len, tag))
        a->has_errors = true;
    if (!gw_eb_open(&r, &m, dialect))
        return;
    while (gw_eb_next(&r, &record)) {
        if (record.wcount != 1)
            continue;
        uint32_t value = (uint32_t)gw_eb_write_value(&r.layout, &record, 0);
        if (record.write_base == tag) {
            a->value = value;
            a->has_value = true;
            a->has_errors = a->has_errors || one_record(dialect);
        } else if (record.write_base == tag + 4) {
            a->errors = value;
            a->has_errors = true;
        }
    }
}

size_t gw_regs_confirm(uint8_t *out, uint32_t tag, const gw_dialect *dialect)
{
    return one_record(dialect) ? gw_eb_build_any_probe(out, WIDTHS, tag, dialect) : 0;
}

size_t gw_regs_ask(uint8_t *out, uint32_t tag, uint32_t address, const uint32_t *write,
                   const gw_dialect *dialect)
{
    uint64_t at = address;
    uint64_t value = write != NULL ? *write : 0;
    uint64_t errors = CONFIG_ERRORS_LOW;
    gw_eb_operation access = {.byte_enable = 0x0f};
    gw_eb_operation status = {.reads = &errors,
                              .num_reads = 1,
                              .return_base = tag + 4,
                              .flags = GW_EB_RCA | GW_EB_CYC,
                              .byte_enable = 0x0f};
    gw_eb_builder b;

    if (write != NULL) {
        access.writes = &value;
        access.num_writes = 1;
        access.write_base = at;
    } else {
        access.reads = &at;
        access.num_reads = 1;
        access.return_base = tag;
    }
    if (!gw_eb_build_packet(&b, out, GW_REGS_PACKET, WIDTHS, dialect) ||
        !gw_eb_build_record(&b, &access) ||
        (!one_record(dialect) && !gw_eb_build_record(&b, &status)))
        return 0;
    return gw_eb_build_end(&b, false);
}
