/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests: a software OP2P node on a desk, whose links and registers are at hand. */
#ifndef GOLDWIRE_FORMATS_OP2P_NODE_BOARD_TESTING_H
#define GOLDWIRE_FORMATS_OP2P_NODE_BOARD_TESTING_H

#include <stdio.h>
#include <string.h>

#include "boards/mem.h"
#include "boards/talk_testing.h"
#include "formats/op2p/node/board.h"

typedef struct desk {
    gw_peer_config config;
    gw_mem *mem;
    gw_op2p_node *node;
    gw_transport *links[GW_OP2P_NODE_PORTS];
    uint16_t sequence[GW_OP2P_NODE_PORTS];
} desk;

static inline void open_desk(desk *d, const char *dialect)
{
    char why[256] = "";
    *d = (desk){.config = {.dialect = gw_dialect_by_name(&gw_op2p, dialect)}};
    assert_non_null(d->config.dialect);
    d->mem = gw_mem_start(&gw_op2p_node_board, &d->config, why, sizeof(why));
    if (d->mem == NULL)
        fail_msg("%s", why);
    d->node = gw_mem_state(d->mem);
    for (unsigned i = 0; i < GW_OP2P_NODE_PORTS; i++) {
        d->links[i] = gw_mem_connect(d->mem, i, false, why, sizeof(why));
        assert_non_null(d->links[i]);
    }
    for (uint32_t i = 0; i < 0x100; i++)
        d->node->memory[i] = 0xd0000000 + 4 * i; /* as in the simulation */
}

static inline void close_desk(desk *d)
{
    for (unsigned i = 0; i < GW_OP2P_NODE_PORTS; i++)
        gw_transport_close(d->links[i]);
    gw_mem_stop(d->mem);
}

static inline void send_pdu(desk *d, unsigned link, const uint8_t *pdu, size_t len)
{
    uint8_t datagram[GW_OP2P_SHIM + GW_OP2P_PDU_MAX];
    gw_op2p_shim shim = {.version = 1, .sequence = d->sequence[link]++};

    gw_op2p_put_tunnel(datagram, &shim);
    memcpy(datagram + GW_OP2P_SHIM, pdu, len);
    gw_transport *t = d->links[link];
    assert_true(t->ops->send(t, datagram, GW_OP2P_SHIM + len));
}

static inline void send_hex(desk *d, const char *hex)
{
    uint8_t pdu[256];
    size_t len = unhex(pdu, hex);
    send_pdu(d, 0, pdu, len);
}

/* The next PDU from |link|; 0 when none comes. Link events are left out. */
static inline size_t receive(desk *d, unsigned link, uint8_t *pdu, size_t cap)
{
    gw_transport *t = d->links[link];
    uint8_t datagram[2048];
    size_t len;

    while (t->ops->recv(t, datagram, sizeof(datagram), &len, t->ops->now(t) + 1000000, NULL,
                        NULL) == GW_RECV_DATA) {
        if (len <= GW_OP2P_SHIM || datagram[3] != GW_OP2P_KIND_PDU)
            continue;
        len -= GW_OP2P_SHIM;
        assert_true(len <= cap);
        memcpy(pdu, datagram + GW_OP2P_SHIM, len);
        return len;
    }
    return 0;
}

static inline void expect_hex(desk *d, const char *hex)
{
    uint8_t expected[256], got[GW_OP2P_PDU_MAX];
    size_t len = unhex(expected, hex);
    size_t got_len = receive(d, 0, got, sizeof(got));

    assert_int_equal(got_len, len);
    if (len > 0)
        assert_memory_equal(got, expected, len);
}

static inline void command(desk *d, unsigned port, bool read, const uint32_t words[5])
{
    uint32_t at =
        port * GW_OP2P_REGISTERS + (read ? GW_OP2P_RDREQ_LOCALADDRESS : GW_OP2P_WR_SOURCEADDRESS);
    for (uint32_t i = 0; i < 5; i++)
        assert_true(gw_op2p_write_register(d->node, at + 4 * i, words[i]));
}

static inline uint32_t reg(desk *d, uint32_t address)
{
    uint32_t value = 0;
    assert_true(gw_op2p_read_register(d->node, address, &value));
    return value;
}

static inline void send_event(desk *d, uint8_t kind, uint8_t flags, uint8_t code, const char *hex)
{
    uint8_t datagram[512];
    gw_op2p_shim shim = {
        .version = 1, .kind = kind, .flags = flags, .code = code, .sequence = d->sequence[0]++};
    size_t len = unhex(datagram + GW_OP2P_SHIM, hex);

    gw_op2p_put_tunnel(datagram, &shim);
    gw_transport *t = d->links[0];
    assert_true(t->ops->send(t, datagram, GW_OP2P_SHIM + len));
}

/* All that comes within |time_ns|: "off on down up", and of a frame the type. */
static inline const char *said(desk *d, int64_t time_ns)
{
    static char text[256];
    gw_transport *t = d->links[0];
    uint8_t datagram[2048];
    size_t len, at = 0;
    int64_t deadline = t->ops->now(t) + time_ns;

    text[0] = '\0';
    while (t->ops->recv(t, datagram, sizeof(datagram), &len, deadline, NULL, NULL) ==
           GW_RECV_DATA) {
        bool set = datagram[5] != 0;
        const char *word = datagram[3] == GW_OP2P_KIND_NFC       ? set ? "off" : "on"
                           : datagram[3] == GW_OP2P_KIND_CHANNEL ? set ? "up" : "down"
                                                                 : NULL;
        if (word != NULL)
            at += (size_t)snprintf(text + at, sizeof(text) - at, "%s ", word);
        else
            at += (size_t)snprintf(text + at, sizeof(text) - at, "%x/%zu ", datagram[22] >> 4,
                                   len - GW_OP2P_SHIM - GW_OP2P_HEADER);
    }
    return text;
}

#endif
