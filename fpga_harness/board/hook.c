/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs hooks. A hook's output goes to a file in memory of fixed size, so that neither a chatty hook
 * nor one that nobody reads from can hold goldwire up. */
#include "harness/hook.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "groups.h"
#include "harness/socket.h"
#include "harness/stop.h"

#define SECOND_NS INT64_C(1000000000)
#define GRACE_NS SECOND_NS        /* between asking a group to end and killing it */
#define SLICE_NS (SECOND_NS / 50) /* of waiting where the kernel has no pidfd */

struct gw_hook_run {
    pid_t pid;        /* of the group and its leader; 0 once it has been reaped */
    int pidfd;        /* readable when the leader has ended; -1: the kernel has none */
    int output;       /* the file; -1: there is none */
    int64_t deadline; /* CLOCK_MONOTONIC */
    uint32_t timeout_s;
    bool killed;  /* at its deadline */
    bool stopped; /* because goldwire was told to stop */
    char outcome[64];
    char kept[GW_HOOK_OUTPUT];
};

static const int ends[] = {SIGINT, SIGTERM, SIGHUP};

static void on_end(int signal)
{
    gw_groups_kill();
    struct sigaction usual = {.sa_handler = SIG_DFL};
    (void)sigaction(signal, &usual, NULL);
    (void)raise(signal);
}

