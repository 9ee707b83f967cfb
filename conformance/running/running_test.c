/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs that are looked at: what onlookers get is what evidence has, and none of them, nor what else
 * lies where they meet, does anything to a run. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "evidence/evidence.h"
#include "goldwire/etherbone.h"
#include "goldwire/net.h"
#include "harness/capture.h"
#include "harness/temporary_testing.h"
#include "running/onlooker.h"
#include "running/record.h"
#include "running/running.h"

#define MANY 20000  /* packets, more than any socket holds */
#define CHILD_S 100 /* that a process of a test that fails is left over */

static const gw_endpoint here = {.ip = {127, 0, 0, 1}, .port = 40000, .family = GW_FAMILY_IPV4};
static const gw_endpoint there = {.ip = {127, 0, 0, 2}, .port = 60368, .family = GW_FAMILY_IPV4};
static const uint8_t bytes[4000] = {0x4e, 0x6f, 0x11, 0xff};

static gw_temporary folder;

static int setup(void **state)
{
    (void)state;
    (void)unsetenv("GOLDWIRE_WATCHABLE");
    return gw_temporary_folder(&folder) && setenv("XDG_RUNTIME_DIR", folder.path, 1) == 0 ? 0 : -1;
}

static int teardown(void **state)
{
    char inside[sizeof(folder.path) + 16];
    (void)state;
    (void)snprintf(inside, sizeof(inside), "%s/goldwire", folder.path);
    (void)rmdir(inside);
    return rmdir(folder.path); /* what is left in it fails the test */
}

static gw_evidence_packet packet(gw_direction dir, gw_evidence_kind kind, bool stream, uint32_t len)
{
    return (gw_evidence_packet){.time_ns = INT64_C(1700000000123456789),
                                .local = here,
                                .remote = there,
                                .len = len,
                                .line = 3,
                                .dir = (uint8_t)dir,
                                .kind = (uint8_t)kind,
                                .stream = stream,
                                .link = "bus"};
}

static gw_announcement board(void)
{
    return (gw_announcement){.format = &gw_etherbone,
                             .dialect = &gw_etherbone.dialects[0],
                             .role = "etherbone-slave",
                             .caller = GW_DIR_OUT};
}

static gw_running *begin(void)
{
    char why[256];
    gw_announcement a = board();
    gw_running *running =
        gw_running_begin("certify", "etherbone-slave", "udp://10.0.0.2", why, sizeof(why));
    if (running == NULL)
        fail_msg("%s", why);
    gw_running_of(running, &a);
    return running;
}

/* The run of this process. */
static gw_running_entry mine(void)
{
    gw_running_entry runs[64];
    size_t num = gw_running_list(runs, GW_ARRAY_LEN(runs));
    for (size_t i = 0; i < num; i++)
        if (runs[i].pid == (long)getpid())
            return runs[i];
    fail_msg("the run is not in the list");
    return runs[0];
}

/* What an onlooker writes. */
typedef struct looking {
    gw_onlooker *onlooker;
    FILE *file;
    char *text;
    size_t len;
    char why[256];
} looking;

static void look(looking *l)
{
    gw_running_entry entry = mine();
    l->file = open_memstream(&l->text, &l->len);
    l->onlooker = gw_onlooker_begin(&entry, l->file, l->why, sizeof(l->why));
    if (l->onlooker == NULL)
        fail_msg("%s", l->why);
}

/* Takes what is there until something else than a packet or nothing comes, or |tries| times
 * nothing. */
static gw_look take(looking *l, unsigned tries, unsigned *packets)
{
    gw_look got = GW_LOOK_NOTHING;
    while (got <= GW_LOOK_NOTHING && tries > 0) {
        got = gw_onlooker_look(l->onlooker, l->why, sizeof(l->why));
        *packets += got == GW_LOOK_PACKET;
        tries -= got == GW_LOOK_NOTHING;
    }
    return got;
}

static void finish(looking *l)
{
    assert_true(gw_onlooker_end(l->onlooker));
    (void)fclose(l->file);
}

