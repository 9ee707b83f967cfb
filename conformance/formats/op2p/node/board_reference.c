/* SPDX-License-Identifier: BSD-2-Clause */
/* The reference core's own ways with packets (dialect vhdl), as its simulation showed them. */
#include <string.h>

#include "formats/op2p/node/board.h"
#include "goldwire/cursor.h"
#include "goldwire/writer.h"

#define ZERO_MEANS 65536u /* double words that a byte count of 0 stands for (sim S2) */
#define LEFT 253          /* of the receive buffer: where it looks for a header once more */
#define AGAIN 259         /* double words of a frame: its counter of eight bits begins anew */
#define NUM_WORDS (GW_OP2P_NODE_BYTES / 4)

void gw_op2p_reference_policy(gw_op2p_policy *policy)
{
    policy->ends = GW_OP2P_REFERENCE_MAX; /* its beat counter never comes to more (sim S6, S27) */
    policy->damaged &= GW_OP2P_FLAG_SOFT_ERROR | GW_OP2P_FLAG_FRAME_ERROR; /* not RX_REM */
    policy->asked_in_a_row = UINT32_MAX;   /* were there a limit, what came before would decide */
    policy->deep = GW_OP2P_FIFO_DEPTH - 1; /* what FIFOs with two clocks lose of their depth */
    policy->resent = 0xffff;               /* there is one transmit buffer (sim S9), ... */
    policy->pulses = true;                 /* of nine clocks; the level is not connected */
    policy->stale_reads = true;            /* ... and what it still holds goes out (sim S7) */
    policy->answers_as_asked = true;
    policy->answers_foreign = true;
    policy->answers_errors = true;
    policy->pointers = policy->deep; /* it watches that FIFO alone, until it is full */
    policy->entries = UINT16_MAX;
    policy->overwrites = true;
    policy->stores_mangled = true;
    policy->cuts_stored_ids = true;
    policy->frees_aliases = true;
}

void gw_op2p_keep(gw_op2p_port *p, const uint8_t *pdu, size_t len)
{
    for (size_t i = 0; i < (len + 3) / 4 && i < GW_OP2P_NODE_BUFFER; i++) {
        uint8_t word[4] = {0}; /* a tail of some bytes is taken for a double word */
        memcpy(word, pdu + 4 * i, len - 4 * i < 4 ? len - 4 * i : 4);
        p->seen[i] = gw_load_be32(word);
    }
}

void gw_op2p_stale_words(gw_op2p_node *n, const gw_op2p_port *p, uint32_t address, uint32_t words)
{
    uint32_t to = address / 4 % NUM_WORDS, from = 4;

    while (words > 0) { /* in runs that end where one of the two begins anew */
        uint32_t run = GW_OP2P_NODE_BUFFER - from < words ? GW_OP2P_NODE_BUFFER - from : words;
        run = NUM_WORDS - to < run ? NUM_WORDS - to : run;
        memcpy(&n->memory[to], &p->seen[from], run * sizeof n->memory[0]);
        to = (to + run) % NUM_WORDS;
        from = (from + run) % GW_OP2P_NODE_BUFFER;
        words -= run;
    }
}

/* Only bits 9:2 of the byte count are looked at, and what a stored packet has left above them; 0
 * runs through all of 16 bits (sim S2, S30). */
static uint32_t words_of(const gw_op2p_port *p, uint16_t count)
{
    uint32_t words = (count >> 2 & 0xff) + p->carried;
    return words == 0 ? ZERO_MEANS : words;
}

static bool is_mine(const gw_op2p_port *p, const gw_op2p_header *h)
{
    return h->dst_id == 0 || h->dst_id == p->local_id;
}

/* A write or a completion: status, requests and lengths are not looked at (sim S15, S25). */
static void store(gw_op2p_node *n, gw_op2p_port *p, const gw_op2p_header *h)
{
    uint32_t *first = &n->memory[h->dst_addr / 4 % NUM_WORDS];
    uint32_t before = *first & ~gw_op2p_lanes(h->fbe);

    (void)gw_op2p_push(h->type == GW_OP2P_WRITE ? &p->arrived : &p->completed, h->dst_addr);
    gw_op2p_stale_words(n, p, h->dst_addr, words_of(p, h->byte_count));
    *first = before | (*first & gw_op2p_lanes(h->fbe));
}

static gw_op2p_header header_at(const gw_op2p_port *p, uint32_t first, uint8_t *bytes)
{
    for (uint32_t i = 0; i < GW_OP2P_HEADER / 4; i++)
        gw_store_be(bytes + (size_t)4 * i, p->seen[first + i], 4);
    return gw_op2p_get(bytes);
}

/* What is read, sent again, refused or stored for others goes the node's usual way, with what the
 * receive buffer holds. */
