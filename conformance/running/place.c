/* SPDX-License-Identifier: BSD-2-Clause */
/* A lock tells a run that goes on from what a killed one left: it goes with the process, and not to
 * those that the process started. */
#include "running/place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDERS 3
#define NAME_BEGIN "goldwire-"
#define NAME_FORM NAME_BEGIN "%ld"
#define TOLD_MAX 1024 /* bytes of a NAME.run */

static const char entry_end[] = ".run";

/* Whether |path| is a folder of this user's. */
static bool is_ours(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid();
}

/* The folder that is looked at as |number|th; false when there is none such. Whoever became another
 * user keeps variables that name what is not theirs. */
static bool folder_at(unsigned number, char *out, size_t cap)
{
    const char *told = getenv("XDG_RUNTIME_DIR");
    char usual[64];
    int len = -1;
    (void)snprintf(usual, sizeof(usual), "/run/user/%ld", (long)geteuid());
    if (number == 0 && told != NULL && told[0] == '/' && is_ours(told))
        len = snprintf(out, cap, "%s/goldwire", told);
    else if (number == 1 && is_ours(usual))
        len = snprintf(out, cap, "%s/goldwire", usual);
    else if (number == 2)
        len = snprintf(out, cap, "/tmp/goldwire-%ld", (long)geteuid());
    return len > 0 && (size_t)len < cap;
}

/* A descriptor of the folder, which has to be this user's alone; -1 with errno. */
static int open_folder(const char *path)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -1;
    if (fstat(fd, &status) == 0 && status.st_uid == geteuid() && (status.st_mode & 077) == 0)
        return fd;
    (void)close(fd);
    errno = EPERM;
    return -1;
}

static int path_of(char *out, size_t cap, const char *folder, const char *name, const char *end)
{
    int len = snprintf(out, cap, "%s/%s%s", folder, name, end);
    return len > 0 && (size_t)len < cap ? len : -1;
}

/* The folder that |entry| is in, and its NAME.run. */
static void paths_of(const gw_running_entry *entry, char *folder, char *file, size_t cap)
{
    const char *slash = strrchr(entry->address.sun_path, '/');
    int len = slash != NULL ? (int)(slash - entry->address.sun_path) : 0;
    (void)snprintf(folder, cap, "%.*s", len, entry->address.sun_path);
    (void)path_of(file, cap, folder, entry->name, entry_end);
}

static void set_address(gw_running_entry *entry, const char *path)
{
    entry->address = (struct sockaddr_un){.sun_family = AF_UNIX};
    memcpy(entry->address.sun_path, path, strlen(path) + 1); /* whose length was looked at */
}

static bool lock(int fd, short type)
{
    struct flock whole = {.l_type = type, .l_whence = SEEK_SET};
    return fcntl(fd, F_SETLK, &whole) == 0;
}

/* Whether another process holds the lock of the file |fd|. */
static bool is_locked(int fd)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
}

/* Another run may have this process's number, in another container with the same folder. This
 * process has none yet, whose lock would go with the descriptor. */
