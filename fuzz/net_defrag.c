/* SPDX-License-Identifier: BSD-2-Clause */
/* IP reassembly beside a model that is too simple to be wrong. Input: fragments of four bytes each:
 * of which of two datagrams and with what flags (bit 4: it reaches past the longest datagram that
 * there is), offset, length, and what its bytes are.
 *
 * Oracles: kept, complete or refused exactly when the model says so; a whole datagram has the bytes
 * and the frames of its fragments; what is given up is told once. */
#include "fuzz.h"
#include "goldwire/net.h"

enum { DATAGRAMS = 2, BYTES_MAX = 2048 };

struct model {
    bool spoilt;
    uint32_t total; /* 0: not known */
    uint32_t end;
    uint8_t have[BYTES_MAX + 256];
    uint8_t bytes[BYTES_MAX + 256];
    uint32_t num_frames; /* that brought something */
    uint64_t frames[GW_MESSAGE_FRAMES];
};

struct watch {
    struct model models[DATAGRAMS];
    unsigned faults;
};

static void lost(void *ctx, uint64_t frame, const gw_net *net, const char *why)
{
    struct watch *w = ctx;
    (void)frame;
    gw_fuzz_check(net->fragment_id < DATAGRAMS && why[0] != '\0', "nobody's datagram is given up");
    w->faults++;
}

/* What becomes of |len| bytes at |offset|. */
static gw_defrag_result expected(struct model *m, uint32_t offset, const uint8_t *bytes,
                                 uint32_t len, bool more, uint64_t frame)
{
    const uint32_t end = offset + len;
    bool news = false;

    if (len == 0 || (more && len % 8 != 0) || end > UINT16_MAX || m->spoilt)
        return GW_DEFRAG_REFUSED;
    bool bad = (m->total != 0 && end > m->total) ||
               (!more && ((m->total != 0 && end != m->total) || end < m->end));
    for (uint32_t i = 0; i < len; i++)
        bad |= m->have[offset + i] && m->bytes[offset + i] != bytes[i];
    if (bad) {
        m->spoilt = true;
        return GW_DEFRAG_REFUSED;
    }
    for (uint32_t i = 0; i < len; i++) {
        news |= !m->have[offset + i];
        m->have[offset + i] = 1;
        m->bytes[offset + i] = bytes[i];
    }
    m->end = end > m->end ? end : m->end;
    m->total = more ? m->total : end;
    if (news && m->num_frames++ < GW_MESSAGE_FRAMES)
        m->frames[m->num_frames - 1] = frame;
    if (m->total == 0 || memchr(m->have, 0, m->total) != NULL)
        return GW_DEFRAG_PENDING;
    return GW_DEFRAG_COMPLETE;
}

static void fragment(struct watch *w, gw_defrag *d, const uint8_t *op, uint64_t frame)
{
    const uint8_t index = op[0] & 1;
    struct model *m = &w->models[index];
    uint8_t bytes[256];
    uint64_t frames[GW_MESSAGE_FRAMES];
    uint32_t num_frames;
    const bool far = (op[0] & 16) != 0;
    const uint32_t offset = far ? UINT16_MAX - 7u : op[1] * 8u;
    const uint32_t len = (op[0] & 2 ? op[2] : (op[2] & 0xf8u)) | (far ? 8u : 0);

    for (uint32_t i = 0; i < len; i++)
        bytes[i] = (uint8_t)((offset + i) * 31 + (offset + i) / 256) ^ (op[0] & 8 ? op[3] : 0);
    uint8_t *copy = gw_fuzz_lend(bytes, len);
    gw_net net = {.ip_version = 4, .protocol = 17, .fragment_id = index};
    net.payload = gw_cursor_over(copy, len);
    net.payload_len = len;
    net.fragment_offset = offset;
    net.more_fragments = (op[0] & 4) != 0;

    const unsigned faults = w->faults;
    const bool was_spoilt = m->spoilt;
    gw_defrag_result wanted = expected(m, offset, bytes, len, net.more_fragments, frame);
    gw_defrag_result result = gw_defrag_add(d, &net, frame, (int64_t)frame, frames, &num_frames);
    gw_fuzz_take_back(copy); /* nobody may keep a fragment's bytes */
    gw_fuzz_check(result == wanted, "a fragment's fate is not what the model says");
    gw_fuzz_check(w->faults - faults == (m->spoilt && !was_spoilt ? 1u : 0u),
                  "a datagram is not given up exactly once");
    if (result != GW_DEFRAG_COMPLETE)
        return;
    gw_fuzz_check(net.payload_len == m->total && gw_cursor_left(&net.payload) == m->total &&
                      memcmp(net.payload.p, m->bytes, m->total) == 0,
                  "a datagram differs from its fragments");
    gw_fuzz_read(true);
    gw_fuzz_check(num_frames == m->num_frames, "a datagram of another number of frames");
    for (uint32_t i = 0; i < num_frames && i < GW_MESSAGE_FRAMES; i++)
        gw_fuzz_check(frames[i] == m->frames[i], "a datagram of other frames");
    memset(m, 0, sizeof *m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void *mem;
    static struct watch w;
    gw_cursor c = gw_cursor_over(data, size);
    const uint8_t *op;
    uint64_t frame = 0;
    unsigned open = 0;

    memset(&w, 0, sizeof w);
    if (size > 4096)
        return 0;
    if (mem == NULL)
        mem = malloc(gw_defrag_size(DATAGRAMS));
    gw_defrag *d = gw_defrag_init(mem, DATAGRAMS, lost, &w);
    gw_fuzz_check(d != NULL, "no table");
    while (gw_cursor_bytes(&c, &op, 4))
        fragment(&w, d, op, ++frame);
    for (unsigned i = 0; i < DATAGRAMS; i++)
        open += !w.models[i].spoilt && w.models[i].num_frames > 0;
    w.faults = 0;
    gw_defrag_end(d);
    gw_fuzz_check(w.faults == open, "what is still open at the end is not told once each");
    return 0;
}
