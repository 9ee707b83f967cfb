/* SPDX-License-Identifier: BSD-2-Clause */
/* The software IMS buffer: packets in and out, and the board. */
#include "formats/ims/buf/board.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "boards/memory.h"

#define UNIT GW_IMS_ALIGN

/* ---- the way out ---- */

size_t gw_ims_buf_build(const gw_ims_buf *b, const gw_ims_buf_reply *r,
                        uint8_t out[GW_IB_PACKET_MAX])
{
    const gw_ims_remote *remote = &b->remotes[r->conn];

    if (!remote->open)
        return 0; /* the Worker was known, but nobody is there any more */
    return gw_ims_remote_build(remote, out, GW_IB_PACKET_MAX, &r->draft, b->dialect);
}

void gw_ims_buf_transmit(gw_ims_buf *b, const gw_ims_buf_reply *r)
{
    uint8_t bytes[GW_IB_PACKET_MAX];
    size_t len = gw_ims_buf_build(b, r, bytes);

    if (len > 0)
        b->out->send(b->out, 0, r->conn, bytes, len);
}

void gw_ims_buf_send(gw_ims_buf *b, gw_ims_buf_reply *r)
{
    if (b->mutant == NULL || gw_ims_buf_filter_out(b, r))
        gw_ims_buf_transmit(b, r);
}

/* ---- the way in ---- */

gw_ims_buf_channel *gw_ims_buf_channel_of(gw_ims_buf *b, uint32_t qpn)
{
    for (unsigned i = 0; i < b->setup.channels; i++) {
        if (b->channels[i].qpn == qpn)
            return &b->channels[i];
    }
    return NULL;
}

void gw_ims_buf_take(gw_ims_buf *b, uint32_t conn, const gw_ims_packet *p)
{
    gw_ims_buf_channel *channel = gw_ims_buf_channel_of(b, p->bth.dest_qp);

    if (p->bth.dest_qp == b->setup.status_qpn)
        gw_ims_buf_status(b, conn, p);
    else if (channel != NULL && channel->open)
        gw_ims_buf_data(b, channel, p);
    else
        b->dropped++;
}

static void receive(gw_ims_buf *b, const gw_peer_event *event)
{
    gw_ims_packet p;

    if (!gw_ims_remote_take(&b->remotes[event->conn], &p, event, b->dialect) &&
        !gw_ims_buf_hook_damaged(b, event, &p))
        b->dropped++;
    else if (b->mutant != NULL)
        gw_ims_buf_filter_in(b, event->conn, &p);
    else
        gw_ims_buf_take(b, event->conn, &p);
}

/* ---- the board ---- */

static void free_rings(gw_ims_buf *b)
{
    for (unsigned i = 0; i < GW_IMS_BUF_MAX_CHANNELS; i++) {
        free(b->channels[i].ring);
        free(b->channels[i].came);
    }
}

static bool make_rings(gw_ims_buf *b, const gw_peer_config *config, char *why, size_t why_cap)
{
    size_t units = (size_t)(b->setup.ring / UNIT);

    for (unsigned i = 0; i < b->setup.channels; i++) {
        gw_ims_buf_channel *c = &b->channels[i];
        c->qpn = GW_IMS_BUF_DATA_QPN + i;
        c->ring = calloc(1, (size_t)b->setup.ring);
        c->came = calloc(units / 64 + 1, sizeof(*c->came));
        if (c->ring == NULL || c->came == NULL) {
            (void)snprintf(why, why_cap, "out of memory for the rings");
            return false;
        }
        gw_memory_fill(config, i, c->ring, (size_t)b->setup.ring);
    }
    return true;
}

