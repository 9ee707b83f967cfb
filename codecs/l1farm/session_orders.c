/* SPDX-License-Identifier: BSD-2-Clause */
/* What readout units are told to do: by lists of descriptors, which they go through from the start
 * whenever they come to the end, or by tags that name each destination. Who follows them is not to
 * be blamed for where they lead. */
#include "l1farm/session.h"

#define PAGE 4096 /* bytes of an event buffer (T 7.4.1) */

/* Descriptors of |images|, the first of which is number |which|. */
static void learn(l1_session *s, uint8_t ru, uint32_t which, gw_cursor images,
                  const gw_l1_profile *p)
{
    const uint8_t *image;

    for (; which < GW_L1_DESCRIPTORS; which++) {
        if (!gw_cursor_bytes(&images, &image, GW_L1_DESCRIPTOR))
            return;
        s->ordered[ru][which] = gw_l1_get_descriptor(image, p).target / PAGE;
        s->lists[ru].known |= UINT64_C(1) << which;
    }
}

void gw_l1_take_descriptors(l1_session *s, const gw_message *m, const gw_l1_unit *u,
                            const gw_l1_profile *p)
{
    if (u->has_shim && u->shim.offset % GW_L1_DESCRIPTOR == 0)
        learn(s, u->shim.ru, u->shim.offset / GW_L1_DESCRIPTOR, gw_l1_data(m, u), p);
}

void gw_l1_take_list_end(l1_session *s, uint8_t ru, uint32_t descs)
{
    if (descs < GW_L1_DESCRIPTORS)
        s->lists[ru].num = (uint8_t)(descs + 1);
}

bool gw_l1_was_ordered(const l1_session *s, uint8_t ru, uint16_t apart)
{
    const l1_list *l = &s->lists[ru];
    const uint32_t *buffers = s->ordered[ru];
    unsigned num = l->num;

    if (l->named || (l->vague && !s->lossless))
        return true; /* each tag says where; or some of it may have got lost */
    if (num == 0)
        return false; /* nobody knows */
    if (apart >= num)
        return true;
    for (unsigned i = 0; i < num; i++) {
        unsigned j = (i + apart) % num;
        if ((l->known >> i & l->known >> j & 1) != 0 && buffers[i] == buffers[j])
            return true;
    }
    return false;
}
