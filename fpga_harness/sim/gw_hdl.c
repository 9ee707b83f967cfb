/* SPDX-License-Identifier: BSD-2-Clause */
/* The simulator's side of a simulated board: see gw_hdl.h. One file, C library only. Compiled with
 * -DGW_HDL_IN_PROCESS it talks by calls (gw_hdl_in_process.h) and not over a socket. */
#include "gw_hdl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef GW_HDL_IN_PROCESS
#include "gw_hdl_in_process.h"
#else
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#endif

#include "gw_hdl_wire.h"

#define QUEUE_BYTES (1 << 20) /* of frames for one port that it has not taken yet */
#define RECORD 16             /* before each frame in the queue: id, length, time */
#define HEARTBEAT_MS 500
#define CALLS_A_LOOK 256 /* between two looks at the wall's clock */
#define PS_A_US UINT64_C(1000000)
#define PACE_MAX_PS UINT64_C(1000000000)

/* What is kept out of what ports call at each clock edge, where it would cost the most. */
#ifdef __GNUC__
#define RARELY __attribute__((noinline, cold)) static
#else
#define RARELY static
#endif

/* When something may be: GW_WIRE_FLOW. */
typedef struct sim_flow {
    int told; /* 0: nothing is held back */
    uint32_t on;
    uint32_t of;
    uint32_t share;
    uint32_t seed;
    uint32_t turn;
    uint64_t state;
} sim_flow;

/* What is sent to one port, and what comes from it. */
typedef struct sim_port {
    int kind; /* 0: not opened */
    uint32_t width;
    uint8_t *queue; /* QUEUE_BYTES: frames one after the other, each behind its RECORD */
    size_t first;   /* of the frame under way ... */
    size_t end;     /* ... and behind the last one */
    size_t sent;    /* bytes of the frame under way that were taken */
    uint32_t beat;  /* bytes on offer; 0: none */
    uint8_t *got;   /* GW_SIM_FRAME_MAX and a beat: the frame that the core is sending */
    uint32_t got_len;
    uint32_t level; /* of a reset wire, since ... */
    uint64_t level_ps;
    uint32_t level_before; /* ... and until then */
    struct {
        int what; /* 0 none, 1 read, 2 write */
        int given;
        uint32_t id;
        uint64_t since_ps;
        uint64_t address;
        uint32_t data;
        uint32_t select;
    } access; /* of a bus */
    sim_flow flows[GW_WIRE_LANES];
    uint64_t breaches[GW_SIM_NUM_BREACHES];
} sim_port;

static struct {
    sim_port ports[GW_WIRE_MAX_PORTS];
    int there; /* goldwire is */
    int fd;    /* to it, of a socket */
    int started;
    int ended;
    int free_run;
    uint64_t now_ps;
    uint64_t until_ps;
    uint32_t sync_id;
    unsigned calls;
    uint32_t turns;        /* that goldwire has had ... */
    uint32_t turns_before; /* ... before the present time */
    int64_t beat_ms;       /* when a sign of life was last due */
    char mark[GW_WIRE_MARK + 1];
    int num_marks;
#ifdef GW_HDL_IN_PROCESS
    int waits;   /* for a SYNC, in this clock edge ... */
    int owes;    /* ... in which something came from the core since the last one was answered */
    size_t told; /* bytes of |out| */
    uint8_t out[2 * GW_WIRE_BODY]; /* a frame from each port at one clock edge */
#else
    uint8_t in[GW_WIRE_BODY + GW_WIRE_HEADER];
    size_t in_len;
    size_t in_pos;
    uint8_t out[GW_WIRE_BODY + GW_WIRE_HEADER];
#endif
    size_t out_len;
} sim;

/* ---- talking to goldwire ---- */

/* What is different where goldwire is in the same process: see "the way to goldwire" below. */
static void end(const char *why);
static void flush(void);
static void make_room(void);

/* Room for a message with |len| bytes of body, whose header is written; the body is 0. */
static uint8_t *message(uint32_t command, uint32_t len, uint32_t id, uint32_t flags, uint32_t port)
{
    gw_wire_head head = {command, len, id, flags, port};
    if (sim.out_len + GW_WIRE_HEADER + len > sizeof(sim.out))
        make_room();
    uint8_t *p = sim.out + sim.out_len;
    gw_wire_put_head(p, &head);
    memset(p + GW_WIRE_HEADER, 0, len);
    sim.out_len += GW_WIRE_HEADER + len;
    return p + GW_WIRE_HEADER;
}

static void say_now(uint32_t command, uint32_t id, uint32_t flags)
{
    gw_wire_put64(message(command, 8, id, flags, 0), sim.now_ps);
}

/* Tells goldwire what is wrong, and ends. */
static void give_up(const char *why)
{
    uint32_t len = (uint32_t)strlen(why);
    if (sim.there) {
        uint8_t *p = message(GW_WIRE_ERROR, 8 + len, 0, GW_WIRE_OPTIONAL, 0);
        gw_wire_put64(p, sim.now_ps);
        for (uint32_t i = 0; i < len; i++)
            p[8 + i] = (uint8_t)why[i];
        flush();
    }
    end(why);
}

/* ---- what goldwire says ---- */

