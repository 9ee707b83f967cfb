/* SPDX-License-Identifier: BSD-2-Clause */
/* The example cores, as their files tell them: board.yaml, sources.sh and faults.txt. */
#include "harness/cores.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE 1024
#define NAME_LEN 32

/* Of these two, below each folder above the program: a source tree that it was built in, and the
 * tree that it was installed into. */
static const char *const places[] = {"fpga_harness/cores", GW_DOC_DIR "/fpga_harness/cores"};

static bool holds_cores(const char *folder)
{
    char path[GW_CORE_PATH + 32];
    (void)snprintf(path, sizeof(path), "%s/simulate.sh", folder);
    return access(path, R_OK) == 0;
}

bool gw_cores_folder(char *out, size_t cap, char *why, size_t why_cap)
{
    char path[GW_CORE_PATH];
    ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);
    path[len > 0 ? len : 0] = '\0';
    for (char *slash = strrchr(path, '/'); slash != NULL; slash = strrchr(path, '/')) {
        *slash = '\0';
        for (size_t i = 0; i < GW_ARRAY_LEN(places); i++) {
            int need = snprintf(out, cap, "%s/%s", path, places[i]);
            if (need > 0 && (size_t)need < cap && holds_cores(out))
                return true;
        }
    }
    (void)snprintf(why, why_cap,
                   "the example cores are not beside this program: --cores says where they are, "
                   "fpga_harness/cores of the source tree or of the installed documents");
    return false;
}

static FILE *open_file(const char *folder, const char *core, const char *name)
{
    char path[GW_CORE_PATH];
    int need = snprintf(path, sizeof(path), "%s/%s/%s", folder, core, name);
    return need > 0 && (size_t)need < sizeof(path) ? fopen(path, "re") : NULL;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* A core that is a board has a board file. */
static bool is_core(const char *folder, const char *name)
{
    if (name[0] == '.' || strlen(name) >= NAME_LEN)
        return false;
    FILE *file = open_file(folder, name, "board.yaml");
    if (file != NULL)
        (void)fclose(file);
    return file != NULL;
}

size_t gw_cores_names(const char *folder, char names[GW_CORES_MAX][32], char *why, size_t why_cap)
{
    size_t num = 0;
    DIR *dir = opendir(folder);
    if (dir == NULL) {
        (void)snprintf(why, why_cap, "%s: %s", folder, strerror(errno));
        return 0;
    }
    for (const struct dirent *e; num < GW_CORES_MAX && (e = readdir(dir)) != NULL;) {
        if (is_core(folder, e->d_name))
            (void)snprintf(names[num++], NAME_LEN, "%.31s", e->d_name);
    }
    (void)closedir(dir);
    qsort(names, num, NAME_LEN, by_name);
    if (num == 0)
        (void)snprintf(why, why_cap, "%s: no folder with a board.yaml, so no example core", folder);
    return num;
}

/* ---- one core ---- */

/* Whether |program| can be run, as a shell would look for it. */
static bool is_installed(const char *program)
{
    const char *dirs = getenv("PATH");
    char path[GW_CORE_PATH];
    for (; dirs != NULL && *dirs != '\0'; dirs += strspn(dirs, ":")) {
        int len = (int)strcspn(dirs, ":");
        int need = snprintf(path, sizeof(path), "%.*s/%s", len, dirs, program);
        if (need > 0 && (size_t)need < sizeof(path) && access(path, X_OK) == 0)
            return true;
        dirs += len;
    }
    return false;
}

/* As simulate.sh knows them: most are called as their package is. */
static void add_simulator(gw_core *core, const char *name, size_t len)
{
    if (len == 0 || len >= sizeof(core->simulators[0].name) ||
        core->num_simulators == GW_CORE_SIMULATORS)
        return;
    gw_core_simulator *s = &core->simulators[core->num_simulators++];
    (void)snprintf(s->name, sizeof(s->name), "%.*s", (int)len, name);
    s->package = strcmp(s->name, "icarus") == 0 ? "iverilog" : s->name;
    s->found = is_installed(s->package);
}

/* The line simulators=(ONE TWO) of sources.sh. */
static void read_simulators(gw_core *core, FILE *file)
{
    static const char start[] = "simulators=(";
    char line[LINE];
    while (fgets(line, sizeof(line), file) != NULL) {
        if (strncmp(line, start, sizeof(start) - 1) != 0)
            continue;
        const char *p = line + sizeof(start) - 1;
        for (p += strspn(p, " "); *p != '\0' && *p != ')' && *p != '\n'; p += strspn(p, " ")) {
            size_t len = strcspn(p, " )\n");
            add_simulator(core, p, len);
            p += len;
        }
    }
}

/* The first sentence of the board file's head, "# The EtherBone slave in VHDL, in a simulator." */
static void read_title(gw_core *core, FILE *file)
{
    char line[LINE];
    bool found = false;
    while (!found && fgets(line, sizeof(line), file) != NULL && line[0] == '#')
        found = strstr(line, "SPDX") == NULL;
    const char *text = found ? line + strspn(line, "# ") : core->name;
    (void)snprintf(core->what, sizeof(core->what), "%.*s", (int)strcspn(text, ".,\n"), text);
}

static void read_faults(gw_core *core, FILE *file)
{
    char line[LINE];
    while (core->num_faults < GW_CORE_FAULTS && fgets(line, sizeof(line), file) != NULL) {
        gw_core_fault *f = &core->faults[core->num_faults];
        char *rest;
        f->number = (unsigned)strtoul(line, &rest, 10);
        if (rest != line && sscanf(rest, " %127s %159[^\n]", f->cases, f->what) == 2)
            core->num_faults++;
    }
}

static void read_part(gw_core *core, const char *folder, const char *file_name,
                      void (*read)(gw_core *core, FILE *file))
{
    FILE *file = open_file(folder, core->name, file_name);
    if (file == NULL)
        return;
    read(core, file);
    (void)fclose(file);
}

bool gw_core_read(gw_core *out, const char *folder, const char *name, char *why, size_t why_cap)
{
    *out = (gw_core){0};
    (void)snprintf(out->name, sizeof(out->name), "%.31s", name);
    int need =
        snprintf(out->board_path, sizeof(out->board_path), "%s/%s/board.yaml", folder, out->name);
    if (need < 0 || (size_t)need >= sizeof(out->board_path)) {
        (void)snprintf(why, why_cap, "%.200s: the path is too long", folder);
        return false;
    }
    if (!gw_board_load(&out->board, out->board_path, why, why_cap))
        return false;
    read_part(out, folder, "board.yaml", read_title);
    read_part(out, folder, "sources.sh", read_simulators);
    read_part(out, folder, "faults.txt", read_faults);
    return true;
}
