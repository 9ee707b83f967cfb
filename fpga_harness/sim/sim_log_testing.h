/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests of ports in real simulators: a simulator started by cores/simulate.sh, and a log that
 * has to be the same in all of them. */
#ifndef SIM_SIM_LOG_TESTING_H
#define SIM_SIM_LOG_TESTING_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/sim.h"

#define START_NS INT64_C(300000000000) /* of the wall's clock: it may have to be built first */
#define LOOK_NS INT64_C(200000000)

static inline void give_up(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

/* Ends with the simulator's own status when it is over before it calls. */
static inline void await(gw_sim *sim, pid_t child)
{
    char why[256] = "";
    for (int64_t left_ns = START_NS; !gw_sim_await(sim, LOOK_NS, why, sizeof(why));
         left_ns -= LOOK_NS) {
        int status = 0;
        if (waitpid(child, &status, WNOHANG) == child) {
            gw_sim_free(sim);
            exit(WIFEXITED(status) && WEXITSTATUS(status) != 0 ? WEXITSTATUS(status) : 1);
        }
        if (left_ns <= 0)
            give_up(why);
    }
}

static inline gw_sim *start_simulator(const char *script, const char *simulator, const char *core,
                                      pid_t *child)
{
    char why[256] = "", name[64];
    (void)snprintf(name, sizeof(name), "%s-%s-%ld", core, simulator, (long)getpid());
    gw_sim *sim = gw_sim_listen(name, why, sizeof(why));
    if (sim == NULL)
        give_up(why);
    *child = fork();
    if (*child == 0) {
        (void)dup2(STDERR_FILENO, STDOUT_FILENO);
        execl(script, script, simulator, core, (char *)NULL);
        _exit(9);
    }
    await(sim, *child);
    return sim;
}

static inline char *read_all(FILE *f, size_t *len)
{
    char *text = NULL;
    *len = 0;
    if (f == NULL || fseek(f, 0, SEEK_END) != 0)
        return NULL;
    long size = ftell(f);
    if (size >= 0 && fseek(f, 0, SEEK_SET) == 0)
        text = malloc((size_t)size + 1);
    if (text == NULL)
        return NULL;
    *len = fread(text, 1, (size_t)size, f);
    text[*len] = '\0';
    return text;
}

/* Says the first line in which the two differ. */
static inline int compare(const char *got, const char *expected)
{
    const char *line = got;
    unsigned number = 1;
    for (; *got != '\0' && *got == *expected; got++, expected++) {
        if (*got == '\n') {
            line = got + 1;
            number++;
        }
    }
    if (*got == *expected)
        return 0;
    fprintf(stderr, "line %u differs, from column %d on: '%.*s'\n", number, (int)(got - line) + 1,
            (int)strcspn(line, "\n"), line);
    return 1;
}

/* Holds |log| beside the file |path|, or prints it when that is NULL. An exit status. */
static inline int end_log(FILE *log, const char *path)
{
    size_t len, expected_len;
    char *got = read_all(log, &len);
    if (got == NULL)
        give_up("no log");
    if (path == NULL) {
        (void)fwrite(got, 1, len, stdout);
        free(got);
        return 0;
    }
    FILE *file = fopen(path, "r");
    char *expected = read_all(file, &expected_len);
    if (expected == NULL)
        give_up("the expected log cannot be read");
    int status = compare(got, expected);
    free(got);
    free(expected);
    return status;
}

#endif
