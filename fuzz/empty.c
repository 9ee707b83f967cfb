/* SPDX-License-Identifier: BSD-2-Clause */
/* Does nothing: how fast the fuzzer itself is, for comparison. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    (void)data;
    (void)size;
    return 0;
}
