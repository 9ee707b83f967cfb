/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames of an interface as they pass, by libpcap. */
#include <net/if.h>
#include <pcap/pcap.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "goldwire/text.h"
#include "harness/nearest.h"
#include "harness/socket.h"
#include "harness/stop.h"
#include "reader.h"

#define SNAPLEN 262144    /* whole frames, those that an interface glues together too */
#define BUFFER (16 << 20) /* of the kernel, bytes: what may come while we are not looking */
#define DELAY_MS 100      /* after which the kernel hands over what it has */
#define LAST_NS (INT64_C(5000000) * DELAY_MS) /* in which it has handed over all */
#define INTERFACES_SHOWN 32
#define LINK_RAW 101

struct live_state {
    pcap_t *pcap;
    uint32_t link_type;
    int64_t unit_ns;      /* of the fraction of a time stamp */
    bool stopped;         /* somebody ends the capture: ... */
    uint32_t outstanding; /* ... these many frames came before, and are still to be read, ... */
    int64_t last_ns;      /* ... of which nothing has come since */
};

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
        result = pcap_set_timeout(pcap, DELAY_MS);
    if (result == 0)
        result = pcap_set_buffer_size(pcap, BUFFER);
    if (result == 0)
        result = pcap_set_tstamp_precision(pcap, PCAP_TSTAMP_PRECISION_NANO);
    return result == PCAP_ERROR_TSTAMP_PRECISION_NOTSUP ? 0 : result;
}

static bool activate(struct live_state *s, const char *name, char *why, size_t cap)
{
    char error[PCAP_ERRBUF_SIZE];

    int result = wish(s->pcap);
    if (result == 0)
        result = pcap_activate(s->pcap); /* above 0: a warning, as of no promiscuous mode */
    if (result < 0) {
        say_refusal(s->pcap, name, result, why, cap);
        return false;
    }
    if (pcap_setnonblock(s->pcap, 1, error) != 0) {
        (void)snprintf(why, cap, "%s: cannot be captured on: %s", name, error);
        return false;
    }
    s->link_type = (uint32_t)pcap_datalink(s->pcap);
    if (s->link_type == DLT_RAW)
        s->link_type = LINK_RAW;
    s->unit_ns =
        pcap_get_tstamp_precision(s->pcap) == PCAP_TSTAMP_PRECISION_NANO ? 1 : INT64_C(1000);
    return true;
}

/* Waits for a frame, at most DELAY_MS. */
static void wait_for_frame(gw_capture *capture, const struct live_state *s)
{
    struct pollfd ready = {.fd = pcap_get_selectable_fd(s->pcap), .events = POLLIN};

    if (capture->in.idle != NULL)
        capture->in.idle(capture->in.idle_ctx);
    (void)poll(&ready, 1, DELAY_MS);
}

/* What the kernel has taken for us, less what it dropped of that and what has been read. */
static uint32_t count_outstanding(const gw_capture *capture, const struct live_state *s)
{
    struct pcap_stat counts;

    if (pcap_stats(s->pcap, &counts) != 0)
        return 0;
    uint32_t left = counts.ps_recv - counts.ps_drop - (uint32_t)capture->num_frames;
    return left <= INT32_MAX ? left : 0;
}

/* Whether all is read that came before somebody ended the capture. */
static bool is_over(const gw_capture *capture, struct live_state *s)
{
    if (!gw_stopped())
        return false;
    if (!s->stopped) {
        s->outstanding = count_outstanding(capture, s);
        s->last_ns = gw_clock_ns(CLOCK_MONOTONIC);
    }
    s->stopped = true;
    return s->outstanding == 0;
}

static gw_capture_status next_live(gw_capture *capture, gw_frame *frame)
{
    struct live_state *s = capture->state;
    struct pcap_pkthdr *header;
    const u_char *data;
    int result;

    do {
        if (is_over(capture, s))
            return GW_CAPTURE_END;
        result = pcap_next_ex(s->pcap, &header, &data);
        if (result == 0 && s->stopped && gw_clock_ns(CLOCK_MONOTONIC) - s->last_ns > LAST_NS)
            return GW_CAPTURE_END; /* the rest will not come */
        if (result == 0)
            wait_for_frame(capture, s);
    } while (result == 0);
    if (result < 0) {
        (void)snprintf(capture->error, sizeof(capture->error), "%s", pcap_geterr(s->pcap));
        return GW_CAPTURE_BROKEN;
    }
    if (s->stopped) {
        s->outstanding--;
        s->last_ns = gw_clock_ns(CLOCK_MONOTONIC);
    }
    frame->data = data;
    frame->cap_len = header->caplen;
    frame->len = header->len < header->caplen ? header->caplen : header->len;
    frame->link_type = s->link_type;
    frame->time_ns =
        header->ts.tv_sec * INT64_C(1000000000) + (int64_t)header->ts.tv_usec * s->unit_ns;
    return GW_CAPTURE_FRAME;
}

static uint64_t lost_live(gw_capture *capture)
{
    struct live_state *s = capture->state;
    struct pcap_stat counts;

    if (pcap_stats(s->pcap, &counts) != 0)
        return 0;
    return (uint64_t)counts.ps_drop + counts.ps_ifdrop;
}

static void close_live(gw_capture *capture)
{
    struct live_state *s = capture->state;

    if (s != NULL && s->pcap != NULL)
        pcap_close(s->pcap);
    free(s);
}

static const gw_reader reader_live = {
    .type = "live",
    .next = next_live,
    .lost = lost_live,
    .close = close_live,
};

gw_capture *gw_capture_live(const char *interface, char *why, size_t why_cap)
{
    gw_capture *capture = calloc(1, sizeof(*capture));
    struct live_state *s = calloc(1, sizeof(*s));
    char error[PCAP_ERRBUF_SIZE];

    if (capture == NULL || s == NULL) {
        (void)snprintf(why, why_cap, "%s: out of memory", interface);
        free(s);
        free(capture);
        return NULL;
    }
    capture->reader = &reader_live;
    capture->state = s;
    s->pcap = pcap_create(interface, error);
    if (s->pcap == NULL)
        (void)snprintf(why, why_cap, "%s: cannot be captured on: %s", interface, error);
    if (s->pcap != NULL && activate(s, interface, why, why_cap))
        return capture;
    gw_capture_close(capture);
    return NULL;
}