static bool is_taken(int folder, const char *name)
{
    char file[GW_RUNNING_NAME + sizeof(entry_end)];
    (void)snprintf(file, sizeof(file), "%s%s", name, entry_end);
    int fd = openat(folder, file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    bool taken = fd >= 0 && is_locked(fd);
    if (fd >= 0)
        (void)close(fd);
    return taken;
}

bool gw_running_choose(gw_running_entry *entry, char *why, size_t why_cap)
{
    char folder[512];
    char path[640];
    unsigned number = 0;
    while (number < FOLDERS && !folder_at(number, folder, sizeof(folder)))
        number++;
    entry->pid = (long)getpid();
    entry->version = GW_RUNNING_VERSION;
    (void)snprintf(entry->name, sizeof(entry->name), NAME_FORM, entry->pid);
    int len = path_of(path, sizeof(path), folder, entry->name, ".sock");
    if (number == FOLDERS || len < 0 || (size_t)len >= sizeof(entry->address.sun_path)) {
        (void)snprintf(why, why_cap, "%s: the path is too long for a socket", folder);
        return false;
    }
    if (mkdir(folder, 0700) != 0 && errno != EEXIST) {
        (void)snprintf(why, why_cap, "%s: %s", folder, strerror(errno));
        return false;
    }
    int fd = open_folder(folder);
    if (fd < 0) {
        (void)snprintf(why, why_cap, "%s: %s", folder,
                       errno == EPERM ? "is not this user's alone" : strerror(errno));
        return false;
    }
    bool taken = is_taken(fd, entry->name);
    (void)close(fd);
    if (taken)
        (void)snprintf(why, why_cap, "%s: another run is called %s", folder, entry->name);
    set_address(entry, path);
    return !taken;
}

/* ---- one entry ---- */

/* The entry gets its name when it is locked: before, it would look like what a killed run left. */
int gw_running_enter(gw_running_entry *entry, char *why, size_t why_cap)
{
    char folder[sizeof(entry->address.sun_path)];
    char path[sizeof(folder) + sizeof(entry->name)];
    char early[sizeof(path) + 1];
    paths_of(entry, folder, path, sizeof(path));
    (void)snprintf(early, sizeof(early), "%s~", path);
    (void)unlink(early);
    int fd = open(early, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool ok =
        fd >= 0 && lock(fd, F_WRLCK) &&
        dprintf(fd, "version %u\nverb %s\nrole %s\nboard %s\nstarted %" PRId64 "\n", entry->version,
                entry->verb, entry->role, entry->board, entry->started_ns) > 0 &&
        rename(early, path) == 0;
    if (ok)
        return fd;
    (void)snprintf(why, why_cap, "%s: %s", path, strerror(errno));
    if (fd >= 0) {
        (void)unlink(early);
        (void)close(fd);
    }
    return -1;
}

void gw_running_leave(const gw_running_entry *entry)
{
    char folder[sizeof(entry->address.sun_path)];
    char path[sizeof(folder) + sizeof(entry->name)];
    paths_of(entry, folder, path, sizeof(path));
    (void)unlink(path);
    (void)unlink(entry->address.sun_path);
    (void)rmdir(folder); /* the last one; another may be made again at any time */
}

/* What is shown to people and to other programs. */
static void copy_plain(char *out, size_t cap, const char *text, size_t len)
{
    size_t num = 0;
    for (size_t i = 0; i < len && num + 1 < cap; i++) {
        bool plain = text[i] > ' ' && text[i] < 0x7f && text[i] != '{' && text[i] != '}';
        out[num] = '_';
        if (plain)
            out[num] = text[i];
        num++;
    }
    out[num] = '\0';
}

static void read_line(gw_running_entry *out, const char *line, size_t len)
{
    const char *value = memchr(line, ' ', len);
    if (value == NULL)
        return;
    size_t key = (size_t)(value++ - line);
    size_t value_len = len - key - 1;
    if (key == 4 && memcmp(line, "verb", 4) == 0)
        copy_plain(out->verb, sizeof(out->verb), value, value_len);
    else if (key == 4 && memcmp(line, "role", 4) == 0)
        copy_plain(out->role, sizeof(out->role), value, value_len);
    else if (key == 5 && memcmp(line, "board", 5) == 0)
        copy_plain(out->board, sizeof(out->board), value, value_len);
    else if (key == 7 && memcmp(line, "version", 7) == 0)
        out->version = (unsigned)strtoul(value, NULL, 10);
    else if (key == 7 && memcmp(line, "started", 7) == 0)
        out->started_ns = strtoll(value, NULL, 10);
}

static void read_told(gw_running_entry *out, int fd)
{
    out->version = 0;
    char told[TOLD_MAX + 1];
    ssize_t len = pread(fd, told, TOLD_MAX, 0);
    const char *at = told;
    told[len > 0 ? len : 0] = '\0';
    while (*at != '\0') {
        size_t line = strcspn(at, "\n");
        read_line(out, at, line);
        at += line + (at[line] == '\n');
    }
}

/* What a run of this process looks like to itself cannot be told by its lock. */
static bool is_mine(const gw_running_entry *entry)
{
    return entry->pid == (long)getpid();
}

/* Reads the entry |file| of |folder|. False when there is none, or none any more. */
static bool look_at(gw_running_entry *out, const char *folder, int folder_fd, const char *file)
{
    char path[640];
    char name[GW_RUNNING_NAME];
    size_t len = strlen(file);
    size_t end = sizeof(entry_end) - 1;
    *out = (gw_running_entry){.pid = 0};
    if (len <= end || len - end >= sizeof(name) || strcmp(file + len - end, entry_end) != 0 ||
        strncmp(file, NAME_BEGIN, sizeof(NAME_BEGIN) - 1) != 0)
        return false;
    out->pid = strtol(file + sizeof(NAME_BEGIN) - 1, NULL, 10);
    (void)snprintf(name, sizeof(name), "%.*s", (int)(len - end), file);
    (void)snprintf(out->name, sizeof(out->name), NAME_FORM, out->pid);
    int path_len = path_of(path, sizeof(path), folder, name, ".sock");
    if (strcmp(out->name, name) != 0 || path_len < 0 ||
        (size_t)path_len >= sizeof(out->address.sun_path))
        return false;
    set_address(out, path);
    out->version = GW_RUNNING_VERSION;
    if (is_mine(out))
        return true; /* opening and closing it would undo the lock */
    int fd = openat(folder_fd, file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return false;
    read_told(out, fd);
    bool goes_on = is_locked(fd);
    (void)close(fd);
    if (!goes_on)
        gw_running_leave(out);
    return goes_on;
}

bool gw_running_goes_on(const gw_running_entry *entry)
{
    char folder[sizeof(entry->address.sun_path)];
    char path[sizeof(folder) + sizeof(entry->name)];
    if (is_mine(entry))
        return true;
    paths_of(entry, folder, path, sizeof(path));
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    bool goes_on = fd >= 0 && is_locked(fd);
    if (fd >= 0)
        (void)close(fd);
    return goes_on;
}

static size_t list_folder(gw_running_entry *out, size_t max, const char *folder)
{
    size_t num = 0;
    int fd = open_folder(folder);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (dir == NULL) {
        if (fd >= 0)
            (void)close(fd);
        return 0;
    }
    const struct dirent *one;
    while (num < max && (one = readdir(dir)) != NULL)
        num += look_at(&out[num], folder, fd, one->d_name);
    (void)closedir(dir);
    return num;
}

static int older(const void *one, const void *other)
{
    const gw_running_entry *a = one;
    const gw_running_entry *b = other;
    return (a->started_ns > b->started_ns) - (a->started_ns < b->started_ns);
}

size_t gw_running_list(gw_running_entry *out, size_t max)
{
    char folders[FOLDERS][512] = {""};
    size_t num = 0;
    for (unsigned i = 0; i < FOLDERS; i++) {
        if (!folder_at(i, folders[i], sizeof(folders[i])))
            continue;
        if (i == 1 && strcmp(folders[0], folders[1]) == 0)
            continue;
        num += list_folder(out + num, max - num, folders[i]);
    }
    qsort(out, num, sizeof(*out), older);
    return num;
}
