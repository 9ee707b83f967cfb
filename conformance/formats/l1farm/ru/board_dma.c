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
        gw_l1_put_words(out + (size_t)i * GW_L1_WORD, r->tag_id,
                        (uint16_t)(at / GW_L1_WORD + i) & r->policy->index, 1);
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

uint32_t gw_l1_ru_burst(gw_l1_ru *r, uint32_t target, uint32_t at, uint32_t len)
{
    uint8_t datagram[GW_L1_SHIM + GW_L1_SUBEVENT_MAX];
    uint32_t most = len > r->policy->split ? GW_L1_SUBEVENT_MAX : GW_L1_BURST;
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

uint32_t gw_l1_ru_whole(uint64_t bytes)
{
    uint32_t most = bytes < GW_L1_SUBEVENT_MAX ? (uint32_t)bytes : GW_L1_SUBEVENT_MAX;

    return most - most % GW_L1_WORD;
}

void gw_l1_ru_block(gw_l1_ru *r, uint32_t target, uint64_t bytes)
{
    uint32_t len = gw_l1_ru_whole(bytes);

    for (uint32_t done = 0; done < len;)
        done += r->policy->burst(r, target, done, len);
    r->tag_id++;
}

void gw_l1_ru_transfer(gw_l1_ru *r, uint32_t which)
{
    size_t at = (size_t)which % GW_L1_DESCRIPTORS * GW_L1_DESCRIPTOR;
    gw_l1_descriptor d = gw_l1_get_descriptor(r->descbuf + at, r->profile);

    r->policy->block(r, d.target, (uint64_t)d.blocksize * r->profile->unit);
}

void gw_l1_ru_advance(gw_l1_ru *r)
{
    r->pointer = r->pointer < r->descs ? r->pointer + 1 : 0;
}

/* ---- triggers ---- */

uint32_t gw_l1_ru_transfers(const gw_l1_ru *r)
{
    uint32_t transfers = r->dmacntrl >> GW_L1_DMA_TRANSFERS_SHIFT;

    if ((r->dmacntrl & GW_L1_DMA_LOOP) == 0 && transfers > r->descs + 1)
        return r->descs + 1;
    return transfers;
}

void gw_l1_ru_work(gw_l1_ru *r)
{
    unsigned done = 0;

    while ((r->pending > 0 || r->endless) && done < AT_ONCE) {
        gw_l1_ru_transfer(r, r->pointer);
        r->policy->advance(r);
        r->pending -= r->pending > 0;
        done++;
    }
    if (r->pending == 0 && !r->endless && done > 0)
        r->dmacntrl |= GW_L1_DMA_STATUS;
}

void gw_l1_ru_trigger(gw_l1_ru *r)
{
    r->dmacntrl &= ~GW_L1_DMA_STATUS;
    r->pending = r->policy->transfers(r);
    r->endless = (r->dmacntrl & GW_L1_DMA_MODE) == GW_L1_DMA_LOOP && r->pending > 0;
    gw_l1_ru_work(r);
}
