/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes a software board mean harm, preloaded: GW_MEAN says what becomes of whatever it sends.
 *
 *   many       the first ones come ten thousand times each, and of a stream a hundred times
 *   endless    it comes again and again, for ever
 *   giant      it is as long as datagrams get, full of commands for a terminal
 *   elsewhere  it comes from another address as well, first */
#include <arpa/inet.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define SEEN __attribute__((visibility("default")))
#define MOST 65507 /* bytes of a datagram over IPv4 */
#define FIRST 8

typedef ssize_t (*sendto_fn)(int fd, const void *data, size_t len, int flags,
                             const struct sockaddr *to, socklen_t to_len);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    int fd;
    size_t len;
    socklen_t to_len;
    struct sockaddr_storage to;
    uint8_t data[MOST];
} last; /* that was sent, for those that go on with it */

static sendto_fn next_sendto(void)
{
    static sendto_fn next;
    if (next == NULL)
        *(void **)&next = dlsym(RTLD_NEXT, "sendto");
    return next;
}

static int means(const char *what)
{
    const char *mean = getenv("GW_MEAN");
    return mean != NULL && strcmp(mean, what) == 0;
}

static void *go_on(void *arg)
{
    (void)arg;
    for (;;) {
        (void)pthread_mutex_lock(&lock);
        const struct sockaddr *to = last.to_len > 0 ? (const struct sockaddr *)&last.to : NULL;
        ssize_t sent = next_sendto()(last.fd, last.data, last.len, MSG_NOSIGNAL | MSG_DONTWAIT, to,
                                     last.to_len);
        (void)pthread_mutex_unlock(&lock);
        if (sent < 0)
            (void)usleep(1000);
    }
    return NULL;
}

static void keep(int fd, const void *data, size_t len, const struct sockaddr *to, socklen_t to_len)
{
    static int running;
    pthread_t thread;
    (void)pthread_mutex_lock(&lock);
    last.fd = fd;
    last.len = len < MOST ? len : MOST;
    memcpy(last.data, data, last.len);
    last.to_len = to_len;
    if (to_len > 0 && to_len <= sizeof(last.to))
        memcpy(&last.to, to, to_len);
    int begin = !running;
    running = 1;
    (void)pthread_mutex_unlock(&lock);
    if (begin)
        (void)pthread_create(&thread, NULL, go_on, NULL);
}

static void send_from_elsewhere(const void *data, size_t len, const struct sockaddr *to,
                                socklen_t to_len)
{
    static int other = -1;
    struct sockaddr_in here = {.sin_family = AF_INET};
    if (to_len == 0)
        return;
    if (other < 0) {
        other = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        (void)inet_pton(AF_INET, "127.0.0.9", &here.sin_addr);
        (void)bind(other, (struct sockaddr *)&here, sizeof(here));
    }
    (void)next_sendto()(other, data, len, 0, to, to_len);
}

/* The header gives these another type. */
SEEN ssize_t mean_sendto(int fd, const void *data, size_t len, int flags, const struct sockaddr *to,
                         socklen_t to_len) __asm__("sendto");
SEEN ssize_t mean_send(int fd, const void *data, size_t len, int flags) __asm__("send");

ssize_t mean_sendto(int fd, const void *data, size_t len, int flags, const struct sockaddr *to,
                    socklen_t to_len)
{
    static uint8_t giant[MOST];
    static unsigned num;
    unsigned times = !means("many") || ++num > FIRST ? 1 : to_len > 0 ? 10000 : 100;
    size_t giant_len = to_len > 0 ? MOST : 4 * len;
    if (means("endless"))
        keep(fd, data, len, to, to_len);
    if (means("elsewhere"))
        send_from_elsewhere(data, len, to, to_len);
    if (means("giant") && len < giant_len && giant_len <= MOST) {
        for (size_t i = 0; i < giant_len; i++)
            giant[i] = i < len ? ((const uint8_t *)data)[i] : (uint8_t) "\x1b[2J"[i % 4];
        return next_sendto()(fd, giant, giant_len, flags, to, to_len) < 0 ? -1 : (ssize_t)len;
    }
    ssize_t sent = -1;
    for (unsigned i = 0; i < times; i++)
        sent = next_sendto()(fd, data, len, flags, to, to_len);
    return sent;
}

ssize_t mean_send(int fd, const void *data, size_t len, int flags)
{
    return mean_sendto(fd, data, len, flags, NULL, 0);
}
