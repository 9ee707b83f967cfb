/* SPDX-License-Identifier: BSD-2-Clause */
/* goldwire doctor: is everything ready for a run? One line a finding, with what to do about it. */
#include <argp.h>
#include <inttypes.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include "cli/board_options.h"
#include "cli/certification.h"
#include "cli/verb.h"
#include "device/dut_raw.h"
#include "evidence/clean.h"
#include "goldwire/text.h"
#include "harness/floor.h"
#include "harness/raw.h"
#include "harness/socket.h"
#include "measure/budget.h"
#include "measure/machine.h"

#define CONNECT_NS (2 * GW_SECOND)

typedef enum finding_level {
    FINDING_OK = 0,
    FINDING_NOTE, /* works, but know this */
    FINDING_BAD,
} finding_level;

static const char *const level_names[] = {"ok", "note", "bad"};

typedef struct doctor {
    gw_certification c;
    json_t *list; /* for --json; otherwise NULL */
    bool any_bad;
    const char *way; /* of several that the file names, the one that is looked at; otherwise "" */
    gw_endpoint remotes[GW_TARGET_LINKS + GW_RUN_OTHERS]; /* that the links lead to */
    size_t num_remotes;
} doctor;

/* Tells one finding; |advice| says what to do, "" for nothing. */
GW_PRINTF(5, 6)
static void tell(doctor *d, finding_level level, const char *what, const char *advice,
                 const char *fmt, ...)
{
    char text[640];
    char clean[1024];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    (void)gw_clean(clean, sizeof(clean), text);
    d->any_bad = d->any_bad || level == FINDING_BAD;
    if (d->list != NULL) {
        json_array_append_new(d->list, json_pack("{s:s,s:s,s:s,s:s}", "level", level_names[level],
                                                 "what", what, "text", clean, "advice", advice));
        return;
    }
    printf("%-5s %-24s %s\n", level_names[level], what, clean);
    if (advice[0] != '\0')
        printf("      %-24s -> %s\n", "", advice);
}

static double us(int64_t time_ns)
{
    return (double)time_ns / 1000;
}

/* ---- the path ---- */

static int mtu_of(const char *name)
{
    struct ifreq request = {0};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return 0;
    (void)snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", name);
    bool ok = ioctl(fd, SIOCGIFMTU, &request) == 0;
    close(fd);
    return ok ? request.ifr_mtu : 0;
}

static void tell_arp(doctor *d, const gw_endpoint *remote)
{
    char hardware[64];
    if (remote->family != GW_FAMILY_IPV4 || remote->ip[0] == 127)
        return;
    FILE *table = fopen("/proc/net/arp", "re");
    if (table == NULL)
        return;
    gw_arp_entry found = gw_arp_find(table, remote->ip, hardware, sizeof(hardware));
    (void)fclose(table);
    if (found == GW_ARP_KNOWN)
        tell(d, FINDING_OK, "address", "", "the board's address belongs to %s", hardware);
    else if (found == GW_ARP_SILENT)
        tell(d, FINDING_BAD, "address",
             "is it powered, on this network, and is that really its address?",
             "nobody answers for the board's address (ARP)");
    else
        tell(d, FINDING_NOTE, "address", "",
             "the board is not in the ARP table: a router lies between");
}

/* The number of the link that |place| is about. */
static unsigned link_of(const doctor *d, const gw_dut_place *place)
{
    const gw_board *role = gw_board_by_role(d->c.suite->role);
    for (unsigned i = 0; role != NULL && role->links[i] != NULL; i++)
        if (strcmp(place->link, role->links[i]) == 0)
            return i;
    return 0;
}

