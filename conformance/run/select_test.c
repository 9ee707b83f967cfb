/* SPDX-License-Identifier: BSD-2-Clause */
/* Choosing cases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/temporary_testing.h"
#include "run/select.h"

static const gw_case first[] = {{.id = "a/one"}, {.id = "a/two"}, {0}};
static const gw_case none[] = {{0}};
static const gw_case last[] = {{.id = "b/one"}, {.id = "b/deep/three"}, {0}};
static const gw_case *const groups[] = {first, none, last};
static const gw_suite suite = {.role = "toy", .groups = groups, .num_groups = 3};

static void expect(const char *const *globs, size_t num, const char *const *ids)
{
    gw_case_list s;
    size_t i = 0;
    assert_true(gw_select(&s, &suite, globs, num));
    for (; ids[i] != NULL; i++) {
        assert_true(i < s.num);
        assert_string_equal(s.cases[i]->id, ids[i]);
    }
    assert_int_equal(s.num, i);
    gw_case_list_free(&s);
}

static void walks_all_groups(void **state)
{
    (void)state;
    expect(NULL, 0, GW_LIST("a/one", "a/two", "b/one", "b/deep/three"));
    assert_ptr_equal(gw_suite_case(&suite, "b/one"), &last[0]);
    assert_null(gw_suite_case(&suite, "b/two"));
    assert_null(gw_suite_next(&suite, &last[1]));
}

static void globs_cross_slashes(void **state)
{
    (void)state;
    expect(GW_LIST("*one"), 1, GW_LIST("a/one", "b/one"));
    expect(GW_LIST("b*"), 1, GW_LIST("b/one", "b/deep/three"));
    expect(GW_LIST("b/three", "a/t?o", "a/one"), 3, GW_LIST("a/one", "a/two"));
    static const char *const nobody[] = {NULL};
    expect(GW_LIST("c/*"), 1, nobody);
}

static bool select_failed(gw_case_list *s, const char *json, char *why, size_t why_cap)
{
    gw_temporary folder;
    char path[64];
    assert_true(gw_temporary_folder(&folder));
    const char *dir = folder.path;
    (void)snprintf(path, sizeof(path), "%s/run.json", dir);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(json, file);
    assert_int_equal(fclose(file), 0);
    assert_true(gw_select(s, &suite, NULL, 0));
    bool ok = gw_select_failed(s, dir, why, why_cap);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(dir), 0);
    return ok;
}

static void takes_up_an_earlier_run(void **state)
{
    (void)state;
    gw_case_list s;
    char why[256];
    assert_true(select_failed(&s,
                              "{\"cases\":[{\"id\":\"a/one\",\"verdict\":\"PASS\"},"
                              "{\"id\":\"a/two\",\"verdict\":\"INCONC\"},"
                              "{\"id\":\"b/one\",\"verdict\":\"NA\"},"
                              "{\"id\":\"gone\",\"verdict\":\"FAIL\"},"
                              "{\"id\":\"b/deep/three\",\"verdict\":\"FAIL\"}]}",
                              why, sizeof(why)));
    assert_int_equal(s.num, 2);
    assert_string_equal(s.cases[0]->id, "a/two");
    assert_string_equal(s.cases[1]->id, "b/deep/three");
    gw_case_list_free(&s);
}

static void refuses_what_is_no_report(void **state)
{
    (void)state;
    static const char *const wrong[] = {"", "{", "[]", "{\"cases\":7}", "{\"cases\":{}}"};
    for (size_t i = 0; i < GW_ARRAY_LEN(wrong); i++) {
        gw_case_list s;
        char why[256] = "";
        assert_false(select_failed(&s, wrong[i], why, sizeof(why)));
        assert_non_null(strstr(why, "run.json"));
        gw_case_list_free(&s);
    }
    gw_case_list s;
    char why[256];
    assert_true(select_failed(&s, "{\"cases\":[7,{\"id\":3},{\"id\":\"a/one\",\"verdict\":[]}]}",
                              why, sizeof(why)));
    assert_int_equal(s.num, 0);
    gw_case_list_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_all_groups),
        cmocka_unit_test(globs_cross_slashes),
        cmocka_unit_test(takes_up_an_earlier_run),
        cmocka_unit_test(refuses_what_is_no_report),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
