/* SPDX-License-Identifier: BSD-2-Clause */
/* How the cost of reading captures grows:
 *
 *   scale_bench make KIND PACKETS ENDS OPEN EVERY FILE       writes a capture ("-": to stdout)
 *   scale_bench run KIND PACKETS ENDS OPEN EVERY GOLDWIRE VERB   has `GOLDWIRE VERB -' read it
 *   scale_bench kinds
 *
 * A capture of PACKETS packets, a microsecond apart, in which ENDS ends are asked in turn and
 * answer (over TCP: so many connections after each other), OPEN requests being under way at a time
 * (over TCP: so many connections), and every EVERYth request breaks a rule (0: none).
 *
 * It goes through a pipe, so gigabytes need no disk. `run' prints a line of numbers: bytes of the
 * capture, nanoseconds of processor time a packet of libpcap's own loop and of goldwire, each over
 * the same pipe, and kilobytes of memory that goldwire took at the most. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pcap/pcap.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/scale/kinds.h"
#include "goldwire/ims.h"
#include "goldwire/net.h"
#include "harness/capture.h"

enum {
    FRAME = SCALE_PAYLOAD + 64,
    HEAD = 24,   /* bytes of the file's header ... */
    RECORD = 16, /* ... and of a packet's */
    PIPE = 1 << 20,
};

typedef struct plan {
    const scale_kind *kind;
    uint64_t packets;
    uint64_t ends;
    uint64_t open;
    uint64_t every;
} plan;

/* ---- a capture ---- */

typedef struct maker {
    const plan *plan;
    pcap_dumper_t *dump;
    uint64_t packets;
    uint64_t bytes;
} maker;

static bool over(const maker *m)
{
    return m->packets >= m->plan->packets;
}

static void put(maker *m, const uint8_t *frame, size_t len)
{
    const struct pcap_pkthdr head = {
        .ts = {.tv_sec = 1700000000 + (time_t)(m->packets / 1000000),
               .tv_usec = (suseconds_t)(m->packets % 1000000)},
        .caplen = (bpf_u_int32)len,
        .len = (bpf_u_int32)len,
    };

    if (len == 0)
        abort();
    pcap_dump((u_char *)m->dump, &head, frame);
    m->packets++;
    m->bytes += RECORD + len;
}

/* The |place|th end of 16 million, in an order that is no order of addresses. */
static gw_endpoint end_of(uint64_t place, uint16_t port)
{
    const uint32_t mixed = (uint32_t)(place * 2654435761u) & 0xffffff;

    return (gw_endpoint){.ip = {10, (uint8_t)(mixed >> 16), (uint8_t)(mixed >> 8), (uint8_t)mixed},
                         .port = port,
                         .family = GW_FAMILY_IPV4};
}

static scale_exchange exchange_of(const plan *p, uint64_t number)
{
    scale_exchange x = {
        .number = number,
        .turn = number / p->ends,
        .place = (uint32_t)(number % p->ends),
        .asks = {.ip = {192, 0, 2, 1}, .port = p->kind->port, .family = GW_FAMILY_IPV4}};

    x.answers = end_of(x.place, p->kind->port);
    return x;
}

/* Who sends what is built, and to whom: its frame. */
static void put_datagram(maker *m, const scale_exchange *x, bool answer)
{
    const plan *p = m->plan;
    uint8_t payload[SCALE_PAYLOAD], frame[FRAME];
    const bool turned = answer != (p->kind->format == &gw_ims); /* there the many ask */
    const gw_endpoint *src = turned ? &x->answers : &x->asks;
    const gw_endpoint *dst = turned ? &x->asks : &x->answers;
    const size_t len = (answer ? p->kind->answer : p->kind->ask)(payload, sizeof payload, x);

    if (!answer && p->every != 0 && x->number % p->every == p->every - 1)
        payload[p->kind->flip_at] ^= p->kind->flip;
    put(m, frame,
        gw_frame_udp_styled(frame, sizeof frame, src, dst, payload, len,
                            p->kind->format->ip_style));
}

static void make_datagrams(maker *m)
{
    const plan *p = m->plan;

    for (uint64_t i = 0; !over(m); i++) {
        const scale_exchange x = exchange_of(p, i);
        put_datagram(m, &x, false);
        if (i + 1 < p->open || over(m))
            continue;
        const scale_exchange before = exchange_of(p, i + 1 - p->open);
        put_datagram(m, &before, true);
    }
}

