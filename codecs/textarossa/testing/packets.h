/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests: packets that are known, and what check and session say of them in one line. Include
 * cmocka first. */
#ifndef TEXTAROSSA_TESTING_PACKETS_H
#define TEXTAROSSA_TESTING_PACKETS_H

#include <string.h>

#include "core/testing/hex.h"
#include "goldwire/text.h"
#include "goldwire/textarossa.h"

/* The test generator's packet: 16 bytes to x = 0, from and to 192.168.0.2 port 0xfa62, in the three
 * byte orders (doc fig. 2-19). */
#define TX_ONES "ffffffff ffffffff ffffffff ffffffff "
#define TX_SAMPLE_A                                                                                \
    "10000000 00001080 00002ab0 983e0000 01000000 00000000 00000000 00000000 " TX_ONES
#define TX_SAMPLE_B                                                                                \
    "00003e98 b02a0000 80100000 00000010 00000000 00000000 00000000 00000001 " TX_ONES
#define TX_SAMPLE_C                                                                                \
    "80100000 00000010 00003e98 b02a0000 00000000 00000001 00000000 00000000 " TX_ONES

/* Beats as a link carries them, least significant byte first (sim). */
#define TX_MAGIC "aaaa5555 aaaaffff aaaa5555 aaaaffff "
#define TX_START "bbbb6666 bbbbffff bbbb6666 bbbbffff "
#define TX_CREDIT "40400001 01000000 00000000 0000004d "    /* both FIFOs empty, waiting 64 */
#define TX_CREDIT_5 "45451415 01000000 00000000 00000042 "  /* five words in each */
#define TX_HEADER_16 "00002000 00001040 3fffbe3e 00000000 " /* 16 bytes to x = 1, check byte 0 */
#define TX_DATA "00010203 04050607 08090a0b 0c0d0e0f "

/* tx_end is a host of 192.168.0.0/24 on the Ethernet port's UDP port. */
static inline gw_endpoint tx_end(uint8_t host)
{
    gw_endpoint end = {.ip = {192, 168, 0, host}, .port = GW_TX_UDP_PORT, .family = GW_FAMILY_IPV4};
    return end;
}

/* tx_datagram is a message over UDP to 192.168.0.2. */
static inline gw_message tx_datagram(const uint8_t *bytes, size_t len)
{
    gw_message m = gw_message_of(bytes, len);
    m.transport = GW_OVER_UDP;
    m.src = tx_end(3);
    m.dst = tx_end(2);
    m.frame = 1;
    return m;
}

/* tx_part is a part of a link. */
static inline gw_message tx_part(const uint8_t *bytes, size_t len, uint8_t part)
{
    gw_message m = gw_message_of(bytes, len);
    m.part = part;
    m.frame = 1;
    return m;
}

/* tx_header is a good header for |size| bytes to node x = 1, by way of 192.168.0.2. */
static inline gw_tx_header tx_header(uint16_t size)
{
    gw_tx_header h = {.virt_chan = GW_TX_LAST_VC0,
                      .dest_x = 1,
                      .packet_size = size,
                      .dest_addr = UINT64_C(0xfa62c0a80002)};
    return h;
}

/* tx_pattern is payload that differs from word to word. */
static inline const uint8_t *tx_pattern(void)
{
    static uint8_t bytes[GW_TX_SIZE_MAX];

    if (bytes[1] == 0) {
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)(i * 7 + i / 251 + 3);
    }
    return bytes;
}

/* tx_draft is a packet with that header and payload, and the HLS send's footer. */
static inline gw_tx_draft tx_draft(gw_tx_header h, size_t len)
{
    gw_tx_draft draft = {.header = h,
                         .payload = tx_pattern(),
                         .payload_len = len,
                         .footer = gw_tx_footer_word(GW_TX_FOOTER_HAPECOM, GW_TX_PORT)};
    return draft;
}

/* tx_log takes down the ids of rules without "TX-", and answers as "request>response",
 * also those that are what was sent, passed on. */
typedef struct tx_log {
    gw_verdict_sink sink;
    char rules[256];
    char relations[256];
    char forwards[256];
    unsigned findings;
    gw_finding last; /* its text is gone */
} tx_log;

static inline void tx_append(char *line, size_t cap, const char *word)
{
    gw_text t = {line, cap, strlen(line), false};

    if (t.len > 0)
        gw_text_str(&t, " ");
    gw_text_str(&t, word);
}

static inline void tx_log_finding(gw_verdict_sink *sink, const gw_finding *finding)
{
    tx_log *log = (tx_log *)sink;

    tx_append(log->rules, sizeof log->rules, finding->rule->id + strlen("TX-"));
    log->last = *finding;
    log->findings++;
}

static inline void tx_log_relation(gw_verdict_sink *sink, const gw_relation *relation)
{
    tx_log *log = (tx_log *)sink;
    char word[64];
    gw_text t = gw_text_over(word, sizeof word);

    gw_text_dec(&t, relation->request);
    gw_text_str(&t, relation->kind == GW_ANSWERS || relation->kind == GW_FORWARDED ? ">" : "?!");
    gw_text_dec(&t, relation->response);
    if (relation->ambiguous)
        gw_text_str(&t, "?");
    if (relation->kind == GW_FORWARDED)
        tx_append(log->forwards, sizeof log->forwards, word);
    else
        tx_append(log->relations, sizeof log->relations, word);
}

static inline tx_log tx_log_new(void)
{
    tx_log log = {.sink = {.finding = tx_log_finding, .relation = tx_log_relation}};
    return log;
}

#endif