/* ---- what is seen ---- */

static const gw_ip_style style = {.ttl = 7, .may_fragment = true, .no_udp_checksum = true};

/* One of each kind, from a datagram to bytes of a stream that no record holds at once. */
static void each_kind(gw_running *running, gw_evidence *evidence)
{
    static uint8_t long_ones[150000];
    gw_evidence_packet styled = packet(GW_DIR_OUT, GW_EVIDENCE_BYTES, false, 8);
    styled.style = &style;
    gw_evidence_packet regs = packet(GW_DIR_IN, GW_EVIDENCE_BYTES, false, 16);
    regs.regs = true;
    regs.link = "regs";
    gw_evidence_packet list[] = {
        styled,
        regs,
        packet(GW_DIR_OUT, GW_EVIDENCE_OPEN, true, 0),
        packet(GW_DIR_OUT, GW_EVIDENCE_BYTES, true, sizeof(long_ones)),
        packet(GW_DIR_IN, GW_EVIDENCE_BYTES, true, 2000),
        packet(GW_DIR_IN, GW_EVIDENCE_CLOSE, true, 0),
    };
    for (size_t i = 0; i < sizeof(long_ones); i++)
        long_ones[i] = (uint8_t)(i / 3);
    for (size_t i = 0; i < GW_ARRAY_LEN(list); i++) {
        const uint8_t *data = list[i].len == 0              ? NULL
                              : list[i].len > sizeof(bytes) ? long_ones
                                                            : bytes;
        list[i].time_ns += (int64_t)i;
        gw_running_packet(running, &list[i], data, NULL, 0);
        (void)gw_evidence_add(evidence, &list[i], data);
    }
    /* Frames, one that carries what was received, one whose bytes came in several. */
    gw_evidence_packet framed = packet(GW_DIR_IN, GW_EVIDENCE_BYTES, false, 30);
    framed.wire = true;
    gw_running_packet(running, &framed, bytes + 42, bytes, 90);
    (void)gw_evidence_add_frame(evidence, &framed, bytes + 42, bytes, 90);
    gw_running_packet(running, &framed, long_ones + 1000, bytes, 60);
    (void)gw_evidence_add_frame(evidence, &framed, long_ones + 1000, bytes, 60);
}

static void what_is_seen_is_the_evidence(void **state)
{
    gw_evidence evidence = {.board = board()};
    gw_running *running = begin();
    looking l;
    char *expected = NULL;
    size_t expected_len = 0;
    unsigned packets = 0;

    (void)state;
    look(&l);
    gw_running_tell(running, "eb-s/probe", "A probe is answered");
    each_kind(running, &evidence);
    gw_running_end(running);
    assert_int_equal(take(&l, 3, &packets), GW_LOOK_OVER);
    assert_int_equal(packets, 8 + 2); /* the long one came in three */
    assert_int_equal(gw_onlooker_lost(l.onlooker), 0);
    finish(&l);

    FILE *file = open_memstream(&expected, &expected_len);
    assert_true(gw_evidence_write(&evidence, file, "eb-s/probe: A probe is answered"));
    (void)fclose(file);
    assert_int_equal(l.len, expected_len);
    assert_memory_equal(l.text, expected, expected_len);
    gw_evidence_free(&evidence);
    free(expected);
    free(l.text);
}

/* Reads the capture |l| wrote: how many frames, and whether a comment holds |wanted|. */
typedef struct seen {
    unsigned frames;
    unsigned with_text;
    uint32_t gap; /* in what the first connection of a stream sent */
} seen;

