/* SPDX-License-Identifier: BSD-2-Clause */
/* Conversations of each format, built as a good board builds them. */
#include "bench/scale/kinds.h"

#include <stdlib.h>
#include <string.h>

#include "goldwire/cursor.h"
#include "goldwire/etherbone.h"
#include "goldwire/ib.h"
#include "goldwire/ims.h"
#include "goldwire/l1farm.h"
#include "goldwire/op2p.h"
#include "goldwire/textarossa.h"

enum {
    EB_WIDTHS = 0x44,
    IMS_FRAME = 64,
    ADDRESSES = 1 << 16, /* return addresses that requests take in turn */
};

#define IMS_START UINT64_C(0x2000000000)

static uint32_t return_address(const scale_exchange *x)
{
    return 0x100000 + 4 * (uint32_t)(x->number % ADDRESSES);
}

/* ---- EtherBone: a read of one word ---- */

static size_t eb_records(uint8_t *out, size_t cap, const gw_eb_operation *op, bool bare)
{
    gw_eb_builder b;

    if (!(bare ? gw_eb_build_records(&b, out, cap, EB_WIDTHS, NULL)
               : gw_eb_build_packet(&b, out, cap, EB_WIDTHS, NULL)) ||
        !gw_eb_build_record(&b, op))
        abort();
    return gw_eb_build_end(&b, true);
}

static size_t eb_read(uint8_t *out, size_t cap, const scale_exchange *x, bool bare)
{
    const uint64_t address = 0x20000 + 4 * (x->number % 1024);
    const gw_eb_operation op = {.reads = &address,
                                .num_reads = 1,
                                .return_base = return_address(x),
                                .flags = GW_EB_CYC,
                                .byte_enable = 0x0f};

    return eb_records(out, cap, &op, bare);
}

static size_t eb_result(uint8_t *out, size_t cap, const scale_exchange *x, bool bare)
{
    const uint64_t value = x->number;
    const gw_eb_operation op = {.writes = &value,
                                .num_writes = 1,
                                .write_base = return_address(x),
                                .flags = GW_EB_CYC,
                                .byte_enable = 0x0f};

    return eb_records(out, cap, &op, bare);
}

static size_t eb_ask(uint8_t *out, size_t cap, const scale_exchange *x)
{
    return eb_read(out, cap, x, false);
}

static size_t eb_answer(uint8_t *out, size_t cap, const scale_exchange *x)
{
    return eb_result(out, cap, x, false);
}

static size_t eb_ask_bare(uint8_t *out, size_t cap, const scale_exchange *x)
{
    return eb_read(out, cap, x, true);
}

static size_t eb_answer_bare(uint8_t *out, size_t cap, const scale_exchange *x)
{
    return eb_result(out, cap, x, true);
}

size_t scale_open(uint8_t *out, size_t cap, const scale_exchange *x)
{
    (void)cap;
    gw_eb_build_probe(out, false, EB_WIDTHS, (uint32_t)x->number);
    return 8;
}

size_t scale_opened(uint8_t *out, size_t cap, const scale_exchange *x)
{
    (void)cap;
    gw_eb_build_probe(out, true, EB_WIDTHS, (uint32_t)x->number);
    return 8;
}

/* ---- TEXTAROSSA: 16 bytes to a task, and back ---- */

static size_t tx_packet(uint8_t *out, size_t cap, const scale_exchange *x, const gw_endpoint *to)
{
    uint8_t payload[16];
    gw_tx_draft d = {.payload = payload, .payload_len = sizeof payload};

    gw_store_be(payload, x->number, 8);
    gw_store_be(payload + 8, x->number * 7, 8);
    d.header.virt_chan = GW_TX_LAST_VC0;
    d.header.proc_id = 3;
    d.header.dest_addr = (uint64_t)to->port << 32 | gw_load_be32(to->ip);
    d.footer = gw_tx_footer_word(GW_TX_FOOTER_HAPECOM, GW_TX_PORT);
    return gw_tx_build(out, cap, &d, NULL);
}

static size_t tx_ask(uint8_t *out, size_t cap, const scale_exchange *x)
{
    return tx_packet(out, cap, x, &x->answers);
}

static size_t tx_answer(uint8_t *out, size_t cap, const scale_exchange *x)
{
    return tx_packet(out, cap, x, &x->asks);
}

