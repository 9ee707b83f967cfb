/* SPDX-License-Identifier: BSD-2-Clause */
/* What a software IMS Worker is told: by default, or in a YAML file. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/ims/buf/board.h"
#include "formats/ims/worker/board.h"
#include "harness/yaml.h"

enum {
    FRAMES = 12,      /* by default */
    TIMEOUT_MS = 500, /* and not the 20 s of a real one: who tries it out shall not have to wait */
    WAIT_MS = 100,
    STATUS_MS = 250,
};

#define MS INT64_C(1000000)
#define LONGEST_MS UINT64_C(86400000)

const gw_ims_worker_setup gw_ims_worker_default = {
    .lid = 0x11,
    .qpn = 0x412,
    .qkey = 0x11111111,
    .qpnd = 0x413,
    .buffer_qpn = GW_IMS_BUF_QPN,
    .buffer_qkey = GW_IMS_BUF_QKEY,
    .buffer_qpnd = GW_IMS_BUF_DATA_QPN,
    .content = GW_IMS_IMAGES_4BIT,
    .file = -1,
    .size = FRAMES * (uint64_t)GW_IMS_IMAGE_4BIT,
    .frame = GW_IMS_IMAGE_4BIT,
    .packet = GW_IMS_PACKET_MAX,
    .outstanding = 2,
    .burst = 16,
    .gap_ns = 100000,
    .response_ns = TIMEOUT_MS * MS,
    .wait_ns = WAIT_MS * MS,
    .status_ns = STATUS_MS * MS,
    .tries = GW_IMS_TRIES,
    .status_tries = GW_IMS_TRIES,
};

static bool read_number(gw_yaml *yaml, const gw_yaml_node *root, const char *key, uint64_t min,
                        uint64_t max, uint32_t *out)
{
    const gw_yaml_node *node = gw_yaml_get(root, key);
    uint64_t value = *out;
    if (!gw_yaml_u64(yaml, node, max, &value))
        return false;
    if (node != NULL && value < min)
        return gw_yaml_fail(yaml, node, "at least %" PRIu64 " is expected", min);
    *out = (uint32_t)value;
    return true;
}

static bool read_time(gw_yaml *yaml, const gw_yaml_node *root, const char *key, int64_t unit,
                      int64_t *out)
{
    uint64_t value = (uint64_t)(*out / unit);
    const gw_yaml_node *node = gw_yaml_get(root, key);
    if (!gw_yaml_u64(yaml, node, LONGEST_MS, &value))
        return false;
    if (node != NULL)
        *out = (int64_t)value * unit;
    return true;
}

/* A size that consists of units of 64 bytes. */
static bool read_size(gw_yaml *yaml, const gw_yaml_node *root, const char *key, uint64_t max,
                      uint64_t *out)
{
    const gw_yaml_node *node = gw_yaml_get(root, key);
    if (!gw_yaml_u64(yaml, node, max, out))
        return false;
    if (*out == 0 || *out % GW_IMS_ALIGN != 0)
        return gw_yaml_fail(yaml, node != NULL ? node : root,
                            "%s: a multiple of 64 bytes is expected", key);
    return true;
}

static bool read_lid(gw_yaml *yaml, const gw_yaml_node *root, uint16_t *out)
{
    uint32_t lid = *out;
    if (!read_number(yaml, root, "lid", 0, UINT16_MAX, &lid))
        return false;
    *out = (uint16_t)lid;
    return true;
}

static bool read_ends(gw_yaml *yaml, const gw_yaml_node *root, gw_ims_worker_setup *s)
{
    static const char *const keys[] = {"qpn", "qkey", "qpnd", NULL};
    const gw_yaml_node *buffer = gw_yaml_get(root, "buffer");
    bool ok = read_lid(yaml, root, &s->lid) &&
              read_number(yaml, root, "qpn", 2, GW_IB_NUMBER_MASK, &s->qpn) &&
              read_number(yaml, root, "qkey", 0, UINT32_MAX, &s->qkey) &&
              read_number(yaml, root, "qpnd", 2, GW_IB_NUMBER_MASK, &s->qpnd) &&
              read_number(yaml, root, "psn", 0, GW_IB_NUMBER_MASK, &s->psn);
    if (!ok || buffer == NULL)
        return ok;
    return gw_yaml_keys(yaml, buffer, keys) &&
           read_number(yaml, buffer, "qpn", 2, GW_IB_NUMBER_MASK, &s->buffer_qpn) &&
           read_number(yaml, buffer, "qkey", 0, UINT32_MAX, &s->buffer_qkey) &&
           read_number(yaml, buffer, "qpnd", 2, GW_IB_NUMBER_MASK, &s->buffer_qpnd);
}

static size_t read_file(const gw_ims_worker_setup *setup, uint64_t offset, uint8_t *out, size_t len)
{
    size_t got = 0;
    while (got < len) {
        ssize_t n = pread(setup->file, out + got, len - got, (off_t)(offset + got));
        if (n <= 0)
            break;
        got += (size_t)n;
    }
    return got;
}

