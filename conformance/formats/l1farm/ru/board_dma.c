/* SPDX-License-Identifier: BSD-2-Clause */
/* The software readout unit's DMA engine: triggers, transfers, bursts (T 7.2.2). */
#include <string.h>

#include "formats/l1farm/board.h"
#include "goldwire/writer.h"

enum {
    AT_ONCE = 64, /* transfers in one step of the board; what is left goes on a moment later */
    RU_HEADER = 8,
    LINK_SOURCE = 4, /* bytes of a link's source identifier; two a cluster follow */
    LINK_MOST = LINK_SOURCE + 2 * GW_L1_CLUSTERS,
};

/* ---- what is sent ---- */

/* The mock-up's words (T 7.4.2). */
static void put_words(const gw_l1_ru *r, uint8_t *out, uint32_t at, uint32_t len)
{
    for (uint32_t i = 0; i < len / GW_L1_WORD; i++)
        gw_l1_put_words(
            out + (size_t)i * GW_L1_WORD, r->tag_id,
            gw_l1_ru_faulty(r, L1_RU_FAULT_INDEX_STANDS) ? 0 : (uint16_t)(at / GW_L1_WORD + i), 1);
}

/* A sub-event of |len| bytes, as many links of 127 clusters as fit, in the profile's layout. */
static void put_links(const gw_l1_ru *r, uint8_t *out, uint32_t len)
{
    uint32_t at = RU_HEADER, left = len - RU_HEADER;
    uint8_t links = 0;

    memset(out, 0, len);
    for (; left > 0; links++) {
        uint32_t clusters = left > LINK_MOST ? GW_L1_CLUSTERS : (left - LINK_SOURCE) / 2;
        clusters -= left == LINK_MOST + 2; /* no link is shorter than its source identifier */
        gw_store_be(out + at, links, 2);
        out[at + LINK_SOURCE - 1] = (uint8_t)clusters;
        at += LINK_SOURCE + 2 * clusters;
        left -= LINK_SOURCE + 2 * clusters;
    }
    out[0] = (uint8_t)r->setup.node;
    out[1] = links;
    gw_store_be(out + 2, r->tag_id, 2);
    gw_store_be(out + 4, len, 2);
}

/* Sends the next burst of a sub-event of |len| bytes, from byte |at| on, and returns its size. */
static uint32_t burst(gw_l1_ru *r, uint32_t target, uint32_t at, uint32_t len)
{
    uint8_t datagram[GW_L1_SHIM + GW_L1_SUBEVENT_MAX];
    bool whole = gw_l1_ru_faulty(r, L1_RU_FAULT_NO_SPLIT) ||
                 (len > 1024 && gw_l1_ru_faulty(r, L1_RU_FAULT_LARGE_UNSPLIT));
    uint32_t most = whole ? GW_L1_SUBEVENT_MAX : GW_L1_BURST;
    uint32_t now = len - at < most ? len - at : most, place = target + at;
    gw_l1_shim s = {.version = 1,
                    .kind = GW_L1_KIND_SUBEVENT,
                    .little = true,
                    .ru = (uint8_t)r->setup.node,
                    .buffer = place >> 12 & 15,
                    .dest = place >> 16 & (GW_L1_DEST - 1),
                    .event = r->tag_id,
                    .step = r->step,
                    .offset = place & 0xfff,
                    .length = (uint16_t)now};

    gw_l1_put_shim(datagram, &s);
    if (r->profile->ode) {
        uint8_t subevent[GW_L1_SUBEVENT_MAX];
        put_links(r, subevent, len);
        memcpy(datagram + GW_L1_SHIM, subevent + at, now);
    } else {
        put_words(r, datagram + GW_L1_SHIM, at, now);
    }
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
        done += burst(r, d.target, done, len);
    }
    r->tag_id++;
    if (asked % GW_L1_WORD != 0 && gw_l1_ru_faulty(r, L1_RU_FAULT_ODD_REST))
        (void)burst(r, d.target + len, 0, GW_L1_WORD);
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
