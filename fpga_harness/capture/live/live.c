/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames of an interface as they pass. A thread takes them from the kernel, which does not keep
 * many, and spools them: however long it takes to show or to judge one, the next are not lost. */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/reader.h"
#include "device.h"
#include "harness/socket.h"
#include "harness/stop.h"
#include "spool.h"

/* In which the kernel has handed over all. */
#define LAST_NS (INT64_C(5) * GW_DEVICE_DELAY_MS * 1000000)

enum { TAKING, ENDED, BROKEN };

struct live_state {
    gw_device device; /* the thread's, while there is one */
    gw_spool *spool;
    pthread_t thread;
    bool has_thread;
    atomic_int now;        /* TAKING ... */
    atomic_bool closing;   /* nobody reads any more */
    _Atomic uint64_t lost; /* dropped by the kernel, or for want of room in the spool */
    uint64_t taken;        /* from the kernel */
    uint64_t refused;      /* of these by the spool */
    bool stopped;          /* somebody ends the capture: ... */
    uint32_t outstanding;  /* ... these many frames came before, and are still to be taken, ... */
    int64_t last_ns;       /* ... of which nothing has come since */
    char error[256];       /* why it is BROKEN */
};

/* ---- who takes ---- */

static void count_lost(struct live_state *s)
{
    struct pcap_stat counts;

    if (pcap_stats(s->device.pcap, &counts) == 0)
        atomic_store(&s->lost, (uint64_t)counts.ps_drop + counts.ps_ifdrop + s->refused);
}

/* What the kernel has taken for us, less what it dropped of that and what has been taken of it. */
static uint32_t count_outstanding(const struct live_state *s)
{
    struct pcap_stat counts;

    if (pcap_stats(s->device.pcap, &counts) != 0)
        return 0;
    uint32_t left = counts.ps_recv - counts.ps_drop - (uint32_t)s->taken;
    return left <= INT32_MAX ? left : 0;
}

/* Whether all is taken that came before somebody ended the capture. */
static bool is_over(struct live_state *s)
{
    if (atomic_load(&s->closing))
        return true;
    if (!gw_stopped())
        return false;
    if (!s->stopped) {
        s->outstanding = count_outstanding(s);
        s->last_ns = gw_clock_ns(CLOCK_MONOTONIC);
    }
    s->stopped = true;
    return s->outstanding == 0;
}

/* Whether the rest will not come, the kernel having had nothing for us for so long. */
static bool is_in_vain(const struct live_state *s)
{
    return s->stopped && gw_clock_ns(CLOCK_MONOTONIC) - s->last_ns > LAST_NS;
}

static void take(u_char *user, const struct pcap_pkthdr *header, const u_char *data)
{
    struct live_state *s = (struct live_state *)user;
    const gw_frame frame = {
        .data = data,
        .cap_len = header->caplen,
        .len = header->len < header->caplen ? header->caplen : header->len,
        .time_ns = header->ts.tv_sec * INT64_C(1000000000) +
                   (int64_t)header->ts.tv_usec * s->device.unit_ns,
    };

    s->taken++;
    if (s->stopped && s->outstanding == 0)
        return; /* came after the end */
    if (!gw_spool_put(s->spool, &frame))
        s->refused++;
    if (s->stopped) {
        s->outstanding--;
        s->last_ns = gw_clock_ns(CLOCK_MONOTONIC);
    }
}

static void *take_all(void *arg)
{
    struct live_state *s = arg;
    struct pollfd ready = {.fd = pcap_get_selectable_fd(s->device.pcap), .events = POLLIN};
    int result = 0;

    while (!is_over(s)) {
        result = pcap_dispatch(s->device.pcap, -1, take, (u_char *)s);
        if (result < 0 || (result == 0 && is_in_vain(s)))
            break;
        if (result == 0)
            (void)poll(&ready, 1, GW_DEVICE_DELAY_MS);
        else
            gw_spool_wake(s->spool);
        count_lost(s);
    }
    count_lost(s);
    if (result < 0)
        (void)snprintf(s->error, sizeof(s->error), "%s", pcap_geterr(s->device.pcap));
    atomic_store(&s->now, result < 0 ? BROKEN : ENDED);
    gw_spool_wake(s->spool);
    return NULL;
}

/* Signals are the reader's: they end what it waits for. */
static bool start(struct live_state *s, const char *interface, char *why, size_t cap)
{
    sigset_t all, before;

    s->spool = gw_spool_open(UINT64_MAX);
    if (s->spool == NULL) {
        (void)snprintf(why, cap, "%s: out of memory", interface);
        return false;
    }
    sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&s->thread, NULL, take_all, s);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    s->has_thread = error == 0;
    if (error != 0)
        (void)snprintf(why, cap, "%s: cannot be captured on: no thread for it: %s", interface,
                       strerror(error));
    return s->has_thread;
}

/* ---- who reads ---- */

static gw_capture_status next_live(gw_capture *capture, gw_frame *frame)
{
    struct live_state *s = capture->state;

    for (;;) {
        const int now = atomic_load(&s->now);
        if (gw_spool_get(s->spool, frame)) {
            frame->link_type = s->device.link_type;
            return GW_CAPTURE_FRAME;
        }
        if (now == ENDED)
            return GW_CAPTURE_END;
        if (now == BROKEN) {
            (void)snprintf(capture->error, sizeof(capture->error), "%s", s->error);
            return GW_CAPTURE_BROKEN;
        }
        if (capture->in.idle != NULL)
            capture->in.idle(capture->in.idle_ctx);
        gw_spool_wait(s->spool, GW_DEVICE_DELAY_MS);
    }
}

static uint64_t lost_live(gw_capture *capture)
{
    struct live_state *s = capture->state;

    return atomic_load(&s->lost);
}

static void close_live(gw_capture *capture)
{
    struct live_state *s = capture->state;

    if (s == NULL)
        return;
    atomic_store(&s->closing, true);
    if (s->has_thread)
        (void)pthread_join(s->thread, NULL);
    gw_device_close(&s->device);
    gw_spool_close(s->spool);
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

    if (capture == NULL || s == NULL) {
        (void)snprintf(why, why_cap, "%s: out of memory", interface);
        free(s);
        free(capture);
        return NULL;
    }
    capture->reader = &reader_live;
    capture->state = s;
    if (gw_device_open(&s->device, interface, why, why_cap) && start(s, interface, why, why_cap))
        return capture;
    gw_capture_close(capture);
    return NULL;
}