/* Becomes a station on an interface as a run would, and asks for the board. */
static bool look_at_frames(doctor *d, const gw_dut_place *place)
{
    gw_url url;
    const char *what = place->link[0] != '\0' ? place->link : "link";
    unsigned link = link_of(d, place);
    char why[256] = "";
    char here[80];
    char there[80];
    bool unreachable;
    uint8_t mac[6];
    gw_transport *t = NULL;
    if (gw_url_parse(&url, place->url, why, sizeof(why)) &&
        gw_raw_place(&url, gw_board_by_role(d->c.suite->role), link, why, sizeof(why)))
        t = gw_transport_open(&url, CONNECT_NS, &unreachable, why, sizeof(why));
    if (t == NULL) {
        tell(d, FINDING_BAD, what, "", "%s", why);
        return false;
    }
    gw_text from = gw_text_over(here, sizeof(here));
    gw_text to = gw_text_over(there, sizeof(there));
    gw_text_endpoint(&from, &t->local);
    gw_text_endpoint(&to, &t->remote);
    bool down = gw_carrier_down(url.host, why, sizeof(why));
    if (down)
        tell(d, FINDING_BAD, what, "plug it in, or set the interface up", "%s", why);
    else
        tell(d, FINDING_OK, what, "", "%s -> %s in frames over %s, MTU %d", here, there, url.host,
             mtu_of(url.host));
    if (!down && gw_raw_find(t, mac))
        tell(d, FINDING_OK, "address", "",
             "the board's address belongs to %02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2],
             mac[3], mac[4], mac[5]);
    else if (!down)
        tell(d, FINDING_NOTE, "address",
             "is it powered, on this Ethernet, and is that really its address?",
             "nobody answers ARP requests for the board's address; it is spoken to by broadcast");
    gw_transport_close(t);
    return !down;
}

static void note_remote(doctor *d, const gw_endpoint *remote)
{
    for (size_t i = 0; i < d->num_remotes; i++) {
        const gw_endpoint *known = &d->remotes[i];
        if (known->family == remote->family &&
            memcmp(known->ip, remote->ip, sizeof(known->ip)) == 0)
            return;
    }
    d->remotes[d->num_remotes++] = *remote;
}

/* Opens a link as a run would, and says how it leads to the board. */
static bool look_at_link(doctor *d, const gw_dut_place *place)
{
    gw_url url;
    char why[256] = "";
    char here[80];
    char there[80];
    char name[IF_NAMESIZE] = "?";
    bool unreachable = false;
    const char *what = place->link[0] != '\0' ? place->link : "link";
    if (!gw_url_parse(&url, place->url, why, sizeof(why)))
        return false; /* told before */
    gw_address address;
    if (gw_resolve(&address, 1, url.host, url.port, SOCK_DGRAM, false, why, sizeof(why)) == 0) {
        tell(d, FINDING_BAD, what, "is the name right? a number needs no name service", "%s", why);
        return false;
    }
    if (gw_format_same_port(d->c.suite->format, d->c.dialect))
        gw_dut_own_address(&url, 0);
    gw_transport *t = gw_transport_open(&url, CONNECT_NS, &unreachable, why, sizeof(why));
    if (t == NULL && unreachable && d->c.o.hooks && gw_board_has_hooks(&d->c.board)) {
        tell(d, FINDING_NOTE, what, "", "%s, before any hook was run", why);
        return true;
    }
    if (t == NULL) {
        tell(d, FINDING_BAD, what,
             unreachable ? "is the board up, and is that its port?"
                         : "is the address ours, and the port free?",
             "%s", why);
        return false;
    }
    gw_text from = gw_text_over(here, sizeof(here));
    gw_text to = gw_text_over(there, sizeof(there));
    gw_text_endpoint(&from, &t->local);
    gw_text_endpoint(&to, &t->remote);
    (void)gw_carrier_interface(&t->local, name, sizeof(name));
    bool lost = gw_carrier_lost(&t->local, why, sizeof(why));
    if (lost)
        tell(d, FINDING_BAD, what, "plug it in, or set the interface up", "%s -> %s: %s", here,
             there, why);
    else
        tell(d, FINDING_OK, what, "", "%s -> %s over %s, MTU %d", here, there, name, mtu_of(name));
    if (!lost)
        note_remote(d, &t->remote);
    gw_transport_close(t);
    return !lost;
}

/* Whether the board is a core in a simulator; all of its links are ports there. */
static bool is_simulated(const doctor *d)
{
    return gw_dut_target(d->c.dut)->sim != NULL;
}

/* Links that both ends use one port on are opened by the run itself, from an address of its own,
 * and ports of a simulation by whoever has started the simulator. */
