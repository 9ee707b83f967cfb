/* SPDX-License-Identifier: BSD-2-Clause */
/* The SECDED code of the VHDL core against that of the codec, through a simulator: random words,
 * each as it is and with every bit and every two bits flipped.
 *
 *     secded_test SIMULATE_SH SIMULATOR WORDS [FAULT]
 *
 * With a FAULT that changes the code the two must differ. Exit status 77: the simulator is not
 * installed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "goldwire/secded.h"
#include "goldwire/textarossa.h"
#include "harness/sim.h"

#define START_NS INT64_C(300000000000) /* of the wall's clock: it may have to be built first */
#define LOOK_NS INT64_C(200000000)
#define ANSWER_NS INT64_C(100000) /* of simulated time */
#define CARRIED (GW_TX_WORD + 1)  /* a word and its flag */
#define BITS 128

enum { ALL_FLIPS = 0, ONE_CHECK = 1 }; /* flags of what is asked */

static const gw_endpoint here = {.family = GW_FAMILY_IPV4, .ip = {10, 0, 0, 1}, .port = 1};
static const gw_endpoint there = {.family = GW_FAMILY_IPV4, .ip = {10, 0, 0, 2}, .port = 1};

typedef struct bench {
    gw_sim *sim;
    gw_transport *port;
    pid_t child;
    uint64_t random;
} bench;

static void give_up(const char *what)
{
    fprintf(stderr, "secded_test: %s\n", what);
    exit(1);
}

/* ---- the simulator ---- */

/* Ends with the simulator's own status when it is over before it calls. */
static void await(bench *b)
{
    char why[256] = "";
    for (int64_t left_ns = START_NS; !gw_sim_await(b->sim, LOOK_NS, why, sizeof(why));
         left_ns -= LOOK_NS) {
        int status = 0;
        if (waitpid(b->child, &status, WNOHANG) == b->child) {
            gw_sim_free(b->sim);
            exit(WIFEXITED(status) && WEXITSTATUS(status) != 0 ? WEXITSTATUS(status) : 1);
        }
        if (left_ns <= 0)
            give_up(why);
    }
}

static void start(bench *b, const char *script, const char *simulator, unsigned fault)
{
    char why[256] = "", name[64], setting[32];
    (void)snprintf(name, sizeof(name), "secded-%s-%ld", simulator, (long)getpid());
    (void)snprintf(setting, sizeof(setting), "FAULT=%u", fault);
    b->sim = gw_sim_listen(name, why, sizeof(why));
    if (b->sim == NULL)
        give_up(why);
    b->child = fork();
    if (b->child == 0) {
        (void)dup2(STDERR_FILENO, STDOUT_FILENO);
        execl(script, script, simulator, "secded", setting, (char *)NULL);
        _exit(9);
    }
    await(b);
    b->port = gw_sim_open(b->sim, 0, &here, &there, why, sizeof(why));
    if (b->port == NULL)
        give_up(why);
}

/* Asks about |word|, and gets |num| words, at most 3. */
static void ask(bench *b, gw_tx_word word, uint8_t flag, gw_tx_word *answers, size_t num)
{
    uint8_t bytes[3 * CARRIED];
    size_t have = 0;
    gw_tx_store(bytes, GW_TX_WORD, GW_TX_ORDER_A, word);
    bytes[GW_TX_WORD] = flag;
    if (!b->port->ops->send(b->port, bytes, CARRIED))
        give_up(b->port->error);
    int64_t deadline = gw_sim_now(b->sim) + ANSWER_NS;
    while (have < num * CARRIED) {
        size_t len = 0;
        if (b->port->ops->recv(b->port, bytes + have, sizeof(bytes) - have, &len, deadline, NULL,
                               NULL) != GW_RECV_DATA)
            give_up(b->port->unreachable ? b->port->error : "the core does not answer");
        have += len;
    }
    for (size_t i = 0; i < num; i++)
        answers[i] = gw_tx_load(bytes + i * CARRIED, GW_TX_WORD, GW_TX_ORDER_A);
}

/* ---- what the codec says ---- */

static bool is_same(gw_tx_word a, gw_tx_word b)
{
    return a.lo == b.lo && a.hi == b.hi;
}

static gw_tx_word flipped(gw_tx_word word, int bit)
{
    if (bit >= 64)
        word.hi ^= UINT64_C(1) << (bit - 64);
    else if (bit >= 0)
        word.lo ^= UINT64_C(1) << bit;
    return word;
}

/* The codec's verdict as the core says it. */
static gw_tx_word check(gw_tx_word word, gw_tx_word *status)
{
    static const uint8_t codes[] = {
        [GW_SECDED_CLEAN] = 0, [GW_SECDED_CORRECTED] = 1, [GW_SECDED_FATAL] = 2};
    gw_secded_result r = gw_secded_check(word.lo, word.hi, true);
    *status = (gw_tx_word){codes[r.status], 0};
    return (gw_tx_word){r.lo, r.hi | (uint64_t)r.syndrome << 56};
}