/* ---- OP2P through the tunnel: a read of one double word ---- */

static size_t op2p_packet(uint8_t *out, const scale_exchange *x, const gw_op2p_header *header,
                          size_t payload)
{
    const gw_op2p_shim shim = {
        .version = 1, .kind = GW_OP2P_KIND_PDU, .sequence = (uint16_t)x->turn};

    gw_op2p_put_tunnel(out, &shim);
    gw_op2p_put(out + GW_OP2P_SHIM, header);
    memset(out + GW_OP2P_SHIM + GW_OP2P_HEADER, 0x5a, payload);
    return GW_OP2P_SHIM + GW_OP2P_HEADER + payload;
}

static size_t op2p_ask(uint8_t *out, size_t cap, const scale_exchange *x)
{
    const gw_op2p_header h = {.src_id = 0x42,
                              .dst_id = 0x41,
                              .dst_addr = 0x2000,
                              .src_addr = return_address(x),
                              .byte_count = 4,
                              .type = GW_OP2P_READ,
                              .fbe = 0xf};

    (void)cap;
    return op2p_packet(out, x, &h, 0);
}

static size_t op2p_answer(uint8_t *out, size_t cap, const scale_exchange *x)
{
    const gw_op2p_header h = {.src_id = 0x41,
                              .dst_id = 0x42,
                              .dst_addr = return_address(x),
                              .src_addr = 0x2000,
                              .byte_count = 4,
                              .type = GW_OP2P_COMPLETION,
                              .fbe = 0xf};

    (void)cap;
    return op2p_packet(out, x, &h, 4);
}

/* ---- IMS streaming: frames of one packet; and Workers that register ---- */

static uint64_t ims_va(const scale_exchange *x)
{
    return IMS_START + IMS_FRAME * (x->turn % ADDRESSES);
}

static size_t ims_build(uint8_t *out, size_t cap, const gw_ims_draft *d, const gw_endpoint *src,
                        const gw_endpoint *dst)
{
    size_t len = gw_ims_build_datagram(out, cap, d, NULL, src, dst);

    if (len == 0)
        abort();
    return len;
}

static size_t ims_frame(uint8_t *out, size_t cap, const scale_exchange *x)
{
    static const uint8_t data[IMS_FRAME];
    const gw_ib_reth reth = {.va = ims_va(x), .rkey = 0xcafe0002, .length = IMS_FRAME};
    const gw_ims_draft d = gw_ims_draft_write(0x80, (uint32_t)x->turn, &reth, 0, data, sizeof data);

    return ims_build(out, cap, &d, &x->answers, &x->asks);
}

static size_t ims_ack(uint8_t *out, size_t cap, const scale_exchange *x)
{
    const gw_ims_ack ack = {.type = GW_IMS_TYPE_ACK, .va = ims_va(x)};
    const gw_ims_draft d = gw_ims_draft_ack(0x301, (uint32_t)x->turn, &ack);

    return ims_build(out, cap, &d, &x->asks, &x->answers);
}

static gw_ims_draft ims_status(const scale_exchange *x, uint8_t method)
{
    const gw_ims_status status = {.method = method,
                                  .major = GW_IMS_MAJOR,
                                  .minor = GW_IMS_MINOR,
                                  .lid = x->place & 0x7fff,
                                  .qpn = 0x300,
                                  .key = method == GW_IMS_STAT_REQ ? 0x33333333 : 0};

    if (method == GW_IMS_STAT_REQ)
        return gw_ims_draft_status(2, 0x300, 0x0b0b0b0b, (uint32_t)x->turn, &status);
    return gw_ims_draft_status(0x300, 2, 0x33333333, (uint32_t)x->turn, &status);
}

static size_t ims_register(uint8_t *out, size_t cap, const scale_exchange *x)
{
    const gw_ims_draft d = ims_status(x, GW_IMS_STAT_REQ);

    return ims_build(out, cap, &d, &x->answers, &x->asks);
}

static size_t ims_registered(uint8_t *out, size_t cap, const scale_exchange *x)
{
    const gw_ims_draft d = ims_status(x, GW_IMS_STAT_RES);

    return ims_build(out, cap, &d, &x->asks, &x->answers);
}

/* ---- Level-1 farm: SCI writes through the tunnel; and sub-events of one readout unit ---- */