static seen read_back(const looking *l, const char *wanted)
{
    gw_temporary path;
    seen out = {0};
    uint32_t next = 0;
    gw_frame frame;
    char why[256];
    int fd = gw_temporary_open(&path);
    assert_true(fd >= 0 && write(fd, l->text, l->len) == (ssize_t)l->len);
    (void)close(fd);
    gw_capture *capture = gw_capture_open(path.path, why, sizeof(why));
    (void)unlink(path.path);
    assert_non_null(capture);
    while (gw_capture_next(capture, &frame) == GW_CAPTURE_FRAME) {
        out.frames++;
        out.with_text += frame.comment != NULL && strstr(frame.comment, wanted) != NULL;
        if (frame.data[23] != 6) /* TCP */
            continue;
        uint32_t at = (uint32_t)frame.data[38] << 24 | (uint32_t)frame.data[39] << 16 |
                      (uint32_t)frame.data[40] << 8 | frame.data[41];
        out.gap += next != 0 ? at - next : 0;
        next = at + 100;
    }
    gw_capture_close(capture);
    return out;
}

/* Sends |num| packets, and returns of how many the onlooker knows that they are lost. */
static uint64_t overrun(bool stream, seen *out, unsigned *packets)
{
    gw_running *running = begin();
    gw_evidence_packet one = packet(GW_DIR_OUT, GW_EVIDENCE_BYTES, stream, 100);
    unsigned nothing = 0;
    looking l;

    look(&l);
    gw_running_tell(running, "eb-s/flood", "Many");
    for (unsigned i = 0; i < MANY; i++)
        gw_running_packet(running, &one, bytes, NULL, 0);
    assert_int_equal(take(&l, 3, packets), GW_LOOK_NOTHING);
    assert_true(*packets < MANY);
    assert_int_equal(gw_onlooker_lost(l.onlooker), 0); /* nobody said so yet */
    gw_running_packet(running, &one, bytes, NULL, 0);
    assert_int_equal(take(&l, 1, packets), GW_LOOK_NOTHING);
    uint64_t lost = gw_onlooker_lost(l.onlooker);
    gw_running_end(running);
    assert_int_equal(take(&l, 1, &nothing), GW_LOOK_OVER);
    finish(&l);
    *out = read_back(&l, "packets are lacking");
    free(l.text);
    return lost;
}

static void what_is_lost_is_told(void **state)
{
    seen out;
    unsigned packets = 0;
    (void)state;
    uint64_t lost = overrun(false, &out, &packets);
    assert_int_equal(packets + lost, MANY + 1);
    assert_int_equal(out.frames, packets);
    assert_int_equal(out.with_text, 1);
}

static void lost_bytes_of_a_stream_leave_a_gap(void **state)
{
    seen out;
    unsigned packets = 0;
    (void)state;
    uint64_t lost = overrun(true, &out, &packets);
    assert_int_equal(packets + lost, MANY + 1);
    assert_int_equal(out.gap, lost * 100);
}

/* Who joins in the middle of a case is told which it is, and of a verdict that nobody heard. */
static void who_comes_late_is_told(void **state)
{
    gw_running *running = begin();
    gw_evidence_packet one = packet(GW_DIR_OUT, GW_EVIDENCE_BYTES, false, 8);
    unsigned packets = 0;
    looking l;

    (void)state;
    gw_running_tell(running, "eb-s/first", "First");
    gw_running_packet(running, &one, bytes, NULL, 0);
    gw_running_tell(running, "eb-s/first", "PASS");
    gw_running_tell(running, "eb-s/second", "");
    gw_running_packet(running, &one, bytes, NULL, 0);
    look(&l);
    const struct timespec while_nobody_looks = {.tv_nsec = 100000000};
    (void)nanosleep(&while_nobody_looks, NULL);
    gw_running_packet(running, &one, bytes, NULL, 0);
    gw_running_packet(running, &one, bytes, NULL, 0);
    gw_running_end(running);
    assert_int_equal(take(&l, 3, &packets), GW_LOOK_OVER);
    finish(&l);
    assert_int_equal(packets, 2);
    assert_int_equal(read_back(&l, "eb-s/first: PASS\neb-s/second").with_text, 1);
    assert_int_equal(read_back(&l, "First").with_text, 0); /* went with a packet before */
    free(l.text);
}

/* ---- those who mean harm, or nothing ---- */

static int connect_to(const struct sockaddr_un *address)
{
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    if (connect(fd, (const struct sockaddr *)address, sizeof(*address)) == 0)
        return fd;
    (void)close(fd);
    return -1;
}

