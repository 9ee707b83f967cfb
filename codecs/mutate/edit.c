/* SPDX-License-Identifier: BSD-2-Clause */
/* Inserting, removing and exchanging bytes in place. */
#include "mutate/edit.h"

#include <string.h>

bool gw_edit_insert(gw_edit *edit, size_t at, const uint8_t *from, size_t num)
{
    if (at > edit->len || num > edit->cap - edit->len)
        return false;
    memmove(edit->data + at + num, edit->data + at, edit->len - at);
    if (from != NULL)
        memcpy(edit->data + at, from, num);
    else
        memset(edit->data + at, 0, num);
    edit->len += num;
    return true;
}

bool gw_edit_repeat(gw_edit *edit, size_t at, size_t from, size_t num)
{
    if (from > at || num > at - from || !gw_edit_insert(edit, at, NULL, num))
        return false;
    memcpy(edit->data + at, edit->data + from, num);
    return true;
}

void gw_edit_remove(gw_edit *edit, size_t at, size_t num)
{
    if (at >= edit->len)
        return;
    num = num < edit->len - at ? num : edit->len - at;
    memmove(edit->data + at, edit->data + at + num, edit->len - at - num);
    edit->len -= num;
}

void gw_edit_reverse(gw_edit *edit, size_t at, size_t end)
{
    while (at + 1 < end) {
        uint8_t byte = edit->data[at];
        edit->data[at++] = edit->data[--end];
        edit->data[end] = byte;
    }
}

/* What is turned round piece by piece and then as a whole has its pieces exchanged. */
void gw_edit_swap(gw_edit *edit, size_t a, size_t a_end, size_t b, size_t b_end)
{
    gw_edit_reverse(edit, a, a_end);
    gw_edit_reverse(edit, a_end, b);
    gw_edit_reverse(edit, b, b_end);
    gw_edit_reverse(edit, a, b_end);
}
