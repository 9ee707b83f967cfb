/* SPDX-License-Identifier: BSD-2-Clause */
/* Boards that go wrong behind real sockets: what the kernel tells must end in the right verdict. */
#include <netinet/in.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "boards/spawn.h"
#include "device/dut.h"
#include "evidence/exit.h"
#include "formats/builtin.h"
#include "harness/socket.h"
#include "run/select.h"

static const char *const globs[] = {"eb-s/probe-*", "eb-s/bad-magic", "eb-s/reply-*"};

/* Takes the board away before case |at|. */
typedef struct pulling {
    gw_spawn *board;
    size_t at;
} pulling;

static void pull(void *arg, size_t done, size_t total, const gw_case *next)
{
    pulling *p = arg;
    (void)total;
    if (next == NULL || done != p->at || p->board == NULL)
        return;
    assert_true(gw_spawn_stop(p->board));
    p->board = NULL;
}

static void run(gw_run *out, const char *url, pulling *p)
{
    char why[256] = "";
    gw_case_list chosen;
    const gw_suite *suite = gw_suite_by_role("etherbone-slave");
    gw_dut_place place = {"", url};
    gw_dut *dut = gw_dut_open(&place, 1, gw_board_by_role(suite->role), false, why, sizeof(why));
    if (dut == NULL)
        fail_msg("%s: %s", url, why);
    assert_true(gw_select(&chosen, suite, globs, GW_ARRAY_LEN(globs)));
    assert_true(chosen.num > 6);
    gw_run_setup setup = {.suite = suite,
                          .board = gw_builtin_board(suite->role),
                          .target = gw_dut_target(dut),
                          .cases = chosen.cases,
                          .num_cases = chosen.num,
                          .first_ns = 100 * GW_MS,
                          .reply_ns = p != NULL ? 0 : 100 * GW_MS,
                          .progress = p != NULL ? pull : NULL,
                          .progress_arg = p};
    if (!gw_run_cases(out, &setup, why, sizeof(why)))
        fail_msg("%s: %s", url, why);
    gw_case_list_free(&chosen);
    gw_dut_close(dut);
}

static void expect_nothing_said(const char *url, const char *text)
{
    gw_run out;
    run(&out, url, NULL);
    assert_false(out.answered);
    assert_int_equal(out.counts.of[GW_INCONC], out.num_results);
    assert_int_equal(gw_counts_exit(&out.counts, false), GW_EXIT_INCONC);
    if (strstr(out.preflight, text) == NULL)
        fail_msg("%s: '%s' should contain '%s'", url, out.preflight, text);
    gw_run_free(&out);
}

/* A port of 127.0.0.1, and its URL. */
static int bound(const char *scheme, char *url, size_t cap)
{
    char why[128] = "";
    gw_url parsed;
    bool tcp = strcmp(scheme, "tcp") == 0;
    (void)snprintf(url, cap, "%s://127.0.0.1:0", scheme);
    assert_true(gw_url_parse(&parsed, url, why, sizeof(why)));
    int fd = gw_socket_bind(&parsed, tcp ? SOCK_STREAM : SOCK_DGRAM, why, sizeof(why));
    assert_true(fd >= 0);
    gw_endpoint here = gw_endpoint_of_socket(fd, false);
    (void)snprintf(url, cap, "%s://127.0.0.1:%u", scheme, here.port);
    return fd;
}

static void a_closed_port(void **state)
{
    (void)state;
    char url[64];
    close(bound("udp", url, sizeof(url)));
    expect_nothing_said(url, "nothing listens there");
    close(bound("tcp", url, sizeof(url)));
    expect_nothing_said(url, "Connection refused");
}

static void a_port_that_nobody_reads(void **state)
{
    (void)state;
    char url[64];
    int fd = bound("udp", url, sizeof(url));
    expect_nothing_said(url, "no answer to 1 attempt of 100 ms");
    close(fd);
}

