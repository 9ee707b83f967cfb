/* SPDX-License-Identifier: BSD-2-Clause */
/* What decode, check and encode share. */
#include "cli/inspect_args.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/verb.h"
#include "evidence/clean.h"

#define WHY_MAX 512
#define STDOUT_BUFFER 65536

static const struct argp_option options[] = {
    {"proto", 'p', "PROTO", 0,
     "Take all UDP datagrams and TCP streams that are not on another format's port for PROTO", 0},
    {"dialect", 'd', "D[@HOST[:PORT]]", 0,
     "Read the traffic of HOST (either end; default: of everyone) in dialect D. May be repeated; "
     "the most specific one wins",
     0},
    {"json", 'j', NULL, 0, "Print JSON, one object a line", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    gw_inspect_args *args = state->input;
    char why[WHY_MAX];

    switch (key) {
    case ARGP_KEY_INIT:
        gw_selection_init(&args->selection);
        return 0;
    case 'p':
        if (!gw_selection_proto(&args->selection, arg, why, sizeof why))
            argp_error(state, "--proto: %s", why);
        return 0;
    case 'd':
        if (!gw_selection_dialect(&args->selection, arg, why, sizeof why))
            argp_error(state, "--dialect: %s", why);
        return 0;
    case 'j':
        args->json = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp gw_inspect_argp = {.options = options, .parser = parse};

gw_capture *gw_inspect_open(const char *verb, const char *path)
{
    char why[WHY_MAX], line[3 * WHY_MAX];
    gw_capture *capture = gw_capture_open(path, why, sizeof why);

    if (capture == NULL)
        fprintf(stderr, "%s: %s\n", verb, gw_inspect_line(line, sizeof line, why));
    return capture;
}

char *gw_inspect_line(char *out, size_t cap, const char *text)
{
    gw_clean(out, cap, text);
    for (char *p = out; *p != '\0'; p++) {
        if (*p == '\n')
            *p = ' ';
    }
    return out;
}

bool gw_inspect_files_ok(const char *verb, const gw_inspect_args *args)
{
    bool ok = true;

    for (int i = 0; i < args->num_files; i++) {
        const char *path = args->files[i];
        struct stat st;
        if (strcmp(path, "-") == 0 || (stat(path, &st) == 0 && S_ISFIFO(st.st_mode)))
            continue;
        gw_capture *capture = gw_inspect_open(verb, path);
        if (capture == NULL)
            ok = false;
        gw_capture_close(capture);
    }
    return ok;
}

static char stdout_buffer[STDOUT_BUFFER];
static int stdout_errno; /* of the first failure that was seen */

/* Whether nobody reads what stdout's pipe takes; errno may have been of another call by now. */
static bool reader_gone(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};

    return stdout_errno == EPIPE || (poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0);
}

void gw_stdout_prepare(void)
{
    (void)signal(SIGPIPE, SIG_IGN);
    (void)setvbuf(stdout, stdout_buffer, _IOFBF, sizeof stdout_buffer);
}

bool gw_stdout_failed(void)
{
    if (!ferror(stdout))
        return false;
    if (stdout_errno == 0)
        stdout_errno = errno;
    return true;
}

int gw_stdout_finish(const char *verb, int code)
{
    static bool told;
    if (!gw_stdout_failed() && fflush(stdout) == 0)
        return code;
    if (stdout_errno == 0)
        stdout_errno = errno;
    if (reader_gone())
        return GW_EXIT_OK;
    if (!told)
        fprintf(stderr, "%s: cannot write: %s\n", verb, strerror(stdout_errno));
    told = true;
    return GW_EXIT_TOOL;
}

int gw_exit_join(int a, int b)
{
    static const int order[] = {GW_EXIT_USAGE, GW_EXIT_TOOL,   GW_EXIT_FAIL,
                                GW_EXIT_XPASS, GW_EXIT_INCONC, GW_EXIT_OK};

    for (size_t i = 0; i < GW_ARRAY_LEN(order); i++) {
        if (a == order[i] || b == order[i])
            return order[i];
    }
    return GW_EXIT_NOTHING;
}

error_t gw_inspect_parse_files(int key, char *arg, struct argp_state *state)
{
    gw_inspect_args *args = state->input;

    (void)arg;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = args;
        return 0;
    case ARGP_KEY_ARGS:
        args->files = state->argv + state->next;
        args->num_files = state->argc - state->next;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "no capture file given; - reads standard input");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
