/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests: conversations in a few lines, and what check and session say of them in one.
 *
 * Relations are written as a letter and "request.unit>response.unit":
 *   A answers  D duplicate  S stale  U unsolicited  N no answer  T tracking lost; ? for ambiguous
 */
#ifndef ETHERBONE_TESTING_EXCHANGE_H
#define ETHERBONE_TESTING_EXCHANGE_H

#include <string.h>

#include "goldwire/etherbone.h"
#include "goldwire/text.h"

enum {
    EXCHANGE_LINES = 4096,
    EXCHANGE_FINDINGS = 64,
};

/* What was found: rule ids in order, and the findings themselves. */
typedef struct exchange_log {
    gw_verdict_sink sink;
    char rules[EXCHANGE_LINES];
    char relations[EXCHANGE_LINES];
    struct {
        const gw_rule *rule;
        const gw_field *field;
        uint64_t frame, revealed_by;
        uint32_t offset;
        char text[256];
    } findings[EXCHANGE_FINDINGS];
    unsigned num_findings;
    unsigned num_relations;
    unsigned by_kind[GW_NUM_RELATIONS]; /* relations of each kind */
    gw_relation last;
} exchange_log;

static void exchange_finding(gw_verdict_sink *sink, const gw_finding *finding)
{
    exchange_log *log = (exchange_log *)sink;
    gw_text t = {log->rules, sizeof log->rules, strlen(log->rules), false};
    gw_text text;

    if (t.len > 0)
        gw_text_str(&t, " ");
    gw_text_str(&t, finding->rule->id + strlen("EB-"));
    if (log->num_findings < EXCHANGE_FINDINGS) {
        unsigned i = log->num_findings;
        log->findings[i].rule = finding->rule;
        log->findings[i].field = finding->field;
        log->findings[i].frame = finding->frame;
        log->findings[i].revealed_by = finding->revealed_by;
        log->findings[i].offset = finding->offset;
        text = gw_text_over(log->findings[i].text, sizeof log->findings[i].text);
        gw_text_str(&text, finding->text);
    }
    log->num_findings++;
}

static void exchange_relation(gw_verdict_sink *sink, const gw_relation *relation)
{
    static const char letters[] = "ADSUNT";
    exchange_log *log = (exchange_log *)sink;
    gw_text t = {log->relations, sizeof log->relations, strlen(log->relations), false};
    char letter[] = {letters[relation->kind], '\0'};

    if (t.len > 0)
        gw_text_str(&t, " ");
    gw_text_str(&t, letter);
    if (relation->request != 0) {
        gw_text_dec(&t, relation->request);
        gw_text_str(&t, ".");
        gw_text_dec(&t, relation->request_unit);
    }
    if (relation->response != 0) {
        gw_text_str(&t, ">");
        gw_text_dec(&t, relation->response);
        gw_text_str(&t, ".");
        gw_text_dec(&t, relation->response_unit);
    }
    if (relation->ambiguous)
        gw_text_str(&t, "?");
    log->num_relations++;
    log->by_kind[relation->kind]++;
    log->last = *relation;
}

static inline void exchange_log_clear(exchange_log *log)
{
    memset(log, 0, sizeof *log);
    log->sink.finding = exchange_finding;
    log->sink.relation = exchange_relation;
}

/* ---- messages ---- */

static inline gw_endpoint exchange_end(uint8_t host, uint16_t port)
{
    gw_endpoint end = {.ip = {10, 0, 0, host}, .port = port, .family = GW_FAMILY_IPV4};
    return end;
}

static inline gw_message exchange_message(const void *bytes, size_t len, gw_endpoint src,
                                          gw_endpoint dst)
{
    gw_message m = gw_message_of(bytes, len);
    m.src = src;
    m.dst = dst;
    m.transport = GW_OVER_UDP;
    m.frame = 1;
    m.num_frames = 1;
    return m;
}

/* A record that reads |n| words from 0x100 on and wants them at |base|. */
static inline gw_eb_operation exchange_read(uint64_t base, uint8_t n, uint8_t flags)
{
    static uint64_t addrs[255];
    for (unsigned i = 0; i < 255; i++)
        addrs[i] = 0x40 + 8 * (i % 8);
    return (gw_eb_operation){
        .reads = addrs, .return_base = base, .num_reads = n, .flags = flags, .byte_enable = 0x0f};
}

/* A record that writes |n| words to |base|: a write, or the reply to exchange_read. */
static inline gw_eb_operation exchange_write(uint64_t base, uint8_t n, uint8_t flags)
{
    static const uint64_t values[255] = {0x11, 0x22, 0x33};
    return (gw_eb_operation){
        .writes = values, .write_base = base, .num_writes = n, .flags = flags, .byte_enable = 0x0f};
}

static inline gw_eb_operation exchange_empty(uint8_t flags)
{
    return (gw_eb_operation){.flags = flags};
}

/* Builds a packet of |num| records; |nr| asks for NR. Returns its length, 0 when it cannot be. */
static inline size_t exchange_packet(uint8_t *buf, size_t cap, uint8_t widths,
                                     const gw_dialect *dialect, const gw_eb_operation *ops,
                                     size_t num, bool nr)
{
    gw_eb_builder b;

    if (!gw_eb_build_packet(&b, buf, cap, widths, dialect))
        return 0;
    for (size_t i = 0; i < num; i++) {
        if (!gw_eb_build_record(&b, &ops[i]))
            return 0;
    }
    return gw_eb_build_end(&b, nr);
}

#endif
