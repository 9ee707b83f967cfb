/* SPDX-License-Identifier: BSD-2-Clause */
/* How fast EtherBone is decoded and walked, as a ratio to a loop over the same bytes that only
 * byte-swaps and adds every word: the least that anything could do that looks at all of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/aim.h"
#include "goldwire/cursor.h"
#include "goldwire/etherbone.h"

enum { ROUNDS = 11, PACKETS = 64 };

static volatile uint64_t keep; /* so that no result can be optimised away */

struct sample {
    uint8_t bytes[1472];
    size_t len;
    gw_message message; /* what a capture reader would hand over */
};

typedef uint64_t (*work_fn)(const struct sample *s);

/* Of the processor: others may be at work beside. */
static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The limit: every 32-bit word of the packet, swapped and added. */
static __attribute__((noinline)) uint64_t sum_words(const struct sample *s)
{
    uint64_t sum = 0;
    for (size_t at = 0; at + 4 <= s->len; at += 4)
        sum += gw_load_be32(s->bytes + at);
    return sum;
}

/* Decode to structs: every record's header, addresses and where its words are. */
static __attribute__((noinline)) uint64_t decode(const struct sample *s)
{
    gw_eb_reader reader;
    gw_eb_record r;
    uint64_t sum = 0;

    if (!gw_eb_open(&reader, &s->message, NULL))
        abort();
    while (gw_eb_next(&reader, &r))
        sum += r.write_base + r.return_base + r.wcount + r.rcount + r.flags + r.byte_enable;
    return sum;
}

/* The same, and every data word and read address looked at too. */
static __attribute__((noinline)) uint64_t decode_all(const struct sample *s)
{
    gw_eb_reader reader;
    gw_eb_record r;
    uint64_t sum = 0;

    if (!gw_eb_open(&reader, &s->message, NULL))
        abort();
    while (gw_eb_next(&reader, &r)) {
        sum += r.write_base + r.return_base + r.flags + r.byte_enable;
        for (unsigned i = 0; i < r.wcount; i++)
            sum += gw_eb_write_value(&reader.layout, &r, i);
        for (unsigned i = 0; i < r.rcount; i++)
            sum += gw_eb_read_addr(&reader.layout, &r, i);
    }
    return sum;
}

struct adder {
    gw_sink sink;
    uint64_t sum;
};

static void add(gw_sink *sink, const gw_item *item)
{
    ((struct adder *)sink)->sum += item->value;
}

/* The walk: every field of the packet, one by one, to a sink. */
static __attribute__((noinline)) uint64_t walk(const struct sample *s)
{
    struct adder a = {.sink = {.item = add}};

    if (gw_etherbone.walk(&s->message, NULL, &a.sink).kind != GW_OK)
        abort();
    return a.sum;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values)
{
    qsort(values, ROUNDS, sizeof values[0], by_value);
    return values[ROUNDS / 2];
}

/* Nanoseconds a packet. */
static double measure(work_fn work, const struct sample *samples, unsigned repeat)
{
    uint64_t sum = 0;
    double start = seconds();
    for (unsigned r = 0; r < repeat; r++) {
        for (unsigned i = 0; i < PACKETS; i++)
            sum += work(&samples[i]);
    }
    keep = sum;
    return (seconds() - start) * 1e9 / ((double)repeat * PACKETS);
}

/* A packet of one record with |writes| and |reads| at 32/32, contents from |seed|. */
static void fill(struct sample *s, uint8_t writes, uint8_t reads, uint64_t seed)
{
    uint64_t values[255], addrs[255];
    gw_eb_builder b;

    for (unsigned i = 0; i < 255; i++) {
        values[i] = seed = seed * 6364136223846793005u + 1442695040888963407u;
        addrs[i] = seed >> 32;
    }
    gw_eb_operation op = {.writes = values,
                          .num_writes = writes,
                          .write_base = 0x1000,
                          .reads = addrs,
                          .num_reads = reads,
                          .return_base = 0x8000,
                          .flags = GW_EB_CYC,
                          .byte_enable = 0x0f};
    if (!gw_eb_build_packet(&b, s->bytes, sizeof s->bytes, 0x44, NULL) ||
        !gw_eb_build_record(&b, &op))
        abort();
    s->len = gw_eb_build_end(&b, true);
    s->message = gw_message_of(s->bytes, s->len);
}

/* All take turns, the limit first, so that a machine that changes its mind changes it for all. */
static void bench(uint8_t writes, uint8_t reads, unsigned repeat, double aim)
{
    static const struct {
        const char *what;
        work_fn work;
        bool aimed;
    } rows[] = {{"byte-swap and add every word", sum_words, false},
                {"decode to struct", decode, false},
                {"decode and look at every word", decode_all, true},
                {"walk to a sink", walk, false}};
    enum { ROWS = sizeof rows / sizeof rows[0] };
    static struct sample samples[PACKETS];
    double took[ROWS][ROUNDS], ratio[ROWS][ROUNDS];

    for (unsigned i = 0; i < PACKETS; i++)
        fill(&samples[i], writes, reads, i + 1);
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < ROWS; i++) {
            took[i][round] = measure(rows[i].work, samples, repeat);
            ratio[i][round] = took[i][round] / took[0][round];
        }
    }
    printf("%zu-byte packet, 1 record (%u writes, %u reads)\n", samples[0].len, writes, reads);
    for (unsigned i = 0; i < ROWS; i++) {
        double times = median(ratio[i]);
        printf("  %-34s %9.1f ns  %6.2f x", rows[i].what, median(took[i]), times);
        gw_aim_at_most(times, rows[i].aimed ? aim : 0);
    }
}

int main(void)
{
    bench(1, 0, 20000, 2.5);
    bench(255, 100, 500, 1.5);
    return 0;
}
