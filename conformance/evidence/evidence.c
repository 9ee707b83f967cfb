/* SPDX-License-Identifier: BSD-2-Clause */
/* Collects the packets of a case. Memory grows by doubling, so a case costs no allocation a packet.
 */
#include "evidence/evidence.h"

#include <stdlib.h>
#include <string.h>

/* Makes room for |more| elements of |size| bytes after the |num| that |*array| holds. */
static bool reserve(void **array, size_t *cap, size_t num, size_t more, size_t size)
{
    if (num + more <= *cap)
        return true;
    size_t want = *cap == 0 ? 64 : *cap * 2;
    if (want < num + more)
        want = num + more;
    void *grown = realloc(*array, want * size);
    if (grown == NULL)
        return false;
    *array = grown;
    *cap = want;
    return true;
}

void gw_evidence_clear(gw_evidence *evidence)
{
    evidence->num_packets = 0;
    evidence->num_bytes = 0;
    evidence->num_comments = 0;
    evidence->num_text = 0;
    evidence->overflow = false;
}

void gw_evidence_move(gw_evidence *to, gw_evidence *from)
{
    gw_evidence_free(to);
    *to = *from;
    *from = (gw_evidence){.spent = to->spent, .board = to->board};
}

void gw_evidence_free(gw_evidence *evidence)
{
    free(evidence->packets);
    free(evidence->bytes);
    free(evidence->comments);
    free(evidence->text);
    memset(evidence, 0, sizeof(*evidence));
}

void gw_evidence_spend(gw_evidence *evidence)
{
    evidence->spent += evidence->num_bytes + evidence->num_packets * GW_EVIDENCE_PACKET_BYTES;
}

/* What this case may keep. */
static size_t most_bytes(const gw_evidence *evidence)
{
    size_t left =
        evidence->spent < GW_EVIDENCE_RUN_BYTES ? GW_EVIDENCE_RUN_BYTES - evidence->spent : 0;
    if (left < GW_EVIDENCE_LEAST_BYTES)
        return GW_EVIDENCE_LEAST_BYTES;
    return left < GW_EVIDENCE_MAX_BYTES ? left : GW_EVIDENCE_MAX_BYTES;
}

/* Makes room for a packet with |len| bytes; NULL when there is none. */
static gw_evidence_packet *take_packet(gw_evidence *evidence, const gw_evidence_packet *packet,
                                       size_t len)
{
    size_t most = most_bytes(evidence);
    size_t used = evidence->num_bytes + evidence->num_packets * GW_EVIDENCE_PACKET_BYTES;
    bool fits =
        evidence->num_packets < GW_EVIDENCE_MAX_PACKETS && used <= most && len <= most - used;
    if (!fits ||
        !reserve((void **)&evidence->packets, &evidence->cap_packets, evidence->num_packets, 1,
                 sizeof(*evidence->packets)) ||
        !reserve((void **)&evidence->bytes, &evidence->cap_bytes, evidence->num_bytes, len, 1)) {
        evidence->overflow = true;
        return NULL;
    }
    gw_evidence_packet *kept = &evidence->packets[evidence->num_packets++];
    *kept = *packet;
    return kept;
}

static size_t keep_bytes(gw_evidence *evidence, const uint8_t *data, size_t len)
{
    size_t at = evidence->num_bytes;
    if (len > 0)
        memcpy(evidence->bytes + at, data, len);
    evidence->num_bytes += len;
    return at;
}

unsigned gw_evidence_add(gw_evidence *evidence, const gw_evidence_packet *packet,
                         const uint8_t *data)
{
    gw_evidence_packet *kept = take_packet(evidence, packet, packet->len);
    if (kept != NULL)
        kept->data = keep_bytes(evidence, data, packet->len);
    return (unsigned)evidence->num_packets;
}

unsigned gw_evidence_add_frame(gw_evidence *evidence, const gw_evidence_packet *packet,
                               const uint8_t *data, const uint8_t *frame, size_t len)
{
    bool inside = data >= frame && data + packet->len <= frame + len;
    size_t apart = inside ? 0 : packet->len;
    gw_evidence_packet *kept = take_packet(evidence, packet, len + apart);
    if (kept == NULL)
        return (unsigned)evidence->num_packets;
    kept->frame = keep_bytes(evidence, frame, len);
    kept->frame_len = (uint32_t)len;
    kept->data = inside ? kept->frame + (size_t)(data - frame) : keep_bytes(evidence, data, apart);
    return (unsigned)evidence->num_packets;
}

void gw_evidence_comment_on(gw_evidence *evidence, unsigned number, const char *text)
{
    size_t len = strlen(text) + 1;
    if (number == 0 || number > evidence->num_packets)
        return;
    if (len > GW_EVIDENCE_MAX_BYTES - evidence->num_text ||
        !reserve((void **)&evidence->comments, &evidence->cap_comments, evidence->num_comments, 1,
                 sizeof(*evidence->comments)) ||
        !reserve((void **)&evidence->text, &evidence->cap_text, evidence->num_text, len, 1)) {
        evidence->overflow = true;
        return;
    }
    gw_evidence_comment *comment = &evidence->comments[evidence->num_comments++];
    comment->number = number;
    comment->text = evidence->num_text;
    memcpy(evidence->text + evidence->num_text, text, len);
    evidence->num_text += len;
}

const gw_evidence_packet *gw_evidence_get(const gw_evidence *evidence, unsigned number)
{
    if (number == 0 || number > evidence->num_packets)
        return NULL;
    return &evidence->packets[number - 1];
}
