/* SPDX-License-Identifier: BSD-2-Clause */
/* A list of packets over one run of bytes. */
#include "campaign/shots.h"

#include <stdlib.h>
#include <string.h>

static bool grow(void **memory, size_t *cap, size_t wanted, size_t size)
{
    if (wanted <= *cap)
        return true;
    size_t more = *cap < 64 ? 64 : *cap;
    while (more < wanted)
        more *= 2;
    void *larger = realloc(*memory, more * size);
    if (larger == NULL)
        return false;
    *memory = larger;
    *cap = more;
    return true;
}

static size_t put(gw_shots *shots, const uint8_t *data, uint32_t len)
{
    size_t at = shots->num_bytes;
    if (data != NULL && len > 0)
        memcpy(shots->bytes + at, data, len);
    shots->num_bytes += len;
    return at;
}

bool gw_shots_add(gw_shots *shots, const gw_shot *like, const uint8_t *data, uint32_t len,
                  const uint8_t *was, uint32_t was_len)
{
    size_t more = (size_t)len + (was != NULL ? was_len : 0);
    if (len > GW_SHOT_MAX || was_len > GW_SHOT_MAX || shots->num_bytes + more > GW_SHOTS_BYTES ||
        !grow((void **)&shots->list, &shots->cap, shots->num + 1, sizeof(*shots->list)) ||
        !grow((void **)&shots->bytes, &shots->cap_bytes, shots->num_bytes + more, 1))
        return false;
    gw_shot *shot = &shots->list[shots->num++];
    *shot = (gw_shot){.link = like->link,
                      .line = like->line,
                      .anew = like->anew,
                      .joined = like->joined,
                      .part = like->part,
                      .part_arg = like->part_arg,
                      .answer = like->answer,
                      .fate = like->fate,
                      .mutated = was != NULL,
                      .len = len};
    shot->at = shot->was_at = put(shots, data, len);
    shot->was_len = len;
    if (was == NULL)
        return true;
    shot->was_at = put(shots, was, was_len);
    shot->was_len = was_len;
    return true;
}

bool gw_shots_take(gw_shots *shots, const gw_shots *other, size_t first, size_t num)
{
    for (size_t i = first; i < first + num; i++) {
        const gw_shot *shot = &other->list[i];
        if (!gw_shots_add(shots, shot, gw_shots_data(other, shot), shot->len,
                          shot->mutated ? gw_shots_was(other, shot) : NULL, shot->was_len))
            return false;
    }
    return true;
}

size_t gw_shots_packets(const gw_shots *shots)
{
    size_t num = 0;
    for (size_t i = 0; i < shots->num; i++)
        num += i == 0 || !shots->list[i].joined;
    return num;
}

const uint8_t *gw_shots_data(const gw_shots *shots, const gw_shot *shot)
{
    return shots->bytes + shot->at;
}

const uint8_t *gw_shots_was(const gw_shots *shots, const gw_shot *shot)
{
    return shots->bytes + shot->was_at;
}

gw_message gw_shots_message(const gw_shot *shot, const uint8_t *data, uint32_t len)
{
    gw_message m = gw_message_of(data, len);
    m.part = shot->part;
    m.part_arg = shot->part_arg;
    m.dir = GW_DIR_OUT;
    m.side = shot->answer ? GW_SIDE_CALLED : GW_SIDE_UNKNOWN;
    return m;
}

static const char *const fates[GW_NUM_FATES] = {
    [GW_FATE_SENT] = "sent",           [GW_FATE_LOST] = "lost", [GW_FATE_TWICE] = "twice",
    [GW_FATE_EXCHANGED] = "exchanged", [GW_FATE_LATE] = "late",
};

const char *gw_fate_name(unsigned fate)
{
    return fate < GW_NUM_FATES ? fates[fate] : "";
}

gw_fate gw_fate_by_name(const char *name)
{
    unsigned fate = 0;
    while (fate < GW_NUM_FATES && strcmp(fates[fate], name) != 0)
        fate++;
    return (gw_fate)fate;
}

void gw_shots_keep_last(gw_shots *shots, size_t num)
{
    if (shots->num <= num)
        return;
    size_t gone = shots->num - num;
    size_t from = num > 0 ? shots->list[gone].at : shots->num_bytes;
    memmove(shots->list, shots->list + gone, num * sizeof(*shots->list));
    memmove(shots->bytes, shots->bytes + from, shots->num_bytes - from);
    for (size_t i = 0; i < num; i++) {
        shots->list[i].at -= from;
        shots->list[i].was_at -= from;
    }
    shots->num = num;
    shots->num_bytes -= from;
}

void gw_shots_clear(gw_shots *shots)
{
    shots->num = 0;
    shots->num_bytes = 0;
}

void gw_shots_free(gw_shots *shots)
{
    free(shots->list);
    free(shots->bytes);
    memset(shots, 0, sizeof(*shots));
}
