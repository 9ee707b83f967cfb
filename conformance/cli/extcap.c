/* SPDX-License-Identifier: BSD-2-Clause */
/* goldwire extcap: what Wireshark calls to find the runs that go on, and to look at one. */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/extcap_install.h"
#include "cli/verb.h"
#include "evidence/clean.h"
#include "goldwire/text.h"
#include "harness/stop.h"
#include "running/onlooker.h"

#define RUNS 256
#define SECOND_NS INT64_C(1000000000)
#define FIFO_NS (10 * SECOND_NS) /* for whoever reads it to open it */
#define FIFO_LOOK_NS (SECOND_NS / 50)
#define STILL_THERE_MS 500 /* between looks whether a silent run goes on */

enum {
    OPTION_INTERFACES = 256,
    OPTION_INTERFACE,
    OPTION_DLTS,
    OPTION_CONFIG,
    OPTION_CAPTURE,
    OPTION_FIFO,
    OPTION_FILTER,
    OPTION_VERSION,
    OPTION_INSTALL,
};

typedef enum extcap_task {
    TASK_TELL = 0, /* people, who look on their own */
    TASK_INTERFACES,
    TASK_DLTS,
    TASK_CONFIG,
    TASK_CAPTURE,
    TASK_INSTALL,
} extcap_task;

typedef struct extcap_options {
    extcap_task task;
    const char *interface;
    const char *fifo;
    const char *filter;
} extcap_options;

static const char doc[] =
    "Let Wireshark look at what goldwire does on this machine while it does it.\v"
    "Wireshark calls this by itself, once `goldwire extcap --install' has put it where it looks: "
    "then its list of interfaces has each certify, fuzz, replay and record of the same user, and "
    "whoever picks one sees its packets as they become evidence. Without options the runs are "
    "listed.\n\n"
    "Without Wireshark's list: goldwire extcap --capture --extcap-interface NAME --fifo - | "
    "wireshark -k -i -\n\n"
    "A run is never slowed by who looks on. Packets that come faster than they are taken are left "
    "out, and the next one's comment says how many. GOLDWIRE_WATCHABLE=no in the environment of a "
    "run keeps it to itself; with =yes it complains when nobody can look on.\n\n"
    "Exit codes: 0 all well, 2 the call is wrong or there is no such run, 4 the capture could not "
    "be written.";

