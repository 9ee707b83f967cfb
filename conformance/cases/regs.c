/* SPDX-License-Identifier: BSD-2-Clause */
/* Registers over EtherBone, one operation a packet. Each packet also reads the slave's error
 * register, so that it is answered even when it writes, and the answer tells how the bus took it.
 */
#include "cases/regs.h"

#include <string.h>

#include "goldwire/etherbone.h"

#define WIDTHS (GW_EB_32BIT << 4 | GW_EB_32BIT)
#define TAG_BASE 0x52000000u /* "R": a return address of ours, different for each question */
#define CONFIG_ERRORS_LOW 4  /* the low half of the 64-bit error register */
#define PACKET_MAX 64

typedef struct answer {
    uint32_t value;
    bool has_value;
    uint32_t errors;
    bool has_errors;
} answer;

/* Takes the records of an answer to the question |tag|: the value goes to |tag|, the error register
 * to |tag| + 4. */
static void take_answer(answer *a, const gw_packet *packet, uint32_t tag)
{
    gw_message m = gw_message_of(packet->data, packet->len);
    gw_eb_reader r;
    gw_eb_record record;

    m.transport = GW_OVER_UDP;
    if (!gw_eb_open(&r, &m, NULL))
        return;
    while (gw_eb_next(&r, &record)) {
        if (record.wcount != 1)
            continue;
        uint32_t value = (uint32_t)gw_eb_write_value(&r.layout, &record, 0);
        if (record.write_base == tag) {
            a->value = value;
            a->has_value = true;
        } else if (record.write_base == tag + 4) {
            a->errors = value;
            a->has_errors = true;
        }
    }
}

static size_t build(uint8_t *out, uint32_t tag, uint32_t address, const uint32_t *write)
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
    if (!gw_eb_build_packet(&b, out, PACKET_MAX, WIDTHS, NULL) ||
        !gw_eb_build_record(&b, &access) || !gw_eb_build_record(&b, &status))
        return 0;
    return gw_eb_build_end(&b, false);
}

/* Asks until the answer to this very question has come. A question that gets lost is not asked
 * again: registers may have side effects. */
static answer ask(gw_ctx *ctx, uint32_t address, const uint32_t *write)
{
    uint8_t request[PACKET_MAX];
    gw_packet packet;
    answer a = {0};
    gw_line *line = gw_case_link(ctx, GW_REGS_LINK);
    uint32_t tag = TAG_BASE | (uint32_t)(gw_case_random(ctx) & 0x1fffff) << 3;
    size_t len = build(request, tag, address, write);

    if (len == 0)
        gw_case_error(ctx, "the register access does not fit its packet");
    (void)gw_case_send(ctx, line, request, len);
    int64_t deadline = gw_case_now(line) + gw_case_reply_ns(ctx);
    while (!a.has_errors || (write == NULL && !a.has_value)) {
        if (gw_case_recv(ctx, line, deadline - gw_case_now(line), &packet) != GW_RECV_DATA)
            gw_case_inconc(ctx, "the registers do not answer: %s 0x%03x", write ? "write" : "read",
                           address);
        take_answer(&a, &packet, tag);
    }
    return a;
}

bool gw_regs_try_read(gw_ctx *ctx, uint32_t address, uint32_t *value)
{
    answer a = ask(ctx, address, NULL);
    *value = a.value;
    return (a.errors & 1) == 0;
}

bool gw_regs_try_write(gw_ctx *ctx, uint32_t address, uint32_t value)
{
    return (ask(ctx, address, &value).errors & 1) == 0;
}

uint32_t gw_regs_read(gw_ctx *ctx, uint32_t address)
{
    uint32_t value;
    if (!gw_regs_try_read(ctx, address, &value))
        gw_case_inconc(ctx, "register 0x%03x cannot be read: bus error", address);
    return value;
}

void gw_regs_write(gw_ctx *ctx, uint32_t address, uint32_t value)
{
    if (!gw_regs_try_write(ctx, address, value))
        gw_case_inconc(ctx, "register 0x%03x cannot be written: bus error", address);
}
