/* SPDX-License-Identifier: BSD-2-Clause */
/* Claims beside what a board shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/claims.h"

static const gw_claim_field *field(const char *name)
{
    for (size_t i = 0; i < gw_num_claim_fields; i++)
        if (strcmp(gw_claim_fields[i].name, name) == 0)
            return &gw_claim_fields[i];
    fail_msg("no claim %s", name);
    return NULL;
}

static void values_keep_their_size(void **state)
{
    (void)state;
    assert_true(gw_num_claim_fields <= GW_MAX_CLAIMS);
    for (size_t i = 0; i < gw_num_claim_fields; i++) {
        const gw_claim_field *f = &gw_claim_fields[i];
        gw_claims claims = {0};
        uint32_t all = UINT32_MAX >> (32 - 8 * f->size);
        gw_claim_set(&claims, f, all);
        assert_int_equal(gw_claim_get(&claims, f), all);
        for (size_t other = 0; other < gw_num_claim_fields; other++)
            if (other != i)
                assert_int_equal(gw_claim_get(&claims, &gw_claim_fields[other]), 0);
    }
}

typedef struct comparison {
    const char *name;
    uint32_t claimed;
    uint32_t shown;
    uint32_t used;
    gw_claim_verdict verdict;
} comparison;

static const comparison comparisons[] = {
    {"port_widths", 0, 0, 0, GW_CLAIM_UNSEEN},
    {"port_widths", 4, 0, 4, GW_CLAIM_UNSEEN},
    {"port_widths", 0, 12, 12, GW_CLAIM_UNSEEN},
    {"port_widths", 4, 4, 4, GW_CLAIM_AGREES},
    {"port_widths", 12, 4, 4, GW_CLAIM_OVER},
    {"port_widths", 4, 12, 4, GW_CLAIM_UNDER},
    {"port_widths", 6, 12, 4, GW_CLAIM_OVER},
    {"port_widths", 8, 4, 0, GW_CLAIM_CONTRADICTS},
    {"tcp", GW_CLAIM_YES, GW_CLAIM_NO, GW_CLAIM_NO, GW_CLAIM_OVER},
    {"tcp", GW_CLAIM_NO, GW_CLAIM_YES, GW_CLAIM_NO, GW_CLAIM_UNDER},
    {"tcp", GW_CLAIM_YES, GW_CLAIM_UNKNOWN, GW_CLAIM_YES, GW_CLAIM_UNSEEN},
    {"pipeline", 16, 8, 8, GW_CLAIM_OVER},
    {"pipeline", 8, 16, 8, GW_CLAIM_UNDER},
    {"node", 0x42, 0x42, 0x42, GW_CLAIM_AGREES},
    {"node", 0x42, 0x99, 0x42, GW_CLAIM_CONTRADICTS},
};

static void compares(void **state)
{
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(comparisons); i++) {
        const comparison *c = &comparisons[i];
        gw_claims claimed = {0};
        gw_claims shown = {0};
        gw_claim_set(&claimed, field(c->name), c->claimed);
        gw_claim_set(&shown, field(c->name), c->shown);
        gw_claim_check check = gw_claim_compare(field(c->name), &claimed, &shown);
        if (check.verdict != c->verdict || check.used != c->used)
            fail_msg("comparison %zu: %s, %u used", i,
                     gw_claim_verdict_name((gw_claim_verdict)check.verdict), check.used);
    }
    assert_string_equal(gw_claim_verdict_name(GW_CLAIM_OVER), "over-claim");
    assert_string_equal(gw_claim_verdict_name((gw_claim_verdict)99), "?");
}

static void expect_text(const char *name, uint32_t value, const char *text)
{
    char out[48];
    assert_string_equal(gw_claim_text(field(name), value, out, sizeof(out)), text);
}

static void words_values(void **state)
{
    (void)state;
    expect_text("port_widths", 15, "8/16/32/64 bit");
    expect_text("port_widths", 4, "32 bit");
    expect_text("port_widths", 0, "?");
    expect_text("sdb", GW_CLAIM_YES, "yes");
    expect_text("sdb", GW_CLAIM_NO, "no");
    expect_text("pipeline", 16, "16");
    expect_text("node", 0x42, "0x0042");
    expect_text("revision", 0x42, "0x00000042");
    char tiny[4];
    assert_string_equal(gw_claim_text(field("port_widths"), 15, tiny, sizeof(tiny)), "8/1");
}

static void roles_have_their_own(void **state)
{
    (void)state;
    assert_true(gw_claim_of_role(field("tcp"), "etherbone-master"));
    assert_false(gw_claim_of_role(field("sdb"), "etherbone-master"));
    assert_false(gw_claim_of_role(field("node"), "toaster"));
    assert_true(gw_claim_of_role(field("node"), "op2p-node"));
    assert_true(gw_claim_of_role(field("node"), "l1-cn"));
    assert_false(gw_claim_of_role(field("node"), "l1-du"));
    assert_true(gw_claim_of_role(field("response_us"), "l1-du"));
    assert_true(gw_claim_of_role(field("response_us"), "etherbone-slave"));
    assert_true(gw_claim_must(field("sdb"), "etherbone-slave"));
    assert_false(gw_claim_must(field("tcp"), "etherbone-slave"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_keep_their_size),
        cmocka_unit_test(compares),
        cmocka_unit_test(words_values),
        cmocka_unit_test(roles_have_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