/* A hundred that come at once: some are let in, some wait and are told that there is no room, the
 * rest is not even heard. Who talks, who never reads and who leaves is nobody's trouble. */
static void a_crowd_does_no_harm(void **state)
{
    gw_running *running = begin();
    gw_running_entry entry = mine();
    gw_evidence_packet one = packet(GW_DIR_OUT, GW_EVIDENCE_BYTES, false, 8);
    int fds[100];
    unsigned let_in = 0;
    unsigned refused = 0;
    unsigned heard = 0;
    union {
        gw_record record;
        uint8_t bytes[4096];
    } got;

    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(fds); i++) {
        fds[i] = connect_to(&entry.address);
        heard += fds[i] >= 0;
        if (fds[i] >= 0 && i % 2 == 0)
            (void)send(fds[i], bytes, sizeof(bytes), MSG_DONTWAIT | MSG_NOSIGNAL);
    }
    assert_uint_in_range(heard, GW_ONLOOKERS + 1, GW_ARRAY_LEN(fds) - 1);
    gw_running_packet(running, &one, bytes, NULL, 0);
    for (size_t i = 0; i < GW_ARRAY_LEN(fds); i++) {
        if (fds[i] < 0 || recv(fds[i], &got, sizeof(got), MSG_DONTWAIT) <= 0)
            continue;
        let_in += got.record.kind == GW_RECORD_GREETING;
        refused += got.record.kind == GW_RECORD_REFUSED;
        if (got.record.kind == GW_RECORD_GREETING && i % 2 == 0)
            assert_true(send(fds[i], bytes, 8, MSG_DONTWAIT | MSG_NOSIGNAL) < 0);
    }
    assert_int_equal(let_in, GW_ONLOOKERS);
    assert_uint_in_range(refused, 1, heard - GW_ONLOOKERS);
    for (size_t i = 0; i < GW_ARRAY_LEN(fds); i++)
        if (fds[i] >= 0)
            (void)close(fds[i]);
    for (unsigned i = 0; i < 3; i++)
        gw_running_packet(running, &one, bytes, NULL, 0);
    gw_running_end(running);
}

/* A run that is none, which says |len| bytes at |said| to whoever looks on. */
static gw_look hear(const void *said, size_t len, char *why, size_t why_cap)
{
    gw_running_entry entry = {.name = "goldwire-1", .version = GW_RUNNING_VERSION};
    char *text = NULL;
    size_t text_len = 0;
    entry.address.sun_family = AF_UNIX;
    (void)snprintf(entry.address.sun_path, sizeof(entry.address.sun_path), "%s/false", folder.path);
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&entry.address, sizeof(entry.address)), 0);
    assert_int_equal(listen(fd, 1), 0);
    FILE *file = open_memstream(&text, &text_len);
    gw_onlooker *onlooker = gw_onlooker_begin(&entry, file, why, why_cap);
    assert_non_null(onlooker);
    int other = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
    assert_int_equal(send(other, said, len, 0), len);
    gw_look got = gw_onlooker_look(onlooker, why, why_cap);
    assert_true(gw_onlooker_end(onlooker));
    (void)close(other);
    (void)close(fd);
    (void)unlink(entry.address.sun_path);
    (void)fclose(file);
    free(text);
    return got;
}