static const struct argp_option options[] = {
    {"extcap-interfaces", OPTION_INTERFACES, 0, 0, "list the runs, for Wireshark", 0},
    {"extcap-interface", OPTION_INTERFACE, "NAME", 0, "the run that is meant", 0},
    {"extcap-dlts", OPTION_DLTS, 0, 0, "its link type, for Wireshark", 0},
    {"extcap-config", OPTION_CONFIG, 0, 0, "its options, for Wireshark: there are none", 0},
    {"capture", OPTION_CAPTURE, 0, 0, "write its packets as pcapng until it ends", 0},
    {"fifo", OPTION_FIFO, "FILE", 0, "to this pipe or file, -: to stdout", 0},
    {"extcap-capture-filter", OPTION_FILTER, "FILTER", 0, "there are none; display filters do", 0},
    {"extcap-version", OPTION_VERSION, "VERSION", OPTION_ARG_OPTIONAL, "Wireshark's", 0},
    {"install", OPTION_INSTALL, 0, 0, "put this where this user's Wireshark looks", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    extcap_options *o = state->input;
    switch (key) {
    case OPTION_INTERFACES:
        o->task = TASK_INTERFACES;
        return 0;
    case OPTION_DLTS:
        o->task = TASK_DLTS;
        return 0;
    case OPTION_CONFIG:
        o->task = TASK_CONFIG;
        return 0;
    case OPTION_CAPTURE:
        o->task = TASK_CAPTURE;
        return 0;
    case OPTION_INSTALL:
        o->task = TASK_INSTALL;
        return 0;
    case OPTION_INTERFACE:
        o->interface = arg;
        return 0;
    case OPTION_FIFO:
        o->fifo = arg;
        return 0;
    case OPTION_FILTER:
        o->filter = arg;
        return 0;
    case OPTION_VERSION:
        return 0; /* all of them are told the same */
    case ARGP_KEY_ARG:
        argp_error(state, "'%s' is too much", arg);
        return 0;
    case ARGP_KEY_END:
        if (o->interface == NULL &&
            (o->task == TASK_DLTS || o->task == TASK_CONFIG || o->task == TASK_CAPTURE))
            argp_error(state, "which run? --extcap-interface NAME");
        if (o->task == TASK_CAPTURE && o->fifo == NULL)
            argp_error(state, "where to? --fifo FILE");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int complain(const char *what, const char *why)
{
    fprintf(stderr, "goldwire extcap: ");
    gw_put_plain(stderr, what);
    fprintf(stderr, ": %s\n", why);
    return GW_EXIT_USAGE;
}

/* ---- which runs there are ---- */

/* "certify etherbone-slave at udp://10.0.0.2, since 14:03:22" */
static void describe(char *out, size_t cap, const gw_running_entry *run)
{
    char when[16] = "";
    struct tm local;
    time_t started = (time_t)(run->started_ns / SECOND_NS);
    if (localtime_r(&started, &local) != NULL)
        (void)strftime(when, sizeof(when), "%H:%M:%S", &local);
    (void)snprintf(out, cap, "%s %s at %s, since %s", run->verb, run->role, run->board, when);
}

static int list_interfaces(void)
{
    static gw_running_entry runs[RUNS];
    size_t num = gw_running_list(runs, RUNS);
    printf("extcap {version=" GW_VERSION "}{display=goldwire}\n");
    for (size_t i = 0; i < num; i++) {
        char text[256];
        describe(text, sizeof(text), &runs[i]);
        printf("interface {value=%s}{display=goldwire %s}\n", runs[i].name, text);
    }
    return GW_EXIT_OK;
}

static int tell_runs(void)
{
    static gw_running_entry runs[RUNS];
    size_t num = gw_running_list(runs, RUNS);
    for (size_t i = 0; i < num; i++) {
        char text[256];
        describe(text, sizeof(text), &runs[i]);
        printf("%s  %s\n", runs[i].name, text);
    }
    if (num == 0)
        fprintf(stderr, "nothing runs here that could be looked at\n");
    return GW_EXIT_OK;
}

static bool find_run(gw_running_entry *out, const char *name)
{
    static gw_running_entry runs[RUNS];
    size_t num = gw_running_list(runs, RUNS);
    for (size_t i = 0; i < num; i++)
        if (strcmp(runs[i].name, name) == 0) {
            *out = runs[i];
            return true;
        }
    return false;
}

/* ---- a capture ---- */

static void pause_ns(int64_t time_ns)
{
    struct timespec time = {.tv_nsec = time_ns};
    (void)nanosleep(&time, NULL);
}

/* A pipe that nobody reads cannot be opened for writing without waiting for somebody. -1 with
 * errno. */
static int open_fifo(const char *path)
{
    if (strcmp(path, "-") == 0)
        return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    int fd = -1;
    for (int64_t waited_ns = 0; waited_ns < FIFO_NS && !gw_stopped(); waited_ns += FIFO_LOOK_NS) {
        fd = open(path, O_WRONLY | O_TRUNC | O_NONBLOCK | O_CLOEXEC);
        if (fd >= 0 || errno != ENXIO)
            break;
        pause_ns(FIFO_LOOK_NS);
        errno = ENXIO;
    }
    int flags = fd >= 0 ? fcntl(fd, F_GETFL) : -1;
    if (flags >= 0)
        (void)fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
    return fd;
}

/* Whether whoever reads |fd| has gone; then POLLERR is all that there is to say. */
static bool is_unread(short events)
{
    return (events & POLLERR) != 0;
}

/* Takes all that is there, and then lets whoever reads the file have it. */
static gw_look take_all(gw_onlooker *onlooker, FILE *file, char *why, size_t why_cap)
{
    gw_look look;
    do
        look = gw_onlooker_look(onlooker, why, why_cap);
    while (look == GW_LOOK_PACKET && !gw_stopped());
    if (fflush(file) != 0 && look != GW_LOOK_REFUSED)
        return GW_LOOK_UNWRITTEN;
    return look;
}

/* Looks on until the run ends, or nobody wants to any more. */
static gw_look look_on(gw_onlooker *onlooker, const gw_running_entry *run, FILE *file, char *why,
                       size_t why_cap)
{
    struct pollfd wait[2] = {{.fd = gw_onlooker_fd(onlooker), .events = POLLIN},
                             {.fd = fileno(file)}};
    while (!gw_stopped()) {
        int ready = poll(wait, 2, STILL_THERE_MS);
        if (ready == 0 && !gw_running_goes_on(run))
            return GW_LOOK_OVER;
        if (ready > 0 && is_unread(wait[1].revents)) {
            errno = EPIPE;
            return GW_LOOK_UNWRITTEN;
        }
        if (ready <= 0 || wait[0].revents == 0)
            continue;
        gw_look look = take_all(onlooker, file, why, why_cap);
        if (look > GW_LOOK_NOTHING)
            return look;
    }
    return GW_LOOK_NOTHING;
}

static int capture_to(FILE *file, const gw_running_entry *run)
{
    char why[512] = "";
    gw_onlooker *onlooker = gw_onlooker_begin(run, file, why, sizeof(why));
    if (onlooker == NULL)
        return complain(run->name, why);
    /* Whoever reads the file knows by that that it is one. */
    gw_look look =
        fflush(file) == 0 ? look_on(onlooker, run, file, why, sizeof(why)) : GW_LOOK_UNWRITTEN;
    bool unread = look == GW_LOOK_UNWRITTEN && (errno == EPIPE || errno == EINTR);
    int code = errno;
    if (gw_onlooker_lost(onlooker) > 0)
        fprintf(stderr, "goldwire extcap: %llu packets are lacking: they came too fast\n",
                (unsigned long long)gw_onlooker_lost(onlooker));
    bool written = gw_onlooker_end(onlooker);
    if (look == GW_LOOK_REFUSED)
        return complain(run->name, why);
    if (unread || (look == GW_LOOK_NOTHING && !written))
        return GW_EXIT_OK;
    if (look != GW_LOOK_UNWRITTEN && written)
        return GW_EXIT_OK;
    (void)complain("the capture", strerror(code));
    return GW_EXIT_TOOL;
}

static int capture(const extcap_options *o)
{
    gw_running_entry run;
    if (o->filter != NULL && o->filter[0] != '\0')
        return complain(o->filter, "a run has no capture filters; a display filter does it");
    (void)signal(SIGPIPE, SIG_IGN);
    gw_stop_watch();
    if (!find_run(&run, o->interface))
        return complain(o->interface, "no such run: it has ended, or is another user's");
    int fd = open_fifo(o->fifo);
    FILE *file = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (file == NULL) {
        (void)complain(o->fifo, errno == ENXIO ? "nobody reads this pipe" : strerror(errno));
        if (fd >= 0)
            (void)close(fd);
        return GW_EXIT_TOOL;
    }
    int code = capture_to(file, &run);
    (void)fclose(file);
    return code;
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {options, parse, NULL, doc, NULL, NULL, NULL};
    extcap_options o = {.task = TASK_TELL};
    gw_verb_parse(&argp, argc, argv, &o);
    switch (o.task) {
    case TASK_INTERFACES:
        return list_interfaces();
    case TASK_DLTS:
        printf("dlt {number=1}{name=EN10MB}{display=Ethernet}\n");
        return GW_EXIT_OK;
    case TASK_CONFIG:
        return GW_EXIT_OK;
    case TASK_CAPTURE:
        return capture(&o);
    case TASK_INSTALL:
        return gw_extcap_install();
    case TASK_TELL:
        break;
    }
    if (o.filter == NULL)
        return tell_runs();
    /* Wireshark asks whether the filter is a good one: what is printed is why it is not. */
    if (o.filter[0] != '\0')
        printf("a run of goldwire has no capture filters; a display filter does it\n");
    return GW_EXIT_OK;
}

const gw_verb gw_verb_extcap = {"extcap", "let Wireshark look at a run that goes on", run};
