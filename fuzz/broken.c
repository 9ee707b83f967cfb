/* SPDX-License-Identifier: BSD-2-Clause */
/* Deliberately broken: a length check that trusts the count in the header, as careless decoders do.
 * A test runs the fuzzer on it and fails unless it is caught; so a fuzzer that has gone blind is
 * noticed. */
#include "fuzz.h"
#include "goldwire/etherbone.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t sum = 0;

    if (size < 12 || gw_load_be16(data) != GW_EB_MAGIC || data[2] >> 4 != GW_EB_VERSION ||
        data[3] != 0x44)
        return 0;
    uint8_t *bytes = gw_fuzz_copy(data, size);
    for (unsigned i = 0; i < bytes[6]; i++)
        sum += gw_load_be32(bytes + 12 + 4 * (size_t)i); /* never asks whether they are there */
    free(bytes);
    return sum == 0x600dc0de ? -1 : 0;
}
