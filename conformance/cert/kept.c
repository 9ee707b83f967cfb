/* SPDX-License-Identifier: BSD-2-Clause */
/* Keeping the traces of a run. */
#include "cert/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/store.h"

#define PIECE 65536

/* Opens the ordinary file |path|; whatever else bears the name is not waited for. */
static int open_trace(const char *path, char *why, size_t why_cap)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        (void)snprintf(why, why_cap, "%s: %s", path, strerror(errno));
        return -1;
    }
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
        return fd;
    (void)snprintf(why, why_cap, "%s: only an ordinary file can be kept as evidence", path);
    (void)close(fd);
    return -1;
}

bool gw_kept_digest(char out[GW_DIGEST_TEXT], const char *path, char *why, size_t why_cap)
{
    char reason[160];
    uint64_t size;
    int fd = open_trace(path, why, why_cap);
    if (fd < 0)
        return false;
    bool ok = gw_digest_fd(out, &size, fd, GW_KEPT_MAX_BYTES, reason, sizeof(reason));
    (void)close(fd);
    if (!ok)
        (void)snprintf(why, why_cap,
                       "%s %s; a trace is kept with the evidence: cut it with editcap -r", path,
                       reason);
    return ok;
}

static bool copy(int fd, FILE *to, const char *path, char *why, size_t why_cap)
{
    uint8_t piece[PIECE];
    for (uint64_t size = 0; size <= GW_KEPT_MAX_BYTES;) {
        ssize_t got = read(fd, piece, sizeof(piece));
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0)
            return true;
        if (got < 0 || fwrite(piece, 1, (size_t)got, to) != (size_t)got) {
            (void)snprintf(why, why_cap, "%s: cannot be copied: %s", path, strerror(errno));
            return false;
        }
        size += (uint64_t)got;
    }
    (void)snprintf(why, why_cap, "%s: has grown since it was read", path);
    return false;
}

/* The name says what the file is; endings that gw_store_prepare does not know would stay behind. */
static const char *ending_of(const char *path)
{
    static const char *const known[] = {".pcapng", ".pcap", ".erf", ".cap"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot != NULL && i < GW_ARRAY_LEN(known); i++)
        if (strcmp(dot, known[i]) == 0)
            return known[i];
    return ".trace";
}

static bool seal(gw_kept_trace *out, const char *dir, const char *path, const char *digest,
                 char *why, size_t why_cap)
{
    char whole[1024];
    char reason[160];
    (void)snprintf(whole, sizeof(whole), "%s/%s", dir, out->path);
    if (!gw_digest_path(out->sha256, &out->size, whole, GW_KEPT_MAX_BYTES, reason,
                        sizeof(reason))) {
        (void)snprintf(why, why_cap, "%s %s", whole, reason);
        return false;
    }
    if (strcmp(out->sha256, digest) == 0)
        return true;
    (void)snprintf(why, why_cap, "%s: has changed since it was read", path);
    return false;
}

bool gw_kept_copy(gw_kept_trace *out, const char *dir, const gw_case *one, const char *path,
                  const char *digest, char *why, size_t why_cap)
{
    const char *name = strchr(one->id, '/');
    *out = (gw_kept_trace){.one = one};
    (void)snprintf(out->path, sizeof(out->path), "traces/%s%s", name != NULL ? name + 1 : one->id,
                   ending_of(path));
    int fd = open_trace(path, why, why_cap);
    if (fd < 0)
        return false;
    FILE *to = gw_store_open(dir, out->path, why, why_cap);
    bool ok = to != NULL && copy(fd, to, path, why, why_cap);
    ok = to != NULL && gw_store_close(to, out->path, why, why_cap) && ok;
    (void)close(fd);
    return ok && seal(out, dir, path, digest, why, why_cap);
}

json_t *gw_kept_json(const gw_report *report)
{
    json_t *list = json_array();
    for (size_t i = 0; i < report->num_traces; i++) {
        const gw_kept_trace *t = &report->traces[i];
        json_array_append_new(list,
                              json_pack("{s:s,s:s,s:s,s:I}", "case", t->one->id, "path", t->path,
                                        "sha256", t->sha256, "size", (json_int_t)t->size));
    }
    return list;
}
