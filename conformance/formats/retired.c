/* SPDX-License-Identifier: BSD-2-Clause */
/* The ids that were given up: none so far. */
#include "formats/retired.h"

#include <stddef.h>
#include <string.h>

const gw_retired_id gw_retired[] = {
    {NULL, NULL, NULL},
};

const gw_retired_id *gw_retired_find(const char *id)
{
    for (const gw_retired_id *r = gw_retired; r->id != NULL; r++)
        if (strcmp(r->id, id) == 0)
            return r;
    return NULL;
}
