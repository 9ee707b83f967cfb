/* SPDX-License-Identifier: BSD-2-Clause */
/* The side of the run. What an onlooker has not read yet lies in a socket's buffer; what does not
 * fit there is dropped and counted. While nobody looks on, a packet costs a look at a clock. */
#include "running/running.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "running/record.h"

#define SECOND_NS INT64_C(1000000000)
#define LOOK_NS (SECOND_NS / 20) /* between looks for somebody new */
#define WAITING 16               /* may do so for that long */
#define BUFFER (4 << 20)         /* bytes; the system may grant less */
#define LINES 64                 /* connections whose bytes are counted */
#define TRIES 4
#define PATIENCE_MS 100 /* with all who look on, when the run is over */

/* Whoever looks on. */
typedef struct onlooker {
    int fd;
    uint64_t dropped;
    unsigned told; /* gw_running.telling, when that has reached it */
} onlooker;

struct gw_running {
    gw_running_entry entry;
    int listen_fd;
    int lock_fd;
    int64_t next_look_ns; /* of CLOCK_MONOTONIC_COARSE */
    onlooker onlookers[GW_ONLOOKERS];
    unsigned num_onlookers;
    char greeting[GW_ANNOUNCE_MAX];
    char told[GW_RECORD_TEXT]; /* goes with the next packet */
    unsigned telling;          /* counts what was told */
    bool passed;               /* a packet came since */
    uint32_t positions[LINES][2];
};

/* ---- coming and going ---- */

static int listen_at(const struct sockaddr_un *address, char *why, size_t why_cap)
{
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    (void)unlink(address->sun_path); /* of a killed one with this process's number */
    if (fd >= 0 && bind(fd, (const struct sockaddr *)address, sizeof(*address)) == 0 &&
        listen(fd, WAITING) == 0)
        return fd;
    (void)snprintf(why, why_cap, "%s: %s", address->sun_path, strerror(errno));
    if (fd >= 0)
        (void)close(fd);
    return -1;
}

static bool enter(gw_running *r, char *why, size_t why_cap)
{
    if (!gw_running_choose(&r->entry, why, why_cap))
        return false;
    r->listen_fd = listen_at(&r->entry.address, why, why_cap);
    if (r->listen_fd < 0)
        return false;
    r->lock_fd = gw_running_enter(&r->entry, why, why_cap);
    if (r->lock_fd >= 0)
        return true;
    (void)close(r->listen_fd);
    (void)unlink(r->entry.address.sun_path);
    return false;
}

gw_running *gw_running_begin(const char *verb, const char *role, const char *board, char *why,
                             size_t why_cap)
{
    const char *wish = getenv("GOLDWIRE_WATCHABLE");
    struct timespec now;
    why[0] = '\0';
    if (wish != NULL && strcmp(wish, "no") == 0)
        return NULL;
    gw_running *r = calloc(1, sizeof(*r));
    if (r == NULL) {
        (void)snprintf(why, why_cap, "out of memory");
        return NULL;
    }
    (void)clock_gettime(CLOCK_REALTIME, &now);
    r->entry.started_ns = now.tv_sec * SECOND_NS + now.tv_nsec;
    (void)snprintf(r->entry.verb, sizeof(r->entry.verb), "%s", verb);
    (void)snprintf(r->entry.role, sizeof(r->entry.role), "%s", role);
    (void)snprintf(r->entry.board, sizeof(r->entry.board), "%s", board);
    /* The last run that ends removes the folder, whoever is about to enter it. */
    for (unsigned i = 0; i < TRIES; i++)
        if (enter(r, why, why_cap))
            return r;
    free(r);
    return NULL;
}

void gw_running_of(gw_running *running, const gw_announcement *board)
{
    if (running == NULL)
        return;
    gw_text text = gw_text_over(running->greeting, sizeof(running->greeting));
    gw_announcement_write(board, &text);
}

static bool hand_over(onlooker *one, const gw_record *record, const char *text,
                      const struct iovec *bytes, unsigned num)
{
    struct iovec parts[4] = {{(void *)record, sizeof(*record)}, {(void *)text, record->text_len}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2 + num};
    for (unsigned i = 0; i < num; i++)
        parts[2 + i] = bytes[i];
    return sendmsg(one->fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0;
}

static void say(onlooker *one, gw_record_kind kind, const char *text)
{
    gw_record record = {.kind = kind, .text_len = (uint32_t)strlen(text), .dropped = one->dropped};
    (void)hand_over(one, &record, text, NULL, 0);
}

static bool is_welcome(int fd)
{
    struct ucred who;
    socklen_t len = sizeof(who);
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &len) == 0 &&
           (who.uid == geteuid() || who.uid == 0);
}

static void welcome(gw_running *r, int fd)
{
    int room = BUFFER;
    onlooker one = {.fd = fd};
    char refusal[96];
    if (!is_welcome(fd)) {
        (void)close(fd);
        return;
    }
    if (r->num_onlookers == GW_ONLOOKERS) {
        (void)snprintf(refusal, sizeof(refusal), "%d look on already, and that is as many as may",
                       GW_ONLOOKERS);
        say(&one, GW_RECORD_REFUSED, refusal);
        (void)close(fd);
        return;
    }
    /* Nobody who looks on has anything to say. */
    (void)shutdown(fd, SHUT_RD);
    (void)setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
    say(&one, GW_RECORD_GREETING, r->greeting);
    r->onlookers[r->num_onlookers++] = one;
}

/* Lets in who waits, now and then. */
static void look_around(gw_running *r)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    int64_t now_ns = now.tv_sec * SECOND_NS + now.tv_nsec;
    if (now_ns < r->next_look_ns)
        return;
    r->next_look_ns = now_ns + LOOK_NS;
    for (unsigned i = 0; i < WAITING; i++) {
        int fd = accept4(r->listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0)
            return;
        welcome(r, fd);
    }
}