/* Signals that somebody else takes care of, or ignores, are left alone. */
static void watch_for_end(void)
{
    for (size_t i = 0; i < GW_ARRAY_LEN(ends); i++) {
        struct sigaction now;
        struct sigaction ours = {.sa_handler = on_end};
        if (sigaction(ends[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            (void)sigaction(ends[i], &ours, NULL);
    }
}

static const char *const names[GW_NUM_HOOKS] = {
    [GW_HOOK_SOFT] = "soft", [GW_HOOK_POWER] = "power", [GW_HOOK_START] = "start"};

const char *gw_hook_name(gw_hook_kind kind)
{
    return (unsigned)kind < GW_NUM_HOOKS ? names[kind] : "?";
}

static bool may_run(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

/* Looks in each folder of |folders|, an empty one being the present one. */
static bool in_folders(const char *folders, const char *name)
{
    char path[4096];
    for (;;) {
        size_t len = strcspn(folders, ":");
        int wrote =
            snprintf(path, sizeof(path), "%.*s%s%s", (int)len, folders, len > 0 ? "/" : "", name);
        if (wrote > 0 && (size_t)wrote < sizeof(path) && may_run(path))
            return true;
        if (folders[len] == '\0')
            return false;
        folders += len + 1;
    }
}

bool gw_hook_find(const gw_hook *hook, char *why, size_t why_cap)
{
    const char *name = hook->args[0];
    const char *folders = getenv("PATH");
    bool is_path = strchr(name, '/') != NULL;
    if (is_path ? may_run(name) : in_folders(folders != NULL ? folders : "/bin:/usr/bin", name))
        return true;
    (void)snprintf(why, why_cap, "cannot start %s: %s", name,
                   !is_path                  ? "there is no such program in PATH"
                   : access(name, F_OK) == 0 ? "it is no program that may be run"
                                             : "there is no such file");
    return false;
}

/* A file that cannot grow: what does not fit is refused, and the hook goes on. */
static int open_output(void)
{
    int fd = memfd_create("goldwire-hook", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0)
        return -1;
    if (ftruncate(fd, GW_HOOK_OUTPUT) == 0 && fcntl(fd, F_ADD_SEALS, F_SEAL_GROW) == 0)
        return fd;
    close(fd);
    return -1;
}

/* Starts |args| in a group of its own, with the signals as a shell would leave them. An errno. */
static int spawn(pid_t *pid, char *const *args, int output)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigset_t usual;

    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGXFSZ);
    for (size_t i = 0; i < GW_ARRAY_LEN(ends); i++)
        sigaddset(&usual, ends[i]);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (output >= 0)
        posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    else
        posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    int code = posix_spawnp(pid, args[0], &files, &attributes, args, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return code;
}

gw_hook_run *gw_hook_begin(const gw_hook *hook, char *why, size_t why_cap)
{
    char copies[GW_HOOK_MAX_ARGS][GW_HOOK_ARG];
    char *args[GW_HOOK_MAX_ARGS + 1] = {copies[0]};
    gw_hook_run *run = calloc(1, sizeof(*run));

    if (run == NULL || gw_stopped()) {
        (void)snprintf(why, why_cap, run == NULL ? "out of memory" : "interrupted");
        free(run);
        return NULL;
    }
    memcpy(copies, hook->args, sizeof(copies));
    for (size_t i = 1; i < hook->num_args; i++)
        args[i] = copies[i];
    run->output = open_output();
    run->timeout_s = hook->timeout_s;
    run->deadline = gw_clock_ns(CLOCK_MONOTONIC) + hook->timeout_s * SECOND_NS;
    sigset_t held;
    sigset_t before;
    sigemptyset(&held);
    for (size_t i = 0; i < GW_ARRAY_LEN(ends); i++)
        sigaddset(&held, ends[i]);
    watch_for_end();
    /* Between its start and its entry in the list nothing may end us. */
    sigprocmask(SIG_BLOCK, &held, &before);
    int code = spawn(&run->pid, args, run->output);
    if (code == 0)
        gw_groups_replace(0, run->pid);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (code != 0) {
        (void)snprintf(why, why_cap, "cannot start %s: %s", args[0], strerror(code));
        if (run->output >= 0)
            close(run->output);
        free(run);
        return NULL;
    }
    run->pidfd = pidfd_open(run->pid, 0);
    return run;
}

/* Whether the leader has ended. It is not reaped, so that its number stays the group's. */
static bool has_ended(const gw_hook_run *run)
{
    siginfo_t info = {0};
    return run->pid == 0 ||
           (waitid(P_PID, (id_t)run->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
            info.si_pid == run->pid);
}

/* Whether the process with |stat|, a line of the kernel's, is of |group| and runs. Its name may
 * hold anything. */
static bool runs_in(const char *stat, pid_t group)
{
    const char *fields = strrchr(stat, ')');
    char *end;
    if (fields == NULL || fields[1] != ' ' || fields[2] == '\0')
        return false;
    char state = fields[2];
    (void)strtol(fields + 3, &end, 10); /* the parent */
    return strtol(end, NULL, 10) == group && state != 'Z' && state != 'X';
}

/* Whether somebody of the group still runs once its leader has ended: what a hook starts in the
 * background is the hook as well. Where the kernel does not tell, the leader is all there is. */
static bool others_live(const gw_hook_run *run)
{
    DIR *processes = run->pid != 0 ? opendir("/proc") : NULL;
    const struct dirent *entry;
    bool found = false;
    while (processes != NULL && !found && (entry = readdir(processes)) != NULL) {
        char path[64];
        char stat[512] = "";
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
            continue;
        (void)snprintf(path, sizeof(path), "/proc/%.32s/stat", entry->d_name);
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        ssize_t len = fd >= 0 ? read(fd, stat, sizeof(stat) - 1) : 0;
        if (fd >= 0)
            close(fd);
        found = len > 0 && runs_in(stat, run->pid);
    }
    if (processes != NULL)
        closedir(processes);
    return found;
}

/* With |poll_stop| the wish to stop ends the wait as well. */
static bool wait_until(const gw_hook_run *run, int64_t deadline, bool poll_stop)
{
    while (!has_ended(run)) {
        int64_t left = deadline - gw_clock_ns(CLOCK_MONOTONIC);
        if (left <= 0 || (poll_stop && gw_stopped()))
            return false;
        if (run->pidfd < 0 && left > SLICE_NS)
            left = SLICE_NS;
        struct timespec time = {left / SECOND_NS, left % SECOND_NS};
        struct pollfd p = {.fd = run->pidfd, .events = POLLIN};
        (void)ppoll(&p, 1, &time, NULL);
    }
    return true;
}

/* |number| is an exit code, or a signal. */
static void note_outcome(gw_hook_run *run, bool exited, int number)
{
    if (run->stopped)
        (void)snprintf(run->outcome, sizeof(run->outcome),
                       "ended, because goldwire was told to stop");
    else if (run->killed)
        (void)snprintf(run->outcome, sizeof(run->outcome), "killed after %u s", run->timeout_s);
    else if (exited)
        (void)snprintf(run->outcome, sizeof(run->outcome), "exit %d", number);
    else
        (void)snprintf(run->outcome, sizeof(run->outcome), "ended by signal %d", number);
}

void gw_hook_stop(gw_hook_run *run)
{
    int status = 0;
    if (run->pid == 0)
        return;
    if (!has_ended(run)) {
        (void)kill(-run->pid, SIGTERM);
        (void)wait_until(run, gw_clock_ns(CLOCK_MONOTONIC) + GRACE_NS, false);
    }
    /* Whoever is left of the group, the leader's children for one. */
    (void)kill(-run->pid, SIGKILL);
    while (waitpid(run->pid, &status, 0) < 0 && errno == EINTR)
        ;
    gw_groups_replace(run->pid, 0);
    run->pid = 0;
    bool exited = WIFEXITED(status);
    note_outcome(run, exited, exited ? WEXITSTATUS(status) : WTERMSIG(status));
}

bool gw_hook_wait(gw_hook_run *run)
{
    if (!wait_until(run, run->deadline, true)) {
        run->stopped = gw_stopped();
        run->killed = !run->stopped;
    }
    gw_hook_stop(run);
    return strcmp(run->outcome, "exit 0") == 0;
}

bool gw_hook_lives(gw_hook_run *run)
{
    if (has_ended(run) && !others_live(run))
        return false;
    if (gw_clock_ns(CLOCK_MONOTONIC) < run->deadline)
        return true;
    run->killed = true;
    gw_hook_stop(run);
    return false;
}

int64_t gw_hook_left(const gw_hook_run *run)
{
    int64_t left = run->deadline - gw_clock_ns(CLOCK_MONOTONIC);
    return run->pid != 0 && left > 0 ? left : 0;
}

bool gw_hook_failed(gw_hook_run *run)
{
    siginfo_t info = {0};
    if (run->pid != 0 && waitid(P_PID, (id_t)run->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == run->pid)
        note_outcome(run, info.si_code == CLD_EXITED, info.si_status);
    return run->outcome[0] != '\0' && strcmp(run->outcome, "exit 0") != 0;
}

const char *gw_hook_outcome(const gw_hook_run *run)
{
    return run->outcome[0] == '\0' ? "still runs" : run->outcome;
}

const char *gw_hook_output(gw_hook_run *run, size_t *len)
{
    /* Writers and we share one position in the file. */
    off_t written = run->output >= 0 ? lseek(run->output, 0, SEEK_CUR) : 0;
    size_t want = written > 0 && written <= GW_HOOK_OUTPUT ? (size_t)written : 0;
    ssize_t got = want > 0 ? pread(run->output, run->kept, want, 0) : 0;
    *len = got > 0 ? (size_t)got : 0;
    return run->kept;
}

void gw_hook_free(gw_hook_run *run)
{
    if (run == NULL)
        return;
    gw_hook_stop(run);
    if (run->pidfd >= 0)
        close(run->pidfd);
    if (run->output >= 0)
        close(run->output);
    free(run);
}
