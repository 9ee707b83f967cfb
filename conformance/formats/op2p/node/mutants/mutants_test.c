/* SPDX-License-Identifier: BSD-2-Clause */
/* Every mutant of the node is something else than the good board, and than every other mutant. That
 * each is found by the rules it names is shown by `goldwire selftest'. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "formats/op2p/node/mutants/mutants.h"

static const gw_op2p_policy specified = {GW_OP2P_POLICY};

/* Of constants in tables, whose padding is zero; were it not, alike would pass for different. */
static bool is_alike(const void *a, const void *b, size_t size)
{
    return memcmp(a, b, size) == 0;
}

static bool is_same(const gw_op2p_mutation *a, const gw_op2p_mutation *b)
{
    size_t behind = offsetof(gw_op2p_mutation, out_patch); /* the policy */
    const gw_op2p_policy *policies[2] = {a->policy != NULL ? a->policy : &specified,
                                         b->policy != NULL ? b->policy : &specified};

    return is_alike((const uint8_t *)a + behind, (const uint8_t *)b + behind,
                    sizeof(*a) - behind) &&
           is_alike(policies[0], policies[1], sizeof(specified));
}

static void every_mutant_is_another(void **state)
{
    static const gw_op2p_mutation none;
    (void)state;

    for (size_t i = 0; i < GW_OP2P_NUM_MUTANTS; i++) {
        const gw_mutant *m = &gw_op2p_mutants[i];
        assert_non_null(m->mutation);
        if (is_same(m->mutation, &none))
            fail_msg("%s is the good board", m->id);
        for (size_t k = 0; k < i; k++)
            if (is_same(m->mutation, gw_op2p_mutants[k].mutation))
                fail_msg("%s is %s", m->id, gw_op2p_mutants[k].id);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mutant_is_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