static bool is_plain(const doctor *d, const gw_dut_place *place)
{
    const gw_board *role = gw_board_by_role(d->c.suite->role);
    if (strncmp(place->url, "peer:", 5) == 0 || d->c.suite->calls_us || is_simulated(d))
        return false;
    for (unsigned i = 0; role != NULL && i < gw_board_num_links(role); i++)
        if ((role->same_port_links >> i & 1) != 0 &&
            strcmp(place->link[0] != '\0' ? place->link : role->links[0], role->links[i]) == 0)
            return false;
    return true;
}

static bool look_at_place(doctor *d, const gw_dut_place *place)
{
    if (strncmp(place->url, "raw:", 4) == 0 && !d->c.suite->calls_us)
        return look_at_frames(d, place);
    if (is_plain(d, place))
        return look_at_link(d, place);
    tell(d, FINDING_OK, place->link[0] != '\0' ? place->link : "link", "", "%s",
         d->c.suite->calls_us ? gw_dut_where(d->c.dut) : place->url);
    return true;
}

/* A simulated board's waits are the core's, told in cycles of its clock. */
static void look_at_pace(doctor *d)
{
    const gw_target *target = gw_dut_target(d->c.dut);
    const gw_board_pace *pace = &d->c.board.pace;
    bool told = pace->clock_hz != 0 && pace->answer_cycles != 0 && pace->settle_cycles != 0;
    tell(d, told ? FINDING_OK : FINDING_NOTE, "simulation",
         told ? "" : "say clock_hz, answer_cycles and settle_cycles in the board file",
         "%s%.3f MHz; an answer may take %.3f us (%" PRIu64
         " cycles), silence counts after %.3f us "
         "(%" PRIu64 ")",
         told ? "" : "not described, so this is assumed: ", (double)target->clock_hz / 1e6,
         us(target->reply_ns), gw_target_cycle(target, target->reply_ns), us(target->settle_ns),
         gw_target_cycle(target, target->settle_ns));
}

static bool look_at_links(doctor *d)
{
    bool ok = true;
    if (is_simulated(d))
        look_at_pace(d);
    for (size_t i = 0; i < d->c.num_places; i++)
        ok = look_at_place(d, &d->c.places[i]) && ok;
    return ok;
}

/* ---- the board ---- */

static void look_at_claim(doctor *d, const gw_claim_check *check)
{
    char what[64];
    char said[48];
    char seen[48];
    (void)snprintf(what, sizeof(what), "%s%sclaim %s", d->way, d->way[0] != '\0' ? " " : "",
                   check->field->name);
    (void)gw_claim_text(check->field, check->claimed, said, sizeof(said));
    (void)gw_claim_text(check->field, check->shown, seen, sizeof(seen));
    switch ((gw_claim_verdict)check->verdict) {
    case GW_CLAIM_UNSEEN:
        if (check->claimed == 0 && check->shown == 0)
            return;
        tell(d, FINDING_OK, what, "",
             check->claimed != 0 ? "%s claimed; no probe shows it"
                                 : "%s shown; the file does not say",
             check->claimed != 0 ? said : seen);
        return;
    case GW_CLAIM_AGREES:
        tell(d, FINDING_OK, what, "", "%s, as the board shows", said);
        return;
    case GW_CLAIM_OVER:
        tell(d, FINDING_BAD, what, "mend the board, or claim what it has", "%s claimed, %s shown",
             said, seen);
        return;
    case GW_CLAIM_UNDER:
        tell(d, FINDING_NOTE, what, "claim it as well, or it is not tested", "%s claimed, %s shown",
             said, seen);
        return;
    case GW_CLAIM_CONTRADICTS:
        tell(d, FINDING_BAD, what, "this is another board: check `where', or the file",
             "%s claimed, %s shown", said, seen);
        return;
    }
}

