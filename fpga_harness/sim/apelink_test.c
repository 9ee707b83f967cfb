/* SPDX-License-Identifier: BSD-2-Clause */
/* An APElink of a simulated board as a stream of bytes: a child process plays the port of words,
 * with the same gw_hdl.c that testbenches link, and sends every word back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "gw_hdl.h"
#include "harness/sim.h"

#define PERIOD_PS 8000
#define WAIT_NS INT64_C(20000000000)
#define WORD 16

enum { OTHER_FLAGS = 7, SHORT_WORD = 8 }; /* exit statuses of the child */

static const gw_endpoint here = {.ip = {10, 0, 0, 1}, .family = GW_FAMILY_IPV4, .port = 1};
static const gw_endpoint there = {.ip = {10, 0, 0, 2}, .family = GW_FAMILY_IPV4, .port = 1};

/* Sends the word back that is on offer, with its flag set, or ends the chunk. */
static int send_back(int offered, bool *open, int us, int ps)
{
    if (offered > 0) {
        for (int i = 0; i < WORD / 4; i++)
            gw_hdl_rx_word(0, i, gw_hdl_tx_word(0, i));
        *open = true;
        return gw_hdl_rx(0, us, ps, WORD, 1 << GW_SIM_SIDE_SHIFT);
    }
    bool was_open = *open;
    *open = false;
    return was_open ? gw_hdl_rx(0, us, ps, 0, GW_SIM_LAST_BEAT) : 0;
}

static pid_t start_echo(void)
{
    pid_t child = fork();
    if (child != 0)
        return child;
    (void)!freopen("/dev/null", "w", stderr);
    if (gw_hdl_port(0, GW_SIM_APELINK, WORD) < 0)
        _exit(9);
    bool open = false;
    int offered = 0;
    for (uint64_t at = 0; offered >= 0; at += PERIOD_PS) {
        int us = (int)(at / 1000000), ps = (int)(at % 1000000);
        if (send_back(offered, &open, us, ps) < 0)
            break;
        offered = gw_hdl_tx(0, us, ps, 1);
        if (offered > 0 && offered >> GW_SIM_SIDE_SHIFT != 0)
            _exit(OTHER_FLAGS);
        if (offered > 0 && (offered & (GW_SIM_LAST_BEAT - 1)) != WORD)
            _exit(SHORT_WORD);
    }
    _exit(0);
}

typedef struct scene {
    gw_sim *sim;
    gw_transport *t;
    pid_t child;
} scene;

static scene begin(void)
{
    char why[256] = "", name[48];
    scene s;
    (void)snprintf(name, sizeof(name), "apelink-%ld", (long)getpid());
    s.sim = gw_sim_listen(name, why, sizeof(why));
    assert_non_null(s.sim);
    s.child = start_echo();
    assert_true(gw_sim_await(s.sim, WAIT_NS, why, sizeof(why)));
    assert_true(gw_sim_is_apelink(s.sim, 0));
    assert_false(gw_sim_is_datagrams(s.sim, 0));
    s.t = gw_sim_open(s.sim, 0, &here, &there, why, sizeof(why));
    assert_non_null(s.t);
    s.t = gw_sim_apelink(s.t, why, sizeof(why));
    assert_non_null(s.t);
    assert_true(s.t->stream);
    return s;
}

static void end(scene *s)
{
    int status = 0;
    gw_transport_close(s->t);
    gw_sim_free(s->sim);
    assert_int_equal(waitpid(s->child, &status, 0), s->child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* What comes within 10 us, at most |cap| bytes in pieces of at most |piece|. */
static size_t receive(scene *s, uint8_t *out, size_t cap, size_t piece)
{
    int64_t deadline = s->t->ops->now(s->t) + 10000, stamp = 0;
    size_t have = 0, len = 0;
    gw_endpoint from;
    while (have < cap && s->t->ops->recv(s->t, out + have, piece < cap - have ? piece : cap - have,
                                         &len, deadline, &stamp, &from) == GW_RECV_DATA) {
        assert_true(len > 0 && len <= piece);
        assert_true(stamp >= GW_VIRTUAL_EPOCH_NS);
        have += len;
    }
    return have;
}

static void fill(uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        bytes[i] = (uint8_t)(5 * i + (i >> 8));
}

static void words_come_back_as_bytes(void **state)
{
    uint8_t sent[3 * WORD], got[sizeof(sent)];
    (void)state;
    scene s = begin();
    fill(sent, sizeof(sent));
    assert_true(s.t->ops->send(s.t, sent, sizeof(sent)));
    assert_int_equal(receive(&s, got, sizeof(got), sizeof(got)), sizeof(sent));
    assert_memory_equal(got, sent, sizeof(sent));
    assert_int_equal(gw_sim_untaken(s.sim, 0), 0);
    end(&s);
}

static void a_word_waits_for_its_last_byte(void **state)
{
    uint8_t sent[2 * WORD], got[sizeof(sent)];
    (void)state;
    scene s = begin();
    fill(sent, sizeof(sent));
    assert_true(s.t->ops->send(s.t, sent, 2 * WORD - 1));
    assert_int_equal(receive(&s, got, sizeof(got), sizeof(got)), WORD);
    assert_true(s.t->ops->send(s.t, &sent[2 * WORD - 1], 1));
    assert_int_equal(receive(&s, got + WORD, WORD, WORD), WORD);
    assert_memory_equal(got, sent, sizeof(sent));
    end(&s);
}

static void more_than_a_chunk_goes_through(void **state)
{
    static uint8_t sent[1000 * WORD], got[sizeof(sent)];
    (void)state;
    scene s = begin();
    fill(sent, sizeof(sent));
    assert_true(s.t->ops->send(s.t, sent, sizeof(sent)));
    assert_int_equal(receive(&s, got, sizeof(got), 37), sizeof(sent));
    assert_memory_equal(got, sent, sizeof(sent));
    end(&s);
}

static void silence_ends_at_its_deadline(void **state)
{
    uint8_t got[WORD];
    (void)state;
    scene s = begin();
    int64_t before = s.t->ops->now(s.t);
    assert_int_equal(receive(&s, got, sizeof(got), sizeof(got)), 0);
    assert_true(s.t->ops->now(s.t) - before >= 10000);
    assert_true(s.t->ops->now(s.t) - before < 10000 + PERIOD_PS / 1000);
    s.t->ops->wait(s.t, before + 50000);
    assert_int_equal(s.t->ops->now(s.t), before + 50000);
    assert_false(s.t->unreachable);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_come_back_as_bytes),
        cmocka_unit_test(a_word_waits_for_its_last_byte),
        cmocka_unit_test(more_than_a_chunk_goes_through),
        cmocka_unit_test(silence_ends_at_its_deadline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
