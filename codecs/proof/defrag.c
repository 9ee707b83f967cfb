/* SPDX-License-Identifier: BSD-2-Clause */
/* Putting IP datagrams together from any fragments, a few of them one after the other. What a
 * fragment carries ends where its object ends, and so does the memory of the last datagram. */
#include <string.h>

#include "goldwire/net.h"
#include "proof/proof.h"

enum {
    DATAGRAMS = 2, /* in flight */
    FRAGMENTS = 3,
};

static uint8_t room[PROOF_BYTES];
static uint64_t
    memory[DATAGRAMS * 9000]; /* enough, else there is an alarm; collectors end where it does */
static volatile uint64_t seen;

static void on_fault(void *ctx, uint64_t frame, const gw_net *net, const char *why)
{
    (void)ctx;
    seen = frame + net->fragment_id + (uint64_t)why[0];
}

/* Reads the first byte and the last. */
static void look(gw_cursor c)
{
    if (gw_cursor_left(&c) > 0)
        seen = c.p[0] + (uint64_t)c.end[-1];
}

/* A fragment of |len| bytes, of which the capture kept |cap|. */
static gw_net any_fragment(int len, int cap)
{
    gw_net net;

    Frama_C_make_unknown((char *)room, sizeof room);
    Frama_C_make_unknown((char *)&net, sizeof net);
    net.payload = gw_cursor_over(room + (PROOF_BYTES - cap), (size_t)cap);
    net.payload_len = (uint32_t)len;
    net.more_fragments = any_bool();
    return net;
}

static void add(gw_defrag *d)
{
    int len = Frama_C_interval(0, PROOF_BYTES);
    int cap = Frama_C_interval(0, PROOF_BYTES);
    uint64_t frames[GW_MESSAGE_FRAMES];
    uint32_t num;

    //@ slevel full;
    //@ split len;
    //@ split cap;
    if (cap > len)
        return;
    gw_net net = any_fragment(len, cap);

    if (gw_defrag_add(d, &net, any_u64(), (int64_t)any_u64(), frames, &num) == GW_DEFRAG_COMPLETE) {
        seen = frames[0] + num;
        look(net.payload);
    }
}

/* The memory is cleared: what a datagram was is forgotten with its state, and Eva would take the
 * one for the other. */
static void collect(size_t num)
{
    char *end = (char *)memory + sizeof memory;

    memset(memory, 0, sizeof memory);
    gw_defrag *d =
        gw_defrag_init(end - gw_defrag_size(num), num, any_bool() ? on_fault : NULL, NULL);
    for (int i = 0; i < FRAGMENTS; i++)
        add(d);
    gw_defrag_end(d);
}

void proof_defrag(void)
{
    collect(1);
    collect(DATAGRAMS);
}
