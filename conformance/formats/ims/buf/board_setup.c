/* SPDX-License-Identifier: BSD-2-Clause */
/* How a software IMS buffer is built: the usual setup, and setups from YAML files. */
#include <stdio.h>
#include <stdlib.h>

#include "formats/ims/buf/board.h"
#include "harness/yaml.h"

const gw_ims_buf_setup gw_ims_buf_usual = {
    .status_qpn = GW_IMS_BUF_QPN,
    .status_qkey = GW_IMS_BUF_QKEY,
    .va = GW_IMS_BUF_VA,
    .ring = GW_IMS_BUF_RING,
    .frame = GW_IMS_BUF_FRAME,
    .channels = GW_IMS_BUF_CHANNELS,
    .expose = true,
};

static bool read_u32(gw_yaml *yaml, const gw_yaml_node *node, uint64_t max, uint32_t *out)
{
    uint64_t value = *out;
    if (!gw_yaml_u64(yaml, node, max, &value))
        return false;
    *out = (uint32_t)value;
    return true;
}

/* Sizes that do not fit each other would make a buffer that takes nothing. */
static bool check_sizes(gw_yaml *yaml, const gw_yaml_node *root, const gw_ims_buf_setup *s)
{
    if (s->va % GW_IMS_ALIGN != 0 || s->ring % GW_IMS_ALIGN != 0 || s->frame % GW_IMS_ALIGN != 0)
        return gw_yaml_fail(yaml, root, "va, ring and frame have to be multiples of 64");
    if (s->frame == 0 || s->ring / 2 < s->frame)
        return gw_yaml_fail(yaml, root, "the ring has to hold two frames at least");
    if (s->channels == 0)
        return gw_yaml_fail(yaml, root, "one channel at least");
    if (s->ring > GW_IMS_BUF_MEMORY_MAX / s->channels)
        return gw_yaml_fail(yaml, root, "the rings of all channels have to fit 0x%x bytes",
                            (unsigned)GW_IMS_BUF_MEMORY_MAX);
    if (s->status_qpn < 2 || (s->status_qpn >= GW_IMS_BUF_DATA_QPN &&
                              s->status_qpn < GW_IMS_BUF_DATA_QPN + GW_IMS_BUF_MAX_CHANNELS))
        return gw_yaml_fail(yaml, root, "queue pair 0x%x is taken", (unsigned)s->status_qpn);
    if (s->image_bits != 0 && s->ring - s->frame < GW_IMS_IMAGE_6BIT)
        return gw_yaml_fail(yaml, root, "the ring has to hold a frame and an image");
    return true;
}

static bool read_setup(gw_yaml *yaml, gw_ims_buf_setup *s)
{
    static const char *const keys[] = {"status_qpn", "status_qkey", "va",     "ring",
                                       "frame",      "channels",    "expose", "gap_at_first",
                                       "image_bits", NULL};
    static const char *const bits[] = {"0", "4", "6", NULL};
    static const uint8_t bits_of[] = {0, 4, 6};
    const gw_yaml_node *root = gw_yaml_root(yaml);
    const gw_yaml_node *images = gw_yaml_get(root, "image_bits");
    uint32_t channels = s->channels;
    unsigned choice = 0;

    if (!gw_yaml_keys(yaml, root, keys) ||
        !read_u32(yaml, gw_yaml_get(root, "status_qpn"), GW_IB_NUMBER_MASK, &s->status_qpn) ||
        !read_u32(yaml, gw_yaml_get(root, "status_qkey"), UINT32_MAX, &s->status_qkey) ||
        !gw_yaml_u64(yaml, gw_yaml_get(root, "va"), UINT64_MAX / 2, &s->va) ||
        !gw_yaml_u64(yaml, gw_yaml_get(root, "ring"), GW_IMS_BUF_MEMORY_MAX, &s->ring) ||
        !read_u32(yaml, gw_yaml_get(root, "frame"), UINT32_MAX, &s->frame) ||
        !read_u32(yaml, gw_yaml_get(root, "channels"), GW_IMS_BUF_MAX_CHANNELS, &channels) ||
        !gw_yaml_bool(yaml, gw_yaml_get(root, "expose"), &s->expose) ||
        !gw_yaml_bool(yaml, gw_yaml_get(root, "gap_at_first"), &s->gap_at_first) ||
        (images != NULL && !gw_yaml_choice(yaml, images, bits, &choice)))
        return false;
    s->channels = (uint8_t)channels;
    s->image_bits = bits_of[choice];
    return check_sizes(yaml, root, s);
}

void *gw_ims_buf_open_setup(const char *path, char *why, size_t why_cap)
{
    gw_yaml *yaml = gw_yaml_open(path, why, why_cap);
    gw_ims_buf_setup *s = calloc(1, sizeof(*s));

    if (yaml != NULL && s == NULL)
        (void)snprintf(why, why_cap, "out of memory");
    if (yaml == NULL || s == NULL) {
        gw_yaml_close(yaml);
        free(s);
        return NULL;
    }
    *s = gw_ims_buf_usual;
    if (read_setup(yaml, s) && gw_yaml_error(yaml) == NULL) {
        gw_yaml_close(yaml);
        return s;
    }
    (void)snprintf(why, why_cap, "%s", gw_yaml_error(yaml));
    gw_yaml_close(yaml);
    free(s);
    return NULL;
}

void gw_ims_buf_close_setup(void *setup)
{
    free(setup);
}