/* ---- over TCP ---- */

typedef struct talk {
    gw_endpoint ends[2];
    uint32_t seq[2];
} talk;

static void put_segment(maker *m, talk *t, unsigned dir, uint8_t flags, const uint8_t *data,
                        size_t len)
{
    uint8_t frame[FRAME];

    put(m, frame,
        gw_frame_tcp(frame, sizeof frame, &t->ends[dir], &t->ends[!dir], t->seq[dir], t->seq[!dir],
                     flags, data, len));
    t->seq[dir] += (uint32_t)len + ((flags & (GW_TCP_SYN | GW_TCP_FIN)) != 0 ? 1 : 0);
}

static void say(maker *m, talk *t, const scale_exchange *x, scale_build *ask, scale_build *answer)
{
    const plan *p = m->plan;
    uint8_t payload[SCALE_PAYLOAD];
    size_t len = ask(payload, sizeof payload, x);

    if (ask != scale_open && p->every != 0 && x->number % p->every == p->every - 1)
        payload[p->kind->flip_at] ^= p->kind->flip;
    put_segment(m, t, 0, GW_TCP_ACK, payload, len);
    len = answer(payload, sizeof payload, x);
    put_segment(m, t, 1, GW_TCP_ACK, payload, len);
}

/* Connections |from| to |from| + |num| at the same time, of |each| reads: their numbers go on. */
static void make_talks(maker *m, talk *talks, uint64_t from, uint64_t num, uint64_t each)
{
    const scale_kind *kind = m->plan->kind;
    scale_exchange x = {.number = from * each};

    for (uint64_t i = 0; i < num; i++) {
        talk *t = &talks[i];
        *t = (talk){.ends = {end_of(from + i, 40000), {.ip = {192, 0, 2, 1}}}, .seq = {1000, 5000}};
        t->ends[1].family = GW_FAMILY_IPV4;
        t->ends[1].port = kind->port;
        put_segment(m, t, 0, GW_TCP_SYN, NULL, 0);
        put_segment(m, t, 1, GW_TCP_SYN | GW_TCP_ACK, NULL, 0);
        say(m, t, &x, scale_open, scale_opened);
    }
    for (uint64_t turn = 0; turn < each; turn++) {
        for (uint64_t i = 0; i < num; i++, x.number++)
            say(m, &talks[i], &x, kind->ask, kind->answer);
    }
    for (uint64_t i = 0; i < num; i++) {
        put_segment(m, &talks[i], 0, GW_TCP_FIN | GW_TCP_ACK, NULL, 0);
        put_segment(m, &talks[i], 1, GW_TCP_FIN | GW_TCP_ACK, NULL, 0);
    }
}

static void make_connections(maker *m)
{
    const plan *p = m->plan;
    const uint64_t open = p->open < p->ends ? p->open : p->ends;
    const uint64_t each = p->packets / p->ends > 8 ? (p->packets / p->ends - 6) / 2 : 1;
    talk *talks = calloc(open, sizeof *talks);

    if (talks == NULL)
        abort();
    for (uint64_t from = 0; from < p->ends && !over(m); from += open)
        make_talks(m, talks, from, from + open > p->ends ? p->ends - from : open, each);
    free(talks);
}

/* Returns how long the capture is, in bytes; 0 when it cannot be written. */
static uint64_t make(const plan *p, const char *path, uint64_t *packets)
{
    pcap_t *pcap = pcap_open_dead(DLT_EN10MB, 65535);
    maker m = {.plan = p, .dump = pcap == NULL ? NULL : pcap_dump_open(pcap, path), .bytes = HEAD};

    if (m.dump == NULL) {
        fprintf(stderr, "%s: %s\n", path, pcap == NULL ? "no memory" : pcap_geterr(pcap));
        return 0;
    }
    if (p->kind->stream)
        make_connections(&m);
    else
        make_datagrams(&m);
    const bool bad = pcap_dump_flush(m.dump) != 0;
    pcap_dump_close(m.dump);
    pcap_close(pcap);
    *packets = m.packets;
    return bad ? 0 : m.bytes;
}

/* ---- who reads it ---- */