static int look_at_board(doctor *d, gw_dut *dut)
{
    gw_run run;
    char why[512] = "";
    char what[32];
    (void)snprintf(what, sizeof(what), "%s%sprobe", d->way, d->way[0] != '\0' ? " " : "");
    gw_run_setup setup = {.suite = d->c.suite,
                          .board = &d->c.board,
                          .dialect = d->c.dialect,
                          .target = gw_dut_target(dut),
                          .hooks = d->c.o.hooks,
                          .seed = 1};
    setup.first_ns = gw_certification_first_ns(&d->c);
    if (d->c.suite->calls_us)
        fprintf(stderr, "waiting for the board at %s\n", gw_dut_where(d->c.dut));
    if (!gw_run_cases(&run, &setup, why, sizeof(why))) {
        fprintf(stderr, "goldwire doctor: %s\n", why);
        return GW_EXIT_TOOL;
    }
    int code = GW_EXIT_OK;
    if (!run.answered) {
        tell(d, FINDING_BAD, what,
             run.late ? "give it the time that it takes"
                      : "is the board powered and programmed? does a firewall drop its answers?",
             "%s", run.preflight);
        code = run.misfit[0] != '\0' ? GW_EXIT_USAGE : GW_EXIT_INCONC;
    } else if (run.unserved[0] != '\0') {
        tell(d, FINDING_BAD, what,
             "is what it reads there? is its bus stuck? the areas of the board file say where",
             "%s", run.preflight);
    } else {
        tell(d, FINDING_OK, what, "", "%s%s%s", run.preflight, run.identity[0] != '\0' ? "; " : "",
             run.identity);
    }
    for (size_t i = 0; i < run.num_claims; i++)
        look_at_claim(d, &run.claims[i]);
    if (run.contradicted)
        code = GW_EXIT_USAGE;
    else if (run.counts.over_claims > 0)
        code = GW_EXIT_FAIL;
    gw_run_free(&run);
    return code;
}

/* Every way that the file names is tried, whatever became of the others; the first that is not
 * ready gives the exit code. */
static int look_at_ways(doctor *d)
{
    int code = GW_EXIT_OK;
    for (size_t i = 0; i < d->c.num_ways; i++) {
        gw_dut *dut = i == 0 ? d->c.dut : d->c.others[i - 1];
        d->way = d->c.ways[i].link;
        int one = look_at_place(d, &d->c.ways[i]) ? look_at_board(d, dut) : GW_EXIT_INCONC;
        code = code != GW_EXIT_OK ? code : one;
    }
    return code;
}

/* ---- this machine ---- */

static void look_at_floor(doctor *d)
{
    char why[128];
    gw_floor floor;
    if (!gw_floor_measure(&floor, true, why, sizeof(why))) {
        tell(d, FINDING_BAD, "jitter floor", "does a firewall stop loopback traffic?", "%s", why);
        return;
    }
    tell(
        d, FINDING_OK, "jitter floor", "",
        "up to %.1f us of a response time are goldwire's own; loopback trip %.1f us (median), %.1f "
        "us (99 %%), %.1f us (worst of %u); woken up to %.0f us late",
        us(floor.own_ns), us(floor.trip_median_ns), us(floor.trip_p99_ns), us(floor.trip_max_ns),
        floor.num, us(floor.wake_max_ns));
    int64_t claimed = (int64_t)d->c.board.claims.response_us * 1000;
    if (claimed > 0 && !gw_budget_measurable(gw_budget(claimed), floor.own_ns))
        tell(d, FINDING_NOTE, "response time",
             "measure on a quieter machine, or one nearer to the board",
             "this machine cannot judge the %" PRIu32 " us that the board claims",
             d->c.board.claims.response_us);
}

static void look_at_host(doctor *d)
{
    char text[256] = "";
    bool fine = gw_clock_describe(text, sizeof(text));
    tell(d, fine ? FINDING_OK : FINDING_NOTE, "clock",
         fine ? "" : "run chrony or ntpd, so that the times of two captures can be compared", "%s",
         text);
    if (is_simulated(d))
        tell(d, FINDING_OK, "jitter floor", "",
             "none: response times are of the simulation's own time");
    else
        look_at_floor(d);
}

