/* SPDX-License-Identifier: BSD-2-Clause */
/* The software readout unit's DMA engine: triggers, transfers, bursts (T 7.2.2). */
#include "formats/l1farm/board.h"

/* Transfers in one step of the board; what is left goes on a moment later. */
#define AT_ONCE 64

/* ---- bursts ---- */

static uint32_t burst(gw_l1_ru *r, uint32_t target, uint32_t len, uint16_t index)
{
    uint8_t datagram[GW_L1_SHIM + GW_L1_SUBEVENT_MAX];
    bool whole = gw_l1_ru_faulty(r, L1_RU_FAULT_NO_SPLIT) ||
                 (len > 1024 && gw_l1_ru_faulty(r, L1_RU_FAULT_LARGE_UNSPLIT));
    uint32_t most = whole ? GW_L1_SUBEVENT_MAX : GW_L1_BURST;
    uint32_t now = len < most ? len : most;
    gw_l1_shim s = {.version = 1,
                    .kind = GW_L1_KIND_SUBEVENT,
                    .little = true,
                    .ru = (uint8_t)r->setup.node,
                    .buffer = target >> 12 & 15,
                    .dest = target >> 16 & (GW_L1_DEST - 1),
                    .event = r->tag_id,
                    .step = r->step,
                    .offset = target & 0xfff,
                    .length = (uint16_t)now};

    gw_l1_put_shim(datagram, &s);
    for (uint32_t i = 0; i < now / GW_L1_WORD; i++)
        gw_l1_put_words(datagram + GW_L1_SHIM + (size_t)i * GW_L1_WORD, r->tag_id,
                        gw_l1_ru_faulty(r, L1_RU_FAULT_INDEX_STANDS) ? 0 : (uint16_t)(index + i),
                        1);
    if (r->way.connected)
        r->way.out->send(r->way.out, GW_L1_LINK_OUT, r->way.conn, datagram,
                         (size_t)GW_L1_SHIM + now);
    return now;
}

void gw_l1_ru_transfer(gw_l1_ru *r, uint32_t which)
{
    size_t at = (size_t)which % GW_L1_DESCRIPTORS * GW_L1_DESCRIPTOR;
    gw_l1_descriptor d = gw_l1_get_descriptor(r->descbuf + at, r->profile);
    uint64_t asked = (uint64_t)d.blocksize * r->profile->unit;
    uint32_t len = asked < GW_L1_SUBEVENT_MAX ? (uint32_t)asked : GW_L1_SUBEVENT_MAX;

    len -= len % GW_L1_WORD;
    if (gw_l1_ru_faulty(r, L1_RU_FAULT_SHORT) && len > 0)
        len -= GW_L1_WORD;
    if (gw_l1_ru_faulty(r, L1_RU_FAULT_WHOLE_BURSTS) && len > GW_L1_BURST)
        len = (len + GW_L1_BURST - 1) / GW_L1_BURST * GW_L1_BURST;
    for (uint32_t done = 0; done < len;) {
        r->tag_id += done > 0 && gw_l1_ru_faulty(r, L1_RU_FAULT_TAG_A_BURST);
        done += burst(r, d.target + done, len - done, (uint16_t)(done / GW_L1_WORD));
    }
    r->tag_id++;
    if (asked % GW_L1_WORD != 0 && gw_l1_ru_faulty(r, L1_RU_FAULT_ODD_REST))
        (void)burst(r, d.target + len, GW_L1_WORD, 0);
}

static void transfer_next(gw_l1_ru *r)
{
    uint32_t last = r->descs;

    if (gw_l1_ru_faulty(r, L1_RU_FAULT_SHORT_POINTER) && last > 31)
        last = 31;
    gw_l1_ru_transfer(r, r->pointer);
    if (r->pointer < last)
        r->pointer++;
    else if (!gw_l1_ru_faulty(r, L1_RU_FAULT_NO_WRAP))
        r->pointer = 0;
    if (r->pointer == 0 && gw_l1_ru_faulty(r, L1_RU_FAULT_LOOP_ONCE))
        r->endless = false;
}

/* ---- triggers ---- */

static uint32_t transfers_of(const gw_l1_ru *r)
{
    uint32_t transfers = r->dmacntrl >> GW_L1_DMA_TRANSFERS_SHIFT;

    if (gw_l1_ru_faulty(r, L1_RU_FAULT_ALWAYS_ONE) && transfers > 0)
        return 1;
    if (gw_l1_ru_faulty(r, L1_RU_FAULT_ZERO_IS_ONE) && transfers == 0)
        return 1;
    if ((r->dmacntrl & GW_L1_DMA_LOOP) == 0 && transfers > r->descs + 1)
        return r->descs + 1;
    return transfers;
}

void gw_l1_ru_work(gw_l1_ru *r)
{
    unsigned done = 0;

    while ((r->pending > 0 || r->endless) && done < AT_ONCE) {
        transfer_next(r);
        r->pending -= r->pending > 0;
        done++;
    }
    if (r->pending == 0 && !r->endless && done > 0)
        r->dmacntrl |= GW_L1_DMA_STATUS;
}

void gw_l1_ru_trigger(gw_l1_ru *r)
{
    r->dmacntrl &= ~GW_L1_DMA_STATUS;
    r->pending = transfers_of(r);
    r->endless = (r->dmacntrl & GW_L1_DMA_MODE) == GW_L1_DMA_LOOP && r->pending > 0;
    gw_l1_ru_work(r);
}
