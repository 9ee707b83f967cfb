/* SPDX-License-Identifier: BSD-2-Clause */
/* How fast TEXTAROSSA's check bytes and headers, and OP2P's, go: beside a version of the same code
 * that takes one bit at a time, and beside memcpy of the same bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/aim.h"
#include "goldwire/cursor.h"
#include "goldwire/op2p.h"
#include "goldwire/secded.h"
#include "goldwire/textarossa.h"

enum { ROUNDS = 9, WORDS = 1024, WORD = 16 };

static volatile uint64_t keep; /* so that no result can be optimised away */
static uint8_t bytes[WORDS * WORD], copy[WORDS * WORD];

/* Of the processor: others may be at work beside. */
static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- bit by bit, as the document writes it: positions that are no powers of two ---- */

static uint8_t encode_bits(uint64_t lo, uint64_t hi)
{
    unsigned position = 3, syndrome = 0, ones = 0;

    for (unsigned i = 0; i < 120; i++, position++) {
        while ((position & (position - 1)) == 0)
            position++;
        uint64_t bit = (i < 64 ? lo >> i : hi >> (i - 64)) & 1;
        if (bit != 0)
            syndrome ^= position;
        ones += (unsigned)bit;
    }
    for (unsigned k = 0; k < 7; k++)
        ones += syndrome >> k & 1;
    return (uint8_t)(syndrome << 1 | (ones & 1));
}

/* ---- what is measured: all words once ---- */

static __attribute__((noinline)) uint64_t copy_all(void)
{
    memcpy(copy, bytes, sizeof copy);
    return copy[0];
}

static __attribute__((noinline)) uint64_t encode_slowly(void)
{
    uint64_t sum = 0;
    for (size_t at = 0; at < sizeof bytes; at += WORD)
        sum += encode_bits(gw_load_le64(bytes + at), gw_load_le64(bytes + at + 8));
    return sum;
}

static __attribute__((noinline)) uint64_t encode_fast(void)
{
    uint64_t sum = 0;
    for (size_t at = 0; at < sizeof bytes; at += WORD)
        sum += gw_secded_encode(gw_load_le64(bytes + at), gw_load_le64(bytes + at + 8));
    return sum;
}

static __attribute__((noinline)) uint64_t check_all(void)
{
    uint64_t sum = 0;
    for (size_t at = 0; at < sizeof bytes; at += WORD)
        sum += gw_secded_check(gw_load_le64(bytes + at), gw_load_le64(bytes + at + 8), true).lo;
    return sum;
}

static __attribute__((noinline)) uint64_t decode_textarossa(void)
{
    uint64_t sum = 0;
    for (size_t at = 0; at < sizeof bytes; at += WORD) {
        gw_tx_word word = gw_tx_load(bytes + at, GW_TX_WORD, GW_TX_ORDER_A);
        gw_tx_header h = gw_tx_unpack(word, GW_TX_PORT);
        sum += h.dest_addr + h.packet_size + h.proc_id + h.dest_x + h.virt_chan;
    }
    return sum;
}

static __attribute__((noinline)) uint64_t decode_op2p(void)
{
    uint64_t sum = 0;
    for (size_t at = 0; at < sizeof bytes; at += WORD) {
        gw_op2p_header h = gw_op2p_get(bytes + at);
        sum += h.dst_addr + h.src_addr + h.byte_count + h.type + h.dst_id;
    }
    return sum;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median nanoseconds a word. */
static double measure(uint64_t (*work)(void), unsigned repeat)
{
    double took[ROUNDS];

    for (unsigned round = 0; round < ROUNDS; round++) {
        uint64_t sum = 0;
        double start = seconds();
        for (unsigned r = 0; r < repeat; r++) {
            bytes[0] = (uint8_t)r; /* nothing can be taken from the last time */
            sum += work();
        }
        took[round] = (seconds() - start) * 1e9 / ((double)repeat * WORDS);
        keep = sum;
    }
    qsort(took, ROUNDS, sizeof took[0], by_value);
    return took[ROUNDS / 2];
}

static void report(const char *what, double ns, double slow, double memory, double aim)
{
    printf("  %-34s %9.2f ns", what, ns);
    if (slow > 0)
        printf("  %6.1f x faster than bit by bit", slow / ns);
    printf("  %6.1f %% of memcpy's rate", 100 * memory / ns);
    gw_aim_at_least(slow / ns, aim);
}

int main(void)
{
    uint64_t seed = 1;

    for (size_t at = 0; at < sizeof bytes; at += WORD) {
        for (size_t i = 0; i < WORD; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            bytes[at + i] = (uint8_t)(seed >> 56);
        }
        uint64_t lo = gw_load_le64(bytes + at), hi = gw_load_le64(bytes + at + 8);
        bytes[at + WORD - 1] = gw_secded_encode(lo, hi);
        if (encode_bits(lo, hi) != bytes[at + WORD - 1]) {
            fprintf(stderr, "words_bench: the two ways of encoding disagree\n");
            return 4;
        }
    }
    double memory = measure(copy_all, 20000);
    double slow = measure(encode_slowly, 40);
    printf("%d words of 128 bits, one core\n", WORDS);
    report("memcpy", memory, 0, memory, 0);
    report("check byte, bit by bit", slow, slow, memory, 0);
    report("check byte, encode", measure(encode_fast, 2000), slow, memory, 60);
    report("check byte, check and correct", measure(check_all, 2000), slow, memory, 60);
    report("decode a TEXTAROSSA header", measure(decode_textarossa, 4000), 0, memory, 0);
    report("decode an OP2P header", measure(decode_op2p, 4000), 0, memory, 0);
    return 0;
}
