/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading a folder that may be hostile. */
#include "evidence/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_DEPTH 8

int gw_folder_open(const char *path, char *why, size_t why_cap)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        (void)snprintf(why, why_cap, "cannot open the folder: %s", strerror(errno));
    return fd;
}

bool gw_folder_path_is_plain(const char *path)
{
    size_t len = strlen(path);
    if (len == 0 || len >= GW_FOLDER_PATH)
        return false;
    for (const char *p = path; *p != '\0'; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            return false;
    for (const char *part = path;; part++) {
        size_t part_len = strcspn(part, "/");
        if (part_len == 0 || (part_len <= 2 && strncmp(part, "..", part_len) == 0))
            return false;
        part += part_len;
        if (*part == '\0')
            return true;
    }
}

/* Opens the folder that holds the last part of |path|, and says where that part begins. */
static int open_parent(int folder, const char *path, const char **last)
{
    int at = fcntl(folder, F_DUPFD_CLOEXEC, 0);
    *last = path;
    for (const char *slash = strchr(path, '/'); slash != NULL && at >= 0;
         slash = strchr(*last, '/')) {
        char part[GW_FOLDER_PATH];
        size_t len = (size_t)(slash - *last);
        memcpy(part, *last, len);
        part[len] = '\0';
        int next = openat(at, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        int error = errno;
        (void)close(at);
        errno = error;
        at = next;
        *last = slash + 1;
    }
    return at;
}

static gw_folder_status refuse(char *why, size_t why_cap)
{
    int error = errno;
    if (error == ENOENT) {
        (void)snprintf(why, why_cap, "is missing");
        return GW_FOLDER_MISSING;
    }
    if (error == ELOOP || error == ENOTDIR) {
        (void)snprintf(why, why_cap, "is a link, or lies behind one, or behind a file");
        return GW_FOLDER_ODD;
    }
    (void)snprintf(why, why_cap, "cannot be opened: %s", strerror(error));
    return GW_FOLDER_FAILED;
}

gw_folder_status gw_folder_file(int *fd, uint64_t *size, int folder, const char *path, char *why,
                                size_t why_cap)
{
    struct stat st;
    const char *name;
    if (!gw_folder_path_is_plain(path)) {
        (void)snprintf(why, why_cap, "is no path inside the folder");
        return GW_FOLDER_ODD;
    }
    int parent = open_parent(folder, path, &name);
    if (parent < 0)
        return refuse(why, why_cap);
    /* Not to wait where nobody writes: a pipe in the place of a file. */
    *fd = openat(parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    gw_folder_status status = *fd < 0 ? refuse(why, why_cap) : GW_FOLDER_OK;
    (void)close(parent);
    if (status != GW_FOLDER_OK)
        return status;
    if (fstat(*fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size >= 0) {
        *size = (uint64_t)st.st_size;
        return GW_FOLDER_OK;
    }
    (void)close(*fd);
    (void)snprintf(why, why_cap, "is no ordinary file");
    return GW_FOLDER_ODD;
}

static bool read_all(char *out, size_t *len, size_t cap, int fd)
{
    for (*len = 0; *len < cap;) {
        ssize_t got = read(fd, out + *len, cap - *len);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got == 0;
        *len += (size_t)got;
    }
    return true;
}

gw_folder_status gw_folder_read(char **out, size_t *len, int folder, const char *path, size_t max,
                                char *why, size_t why_cap)
{
    int fd;
    uint64_t size;
    gw_folder_status status = gw_folder_file(&fd, &size, folder, path, why, why_cap);
    if (status != GW_FOLDER_OK)
        return status;
    if (size > max) {
        (void)close(fd);
        (void)snprintf(why, why_cap, "has more than %zu bytes", max);
        return GW_FOLDER_ODD;
    }
    *out = malloc((size_t)size + 1);
    bool ok = *out != NULL && read_all(*out, len, (size_t)size, fd);
    (void)close(fd);
    if (!ok) {
        free(*out);
        (void)snprintf(why, why_cap, "cannot be read");
        return GW_FOLDER_FAILED;
    }
    (*out)[*len] = '\0';
    return GW_FOLDER_OK;
}

/* ---- walking ---- */

typedef struct walk {
    gw_folder_visit_fn visit;
    void *arg;
    char path[GW_FOLDER_PATH];
    bool stopped; /* the visitor has seen enough */
    char *why;
    size_t why_cap;
} walk;

static bool walk_dir(walk *w, int fd, size_t len, unsigned depth);

static bool trouble(walk *w, const char *what)
{
    (void)snprintf(w->why, w->why_cap, "%s: %s", w->path[0] != '\0' ? w->path : ".", what);
    return false;
}

static bool walk_entry(walk *w, int dir, const char *name, size_t len, unsigned depth)
{
    struct stat st;
    int more = snprintf(w->path + len, sizeof(w->path) - len, "%s%s", len > 0 ? "/" : "", name);
    if (more < 0 || len + (size_t)more >= sizeof(w->path))
        return trouble(w, "the path is too long");
    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return trouble(w, strerror(errno));
    w->stopped = !w->visit(w->arg, w->path, S_ISDIR(st.st_mode), S_ISREG(st.st_mode));
    if (w->stopped || !S_ISDIR(st.st_mode))
        return true;
    if (depth + 1 == MAX_DEPTH)
        return trouble(w, "folders lie too deep in each other");
    int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return fd >= 0 ? walk_dir(w, fd, len + (size_t)more, depth + 1) : trouble(w, strerror(errno));
}

/* Takes over |fd|. */
static bool walk_dir(walk *w, int fd, size_t len, unsigned depth)
{
    DIR *dir = fdopendir(fd);
    bool ok = true;
    if (dir == NULL) {
        (void)close(fd);
        return trouble(w, strerror(errno));
    }
    for (const struct dirent *e = readdir(dir); e != NULL && ok && !w->stopped; e = readdir(dir))
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            ok = walk_entry(w, dirfd(dir), e->d_name, len, depth);
    (void)closedir(dir);
    return ok;
}

bool gw_folder_walk(int folder, gw_folder_visit_fn visit, void *arg, char *why, size_t why_cap)
{
    walk w = {.visit = visit, .arg = arg, .why = why, .why_cap = why_cap};
    int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return fd >= 0 ? walk_dir(&w, fd, 0, 0) : trouble(&w, strerror(errno));
}
