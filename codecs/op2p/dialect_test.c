/* SPDX-License-Identifier: BSD-2-Clause */
/* What the reference core is known for, and what it is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "op2p/internal.h"

static bool knows(const char *id, const char *which, const char *text)
{
    const gw_dialect *vhdl = gw_dialect_by_name(&gw_op2p, "vhdl");
    const gw_rule *rule = gw_format_rule(&gw_op2p, id);
    assert_non_null(vhdl);
    assert_non_null(rule);
    return gw_dialect_knows(vhdl, rule, which, text) != NULL;
}

/* A rule that it keeps elsewhere is waived in one case, and for what that case was seen to say. */
static void what_is_known_by_name_and_text_is_nothing_else(void **state)
{
    static const struct {
        const char *rule;
        const char *which;
        const char *text;
    } rows[] = {
        {"OP-E11", "op-e/after-illegal",
         "a write to the node's id was not executed after a frame of one double word"},
        {"OP-E13", "op-e/refused-silent",
         "a completion of status 0 answers a write with less payload than its byte count"},
        {"OP-F02", "op-f/not-executed-odd",
         "a packet of type 15: 0xbadbadba at 0x00000000, 0x600dda7a expected"},
        {"OP-L02", "op-l/pad",
         "a write in a frame with a link error: 0xbadbadba at 0x00001290, 0x600dda7a expected"},
        {"OP-L02", "op-l/odd-length",
         "a write that ends inside a double word: 0xba000000 at 0x0000c500, 0x600dda7a expected"},
    };
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(rows); i++) {
        assert_true(knows(rows[i].rule, rows[i].which, rows[i].text));
        assert_false(knows(rows[i].rule, rows[i].which, "the board stopped answering"));
        assert_false(knows(rows[i].rule, "op-e/legal", rows[i].text));
        assert_false(knows(rows[i].rule, NULL, rows[i].text)); /* a capture */
    }
    assert_false(knows("OP-E11", "op-e/after-illegal",
                       "a write to the node's id was not executed after a good one"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_known_by_name_and_text_is_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
