/* SPDX-License-Identifier: BSD-2-Clause */
/* golden_traces FOLDER: makes every golden trace anew, in FOLDER/etherbone and so on. */
#include "golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const gw_endpoint golden_client = {.ip = {192, 0, 2, 1}, .port = 40000, .family = GW_FAMILY_IPV4};
const gw_endpoint golden_slave = {.ip = {192, 0, 2, 2}, .port = 60368, .family = GW_FAMILY_IPV4};
const gw_endpoint golden_client6 = {
    .ip = {0x20, 0x01, 0x0d, 0xb8, [15] = 1}, .port = 40000, .family = GW_FAMILY_IPV6};
const gw_endpoint golden_slave6 = {
    .ip = {0x20, 0x01, 0x0d, 0xb8, [15] = 2}, .port = 60368, .family = GW_FAMILY_IPV6};

_Noreturn void golden_die(const char *what)
{
    fprintf(stderr, "golden_traces: %s\n", what);
    exit(4);
}

/* Traces of EtherBone say that they are: some hold only what nobody would know it by. Boards of
 * other formats have registers beside, which are EtherBone's. */
static const char *what_frames_are(const char *folder)
{
    const char *slash = strrchr(folder, '/');

    return strcmp(slash != NULL ? slash + 1 : folder, gw_etherbone.name) == 0
               ? "goldwire: etherbone - software boards in memory; frames are synthesised"
               : "software boards in memory; frames are synthesised";
}

void golden_open(golden *g, const char *folder, const char *name)
{
    char path[1024];

    *g = (golden){.now = GW_VIRTUAL_EPOCH_NS,
                  .link_type = GW_LINK_ETHERNET,
                  .client = golden_client,
                  .slave = golden_slave};
    snprintf(path, sizeof path, "%s/%s.pcapng", folder, name);
    g->file = fopen(path, "wb");
    g->w = g->file == NULL ? NULL : gw_pcapng_create(g->file, "goldwire golden_traces");
    if (g->w == NULL ||
        gw_pcapng_interface(g->w, GW_LINK_ETHERNET, "lab0", what_frames_are(folder)) != 0)
        golden_die(path);
}

static void stop_board(golden *g)
{
    gw_transport_close(g->udp);
    gw_mem_stop(g->mem);
    g->udp = NULL;
    g->mem = NULL;
}

void golden_run(golden *g, const gw_board *board, const gw_peer_config *config)
{
    char why[256] = "";

    g->now = golden_time(g);
    stop_board(g);
    g->config = *config;
    g->mem = gw_mem_start(board, &g->config, why, sizeof why);
    if (g->mem != NULL)
        g->udp = gw_mem_connect(g->mem, 0, false, why, sizeof why);
    if (g->udp == NULL)
        golden_die(why);
}

void golden_board_of(golden *g, const gw_peer_config *config)
{
    golden_run(g, gw_board_by_role("etherbone-slave"), config);
}

void golden_board(golden *g, const char *dialect)
{
    gw_peer_config config = {
        .dialect = dialect == NULL ? NULL : gw_dialect_by_name(&gw_etherbone, dialect)};
    golden_board_of(g, &config);
}

void golden_close(golden *g)
{
    stop_board(g);
    if (!gw_pcapng_close(g->w) || fclose(g->file) != 0)
        golden_die("a trace could not be written");
}

int64_t golden_time(const golden *g)
{
    return g->udp == NULL ? g->now : g->now + g->udp->ops->now(g->udp);
}

int64_t golden_heard(const golden *g, gw_transport *t)
{
    return t->ops->now(t) + g->now;
}

void golden_wait(golden *g, int64_t ns)
{
    if (g->udp != NULL)
        g->udp->ops->wait(g->udp, g->udp->ops->now(g->udp) + ns);
    else
        g->now += ns;
}

void golden_frame(golden *g, const uint8_t *frame, size_t cap_len, size_t len, int64_t time,
                  gw_direction dir, const char *comment)
{
    gw_frame f = {.data = frame,
                  .cap_len = (uint32_t)cap_len,
                  .len = (uint32_t)len,
                  .link_type = g->link_type,
                  .interface = g->interface,
                  .time_ns = time,
                  .dir = (uint8_t)dir,
                  .comment = comment};
    if (!gw_pcapng_frame(g->w, &f))
        golden_die("a frame could not be written");
}

