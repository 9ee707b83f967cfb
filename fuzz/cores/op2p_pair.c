/* SPDX-License-Identifier: BSD-2-Clause */
#include "cores/op2p_pair.h"

#include "goldwire/etherbone.h"
#include "goldwire/writer.h"

#define CYCLE_NS 14  /* of 75 MHz, rounded up */
#define LATE 6000    /* cycles that an answer may take (board.yaml of the core) */
#define REST 24      /* cycles that the core takes for anything, ... */
#define A_WORD 3     /* ... and for a word of it: in, to memory or from it */
#define A_FRAME 800  /* cycles in which the longest frame is made and sent */
#define AT_ONCE 12   /* frames, whose answers the core has room for */
#define PAUSE_MOST 8 /* flow control codes up to here are pauses of 2 ^ code cycles */

enum { CORE, NODE };

/* ---- the software node ---- */

static void on_send(gw_peer_out *out, unsigned link, uint32_t conn, const uint8_t *data, size_t len)
{
    gw_fuzz_pair *p = (gw_fuzz_pair *)out;

    (void)conn;
    if (link >= GW_OP2P_NODE_PORTS)
        return;
    gw_op2p_tell("the node", link, data, len);
    gw_op2p_said_add(p->said[NODE], link, data, len);
    gw_op2p_judge_heard(p->judges[NODE], link, true, data, len);
}

static void on_close(gw_peer_out *out, unsigned link, uint32_t conn)
{
    (void)out;
    (void)link;
    (void)conn;
}

static void step_node(gw_fuzz_pair *p, uint8_t kind, unsigned link, const uint8_t *data, size_t len)
{
    gw_peer_event event = {
        .kind = kind, .link = (uint8_t)link, .conn = link, .data = data, .len = len};

    (void)gw_op2p_node_board.step(p->node, &event, 0, &p->out);
}

/* ---- the core ---- */

/* Takes what comes on |link| until |deadline|, of the simulation's clock. */
static bool take(gw_fuzz_pair *p, unsigned link, int64_t deadline)
{
    uint8_t bytes[2048];
    size_t len = 0;
    gw_transport *t = p->links[link];

    if (t->ops->recv(t, bytes, sizeof bytes, &len, deadline, NULL, NULL) != GW_RECV_DATA)
        return false;
    gw_op2p_tell("the core", link, bytes, len);
    gw_op2p_said_add(p->said[CORE], link, bytes, len);
    gw_op2p_judge_heard(p->judges[CORE], link, true, bytes, len);
    return true;
}

static int64_t after(const gw_fuzz_pair *p, size_t cycles)
{
    return gw_sim_now(p->core.sim) + (int64_t)cycles * CYCLE_NS;
}

/* Lets the core send what the node has sent, and |busy| cycles pass behind it. What it sends beyond
 * that is seen now or later. */
static void settle(gw_fuzz_pair *p, size_t busy)
{
    bool more = true;

    for (unsigned link = 0; link < GW_OP2P_NODE_PORTS; link++) {
        while (p->said[CORE]->num[link] < p->said[NODE]->num[link] &&
               take(p, link, after(p, LATE + busy)))
            ;
    }
    while (more) {
        more = take(p, 0, after(p, busy));
        while (take(p, 1, 0))
            more = true;
    }
}

static void compare(gw_fuzz_pair *p, size_t busy)
{
    settle(p, busy);
    gw_fuzz_core_judge(&p->core);
    gw_op2p_judge_compare(p->judges[CORE], p->judges[NODE]);
    gw_op2p_said_compare(p->said[CORE], p->said[NODE]);
}

/* ---- both ---- */

void gw_fuzz_pair_begin(gw_fuzz_pair *pair)
{
    static gw_op2p_node node;
    static gw_op2p_judge judges[2];
    static gw_op2p_said said[2];
    gw_peer_config config = {.dialect = &gw_op2p.dialects[0]};
    char why[160];

    *pair = (gw_fuzz_pair){.out = {on_send, on_close}, .node = &node};
    gw_fuzz_check(gw_op2p_node_board.init(&node, &config, why, sizeof why), why);
    for (unsigned i = 0; i < 2; i++) {
        pair->judges[i] = &judges[i];
        pair->said[i] = &said[i];
        gw_op2p_judge_begin(&judges[i]);
        said[i].num[0] = said[i].num[1] = 0;
    }
    pair->core = gw_fuzz_core_begin();
    for (unsigned i = 0; i < GW_OP2P_NODE_PORTS; i++) {
        pair->links[i] = gw_fuzz_core_open(&pair->core, 2 * i);
        step_node(pair, GW_PEER_OPEN, i, NULL, 0);
    }
    pair->registers = gw_fuzz_core_open(&pair->core, 14);
}

void gw_fuzz_pair_end(gw_fuzz_pair *pair)
{
    gw_transport_close(pair->links[0]);
    gw_transport_close(pair->links[1]);
    gw_transport_close(pair->registers);
    gw_fuzz_core_end(&pair->core);
    gw_op2p_node_board.fini(pair->node);
}

/* Waits for what was sent at once. */
static void catch_up(gw_fuzz_pair *pair)
{
    size_t busy = pair->busy;

    pair->num = 0;
    pair->busy = 0;
    if (busy > 0)
        compare(pair, busy);
}

