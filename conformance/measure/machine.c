/* SPDX-License-Identifier: BSD-2-Clause */
/* Asks this machine. */
#include "measure/machine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timex.h>
#include <time.h>

#define CLOCK_SOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

/* ---- neighbours ---- */

gw_arp_entry gw_arp_find(FILE *table, const uint8_t ip[4], char *out, size_t cap)
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
            return GW_ARP_SILENT;
        (void)snprintf(out, cap, "%s", hardware);
        return GW_ARP_KNOWN;
    }
    return GW_ARP_UNKNOWN;
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
