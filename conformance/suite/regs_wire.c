/* SPDX-License-Identifier: BSD-2-Clause */
/* Register accesses as EtherBone packets. */
#include "suite/regs_wire.h"

#include "goldwire/etherbone.h"

#define WIDTHS (GW_EB_32BIT << 4 | GW_EB_32BIT)
#define CONFIG_ERRORS_LOW 4 /* the low half of the 64-bit error register */

static bool one_record(const gw_dialect *dialect)
{
    return gw_eb_dialect_of(dialect)->record_words != 0;
}

/* Where the value of access |i| goes; the error register goes to |tag| + 4. */
static uint32_t place_of(uint32_t tag, size_t i)
{
    return tag + 4 * (uint32_t)i + (i > 0 ? 4 : 0);
}

static void take_value(gw_regs_answer *a, uint32_t tag, uint64_t place, uint32_t value)
{
    for (size_t i = 0; i < GW_REGS_TOGETHER; i++) {
        if (place != place_of(tag, i))
            continue;
        a->values[i] = value;
        a->seen |= UINT64_C(1) << i;
    }
}

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
        take_value(a, tag, record.write_base, value);
        if (record.write_base == tag && one_record(dialect)) {
            a->has_errors = true;
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

static bool build_access(gw_eb_builder *b, const gw_regs_access *access, uint32_t place)
{
    uint64_t at = access->at;
    uint64_t value = access->value;
    gw_eb_operation op = {.byte_enable = 0x0f};

    if (access->write) {
        op.writes = &value;
        op.num_writes = 1;
        op.write_base = at;
    } else {
        op.reads = &at;
        op.num_reads = 1;
        op.return_base = place;
    }
    return gw_eb_build_record(b, &op);
}

static size_t build(uint8_t *out, size_t cap, uint32_t tag, const gw_regs_access *accesses,
                    size_t num, const gw_dialect *dialect)
{
    uint64_t errors = CONFIG_ERRORS_LOW;
    gw_eb_operation status = {.reads = &errors,
                              .num_reads = 1,
                              .return_base = tag + 4,
                              .flags = GW_EB_RCA | GW_EB_CYC,
                              .byte_enable = 0x0f};
    gw_eb_builder b;

    if (!gw_eb_build_packet(&b, out, cap, WIDTHS, dialect))
        return 0;
    for (size_t i = 0; i < num; i++)
        if (!build_access(&b, &accesses[i], place_of(tag, i)))
            return 0;
    if (!one_record(dialect) && !gw_eb_build_record(&b, &status))
        return 0;
    return gw_eb_build_end(&b, false);
}

size_t gw_regs_ask(uint8_t *out, uint32_t tag, uint32_t address, const uint32_t *write,
                   const gw_dialect *dialect)
{
    const gw_regs_access access = {
        .at = address, .value = write != NULL ? *write : 0, .write = write != NULL};
    return build(out, GW_REGS_PACKET, tag, &access, 1, dialect);
}

size_t gw_regs_ask_together(uint8_t *out, uint32_t tag, const gw_regs_access *accesses, size_t num,
                            const gw_dialect *dialect)
{
    if (num > GW_REGS_TOGETHER)
        return 0;
    return build(out, GW_REGS_LARGE_PACKET, tag, accesses, num, dialect);
}
