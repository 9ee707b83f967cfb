/* SPDX-License-Identifier: BSD-2-Clause */
/* OP2P: what a node says in each carriage, and what goes wrong on links. */
#include "golden.h"

#include <stdio.h>
#include <string.h>

#include "formats/op2p/node/board.h"
#include "goldwire/op2p.h"
#include "goldwire/writer.h"

/* Ports of the dynamic range: OP2P owns none. */
static const gw_endpoint us = {.ip = {192, 0, 2, 1}, .port = 50000, .family = GW_FAMILY_IPV4};
static const gw_endpoint node = {.ip = {192, 0, 2, 2}, .port = 50000, .family = GW_FAMILY_IPV4};

/* One trace, in one carriage, with a node or without. */
typedef struct trace {
    golden g;
    gw_peer_config config;
    gw_transport *link, *regs;
    uint16_t sequence;
    bool tunnel;
    bool event; /* USER1; else USER0 */
} trace;

/* ---- writing ---- */

static void open_trace(trace *t, const char *folder, const char *name, uint32_t link_type)
{
    char path[1024];

    memset(t, 0, sizeof *t);
    t->tunnel = link_type == GW_LINK_ETHERNET;
    t->event = link_type == GW_LINK_USER0 + 1;
    t->g.now = GW_VIRTUAL_EPOCH_NS;
    t->g.link_type = link_type;
    t->g.client = us;
    t->g.slave = node;
    snprintf(path, sizeof path, "%s/%s.pcapng", folder, name);
    t->g.file = fopen(path, "wb");
    t->g.w = t->g.file == NULL ? NULL : gw_pcapng_create(t->g.file, "goldwire golden_traces");
    if (t->g.w == NULL || gw_pcapng_interface(t->g.w, link_type, "link0", "goldwire: op2p") != 0)
        golden_die(path);
}

static void start_node(trace *t, const char *dialect)
{
    char why[256] = "";

    t->config.dialect = gw_dialect_by_name(&gw_op2p, dialect);
    t->g.mem = gw_mem_start(&gw_op2p_node_board, &t->config, why, sizeof why);
    if (t->g.mem != NULL)
        t->g.udp = gw_mem_connect(t->g.mem, 0, false, why, sizeof why);
    if (t->g.udp == NULL)
        golden_die(why);
}

static void close_trace(trace *t)
{
    golden_close(&t->g);
}

/* Writes one link event, or PDU, as the trace's carriage has it. */
static void put(trace *t, const uint8_t *datagram, size_t len, bool sent, int64_t time, size_t cap,
                const char *comment)
{
    uint8_t unit[GW_OP2P_SHIM + GW_OP2P_PDU_MAX];
    gw_direction dir = sent ? GW_DIR_OUT : GW_DIR_IN;

    if (t->tunnel) {
        golden_udp(&t->g, sent ? &node : &us, sent ? &us : &node, datagram, len, time, comment);
        return;
    }
    size_t pdu_len = len - GW_OP2P_SHIM;
    size_t head = 0;
    if (t->event) {
        uint8_t flags = (uint8_t)(datagram[4] | (sent ? GW_OP2P_FLAG_OUT : 0));
        bool bad = (flags & GW_OP2P_FLAGS_BAD) != 0;
        gw_op2p_shim shim = {.version = datagram[2],
                             .kind = datagram[3],
                             .flags = flags,
                             .code = datagram[5],
                             .port = 0,
                             .beat = bad ? 4 : 0xffff};
        gw_op2p_put_event(unit, &shim);
        head = GW_OP2P_SHIM;
    }
    memcpy(unit + head, datagram + GW_OP2P_SHIM, pdu_len);
    size_t whole = head + pdu_len;
    golden_frame(&t->g, unit, cap < whole ? cap : whole, whole, time, dir, comment);
}