static bool open_file(gw_yaml *yaml, const gw_yaml_node *node, gw_ims_worker_setup *s)
{
    const char *path = NULL;
    struct stat about;
    if (!gw_yaml_string(yaml, node, &path))
        return false;
    s->file = open(path, O_RDONLY | O_CLOEXEC);
    if (s->file < 0 || fstat(s->file, &about) != 0)
        return gw_yaml_fail(yaml, node, "%s: %s", path, strerror(errno));
    if (!S_ISREG(about.st_mode) || about.st_size == 0)
        return gw_yaml_fail(yaml, node, "%s: a file with something in it is expected", path);
    s->read = read_file;
    s->size = ((uint64_t)about.st_size + GW_IMS_ALIGN - 1) / GW_IMS_ALIGN * GW_IMS_ALIGN;
    return true;
}

static bool read_content(gw_yaml *yaml, const gw_yaml_node *root, gw_ims_worker_setup *s)
{
    static const char *const names[] = {"pattern", "images-4bit", "images-6bit", "file", NULL};
    const gw_yaml_node *file = gw_yaml_get(root, "file");
    unsigned content = file != NULL ? GW_IMS_FILE : s->content;
    if (!gw_yaml_choice(yaml, gw_yaml_get(root, "content"), names, &content))
        return false;
    s->content = (uint8_t)content;
    if ((content == GW_IMS_FILE) != (file != NULL))
        return gw_yaml_fail(yaml, root, "`content: file' and `file: PATH' belong together");
    if (file != NULL && gw_yaml_get(root, "size") != NULL)
        return gw_yaml_fail(yaml, root, "a file has its own size: leave `size' out");
    return file != NULL ? open_file(yaml, file, s)
                        : read_size(yaml, root, "size", INT64_MAX, &s->size);
}

static bool read_shape(gw_yaml *yaml, const gw_yaml_node *root, gw_ims_worker_setup *s)
{
    uint64_t frame = s->frame;
    uint64_t packet = s->packet;
    if (!read_size(yaml, root, "frame", UINT32_C(1) << 31, &frame) ||
        !read_size(yaml, root, "packet", GW_IMS_PACKET_MAX, &packet))
        return false;
    s->frame = (uint32_t)frame;
    s->packet = (uint32_t)packet;
    return read_number(yaml, root, "outstanding", 1, GW_IMS_WORKER_OUTSTANDING, &s->outstanding) &&
           read_number(yaml, root, "burst", 1, GW_IMS_WORKER_BURST, &s->burst) &&
           read_time(yaml, root, "gap_us", MS / 1000, &s->gap_ns);
}

static bool read_patience(gw_yaml *yaml, const gw_yaml_node *root, gw_ims_worker_setup *s)
{
    return read_time(yaml, root, "response_timeout_ms", MS, &s->response_ns) &&
           read_time(yaml, root, "wait_ms", MS, &s->wait_ns) &&
           read_time(yaml, root, "status_timeout_ms", MS, &s->status_ns) &&
           read_number(yaml, root, "tries", 1, UINT32_MAX, &s->tries) &&
           read_number(yaml, root, "status_tries", 1, UINT32_MAX, &s->status_tries);
}

static bool read_setup(gw_yaml *yaml, gw_ims_worker_setup *s)
{
    static const char *const keys[] = {"lid",
                                       "qpn",
                                       "qkey",
                                       "qpnd",
                                       "psn",
                                       "buffer",
                                       "content",
                                       "file",
                                       "size",
                                       "frame",
                                       "packet",
                                       "outstanding",
                                       "burst",
                                       "gap_us",
                                       "response_timeout_ms",
                                       "wait_ms",
                                       "status_timeout_ms",
                                       "tries",
                                       "status_tries",
                                       NULL};
    const gw_yaml_node *root = gw_yaml_root(yaml);
    return gw_yaml_keys(yaml, root, keys) && read_ends(yaml, root, s) &&
           read_content(yaml, root, s) && read_shape(yaml, root, s) && read_patience(yaml, root, s);
}

gw_ims_worker_setup *gw_ims_worker_setup_open(const char *path, char *why, size_t why_cap)
{
    gw_yaml *yaml = gw_yaml_open(path, why, why_cap);
    if (yaml == NULL)
        return NULL;
    gw_ims_worker_setup *s = malloc(sizeof(*s));
    if (s == NULL) {
        (void)snprintf(why, why_cap, "%s: out of memory", path);
    } else {
        *s = gw_ims_worker_default;
        if (!read_setup(yaml, s)) {
            (void)snprintf(why, why_cap, "%s", gw_yaml_error(yaml));
            gw_ims_worker_setup_close(s);
            s = NULL;
        }
    }
    gw_yaml_close(yaml);
    return s;
}

void gw_ims_worker_setup_close(gw_ims_worker_setup *setup)
{
    if (setup == NULL)
        return;
    if (setup->file >= 0)
        close(setup->file);
    free(setup);
}
