/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutants of the software IMS Worker do to its requests and frames on their way out. */
#include "formats/ims/worker/board.h"
#include "harness/checksum.h"

#define HAS(w, fault) gw_mutant_has((w)->mutant, WORKER_FAULT_##fault)

void gw_ims_worker_write_anyway(gw_ims_worker_state *w)
{
    gw_ims_slot *slot = &w->slots[0];
    gw_ims_worker_put(w, slot, SLOT_SENDING);
    *slot = (gw_ims_slot){.state = SLOT_SENDING, .tries = 1};
    w->sending = slot;
    w->sent = 0;
    while (w->sending != NULL)
        gw_ims_worker_send_packet(w);
    gw_ims_worker_put(w, slot, SLOT_FREE);
}

void gw_ims_worker_write_early(gw_ims_worker_state *w)
{
    w->buffer_qpnd = w->setup->buffer_qpnd;
    gw_ims_worker_write_anyway(w);
}

/* ---- requests ---- */

static void change_request(gw_ims_worker_state *w, gw_ims_draft *draft)
{
    gw_ims_status *s = &draft->status;
    if (s->method == GW_IMS_DATA_REQ && HAS(w, NO_QPND))
        s->key = 0;
    if (HAS(w, OTHER_QPN) || (HAS(w, RENAMES) && w->status_tries > 1))
        s->qpn ^= 1;
    if (s->method == GW_IMS_DATA_TERM && HAS(w, METHOD))
        s->method += GW_IMS_NUM_METHODS;
    if (!HAS(w, LONG_STATUS))
        return;
    gw_ims_put_status(w->memory.payload, s, GW_IMS_LE);
    draft->raw = true;
    draft->payload = w->memory.payload;
    draft->payload_len = sizeof(w->memory.payload);
}

/* What mutants do at once when they have asked |method|. */
static void follow(gw_ims_worker_state *w, uint8_t method)
{
    if (method == GW_IMS_STAT_REQ && HAS(w, HASTY))
        gw_ims_worker_request(w, GW_IMS_DATA_REQ);
    if (method == GW_IMS_DATA_REQ && HAS(w, EARLY))
        gw_ims_worker_write_early(w);
    if (method == GW_IMS_DATA_TERM && w->next > 0 && HAS(w, AFTER_TERM))
        gw_ims_worker_write_anyway(w);
}

static bool filter_request(gw_ims_worker_state *w, gw_ims_draft *draft)
{
    uint8_t method = draft->status.method;
    if ((method == GW_IMS_DATA_TERM || method == GW_IMS_STAT_TERM) && HAS(w, LEAVES)) {
        gw_ims_worker_finish(w);
        return false;
    }
    change_request(w, draft);
    gw_ims_worker_transmit(w, draft, 0);
    if (w->status_tries == 1)
        follow(w, method);
    return false;
}

/* ---- frames ---- */

static bool filter_write(gw_ims_worker_state *w, gw_ims_draft *draft)
{
    bool only = draft->bth.opcode == GW_IB_UC_WRITE_ONLY;
    bool first = only || draft->bth.opcode == GW_IB_UC_WRITE_FIRST;
    bool last = only || draft->bth.opcode == GW_IB_UC_WRITE_LAST;
    bool again = w->sending->tries > 1;
    if (again && HAS(w, MOVES))
        draft->reth.va += w->setup->size + GW_IMS_ALIGN;
    if (HAS(w, RKEY))
        draft->reth.rkey++;
    if (first && again && HAS(w, SEALS_AGAIN))
        w->payload[0] ^= 1;
    if (last && HAS(w, IMMEDIATE))
        draft->bth.opcode++; /* LAST and ONLY have it with immediate data next to them */
    if (last && !only && HAS(w, CUT)) {
        w->psn = draft->bth.psn;
        return false;
    }
    if (!last || !HAS(w, ICRC))
        return true;
    gw_ims_worker_transmit(w, draft, 1);
    return false;
}

bool gw_ims_worker_filter_out(gw_ims_worker_state *w, gw_ims_draft *draft)
{
    return draft->bth.opcode == GW_IB_UD_SEND_ONLY ? filter_request(w, draft)
                                                   : filter_write(w, draft);
}

/* ---- hooks ---- */

uint64_t gw_ims_worker_hook_va(const gw_ims_worker_state *w, uint64_t number, uint64_t va)
{
    if (HAS(w, START))
        va += GW_IMS_ALIGN;
    if (HAS(w, UNALIGNED) && number > 0)
        va += 4;
    if (HAS(w, GAPS))
        va += number * GW_IMS_ALIGN;
    return va;
}

uint32_t gw_ims_worker_hook_length(const gw_ims_worker_state *w, uint64_t number, uint32_t length)
{
    if (HAS(w, SIZES) && number % 2 == 1 && length > GW_IMS_ALIGN)
        length -= GW_IMS_ALIGN;
    if (HAS(w, LENGTH))
        length -= GW_IMS_ALIGN / 2;
    return length;
}

void gw_ims_worker_hook_image(gw_ims_worker_state *w, size_t size, uint64_t va)
{
    if (HAS(w, IMAGE_VA))
        gw_ims_image_seal(&gw_fast_env, &gw_ims_image_default, w->image, size, va + GW_IMS_ALIGN);
    if (HAS(w, IMAGE_CRC))
        w->image[0] ^= 1;
}