static void hand_on(gw_op2p_job *job, const uint8_t header[GW_OP2P_HEADER])
{
    gw_op2p_port *p = job->p;
    uint8_t pdu[GW_OP2P_PDU_MAX];
    bool stored = !job->mine && job->h.type <= GW_OP2P_COMPLETION;
    uint32_t words = 0;

    if (stored && job->h.type != GW_OP2P_READ)
        words = (job->h.byte_count >> 2 & 0xff) + p->carried;
    /* The length of what is stored is counted with its header, and stays (sim S30). */
    if (stored || job->h.type > GW_OP2P_COMPLETION)
        p->carried = stored && words + 4 > 0xff ? 0x100 : 0;
    memcpy(pdu, header, GW_OP2P_HEADER);
    job->pdu = pdu;
    for (job->len = GW_OP2P_HEADER; words > 0 && job->len < sizeof(pdu); words--, job->len += 4)
        gw_store_be(pdu + job->len, p->seen[job->len / 4], 4);
    p->dropped += !gw_op2p_mutant_packet(job);
}

void gw_op2p_reference_packet(gw_op2p_node *n, gw_op2p_port *p, size_t len)
{
    uint8_t bytes[GW_OP2P_HEADER];
    gw_op2p_job job = {.n = n, .p = p};

    if (len < 12)
        return; /* dropped without a trace */
    /* In a frame of three double words the fourth is the last packet's (sim S11). */
    job.h = header_at(p, 0, bytes);
    if (job.h.type == 15) /* "not there yet": it goes on reading the buffer (sim S12), ... */
        job.h = header_at(p, LEFT, bytes);
    if (job.h.type == 15) { /* ... which says so each time */
        p->endless = true;
        return;
    }
    job.mine = is_mine(p, &job.h);
    if (job.mine && (job.h.type == GW_OP2P_WRITE || job.h.type == GW_OP2P_COMPLETION))
        store(n, p, &job.h);
    else
        hand_on(&job, bytes);
}

/* ---- link errors ---- */

/* The core decodes a header as soon as it is there, and looks for errors then and when it has
 * written. In a frame as long as this an error at its end comes too late for the first (sim S23).
 */
#define LONG 40 /* bytes of payload */

void gw_op2p_reference_damaged(gw_op2p_node *n, gw_op2p_port *p, const uint8_t *pdu, size_t len)
{
    if (len < GW_OP2P_HEADER + LONG)
        return;
    gw_op2p_header h = gw_op2p_get(pdu);
    bool taken = h.type == GW_OP2P_WRITE || (n->reference && h.type == GW_OP2P_COMPLETION);
    if (!taken || !is_mine(p, &h))
        return;
    if (n->reference)
        store(n, p, &h);
    else
        (void)gw_op2p_push(&p->arrived, h.dst_addr);
}

/* Errors in a header alone go unnoticed (sim S29), and so do those behind the header of what is not
 * written anywhere. */
static bool unnoticed(const gw_op2p_port *p, const uint8_t *pdu, size_t len)
{
    gw_op2p_header h = gw_op2p_get(pdu);
    bool written = h.type == GW_OP2P_WRITE || h.type == GW_OP2P_COMPLETION ||
                   (h.type == GW_OP2P_READ && !is_mine(p, &h));

    return len == GW_OP2P_HEADER || (len >= GW_OP2P_HEADER + LONG && !written);
}

/* ---- flow control ---- */

/* The end of a frame halts the partner, unless the port is sending just then; the end of what the
 * frame called forth lets it go on. When the second comes first, or never, nothing is left that
 * would end the first. */
typedef enum ending {
    ENDS_FIRST, /* as it should be */
    ENDS_AMID,  /* while the answer goes out: nobody is halted */
    ENDS_LAST,  /* the partner stays halted */
} ending;

/* When a frame ends, in double words behind its header, one a clock, as the simulation was seen to
 * take them: about five clocks for each that is read or written, and some for the rest. */
static ending ending_of(const gw_op2p_port *p, const uint8_t *pdu, size_t len)
{
    if (len < GW_OP2P_HEADER) /* two double words are seen, and taken for no packet */
        return len >= 8 && len < 12 ? ENDS_LAST : ENDS_FIRST;
    gw_op2p_header h = gw_op2p_get(pdu);
    if (h.type == 15 || len >= (size_t)4 * AGAIN) /* looked at once more when it has ended */
        return ENDS_FIRST;
    uint32_t behind = (uint32_t)(len - GW_OP2P_HEADER) / 4, words = words_of(p, h.byte_count);
    bool read = h.type == GW_OP2P_READ;
    if (h.type <= GW_OP2P_COMPLETION && !is_mine(p, &h))
        return behind > 40 + (read ? 0 : 5 * words) ? ENDS_LAST : ENDS_FIRST;
    if (h.type == GW_OP2P_WRITE || h.type == GW_OP2P_COMPLETION)
        return behind >= 7 + 5 * words ? ENDS_LAST : ENDS_FIRST;
    uint32_t starts = 9 + (read ? 5 * words : 0);
    uint32_t sent = 12 + (read || h.type == GW_OP2P_RETRANSMIT ? words : 0);
    if (behind < starts)
        return ENDS_FIRST;
    return behind < starts + sent ? ENDS_AMID : ENDS_LAST;
}

