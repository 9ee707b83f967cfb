/* SPDX-License-Identifier: BSD-2-Clause */
/* A finished run takes the place of the earlier one. Whoever is killed meanwhile, or loses power,
 * leaves one of the two whole: the folders change places in one step of the file system. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "evidence/folder.h"
#include "run/store.h"
#include "run/sweep.h"

/* ---- in one step ---- */

/* swap is a folder and the one beside it that is to take its place. */
typedef struct swap {
    int folder; /* the run's */
    int parent;
    char name[NAME_MAX + 1];          /* of the folder, in |parent| */
    char beside[NAME_MAX + 1];        /* of the one that takes its place */
    char beside_path[PATH_MAX + 256]; /* for messages, and to sweep it */
} swap;

/* Whoever stands in the folder would find himself in one that is gone. */
static bool is_current(int folder)
{
    struct stat one;
    struct stat here;
    return fstat(folder, &one) != 0 || stat(".", &here) != 0 ||
           (one.st_dev == here.st_dev && one.st_ino == here.st_ino);
}

/* Finds the places. False where two folders cannot change theirs. */
static bool find_places(swap *s, const char *dir)
{
    char path[PATH_MAX];
    if (realpath(dir, path) == NULL || is_current(s->folder))
        return false;
    char *slash = strrchr(path, '/');
    int len = snprintf(s->name, sizeof(s->name), "%s", slash + 1);
    int more = snprintf(s->beside, sizeof(s->beside), ".%s." GW_STORE_UNFINISHED, slash + 1);
    if (len <= 0 || len >= (int)sizeof(s->name) || more >= (int)sizeof(s->beside))
        return false;
    slash[1] = '\0';
    (void)snprintf(s->beside_path, sizeof(s->beside_path), "%s%s", path, s->beside);
    s->parent = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return s->parent >= 0;
}

/* A folder of another file system than the one it lies in is where that is mounted. */
static bool is_mount(const swap *s)
{
    struct stat one;
    struct stat above;
    return fstat(s->folder, &one) != 0 || fstat(s->parent, &above) != 0 ||
           one.st_dev != above.st_dev;
}

/* What somebody who was killed here left behind; it is never the only run. */
static bool clear_beside(const swap *s)
{
    char why[512];
    struct stat st;
    if (fstatat(s->parent, s->beside, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT;
    return S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
           gw_sweep(s->beside_path, GW_SWEEP_WHOLE, why, sizeof(why)) &&
           unlinkat(s->parent, s->beside, AT_REMOVEDIR) == 0;
}

/* The new folder is the old one for whoever may look into it. */
static void take_rights(const swap *s)
{
    struct stat st;
    int fd = openat(s->parent, s->beside, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return;
    if (fstat(s->folder, &st) == 0 && fchown(fd, st.st_uid, st.st_gid) == 0)
        (void)fchmod(fd, st.st_mode & 07777);
    (void)close(fd);
}

/* The two change places. False when the file system cannot, or refuses; then nothing has changed.
 */
static bool exchange(const swap *s)
{
    if (renameat(s->folder, GW_STORE_UNFINISHED, s->parent, s->beside) != 0)
        return false;
    take_rights(s);
    (void)syncfs(s->parent);
    if (renameat2(s->parent, s->beside, s->parent, s->name, RENAME_EXCHANGE) == 0) {
        (void)fsync(s->parent);
        return true;
    }
    (void)renameat(s->parent, s->beside, s->folder, GW_STORE_UNFINISHED);
    return false;
}

static bool swap_at_once(int folder, const char *dir)
{
    swap s = {.folder = folder, .parent = -1};
    bool ok = find_places(&s, dir) && clear_beside(&s) && exchange(&s);
    if (ok)
        (void)clear_beside(&s);
    if (s.parent >= 0)
        (void)close(s.parent);
    return ok;
}

/* Why |dir| cannot change places with another one; NULL when it can, as far as is known before. */
static const char *obstacle(int folder, const char *dir)
{
    const char *why = NULL;
    swap s = {.folder = folder, .parent = -1};
    if (is_current(folder))
        why = "it is the current folder";
    else if (!find_places(&s, dir))
        why = "the folder that it lies in cannot be used";
    else if (is_mount(&s))
        why = "it is a mount point";
    else if (faccessat(s.parent, ".", W_OK | X_OK, AT_EACCESS) != 0)
        why = "the folder that it lies in cannot be written";
    if (s.parent >= 0)
        (void)close(s.parent);
    return why;
}

bool gw_store_replaces(const char *dir, char *why, size_t why_cap)
{
    int folder = gw_folder_open(dir, why, why_cap);
    if (folder < 0)
        return false;
    const char *what = obstacle(folder, dir);
    if (what != NULL)
        (void)snprintf(
            why, why_cap,
            "%s holds a run with a certificate, which cannot be replaced in one step, for "
            "%s: give a folder inside it, or take that run away first",
            dir, what);
    (void)close(folder);
    return what == NULL;
}

/* ---- file by file, where that cannot be, and nothing certified is lost by it ---- */

static bool move(int folder, const char *name, char *why, size_t why_cap)
{
    char from[64];
    (void)snprintf(from, sizeof(from), GW_STORE_UNFINISHED "/%s", name);
    if (renameat(folder, from, folder, name) == 0 || errno == ENOENT)
        return true;
    (void)snprintf(why, why_cap, "cannot move %s into its place: %s", from, strerror(errno));
    return false;
}

/* The certificate goes first and comes last: it never vouches for a mixture. */
static bool move_all(int folder, char *why, size_t why_cap)
{
    bool ok = true;
    for (size_t i = 0; ok && i < gw_num_own_folders; i++)
        ok = move(folder, gw_own_folders[i], why, why_cap);
    for (size_t i = 0; ok && i < gw_num_own_files; i++)
        ok = move(folder, gw_own_files[i], why, why_cap);
    if (ok)
        (void)unlinkat(folder, GW_STORE_UNFINISHED, AT_REMOVEDIR);
    return ok;
}

static bool swap_by_file(int folder, const char *dir, char *why, size_t why_cap)
{
    (void)syncfs(folder);
    if (unlinkat(folder, GW_STORE_CERTIFICATE, 0) != 0 && errno != ENOENT) {
        (void)snprintf(why, why_cap, "%s/" GW_STORE_CERTIFICATE " stays: %s", dir, strerror(errno));
        return false;
    }
    bool ok = gw_sweep(dir, GW_SWEEP_WHOLE, why, why_cap) && move_all(folder, why, why_cap);
    (void)syncfs(folder);
    return ok;
}

bool gw_store_finish(const char *dir, char *why, size_t why_cap)
{
    int folder = gw_folder_open(dir, why, why_cap);
    if (folder < 0)
        return false;
    /* Nothing of an earlier run may be lost with what is not of a run. */
    bool ok = gw_sweep(dir, GW_SWEEP_NOTHING, why, why_cap) &&
              (swap_at_once(folder, dir) || swap_by_file(folder, dir, why, why_cap));
    (void)close(folder);
    return ok;
}
