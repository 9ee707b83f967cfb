/* SPDX-License-Identifier: BSD-2-Clause */
/* A testbench that goes wrong at one case: it stands between goldwire and a real one, hands on what
 * they say to each other, and does what is wrong when that case is on.
 *
 *     bad_testbench FAULT CASE COMMAND...
 *
 * COMMAND starts the real one. Behind FAULT, `,once=FILE' has all be well where FILE exists, which
 * is made when it goes wrong. cores/testing/bad.sh has a board file start it. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gw_hdl.h"
#include "gw_hdl_wire.h"

#define LIFE_SIGNS 30

/* When it goes wrong. */
enum moment {
    HELLO,  /* while the two meet */
    BEFORE, /* the case is named, and nothing of it said */
    IN,     /* its first packet is to be sent */
    AFTER,  /* another one is named */
};

typedef struct side {
    int fd;
    uint8_t bytes[GW_WIRE_HEADER + GW_WIRE_BODY];
    size_t len;
} side;

typedef struct between {
    side goldwire;
    side real;
    pid_t child;
    char path[100]; /* where the real one calls; "" when it has */
    const char *chosen;
    const char *once; /* NULL: each time */
    const struct fault *fault;
    bool in_case;
    bool was_in_case;
    bool deaf; /* what is for the core does not come there any more */
    uint64_t now_ps;
} between;

typedef struct fault {
    const char *name;
    enum moment moment;
    void (*apply)(between *b, uint8_t *message, const gw_wire_head *head);
} fault;

/* ---- messages ---- */

static void leave(between *b, int status)
{
    if (b->path[0] != '\0')
        (void)unlink(b->path);
    if (b->child > 0) {
        (void)kill(b->child, SIGTERM);
        (void)waitpid(b->child, NULL, 0);
    }
    exit(status);
}

static void put(between *b, int fd, const uint8_t *bytes, size_t len)
{
    while (len > 0) {
        ssize_t sent = send(fd, bytes, len, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            leave(b, 0);
        bytes += sent;
        len -= (size_t)sent;
    }
}

static void say(between *b, const gw_wire_head *head, const uint8_t *body)
{
    uint8_t header[GW_WIRE_HEADER];
    gw_wire_put_head(header, head);
    put(b, b->goldwire.fd, header, sizeof(header));
    if (body != NULL)
        put(b, b->goldwire.fd, body, head->len);
}

/* ---- what is wrong ---- */

static void die(between *b, uint8_t *message, const gw_wire_head *head)
{
    (void)message;
    (void)head;
    leave(b, 7);
}

static void die_in_a_word(between *b, uint8_t *message, const gw_wire_head *head)
{
    (void)head;
    put(b, b->goldwire.fd, message, GW_WIRE_HEADER / 2);
    leave(b, 7);
}

/* Nothing is heard of it any more, and it does not go away until it is ended. */
static void stall(between *b, uint8_t *message, const gw_wire_head *head)
{
    struct pollfd gone = {.fd = b->goldwire.fd};
    (void)message;
    (void)head;
    while (poll(&gone, 1, -1) < 0 || (gone.revents & POLLHUP) == 0)
        ;
    leave(b, 0);
}

static void say_what_is_nothing(between *b, uint8_t *message, const gw_wire_head *head)
{
    const gw_wire_head unknown = {.command = 0x1234};
    (void)message;
    (void)head;
    say(b, &unknown, NULL);
}

static void say_much(between *b, uint8_t *message, const gw_wire_head *head)
{
    const gw_wire_head large = {GW_WIRE_WRITE, UINT32_MAX, 0, GW_WIRE_POSTED, 0};
    (void)message;
    (void)head;
    say(b, &large, NULL);
}

/* Data of a port that there is none of. */
static void say_of_no_port(between *b, uint8_t *message, const gw_wire_head *head)
{
    const gw_wire_head stray = {GW_WIRE_WRITE, GW_WIRE_BUS, 0, GW_WIRE_POSTED, 12};
    const uint8_t body[GW_WIRE_BUS] = {0};
    (void)message;
    (void)head;
    say(b, &stray, body);
}

static void answer_unasked(between *b, uint8_t *message, const gw_wire_head *head)
{
    const gw_wire_head answer = {GW_WIRE_SYNC, 8, head->id + 1000, GW_WIRE_RESPONSE, 0};
    const uint8_t body[8] = {0};
    (void)message;
    say(b, &answer, body);
}

static void take_nothing(between *b, uint8_t *message, const gw_wire_head *head)
{
    (void)message;
    (void)head;
    b->deaf = true;
}

/* It lives, and its clock does not tick. */
static void stand_still(between *b, uint8_t *message, const gw_wire_head *head)
{
    const gw_wire_head sign = {GW_WIRE_NOP, 8, 0, GW_WIRE_OPTIONAL | GW_WIRE_POSTED, 0};
    uint8_t body[8];
    (void)message;
    (void)head;
    gw_wire_put64(body, b->now_ps);
    for (unsigned i = 0; i < LIFE_SIGNS; i++)
        say(b, &sign, body);
}

static void speak_otherwise(between *b, uint8_t *message, const gw_wire_head *head)
{
    (void)b;
    (void)head;
    gw_wire_put16(message + GW_WIRE_HEADER + 18, GW_WIRE_VERSION + 1);
}

/* Its first port is there twice: the second one tells the first's number. */
static void claim_twice(between *b, uint8_t *message, const gw_wire_head *head)
{
    uint8_t *ports = message + GW_WIRE_HEADER + 20;
    (void)b;
    if (head->len >= 28)
        ports[4] = ports[0];
}

/* One more port, which no board file names. */
static void claim_more(between *b, uint8_t *message, const gw_wire_head *head)
{
    uint8_t *body = message + GW_WIRE_HEADER;
    const uint8_t port[4] = {9, GW_SIM_BUS, 4, 0};
    gw_wire_head longer = *head;
    (void)b;
    memcpy(body + head->len, port, sizeof(port));
    body[17]++;
    longer.len += 4;
    gw_wire_put32(body + 4, longer.len - 12);
    gw_wire_put_head(message, &longer);
}

static int call(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    (void)snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
    if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0)
        return fd;
    perror(path);
    exit(9);
}