/* What the node sends until it is silent; |comments| tell, one a packet, NULL at the end. */
static void hear(trace *t, const char *const *comments)
{
    uint8_t datagram[2048];
    size_t len;

    if (t->g.udp == NULL)
        return;
    while (t->g.udp->ops->recv(t->g.udp, datagram, sizeof datagram, &len,
                               t->g.udp->ops->now(t->g.udp) + GOLDEN_MS, NULL,
                               NULL) == GW_RECV_DATA) {
        if (datagram[3] == GW_OP2P_KIND_NFC) { /* the reference core's, around each packet */
            put(t, datagram, len, true, golden_time(&t->g), sizeof(datagram),
                datagram[5] == GW_OP2P_XOFF ? "the node halts its partner"
                                            : "the node lets its partner go on");
            continue;
        }
        if (comments == NULL || *comments == NULL)
            golden_die("the node says more than is commented");
        put(t, datagram, len, true, golden_heard(&t->g, t->g.udp), SIZE_MAX, *comments++);
    }
    if (comments != NULL && *comments != NULL)
        golden_die(*comments);
}

typedef struct step {
    const char *hex; /* of the PDU, or "" for an event without one */
    const char *says;
    const char *answers[3]; /* what the node answers, NULL at the end */
    uint8_t kind, flags, code;
} step;

static void play(trace *t, const step *s)
{
    uint8_t datagram[GW_OP2P_SHIM + GW_OP2P_PDU_MAX];
    gw_op2p_shim shim = {.version = 1,
                         .kind = s->kind,
                         .flags = s->flags,
                         .code = s->code,
                         .sequence = t->sequence++};

    golden_wait(&t->g, GOLDEN_MS);
    gw_op2p_put_tunnel(datagram, &shim);
    size_t len =
        GW_OP2P_SHIM + golden_hex(datagram + GW_OP2P_SHIM, sizeof datagram - GW_OP2P_SHIM, s->hex);
    int64_t time = golden_time(&t->g);
    if (t->g.udp != NULL && !t->g.udp->ops->send(t->g.udp, datagram, len))
        golden_die(s->says);
    put(t, datagram, len, (s->flags & GW_OP2P_FLAG_OUT) != 0, time, SIZE_MAX, s->says);
    hear(t, s->answers);
}

static void play_all(trace *t, const step *steps, size_t num)
{
    for (size_t i = 0; i < num; i++)
        play(t, &steps[i]);
}

#define PLAY(t, ...)                                                                               \
    do {                                                                                           \
        static const step steps_[] = {__VA_ARGS__};                                                \
        play_all(t, steps_, GW_ARRAY_LEN(steps_));                                                 \
    } while (0)

/* The host of the node gives port 0 a command. */
static void command(trace *t, bool read, const uint32_t words[5], const char *const *answers)
{
    gw_op2p_node *n = gw_mem_state(t->g.mem);
    uint32_t at = read ? GW_OP2P_RDREQ_LOCALADDRESS : GW_OP2P_WR_SOURCEADDRESS;

    for (uint32_t i = 0; i < 5; i++)
        (void)gw_op2p_write_register(n, at + 4 * i, words[i]);
    hear(t, answers);
}

#define READ_4 "00420041 00000100 00c0ffe0 000410f0"
#define WRITE_8 "00420041 00002000 00c0ffe0 000800f0 11223344 55667788"

/* ---- the traces ---- */

static void exchange(trace *t)
{
    PLAY(t, {WRITE_8, "a write of 8 bytes is not answered (OP-E13)", {NULL}, 0, 0, 0},
         {"00420041 00002000 00c0ffe0 000810f0",
          "read them back",
          {"a completion: ids and addresses swapped (OP-E12)", NULL},
          0,
          0,
          0},
         {"00420041 00002001 00c0ffe0 00040020 00007700",
          "one byte, by first byte enable 2 (OP-E14)",
          {NULL},
          0,
          0,
          0},
         {"00420041 00002000 00c0ffe0 00041020",
          "read it with the same enable",
          {"the enable is copied", NULL},
          0,
          0,
          0},
         {"00420000 00000000 00c0ffe0 00041010",
          "discovery: whoever is at the other end, one byte (OP-E11)",
          {"the neighbour answers from its own id", NULL},
          0,
          0,
          0},
         {"00420000 00000000 00c0ffe0 00011010",
          "the datasheet's one-byte ping breaks OP-E06",
          {"answered by one double word all the same (OP-E32)", NULL},
          0,
          0,
          0},
         {"00420041 00000100 00c0ffe0 001030f0",
          "a reserved type",
          {"an error completion: status 2, no bytes (OP-E18)", NULL},
          0,
          0,
          0},
         {"00420099 00005000 00c0ffe0 000400f0 0badcafe",
          "for another node: stored for the host, not answered (OP-F01)",
          {NULL},
          0,
          0,
          0});
}

