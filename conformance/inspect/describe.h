/* SPDX-License-Identifier: BSD-2-Clause */
/* A message for people (a tree) and for scripts (one JSON object). */
#ifndef INSPECT_DESCRIBE_H
#define INSPECT_DESCRIBE_H

#include <stdio.h>

#include "inspect/account.h"
#include "inspect/pipeline.h"
#include "json/json.h"

/* gw_describe_tree prints |found| to |out|: a line for the message, its containers and fields
 * indented below, then the error and the findings. |account| was opened with |found|. */
void gw_describe_tree(FILE *out, const gw_found *found, gw_account *account);

/* gw_describe_object writes |found|, a message of the capture |file|, as one line of JSON. False
 * when memory is short: what is derived from the fields is missing then. */
bool gw_describe_object(gw_json *json, const char *file, const gw_found *found,
                        gw_account *account);

#endif
