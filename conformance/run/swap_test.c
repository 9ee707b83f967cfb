/* SPDX-License-Identifier: BSD-2-Clause */
/* A new run takes the place of an old one, and is killed at each system call that this takes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/store.h"

static const char *const files[] = {
    "run.json",           "report.html",       "cases/eb-s/probe-echo.pcapng",
    "hooks/001-soft.txt", "traces/one.pcap",   "preflight.pcapng",
    "cert.sha256",        "cert.json.minisig", GW_STORE_CERTIFICATE,
};

static char base[64];
static char dir[80];

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

static void empty(void)
{
    (void)nftw(base, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    assert_int_equal(mkdir(base, 0700), 0);
}

static void write_run(const char *into, const char *text)
{
    char why[256];
    for (size_t i = 0; i < GW_ARRAY_LEN(files); i++) {
        FILE *file = gw_store_open(into, files[i], why, sizeof(why));
        assert_non_null(file);
        fputs(text, file);
        assert_true(gw_store_close(file, files[i], why, sizeof(why)));
    }
}

/* An old run that is over, and a new one that is only to take its place. */
static void set_up(void)
{
    char into[128];
    char why[512];
    empty();
    assert_true(gw_store_prepare(into, sizeof(into), dir, why, sizeof(why)));
    write_run(into, "old");
    assert_true(gw_store_finish(dir, why, sizeof(why)));
    assert_true(gw_store_prepare(into, sizeof(into), dir, why, sizeof(why)));
    write_run(into, "new");
}

/* What all files of the run in the folder say; "a mixture" when they differ or one is missing. */
static const char *whole(void)
{
    static char first[16];
    for (size_t i = 0; i < GW_ARRAY_LEN(files); i++) {
        char path[128];
        char text[16] = "";
        (void)snprintf(path, sizeof(path), "%s/%s", dir, files[i]);
        FILE *file = fopen(path, "re");
        if (file == NULL)
            return "a mixture";
        (void)fgets(text, sizeof(text), file);
        (void)fclose(file);
        if (i == 0)
            memcpy(first, text, sizeof(first));
        if (strcmp(first, text) != 0)
            return "a mixture";
    }
    return first;
}

static void finish_traced(void)
{
    char why[512];
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
        _exit(77);
    (void)raise(SIGSTOP);
    _exit(gw_store_finish(dir, why, sizeof(why)) ? 0 : 1);
}

/* Kills the child at its |stops|th stop; each system call has two, before and after. False when it
 * came to its end before; its status is then in |status|. */
static bool kill_at(unsigned stops, int *status)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        finish_traced();
    assert_int_equal(waitpid(child, status, 0), child);
    for (unsigned i = 0; WIFSTOPPED(*status) && i < stops; i++) {
        assert_int_equal(ptrace(PTRACE_SYSCALL, child, NULL, NULL), 0);
        assert_int_equal(waitpid(child, status, 0), child);
    }
    if (!WIFSTOPPED(*status))
        return false;
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, status, 0), child);
    return true;
}

static void one_run_is_whole_wherever_it_is_killed(void **state)
{
    (void)state;
    char into[128];
    char why[512];
    bool seen_old = false;
    bool seen_new = false;
    int status = 0;
    unsigned stops = 1;
    for (;; stops++) {
        set_up();
        if (!kill_at(stops, &status))
            break;
        const char *left = whole();
        seen_old = seen_old || strcmp(left, "old") == 0;
        seen_new = seen_new || strcmp(left, "new") == 0;
        if (strcmp(left, "old") != 0 && strcmp(left, "new") != 0)
            fail_msg("killed at stop %u: the folder holds %s", stops, left);
        /* The next run is not in the way of what was left behind. */
        assert_true(gw_store_prepare(into, sizeof(into), dir, why, sizeof(why)));
        write_run(into, "next");
        if (!gw_store_finish(dir, why, sizeof(why)))
            fail_msg("killed at stop %u: %s", stops, why);
        assert_string_equal(whole(), "next");
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        skip();
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_string_equal(whole(), "new");
    assert_true(seen_old && seen_new);
    assert_true(stops > 20);
}

/* Lets the child come to its end, and notes its system calls by their order: those of |num| numbers
 * are kept. Returns how many there were, or -1 where the kernel does not tell. */
static int follow(const long *numbers, size_t num, long *out, size_t cap)
{
    int status;
    int count = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        finish_traced();
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFSTOPPED(status))
        assert_int_equal(ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_TRACESYSGOOD), 0);
    while (WIFSTOPPED(status)) {
        struct __ptrace_syscall_info info = {0};
        if (ptrace(PTRACE_GET_SYSCALL_INFO, child, sizeof(info), &info) <= 0)
            count = -1;
        for (size_t i = 0; i < num && count >= 0 && info.op == PTRACE_SYSCALL_INFO_ENTRY; i++)
            if ((long)info.entry.nr == numbers[i] && (size_t)count < cap)
                out[count++] = numbers[i];
        assert_int_equal(ptrace(PTRACE_SYSCALL, child, NULL, NULL), 0);
        assert_int_equal(waitpid(child, &status, 0), child);
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        return -1;
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return count;
}

/* Whoever loses power behind the exchange finds what took the place on the disk: it is written out
 * before, and the exchange itself behind it, before anything of the old run goes. */