static void a_connection_that_nobody_accepts(void **state)
{
    (void)state;
    char url[64];
    int fd = bound("tcp", url, sizeof(url));
    assert_int_equal(listen(fd, 64), 0);
    expect_nothing_said(url, "no answer to 1 attempt");
    close(fd);
}

/* The board sends nothing any more, and reads on. */
static void a_half_closed_connection(void **state)
{
    (void)state;
    char url[64];
    int fd = bound("tcp", url, sizeof(url));
    assert_int_equal(listen(fd, 64), 0);
    pid_t board = fork();
    assert_true(board >= 0);
    if (board == 0) {
        for (;;) {
            int conn = accept(fd, NULL, NULL);
            if (conn >= 0)
                (void)shutdown(conn, SHUT_WR);
        }
    }
    expect_nothing_said(url, "no answer to 1 attempt");
    assert_int_equal(kill(board, SIGKILL), 0);
    assert_int_equal(waitpid(board, NULL, 0), board);
    close(fd);
}

static void a_board_that_goes_away(void **state)
{
    (void)state;
    static const char *const schemes[] = {"udp://127.0.0.1:0", "tcp://127.0.0.1:0"};
    for (size_t i = 0; i < GW_ARRAY_LEN(schemes); i++) {
        char why[256] = "";
        gw_peer_config config = {0};
        gw_spawn_link link = {.url = schemes[i]};
        const gw_board *board = gw_board_by_role("etherbone-slave");
        gw_spawn *process = gw_spawn_board(board, &config, &link, 1, why, sizeof(why));
        if (process == NULL)
            fail_msg("%s", why);
        gw_run out;
        pulling p = {process, 3};
        char url[80];
        (void)snprintf(url, sizeof(url), "%s", gw_spawn_url(process, 0));
        run(&out, url, &p);
        assert_true(out.answered);
        for (size_t k = 0; k < out.num_results; k++) {
            gw_verdict expected = k < 3 ? GW_PASS : GW_INCONC;
            if (out.results[k].verdict != expected)
                fail_msg("%s: %s is %s: %s", schemes[i], out.results[k].which->id,
                         gw_verdict_name(out.results[k].verdict), out.results[k].text);
        }
        assert_int_equal(gw_counts_exit(&out.counts, false), GW_EXIT_INCONC);
        gw_run_free(&out);
    }
}

/* Which of 64 datagrams arrive that are sent over a way that is opened for them. */
static uint64_t arrived(gw_dut *dut, int fd)
{
    char why[256] = "";
    bool unreachable = false;
    gw_target *target = gw_dut_target(dut);
    gw_transport *t = target->open(target, 0, GW_SECOND, &unreachable, why, sizeof(why));
    if (t == NULL)
        fail_msg("%s", why);
    for (uint8_t i = 0; i < 64; i++)
        assert_true(t->ops->send(t, &i, 1));
    gw_transport_close(t);
    uint64_t seen = 0;
    uint8_t i = 0;
    while (recv(fd, &i, 1, MSG_DONTWAIT) == 1)
        seen |= UINT64_C(1) << i;
    return seen;
}

static void each_way_has_its_own_losses(void **state)
{
    (void)state;
    char why[256] = "";
    char url[64];
    char lossy[96];
    uint64_t seen[2][3];
    int fd = bound("udp", url, sizeof(url));
    (void)snprintf(lossy, sizeof(lossy), "%s?loss=0.5&seed=7", url);
    for (size_t run = 0; run < 2; run++) {
        gw_dut_place place = {"", lossy};
        gw_dut *dut =
            gw_dut_open(&place, 1, gw_board_by_role("etherbone-slave"), false, why, sizeof(why));
        assert_non_null(dut);
        for (size_t i = 0; i < 3; i++)
            seen[run][i] = arrived(dut, fd);
        gw_dut_close(dut);
    }
    assert_true(seen[0][0] != 0 && seen[0][0] != UINT64_MAX);
    assert_true(seen[0][0] != seen[0][1] && seen[0][1] != seen[0][2]);
    assert_memory_equal(seen[0], seen[1], sizeof(seen[0])); /* a seed tells all */
    close(fd);
}