static void broken(trace *t)
{
    PLAY(t, {"00420041 00002000", "a frame without a whole header breaks OP-E01", {NULL}, 0, 0, 0},
         {READ_4 "d0d0", "a double word cut in the middle breaks OP-E01", {NULL}, 0, 0, 0},
         {"00420041 00000100 00c0ffe0 000410f5",
          "reserved bits set breaks OP-E03",
          {"answered all the same", NULL},
          0,
          0,
          0},
         {"00420041 00002000 00c0ffe0 000800f0 11223344",
          "payload missing breaks OP-E04",
          {NULL},
          0,
          0,
          0},
         {READ_4 " 01020304",
          "a read request with payload breaks OP-E05",
          {"answered all the same", NULL},
          0,
          0,
          0},
         {"00420041 00002000 00c0ffe0 000000f0", "nothing to write breaks OP-E06", {NULL}, 0, 0, 0},
         {"00020041 00000100 00c0ffe0 000410f0",
          "from chassis 0 breaks OP-E33",
          {"to chassis 0 breaks OP-E33", NULL},
          0,
          0,
          0});
}

static void broken_alone(trace *t)
{
    PLAY(t, {"00420041 00002000", "a frame without a whole header breaks OP-E01", {NULL}, 0, 0, 0},
         {"00420099 00000100 00000200 0008a2f0",
          "a retransmit request for somebody else than the partner breaks OP-E21",
          {NULL},
          0,
          0,
          0},
         {"00420000 00000100 00000200 0008a0f0",
          "a retransmit request of status 0 breaks OP-E21",
          {NULL},
          0,
          0,
          0},
         {"00420041 00000100 00c0ffe0 0004f0f0",
          "type 15 is reserved like any other",
          {NULL},
          0,
          0,
          0},
         {"00420041 00000100 00c0ffe0 000442f0", "and so is type 4", {NULL}, 0, 0, 0});
}

static void errors(trace *t)
{
    PLAY(t,
         {WRITE_8,
          "a soft error in this frame",
          {"the node asks its partner to send again", NULL},
          0,
          GW_OP2P_FLAG_SOFT_ERROR,
          0},
         {WRITE_8, "sent again, the same bytes (OP-E20)", {NULL}, 0, 0, 0},
         {READ_4, "a read", {"and its completion", NULL}, 0, 0, 0},
         {"00420000 00c0ffe0 00000100 0004a2f0",
          "the completion was damaged: again",
          {"the same completion once more (OP-E20)", NULL},
          0,
          0,
          0},
         {"", "XOFF", {NULL}, GW_OP2P_KIND_NFC, 0, GW_OP2P_XOFF},
         {READ_4, "a read while the node is halted", {NULL}, 0, 0, 0},
         {"", "XON", {"what was held back", NULL}, GW_OP2P_KIND_NFC, 0, GW_OP2P_XON},
         {"", "the channel goes down", {NULL}, GW_OP2P_KIND_CHANNEL, 0, 0},
         {"", "and comes up", {NULL}, GW_OP2P_KIND_CHANNEL, 0, 3},
         {"", "errors outside of frames", {NULL}, GW_OP2P_KIND_ERROR, 0, 0});
}

/* What no node of ours does: both sides are played. OUT is what the captured port sends. */
static void faulty(trace *t)
{
    enum { OUT = GW_OP2P_FLAG_OUT };
    PLAY(t, {READ_4, "a read request", {NULL}, 0, 0, 0},
         {"00000042 00c0ffe0 00000100 000420f0 d0000100",
          "answered from id 0 breaks OP-E12",
          {NULL},
          0,
          OUT,
          0},
         {READ_4, "a read request", {NULL}, 0, 0, 0},
         {"00410042 00c0ffe0 00000100 000820f0 d0000100 d0000104",
          "answered by more than was asked for breaks OP-E12",
          {NULL},
          0,
          OUT,
          0},
         {"00410042 00c0ffe0 00000100 000420f0 d0000100",
          "a second completion breaks OP-E12",
          {NULL},
          0,
          OUT,
          0},
         {"00420000 00c0ffe0 00000100 0004a2f0", "send the last one again", {NULL}, 0, 0, 0},
         {"00410042 00c0ffe0 00000104 000420f0 d0000100",
          "another packet comes breaks OP-E12 OP-E20",
          {NULL},
          0,
          OUT,
          0},
         {"", "XOFF", {NULL}, GW_OP2P_KIND_NFC, 0, GW_OP2P_XOFF},
         {"00410042 00003000 00001000 000400f0 00000001",
          "one frame may have been on its way",
          {NULL},
          0,
          OUT,
          0},
         {"00410042 00003000 00001000 000400f0 00000002",
          "the next one breaks OP-E25",
          {NULL},
          0,
          OUT,
          0},
         {"", "XON", {NULL}, GW_OP2P_KIND_NFC, 0, GW_OP2P_XON},
         {"00410042 00003000 00001000 000400f0 00000003",
          "a frame without an end breaks OP-E31",
          {NULL},
          0,
          OUT | GW_OP2P_FLAG_NO_EOF,
          0});
    for (unsigned i = 1; i <= 9; i++) {
        step again = {"00420000 00001000 00003000 0004a2f0",
                      i == 9 ? "a ninth retransmit request in a row breaks OP-E22"
                             : "a retransmit request",
                      {NULL},
                      0,
                      0,
                      0};
        play(t, &again);
    }
}

