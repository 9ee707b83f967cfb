/* SPDX-License-Identifier: BSD-2-Clause */
/* The files of a run. */
#include "runner/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/folder.h"

#define UNFINISHED GW_STORE_UNFINISHED
#define CERTIFICATE "cert.json"
#define MAX_DEPTH 8 /* of folders in each other */

/* What a run leaves in its folder, beside cases/, hooks/ and traces/. */
static const char *const own_files[] = {
    "run.json",         "junit.xml",      "report.html", "report.sarif",      "report.tap",
    "preflight.pcapng", "catalogue.json", "cert.sha256", "cert.json.minisig", CERTIFICATE,
};

static const char *const own_folders[] = {"cases", "hooks", "traces"};

/* Makes every folder on the way to |path|; what follows the last slash is not one of them. */
static bool make_parents(const char *path, char *why, size_t why_cap)
{
    char part[PATH_MAX];
    if (strlen(path) >= sizeof(part)) {
        (void)snprintf(why, why_cap, "path too long: %.60s...", path);
        return false;
    }
    for (const char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        size_t len = (size_t)(slash - path);
        memcpy(part, path, len);
        part[len] = '\0';
        if (mkdir(part, 0777) == 0 || errno == EEXIST)
            continue;
        (void)snprintf(why, why_cap, "cannot make the folder %s: %s", part, strerror(errno));
        return false;
    }
    return true;
}

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
    for (size_t i = 0; i < GW_ARRAY_LEN(own_files); i++)
        if (strcmp(path, own_files[i]) == 0)
            return true;
    return false;
}

typedef enum sweep_what {
    SWEEP_NOTHING, /* only look */
    SWEEP_UNFINISHED,
    SWEEP_WHOLE, /* the run that was the last one */
} sweep_what;

typedef struct sweep {
    int folder;
    sweep_what what; /* to remove */
    bool found;      /* something that is not ours; */
    char stranger[GW_FOLDER_PATH];
    int error; /* errno of the first file that stays; or 0 */
} sweep;

