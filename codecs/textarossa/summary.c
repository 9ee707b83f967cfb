/* SPDX-License-Identifier: BSD-2-Clause */
/* One line for people: "16 B to 1.0.0 port 0, channel 3". */
#include "goldwire/text.h"
#include "textarossa/internal.h"

static void put(gw_text *t, const char *label, uint64_t value)
{
    gw_text_str(t, label);
    gw_text_dec(t, value);
}

static void packet(gw_text *t, const gw_tx_packet *p)
{
    gw_tx_header h = gw_tx_unpack(p->edac.word, GW_TX_PORT);

    if (h.out_of_lattice != 0)
        gw_text_str(t, "Out of lattice: ");
    if (gw_tx_header_only(&h)) {
        gw_text_str(t, "Header only");
    } else {
        gw_text_dec(t, h.packet_size);
        gw_text_str(t, " B");
    }
    put(t, " to ", h.dest_x);
    put(t, ".", h.dest_y);
    put(t, ".", h.dest_z);
    put(t, " port ", h.intra_dest);
    put(t, ", channel ", h.proc_id);
    if (p->edac.status == GW_TX_EDAC_CORRECTED)
        put(t, ", EDAC corrected bit ", p->edac.bit);
    else if (p->edac.status == GW_TX_EDAC_FATAL)
        gw_text_str(t, ", EDAC fatal");
    if (p->num_credits > 0) {
        put(t, ", ", p->num_credits);
        gw_text_str(t, p->num_credits == 1 ? " credit inside" : " credits inside");
    }
}

void gw_tx_summary(const gw_message *message, const gw_dialect *dialect, gw_text *t)
{
    gw_tx_packet p;
    gw_error error = gw_tx_decode(&p, message, dialect);

    if (p.has_header) {
        packet(t, &p);
    } else if (message->part == GW_TX_PART_IDLE) {
        gw_text_dec(t, p.num_credits);
        gw_text_str(t, p.num_credits == 1 ? " credit" : " credits");
    } else if (message->part == GW_TX_PART_STRAY) {
        gw_text_dec(t, message->len);
        gw_text_str(t, message->len == 1 ? " stray byte" : " stray bytes");
    } else {
        gw_text_str(t, "Packet");
    }
    gw_text_end(t, &error);
}
