/* SPDX-License-Identifier: BSD-2-Clause */
/* Measures and asks this machine. */
#include "cli/doctor_host.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#include "harness/socket.h"

#define MAX_TRIPS 4096
#define TRIP_NS INT64_C(1000000000) /* at the most */
#define NAP_NS INT64_C(1000000)
#define NAP_EVERY 16 /* trips */
#define CLOCK_SOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

/* ---- neighbours ---- */

gw_neighbour gw_neighbour_find(FILE *table, const uint8_t ip[4], char *out, size_t cap)
{
    char line[256];
    char wanted[16];
    (void)snprintf(wanted, sizeof(wanted), "%u.%u.%u.%u", ip[0], ip[1], ip[2], ip[3]);
    out[0] = '\0';
    while (fgets(line, sizeof(line), table) != NULL) {
        char address[64];
        char hardware[64];
        char flags[16];
        if (sscanf(line, "%63s %*s %15s %63s", address, flags, hardware) != 3 ||
            strcmp(address, wanted) != 0)
            continue;
        if ((strtoul(flags, NULL, 16) & 2) == 0) /* ATF_COM */
            return GW_NEIGHBOUR_SILENT;
        (void)snprintf(out, cap, "%s", hardware);
        return GW_NEIGHBOUR_KNOWN;
    }
    return GW_NEIGHBOUR_UNKNOWN;
}

/* ---- how steady ---- */

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int64_t gw_percentile(const int64_t *values, size_t num, unsigned percent)
{
    size_t rank = (num * percent + 99) / 100;
    return values[rank > 0 ? rank - 1 : 0];
}

/* One datagram from |t| to itself; -1 when it does not come. */
static int64_t trip(gw_transport *t)
{
    uint8_t packet[32] = {0};
    size_t len;
    int64_t start = t->ops->now(t);
    if (!t->ops->send(t, packet, sizeof(packet)))
        return -1;
    if (t->ops->recv(t, packet, sizeof(packet), &len, start + TRIP_NS, NULL, NULL) != GW_RECV_DATA)
        return -1;
    return t->ops->now(t) - start;
}

static int64_t nap(gw_transport *t)
{
    int64_t until = t->ops->now(t) + NAP_NS;
    t->ops->wait(t, until);
    return t->ops->now(t) - until;
}

/* A socket that is connected to itself. */
static gw_transport *open_mirror(char *why, size_t why_cap)
{
    gw_url url;
    bool unreachable;
    char text[96];
    if (!gw_url_parse(&url, "udp://127.0.0.1:0", why, why_cap))
        return NULL;
    /* The kernel names a free port; nobody else asks for it in the meantime. */
    gw_transport *first = gw_transport_serve(&url, why, why_cap);
    if (first == NULL)
        return NULL;
    unsigned port = first->local.port;
    gw_transport_close(first);
    (void)snprintf(text, sizeof(text), "udp://127.0.0.1:%u?local=127.0.0.1:%u", port, port);
    if (!gw_url_parse(&url, text, why, why_cap))
        return NULL;
    return gw_transport_open(&url, TRIP_NS, &unreachable, why, why_cap);
}

bool gw_jitter_measure(gw_jitter *out, unsigned num, char *why, size_t why_cap)
{
    int64_t trips[MAX_TRIPS];
    int64_t naps[MAX_TRIPS / NAP_EVERY + 1];
    size_t num_naps = 0;
    num = num < MAX_TRIPS ? num : MAX_TRIPS;
    memset(out, 0, sizeof(*out));
    gw_transport *t = open_mirror(why, why_cap);
    if (t == NULL)
        return false;
    for (out->num = 0; out->num < num; out->num++) {
        if (out->num % NAP_EVERY == 0)
            naps[num_naps++] = nap(t);
        trips[out->num] = trip(t);
        if (trips[out->num] < 0)
            break;
    }
    bool all = out->num == num && num > 0;
    if (!all)
        (void)snprintf(why, why_cap, "a datagram to ourselves was lost (%s)", t->error);
    gw_transport_close(t);
    if (!all)
        return false;
    qsort(trips, num, sizeof(*trips), ascending);
    qsort(naps, num_naps, sizeof(*naps), ascending);
    out->trip_median = gw_percentile(trips, num, 50);
    out->trip_p99 = gw_percentile(trips, num, 99);
    out->trip_max = trips[num - 1];
    out->wake_p99 = gw_percentile(naps, num_naps, 99);
    out->wake_max = naps[num_naps - 1];
    return true;
}

/* ---- clocks ---- */

static void read_word(const char *path, char *out, size_t cap)
{
    FILE *file = fopen(path, "re");
    (void)snprintf(out, cap, "unknown");
    if (file == NULL)
        return;
    if (fgets(out, (int)cap, file) != NULL)
        out[strcspn(out, "\n")] = '\0';
    (void)fclose(file);
}

bool gw_clock_describe(char *out, size_t cap)
{
    char source[32];
    struct timespec step = {0, 0};
    struct timex kept = {.modes = 0};
    read_word(CLOCK_SOURCE, source, sizeof(source));
    (void)clock_getres(CLOCK_MONOTONIC, &step);
    int state = adjtimex(&kept);
    bool kept_right = state >= 0 && state != TIME_ERROR;
    (void)snprintf(out, cap, "source %s, resolution %" PRId64 " ns; the time of day is %s", source,
                   (int64_t)step.tv_sec * 1000000000 + step.tv_nsec,
                   kept_right ? "kept right" : "not kept right by anybody");
    /* jiffies and acpi_pm are too coarse to time a board by. */
    bool fine = strcmp(source, "jiffies") != 0 && strcmp(source, "acpi_pm") != 0;
    return fine && kept_right;
}