/* A step of a polynomial hash: x to the 128th is x to the 7th + x squared + x + 1. */
static gw_tx_word step(gw_tx_word digest, gw_tx_word value)
{
    uint64_t carry = digest.hi >> 63;
    digest.hi = digest.hi << 1 | digest.lo >> 63;
    digest.lo = digest.lo << 1 ^ carry * 0x87;
    return (gw_tx_word){digest.lo ^ value.lo, digest.hi ^ value.hi};
}

typedef struct sum {
    gw_tx_word digest;
    uint32_t counts[3]; /* by the core's code of a status */
} sum;

static void add(sum *s, gw_tx_word word)
{
    gw_tx_word status, is = check(word, &status);
    s->digest = step(step(s->digest, is), status);
    s->counts[status.lo]++;
}

static sum sum_of(gw_tx_word good)
{
    sum s = {.counts = {0}};
    add(&s, good);
    for (int i = 0; i < BITS; i++) {
        add(&s, flipped(good, i));
        for (int j = 0; j < i; j++)
            add(&s, flipped(flipped(good, i), j));
    }
    return s;
}

/* ---- comparing ---- */

static void show(const char *who, gw_tx_word word)
{
    fprintf(stderr, "    %s 0x%016" PRIx64 "%016" PRIx64 "\n", who, word.hi, word.lo);
}

/* Looks for the first flip of |good| that the two tell otherwise. */
static void tell_difference(bench *b, gw_tx_word good)
{
    for (int i = -1; i < BITS; i++) {
        for (int j = -1; j < i || j == -1; j++) {
            gw_tx_word word = flipped(flipped(good, i), j), answers[2], status;
            gw_tx_word want = check(word, &status);
            ask(b, word, ONE_CHECK, answers, 2);
            if (is_same(answers[0], want) && is_same(answers[1], status))
                continue;
            fprintf(stderr,
                    "bits %d and %d flipped (-1: none): status %" PRIu64 ", the codec says %" PRIu64
                    "\n",
                    i, j, answers[1].lo, status.lo);
            show("word ", word);
            show("core ", answers[0]);
            show("codec", want);
            return;
        }
    }
    fprintf(stderr, "each flip by itself is told alike, and their digests differ\n");
}

static bool compare(bench *b, gw_tx_word word)
{
    gw_tx_word answers[3], good = gw_tx_protect(word);
    ask(b, word, ALL_FLIPS, answers, 3);
    if (!is_same(answers[0], good)) {
        fprintf(stderr, "check bytes differ\n");
        show("core ", answers[0]);
        show("codec", good);
        return false;
    }
    sum s = sum_of(good);
    gw_tx_word counts = {(uint64_t)s.counts[1] << 32 | s.counts[2], s.counts[0]};
    if (is_same(answers[1], s.digest) && is_same(answers[2], counts))
        return true;
    tell_difference(b, good);
    return false;
}

/* xorshift64* */
static uint64_t draw(bench *b)
{
    b->random ^= b->random >> 12;
    b->random ^= b->random << 25;
    b->random ^= b->random >> 27;
    return b->random * UINT64_C(0x2545f4914f6cdd1d);
}

/* Words of zeros and of ones, and random ones. */
static gw_tx_word choose(bench *b, unsigned i)
{
    gw_tx_word word = {0, 0};
    if (i == 1)
        word = (gw_tx_word){UINT64_MAX, UINT64_MAX};
    else if (i > 1)
        word = (gw_tx_word){draw(b), draw(b)};
    word.hi &= UINT64_MAX >> 8;
    return word;
}

int main(int argc, char **argv)
{
    bench b = {.random = UINT64_C(0x9e3779b97f4a7c15)};
    if (argc < 4 || argc > 5)
        give_up("SIMULATE_SH SIMULATOR WORDS [FAULT]");
    unsigned words = (unsigned)strtoul(argv[3], NULL, 10), num = 0;
    bool is_faulty = argc == 5;
    start(&b, argv[1], argv[2], is_faulty ? (unsigned)strtoul(argv[4], NULL, 10) : 0);
    while (num < words && compare(&b, choose(&b, num)))
        num++;
    bool same = num == words;
    printf("%u words, each with %d single and %d double flips: %s\n", num, BITS,
           BITS * (BITS - 1) / 2, same ? "alike" : "one more differs");
    gw_transport_close(b.port);
    gw_sim_free(b.sim);
    (void)waitpid(b.child, NULL, 0);
    return same != is_faulty ? 0 : 1;
}