static void what_is_no_run_is_refused(void **state)
{
    struct {
        gw_record record;
        char more[64];
    } said = {.record = {.kind = GW_RECORD_PACKET,
                         .dir = GW_DIR_OUT,
                         .len = 64,
                         .line = UINT16_MAX,
                         .local = here,
                         .remote = there}};
    char why[256];

    (void)state;
    assert_int_equal(hear(&said, sizeof(said), why, sizeof(why)), GW_LOOK_PACKET);
    assert_int_equal(hear("x", 1, why, sizeof(why)), GW_LOOK_REFUSED);
    assert_non_null(strstr(why, "not understood"));
    static const struct {
        size_t at;
        uint32_t value;
    } wrong[] = {
        {offsetof(gw_record, kind), 0},
        {offsetof(gw_record, kind), 99},
        {offsetof(gw_record, text_len), 65},
        {offsetof(gw_record, text_len), UINT32_MAX},
        {offsetof(gw_record, len), 63},
        {offsetof(gw_record, len), 65},
        {offsetof(gw_record, len), UINT32_MAX},
        {offsetof(gw_record, frame_len), 1},
        {offsetof(gw_record, frame_len), UINT32_MAX},
        {offsetof(gw_record, data_at), 1},
        {offsetof(gw_record, data_at), UINT32_MAX},
    };
    for (size_t i = 0; i < GW_ARRAY_LEN(wrong); i++) {
        uint8_t copy[sizeof(said)];
        memcpy(copy, &said, sizeof(said));
        memcpy(copy + wrong[i].at, &wrong[i].value, sizeof(wrong[i].value));
        assert_int_equal(hear(copy, sizeof(copy), why, sizeof(why)), GW_LOOK_REFUSED);
    }
    said.record.kind_of_packet = GW_EVIDENCE_FRAME + 1;
    assert_int_equal(hear(&said, sizeof(said), why, sizeof(why)), GW_LOOK_REFUSED);
    said.record.kind_of_packet = GW_EVIDENCE_BYTES;
    memset(said.record.link, 'x', sizeof(said.record.link));
    assert_int_equal(hear(&said, sizeof(said), why, sizeof(why)), GW_LOOK_REFUSED);
    /* A refusal says why, and nothing that a terminal would obey. */
    said.record.kind = GW_RECORD_REFUSED;
    said.record.text_len = 4;
    memcpy(said.more, "no\033[", 4);
    assert_int_equal(hear(&said, sizeof(said), why, sizeof(why)), GW_LOOK_REFUSED);
    assert_null(strchr(why, '\033'));
    assert_non_null(strstr(why, "no"));
}

/* ---- the list ---- */