static void queue_frame(sim_port *port, uint32_t id, const uint8_t *data, size_t len)
{
    size_t need = RECORD + len;
    if (port->first > 0 && port->end + need > QUEUE_BYTES) {
        memmove(port->queue, port->queue + port->first, port->end - port->first);
        port->end -= port->first;
        port->first = 0;
    }
    if (len == 0 || len > GW_SIM_FRAME_MAX || port->end + need > QUEUE_BYTES) {
        give_up("goldwire sends an empty frame, or more than a port's queue holds");
        return;
    }
    gw_wire_put32(port->queue + port->end, id);
    gw_wire_put32(port->queue + port->end + 4, (uint32_t)len);
    gw_wire_put64(port->queue + port->end + 8, sim.now_ps);
    memcpy(port->queue + port->end + RECORD, data, len);
    port->end += need;
}

static void set_access(sim_port *port, const gw_wire_head *head, const gw_wire_bus *bus,
                       const uint8_t *data, size_t len)
{
    if (port->access.what != 0) {
        give_up("goldwire asks for a second access while one is under way");
        return;
    }
    uint32_t value = 0;
    for (size_t i = 0; i < len && i < 4; i++)
        value |= (uint32_t)data[i] << 8 * i;
    port->access.what = head->command == GW_WIRE_READ ? 1 : 2;
    port->access.given = 0;
    port->access.id = head->id;
    port->access.since_ps = sim.now_ps;
    port->access.address = bus->address;
    port->access.data = value;
    port->access.select = bus->width;
}

/* A write or read for one of the ports. */
static void obey_port(const gw_wire_head *head, const uint8_t *body)
{
    sim_port *port = head->port < GW_WIRE_MAX_PORTS ? &sim.ports[head->port] : NULL;
    if (port == NULL || port->kind == 0 || head->len < GW_WIRE_BUS) {
        give_up("goldwire names a port that the testbench does not have");
        return;
    }
    gw_wire_bus bus = gw_wire_get_bus(body);
    if (port->kind == GW_SIM_BUS || port->kind == GW_SIM_AXIL)
        set_access(port, head, &bus, body + GW_WIRE_BUS, head->len - GW_WIRE_BUS);
    else if (port->kind != GW_SIM_RESET && head->command == GW_WIRE_WRITE)
        queue_frame(port, head->id, body + GW_WIRE_BUS, head->len - GW_WIRE_BUS);
    else
        give_up("goldwire asks a port for what it does not do");
}

static void begin_flow(sim_flow *flow)
{
    flow->turn = 0;
    flow->state = flow->seed;
}

static void set_flow(const gw_wire_head *head, const uint8_t *body)
{
    uint32_t lane = head->len >= GW_WIRE_FLOW_LEN ? gw_wire_get32(body) : GW_WIRE_LANES;
    if (head->port >= GW_WIRE_MAX_PORTS || lane >= GW_WIRE_LANES) {
        give_up("goldwire says when a port may go on, and names no port or no direction");
        return;
    }
    sim_flow *flow = &sim.ports[head->port].flows[lane];
    flow->told = 1;
    flow->on = gw_wire_get32(body + 4);
    flow->of = gw_wire_get32(body + 8);
    flow->share = gw_wire_get32(body + 12);
    flow->seed = gw_wire_get32(body + 16);
    begin_flow(flow);
}

/* Whether this cycle is one in which it goes on; called once a clock edge. */
static int flows(sim_flow *flow)
{
    if (!flow->told)
        return 1;
    if (flow->of > 0) {
        int is = flow->turn < flow->on;
        flow->turn = (flow->turn + 1) % flow->of;
        return is;
    }
    flow->state =
        flow->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407); /* Knuth */
    return (flow->state >> 33) % GW_WIRE_FLOW_SCALE < flow->share;
}

static void set_mark(const uint8_t *text, size_t len)
{
    memset(sim.mark, 0, sizeof(sim.mark));
    memcpy(sim.mark, text, len < GW_WIRE_MARK ? len : GW_WIRE_MARK);
    sim.num_marks++;
}

/* Forgets what is on its way to the core and from it. */
static void clear_ports(void)
{
    for (unsigned i = 0; i < GW_WIRE_MAX_PORTS; i++) {
        sim_port *port = &sim.ports[i];
        port->first = port->end = port->sent = 0;
        port->beat = port->got_len = 0;
        port->access.what = port->access.given = 0;
    }
}

static void set_wire(const gw_wire_head *head, const uint8_t *body)
{
    if ((head->flags & GW_WIRE_CLEAR) != 0)
        clear_ports();
    if (head->port >= GW_WIRE_MAX_PORTS || head->len < 24)
        return;
    for (unsigned i = 0; i < GW_WIRE_MAX_PORTS * GW_WIRE_LANES; i++)
        begin_flow(&sim.ports[i / GW_WIRE_LANES].flows[i % GW_WIRE_LANES]);
    sim_port *port = &sim.ports[head->port];
    if (sim.now_ps > port->level_ps)
        port->level_before = port->level;
    port->level = gw_wire_get32(body + 20);
    port->level_ps = sim.now_ps;
}

/* Goldwire says its own version first. */
static void check_hello(const gw_wire_head *head, const uint8_t *body)
{
    if (head->len < 20 || gw_wire_get16(body) != GW_WIRE_MAJOR ||
        gw_wire_get16(body + 18) != GW_WIRE_VERSION)
        give_up("goldwire speaks another version of the protocol");
}