/* For how many cycles a frame keeps the core busy, whether or not it may send what comes of it. */
static size_t busy_with(const gw_op2p_shim *shim, const uint8_t *pdu, size_t len)
{
    size_t words = len / 4;

    if (shim->kind == GW_OP2P_KIND_NFC && shim->code <= PAUSE_MOST)
        return REST + ((size_t)1 << shim->code);
    if (shim->kind == GW_OP2P_KIND_PDU && len >= GW_OP2P_HEADER) {
        gw_op2p_header h = gw_op2p_get(pdu);
        if (h.type == GW_OP2P_RETRANSMIT)
            words += GW_OP2P_PDU_MAX / 4;
        else if (h.type == GW_OP2P_READ)
            words += (h.byte_count < GW_OP2P_PAYLOAD_MAX ? h.byte_count : GW_OP2P_PAYLOAD_MAX) / 4;
    }
    return REST + A_WORD * words;
}

/* Returns for how many cycles it keeps the core busy. */
static size_t send_both(gw_fuzz_pair *pair, unsigned link, gw_op2p_shim shim, const uint8_t *pdu,
                        size_t len)
{
    uint8_t bytes[GW_OP2P_SHIM + 2048];
    gw_transport *t = pair->links[link];

    gw_fuzz_check(len <= sizeof bytes - GW_OP2P_SHIM, "more than fits is sent");
    shim.version = 1;
    shim.sequence = pair->sequence[link]++;
    gw_op2p_put_tunnel(bytes, &shim);
    if (len > 0)
        memcpy(bytes + GW_OP2P_SHIM, pdu, len);
    for (unsigned i = 0; i < 2; i++)
        gw_op2p_judge_heard(pair->judges[i], link, false, bytes, GW_OP2P_SHIM + len);
    gw_op2p_tell("to both", link, bytes, GW_OP2P_SHIM + len);
    step_node(pair, GW_PEER_BYTES, link, bytes, GW_OP2P_SHIM + len);
    gw_fuzz_check(t->ops->send(t, bytes, GW_OP2P_SHIM + len), t->error);
    return busy_with(&shim, pdu, len);
}

void gw_fuzz_pair_send(gw_fuzz_pair *pair, unsigned link, gw_op2p_shim shim, const uint8_t *pdu,
                       size_t len)
{
    catch_up(pair);
    compare(pair, send_both(pair, link, shim, pdu, len));
}

void gw_fuzz_pair_send_at_once(gw_fuzz_pair *pair, unsigned link, const uint8_t *pdu, size_t len)
{
    if (pair->num == AT_ONCE || pair->link != link)
        catch_up(pair);
    pair->link = link;
    pair->num++;
    pair->busy += send_both(pair, link, (gw_op2p_shim){.kind = GW_OP2P_KIND_PDU}, pdu, len);
}

void gw_fuzz_pair_rest(gw_fuzz_pair *pair)
{
    catch_up(pair);
    compare(pair, A_FRAME);
}

/* ---- registers ---- */

/* One access of the core's, as the host makes it. The value that was read; 0 for a write. */
static uint32_t access_core(gw_fuzz_pair *p, const uint64_t *write, uint32_t address)
{
    const uint64_t at = address;
    uint8_t bytes[64];
    size_t len = 0;
    gw_eb_builder b;
    gw_eb_operation op = {.byte_enable = 15};
    gw_transport *t = p->registers;

    if (write != NULL) {
        op.writes = write;
        op.num_writes = 1;
        op.write_base = address;
    } else {
        op.reads = &at;
        op.num_reads = 1;
    }
    bool built = gw_eb_build_packet(&b, bytes, sizeof bytes, GW_EB_32BIT << 4 | GW_EB_32BIT, NULL);
    gw_fuzz_check(built && gw_eb_build_record(&b, &op), "an access does not fit");
    gw_fuzz_check(t->ops->send(t, bytes, gw_eb_build_end(&b, true)), t->error);
    if (write != NULL)
        return 0;
    if (t->ops->recv(t, bytes, sizeof bytes, &len, 0, NULL, NULL) != GW_RECV_DATA || len < 4)
        gw_fuzz_check(false, "the bus does not answer");
    return gw_load_be32(bytes + len - 4);
}

static void tell_access(const char *how, uint32_t address, uint32_t value)
{
    uint8_t bytes[8];

    gw_store_be(bytes, address, 4);
    gw_store_be(bytes + 4, value, 4);
    gw_op2p_tell(how, GW_OP2P_NODE_PORTS, bytes, sizeof bytes);
}

void gw_fuzz_pair_write(gw_fuzz_pair *pair, uint32_t address, uint32_t value)
{
    const uint64_t word = value;

    catch_up(pair);
    tell_access("written", address, value);
    (void)gw_op2p_write_register(pair->node, address, value);
    gw_op2p_watch_wires(pair->node);
    (void)access_core(pair, &word, address);
    compare(pair, REST);
}

uint32_t gw_fuzz_pair_read(gw_fuzz_pair *pair, uint32_t address)
{
    uint32_t expected = 0;

    catch_up(pair);
    (void)gw_op2p_read_register(pair->node, address, &expected);
    gw_op2p_watch_wires(pair->node);
    uint32_t got = access_core(pair, NULL, address);
    tell_access("read", address, got);
    if (got != expected) {
        char why[128];
        (void)snprintf(why, sizeof why,
                       "the register at %02x is %08x in the core, and %08x in the software node",
                       address, got, expected);
        gw_fuzz_check(false, why);
    }
    return got;
}
