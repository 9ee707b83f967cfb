/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone slave behind an Ethernet port: padding of short frames, and answers to stations whose
 * hardware address it must find out first. */
#include <inttypes.h>
#include <string.h>

#include "formats/etherbone/slave/suite.h"
#include "formats/etherbone/suite.h"
#include "goldwire/cursor.h"
#include "suite/wire.h"

/* A packet that writes |value| to |address|. */
static void make_write(gw_ctx *ctx, gw_ebc_request *request, uint64_t address, uint64_t value)
{
    gw_eb_operation op = {.write_base = address,
                          .writes = &value,
                          .num_writes = 1,
                          .flags = GW_EB_CYC,
                          .byte_enable = gw_ebc_lanes(ctx)};
    gw_ebc_make(ctx, request, &op, 1);
}

/* Sends the first |len| bytes of |packet| in a datagram, and the others as what pads its frame. */
static unsigned send_padded(gw_ctx *ctx, const uint8_t *packet, size_t len, size_t whole)
{
    uint8_t frame[GW_ETHER_FRAME_MAX];
    enum { LOWER_LAYERS = GW_ETHER_HEADER + 20 + 8 };
    gw_wire_station us = gw_wire_us(ctx);
    if (!gw_eb_survives(gw_case_dialect(ctx), packet, len))
        gw_case_forgo(ctx, "EB-S53", "devices of this dialect may be dead until reset after it");
    size_t end = gw_wire_datagram(ctx, frame, &us, packet, len);
    memcpy(frame + LOWER_LAYERS + len, packet + len, whole - len);
    if (end < LOWER_LAYERS + whole)
        end = LOWER_LAYERS + whole;
    unsigned number = gw_wire_send(ctx, frame, end);
    gw_case_mark(ctx, number, "a datagram of %zu bytes, and %zu bytes of padding", len,
                 end - LOWER_LAYERS - len);
    return number;
}

/* A whole record of writes stands in the padding. */
static void padding(gw_ctx *ctx)
{
    gw_ebc_request write;
    uint64_t address = gw_ebc_ram(ctx, 8);
    uint64_t value = gw_ebc_word(ctx);
    gw_ebc_write(ctx, address, value);
    make_write(ctx, &write, address, value ^ 1);
    (void)send_padded(ctx, write.bytes, gw_ebc_layout(ctx).header_len, write.len);
    gw_ebc_expire_return_address(ctx, &write);
    gw_ebc_expect_word(ctx, "EB-S53", address, value,
                       "memory that a record in the padding would have written");
}

/* The end of the record stands in the padding. */
static void end_in_padding(gw_ctx *ctx)
{
    gw_ebc_request write;
    uint64_t address = gw_ebc_ram(ctx, 8);
    uint64_t value = gw_ebc_word(ctx);
    gw_ebc_write(ctx, address, value);
    make_write(ctx, &write, address, value ^ 1);
    (void)send_padded(ctx, write.bytes, write.len - gw_ebc_layout(ctx).data_unit, write.len);
    gw_ebc_expire_return_address(ctx, &write);
    gw_ebc_expect_word(ctx, "EB-S53", address, value,
                       "memory that a record with its end in the padding would have written");
}

/* Waits for the answer to |number|, and says where |who| is when the board asks, after |delay_ns|.
 */
static bool await_answer(gw_ctx *ctx, const gw_wire_station *who, int64_t delay_ns,
                         gw_wire_frame *f)
{
    int64_t deadline = gw_wire_deadline(ctx, gw_case_reply_ns(ctx));
    bool told = false;
    while (gw_wire_next(ctx, f, deadline)) {
        if (gw_wire_is_to(f, who))
            return true;
        if (!gw_wire_is_arp_request(f, who) || told)
            continue;
        gw_case_wait(gw_case_connection(ctx), delay_ns);
        (void)gw_wire_send_arp_reply(ctx, who, who->mac);
        told = true;
    }
    return false;
}

static void new_station(gw_ctx *ctx)
{
    uint8_t probe[GW_EB_PROBE_MAX];
    size_t probe_len = gw_eb_build_any_probe(probe, 0xff, 0x47570001, gw_case_dialect(ctx));
    gw_wire_station stranger = gw_wire_stranger(ctx, NULL);
    gw_wire_frame f;
    gw_miss miss = {.rule = "EB-S03",
                    .packet = gw_wire_send_datagram(ctx, &stranger, probe, probe_len)};
    if (!await_answer(ctx, &stranger, gw_case_scaled_ns(ctx, 20 * GW_MS), &f))
        gw_case_fail(ctx, &miss,
                     "a probe of a station that the board has to ask for by ARP is not answered");
    size_t len = (size_t)(f.net.payload.end - f.net.payload.p);
    miss.packet = f.number;
    if (len < 4 || gw_load_be16(f.net.payload.p) != 0x4e6f || (f.net.payload.p[2] & GW_EB_PR) == 0)
        gw_case_fail(ctx, &miss, "a new station's probe is answered by no probe response");
    gw_wire_settle(ctx, &stranger);
}

const gw_case gw_eb_s_wire[] = {
    {.id = "eb-s/new-station",
     .title = "A probe is answered to a station that the board has to ask for by ARP",
     .rules = GW_LIST("EB-S03"),
     .after = GW_LIST("eb-s/probe-echo"),
     .needs = GW_LIST(GW_NEEDS_RAW),
     .run = new_station},
    {.id = "eb-s/padding-record",
     .title = "A record that stands in the padding of a frame is not executed",
     .rules = GW_LIST("EB-S53"),
     .after = GW_LIST("eb-s/write-read"),
     .needs = GW_LIST(GW_NEEDS_RAW, "ram"),
     .run = padding},
    {.id = "eb-s/end-in-padding",
     .title = "A record whose end stands in the padding of a frame is not executed",
     .rules = GW_LIST("EB-S53"),
     .after = GW_LIST("eb-s/write-read"),
     .needs = GW_LIST(GW_NEEDS_RAW, "ram"),
     .negative = true,
     .run = end_in_padding},
    {0},
};
