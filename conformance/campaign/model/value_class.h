/* SPDX-License-Identifier: BSD-2-Clause */
/* Kinds of values that a field may have, as its line in the table tells them apart: what a mutator
 * aims at, and what a campaign counts. */
#ifndef GOLDWIRE_CAMPAIGN_MODEL_VALUE_CLASS_H
#define GOLDWIRE_CAMPAIGN_MODEL_VALUE_CLASS_H

#include "goldwire/field.h"

/* gw_value_class is such a kind; a value may be of several. Those from GW_VALUE_ILLEGAL on are
 * illegal. */
typedef enum gw_value_class {
    GW_VALUE_ORDINARY = 0, /* legal, and of no other kind */
    GW_VALUE_NAMED,        /* the document has a name for it */
    GW_VALUE_ZERO,
    GW_VALUE_ONES,        /* all bits are set */
    GW_VALUE_HALF,        /* the largest without its top bit, or that bit alone */
    GW_VALUE_POWER,       /* one bit is set */
    GW_VALUE_BELOW_POWER, /* all bits below one are */
    GW_VALUE_LIMIT, /* the value that the document names as the only or the largest one, ... */
    GW_VALUE_BELOW_LIMIT, /* ... and those beside it */
    GW_VALUE_ABOVE_LIMIT,
    GW_VALUE_SHORT,  /* of a byte string: up to 8 bytes, ... */
    GW_VALUE_MEDIUM, /* ... up to 64, ... */
    GW_VALUE_LONG,   /* ... more */
    GW_VALUE_ILLEGAL,
    GW_VALUE_NOT_ZERO = GW_VALUE_ILLEGAL, /* reserved, or padding */
    GW_VALUE_ANOTHER,                     /* than the only one */
    GW_VALUE_NO_BIT,                      /* where one has to be set */
    GW_VALUE_MANY_BITS,
    GW_VALUE_ZERO_TOO, /* where anything else goes */
    GW_VALUE_TOO_LARGE,
    GW_VALUE_NO_MULTIPLE,
    GW_NUM_VALUE_CLASSES,
} gw_value_class;

/* gw_value_class_name returns what |value_class| is called, "all ones". */
const char *gw_value_class_name(gw_value_class value_class);

/* gw_value_classes returns what |item| is of, a bit for each: 1 << gw_value_class. */
uint32_t gw_value_classes(const gw_item *item);

/* gw_value_classes_of returns those that some value of |field| is of. */
uint32_t gw_value_classes_of(const gw_field *field);

#endif