static void let_go_on(gw_op2p_node *n, gw_op2p_port *p)
{
    p->owes_xon = false;
    if (p->forward.count < p->forward.depth)
        gw_op2p_port_flow(n, p, false);
}

static void hold_back(gw_op2p_port *p, bool bad, const uint8_t *pdu, size_t len)
{
    if (p->num_early == GW_OP2P_NODE_HELD || len > GW_OP2P_PDU_MAX) {
        p->dropped++;
        return;
    }
    gw_op2p_frame *f = &p->early[p->num_early];
    memcpy(f->bytes, pdu, len);
    f->len = (uint16_t)len;
    p->early_bad[p->num_early++] = bad;
}

/* The end of a frame of one double word comes with its beginning and is missed: the next frame goes
 * on with it (sim, N-01). Says whether there is a frame to take. */
static bool joined(gw_op2p_port *p, const uint8_t **pdu, size_t *len, uint8_t *both)
{
    if (*len <= sizeof(p->begun) && !p->swallows) {
        memset(p->begun, 0, sizeof(p->begun));
        memcpy(p->begun, *pdu, *len);
        p->swallows = true;
        return false;
    }
    if (!p->swallows)
        return true;
    p->swallows = false;
    if (*len > GW_OP2P_PDU_MAX)
        *len = GW_OP2P_PDU_MAX;
    memcpy(both, p->begun, sizeof(p->begun));
    memcpy(both + sizeof(p->begun), *pdu, *len);
    *pdu = both;
    *len += sizeof(p->begun);
    return true;
}

static void take_frame(gw_op2p_node *n, gw_op2p_port *p, bool bad, const uint8_t *pdu, size_t len)
{
    if (bad && len >= GW_OP2P_HEADER && unnoticed(p, pdu, len)) {
        p->errors++;
        bad = false;
    }
    ending end = bad || p->bare ? ENDS_FIRST : ending_of(p, pdu, len);
    if (end == ENDS_FIRST)
        gw_op2p_port_flow(n, p, true);
    gw_op2p_keep(p, pdu, len);
    if (bad)
        gw_op2p_take_damaged(n, p, pdu, len);
    else
        gw_op2p_port_packet(n, p, pdu, len);
    if (!bad && len >= (size_t)4 * AGAIN) /* sim S13 */
        gw_op2p_port_packet(n, p, pdu, len);
    if (end == ENDS_LAST || (end == ENDS_AMID && p->num_held > 0))
        gw_op2p_port_flow(n, p, true);
    if (end != ENDS_LAST && p->num_held > 0)
        p->owes_xon = true;
    else if (end == ENDS_FIRST)
        let_go_on(n, p);
}

void gw_op2p_reference_frame(gw_op2p_node *n, gw_op2p_port *p, bool bad, const uint8_t *pdu,
                             size_t len)
{
    uint8_t both[GW_OP2P_PDU_MAX + sizeof(p->begun)];

    if (!p->bare && (p->we_halted || p->num_held > 0)) /* the partner's link core holds it */
        hold_back(p, bad, pdu, len);
    else if (p->endless) /* nobody looks (sim S24, S27) */
        p->dropped++;
    else if (joined(p, &pdu, &len, both))
        take_frame(n, p, bad, pdu, len);
}

void gw_op2p_reference_goes_on(gw_op2p_node *n, gw_op2p_port *p)
{
    if (p->owes_xon && p->num_held == 0)
        let_go_on(n, p);
    while (p->num_early > 0 && !p->we_halted && p->num_held == 0) {
        gw_op2p_frame first = p->early[0];
        bool bad = p->early_bad[0];
        p->num_early--;
        memmove(&p->early[0], &p->early[1], p->num_early * sizeof(p->early[0]));
        memmove(&p->early_bad[0], &p->early_bad[1], p->num_early * sizeof(p->early_bad[0]));
        gw_op2p_reference_frame(n, p, bad, first.bytes, first.len);
    }
}

/* ---- the transceivers ---- */

#define TRAINING_NS INT64_C(2000000)

void gw_op2p_reset_link(gw_op2p_node *n, gw_op2p_port *p, bool down)
{
    if (down && !p->training)
        gw_op2p_port_tell(n, p, GW_OP2P_KIND_CHANNEL, 0);
    p->training = true;
    p->ready_ns = n->now_ns + TRAINING_NS;
    p->we_halted = false;
    p->owes_xon = false;
    p->swallows = false;
    p->endless = false;
    p->num_early = 0;
}

void gw_op2p_link_ready(gw_op2p_node *n, gw_op2p_port *p)
{
    p->training = false;
    if (p->up)
        gw_op2p_port_tell(n, p, GW_OP2P_KIND_CHANNEL, 3);
}
