/* SPDX-License-Identifier: BSD-2-Clause */
/* Crash inputs of libFuzzer and AFL++: one finding for each stack. */
#include "cli/fuzzing/crashes.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "campaign/found.h"
#include "crash/crash.h"
#include "evidence/clean.h"
#include "evidence/exit.h"
#include "evidence/quote.h"
#include "harness/stop.h"
#include "run/store.h"

#define INPUTS_MAX 4096u
#define CRASHES_MAX 256u
#define INPUT_FILE "input"
#define REPORT_FILE "report.txt"
#define SMALLER_FILE "input.smaller"

/* Inputs that are one crash. */
typedef struct crash {
    char name[GW_CRASH_NAME];
    gw_crash_key key;
    char input[PATH_MAX]; /* the smallest */
    off_t size;
    unsigned inputs;
} crash;

typedef struct triage {
    const char *dir;
    const char *program;
    uint32_t seconds;
    crash *crashes;
    size_t num;
    unsigned inputs;
    unsigned gone; /* inputs on which nothing goes wrong any more */
    bool failed;
} triage;

static void complain(const char *what)
{
    fprintf(stderr, "goldwire triage: %s\n", what);
}

/* As libFuzzer and AFL++ name what they find. */
static int is_input(const struct dirent *e)
{
    static const char *const starts[] = {"crash-", "leak-", "timeout-", "oom-", "id:", "id_"};
    for (size_t i = 0; i < GW_ARRAY_LEN(starts); i++)
        if (strncmp(e->d_name, starts[i], strlen(starts[i])) == 0)
            return 1;
    return 0;
}

