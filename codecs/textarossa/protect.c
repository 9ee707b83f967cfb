/* SPDX-License-Identifier: BSD-2-Clause */
/* What the check byte of a word says, and what a receiver makes of it. */
#include "goldwire/secded.h"
#include "textarossa/internal.h"

gw_tx_word gw_tx_protect(gw_tx_word word)
{
    PUT(word, EDAC, gw_secded_encode(word.lo, word.hi));
    return word;
}

gw_tx_edac gw_tx_edac_judge(gw_tx_word word, bool is_on, const gw_tx_dialect *dialect)
{
    gw_secded_result r = gw_secded_check(word.lo, word.hi, !dialect->rtl);
    gw_tx_edac e = {.word = word,
                    .status = r.status,
                    .expected = r.expected,
                    .syndrome = r.syndrome,
                    .bit = r.bit};

    if (!is_on && GET(word, EDAC) == 0 && e.expected != 0) {
        e.status = GW_TX_EDAC_OFF;
        e.bit = GW_SECDED_NO_BIT;
    } else if (r.status == GW_SECDED_CORRECTED) {
        e.word = gw_tx_protect((gw_tx_word){r.lo, r.hi});
    }
    return e;
}

gw_tx_header gw_tx_framing(gw_tx_word word, bool edac_is_on, const gw_tx_dialect *dialect)
{
    if (!dialect->rtl)
        return gw_tx_unpack(gw_tx_edac_judge(word, edac_is_on, dialect).word, GW_TX_PORT);

    gw_tx_header h = gw_tx_unpack(word, GW_TX_PORT);
    h.packet_type &= (uint8_t)~GW_TX_TYPE_HEADER_ONLY; /* its transmitter never looks (sim HO) */
    return h;
}
