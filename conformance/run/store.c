/* SPDX-License-Identifier: BSD-2-Clause */
/* The files of a run. */
#include "run/store.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/sweep.h"

#define UNFINISHED GW_STORE_UNFINISHED

bool gw_store_folders(const char *path, char *why, size_t why_cap)
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
    if (!gw_store_folders(path, why, why_cap))
        return false;
    if (access(dir, W_OK | X_OK) != 0) {
        (void)snprintf(why, why_cap, "cannot write into %s: %s", dir, strerror(errno));
        return false;
    }
    /* Whoever is killed between two files would have lost a run that somebody vouches for. */
    if (gw_store_is_certified(dir) && !gw_store_replaces(dir, why, why_cap))
        return false;
    (void)snprintf(path, sizeof(path), "%s/cases/", into);
    return gw_sweep(dir, GW_SWEEP_UNFINISHED, why, why_cap) && gw_store_folders(path, why, why_cap);
}

bool gw_store_has(const char *dir, const char *name)
{
    char path[PATH_MAX];
    struct stat st;
    return snprintf(path, sizeof(path), "%s/%s", dir, name) < (int)sizeof(path) &&
           lstat(path, &st) == 0;
}

bool gw_store_is_certified(const char *dir)
{
    return gw_store_has(dir, GW_STORE_CERTIFICATE);
}

void gw_store_drop(const char *dir)
{
    char why[512];
    (void)gw_sweep(dir, GW_SWEEP_UNFINISHED, why, sizeof(why));
}

FILE *gw_store_open(const char *dir, const char *name, char *why, size_t why_cap)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof(path), "%s/%s", dir, name) >= (int)sizeof(path)) {
        (void)snprintf(why, why_cap, "path too long: %.60s...", path);
        return NULL;
    }
    if (!gw_store_folders(path, why, why_cap))
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

bool gw_store_keep(FILE *file, const char *dir, const char *name, char *why, size_t why_cap)
{
    if (gw_store_close(file, name, why, why_cap))
        return true;
    gw_store_remove(dir, name);
    return false;
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