/* "etherbone_decode" of "build/fuzz/fuzz_etherbone_decode". */
static const char *target_of(const char *program)
{
    static const char *const prefixes[] = {"fuzz_", "replay_"};
    const char *name = strrchr(program, '/') != NULL ? strrchr(program, '/') + 1 : program;
    for (size_t i = 0; i < GW_ARRAY_LEN(prefixes); i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return name + strlen(prefixes[i]);
    return name;
}

/* ---- which crashes there are ---- */

static crash *crash_called(triage *t, const char *name)
{
    for (size_t i = 0; i < t->num; i++)
        if (strcmp(t->crashes[i].name, name) == 0)
            return &t->crashes[i];
    if (t->num == CRASHES_MAX)
        return NULL;
    crash *c = &t->crashes[t->num++];
    *c = (crash){.size = -1};
    (void)snprintf(c->name, sizeof(c->name), "%s", name);
    return c;
}

static void sort_in(triage *t, const char *file)
{
    gw_crash_key key;
    char path[PATH_MAX];
    char name[GW_CRASH_NAME];
    char why[512] = "";
    struct stat st;
    if (snprintf(path, sizeof(path), "%s/%s", t->dir, file) >= (int)sizeof(path) ||
        lstat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > (off_t)GW_CRASH_INPUT_MAX)
        return;
    t->inputs++;
    if (!gw_crash_run(&key, t->program, path, NULL, why, sizeof(why))) {
        complain(why);
        t->failed = true;
        return;
    }
    if (key.kind[0] == '\0') {
        t->gone++;
        printf("%s: does not crash any more\n", file);
        return;
    }
    gw_crash_name(name, &key);
    crash *c = crash_called(t, name);
    if (c == NULL)
        return;
    c->inputs++;
    if (c->size >= 0 && c->size <= st.st_size)
        return;
    c->size = st.st_size;
    c->key = key;
    (void)snprintf(c->input, sizeof(c->input), "%s", path);
}

static bool sort_all(triage *t)
{
    struct dirent **files;
    int num = scandir(t->dir, &files, is_input, alphasort);
    if (num < 0) {
        fprintf(stderr, "goldwire triage: %s: %s\n", t->dir, strerror(errno));
        return false;
    }
    for (int i = 0; i < num; i++) {
        if ((unsigned)i < INPUTS_MAX && !t->failed && !gw_stopped())
            sort_in(t, files[i]->d_name);
        free(files[i]);
    }
    free(files);
    return true;
}

/* ---- one of them ---- */

static uint8_t *read_input(const char *path, size_t *len)
{
    FILE *file = fopen(path, "rbe");
    uint8_t *bytes = file != NULL ? malloc(GW_CRASH_INPUT_MAX) : NULL;
    *len = bytes != NULL ? fread(bytes, 1, GW_CRASH_INPUT_MAX, file) : 0;
    if (file != NULL)
        (void)fclose(file);
    return bytes;
}

static bool write_input(const char *folder, const uint8_t *bytes, size_t len, char *why,
                        size_t why_cap)
{
    FILE *file = gw_store_open(folder, INPUT_FILE, why, why_cap);
    if (file == NULL)
        return false;
    (void)fwrite(bytes, 1, len, file);
    return gw_store_keep(file, folder, INPUT_FILE, why, why_cap);
}

/* A smaller input takes the place of |input| when it is the same crash. */
static void shrink(const triage *t, const crash *c, const char *folder, const char *input)
{
    gw_crash_key key;
    char smaller[PATH_MAX + sizeof(SMALLER_FILE)];
    char name[GW_CRASH_NAME] = "";
    char why[256];
    (void)snprintf(smaller, sizeof(smaller), "%s/" SMALLER_FILE, folder);
    if (t->seconds > 0 && gw_crash_shrink(t->program, input, smaller, t->seconds) &&
        gw_crash_run(&key, t->program, smaller, NULL, why, sizeof(why)))
        gw_crash_name(name, &key);
    if (strcmp(name, c->name) != 0 || rename(smaller, input) != 0)
        gw_store_remove(folder, SMALLER_FILE);
}

static void tell(const triage *t, const crash *c, const char *input, size_t len, size_t messages)
{
    char line[2 * PATH_MAX];
    gw_text text = gw_text_over(line, sizeof(line));
    gw_quote(&text, "", t->program);
    gw_quote(&text, "", input);
    printf("%s: ", c->name);
    gw_put_plain(stdout, c->key.text);
    printf(" (%zu bytes, %zu message%s; %u input%s)\n  again: %s\n", len, messages,
           messages == 1 ? "" : "s", c->inputs, c->inputs == 1 ? "" : "s", line);
}

static bool keep(const triage *t, const crash *c, char *why, size_t why_cap)
{
    char folder[PATH_MAX];
    char input[PATH_MAX + sizeof(INPUT_FILE)];
    char report[PATH_MAX + sizeof(REPORT_FILE)];
    gw_crash_key key;
    size_t len;
    size_t messages = 0;
    (void)snprintf(why, why_cap, "path too long: %.100s", t->dir);
    if (snprintf(folder, sizeof(folder), "%s/" GW_FOUND_FOLDER "/%s", t->dir, c->name) >=
        (int)sizeof(folder))
        return false;
    (void)snprintf(input, sizeof(input), "%s/" INPUT_FILE, folder);
    (void)snprintf(report, sizeof(report), "%s/" REPORT_FILE, folder);
    uint8_t *bytes = read_input(c->input, &len);
    bool ok = bytes != NULL && write_input(folder, bytes, len, why, why_cap);
    free(bytes);
    if (!ok)
        return false;
    shrink(t, c, folder, input);
    bytes = read_input(input, &len);
    ok = bytes != NULL && gw_crash_run(&key, t->program, input, report, why, why_cap) &&
         gw_crash_capture(target_of(t->program), bytes, len, folder, GW_FOUND_CAPTURE, &messages,
                          why, why_cap);
    free(bytes);
    if (ok)
        tell(t, c, input, len, messages);
    return ok;
}

int gw_triage_crashes(const char *dir, const char *program, uint32_t seconds)
{
    char why[512] = "";
    triage t = {.dir = dir, .program = program, .seconds = seconds};
    if (access(program, X_OK) != 0) {
        fprintf(stderr, "goldwire triage: %s: %s\n", program, strerror(errno));
        return GW_EXIT_USAGE;
    }
    gw_stop_watch();
    t.crashes = calloc(CRASHES_MAX, sizeof(*t.crashes));
    if (t.crashes == NULL) {
        complain("out of memory");
        return GW_EXIT_TOOL;
    }
    if (!sort_all(&t)) {
        free(t.crashes);
        return GW_EXIT_USAGE;
    }
    for (size_t i = 0; i < t.num && !t.failed && !gw_stopped(); i++) {
        t.failed = !keep(&t, &t.crashes[i], why, sizeof(why));
        if (t.failed)
            complain(why);
    }
    bool any = t.num > 0;
    printf("%zu crash%s in %u inputs; on %u nothing goes wrong any more\n", t.num,
           t.num == 1 ? "" : "es", t.inputs, t.gone);
    free(t.crashes);
    return t.failed ? GW_EXIT_TOOL : any ? GW_EXIT_FAIL : GW_EXIT_OK;
}