static bool sweep_one(void *arg, const char *path, bool is_dir, bool is_file)
{
    sweep *s = arg;
    if (is_dir ? is_own(path, true) : is_file && is_own(path, false)) {
        bool unfinished = strncmp(path, UNFINISHED "/", strlen(UNFINISHED "/")) == 0;
        bool goes = s->what == (unfinished ? SWEEP_UNFINISHED : SWEEP_WHOLE);
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

static bool sweep_folder(int folder, const char *dir, sweep_what what, char *why, size_t why_cap)
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
    if (what == SWEEP_UNFINISHED)
        remove_empty(folder, UNFINISHED, MAX_DEPTH);
    for (size_t i = 0; what == SWEEP_WHOLE && i < GW_ARRAY_LEN(own_folders); i++)
        remove_empty(folder, own_folders[i], MAX_DEPTH);
    return true;
}

/* Looks through all of the folder before anything in it goes. */
static bool sweep_dir(const char *dir, sweep_what what, char *why, size_t why_cap)
{
    char reason[160] = "";
    int folder = gw_folder_open(dir, reason, sizeof(reason));
    if (folder < 0) {
        (void)snprintf(why, why_cap, "%s: %s", dir, reason);
        return false;
    }
    bool ok = sweep_folder(folder, dir, SWEEP_NOTHING, why, why_cap) &&
              sweep_folder(folder, dir, what, why, why_cap);
    (void)close(folder);
    return ok;
}

bool gw_store_prepare(char *into, size_t cap, const char *dir, char *why, size_t why_cap)
{
    char path[PATH_MAX];
    struct stat st;
    if (dir[0] == '\0' || snprintf(into, cap, "%s/" UNFINISHED, dir) >= (int)cap ||
        snprintf(path, sizeof(path), "%s/cases/", into) >= (int)sizeof(path)) {
        (void)snprintf(why, why_cap, "no usable name for a folder: \"%.60s\"", dir);
        return false;
    }
    if (stat(dir, &st) == 0 && !S_ISDIR(st.st_mode)) {
        (void)snprintf(why, why_cap, "%s is not a folder", dir);
        return false;
    }
    (void)snprintf(path, sizeof(path), "%s/", dir);
    if (!make_parents(path, why, why_cap))
        return false;
    if (access(dir, W_OK | X_OK) != 0) {
        (void)snprintf(why, why_cap, "cannot write into %s: %s", dir, strerror(errno));
        return false;
    }
    (void)snprintf(path, sizeof(path), "%s/cases/", into);
    return sweep_dir(dir, SWEEP_UNFINISHED, why, why_cap) && make_parents(path, why, why_cap);
}

bool gw_store_is_certified(const char *dir)
{
    char path[PATH_MAX];
    struct stat st;
    return snprintf(path, sizeof(path), "%s/" CERTIFICATE, dir) < (int)sizeof(path) &&
           lstat(path, &st) == 0;
}

void gw_store_drop(const char *dir)
{
    char why[512];
    (void)sweep_dir(dir, SWEEP_UNFINISHED, why, sizeof(why));
}

static bool move(int folder, const char *name, char *why, size_t why_cap)
{
    char from[64];
    (void)snprintf(from, sizeof(from), UNFINISHED "/%s", name);
    if (renameat(folder, from, folder, name) == 0 || errno == ENOENT)
        return true;
    (void)snprintf(why, why_cap, "cannot move %s into its place: %s", from, strerror(errno));
    return false;
}

/* The certificate goes first and comes last: it never vouches for a mixture. */
static bool move_all(int folder, char *why, size_t why_cap)
{
    bool ok = true;
    for (size_t i = 0; ok && i < GW_ARRAY_LEN(own_folders); i++)
        ok = move(folder, own_folders[i], why, why_cap);
    for (size_t i = 0; ok && i < GW_ARRAY_LEN(own_files); i++)
        ok = move(folder, own_files[i], why, why_cap);
    if (ok)
        (void)unlinkat(folder, UNFINISHED, AT_REMOVEDIR);
    return ok;
}

bool gw_store_finish(const char *dir, char *why, size_t why_cap)
{
    int folder = gw_folder_open(dir, why, why_cap);
    if (folder < 0)
        return false;
    bool ok = unlinkat(folder, CERTIFICATE, 0) == 0 || errno == ENOENT;
    if (!ok)
        (void)snprintf(why, why_cap, "%s/" CERTIFICATE " stays: %s", dir, strerror(errno));
    ok = ok && sweep_dir(dir, SWEEP_WHOLE, why, why_cap) && move_all(folder, why, why_cap);
    (void)close(folder);
    return ok;
}

FILE *gw_store_open(const char *dir, const char *name, char *why, size_t why_cap)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof(path), "%s/%s", dir, name) >= (int)sizeof(path)) {
        (void)snprintf(why, why_cap, "path too long: %.60s...", path);
        return NULL;
    }
    if (!make_parents(path, why, why_cap))
        return NULL;
    FILE *file = fopen(path, "wbe");
    if (file == NULL)
        (void)snprintf(why, why_cap, "cannot create %s: %s", path, strerror(errno));
    return file;
}

void gw_store_remove(const char *dir, const char *name)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof(path), "%s/%s", dir, name) < (int)sizeof(path))
        (void)unlink(path);
}

bool gw_store_close(FILE *file, const char *name, char *why, size_t why_cap)
{
    bool ok = ferror(file) == 0;
    /* Of an earlier failure errno may tell no more. */
    int error = ok ? 0 : errno;
    if (fclose(file) != 0) {
        error = ok ? errno : error;
        ok = false;
    }
    if (!ok)
        (void)snprintf(why, why_cap, "cannot write %s: %s", name, strerror(error));
    return ok;
}

bool gw_store_packets(const char *dir, const char *name, const char *title,
                      const gw_evidence *evidence, char *why, size_t why_cap)
{
    if (dir == NULL || evidence->num_packets == 0)
        return true;
    FILE *file = gw_store_open(dir, name, why, why_cap);
    if (file == NULL)
        return false;
    bool written = gw_evidence_write(evidence, file, title);
    int error = errno;
    bool closed = gw_store_close(file, name, why, why_cap);
    if (closed && !written)
        (void)snprintf(why, why_cap, "cannot write %s: %s", name, strerror(error));
    if (!closed || !written)
        gw_store_remove(dir, name);
    return closed && written;
}

bool gw_store_evidence(const char *dir, gw_result *result, const gw_evidence *evidence, char *why,
                       size_t why_cap)
{
    char title[256];
    if (dir == NULL || evidence->num_packets == 0)
        return true;
    (void)snprintf(result->evidence, sizeof(result->evidence), "cases/%s.pcapng",
                   result->which->id);
    (void)snprintf(title, sizeof(title), "%s: %s: %s", result->which->id, result->which->title,
                   gw_verdict_name(result->verdict));
    if (gw_store_packets(dir, result->evidence, title, evidence, why, why_cap))
        return true;
    result->evidence[0] = '\0';
    return false;
}