static void refused(const gw_wire_head *head, const uint8_t *body)
{
    char why[161] = "goldwire refuses this testbench";
    uint32_t len = head->len < 8 ? 0 : head->len - 8;
    if (len > 0) {
        memset(why, 0, sizeof(why));
        memcpy(why, body + 8, len < sizeof(why) - 1 ? len : sizeof(why) - 1);
    }
    end(why);
}

#include "gw_hdl_edges.h"

/* Does as |head| says; 1 when time may go on. */
static int obey(const gw_wire_head *head, const uint8_t *body)
{
    switch (head->command) {
    case GW_WIRE_SYNC:
        if (head->len < 8)
            give_up("goldwire's SYNC is too short");
        else
            sim.until_ps = gw_wire_get64(body);
        sim.sync_id = head->id;
        sim.free_run = (head->flags & GW_WIRE_FREE) != 0;
        return 1;
    case GW_WIRE_WRITE:
    case GW_WIRE_READ:
        obey_port(head, body);
        return 0;
    case GW_WIRE_FLOW:
        set_flow(head, body);
        return 0;
    case GW_WIRE_MARK_CASE:
        set_mark(body, head->len);
        return 0;
    case GW_WIRE_INTERRUPT:
        set_wire(head, body);
        return 0;
    case GW_WIRE_EDGES:
        if (head->port < GW_WIRE_MAX_PORTS && head->len >= 16)
            tell_edges(head->port, head->id, gw_wire_get64(body), gw_wire_get64(body + 8));
        flush();
        return 0;
    case GW_WIRE_HELLO:
        check_hello(head, body);
        return 0;
    case GW_WIRE_END:
        end("goldwire ends the run");
        return 0;
    case GW_WIRE_ERROR:
        refused(head, body);
        return 0;
    default:
        if ((head->flags & GW_WIRE_OPTIONAL) == 0)
            give_up("goldwire says something unknown");
        return 0;
    }
}

/* ---- beginning and end ---- */

static void say_hello(void)
{
    uint8_t *p;
    uint8_t *list;
    unsigned num = 0;
    for (unsigned i = 0; i < GW_WIRE_MAX_PORTS; i++)
        num += sim.ports[i].kind != 0;
    p = message(GW_WIRE_HELLO, 20 + 4 * num, 0, 0, 0);
    gw_wire_put16(p, GW_WIRE_MAJOR);
    gw_wire_put16(p + 2, GW_WIRE_MINOR);
    gw_wire_put32(p + 4, 8 + 4 * num);
    gw_wire_put32(p + 12, GW_WIRE_MAGIC);
    p[16] = (uint8_t)-12;
    p[17] = (uint8_t)num;
    gw_wire_put16(p + 18, GW_WIRE_VERSION);
    list = p + 20;
    for (unsigned i = 0; i < GW_WIRE_MAX_PORTS; i++) {
        if (sim.ports[i].kind == 0)
            continue;
        list[0] = (uint8_t)i;
        list[1] = (uint8_t)sim.ports[i].kind;
        list[2] = (uint8_t)sim.ports[i].width;
        list += 4;
    }
}

/* ---- the way to goldwire ---- */

#ifdef GW_HDL_IN_PROCESS
static void end(const char *why)
{
    (void)why; /* goldwire knows, and says so where it wants to */
    sim.ended = 1;
    sim.there = 0;
}

/* What is said is taken between two steps (said). */
static void flush(void) {}

/* One clock edge does not fill |out|. */
static void make_room(void)
{
    sim.out_len = sim.told = 0;
    give_up("a step of the model passes many clock edges");
}

/* Goldwire cannot be waited for here: the step that is under way ends, and the next one comes when
 * it lets time go on. */
static void stand_still(void)
{
    sim.waits = 1;
}

/* A SYNC is answered once: a frame behind the answer, at the same clock edge, is owed another. */
RARELY void stop_for(int frame)
{
    if (sim.waits) {
        sim.owes |= frame;
        return;
    }
    say_now(GW_WIRE_SYNC, sim.sync_id, GW_WIRE_RESPONSE);
    stand_still();
}

static int hears_frames(void)
{
    return sim.waits || !sim.free_run;
}

/* What goldwire says once, before it lets time go on for the first time, has been said. */
static int has_greeted(void)
{
    return !sim.waits;
}

RARELY void start(void)
{
    sim.started = 1;
    sim.until_ps = UINT64_MAX;
    if (!sim.there)
        return;
    say_hello();
    stand_still();
}

static int has_to_look(uint64_t now_ps)
{
    return sim.waits && now_ps > sim.now_ps;
}

/* A clock edge that goldwire has not let come. */
RARELY void look_around(void)
{
    give_up("a step of the model passes more than one clock edge");
}

static void begin(void)
{
    for (unsigned i = 0; i < GW_WIRE_MAX_PORTS; i++) {
        sim_port anew = {.queue = sim.ports[i].queue, .got = sim.ports[i].got};
        sim.ports[i] = anew;
    }
    memset(sim.mark, 0, sizeof(sim.mark));
    sim.started = sim.ended = sim.waits = sim.owes = sim.num_marks = 0;
    sim.now_ps = sim.out_len = sim.told = 0;
    sim.there = 1;
    forget_edges();
}

static void hear(const gw_wire_head *head, const uint8_t *body)
{
    sim.turns++;
    if (sim.ended || !obey(head, body))
        return;
    sim.waits = 0;
    if (sim.owes && !sim.free_run)
        stop_for(1);
    sim.owes = 0;
}

