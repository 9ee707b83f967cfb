/* SPDX-License-Identifier: BSD-2-Clause */
/* Every mutant of a board that is not one of its Ethernet port's is something else than the good
 * board, and than every other one. That each is found by the rules it names is shown by `goldwire
 * selftest'. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "formats/textarossa/mutants/mutants.h"

static bool is_alike(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

/* Of constants in tables, whose padding is zero; were it not, alike would pass for different. */
static void differ(const char *id, const gw_tx_mutation *one, const char *than,
                   const gw_tx_mutation *other)
{
    static const gw_tx_policy specified = {GW_TX_POLICY};
    size_t filters = offsetof(gw_tx_mutation, reset_patch), len = sizeof(*one) - filters;

    if (is_alike((const uint8_t *)one + filters, (const uint8_t *)other + filters, len) &&
        is_alike(one->policy != NULL ? one->policy : &specified,
                 other->policy != NULL ? other->policy : &specified, sizeof(specified)))
        fail_msg("%s is %s", id, than);
}

static void differ_all(const gw_mutant *mutants, size_t num)
{
    static const gw_tx_mutation none;

    for (size_t i = 0; i < num; i++) {
        if (mutants[i].wire != 0)
            continue;
        assert_non_null(mutants[i].mutation);
        differ(mutants[i].id, mutants[i].mutation, "the good board", &none);
        for (size_t k = 0; k < i; k++)
            if (mutants[k].wire == 0)
                differ(mutants[i].id, mutants[i].mutation, mutants[k].id, mutants[k].mutation);
    }
}

static void every_mutant_is_another(void **state)
{
    (void)state;
    differ_all(gw_tx_node_mutants, GW_TX_NUM_NODE_MUTANTS);
    differ_all(gw_tx_switch_mutants, GW_TX_NUM_SWITCH_MUTANTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mutant_is_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
