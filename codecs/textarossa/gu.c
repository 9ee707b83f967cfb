/* SPDX-License-Identifier: BSD-2-Clause */
/* Multi-header encapsulation: a payload that begins with a count and ends with the headers of
 * further hops, in HLS view (hls). */
#include <string.h>

#include "goldwire/cursor.h"
#include "textarossa/internal.h"

/* The canonical size is a multiple of a word, whatever the counts. The published sender adds the
 * number of headers, and 1, to the bytes: seen wherever that is no multiple. */
bool gw_tx_gu_read(gw_tx_gu *out, const gw_tx_packet *packet)
{
    uint8_t first[GW_TX_WORD] = {0};
    uint32_t size = packet->header.packet_size;

    memset(out, 0, sizeof *out);
    if (gw_tx_copy_payload(packet, first, sizeof first) < 4)
        return false;
    out->count = gw_load_le32(first);
    out->words = gw_tx_words(size, GW_TX_WORD);
    out->underflow = out->count >= out->words;
    out->data_words = out->underflow ? 0 : out->words - out->count - 1;
    out->size_as_published = size % GW_TX_WORD != 0 && !out->underflow && size > out->count;
    return true;
}

bool gw_tx_gu_header(gw_tx_header *out, const gw_tx_packet *packet, const gw_tx_gu *gu, uint32_t i)
{
    uint8_t bytes[GW_TX_WORD] = {0};
    size_t at = (size_t)GW_TX_WORD * (1 + (size_t)gu->data_words + i);

    if (gu->underflow || i >= gu->count ||
        gw_tx_copy_payload_from(packet, at, bytes, sizeof bytes) < sizeof bytes)
        return false;
    *out = gw_tx_unpack(gw_tx_load(bytes, sizeof bytes, GW_TX_ORDER_A), GW_TX_HLS);
    return true;
}
