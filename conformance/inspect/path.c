/* SPDX-License-Identifier: BSD-2-Clause */
/* Paths of fields. Built by hand: a path is wanted for every field that is printed. */
#include "inspect/path.h"

#include <string.h>

/* Appends to the text beyond |len|, which may be longer than path->len; returns the new length. */
static size_t add(gw_path *path, size_t len, const char *s)
{
    size_t more = strlen(s);

    if (more > sizeof path->text - 1 - len)
        more = sizeof path->text - 1 - len;
    memcpy(path->text + len, s, more);
    return len + more;
}

static size_t add_index(gw_path *path, size_t len, uint32_t index)
{
    char digits[16];
    size_t at = sizeof digits;

    digits[--at] = '\0';
    digits[--at] = ']';
    do {
        digits[--at] = (char)('0' + index % 10);
        index /= 10;
    } while (index != 0);
    digits[--at] = '[';
    return add(path, len, digits + at);
}

static size_t add_group(gw_path *path, size_t len, const gw_group *group, uint32_t index)
{
    if (group == NULL || group->segment[0] == '\0')
        return len;
    if (len > 0)
        len = add(path, len, ".");
    len = add(path, len, group->segment);
    return group->indexed ? add_index(path, len, index) : len;
}

void gw_path_init(gw_path *path, const char *root)
{
    path->depth = 0;
    path->len = add(path, 0, root);
}

void gw_path_open(gw_path *path, const gw_group *group, uint32_t index)
{
    if (path->depth < GW_PATH_DEPTH)
        path->ends[path->depth] = path->len;
    path->depth++;
    path->len = add_group(path, path->len, group, index);
}

void gw_path_close(gw_path *path)
{
    if (path->depth == 0)
        return;
    path->depth--;
    if (path->depth < GW_PATH_DEPTH)
        path->len = path->ends[path->depth];
}

const char *gw_path_of(gw_path *path, const gw_item *item)
{
    size_t len = add_group(path, path->len, item->field->group, item->index);

    if (len > 0)
        len = add(path, len, ".");
    len = add(path, len, gw_field_key(item->field));
    path->text[len] = '\0';
    return path->text;
}
