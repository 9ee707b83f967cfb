/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>

#include "goldwire/base.h"

int main(void)
{
    puts("goldwire " GW_VERSION);
    return 0;
}