static bool buf_init(void *state, const gw_peer_config *config, char *why, size_t why_cap)
{
    gw_ims_buf *b = state;
    gw_wb_registers registers = {b, gw_ims_buf_read_register, gw_ims_buf_write_register};

    memset(b, 0, offsetof(gw_ims_buf, regs));
    b->setup = config->setup != NULL ? *(const gw_ims_buf_setup *)config->setup : gw_ims_buf_usual;
    b->mutant = config->mutant;
    b->policy = gw_ims_buf_policy_of(config->mutant);
    b->dialect = config->dialect;
    gw_regs_block blocks[] = {
        {"ims-buf-registers", 0, GW_IMS_BUF_REGISTERS},
        {"ims-buf-rings", GW_IMS_BUF_MEMORY, (uint32_t)(b->setup.ring * b->setup.channels)},
    };
    if (make_rings(b, config, why, why_cap) &&
        gw_regs_init(&b->regs, blocks, GW_ARRAY_LEN(blocks), &registers, config, why, why_cap))
        return true;
    free_rings(b);
    return false;
}

static int64_t buf_step(void *state, const gw_peer_event *event, int64_t now_ns, gw_peer_out *out)
{
    gw_ims_buf *b = state;

    b->out = out;
    b->now_ns = now_ns;
    if (event->kind == GW_PEER_START || event->kind == GW_PEER_TIMER)
        return gw_ims_buf_send_late(b);
    if (event->link != 0)
        gw_regs_step(&b->regs, event, out);
    else if (event->kind == GW_PEER_OPEN)
        gw_ims_remote_open(&b->remotes[event->conn], event);
    else if (event->kind == GW_PEER_CLOSE)
        b->remotes[event->conn].open = false;
    else
        receive(b, event);
    return gw_ims_buf_send_late(b);
}

static void buf_fini(void *state)
{
    gw_ims_buf *b = state;
    gw_regs_fini(&b->regs);
    free_rings(b);
}

/* What each channel was given since it was opened last. */
static bool buf_report(void *state, char *text, size_t cap)
{
    const gw_ims_buf *b = state;
    size_t len = 0;
    text[0] = '\0';
    for (size_t i = 0; i < b->setup.channels && len < cap; i++) {
        const gw_ims_buf_channel *c = &b->channels[i];
        if (c->generation == 0)
            continue;
        int more =
            snprintf(text + len, cap - len,
                     "%schannel 0x%" PRIx32 ": %" PRIu64 " bytes delivered, CRC-32C 0x%08" PRIx32,
                     len > 0 ? "; " : "", c->qpn, c->delivered - b->setup.va, c->crc);
        len += more > 0 ? (size_t)more : 0;
    }
    return true;
}

static const char *const links[] = {"ib", "regs", NULL};

/* What it declares, and where it may be written to. */
static const gw_board_file file = {
    .role = "ims-buf",
    .dialect = "strict",
    .make = "goldwire software board",
    .serial = "none",
    .firmware = "as built",
    .claims = {.status_qpn = GW_IMS_BUF_QPN, .status_qkey = GW_IMS_BUF_QKEY, .response_us = 100000},
    .areas = {{"ring", GW_IMS_BUF_VA, GW_IMS_BUF_RING, GW_AREA_RAM},
              {"registers", 0, GW_IMS_BUF_REGISTERS, GW_AREA_RAM}},
    .num_areas = 2,
};

const gw_board gw_ims_buf_board = {
    .role = "ims-buf",
    .blurb = "An IMS buffer (WCU.BUF): table of Workers, data channels into rings of memory",
    .links = links,
    .datagram_links = 3,
    .same_port_links = 1,
    .roce_links = 1,
    .mutants = gw_ims_buf_mutants,
    .num_mutants = GW_IMS_BUF_NUM_MUTANTS,
    .file = &file,
    .format = &gw_ims,
    .size = sizeof(gw_ims_buf),
    .init = buf_init,
    .step = buf_step,
    .report = buf_report,
    .fini = buf_fini,
    .open_setup = gw_ims_buf_open_setup,
    .close_setup = gw_ims_buf_close_setup,
};
