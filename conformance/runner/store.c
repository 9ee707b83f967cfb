/* SPDX-License-Identifier: BSD-2-Clause */
/* The files of a run. */
#include "runner/store.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/folder.h"

/* What a run leaves in its folder, beside cases/, hooks/ and traces/. */
static const char *const own_files[] = {
    "run.json",         "junit.xml",      "report.html", "report.sarif", "report.tap",
    "preflight.pcapng", "catalogue.json", "cert.json",   "cert.sha256",  "cert.json.minisig",
};

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

typedef struct sweep {
    int folder;
    bool remove; /* otherwise only look */
    bool found;  /* something that is not ours; */
    char stranger[GW_FOLDER_PATH];
} sweep;

static bool sweep_one(void *arg, const char *path, bool is_dir, bool is_file)
{
    sweep *s = arg;
    if (is_dir ? is_own(path, true) : is_file && is_own(path, false)) {
        if (s->remove && is_file)
            (void)unlinkat(s->folder, path, 0);
        return true;
    }
    s->found = true;
    (void)snprintf(s->stranger, sizeof(s->stranger), "%s", path);
    return false;
}

/* A certificate vouches for everything in the folder. What an earlier run left would be taken for
 * this one's, and what somebody else put there is not ours to take away. */
static bool clear(const char *dir, char *why, size_t why_cap)
{
    sweep s = {.folder = gw_folder_open(dir, why, why_cap)};
    if (s.folder < 0)
        return false;
    bool ok = gw_folder_walk(s.folder, sweep_one, &s, why, why_cap);
    if (ok && s.found) {
        (void)snprintf(why, why_cap,
                       "%s holds %.200s, which is not of an earlier run; give a "
                       "folder of its own",
                       dir, s.stranger);
        ok = false;
    }
    s.remove = true;
    ok = ok && gw_folder_walk(s.folder, sweep_one, &s, why, why_cap);
    (void)close(s.folder);
    return ok;
}

bool gw_store_prepare(const char *dir, char *why, size_t why_cap)
{
    char path[PATH_MAX];
    struct stat st;
    if (dir[0] == '\0' || snprintf(path, sizeof(path), "%s/cases/", dir) >= (int)sizeof(path)) {
        (void)snprintf(why, why_cap, "no usable name for a folder: \"%.60s\"", dir);
        return false;
    }
    if (!make_parents(path, why, why_cap))
        return false;
    if (stat(dir, &st) != 0 || !S_ISDIR(st.st_mode)) {
        (void)snprintf(why, why_cap, "%s is not a folder", dir);
        return false;
    }
    if (access(dir, W_OK | X_OK) != 0) {
        (void)snprintf(why, why_cap, "cannot write into %s: %s", dir, strerror(errno));
        return false;
    }
    return clear(dir, why, why_cap);
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

bool gw_store_close(FILE *file, const char *name, char *why, size_t why_cap)
{
    bool ok = ferror(file) == 0;
    if (fclose(file) != 0)
        ok = false;
    if (!ok)
        (void)snprintf(why, why_cap, "cannot write %s: %s", name, strerror(errno));
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
    if (!gw_store_close(file, name, why, why_cap))
        return false;
    if (!written)
        (void)snprintf(why, why_cap, "cannot write %s", name);
    return written;
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
    return gw_store_packets(dir, result->evidence, title, evidence, why, why_cap);
}
