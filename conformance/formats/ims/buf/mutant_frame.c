/* SPDX-License-Identifier: BSD-2-Clause */
/* What mutants of the software IMS buffer do while frames come in. */
#include "formats/ims/buf/board.h"

#define HAS(b, fault) gw_mutant_has((b)->mutant, IMS_BUF_FAULT_##fault)

/* What a mutant makes a bad frame of. */
enum { KEY_AND_LENGTH = GW_IMS_INVALID_RKEY | GW_IMS_FRAME_LENGTH };

gw_ims_buf_channel_memory *gw_ims_buf_memory_of(gw_ims_buf *b, const gw_ims_buf_channel *c)
{
    gw_ims_buf_channel_memory *m = &b->memory.channels[c - b->channels];

    if (m->generation != c->generation)
        *m = (gw_ims_buf_channel_memory){.generation = c->generation};
    return m;
}

/* ---- the first packet ---- */

/* Whether |f| may begin where it does; |right| is what the good board says. */
static bool in_window(gw_ims_buf *b, gw_ims_buf_channel *c, const gw_ims_buf_frame *f, bool right)
{
    uint64_t read = c->read;

    if (HAS(b, NO_WINDOW))
        return true;
    if (HAS(b, END_WRAPS))
        return f->va + f->length <= read + b->setup.ring - b->setup.frame;
    if (HAS(b, NO_REPEATED_FRAME))
        return right && f->va >= c->delivered;
    if (HAS(b, WINDOW_STUCK)) {
        c->read = b->setup.va;
        right = gw_ims_buf_window(b, c, f->va, f->length);
        c->read = read;
    }
    return right && f->va >= gw_ims_buf_memory_of(b, c)->floor;
}

static void change_checks(gw_ims_buf *b, gw_ims_buf_channel *c, gw_ims_buf_frame *f)
{
    /* The upper half of a burst of memory alone. */
    bool half = f->length == GW_IMS_ALIGN && f->va / GW_IMS_ALIGN % 2 != 0;
    bool right = (f->events & GW_IMS_OUTSIDE_WINDOW) == 0;

    if (HAS(b, ANY_ALIGNMENT))
        f->events &= ~(uint32_t)GW_IMS_INVALID_VA;
    if (half && HAS(b, HALF_BURST))
        f->events |= GW_IMS_INVALID_VA;
    f->events &= ~(uint32_t)GW_IMS_OUTSIDE_WINDOW;
    if (!in_window(b, c, f, right))
        f->events |= GW_IMS_OUTSIDE_WINDOW;
    if (gw_ims_buf_memory_of(b, c)->late)
        f->events |= GW_IMS_OUT_OF_SEQUENCE;
}

void gw_ims_buf_hook_begin(gw_ims_buf *b, gw_ims_buf_channel *c, const gw_ims_packet *p)
{
    gw_ims_buf_frame *f = &c->frame;
    gw_ims_buf_channel_memory *m = gw_ims_buf_memory_of(b, c);

    if (b->mutant == NULL)
        return;
    change_checks(b, c, f);
    m->first = p->payload_len;
    if (m->lost_length != 0 && m->lost_va == f->va && m->lost_length == f->length &&
        HAS(b, COUNTS_ON))
        f->got = m->lost_got;
    if (m->several && p->last && HAS(b, MISSES_ONLY))
        f->events |= GW_IMS_NO_START;
    for (unsigned i = 0; i < b->setup.channels; i++) {
        if (&b->channels[i] != c && HAS(b, ONE_FRAME))
            b->channels[i].frame = (gw_ims_buf_frame){.open = false};
    }
    f->stores = f->events == 0 || (f->events == GW_IMS_OUTSIDE_WINDOW && HAS(b, STORES_BEYOND));
}

/* ---- payloads ---- */