/* Which of 64 datagrams are heard that are sent to a way that waits for its caller. */
static uint64_t heard(gw_dut *dut, int fd)
{
    char why[256] = "";
    bool unreachable = false;
    gw_target *target = gw_dut_target(dut);
    gw_transport *t = target->open(target, 0, GW_SECOND, &unreachable, why, sizeof(why));
    if (t == NULL)
        fail_msg("%s", why);
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons(t->local.port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    for (uint8_t i = 0; i < 64; i++)
        assert_int_equal(sendto(fd, &i, 1, 0, (const struct sockaddr *)&to, sizeof(to)), 1);
    uint64_t seen = 0;
    uint8_t i = 0;
    size_t len;
    while (t->ops->recv(t, &i, 1, &len, 0, NULL, NULL) == GW_RECV_DATA)
        seen |= UINT64_C(1) << i;
    gw_transport_close(t);
    return seen;
}

static void each_call_has_its_own_losses(void **state)
{
    (void)state;
    char why[256] = "";
    char url[64];
    gw_dut_place place = {"", "udp://127.0.0.1:0?loss=0.5&seed=7"};
    int fd = bound("udp", url, sizeof(url));
    gw_dut *dut =
        gw_dut_open(&place, 1, gw_board_by_role("etherbone-master"), true, why, sizeof(why));
    assert_non_null(dut);
    uint64_t first = heard(dut, fd);
    uint64_t second = heard(dut, fd);
    assert_true(first != 0 && first != UINT64_MAX);
    assert_true(first != second);
    gw_dut_close(dut);
    close(fd);
}

/* However slow this machine is: when the outage is over, it is over for whatever is opened then. */
static void an_outage_comes_once(void **state)
{
    (void)state;
    char why[256] = "";
    char url[64];
    char down[96];
    int fd = bound("udp", url, sizeof(url));
    (void)snprintf(down, sizeof(down), "%s?outage=0s+200ms", url);
    gw_dut_place place = {"", down};
    gw_dut *dut =
        gw_dut_open(&place, 1, gw_board_by_role("etherbone-slave"), false, why, sizeof(why));
    assert_non_null(dut);
    (void)arrived(dut, fd);
    struct timespec longer = {.tv_nsec = 250000000};
    (void)nanosleep(&longer, NULL);
    assert_true(arrived(dut, fd) == UINT64_MAX);
    gw_dut_close(dut);
    close(fd);
}

static void our_own_cable_is_in(void **state)
{
    (void)state;
    char why[160] = "";
    char name[32] = "";
    gw_endpoint here = {.ip = {127, 3, 2, 1}, .family = GW_FAMILY_IPV4};
    gw_endpoint nobody = {.ip = {203, 0, 113, 7}, .family = GW_FAMILY_IPV4};
    gw_endpoint any = {.family = GW_FAMILY_IPV4};
    assert_false(gw_carrier_lost(&here, why, sizeof(why)));
    assert_true(gw_carrier_interface(&here, name, sizeof(name)));
    assert_false(gw_carrier_lost(&any, why, sizeof(why)));
    assert_false(gw_carrier_interface(&nobody, name, sizeof(name)));
    assert_true(gw_carrier_lost(&nobody, why, sizeof(why)));
    assert_string_equal(why, "no interface has our address any more");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_closed_port),
        cmocka_unit_test(a_port_that_nobody_reads),
        cmocka_unit_test(a_connection_that_nobody_accepts),
        cmocka_unit_test(a_half_closed_connection),
        cmocka_unit_test(a_board_that_goes_away),
        cmocka_unit_test(each_way_has_its_own_losses),
        cmocka_unit_test(each_call_has_its_own_losses),
        cmocka_unit_test(an_outage_comes_once),
        cmocka_unit_test(our_own_cable_is_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
