/* SPDX-License-Identifier: BSD-2-Clause */
/* The filters that only nodes have. */
#ifndef GOLDWIRE_FORMATS_TEXTAROSSA_NODE_MUTANTS_H
#define GOLDWIRE_FORMATS_TEXTAROSSA_NODE_MUTANTS_H

#include "formats/textarossa/mutants/mutants.h"

#endif
