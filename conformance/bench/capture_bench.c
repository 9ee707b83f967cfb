/* SPDX-License-Identifier: BSD-2-Clause */
/* Captures to measure with, and the limit for reading them:
 *
 *   capture_bench etherbone N FILE   N timing messages, as a White Rabbit network broadcasts them
 *   capture_bench dns N FILE         N DNS queries of about the same size
 *   capture_bench loop FILE          libpcap's own loop, looking at one byte of each packet */
#include <errno.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "goldwire/etherbone.h"
#include "goldwire/writer.h"
#include "harness/capture.h"

static const gw_endpoint sender = {.ip = {192, 0, 2, 1}, .port = 60368, .family = GW_FAMILY_IPV4};
static const gw_endpoint everyone = {
    .ip = {192, 0, 2, 255}, .port = 60368, .family = GW_FAMILY_IPV4};
static const gw_endpoint resolver = {.ip = {192, 0, 2, 53}, .port = 53, .family = GW_FAMILY_IPV4};

static size_t timing_message(uint8_t *out, size_t cap, unsigned n)
{
    uint64_t words[8] = {0x1fcbfcb0, 0, 0x03010000, n, 0, 0, 0x16cd9348, (uint64_t)n * 33333333};
    gw_eb_builder b;
    gw_eb_operation op = {.writes = words,
                          .num_writes = 8,
                          .write_base = 0x7ffffff0,
                          .flags = GW_EB_CYC | GW_EB_WFF,
                          .byte_enable = 0x0f};
    if (!gw_eb_build_packet(&b, out, cap, 0x44, NULL) || !gw_eb_build_record(&b, &op))
        abort();
    return gw_eb_build_end(&b, true);
}

/* An A query for fair-NNNNNN.example (RFC 1035 4.1). */
static size_t dns_query(uint8_t *out, size_t cap, unsigned n)
{
    gw_writer w = gw_writer_over(out, cap);
    char label[16];

    snprintf(label, sizeof label, "fair-%06u", n % 1000000);
    gw_write_be(&w, n & 0xffff, 2);
    gw_write_be(&w, 0x0100, 2);
    gw_write_be(&w, 1, 2);
    gw_write_zeros(&w, 6);
    gw_write_be(&w, strlen(label), 1);
    gw_write_bytes(&w, label, strlen(label));
    gw_write_bytes(&w, "\007example\000\000\001\000\001", 13);
    return w.len;
}

static int make(bool dns, unsigned long num, const char *path)
{
    pcap_t *pcap = pcap_open_dead(DLT_EN10MB, 65535);
    pcap_dumper_t *dump = pcap == NULL ? NULL : pcap_dump_open(pcap, path);

    if (dump == NULL) {
        fprintf(stderr, "%s: %s\n", path, pcap == NULL ? "no memory" : pcap_geterr(pcap));
        return 2;
    }
    for (unsigned long i = 0; i < num; i++) {
        uint8_t payload[256], frame[512];
        size_t len = dns ? dns_query(payload, sizeof payload, (unsigned)i)
                         : timing_message(payload, sizeof payload, (unsigned)i);
        size_t frame_len =
            gw_frame_udp(frame, sizeof frame, &sender, dns ? &resolver : &everyone, payload, len);
        struct pcap_pkthdr head = {.ts = {.tv_sec = 1700000000 + (time_t)(i / 30),
                                          .tv_usec = (suseconds_t)(i % 30) * 33333},
                                   .caplen = (bpf_u_int32)frame_len,
                                   .len = (bpf_u_int32)frame_len};
        pcap_dump((u_char *)dump, &head, frame);
    }
    int bad = pcap_dump_flush(dump);
    pcap_dump_close(dump);
    pcap_close(pcap);
    return bad ? 2 : 0;
}

static void look(u_char *user, const struct pcap_pkthdr *head, const u_char *bytes)
{
    uint64_t *sum = (uint64_t *)(void *)user;
    *sum += head->caplen > 0 ? bytes[0] + 1u : 1;
}

static int loop(const char *path)
{
    char why[PCAP_ERRBUF_SIZE];
    uint64_t sum = 0;
    pcap_t *pcap = pcap_open_offline(path, why);

    if (pcap == NULL || pcap_loop(pcap, 0, look, (u_char *)&sum) != 0) {
        fprintf(stderr, "%s\n", pcap == NULL ? why : pcap_geterr(pcap));
        return 2;
    }
    printf("%llu\n", (unsigned long long)sum);
    pcap_close(pcap);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && (strcmp(argv[1], "etherbone") == 0 || strcmp(argv[1], "dns") == 0))
        return make(argv[1][0] == 'd', strtoul(argv[2], NULL, 10), argv[3]);
    if (argc == 3 && strcmp(argv[1], "loop") == 0)
        return loop(argv[2]);
    fprintf(stderr, "usage: capture_bench etherbone|dns N FILE | loop FILE\n");
    return 2;
}