/* ---- packets ---- */

void gw_running_tell(gw_running *running, const char *what, const char *title)
{
    if (running == NULL)
        return;
    char *told = running->told;
    size_t cap = sizeof(running->told);
    if (running->passed)
        told[0] = '\0';
    size_t len = strlen(told);
    (void)snprintf(told + len, cap - len, "%s%s%s%s", len > 0 ? "\n" : "", what,
                   title[0] != '\0' ? ": " : "", title);
    running->passed = false;
    running->telling++;
}

static void leave(gw_running *r, unsigned number)
{
    (void)close(r->onlookers[number].fd);
    r->onlookers[number] = r->onlookers[--r->num_onlookers];
}

static void hand_round(gw_running *r, gw_record *record, const struct iovec *bytes, unsigned num)
{
    for (unsigned i = r->num_onlookers; i-- > 0;) {
        onlooker *one = &r->onlookers[i];
        record->dropped = one->dropped;
        record->text_len = one->told != r->telling ? (uint32_t)strlen(r->told) : 0;
        if (hand_over(one, record, r->told, bytes, num))
            one->told = r->telling;
        else if (errno == EPIPE || errno == ECONNRESET)
            leave(r, i);
        else
            one->dropped++;
    }
}

static void drop(gw_running *r)
{
    for (unsigned i = 0; i < r->num_onlookers; i++)
        r->onlookers[i].dropped++;
}

static gw_record record_of(const gw_evidence_packet *packet)
{
    const gw_ip_style *style = packet->style;
    gw_record record = {.kind = GW_RECORD_PACKET,
                        .time_ns = packet->time_ns,
                        .local = packet->local,
                        .remote = packet->remote,
                        .len = packet->len,
                        .line = packet->line,
                        .dir = packet->dir,
                        .kind_of_packet = packet->kind};
    record.flags |= packet->stream ? GW_RECORD_STREAM : 0;
    record.flags |= packet->wire ? GW_RECORD_WIRE : 0;
    record.flags |= packet->regs ? GW_RECORD_REGS : 0;
    if (style != NULL) {
        record.flags |= GW_RECORD_STYLED;
        record.flags |= style->may_fragment ? GW_RECORD_MAY_FRAGMENT : 0;
        record.flags |= style->no_udp_checksum ? GW_RECORD_NO_CHECKSUM : 0;
        record.ttl = style->ttl;
    }
    if (packet->link != NULL)
        (void)snprintf(record.link, sizeof(record.link), "%s", packet->link);
    return record;
}

static void hand_round_frame(gw_running *r, gw_record *record, const uint8_t *data,
                             const uint8_t *frame, size_t frame_len)
{
    bool inside = data >= frame && data + record->len <= frame + frame_len;
    struct iovec bytes[2] = {{(void *)frame, frame_len}, {(void *)data, record->len}};
    record->frame_len = (uint32_t)frame_len;
    record->data_at = inside ? (uint32_t)(data - frame) : record->frame_len;
    hand_round(r, record, bytes, inside ? 1 : 2);
}

/* Bytes of a stream may be any number. */
static void hand_round_stream(gw_running *r, gw_record *record, const uint8_t *data)
{
    uint32_t *position = &r->positions[record->line % LINES][record->dir == GW_DIR_OUT];
    uint32_t left = record->len;
    if (record->kind_of_packet == GW_EVIDENCE_OPEN)
        memset(r->positions[record->line % LINES], 0, sizeof(r->positions[0]));
    do {
        uint32_t len = left < GW_RECORD_PIECE ? left : GW_RECORD_PIECE;
        struct iovec bytes = {(void *)data, len};
        record->len = len;
        record->position = *position;
        hand_round(r, record, &bytes, 1);
        *position += len;
        left -= len;
        if (left > 0)
            data += len;
    } while (left > 0);
}

void gw_running_packet(gw_running *running, const gw_evidence_packet *packet, const uint8_t *data,
                       const uint8_t *frame, size_t frame_len)
{
    if (running == NULL)
        return;
    look_around(running);
    running->passed = true;
    if (running->num_onlookers == 0)
        return;
    gw_record record = record_of(packet);
    struct iovec bytes = {(void *)data, packet->len};
    bool stream = frame_len == 0 && packet->stream;
    if (frame_len > GW_RECORD_BYTES || (!stream && packet->len > GW_RECORD_BYTES))
        drop(running);
    else if (frame_len > 0)
        hand_round_frame(running, &record, data, frame, frame_len);
    else if (stream)
        hand_round_stream(running, &record, data);
    else
        hand_round(running, &record, &bytes, 1);
}

/* Who did not get everything should at least be told how much. */
static void await_room(const onlooker *one, int *patience_ms)
{
    struct pollfd room = {.fd = one->fd, .events = POLLOUT};
    if (one->dropped > 0 && poll(&room, 1, *patience_ms) <= 0)
        *patience_ms = 0;
}

void gw_running_end(gw_running *running)
{
    if (running == NULL)
        return;
    gw_running_leave(&running->entry);
    (void)close(running->lock_fd);
    running->next_look_ns = 0;
    look_around(running); /* who came too late is told so */
    (void)close(running->listen_fd);
    int patience_ms = PATIENCE_MS;
    for (unsigned i = 0; i < running->num_onlookers; i++) {
        await_room(&running->onlookers[i], &patience_ms);
        say(&running->onlookers[i], GW_RECORD_OVER, "");
        /* Boards that were started meanwhile have it as well, and may live on. */
        (void)shutdown(running->onlookers[i].fd, SHUT_RDWR);
        (void)close(running->onlookers[i].fd);
    }
    free(running);
}
