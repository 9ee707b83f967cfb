/* SPDX-License-Identifier: BSD-2-Clause */
/* golden_traces FOLDER: makes every golden trace anew. */
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

void golden_open(golden *g, const char *folder, const char *name)
{
    char path[1024];

    *g = (golden){.now = GW_MEM_EPOCH_NS, .link_type = GW_LINK_ETHERNET};
    snprintf(path, sizeof path, "%s/%s.pcapng", folder, name);
    g->file = fopen(path, "wb");
    g->w = g->file == NULL ? NULL : gw_pcapng_create(g->file, "goldwire golden_traces");
    if (g->w == NULL ||
        gw_pcapng_interface(g->w, GW_LINK_ETHERNET, "lab0",
                            "software boards in memory; frames are synthesised") != 0)
        golden_die(path);
}

void golden_board(golden *g, const char *dialect)
{
    static gw_peer_config config; /* outlives the board */
    char why[256] = "";

    g->dialect = dialect == NULL ? NULL : gw_dialect_by_name(&gw_etherbone, dialect);
    config = (gw_peer_config){.dialect = g->dialect};
    g->mem = gw_mem_start(gw_board_by_role("etherbone-slave"), &config, why, sizeof why);
    if (g->mem != NULL)
        g->udp = gw_mem_connect(g->mem, 0, false, why, sizeof why);
    if (g->udp == NULL)
        golden_die(why);
}

void golden_close(golden *g)
{
    gw_transport_close(g->udp);
    gw_mem_stop(g->mem);
    if (!gw_pcapng_close(g->w) || fclose(g->file) != 0)
        golden_die("a trace could not be written");
}

int64_t golden_time(const golden *g)
{
    return g->udp == NULL ? g->now : GW_MEM_EPOCH_NS + g->udp->ops->now(g->udp);
}

void golden_wait(golden *g, int64_t ns)
{
    if (g->udp != NULL)
        g->udp->ops->wait(g->udp, g->udp->ops->now(g->udp) + ns);
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
                 src->port == golden_slave.port ? GW_DIR_OUT : GW_DIR_IN, comment);
}

void golden_send(golden *g, const uint8_t *request, size_t len, const char *comment)
{
    golden_wait(g, GOLDEN_MS);
    int64_t time = golden_time(g);
    if (!g->udp->ops->send(g->udp, request, len))
        golden_die("a request could not be sent");
    golden_udp(g, &golden_client, &golden_slave, request, len, time, comment);
}

static bool receive(golden *g, uint8_t *reply, size_t *len, int64_t *time)
{
    gw_endpoint from;
    return g->udp->ops->recv(g->udp, reply, 1500, len, g->udp->ops->now(g->udp) + GOLDEN_MS, time,
                             &from) == GW_RECV_DATA;
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
    golden_udp(g, &golden_slave, &golden_client, reply, got, time, reply_comment);
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

    if (!gw_eb_build_packet(&b, out, cap, widths, g->dialect))
        golden_die("a packet cannot be built");
    for (size_t i = 0; i < num; i++) {
        if (!gw_eb_build_record(&b, &ops[i]))
            golden_die("a record does not fit");
    }
    return gw_eb_build_end(&b, true);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: golden_traces FOLDER\n");
        return 2;
    }
    golden_bus_traces(argv[1]);
    golden_odd_traces(argv[1]);
    golden_talk_traces(argv[1]);
    golden_net_traces(argv[1]);
    return 0;
}