void golden_udp(golden *g, const gw_endpoint *src, const gw_endpoint *dst, const uint8_t *payload,
                size_t len, int64_t time, const char *comment)
{
    uint8_t frame[2048];
    size_t frame_len = gw_frame_udp(frame, sizeof frame, src, dst, payload, len);

    if (frame_len == 0)
        golden_die("a datagram is too long for a frame");
    golden_frame(g, frame, frame_len, frame_len, time,
                 gw_endpoint_equal(src, &g->slave) ? GW_DIR_OUT : GW_DIR_IN, comment);
}

void golden_send(golden *g, const uint8_t *request, size_t len, const char *comment)
{
    golden_wait(g, GOLDEN_MS);
    int64_t time = golden_time(g);
    if (!g->udp->ops->send(g->udp, request, len))
        golden_die("a request could not be sent");
    golden_udp(g, &g->client, &g->slave, request, len, time, comment);
}

static bool receive(golden *g, uint8_t *reply, size_t *len, int64_t *time)
{
    if (g->udp->ops->recv(g->udp, reply, 1500, len, g->udp->ops->now(g->udp) + GOLDEN_MS, NULL,
                          NULL) != GW_RECV_DATA)
        return false;
    *time = golden_heard(g, g->udp);
    return true;
}

size_t golden_reply(golden *g, uint8_t *reply, int64_t *time)
{
    size_t len;
    if (!receive(g, reply, &len, time))
        golden_die("the slave did not answer");
    return len;
}

void golden_ask(golden *g, const uint8_t *request, size_t len, const char *comment,
                const char *reply_comment)
{
    uint8_t reply[1500];
    int64_t time;

    golden_send(g, request, len, comment);
    size_t got = golden_reply(g, reply, &time);
    golden_udp(g, &g->slave, &g->client, reply, got, time, reply_comment);
}

void golden_tell(golden *g, const uint8_t *request, size_t len, const char *comment)
{
    uint8_t reply[1500];
    size_t got;
    int64_t time;

    golden_send(g, request, len, comment);
    if (receive(g, reply, &got, &time))
        golden_die(comment);
}

void golden_steps(golden *g, const golden_step *steps, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        uint8_t packet[1472];
        size_t len = golden_hex(packet, sizeof packet, steps[i].hex);
        if (steps[i].reply != NULL)
            golden_ask(g, packet, len, steps[i].says, steps[i].reply);
        else
            golden_tell(g, packet, len, steps[i].says);
    }
}

void golden_overdue(golden *g)
{
    uint8_t packet[16];
    size_t len = golden_hex(packet, sizeof packet, "4e6f1444 080f0100 00000010 cafe0001");

    golden_wait(g, 20000 * GOLDEN_MS);
    golden_udp(g, &g->client, &g->slave, packet, len, golden_time(g),
               "EB-M08: a write, without an answer; what is not answered by now is overdue");
}

size_t golden_hex(uint8_t *out, size_t cap, const char *hex)
{
    size_t len = 0;

    for (; *hex != '\0'; hex++) {
        char pair[3] = {hex[0], hex[1], '\0'}, *end;
        if (*hex == ' ')
            continue;
        unsigned long byte = strtoul(pair, &end, 16);
        if (*end != '\0' || len == cap)
            golden_die(hex);
        out[len++] = (uint8_t)byte;
        hex++;
    }
    return len;
}

size_t golden_packet(const golden *g, uint8_t *out, size_t cap, uint8_t widths,
                     const gw_eb_operation *ops, size_t num)
{
    gw_eb_builder b;

    if (!gw_eb_build_packet(&b, out, cap, widths, g->config.dialect))
        golden_die("a packet cannot be built");
    for (size_t i = 0; i < num; i++) {
        if (!gw_eb_build_record(&b, &ops[i]))
            golden_die("a record does not fit");
    }
    return gw_eb_build_end(&b, true);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *format;
        void (*make)(const char *folder);
    } makers[] = {
#define GW_FORMAT(name) {#name, golden_##name##_traces},
#include "goldwire/formats.def"
    };
    char folder[1024];

    if (argc != 2) {
        fprintf(stderr, "usage: golden_traces FOLDER, which has a folder for each format\n");
        return 2;
    }
    for (size_t i = 0; i < GW_ARRAY_LEN(makers); i++) {
        snprintf(folder, sizeof folder, "%s/%s", argv[1], makers[i].format);
        makers[i].make(folder);
    }
    return 0;
}
