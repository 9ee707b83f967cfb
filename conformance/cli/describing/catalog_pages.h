/* SPDX-License-Identifier: BSD-2-Clause */
/* The rule catalogue as pages of Markdown. */
#ifndef GOLDWIRE_CATALOG_PAGES_H
#define GOLDWIRE_CATALOG_PAGES_H

#include "goldwire/base.h"
#include "goldwire/format.h"

/* gw_catalog_pages writes into |folder|, which is made when it is not there, a page for each
 * format, one for the ports that a simulator shows, and README.md, which leads to them. Files of
 * these names are overwritten. It returns a gw_exit. */
int gw_catalog_pages(const char *folder);

/* gw_catalog_page_of writes where |rule| of |format| stands in them into |out|, of |cap| bytes at
 * least 1, and returns |out|: "etherbone.md#eb-s04". */
const char *gw_catalog_page_of(char *out, size_t cap, const char *format, const char *rule);

#endif