static void host(trace *t)
{
    static const uint32_t write_16[5] = {0x1000, 0x2000, 0x41, 0x42, 16};
    static const uint32_t read_16[5] = {0x3000, 0x4000, 0x41, 0x42, 16};
    static const uint32_t write_1004[5] = {0x1000, 0x2000, 0x41, 0x42, 1004};
    bool reference = gw_op2p_dialect_of(t->config.dialect)->reference;
    gw_op2p_node *n = gw_mem_state(t->g.mem);

    for (uint32_t i = 0; i < 0x1000; i++)
        n->memory[i] = 0xd0000000 + 4 * i;
    command(t, false, write_16, (const char *const[]){"the host has a write sent", NULL});
    command(t, true, read_16,
            (const char *const[]){reference ? "a read request, with old data behind it (sim S7)"
                                            : "the host has a read request sent",
                                  NULL});
    PLAY(t, {"00420041 00003000 00004000 001020f0 00000001 00000002 00000003 00000004",
             "its completion",
             {NULL},
             0,
             0,
             0});
    command(t, false, write_1004,
            (const char *const[]){reference ? "1004 bytes, which the reference core never ends "
                                              "breaks OP-E07"
                                            : "a write of 1004 bytes",
                                  NULL});
}

static void truncated(trace *t)
{
    uint8_t datagram[64];
    size_t len = GW_OP2P_SHIM + golden_hex(datagram + GW_OP2P_SHIM, 56, WRITE_8);

    for (size_t cap = 1; cap < len - GW_OP2P_SHIM; cap += 3) {
        golden_wait(&t->g, GOLDEN_MS);
        put(t, datagram, len, false, golden_time(&t->g), cap, "a write, cut by the capture");
    }
}

typedef struct plan {
    const char *name;
    void (*make)(trace *t);
    uint32_t link_type;
    const char *dialect; /* of the node; NULL: none */
} plan;

void golden_op2p_traces(const char *folder)
{
    enum { USER0 = GW_LINK_USER0, USER1 = GW_LINK_USER0 + 1 };
    static const plan plans[] = {
        {"op2p-exchange", exchange, GW_LINK_ETHERNET, "strict"},
        {"op2p-exchange-frames", exchange, USER0, "strict"},
        {"op2p-exchange-events", exchange, USER1, "strict"},
        {"op2p-broken", broken, GW_LINK_ETHERNET, "strict"},
        {"op2p-broken-frames", broken_alone, USER0, NULL},
        {"op2p-errors", errors, GW_LINK_ETHERNET, "strict"},
        {"op2p-errors-events", errors, USER1, "strict"},
        {"op2p-faulty", faulty, USER1, NULL},
        {"op2p-host", host, USER1, "strict"},
        {"op2p-host-vhdl", host, GW_LINK_ETHERNET, "vhdl"},
        {"op2p-truncated", truncated, USER0, NULL},
    };

    for (size_t i = 0; i < GW_ARRAY_LEN(plans); i++) {
        trace t;
        open_trace(&t, folder, plans[i].name, plans[i].link_type);
        if (plans[i].dialect != NULL)
            start_node(&t, plans[i].dialect);
        plans[i].make(&t);
        close_trace(&t);
    }
}
