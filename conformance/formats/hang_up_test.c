/* SPDX-License-Identifier: BSD-2-Clause */
/* A slave of 2017: over TCP it wants a header before each record, and hangs up on one without. It
 * breaks the rule about headers, not the one about where replies go. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "boards/mem.h"
#include "formats/builtin.h"
#include "formats/etherbone/suite.h"
#include "run/run.h"

static bool old_init(void *state, const gw_peer_config *config, char *why, size_t why_cap)
{
    (void)state;
    (void)config;
    (void)why;
    (void)why_cap;
    return true;
}

static int64_t old_step(void *state, const gw_peer_event *event, int64_t now_ns, gw_peer_out *out)
{
    (void)state;
    (void)now_ns;
    if (event->kind != GW_PEER_BYTES)
        return GW_PEER_NEVER;
    if (event->len == 8 && gw_load_be16(event->data) == GW_EB_MAGIC) {
        uint8_t response[8];
        gw_eb_build_probe(response, true, 0xff, gw_load_be32(event->data + 4));
        out->send(out, event->link, event->conn, response, sizeof(response));
    } else {
        out->close(out, event->link, event->conn);
    }
    return GW_PEER_NEVER;
}

static void old_fini(void *state)
{
    (void)state;
}

static const char *const links[] = {"bus", NULL};
static const gw_board old_board = {.role = "etherbone-slave",
                                   .links = links,
                                   .format = &gw_etherbone,
                                   .size = 8,
                                   .init = old_init,
                                   .step = old_step,
                                   .fini = old_fini};

static gw_mem *mem_;

static gw_transport *old_open(gw_target *target, unsigned link, int64_t timeout_ns,
                              bool *unreachable, char *why, size_t why_cap)
{
    (void)target;
    (void)timeout_ns;
    *unreachable = false;
    return gw_mem_connect(mem_, link, true, why, why_cap);
}

static void test_a_slave_that_wants_headers_breaks_that_rule(void **state)
{
    const gw_suite *suite = gw_suite_by_role("etherbone-slave");
    const gw_case *cases[] = {gw_suite_case(suite, "eb-s/read-answered")};
    const gw_peer_config config = {.mutant = NULL};
    gw_target target = {.open = old_open,
                        .virtual_time = true,
                        .near = true,
                        .links = {{.name = "", .present = true, .stream = true}},
                        .num_links = 1};
    gw_run run;
    char why[256] = "";

    (void)state;
    mem_ = gw_mem_start(&old_board, &config, why, sizeof(why));
    assert_non_null(mem_);
    gw_run_setup setup = {.suite = suite,
                          .board = gw_builtin_board("etherbone-slave"),
                          .target = &target,
                          .cases = cases,
                          .num_cases = 1,
                          .seed = 1};
    if (!gw_run_cases(&run, &setup, why, sizeof(why)))
        fail_msg("%s", why);
    assert_int_equal(run.results[0].verdict, GW_FAIL);
    assert_string_equal(run.results[0].rule->id, "EB-S46");
    gw_run_free(&run);
    gw_mem_stop(mem_);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_slave_that_wants_headers_breaks_that_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