/* Another testbench calls, and has to be told that there is one: where not, this one ends, and
 * nothing of the case passes. */
static void call_again(between *b, uint8_t *message, const gw_wire_head *head)
{
    uint8_t answer[256] = {0};
    int fd = call(getenv("GOLDWIRE_COSIM"));
    (void)message;
    (void)head;
    /* Goldwire looks when it waits, which it does for what is held here. */
    if (recv(fd, answer, sizeof(answer) - 1, 0) < GW_WIRE_HEADER + 8 ||
        gw_wire_get_head(answer).command != GW_WIRE_ERROR ||
        strstr((const char *)answer + GW_WIRE_HEADER + 8, "another testbench") == NULL)
        leave(b, 9);
    (void)close(fd);
}

static const fault faults[] = {
    {"none", HELLO, NULL},
    {"version", HELLO, speak_otherwise},
    {"ports-twice", HELLO, claim_twice},
    {"ports-more", HELLO, claim_more},
    {"dies-calling", HELLO, die},
    {"dies-in-hello", HELLO, die_in_a_word},
    {"dies-before", BEFORE, die},
    {"dies-in", IN, die},
    {"dies-in-word", IN, die_in_a_word},
    {"dies-after", AFTER, die},
    {"stalls", IN, stall},
    {"garbage", IN, say_what_is_nothing},
    {"garbage-long", IN, say_much},
    {"garbage-port", IN, say_of_no_port},
    {"garbage-answer", IN, answer_unasked},
    {"deaf", IN, take_nothing},
    {"still", IN, stand_still},
    {"second", IN, call_again},
};

/* ---- between the two ---- */

static void go_wrong(between *b, enum moment moment, uint8_t *message, const gw_wire_head *head)
{
    if (b->fault->moment != moment || b->fault->apply == NULL)
        return;
    const fault *now = b->fault;
    b->fault = &faults[0];
    if (b->once != NULL) {
        FILE *made = fopen(b->once, "wx");
        if (made == NULL)
            return;
        (void)fclose(made);
    }
    now->apply(b, message, head);
}