static void the_new_run_is_on_the_disk_before_the_old_one_goes(void **state)
{
    static const long numbers[] = {SYS_syncfs, SYS_renameat2, SYS_fsync, SYS_unlinkat};
    long calls[64] = {0};
    (void)state;
    set_up();
    int count = follow(numbers, GW_ARRAY_LEN(numbers), calls, GW_ARRAY_LEN(calls));
    if (count < 0)
        skip();
    assert_true(count > 3);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(calls[i], numbers[i]);
    assert_int_equal(calls[3], SYS_unlinkat);
}

static unsigned entries;

static int count_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)path;
    (void)st;
    (void)type;
    (void)ftw;
    entries++;
    return 0;
}

static void nothing_is_left_beside_it(void **state)
{
    (void)state;
    char why[512];
    struct stat st;
    set_up();
    assert_int_equal(chmod(dir, 0751), 0);
    assert_true(gw_store_finish(dir, why, sizeof(why)));
    assert_string_equal(whole(), "new");
    assert_int_equal(stat(dir, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0751);
    entries = 0;
    (void)nftw(base, count_one, 16, FTW_PHYS);
    /* The base, the run's folder, cases, cases/eb-s, hooks, traces, and the files. */
    assert_int_equal(entries, 6 + GW_ARRAY_LEN(files));
}

/* Where the folders cannot change places, the files do. */
static void the_current_folder_stays_where_it_is(void **state)
{
    (void)state;
    char why[512];
    char before[256];
    struct stat was;
    struct stat is;
    set_up();
    assert_non_null(getcwd(before, sizeof(before)));
    assert_int_equal(stat(dir, &was), 0);
    assert_int_equal(chdir(dir), 0);
    assert_true(gw_store_finish(".", why, sizeof(why)));
    assert_int_equal(chdir(before), 0);
    assert_int_equal(stat(dir, &is), 0);
    assert_true(was.st_ino == is.st_ino);
    assert_string_equal(whole(), "new");
}

/* A run that somebody vouches for is not put at risk: nothing begins. */
static void what_is_certified_is_replaced_at_once_or_not_at_all(void **state)
{
    (void)state;
    char into[PATH_MAX];
    char why[512];
    char before[256];
    set_up();
    assert_true(gw_store_replaces(dir, why, sizeof(why)));
    assert_non_null(getcwd(before, sizeof(before)));
    assert_int_equal(chdir(dir), 0);
    assert_true(gw_store_is_certified("."));
    assert_false(gw_store_prepare(into, sizeof(into), ".", why, sizeof(why)));
    assert_non_null(strstr(why, "it is the current folder"));
    gw_store_remove(".", GW_STORE_CERTIFICATE);
    assert_true(gw_store_prepare(into, sizeof(into), ".", why, sizeof(why)));
    assert_int_equal(chdir(before), 0);
    /* Nothing can be put beside what is mounted. */
    assert_false(gw_store_replaces("/proc", why, sizeof(why)));
    assert_non_null(strstr(why, "it is a mount point"));
}

static void what_is_not_of_a_run_stays(void **state)
{
    (void)state;
    char path[128];
    char why[512];
    set_up();
    (void)snprintf(path, sizeof(path), "%s/notes.txt", dir);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    (void)fclose(file);
    assert_false(gw_store_finish(dir, why, sizeof(why)));
    assert_non_null(strstr(why, "notes.txt"));
    assert_string_equal(whole(), "old");
    assert_int_equal(access(path, F_OK), 0);
}

/* Somebody else's link in the place beside the folder is not followed. */
static void a_link_beside_it_is_left_alone(void **state)
{
    (void)state;
    char path[160];
    char other[128];
    char why[512];
    set_up();
    (void)snprintf(path, sizeof(path), "%s/.run.unfinished", base);
    (void)snprintf(other, sizeof(other), "%s/other", base);
    assert_int_equal(mkdir(other, 0700), 0);
    write_run(other, "other");
    assert_int_equal(symlink(other, path), 0);
    assert_true(gw_store_finish(dir, why, sizeof(why)));
    assert_string_equal(whole(), "new");
    (void)snprintf(path, sizeof(path), "%s/run.json", other);
    assert_int_equal(access(path, F_OK), 0);
}

static int make_base(void **state)
{
    (void)state;
    /* In memory, where to reach the disk costs nothing: the runs are many. */
    static const char *const places[] = {"/dev/shm", "/tmp"};
    for (size_t i = 0; i < GW_ARRAY_LEN(places); i++) {
        (void)snprintf(base, sizeof(base), "%s/gw-swap-XXXXXX", places[i]);
        if (mkdtemp(base) != NULL)
            break;
        base[0] = '\0';
    }
    if (base[0] == '\0')
        return -1;
    (void)snprintf(dir, sizeof(dir), "%s/run", base);
    return 0;
}

static int remove_base(void **state)
{
    (void)state;
    return nftw(base, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_run_is_whole_wherever_it_is_killed),
        cmocka_unit_test(the_new_run_is_on_the_disk_before_the_old_one_goes),
        cmocka_unit_test(nothing_is_left_beside_it),
        cmocka_unit_test(the_current_folder_stays_where_it_is),
        cmocka_unit_test(what_is_certified_is_replaced_at_once_or_not_at_all),
        cmocka_unit_test(what_is_not_of_a_run_stays),
        cmocka_unit_test(a_link_beside_it_is_left_alone),
    };
    return cmocka_run_group_tests(tests, make_base, remove_base);
}
