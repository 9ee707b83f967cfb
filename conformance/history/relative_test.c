/* SPDX-License-Identifier: BSD-2-Clause */
/* Paths from one folder to another, in a folder of the test's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "history/relative.h"

static int enter(void **state)
{
    static char folder[] = "/tmp/goldwire-relative-XXXXXX";
    static const char *const folders[] = {"a", "a/b", "a/b/c", "ab", "runs", "runs/7"};
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return -1;
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
        if (mkdir(folders[i], 0700) != 0)
            return -1;
    *state = folder;
    return 0;
}

static int leave(void **state)
{
    static const char *const folders[] = {"runs/7", "runs", "ab", "a/b/c", "a/b", "a"};
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
        if (rmdir(folders[i]) != 0)
            return -1;
    return chdir("/") == 0 && rmdir(*state) == 0 ? 0 : -1;
}

static void leads_from_one_to_the_other(void **state)
{
    (void)state;
    static const struct {
        const char *dir;
        const char *below;
        const char *path;
    } cases[] = {
        {"runs/7", ".", "runs/7"},
        {"runs/7", "runs", "7"},
        {"runs/7", "a", "../runs/7"},
        {"runs/7", "a/b/c", "../../../runs/7"},
        {"a", "a/b/c", "../../"},
        {"a", "ab", "../a"}, /* a name that begins like another is another */
        {"ab", "a/b", "../../ab"},
        {"a/b", "a/b", "."},
        {"./a/../runs/7/", "runs", "7"},
        {"gone", ".", "gone"},
        {"runs/7", "gone", "runs/7"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char out[256];
        assert_string_equal(gw_relative(out, sizeof(out), cases[i].dir, cases[i].below),
                            cases[i].path);
    }
}

static void a_path_without_room_stays(void **state)
{
    (void)state;
    char out[8];
    assert_string_equal(gw_relative(out, sizeof(out), "a", "runs/7"), "a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leads_from_one_to_the_other),
        cmocka_unit_test(a_path_without_room_stays),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
