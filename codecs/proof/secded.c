/* SPDX-License-Identifier: BSD-2-Clause */
/* The SECDED code over any word. That it is the right code is what secded_test.c shows, bit by bit;
 * here is that no word makes it read beside its tables. */
#include "goldwire/secded.h"
#include "proof/proof.h"

void proof_secded(void)
{
    gw_secded_result r = gw_secded_check(any_u64(), any_u64(), any_bool());

    //@ assert status: r.status == 0 || r.status == 1 || r.status == 3;
}
