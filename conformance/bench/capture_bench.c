/* SPDX-License-Identifier: BSD-2-Clause */
/* Captures to measure with, and the limit for reading them:
 *
 *   capture_bench etherbone N FILE   N timing messages, as a White Rabbit network broadcasts them
 *   capture_bench dns N FILE         N DNS queries of about the same size
 *   capture_bench again FILE N OUT   N packets, those of FILE over and over, each turn later
 *   capture_bench loop FILE          libpcap's own loop, looking at one byte of each packet
 *   capture_bench send IFACE FILE N  its packets, N a call, as fast as the interface takes them;
 * prints how many a second */
#include <errno.h>
#include <net/if.h>
#include <netpacket/packet.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

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

/* ---- a capture, over and over ---- */

#define AGAIN_MAX 4096 /* packets that are repeated */

typedef struct kept {
    struct pcap_pkthdr head;
    u_char *bytes;
} kept;

static size_t keep_all(pcap_t *pcap, kept *packets)
{
    struct pcap_pkthdr *head;
    const u_char *bytes;
    size_t num = 0;

    while (num < AGAIN_MAX && pcap_next_ex(pcap, &head, &bytes) == 1) {
        packets[num].head = *head;
        packets[num].bytes = malloc(head->caplen + 1);
        if (packets[num].bytes == NULL)
            abort();
        memcpy(packets[num++].bytes, bytes, head->caplen);
    }
    return num;
}

/* Each turn begins a second after the last one's end, so that time goes on. */
static int again(const char *from, unsigned long num, const char *path)
{
    static kept packets[AGAIN_MAX];
    char why[PCAP_ERRBUF_SIZE];
    pcap_t *pcap = pcap_open_offline(from, why);
    size_t of = pcap == NULL ? 0 : keep_all(pcap, packets);
    pcap_dumper_t *dump = of == 0 ? NULL : pcap_dump_open(pcap, path);

    if (dump == NULL) {
        fprintf(stderr, "%s: %s\n", from, pcap == NULL ? why : "no packets, or no room");
        return 2;
    }
    time_t turn = packets[of - 1].head.ts.tv_sec - packets[0].head.ts.tv_sec + 1;
    for (unsigned long i = 0; i < num; i++) {
        struct pcap_pkthdr head = packets[i % of].head;
        head.ts.tv_sec += (time_t)(i / of) * turn;
        pcap_dump((u_char *)dump, &head, packets[i % of].bytes);
    }
    int bad = pcap_dump_flush(dump);
    pcap_dump_close(dump);
    pcap_close(pcap);
    for (size_t i = 0; i < of; i++)
        free(packets[i].bytes);
    return bad ? 2 : 0;
}

/* ---- onto an interface ---- */

#define SEND_PACKETS 64 /* a call */
#define SEND_BYTES 2048 /* a packet */

typedef struct sending {
    int fd;
    unsigned a_call;
    unsigned waiting; /* packets of the next call */
    unsigned long num;
    bool failed;
    struct mmsghdr heads[SEND_PACKETS];
    struct iovec parts[SEND_PACKETS];
    u_char bytes[SEND_PACKETS][SEND_BYTES];
} sending;

static void send_waiting(sending *s)
{
    unsigned sent = 0;

    while (sent < s->waiting && !s->failed) {
        int num = sendmmsg(s->fd, s->heads + sent, s->waiting - sent, 0);
        if (num > 0)
            sent += (unsigned)num;
        else if (errno != ENOBUFS && errno != EINTR) {
            perror("send");
            s->failed = true;
        }
    }
    s->num += sent;
    s->waiting = 0;
}

static void send_one(u_char *user, const struct pcap_pkthdr *head, const u_char *bytes)
{
    sending *s = (sending *)(void *)user;
    size_t len = head->caplen < SEND_BYTES ? head->caplen : SEND_BYTES;

    memcpy(s->bytes[s->waiting], bytes, len);
    s->parts[s->waiting] = (struct iovec){.iov_base = s->bytes[s->waiting], .iov_len = len};
    s->heads[s->waiting] =
        (struct mmsghdr){.msg_hdr = {.msg_iov = &s->parts[s->waiting], .msg_iovlen = 1}};
    if (++s->waiting == s->a_call)
        send_waiting(s);
}

static double now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int send_all(const char *interface, const char *path, unsigned a_call)
{
    static sending s;
    char why[PCAP_ERRBUF_SIZE] = "";
    struct sockaddr_ll to = {.sll_family = AF_PACKET,
                             .sll_ifindex = (int)if_nametoindex(interface)};
    pcap_t *pcap = pcap_open_offline(path, why);

    s.fd = socket(AF_PACKET, SOCK_RAW, 0); /* it receives nothing */
    s.a_call = a_call;
    if (pcap == NULL || s.fd < 0 || bind(s.fd, (const struct sockaddr *)&to, sizeof to) != 0) {
        fprintf(stderr, "%s: %s\n", interface, pcap == NULL ? why : strerror(errno));
        return 2;
    }
    double begun = now();
    int bad = pcap_loop(pcap, 0, send_one, (u_char *)&s);
    send_waiting(&s);
    printf("%.0f\n", (double)s.num / (now() - begun));
    pcap_close(pcap);
    (void)close(s.fd);
    return bad != 0 || s.failed ? 2 : 0;
}

/* ---- the limit ---- */

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
    if (argc == 5 && strcmp(argv[1], "again") == 0)
        return again(argv[2], strtoul(argv[3], NULL, 10), argv[4]);
    unsigned long a_call = argc == 5 ? strtoul(argv[4], NULL, 10) : 0;
    if (argc == 5 && strcmp(argv[1], "send") == 0 && a_call >= 1 && a_call <= SEND_PACKETS)
        return send_all(argv[2], argv[3], (unsigned)a_call);
    fprintf(stderr, "usage: capture_bench etherbone|dns N FILE | again FILE N OUT | loop FILE | "
                    "send IFACE FILE N\n");
    return 2;
}
