/* SPDX-License-Identifier: BSD-2-Clause */
/* What readout units are told to do: by lists of descriptors, which they go through from the start
 * whenever they come to the end, or by tags that name each destination. Who follows them is not to
 * be blamed for where they lead. */
#include "l1farm/session.h"

#define PAGE 4096 /* bytes of an event buffer (T 7.4.1) */

static void learn(l1_list *l, uint32_t offset, uint32_t bytes, const uint8_t *image,
                  const gw_l1_profile *p)
{
    for (uint32_t at = 0; at + GW_L1_DESCRIPTOR <= bytes; at += GW_L1_DESCRIPTOR) {
        uint32_t which = (offset + at) / GW_L1_DESCRIPTOR;
        if (which >= GW_L1_DESCRIPTORS)
            return;
        l->buffers[which] = gw_l1_get_descriptor(image + at, p).target / PAGE;
        l->known |= UINT64_C(1) << which;
    }
}

void gw_l1_take_descriptors(l1_session *s, const gw_l1_unit *u, const gw_l1_profile *p)
{
    if (u->has_shim && u->shim.offset % GW_L1_DESCRIPTOR == 0)
        learn(&s->lists[u->shim.ru], u->shim.offset, u->data_len, u->data, p);
}

void gw_l1_take_list_end(l1_session *s, uint8_t ru, uint32_t descs)
{
    if (descs < GW_L1_DESCRIPTORS)
        s->lists[ru].num = (uint8_t)(descs + 1);
}

bool gw_l1_was_ordered(const l1_session *s, uint8_t ru, uint16_t apart)
{
    const l1_list *l = &s->lists[ru];

    if (l->named || (l->vague && !s->lossless))
        return true; /* each tag says where; or some of it may have got lost */
    if (l->num == 0)
        return false; /* nobody knows */
    if (apart >= l->num)
        return true;
    for (unsigned i = 0; i < l->num; i++) {
        unsigned j = (i + apart) % l->num;
        if ((l->known >> i & l->known >> j & 1) != 0 && l->buffers[i] == l->buffers[j])
            return true;
    }
    return false;
}
