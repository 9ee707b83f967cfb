/* SPDX-License-Identifier: BSD-2-Clause */
/* Asks the kernel what it runs on. */
#include "measure/host.h"

#include <inttypes.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "goldwire/text.h"
#include "harness/socket.h"
#include "measure/machine.h"

static void describe_system(char *out, size_t cap)
{
    struct utsname u;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (uname(&u) != 0)
        return;
    (void)snprintf(out, cap, "%.64s: %.32s %.64s, %.32s, %ld processor%s", u.nodename, u.sysname,
                   u.release, u.machine, processors, processors == 1 ? "" : "s");
}

/* A number that the kernel tells of interface |name|; 0 when it does not, as of a speed that an
 * interface does not have. */
static unsigned long number_of(const char *name, const char *what)
{
    char path[128];
    char line[32] = "";
    (void)snprintf(path, sizeof(path), "/sys/class/net/%s/%s", name, what);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return 0;
    if (fgets(line, sizeof(line), file) == NULL)
        line[0] = '\0';
    (void)fclose(file);
    long number = strtol(line, NULL, 10);
    return number > 0 ? (unsigned long)number : 0;
}

static void add_driver(gw_text *out, const char *name)
{
    char path[128];
    char target[256];
    (void)snprintf(path, sizeof(path), "/sys/class/net/%s/device/driver", name);
    ssize_t len = readlink(path, target, sizeof(target) - 1);
    if (len <= 0)
        return;
    target[len] = '\0';
    const char *driver = strrchr(target, '/');
    gw_text_str(out, ", ");
    gw_text_str(out, driver != NULL ? driver + 1 : target);
}

static void describe_interface(char *out, size_t cap, const gw_endpoint *local)
{
    char name[IF_NAMESIZE] = "";
    if (!gw_carrier_interface(local, name, sizeof(name)))
        return;
    gw_text text = gw_text_over(out, cap);
    gw_text_str(&text, name);
    add_driver(&text, name);
    unsigned long speed = number_of(name, "speed");
    if (speed > 0) {
        gw_text_str(&text, ", ");
        gw_text_dec(&text, speed);
        gw_text_str(&text, " Mbit/s");
    }
    unsigned long mtu = number_of(name, "mtu"); /* not where /sys is hidden */
    if (mtu > 0) {
        gw_text_str(&text, ", MTU ");
        gw_text_dec(&text, mtu);
    }
}

void gw_host_describe(gw_host *out, const gw_endpoint *local)
{
    *out = (gw_host){.system = ""};
    describe_system(out->system, sizeof(out->system));
    (void)gw_clock_describe(out->clock, sizeof(out->clock));
    describe_interface(out->interface, sizeof(out->interface), local);
}
