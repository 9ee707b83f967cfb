/* SPDX-License-Identifier: BSD-2-Clause */
#include "device.h"

#include <net/if.h>
#include <stdio.h>
#include <string.h>

#include "goldwire/text.h"
#include "harness/nearest.h"

#define SNAPLEN 262144    /* whole frames, those that an interface glues together too */
#define BUFFER (16 << 20) /* of the kernel, bytes: what may come while nobody looks */
#define INTERFACES_SHOWN 32
#define LINK_RAW 101

/* "; did you mean 'eth0'? (here are: lo eth0)" */
static void say_interfaces(gw_text *text, const char *name)
{
    struct if_nameindex *all = if_nameindex();
    const char *names[INTERFACES_SHOWN + 1] = {NULL};
    char meant[IF_NAMESIZE + 32];
    size_t n = 0;

    if (all == NULL)
        return;
    for (; n < INTERFACES_SHOWN && all[n].if_index != 0; n++)
        names[n] = all[n].if_name;
    gw_text_str(text, gw_nearest_said(meant, sizeof(meant), name, names));
    gw_text_str(text, " (here are:");
    for (size_t i = 0; i < n; i++) {
        gw_text_str(text, " ");
        gw_text_str(text, names[i]);
    }
    gw_text_str(text, ")");
    if_freenameindex(all);
}

/* Who may not capture is refused before anybody looks for the interface. What libpcap lists knows
 * of more than the system's: any, for one. */
static bool is_listed(const char *name)
{
    char error[PCAP_ERRBUF_SIZE];
    pcap_if_t *all = NULL;

    if (pcap_findalldevs(&all, error) != 0 || all == NULL)
        return true;
    const pcap_if_t *one = all;
    while (one != NULL && strcmp(one->name, name) != 0)
        one = one->next;
    pcap_freealldevs(all);
    return one != NULL;
}

static void say_refusal(pcap_t *pcap, const char *name, int result, char *why, size_t cap)
{
    gw_text text = gw_text_over(why, cap);

    gw_text_str(&text, name);
    if (result == PCAP_ERROR_PERM_DENIED && !is_listed(name))
        result = PCAP_ERROR_NO_SUCH_DEVICE;
    switch (result) {
    case PCAP_ERROR_NO_SUCH_DEVICE:
        gw_text_str(&text, ": no such interface");
        say_interfaces(&text, name);
        return;
    case PCAP_ERROR_PERM_DENIED:
    case PCAP_ERROR_PROMISC_PERM_DENIED:
        gw_text_str(&text, ": permission denied; capturing needs root or CAP_NET_RAW (setcap "
                           "cap_net_raw+ep on this program)");
        return;
    case PCAP_ERROR_IFACE_NOT_UP:
        gw_text_str(&text, ": is down; ip link set it up");
        return;
    default:
        gw_text_str(&text, ": cannot be captured on: ");
        gw_text_str(&text,
                    pcap_geterr(pcap)[0] != '\0' ? pcap_geterr(pcap) : pcap_statustostr(result));
    }
}

/* Asks for whole frames, all of them, with fine stamps where the system has them. 0, or why it may
 * not be asked for. */
static int wish(pcap_t *pcap)
{
    int result = pcap_set_snaplen(pcap, SNAPLEN);

    if (result == 0)
        result = pcap_set_promisc(pcap, 1);
    if (result == 0)
        result = pcap_set_timeout(pcap, GW_DEVICE_DELAY_MS);
    if (result == 0)
        result = pcap_set_buffer_size(pcap, BUFFER);
    if (result == 0)
        result = pcap_set_tstamp_precision(pcap, PCAP_TSTAMP_PRECISION_NANO);
    return result == PCAP_ERROR_TSTAMP_PRECISION_NOTSUP ? 0 : result;
}

static bool activate(gw_device *device, const char *name, char *why, size_t cap)
{
    char error[PCAP_ERRBUF_SIZE];

    int result = wish(device->pcap);
    if (result == 0)
        result = pcap_activate(device->pcap); /* above 0: a warning, as of no promiscuous mode */
    if (result < 0) {
        say_refusal(device->pcap, name, result, why, cap);
        return false;
    }
    if (pcap_setnonblock(device->pcap, 1, error) != 0) {
        (void)snprintf(why, cap, "%s: cannot be captured on: %s", name, error);
        return false;
    }
    device->link_type = (uint32_t)pcap_datalink(device->pcap);
    if (device->link_type == DLT_RAW)
        device->link_type = LINK_RAW;
    device->unit_ns =
        pcap_get_tstamp_precision(device->pcap) == PCAP_TSTAMP_PRECISION_NANO ? 1 : INT64_C(1000);
    return true;
}

bool gw_device_open(gw_device *device, const char *interface, char *why, size_t cap)
{
    char error[PCAP_ERRBUF_SIZE];

    *device = (gw_device){.pcap = pcap_create(interface, error)};
    if (device->pcap == NULL) {
        (void)snprintf(why, cap, "%s: cannot be captured on: %s", interface, error);
        return false;
    }
    if (activate(device, interface, why, cap))
        return true;
    gw_device_close(device);
    return false;
}

void gw_device_close(gw_device *device)
{
    if (device->pcap != NULL)
        pcap_close(device->pcap);
    device->pcap = NULL;
}
