/* SPDX-License-Identifier: BSD-2-Clause */
/* Removing a run's files, and nothing else. */
#include "run/sweep.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "evidence/folder.h"
#include "run/store.h"

#define UNFINISHED GW_STORE_UNFINISHED
#define MAX_DEPTH 8 /* of folders in each other */

const char *const gw_own_files[] = {
    "run.json",           "junit.xml",        "report.html",  "report.sarif",
    "report.tap",         "preflight.pcapng", "measure.json", "measure.html",
    "measure.pcapng",     "catalogue.json",   "cert.sha256",  "cert.json.minisig",
    GW_STORE_CERTIFICATE,
};
const size_t gw_num_own_files = GW_ARRAY_LEN(gw_own_files);

const char *const gw_own_folders[] = {"cases", "hooks", "traces"};
const size_t gw_num_own_folders = GW_ARRAY_LEN(gw_own_folders);

static bool ends_with(const char *text, const char *end)
{
    size_t len = strlen(text);
    size_t end_len = strlen(end);
    return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

static bool is_trace(const char *path)
{
    static const char *const endings[] = {".pcapng", ".pcap", ".erf", ".cap", ".trace"};
    for (size_t i = 0; i < GW_ARRAY_LEN(endings); i++)
        if (ends_with(path, endings[i]))
            return true;
    return false;
}

static bool is_own(const char *path, bool is_dir)
{
    if (strncmp(path, UNFINISHED "/", strlen(UNFINISHED "/")) == 0)
        path += strlen(UNFINISHED "/");
    else if (is_dir && strcmp(path, UNFINISHED) == 0)
        return true;
    if (strncmp(path, "cases/", 6) == 0)
        return is_dir || ends_with(path, ".pcapng");
    if (strncmp(path, "hooks/", 6) == 0)
        return !is_dir && ends_with(path, ".txt");
    if (strncmp(path, "traces/", 7) == 0)
        return !is_dir && is_trace(path);
    if (is_dir)
        return strcmp(path, "cases") == 0 || strcmp(path, "hooks") == 0 ||
               strcmp(path, "traces") == 0;
    for (size_t i = 0; i < gw_num_own_files; i++)
        if (strcmp(path, gw_own_files[i]) == 0)
            return true;
    return false;
}

typedef struct sweep {
    int folder;
    gw_sweep_what what; /* to remove */
    bool found;         /* something that is not ours; */
    char stranger[GW_FOLDER_PATH];
    int error; /* errno of the first file that stays; or 0 */
} sweep;

static bool sweep_one(void *arg, const char *path, bool is_dir, bool is_file)
{
    sweep *s = arg;
    if (is_dir ? is_own(path, true) : is_file && is_own(path, false)) {
        bool unfinished = strncmp(path, UNFINISHED "/", strlen(UNFINISHED "/")) == 0;
        bool goes = s->what == (unfinished ? GW_SWEEP_UNFINISHED : GW_SWEEP_WHOLE);
        if (goes && is_file && unlinkat(s->folder, path, 0) != 0 && s->error == 0)
            s->error = errno;
        return true;
    }
    s->found = true;
    (void)snprintf(s->stranger, sizeof(s->stranger), "%s", path);
    return false;
}

/* Removes the folder |name| and those in it, as far as they are empty. */
static void remove_empty(int parent, const char *name, unsigned depth)
{
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (dir == NULL) {
        if (fd >= 0)
            (void)close(fd);
        return;
    }
    for (const struct dirent *e = readdir(dir); e != NULL && depth > 0; e = readdir(dir))
        if (e->d_type != DT_REG && strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            remove_empty(dirfd(dir), e->d_name, depth - 1);
    (void)closedir(dir);
    (void)unlinkat(parent, name, AT_REMOVEDIR);
}

static bool sweep_folder(int folder, const char *dir, gw_sweep_what what, char *why, size_t why_cap)
{
    sweep s = {.folder = folder, .what = what};
    char reason[GW_FOLDER_PATH + 160] = "";
    bool ok = gw_folder_walk(folder, sweep_one, &s, reason, sizeof(reason));
    if (!ok)
        (void)snprintf(why, why_cap, "%s: %.300s", dir, reason);
    else if (s.found)
        (void)snprintf(why, why_cap,
                       "%s holds %.200s, which is not of an earlier run; give a folder of its own",
                       dir, s.stranger);
    else if (s.error != 0)
        (void)snprintf(why, why_cap, "%s: files of an earlier run stay: %s", dir,
                       strerror(s.error));
    if (!ok || s.found || s.error != 0)
        return false;
    if (what == GW_SWEEP_UNFINISHED)
        remove_empty(folder, UNFINISHED, MAX_DEPTH);
    for (size_t i = 0; what == GW_SWEEP_WHOLE && i < gw_num_own_folders; i++)
        remove_empty(folder, gw_own_folders[i], MAX_DEPTH);
    return true;
}

/* Looks through all of the folder before anything in it goes. */
bool gw_sweep(const char *dir, gw_sweep_what what, char *why, size_t why_cap)
{
    char reason[160] = "";
    int folder = gw_folder_open(dir, reason, sizeof(reason));
    if (folder < 0) {
        (void)snprintf(why, why_cap, "%s: %s", dir, reason);
        return false;
    }
    bool ok = sweep_folder(folder, dir, GW_SWEEP_NOTHING, why, why_cap) &&
              sweep_folder(folder, dir, what, why, why_cap);
    (void)close(folder);
    return ok;
}
