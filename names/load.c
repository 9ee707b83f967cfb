/* SPDX-License-Identifier: BSD-2-Clause */
/* Files of names. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names/map.h"

bool gw_name_map_load(gw_name_map *map, const char *path, char *why, size_t cap)
{
    char *text = malloc(GW_NAME_MAP_FILE + 1);
    FILE *in = text != NULL ? fopen(path, "rb") : NULL;
    size_t len = in != NULL ? fread(text, 1, GW_NAME_MAP_FILE + 1, in) : 0;
    bool good = false;

    if (in == NULL || ferror(in) != 0)
        (void)snprintf(why, cap, "%s", strerror(errno));
    else if (len > GW_NAME_MAP_FILE)
        (void)snprintf(why, cap, "more than %u bytes", GW_NAME_MAP_FILE);
    else
        good = gw_name_map_read(map, text, len, why, cap);
    if (!good)
        gw_name_map_clear(map);
    if (in != NULL)
        (void)fclose(in);
    free(text);
    return good;
}