/* Starts a run in a process of its own, which ends by |killed| or when told to. */
static pid_t start_run(const char *text, int *told)
{
    int ready[2];
    int end[2];
    char byte = 0;
    assert_int_equal(pipe(ready) | pipe(end), 0);
    pid_t pid = fork();
    if (pid == 0) {
        char why[256];
        (void)alarm(CHILD_S);
        (void)close(end[1]);
        gw_running *running = gw_running_begin("fuzz", "op2p-node", text, why, sizeof(why));
        byte = '0';
        if (running != NULL)
            byte = '1';
        if (write(ready[1], &byte, 1) == 1 && read(end[0], &byte, 1) >= 0)
            gw_running_end(running);
        _exit(0);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(byte, '1');
    (void)close(ready[0]);
    (void)close(ready[1]);
    (void)close(end[0]);
    *told = end[1];
    return pid;
}

static const gw_running_entry *find(const gw_running_entry *runs, size_t num, pid_t pid)
{
    for (size_t i = 0; i < num; i++)
        if (runs[i].pid == (long)pid)
            return &runs[i];
    return NULL;
}

static void runs_are_listed_while_they_go_on(void **state)
{
    gw_running_entry runs[64];
    int told[2];
    pid_t first = start_run("udp://a{b}\n\033[31mverb x", &told[0]);
    pid_t second = start_run("udp://c", &told[1]);

    (void)state;
    size_t num = gw_running_list(runs, GW_ARRAY_LEN(runs));
    const gw_running_entry *one = find(runs, num, first);
    assert_non_null(one);
    assert_non_null(find(runs, num, second));
    assert_true(one < find(runs, num, second)); /* which is younger */
    assert_string_equal(one->verb, "fuzz");
    assert_string_equal(one->role, "op2p-node");
    assert_string_equal(one->board, "udp://a_b_");
    assert_int_equal(one->version, GW_RUNNING_VERSION);
    gw_running_entry kept = *one;
    assert_true(gw_running_goes_on(&kept));

    /* What is killed leaves its files, which go when somebody looks. */
    assert_int_equal(kill(first, SIGKILL), 0);
    assert_int_equal(waitpid(first, NULL, 0), first);
    assert_int_equal(access(kept.address.sun_path, F_OK), 0);
    assert_false(gw_running_goes_on(&kept));
    num = gw_running_list(runs, GW_ARRAY_LEN(runs));
    assert_null(find(runs, num, first));
    assert_non_null(find(runs, num, second));
    assert_int_not_equal(access(kept.address.sun_path, F_OK), 0);
    (void)close(told[0]);

    (void)close(told[1]);
    assert_int_equal(waitpid(second, NULL, 0), second);
    assert_null(find(runs, gw_running_list(runs, GW_ARRAY_LEN(runs)), second));
}

static void a_run_that_has_ended_says_so(void **state)
{
    gw_running *running = begin();
    gw_running_entry entry = mine();
    char why[256];

    (void)state;
    gw_running_end(running);
    assert_null(gw_onlooker_begin(&entry, stdout, why, sizeof(why)));
    assert_non_null(strstr(why, "this run has ended"));
    entry.version++;
    assert_null(gw_onlooker_begin(&entry, stdout, why, sizeof(why)));
    assert_non_null(strstr(why, "another version"));
}

/* In another container a process may have this one's number. */
static void a_run_leaves_its_namesake_alone(void **state)
{
    gw_running_entry theirs = {.pid = (long)getpid()};
    char why[256];
    int ready[2];
    char byte = 0;

    (void)state;
    assert_true(gw_running_choose(&theirs, why, sizeof(why)));
    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    if (pid == 0) {
        (void)alarm(CHILD_S);
        if (gw_running_enter(&theirs, why, sizeof(why)) >= 0 && write(ready[1], "1", 1) == 1)
            (void)pause();
        _exit(1);
    }
    (void)close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    (void)close(ready[0]);
    assert_null(gw_running_begin("certify", "role", "url", why, sizeof(why)));
    assert_non_null(strstr(why, "another run is called goldwire-"));
    assert_true(kill(pid, SIGKILL) == 0 && waitpid(pid, NULL, 0) == pid);
    gw_running_end(begin());
}

static void a_run_that_cannot_be_found_goes_on(void **state)
{
    char inside[sizeof(folder.path) + 16];
    char why[256];
    gw_evidence_packet one = packet(GW_DIR_OUT, GW_EVIDENCE_BYTES, false, 8);

    (void)state;
    (void)snprintf(inside, sizeof(inside), "%s/goldwire", folder.path);
    /* A folder that others may write to. */
    assert_int_equal(mkdir(inside, 0700) | chmod(inside, 0770), 0);
    assert_null(gw_running_begin("certify", "role", "url", why, sizeof(why)));
    assert_non_null(strstr(why, "is not this user's alone"));
    (void)rmdir(inside);
    /* A link to one that is in order. */
    assert_int_equal(symlink("/tmp", inside), 0);
    assert_null(gw_running_begin("certify", "role", "url", why, sizeof(why)));
    assert_non_null(strstr(why, inside));
    (void)unlink(inside);
    assert_int_equal(setenv("GOLDWIRE_WATCHABLE", "no", 1), 0);
    gw_running *running = gw_running_begin("certify", "role", "url", why, sizeof(why));
    assert_null(running);
    assert_string_equal(why, "");
    gw_running_tell(running, "what", "");
    gw_running_packet(running, &one, bytes, NULL, 0);
    gw_running_end(running);
    assert_int_not_equal(access(inside, F_OK), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_seen_is_the_evidence),
        TEST(what_is_lost_is_told),
        TEST(lost_bytes_of_a_stream_leave_a_gap),
        TEST(who_comes_late_is_told),
        TEST(a_crowd_does_no_harm),
        TEST(what_is_no_run_is_refused),
        TEST(runs_are_listed_while_they_go_on),
        TEST(a_run_that_has_ended_says_so),
        TEST(a_run_leaves_its_namesake_alone),
        TEST(a_run_that_cannot_be_found_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