/* What goldwire says; false: it does not come to the core. */
static bool from_goldwire(between *b, uint8_t *message, const gw_wire_head *head)
{
    if (head->command == GW_WIRE_MARK_CASE) {
        char mark[GW_WIRE_MARK + 1] = "";
        memcpy(mark, message + GW_WIRE_HEADER, head->len < GW_WIRE_MARK ? head->len : GW_WIRE_MARK);
        b->in_case = strcmp(mark, b->chosen) == 0;
        b->was_in_case = b->was_in_case || b->in_case;
        if (b->in_case)
            go_wrong(b, BEFORE, message, head);
        else if (b->was_in_case)
            go_wrong(b, AFTER, message, head);
    } else if (head->command == GW_WIRE_WRITE && b->in_case) {
        go_wrong(b, IN, message, head);
    }
    return !(b->deaf && head->command == GW_WIRE_WRITE);
}

static bool from_real(between *b, uint8_t *message, const gw_wire_head *head)
{
    if (head->command == GW_WIRE_HELLO)
        go_wrong(b, HELLO, message, head);
    else if (head->len >= 8)
        b->now_ps = gw_wire_get64(message + GW_WIRE_HEADER);
    return true;
}

/* Takes what there is, and hands on each message that is whole. */
static void hand_on(between *b, side *from, side *to,
                    bool (*look)(between *b, uint8_t *message, const gw_wire_head *head))
{
    ssize_t got = recv(from->fd, from->bytes + from->len, sizeof(from->bytes) - from->len, 0);
    if (got <= 0)
        leave(b, 0);
    from->len += (size_t)got;
    while (from->len >= GW_WIRE_HEADER) {
        static uint8_t message[sizeof(from->bytes) + 64];
        gw_wire_head head = gw_wire_get_head(from->bytes);
        size_t whole = GW_WIRE_HEADER + (size_t)head.len;
        if (from->len < whole)
            return;
        memcpy(message, from->bytes, whole);
        memmove(from->bytes, from->bytes + whole, from->len - whole);
        from->len -= whole;
        if (look(b, message, &head))
            put(b, to->fd, message, GW_WIRE_HEADER + (size_t)gw_wire_get_head(message).len);
    }
}

/* Starts the real one, which calls here. */
static void start_real(between *b, char **command)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    (void)snprintf(b->path, sizeof(b->path), "%s.%ld", getenv("GOLDWIRE_COSIM"), (long)getpid());
    (void)snprintf(address.sun_path, sizeof(address.sun_path), "%s", b->path);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) != 0 ||
        listen(fd, 1) != 0) {
        perror(b->path);
        exit(9);
    }
    b->child = fork();
    if (b->child == 0) {
        (void)setenv("GOLDWIRE_COSIM", b->path, 1);
        (void)execvp(command[0], command);
        perror(command[0]);
        _exit(9);
    }
    b->real.fd = accept(fd, NULL, NULL);
    (void)close(fd);
    (void)unlink(b->path);
    b->path[0] = '\0';
}

static const fault *find_fault(const char *name, size_t len)
{
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
        if (strlen(faults[i].name) == len && memcmp(faults[i].name, name, len) == 0)
            return &faults[i];
    fprintf(stderr, "bad_testbench: '%s' is no fault\n", name);
    exit(2);
}

int main(int argc, char **argv)
{
    static between b;
    if (argc < 4 || getenv("GOLDWIRE_COSIM") == NULL) {
        fprintf(stderr,
                "usage: GOLDWIRE_COSIM=PATH bad_testbench FAULT[,once=FILE] CASE COMMAND...\n");
        return 2;
    }
    const char *once = strstr(argv[1], ",once=");
    b.fault = find_fault(argv[1], strcspn(argv[1], ","));
    b.once = once != NULL ? once + strlen(",once=") : NULL;
    b.chosen = argv[2];
    start_real(&b, argv + 3);
    b.goldwire.fd = call(getenv("GOLDWIRE_COSIM"));
    for (;;) {
        struct pollfd both[] = {{.fd = b.goldwire.fd, .events = POLLIN},
                                {.fd = b.real.fd, .events = POLLIN}};
        if (poll(both, 2, -1) < 0)
            continue;
        if (both[0].revents != 0)
            hand_on(&b, &b.goldwire, &b.real, from_goldwire);
        if (both[1].revents != 0)
            hand_on(&b, &b.real, &b.goldwire, from_real);
    }
}