static size_t said(uint8_t *out, size_t cap)
{
    size_t len = sim.out_len - sim.told < cap ? sim.out_len - sim.told : cap;
    memcpy(out, sim.out + sim.told, len);
    sim.told += len;
    if (sim.told == sim.out_len)
        sim.told = sim.out_len = 0;
    return len;
}

static uint64_t now_ps(void)
{
    return sim.now_ps;
}

const gw_hdl_in_process *gw_hdl_in_this_process(void)
{
    static const gw_hdl_in_process calls = {begin, hear, said, now_ps};
    return &calls;
}
#else
static void end(const char *why)
{
    if (!sim.ended)
        fprintf(stderr, "gw_hdl: %s\n", why);
    sim.ended = 1;
    if (sim.there)
        close(sim.fd);
    sim.there = 0;
}

static void flush(void)
{
    for (size_t at = 0; at < sim.out_len && sim.there;) {
        ssize_t n = send(sim.fd, sim.out + at, sim.out_len - at, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            end("goldwire is gone");
        else
            at += (size_t)n;
    }
    sim.out_len = 0;
}

static void make_room(void)
{
    flush();
}

/* The next |n| bytes that goldwire says, in one piece; NULL when it is gone. */
static const uint8_t *take(size_t n)
{
    if (sim.in_pos + n > sizeof(sim.in)) {
        memmove(sim.in, sim.in + sim.in_pos, sim.in_len - sim.in_pos);
        sim.in_len -= sim.in_pos;
        sim.in_pos = 0;
    }
    while (sim.in_len - sim.in_pos < n) {
        ssize_t got = recv(sim.fd, sim.in + sim.in_len, sizeof(sim.in) - sim.in_len, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            end("goldwire is gone");
            return NULL;
        }
        sim.in_len += (size_t)got;
    }
    const uint8_t *p = sim.in + sim.in_pos;
    sim.in_pos += n;
    if (sim.in_pos == sim.in_len)
        sim.in_pos = sim.in_len = 0;
    return p;
}

/* Takes what goldwire says until it lets time go on. */
static void stand_still(void)
{
    flush();
    sim.turns++;
    while (!sim.ended) {
        const uint8_t *p = take(GW_WIRE_HEADER);
        if (p == NULL)
            return;
        gw_wire_head head = gw_wire_get_head(p);
        if (head.len > GW_WIRE_BODY) {
            give_up("goldwire's message is too long");
            return;
        }
        p = take(head.len);
        if (p != NULL && obey(&head, p))
            return;
    }
}

/* The time is over, or a frame has come: goldwire has its turn. */
RARELY void stop_for(int frame)
{
    (void)frame;
    say_now(GW_WIRE_SYNC, sim.sync_id, GW_WIRE_RESPONSE);
    stand_still();
}

static int hears_frames(void)
{
    return !sim.free_run;
}

static int has_greeted(void)
{
    return 1;
}

/* $finish, std.env.stop, the end of all events: goldwire learns why the simulator is gone. */
static void at_exit(void)
{
    if (!sim.there)
        return;
    say_now(GW_WIRE_END, 0, GW_WIRE_OPTIONAL);
    flush();
}

RARELY void start(void)
{
    const char *path = getenv("GOLDWIRE_COSIM");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    sim.started = 1;
    if (path == NULL || path[0] == '\0') {
        sim.until_ps = UINT64_MAX;
        return;
    }
    if (strlen(path) >= sizeof(address.sun_path)) {
        end("GOLDWIRE_COSIM is too long for a socket's path");
        return;
    }
    memcpy(address.sun_path, path, strlen(path) + 1);
    sim.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (sim.fd < 0 || connect(sim.fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
        fprintf(stderr, "gw_hdl: %s: %s\n", path, strerror(errno));
        end("GOLDWIRE_COSIM leads nowhere: start goldwire first");
        return;
    }
    sim.there = 1;
    atexit(at_exit);
    say_hello();
    stand_still();
}

static int64_t wall_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int has_to_look(uint64_t now_ps)
{
    (void)now_ps;
    return ++sim.calls % CALLS_A_LOOK == 0;
}

/* A slow simulator is no dead one: it gives a sign of life. */
RARELY void look_around(void)
{
    int64_t ms = wall_ms();
    if (sim.beat_ms != 0 && ms - sim.beat_ms < HEARTBEAT_MS)
        return;
    if (sim.beat_ms != 0) {
        say_now(GW_WIRE_NOP, 0, GW_WIRE_OPTIONAL | GW_WIRE_POSTED);
        flush();
    }
    sim.beat_ms = ms;
}
#endif

/* ---- what ports call ---- */

/* Goldwire hears what the core has said, unless it lets time go on whatever comes. */
static void heard_from_core(void)
{
    if (sim.there && hears_frames())
        stop_for(1);
}

/* Each call begins so: it is |now_ps|. 0 when the run is over. */
static int clock_at_ps(uint64_t now_ps)
{
    if (sim.there && has_to_look(now_ps))
        look_around();
    if (now_ps != sim.now_ps)
        sim.turns_before = sim.turns;
    sim.now_ps = now_ps;
    if (!sim.started)
        start();
    if (sim.now_ps > edges_due_ps)
        tell_due_edges();
    return !sim.ended;
}

static int clock_at(int us, int ps)
{
    return clock_at_ps((uint64_t)us * PS_A_US + (uint64_t)ps);
}

static int is_due(void)
{
    return sim.there && sim.now_ps >= sim.until_ps;
}

static sim_port *opened(int number)
{
    int known = number >= 0 && number < GW_WIRE_MAX_PORTS && sim.ports[number].kind != 0;
    return known ? &sim.ports[number] : NULL;
}

int gw_hdl_turns(int high, int low)
{
    if (!clock_at_ps((uint64_t)(uint32_t)high << 32 | (uint32_t)low))
        return -1;
    if (is_due())
        stop_for(0);
    return sim.ended ? -1 : (int)(sim.turns_before & INT32_MAX);
}

int gw_hdl_port(int number, int kind, int width)
{
    sim_port *port = &sim.ports[number & (GW_WIRE_MAX_PORTS - 1)];
    if (number < 0 || number >= GW_WIRE_MAX_PORTS || kind < GW_SIM_UDP || kind > GW_SIM_AXIL ||
        width < 1 || width > GW_WIRE_MAX_BEAT || port->kind != 0 || sim.started) {
        fprintf(
            stderr,
            "gw_hdl: port %d of kind %d with %d bytes cannot be opened: numbers are 0 to %d and "
            "used once, beats have 1 to %d bytes, and ports are opened before the first clock "
            "edge\n",
            number, kind, width, GW_WIRE_MAX_PORTS - 1, GW_WIRE_MAX_BEAT);
        return -1;
    }
    if (port->queue == NULL)
        port->queue = malloc(QUEUE_BYTES);
    if (port->got == NULL)
        port->got = malloc(GW_SIM_FRAME_MAX + GW_WIRE_MAX_BEAT + 1);
    if (port->queue == NULL || port->got == NULL) {
        fprintf(stderr, "gw_hdl: out of memory\n");
        return -1;
    }
    port->kind = kind;
    port->width = (uint32_t)width;
    return number;
}

/* ---- frames and words ---- */

static int has_side(const sim_port *port)
{
    return port->kind == GW_SIM_OP2P || port->kind == GW_SIM_APELINK;
}

/* What goldwire says at a clock edge holds from the next one on: so nothing depends on the order in
 * which a simulator lets the ports have their turn at this one. */
static int is_past(uint64_t time_ps)
{
    return sim.now_ps > time_ps;
}

static size_t frame_len(const sim_port *port)
{
    const uint8_t *record = port->queue + port->first;
    int there = port->first < port->end && is_past(gw_wire_get64(record + 8));
    return there ? gw_wire_get32(record + 4) : 0;
}

static const uint8_t *beat_at(const sim_port *port)
{
    return port->queue + port->first + RECORD + port->sent;
}

/* The core has taken the beat on offer; with the last one of a frame goldwire hears of it. */
static void beat_taken(int number, sim_port *port)
{
    size_t len = frame_len(port);
    port->sent += port->beat + (has_side(port) ? 1 : 0);
    port->beat = 0;
    if (port->sent < len)
        return;
    gw_wire_bus bus = {sim.now_ps, GW_WIRE_LAST, 0, (uint32_t)len, port->width};
    if (sim.there)
        gw_wire_put_bus(message(GW_WIRE_WRITE, GW_WIRE_BUS,
                                gw_wire_get32(port->queue + port->first), GW_WIRE_RESPONSE,
                                (uint32_t)number),
                        &bus);
    port->first += RECORD + len;
    port->sent = 0;
    if (port->first == port->end)
        port->first = port->end = 0;
}

/* What is to be offered from now on. */
static int next_beat(sim_port *port)
{
    size_t left = frame_len(port) - port->sent;
    if (left == 0)
        return 0;
    size_t side = has_side(port) ? 1 : 0;
    port->beat = left - side < port->width ? (uint32_t)(left - side) : port->width;
    int result = (int)port->beat;
    if (port->beat + side == left)
        result |= GW_SIM_LAST_BEAT;
    if (side != 0)
        result |= beat_at(port)[port->beat] << GW_SIM_SIDE_SHIFT;
    return result;
}

int gw_hdl_tx(int number, int us, int ps, int taken)
{
    sim_port *port = opened(number);
    if (port == NULL || !clock_at(us, ps))
        return -1;
    if (taken && port->beat > 0)
        beat_taken(number, port);
    if (is_due())
        stop_for(0);
    int goes_on = flows(&port->flows[0]) || port->beat > 0; /* what is on offer stays */
    return sim.ended ? -1 : goes_on ? next_beat(port) : 0;
}

int gw_hdl_ready(int number, int us, int ps, int own)
{
    sim_port *port = opened(number);
    if (port == NULL || !clock_at(us, ps))
        return own;
    sim_flow *flow = &port->flows[1];
    if (!flow->told)
        return has_greeted() ? GW_SIM_READY_OWN : own;
    if (flow->on == 0 && flow->share == 0)
        return -1;
    return flows(flow);
}

int gw_hdl_tx_word(int number, int index)
{
    const sim_port *port = opened(number);
    uint32_t value = 0;
    if (port == NULL || index < 0)
        return 0;
    for (uint32_t i = 0; i < 4 && 4 * (uint32_t)index + i < port->beat; i++)
        value |= (uint32_t)beat_at(port)[4 * (uint32_t)index + i] << 8 * i;
    return (int)value;
}

void gw_hdl_rx_word(int number, int index, int value)
{
    sim_port *port = opened(number);
    if (port == NULL || index < 0 || index >= GW_WIRE_MAX_BEAT / 4)
        return;
    for (uint32_t i = 0; i < 4; i++)
        port->got[port->got_len + 4 * (uint32_t)index + i] = (uint8_t)((uint32_t)value >> 8 * i);
}

static void hand_over(int number, sim_port *port)
{
    gw_wire_bus bus = {sim.now_ps, GW_WIRE_LAST, 0, port->got_len, port->width};
    if (sim.there) {
        uint8_t *p = message(GW_WIRE_WRITE, GW_WIRE_BUS + port->got_len, 0, GW_WIRE_POSTED,
                             (uint32_t)number);
        gw_wire_put_bus(p, &bus);
        memcpy(p + GW_WIRE_BUS, port->got, port->got_len);
    }
    port->got_len = 0;
    heard_from_core();
}

int gw_hdl_rx(int number, int us, int ps, int bytes, int flags)
{
    sim_port *port = opened(number);
    if (port == NULL || bytes < 0 || bytes > (int)port->width || !clock_at(us, ps))
        return -1;
    port->got_len += (uint32_t)bytes;
    if (has_side(port) && bytes > 0)
        port->got[port->got_len++] = (uint8_t)(flags >> GW_SIM_SIDE_SHIFT);
    int full = port->got_len + port->width + 1 > GW_SIM_FRAME_MAX;
    int nothing = has_side(port) && port->got_len == 0; /* the rest of a chunk that was cleared */
    if (((flags & GW_SIM_LAST_BEAT) != 0 && !nothing) || full)
        hand_over(number, port);
    return sim.ended ? -1 : 0;
}

/* Positions of std_logic's values. */
enum { IS_0 = 2, IS_1 = 3, IS_H = 7 };

static size_t element(unsigned byte, unsigned bit)
{
    return GW_SIM_VECTOR_BITS - 1 - (8u * byte + bit);
}

void gw_hdl_txv(int number, int us, int ps, int taken, int *result, uint8_t *beat)
{
    *result = gw_hdl_tx(number, us, ps, taken);
    const sim_port *port = opened(number);
    if (*result <= 0 || !taken || port == NULL)
        return;
    for (unsigned i = 0; i < port->width; i++) {
        unsigned value = i < port->beat ? beat_at(port)[i] : 0;
        for (unsigned bit = 0; bit < 8; bit++)
            beat[element(i, bit)] = (value >> bit & 1) != 0 ? IS_1 : IS_0;
    }
}

void gw_hdl_rxv(int number, int us, int ps, int bytes, int flags, const uint8_t *beat, int *result)
{
    sim_port *port = opened(number);
    int unknown = 0;
    for (unsigned i = 0; port != NULL && i < (unsigned)bytes && i < port->width; i++) {
        unsigned value = 0;
        for (unsigned bit = 0; bit < 8; bit++) {
            uint8_t is = beat[element(i, bit)];
            value |= (unsigned)(is == IS_1 || is == IS_H) << bit;
            unknown |= is != IS_0 && is != IS_1;
        }
        port->got[port->got_len + i] = (uint8_t)value;
    }
    if (unknown)
        gw_hdl_breach(number, us, ps, GW_SIM_UNKNOWN);
    *result = gw_hdl_rx(number, us, ps, bytes, flags);
}

/* ---- buses, wires and what is around ---- */

static void end_access(int number, sim_port *port, int done, uint32_t data)
{
    int read = port->access.what == 1;
    gw_wire_bus bus = {sim.now_ps, done == 2 ? GW_WIRE_BUS_ERROR : 0, port->access.address,
                       read ? 4 : 0, port->access.select};
    port->access.what = 0;
    if (!sim.there)
        return;
    uint8_t *p = message(read ? GW_WIRE_READ : GW_WIRE_WRITE, GW_WIRE_BUS + (read ? 4 : 0),
                         port->access.id, GW_WIRE_RESPONSE, (uint32_t)number);
    gw_wire_put_bus(p, &bus);
    for (unsigned i = 0; read && i < 4; i++)
        p[GW_WIRE_BUS + i] = (uint8_t)(data >> 8 * i);
    heard_from_core();
}

int gw_hdl_bus(int number, int us, int ps, int done, int data)
{
    sim_port *port = opened(number);
    if (port == NULL || !clock_at(us, ps))
        return -1;
    if (done != 0 && port->access.what != 0 && port->access.given)
        end_access(number, port, done, (uint32_t)data);
    if (is_due())
        stop_for(0);
    port->access.given = port->access.what != 0 && is_past(port->access.since_ps);
    return sim.ended ? -1 : port->access.given ? port->access.what : 0;
}

int gw_hdl_bus_address(int number)
{
    const sim_port *port = opened(number);
    return port != NULL ? (int)(uint32_t)port->access.address : 0;
}

int gw_hdl_bus_data(int number)
{
    const sim_port *port = opened(number);
    return port != NULL ? (int)port->access.data : 0;
}

int gw_hdl_bus_select(int number)
{
    const sim_port *port = opened(number);
    return port != NULL ? (int)port->access.select : 0;
}

int gw_hdl_reset(int number, int us, int ps)
{
    const sim_port *port = opened(number);
    if (port == NULL || !clock_at(us, ps))
        return 0;
    if (is_due())
        stop_for(0);
    return (int)(is_past(port->level_ps) ? port->level : port->level_before);
}

void gw_hdl_breach(int number, int us, int ps, int which)
{
    sim_port *port = opened(number);
    if (port == NULL || which < 0 || which >= GW_SIM_NUM_BREACHES || !clock_at(us, ps))
        return;
    /* A core may break a rule at every edge: then the first ones and each doubling are told. */
    uint64_t times = ++port->breaches[which];
    if (!sim.there || (times > GW_SIM_BREACHES_TOLD && (times & (times - 1)) != 0))
        return;
    uint8_t *p =
        message(GW_WIRE_FINDING, 24, 0, GW_WIRE_OPTIONAL | GW_WIRE_POSTED, (uint32_t)number);
    gw_wire_put64(p, sim.now_ps);
    gw_wire_put32(p + 8, (uint32_t)number);
    gw_wire_put32(p + 12, (uint32_t)which);
    gw_wire_put64(p + 16, port->breaches[which]);
    if (times == 1 && which != GW_SIM_BUS_USED)
        show_edges_soon((unsigned)number, (uint32_t)which);
}

/* A word of 32 bits as it lies in a beat. */
static void put_word(uint8_t *p, uint32_t value)
{
    p[0] = (uint8_t)value;
    p[1] = (uint8_t)(value >> 8);
    p[2] = (uint8_t)(value >> 16);
    p[3] = (uint8_t)(value >> 24);
}

void gw_hdl_edge_word(int number, int index, int value)
{
    (void)number;
    if (index >= 0 && index < EDGE_WORDS)
        put_word(beat_told.bytes + (size_t)4 * (unsigned)index, (uint32_t)value);
    else if (index == EDGE_WORDS + 1)
        beat_told.keep = (uint64_t)(uint32_t)value << 32;
    else if (index == EDGE_WORDS + 3)
        beat_told.unknown = (uint64_t)(uint32_t)value << 32;
}

/* The edge that is told now; NULL: nobody wants to hear of it. */
static sim_edge *told_edge(int number, int us, int ps, int lane, int edge, int wires, int bytes)
{
    if (opened(number) == NULL || lane < 0 || lane >= GW_WIRE_LANES || bytes < 0 ||
        bytes > GW_WIRE_MAX_BEAT || !clock_at(us, ps) || !sim.there)
        return NULL;
    return new_edge(&edges[number][lane], (uint32_t)edge, (uint32_t)wires, (uint32_t)bytes);
}

/* Written where it is kept, and not by way of |beat_told|: ports of four bytes tell most edges. */
void gw_hdl_edge(int number, int us, int ps, int lane, int edge, int wires, int bytes, int data,
                 int keep, int unknown)
{
    sim_edge *told = told_edge(number, us, ps, lane, edge, wires, bytes);
    if (told != NULL) {
        told->beat.keep = beat_told.keep | (uint32_t)keep;
        told->beat.unknown = beat_told.unknown | (uint32_t)unknown;
        put_word(told->beat.bytes, (uint32_t)data);
        if (bytes > 4)
            memcpy(told->beat.bytes + 4, beat_told.bytes + 4, (size_t)bytes - 4);
    }
    beat_told.keep = beat_told.unknown = 0;
}

void gw_hdl_edgev(int number, int us, int ps, int lane, int edge, int wires, int bytes,
                  const uint8_t *data, const uint8_t *keep)
{
    sim_edge *told = told_edge(number, us, ps, lane, edge, wires, bytes);
    if (told == NULL)
        return;
    memset(&told->beat, 0, sizeof(told->beat));
    for (unsigned i = 0; i < (unsigned)bytes; i++)
        for (unsigned bit = 0; bit < 8; bit++) {
            uint8_t is = data[element(i, bit)];
            told->beat.bytes[i] |= (uint8_t)((is == IS_1 || is == IS_H) << bit);
            if (is != IS_0 && is != IS_1)
                told->beat.unknown |= UINT64_C(1) << i;
        }
    for (unsigned i = 0; i < 64; i++)
        told->beat.keep |= (uint64_t)(keep[element(i / 8, i % 8)] == IS_1) << i;
}

int gw_hdl_mark(int index)
{
    if (index < 0)
        return sim.num_marks;
    return index < GW_WIRE_MARK ? (unsigned char)sim.mark[index] : 0;
}

int gw_hdl_pace(int us, int ps)
{
    if (!clock_at(us, ps))
        return -1;
    if (is_due())
        stop_for(0);
    if (sim.ended)
        return -1;
    uint64_t left = sim.until_ps > sim.now_ps ? sim.until_ps - sim.now_ps : 1;
    return left > PACE_MAX_PS ? (int)PACE_MAX_PS : (int)left;
}

#ifdef GW_HDL_VPI
/* Icarus Verilog: system functions with the same names. They take no time from their caller, but
 * the simulator's own. */
#include <vpi_user.h>

#define MAX_ARGUMENTS 8

/* What the arguments of one call in the source are, found once: looking is most of a call's cost.
 */
typedef struct call_site {
    vpiHandle call;
    vpiHandle arguments[MAX_ARGUMENTS];
    int num;
} call_site;

static int scale; /* of the simulator's time unit: 10^scale ps */

static PLI_INT32 find_arguments(PLI_BYTE8 *data)
{
    vpiHandle call = vpi_handle(vpiSysTfCall, NULL);
    vpiHandle each = vpi_iterate(vpiArgument, call);
    call_site *site = calloc(1, sizeof(*site));
    (void)data;
    if (site == NULL)
        return 0;
    site->call = call;
    for (vpiHandle one = each != NULL ? vpi_scan(each) : NULL; one != NULL; one = vpi_scan(each))
        if (site->num < MAX_ARGUMENTS)
            site->arguments[site->num++] = one;
    vpi_put_userdata(call, site);
    scale = vpi_get(vpiTimePrecision, NULL) + 12;
    return 0;
}

/* The present time in its two halves. */
static void read_time(int *us, int *ps)
{
    s_vpi_time time = {.type = vpiSimTime};
    vpi_get_time(NULL, &time);
    uint64_t now = (uint64_t)time.high << 32 | time.low;
    for (int i = 0; i < scale; i++)
        now *= 10;
    for (int i = 0; i > scale; i--)
        now /= 10;
    *us = (int)(now / PS_A_US);
    *ps = (int)(now % PS_A_US);
}

static const call_site *arguments(int *values)
{
    const call_site *site = vpi_get_userdata(vpi_handle(vpiSysTfCall, NULL));
    s_vpi_value value = {.format = vpiIntVal};
    memset(values, 0, MAX_ARGUMENTS * sizeof(*values));
    for (int i = 0; site != NULL && i < site->num; i++) {
        vpi_get_value(site->arguments[i], &value);
        values[i] = value.value.integer;
    }
    return site;
}

static PLI_INT32 answer(const call_site *site, int result)
{
    s_vpi_value value = {.format = vpiIntVal};
    value.value.integer = result;
    if (site != NULL)
        vpi_put_value(site->call, &value, NULL, vpiNoDelay);
    return 0;
}

#define FUNCTION(name, ...)                                                                        \
    static PLI_INT32 call_##name(PLI_BYTE8 *data)                                                  \
    {                                                                                              \
        int a[MAX_ARGUMENTS], us, ps;                                                              \
        const call_site *site = arguments(a);                                                      \
        (void)data;                                                                                \
        read_time(&us, &ps);                                                                       \
        return answer(site, __VA_ARGS__);                                                          \
    }

FUNCTION(gw_hdl_port, gw_hdl_port(a[0], a[1], a[2]))
FUNCTION(gw_hdl_tx, gw_hdl_tx(a[0], us, ps, a[1]))
FUNCTION(gw_hdl_ready, gw_hdl_ready(a[0], us, ps, a[1]))
FUNCTION(gw_hdl_tx_word, gw_hdl_tx_word(a[0], a[1]))
FUNCTION(gw_hdl_rx_word, (gw_hdl_rx_word(a[0], a[1], a[2]), 0))
FUNCTION(gw_hdl_rx, gw_hdl_rx(a[0], us, ps, a[1], a[2]))
FUNCTION(gw_hdl_bus, gw_hdl_bus(a[0], us, ps, a[1], a[2]))
FUNCTION(gw_hdl_bus_address, gw_hdl_bus_address(a[0]))
FUNCTION(gw_hdl_bus_data, gw_hdl_bus_data(a[0]))
FUNCTION(gw_hdl_bus_select, gw_hdl_bus_select(a[0]))
FUNCTION(gw_hdl_reset, gw_hdl_reset(a[0], us, ps))
FUNCTION(gw_hdl_breach, (gw_hdl_breach(a[0], us, ps, a[1]), 0))
FUNCTION(gw_hdl_edge_word, (gw_hdl_edge_word(a[0], a[1], a[2]), 0))
FUNCTION(gw_hdl_edge, (gw_hdl_edge(a[0], us, ps, a[1], a[2], a[3], a[4], a[5], a[6], a[7]), 0))
FUNCTION(gw_hdl_mark, gw_hdl_mark(a[0]))
FUNCTION(gw_hdl_pace, gw_hdl_pace(us, ps))

static PLI_INT32 call_gw_hdl_turns(PLI_BYTE8 *data)
{
    int a[MAX_ARGUMENTS], us, ps;
    const call_site *site = arguments(a);
    (void)data;
    read_time(&us, &ps);
    uint64_t now_ps = (uint64_t)us * PS_A_US + (uint64_t)ps;
    return answer(site, gw_hdl_turns((int)(now_ps >> 32), (int)(uint32_t)now_ps));
}

#define REGISTER(name)                                                                             \
    {                                                                                              \
        .type = vpiSysFunc, .sysfunctype = vpiIntFunc, .tfname = "$" #name, .calltf = call_##name, \
        .compiletf = find_arguments                                                                \
    }

static void register_functions(void)
{
    static s_vpi_systf_data functions[] = {
        REGISTER(gw_hdl_port),        REGISTER(gw_hdl_tx),        REGISTER(gw_hdl_tx_word),
        REGISTER(gw_hdl_rx_word),     REGISTER(gw_hdl_rx),        REGISTER(gw_hdl_bus),
        REGISTER(gw_hdl_bus_address), REGISTER(gw_hdl_bus_data),  REGISTER(gw_hdl_bus_select),
        REGISTER(gw_hdl_reset),       REGISTER(gw_hdl_breach),    REGISTER(gw_hdl_mark),
        REGISTER(gw_hdl_pace),        REGISTER(gw_hdl_edge_word), REGISTER(gw_hdl_edge),
        REGISTER(gw_hdl_ready),       REGISTER(gw_hdl_turns),
    };
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
        vpi_register_systf(&functions[i]);
}

void (*vlog_startup_routines[])(void) = {register_functions, NULL};
#endif
