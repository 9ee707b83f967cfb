/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists of packets, and the ring of them on disk. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "campaign/ring/journal.h"
#include "harness/temporary_testing.h"

static void add(gw_shots *shots, const char *text, const char *was)
{
    gw_shot like = {.link = 1, .line = 2, .part = 3, .part_arg = 4, .anew = shots->num == 0};
    assert_true(gw_shots_add(shots, &like, (const uint8_t *)text, (uint32_t)strlen(text),
                             (const uint8_t *)was, was != NULL ? (uint32_t)strlen(was) : 0));
}

static void assert_shot(const gw_shots *shots, size_t at, const char *text, const char *was)
{
    const gw_shot *shot = &shots->list[at];
    assert_int_equal(shot->len, strlen(text));
    assert_memory_equal(gw_shots_data(shots, shot), text, shot->len);
    assert_int_equal(shot->mutated, was != NULL);
    assert_int_equal(shot->was_len, strlen(was != NULL ? was : text));
    assert_memory_equal(gw_shots_was(shots, shot), was != NULL ? was : text, shot->was_len);
    assert_int_equal(shot->link, 1);
    assert_int_equal(shot->line, 2);
    assert_int_equal(shot->part, 3);
    assert_int_equal(shot->part_arg, 4);
}

static void the_last_ones_are_kept(void **state)
{
    gw_shots shots = {0};
    gw_shots other = {0};
    (void)state;
    add(&shots, "first", NULL);
    add(&shots, "second", "sekond");
    add(&shots, "", NULL);
    add(&shots, "fourth", NULL);
    gw_shots_keep_last(&shots, 3);
    assert_int_equal(shots.num, 3);
    assert_shot(&shots, 0, "second", "sekond");
    assert_shot(&shots, 2, "fourth", NULL);
    assert_true(gw_shots_take(&other, &shots, 0, 2));
    gw_shots_clear(&shots);
    assert_shot(&other, 0, "second", "sekond");
    assert_shot(&other, 1, "", NULL);
    gw_shots_free(&shots);
    gw_shots_free(&other);
}

static void what_is_too_long_is_refused(void **state)
{
    gw_shots shots = {0};
    gw_shot like = {0};
    uint8_t *bytes = calloc(1, GW_SHOT_MAX + 1);
    (void)state;
    assert_non_null(bytes);
    assert_false(gw_shots_add(&shots, &like, bytes, GW_SHOT_MAX + 1, NULL, 0));
    assert_true(gw_shots_add(&shots, &like, bytes, GW_SHOT_MAX, NULL, 0));
    assert_int_equal(shots.num, 1);
    gw_shots_free(&shots);
    free(bytes);
}

/* ---- the ring ---- */

static void forget(const gw_temporary *dir)
{
    char path[128];
    (void)snprintf(path, sizeof(path), "%s/" GW_JOURNAL_FILE, dir->path);
    (void)unlink(path);
    (void)rmdir(dir->path);
}

