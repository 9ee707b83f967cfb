/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine, its frames and their times. */
#include "wireshark/engine.h"

#include <epan/packet.h>
#include <epan/timestamp.h>
#include <wsutil/filesystem.h>
#include <wsutil/privileges.h>
#include <wsutil/wslog.h>

void plugin_register(void);
int __lsan_is_turned_off(void);

/* What Wireshark keeps until its end looks like leaks, and looking takes longer than the rest. */
int __lsan_is_turned_off(void)
{
    return 1;
}

static const gw_engine_frame *known;
static const unsigned *num_known;

static const nstime_t *time_of(struct packet_provider_data *prov, guint32 number)
{
    static const nstime_t earlier = {.secs = 1700000000}; /* a frame that is no longer there */

    (void)prov;
    for (unsigned i = 0; i < *num_known; i++) {
        if (known[i].fd.num == number)
            return &known[i].fd.abs_ts;
    }
    return &earlier;
}

/* Others' guesses at what InfiniBand carries take no care of packets that carry nothing. */
static void keep_ours(const gchar *table, heur_dtbl_entry_t *guess, gpointer data)
{
    const char *name = proto_get_protocol_filter_name(proto_get_id(guess->protocol));

    (void)table;
    (void)data;
    guess->enabled = FALSE;
    for (size_t i = 0; i < gw_num_formats; i++)
        guess->enabled |= strcmp(name, gw_formats[i]->name) == 0;
}

void gw_engine_start(void)
{
    static char name[] = "fuzz_wireshark";

    /* Plain malloc for Wireshark's pools, so that AddressSanitizer sees one byte too far. */
    gw_fuzz_check(setenv("WIRESHARK_ABORT_ON_DISSECTOR_BUG", "1", 1) == 0 &&
                      setenv("WIRESHARK_DEBUG_WMEM_OVERRIDE", "simple", 1) == 0,
                  "no environment");
    ws_log_init(name, NULL);
    init_process_policies();
    free(configuration_init(name, NULL));
    wtap_init(FALSE);
    plugin_register();
    gw_fuzz_check(epan_init(NULL, NULL, FALSE), "Wireshark's engine does not start");
    (void)epan_load_settings();
    heur_dissector_table_foreach("infiniband.payload", keep_ours, NULL);
    timestamp_set_type(TS_RELATIVE);
}

epan_t *gw_engine_open(const gw_engine_frame *frames, const unsigned *num)
{
    static const struct packet_provider_funcs funcs = {.get_frame_ts = time_of};

    known = frames;
    num_known = num;
    epan_t *session = epan_new(NULL, &funcs);
    gw_fuzz_check(session != NULL, "Wireshark's engine opens no capture");
    return session;
}

void gw_engine_admit(gw_engine_frame *frame, guint32 number, int encap, guint32 interface,
                     int64_t time_ns)
{
    wtap_rec *rec = &frame->rec;

    wtap_rec_init(rec);
    rec->rec_type = REC_TYPE_PACKET;
    rec->presence_flags = WTAP_HAS_TS | WTAP_HAS_CAP_LEN | WTAP_HAS_INTERFACE_ID;
    rec->ts.secs = (time_t)(time_ns / 1000000000);
    rec->ts.nsecs = (int)(time_ns % 1000000000);
    rec->rec_header.packet_header.len = (guint32)frame->len;
    rec->rec_header.packet_header.caplen = (guint32)frame->cap_len;
    rec->rec_header.packet_header.interface_id = interface;
    rec->rec_header.packet_header.pkt_encap = encap;
    frame_data_init(&frame->fd, number, rec, 0, 0);
}

void gw_engine_dissect(epan_dissect_t *edt, gw_engine_frame *frame)
{
    epan_dissect_run(edt, WTAP_FILE_TYPE_SUBTYPE_UNKNOWN, &frame->rec,
                     tvb_new_real_data(frame->bytes, (guint)frame->cap_len, (gint)frame->len),
                     &frame->fd, NULL);
}

void gw_engine_release(gw_engine_frame *frame)
{
    frame_data_destroy(&frame->fd);
    wtap_rec_cleanup(&frame->rec);
}