static size_t l1_datagram(uint8_t *out, gw_l1_shim shim, const void *data, size_t len)
{
    shim.version = 1;
    shim.length = (uint16_t)len;
    gw_l1_put_shim(out, &shim);
    if (len > 0)
        memcpy(out + GW_L1_SHIM, data, len);
    return GW_L1_SHIM + len;
}

/* Nodes are numbered, 64 transactions each: who asks is another one each 64 requests. */
static gw_l1_sci l1_send(const scale_exchange *x)
{
    static const uint8_t data[16];

    return (gw_l1_sci){.target = (uint16_t)(0x4000 + x->place % 0x4000),
                       .command = 0x40,
                       .source = (uint16_t)(x->number / GW_L1_TID % 0x4000),
                       .control = (uint16_t)(x->number % GW_L1_TID),
                       .addr = 0x10000000,
                       .data = data,
                       .data_len = sizeof data};
}

static size_t l1_write(uint8_t *out, size_t cap, const scale_exchange *x)
{
    uint8_t record[GW_L1_SCI_RECORD + 64] = {1};
    const gw_l1_sci sci = l1_send(x);

    (void)cap;
    size_t len = gw_l1_build_send(record + GW_L1_SCI_RECORD, 64, &sci, gw_l1_profile_of(NULL));
    return l1_datagram(out, (gw_l1_shim){.kind = GW_L1_KIND_SCI}, record, GW_L1_SCI_RECORD + len);
}

static size_t l1_echo(uint8_t *out, size_t cap, const scale_exchange *x)
{
    uint8_t record[GW_L1_SCI_RECORD + GW_L1_SCI_ECHO] = {1, GW_L1_SCI_IS_ECHO};
    const gw_l1_sci sci = l1_send(x);

    (void)cap;
    gw_l1_build_echo(record + GW_L1_SCI_RECORD, &sci, sci.target, false, false,
                     gw_l1_profile_of(NULL));
    return l1_datagram(out, (gw_l1_shim){.kind = GW_L1_KIND_SCI}, record, sizeof record);
}

static gw_l1_shim l1_event(const scale_exchange *x, uint8_t kind)
{
    const gw_l1_profile *p = gw_l1_profile_of(NULL);

    return (gw_l1_shim){.kind = kind,
                        .little = kind == GW_L1_KIND_SUBEVENT,
                        .buffer = (uint8_t)(x->number / p->nodes % p->buffers),
                        .dest = (uint16_t)(x->number % p->nodes),
                        .event = (uint16_t)x->number,
                        .step = (uint32_t)x->number};
}

static size_t l1_subevent(uint8_t *out, size_t cap, const scale_exchange *x)
{
    uint8_t words[GW_L1_SUBEVENT];

    (void)cap;
    gw_l1_put_words(words, (uint16_t)x->number, 0, sizeof words / GW_L1_WORD);
    return l1_datagram(out, l1_event(x, GW_L1_KIND_SUBEVENT), words, sizeof words);
}

static size_t l1_free(uint8_t *out, size_t cap, const scale_exchange *x)
{
    (void)cap;
    return l1_datagram(out, l1_event(x, GW_L1_KIND_FREE), NULL, 0);
}

const scale_kind scale_kinds[] = {
    {"etherbone", &gw_etherbone, eb_ask, eb_answer, 60368, false, 0x08, 2},
    {"etherbone-tcp", &gw_etherbone, eb_ask_bare, eb_answer_bare, 60368, true, 0x10, 0},
    {"textarossa", &gw_textarossa, tx_ask, tx_answer, GW_TX_UDP_PORT, false, 0x01, 14},
    {"op2p", &gw_op2p, op2p_ask, op2p_answer, 50000, false, 0x01, 23},
    {"ims", &gw_ims, ims_frame, ims_ack, GW_ROCE_PORT, false, 0x01, 90},
    {"ims-status", &gw_ims, ims_register, ims_registered, GW_ROCE_PORT, false, 0x01, 50},
    {"l1farm", &gw_l1farm, l1_subevent, l1_free, 50000, false, 0x01, GW_L1_SHIM + 7},
    {"l1farm-sci", &gw_l1farm, l1_write, l1_echo, 50000, false, 0x01, GW_L1_SHIM + 30},
    {0},
};