static void a_ring_outlives_who_writes_it(void **state)
{
    gw_temporary dir;
    char why[256] = "";
    gw_shots back = {0};
    size_t unsettled = 0;
    (void)state;
    assert_true(gw_temporary_folder(&dir));
    pid_t child = fork();
    if (child == 0) {
        gw_shots shots = {0};
        gw_journal *j = gw_journal_create(dir.path, why, sizeof(why));
        if (j == NULL)
            _exit(1);
        add(&shots, "well after this", NULL);
        bool ok = gw_journal_write(j, &shots, 0, 1, why, sizeof(why));
        gw_journal_settle(j);
        add(&shots, "not seen", "was seen");
        add(&shots, "last", NULL);
        gw_journal_put(j, &shots, 1, 2);
        if (!ok)
            _exit(1);
        (void)raise(SIGKILL);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_true(gw_journal_read(&back, &unsettled, dir.path, GW_JOURNAL_FILE, why, sizeof(why)));
    assert_int_equal(back.num, 3);
    assert_int_equal(unsettled, 2);
    assert_shot(&back, 0, "well after this", NULL);
    assert_shot(&back, 1, "not seen", "was seen");
    assert_shot(&back, 2, "last", NULL);
    gw_shots_free(&back);
    /* Nor is it thrown away by the next ones, before somebody has looked at it. */
    for (unsigned i = 0; i < 2; i++) {
        gw_journal *j = gw_journal_create(dir.path, why, sizeof(why));
        assert_non_null(j);
        gw_journal_close(j);
    }
    assert_true(gw_journal_read(&back, &unsettled, dir.path, GW_JOURNAL_EARLIER, why, sizeof(why)));
    assert_int_equal(back.num, 3);
    assert_int_equal(unsettled, 2);
    gw_shots_free(&back);
    char path[128];
    (void)snprintf(path, sizeof(path), "%s/" GW_JOURNAL_EARLIER, dir.path);
    (void)unlink(path);
    forget(&dir);
}

#define MANY 3000u
#define LENGTH(i)                                                                                  \
    (4 + (i)*37 % 19990) /* all lengths, so that the end of the ring is met anyhow                 \
                          */

/* However much was sent, the file is as long, and holds what was sent last. */
static void a_ring_goes_round(void **state)
{
    gw_temporary dir;
    char why[256] = "";
    gw_shots shots = {0};
    gw_shots back = {0};
    gw_shot like = {.link = 1, .line = 2, .part = 3, .part_arg = 4};
    uint8_t bytes[20000];
    size_t unsettled;
    (void)state;
    assert_true(gw_temporary_folder(&dir));
    gw_journal *j = gw_journal_create(dir.path, why, sizeof(why));
    assert_non_null(j);
    for (uint32_t i = 0; i < MANY; i++) {
        memset(bytes, (int)i, sizeof(bytes));
        memcpy(bytes, &i, sizeof(i));
        gw_shots_clear(&shots);
        assert_true(gw_shots_add(&shots, &like, bytes, LENGTH(i), NULL, 0));
        assert_true(gw_journal_write(j, &shots, 0, 1, why, sizeof(why)));
    }
    gw_journal_close(j);
    assert_true(gw_journal_read(&back, &unsettled, dir.path, GW_JOURNAL_FILE, why, sizeof(why)));
    assert_uint_in_range(back.num, MANY / 4, MANY - 1);
    assert_int_equal(unsettled, back.num);
    for (size_t k = 0; k < back.num; k++) {
        uint32_t i;
        const gw_shot *shot = &back.list[k];
        memcpy(&i, gw_shots_data(&back, shot), sizeof(i));
        assert_int_equal(i, MANY - back.num + k);
        assert_int_equal(shot->len, LENGTH(i));
    }
    gw_shots_free(&shots);
    gw_shots_free(&back);
    forget(&dir);
}

static void a_ring_of_anybody_is_not_believed(void **state)
{
    gw_temporary dir;
    char path[128];
    char why[256] = "";
    gw_shots shots = {0};
    size_t unsettled;
    (void)state;
    assert_true(gw_temporary_folder(&dir));
    assert_false(gw_journal_read(&shots, &unsettled, dir.path, GW_JOURNAL_FILE, why, sizeof(why)));
    assert_string_equal(why, "");
    gw_journal *j = gw_journal_create(dir.path, why, sizeof(why));
    assert_non_null(j);
    for (unsigned i = 0; i < 64; i++)
        add(&shots, "something that was sent", NULL);
    assert_true(gw_journal_write(j, &shots, 0, 64, why, sizeof(why)));
    gw_journal_close(j);
    (void)snprintf(path, sizeof(path), "%s/" GW_JOURNAL_FILE, dir.path);
    for (long at = 0; at < 4096 + 600; at += at < 40 || at >= 4096 ? 1 : 512) {
        FILE *file = fopen(path, "r+b");
        assert_non_null(file);
        assert_int_equal(fseek(file, at, SEEK_SET), 0);
        int old = fgetc(file);
        assert_int_equal(fseek(file, at, SEEK_SET), 0);
        (void)fputc(old ^ 0xff, file);
        assert_int_equal(fclose(file), 0);
        gw_shots back = {0};
        if (!gw_journal_read(&back, &unsettled, dir.path, GW_JOURNAL_FILE, why, sizeof(why)))
            assert_non_null(strstr(why, "no ring of packets"));
        gw_shots_free(&back);
        file = fopen(path, "r+b");
        assert_non_null(file);
        assert_int_equal(fseek(file, at, SEEK_SET), 0);
        (void)fputc(old, file);
        assert_int_equal(fclose(file), 0);
    }
    assert_int_equal(truncate(path, 5000), 0);
    gw_shots back = {0};
    assert_false(gw_journal_read(&back, &unsettled, dir.path, GW_JOURNAL_FILE, why, sizeof(why)));
    gw_shots_free(&back);
    gw_shots_free(&shots);
    forget(&dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_ones_are_kept),
        cmocka_unit_test(what_is_too_long_is_refused),
        cmocka_unit_test(a_ring_outlives_who_writes_it),
        cmocka_unit_test(a_ring_goes_round),
        cmocka_unit_test(a_ring_of_anybody_is_not_believed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