static void look_at_file(doctor *d)
{
    const gw_board_file *b = &d->c.board;
    if (d->c.o.board_path == NULL && gw_dut_peer(d->c.dut) != NULL) {
        tell(d, FINDING_OK, "board file", "", "none is needed for goldwire's own board");
        return;
    }
    if (d->c.o.board_path == NULL) {
        tell(d, FINDING_NOTE, "board file",
             "write one: goldwire writes only inside the areas that it declares",
             "none; a board that is not goldwire's own gets cases that only read");
        return;
    }
    tell(d, FINDING_OK, "board file", "", "%s: %s%s%s%s%s", d->c.suite->role,
         b->make[0] != '\0' ? b->make : "(no make)", b->serial[0] != '\0' ? " " : "", b->serial,
         b->firmware[0] != '\0' ? " " : "", b->firmware);
    if (b->num_areas == 0 && gw_board_by_role(d->c.suite->role)->file->num_areas > 0)
        tell(d, FINDING_NOTE, "areas", "declare a ram area, so that cases that write can run",
             "none is declared");
    int64_t now = gw_clock_ns(CLOCK_REALTIME);
    for (size_t i = 0; i < b->num_waivers; i++)
        if (now >= b->waivers[i].ends_ns)
            tell(d, FINDING_NOTE, "waiver", "mend the board, or waive it anew",
                 "the waiver for %s has expired on %s (%s)", b->waivers[i].which,
                 b->waivers[i].expires, b->waivers[i].owner);
}

static int examine(doctor *d)
{
    int code = gw_certification_describe(&d->c);
    if (code == GW_EXIT_OK)
        code = gw_certification_reach(&d->c);
    if (code != GW_EXIT_OK)
        return code;
    look_at_file(d);
    if (d->c.num_ways > 0) {
        code = look_at_ways(d);
    } else if (look_at_links(d)) {
        code = look_at_board(d, d->c.dut);
    } else {
        code = GW_EXIT_INCONC;
        d->num_remotes = 0; /* nobody asked for them */
    }
    /* By now the board's address has been asked for. */
    for (size_t i = 0; i < d->num_remotes; i++)
        tell_arp(d, &d->remotes[i]);
    look_at_host(d);
    return code == GW_EXIT_OK && d->any_bad ? GW_EXIT_INCONC : code;
}

/* ---- the verb ---- */

static const char doc[] =
    "Look whether everything is ready for a run.\v"
    "Links, address resolution, the probe, the board file's claims beside what the board shows, "
    "this "
    "machine's clock and how steady it keeps time. The board is asked what certify asks it before "
    "the first case.\n\n"
    "Exit codes: 0 ready, 1 the board does not live up to a claim, 2 the call or the board file is "
    "wrong, or it describes another board, 3 the board does not answer, or probes alone, or later "
    "than it is waited for, 4 goldwire failed.";

static const struct argp_option options[] = {
    {"dut", GW_OPTION_DUT, "[LINK=]URL", 0, "where the board is, as for certify", 0},
    {"serve", GW_OPTION_SERVE, "URL", 0, "where we wait for a board that calls us", 0},
    {"role", 'r', "ROLE", 0, "what the board is", 0},
    {"dialect", GW_OPTION_DIALECT, "D", 0, "how the board departs from the document", 0},
    {"hooks", GW_OPTION_HOOKS, 0, 0, "run the board file's hooks, as for certify", 0},
    {"patience", GW_OPTION_PATIENCE, "N", 0, "wait N times as long as usual, as for certify", 0},
    {"wait", GW_OPTION_WAIT, "SECONDS", 0, "for a board that calls us, 60 by default", 0},
    {"json", 'j', 0, 0, "print the findings as a JSON list", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    gw_certify_options *o = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (o->board_path != NULL)
            argp_error(state, "one board file at the most");
        o->board_path = arg;
        return 0;
    default:
        return gw_board_option(o, key, arg, state);
    }
}

static int run(int argc, char **argv)
{
    static const struct argp argp = {options, parse, "[BOARD.yaml]", doc, NULL, NULL, NULL};
    doctor d = {.c = {.verb = "doctor"}, .way = ""};
    gw_verb_parse(&argp, argc, argv, &d.c.o);
    d.list = d.c.o.json ? json_array() : NULL;
    int code = examine(&d);
    if (d.list != NULL) {
        json_dumpf(d.list, stdout, JSON_INDENT(1));
        printf("\n");
        json_decref(d.list);
    }
    gw_certification_close(&d.c);
    return code;
}

const gw_verb gw_verb_doctor = {"doctor", "look whether everything is ready for a run", run};