bool gw_ims_buf_hook_length(gw_ims_buf *b, const gw_ims_buf_channel *c, const gw_ims_packet *p,
                            bool good)
{
    gw_ims_buf_channel_memory *m = gw_ims_buf_memory_of(b, c);
    uint32_t n = p->payload_len, tail = m->tail;

    if (b->mutant == NULL)
        return good;
    m->tail = n;
    if (HAS(b, ANY_PACKET_LENGTH))
        return true;
    if ((n & (n - 1)) != 0 && HAS(b, POWERS_OF_TWO))
        return false;
    if (p->first && !p->last && n == GW_IMS_PACKET_MIN && HAS(b, FIRST_OF_64))
        return false;
    if (p->last && n < m->first && c->frame.open && HAS(b, NO_SHORT_LAST))
        return false;
    return good && !(tail % GW_IMS_ALIGN != 0 && n % (2 * GW_IMS_ALIGN) != 0 && HAS(b, HALF_WORD));
}

size_t gw_ims_buf_hook_place(gw_ims_buf *b, const gw_ims_buf_channel *c, uint64_t *va, size_t len)
{
    uint64_t end = b->setup.va + b->setup.ring;

    if (b->mutant == NULL)
        return len;
    *va += gw_ims_buf_memory_of(b, c)->drift;
    if (*va + len <= end || !HAS(b, FLAT_MEMORY))
        return len;
    return *va < end ? (size_t)(end - *va) : 0;
}

/* ---- the last packet ---- */

bool gw_ims_buf_hook_sum(gw_ims_buf *b, gw_ims_buf_channel *c, const gw_ims_packet *p, bool whole)
{
    const gw_ims_buf_frame *f = &c->frame;
    gw_ims_buf_channel_memory *m = gw_ims_buf_memory_of(b, c);
    bool second = !p->first && f->got == (uint64_t)m->first + p->payload_len;

    if (b->mutant == NULL)
        return whole;
    m->several = !p->first;
    if ((f->events & GW_IMS_OUT_OF_SEQUENCE) != 0) {
        m->lost_va = f->va;
        m->lost_got = f->got;
        m->lost_length = f->open ? f->length : 0;
    }
    if (second && HAS(b, LATE_LENGTH))
        return UINT64_C(2) * m->first == f->length;
    return whole || HAS(b, ANY_LENGTH);
}

static void change_marks(gw_ims_buf *b, gw_ims_buf_channel_memory *m, gw_ims_buf_frame *f)
{
    bool disturbed = m->refused && (f->events & ~(uint32_t)GW_IMS_BUF_INJECTABLE) == 0;

    if (HAS(b, NO_BAD_MARKS))
        f->events &= ~(uint32_t)GW_IMS_BUF_MARKS;
    if (HAS(b, NO_MEMORY_ERRORS))
        f->events &= ~(uint32_t)GW_IMS_BUF_MEMORY_ERRORS;
    if (disturbed && HAS(b, SLOW_RECOVERY))
        f->events |= GW_IMS_OUT_OF_SEQUENCE;
    if (HAS(b, STICKY_EVENTS))
        f->events |= m->kept;
    m->kept = f->events;
}

void gw_ims_buf_hook_events(gw_ims_buf *b, gw_ims_buf_channel *c, gw_ims_buf_frame *f)
{
    gw_ims_buf_channel_memory *m = gw_ims_buf_memory_of(b, c);

    if (b->mutant == NULL)
        return;
    change_marks(b, m, f);
    for (unsigned i = 0; i < b->setup.channels; i++) {
        if (HAS(b, SHARED_EVENTS))
            f->events |= b->channels[i].frame.events;
    }
    if (HAS(b, ONE_EVENT))
        f->events &= ~f->events + 1; /* the lowest */
    if ((f->events & KEY_AND_LENGTH) == KEY_AND_LENGTH && HAS(b, KEY_HIDES_LENGTH))
        f->events = (f->events & ~(uint32_t)KEY_AND_LENGTH) | GW_IMS_BAD_FRAME;
    if (f->events == GW_IMS_OUTSIDE_WINDOW && HAS(b, DRIFTS))
        m->drift += f->length;
    m->refused = f->events != 0;
    m->below = f->open && f->va < c->read;
}