static void look(u_char *user, const struct pcap_pkthdr *head, const u_char *bytes)
{
    uint64_t *sum = (uint64_t *)(void *)user;
    *sum += head->caplen > 0 ? bytes[0] + 1u : 1;
}

static int loop(void)
{
    char why[PCAP_ERRBUF_SIZE];
    uint64_t sum = 0;
    pcap_t *pcap = pcap_open_offline("-", why);

    return pcap != NULL && pcap_loop(pcap, 0, look, (u_char *)&sum) == 0 && sum > 0 ? 0 : 2;
}

typedef struct spent {
    uint64_t bytes;
    uint64_t packets;
    double ns; /* of processor time */
    long kb;   /* of memory */
} spent;

/* The child's part: what it prints goes nowhere. */
static _Noreturn void read_it(int from, char **argv)
{
    const int nowhere = open("/dev/null", O_WRONLY);

    if (dup2(from, 0) < 0 || dup2(nowhere, 1) < 0 || dup2(nowhere, 2) < 0)
        _exit(4);
    close(from);
    if (argv == NULL)
        _exit(loop());
    execv(argv[0], argv);
    _exit(4);
}

/* Hands the capture to |argv|, or to libpcap where that is NULL. False when something failed. */
static bool measure(const plan *p, char **argv, spent *out)
{
    struct rusage used;
    int ends[2], status;
    char path[32];

    if (pipe(ends) != 0)
        return false;
    (void)fcntl(ends[1], F_SETPIPE_SZ, PIPE);
    const pid_t child = fork();
    if (child == 0) {
        close(ends[1]);
        read_it(ends[0], argv);
    }
    close(ends[0]);
    if (child < 0)
        return false;
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    out->bytes = make(p, path, &out->packets);
    close(ends[1]);
    while (wait4(child, &status, 0, &used) < 0 && errno == EINTR)
        ;
    out->ns = 1e9 * (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
              1e3 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    out->kb = used.ru_maxrss;
    return out->bytes != 0 && WIFEXITED(status) && WEXITSTATUS(status) < 2;
}

static int run(const plan *p, char *goldwire, char *verb)
{
    char proto[32], option[] = "--proto", file[] = "-";
    char *argv[] = {goldwire, verb, option, proto, file, NULL};
    spent limit, own;

    snprintf(proto, sizeof proto, "%s", p->kind->format->name);
    (void)signal(SIGPIPE, SIG_IGN);
    if (!measure(p, NULL, &limit) || !measure(p, argv, &own)) {
        fprintf(stderr, "scale_bench: %s: '%s %s' did not read it\n", p->kind->name, goldwire,
                verb);
        return 2;
    }
    printf("%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%.1f\t%.1f\t%ld\n",
           p->kind->name, own.packets, p->ends, p->open, p->every, own.bytes,
           limit.ns / (double)own.packets, own.ns / (double)own.packets, own.kb);
    return 0;
}

static const scale_kind *kind_of(const char *name)
{
    for (const scale_kind *k = scale_kinds; k->name != NULL; k++) {
        if (strcmp(k->name, name) == 0)
            return k;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    const bool making = argc == 8 && strcmp(argv[1], "make") == 0;

    if (argc == 2 && strcmp(argv[1], "kinds") == 0) {
        for (const scale_kind *k = scale_kinds; k->name != NULL; k++)
            printf("%s\n", k->name);
        return 0;
    }
    if (making || (argc == 9 && strcmp(argv[1], "run") == 0)) {
        const plan p = {.kind = kind_of(argv[2]),
                        .packets = strtoull(argv[3], NULL, 10),
                        .ends = strtoull(argv[4], NULL, 10),
                        .open = strtoull(argv[5], NULL, 10),
                        .every = strtoull(argv[6], NULL, 10)};
        uint64_t packets;
        if (p.kind != NULL && p.packets > 0 && p.ends > 0 && p.open > 0)
            return !making ? run(&p, argv[7], argv[8]) : make(&p, argv[7], &packets) != 0 ? 0 : 2;
    }
    fprintf(stderr, "usage: scale_bench make KIND PACKETS ENDS OPEN EVERY FILE | run KIND PACKETS "
                    "ENDS OPEN EVERY GOLDWIRE VERB | kinds\n");
    return 2;
}
