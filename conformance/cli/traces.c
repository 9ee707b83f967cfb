/* SPDX-License-Identifier: BSD-2-Clause */
/* Traces as cases: who is who in them, over which links they can be said, and whether they may. */
#include "cli/traces.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/verb.h"
#include "inspect/endpoint.h"

/* Reads if:NUMBER, an interface of a link capture. */
static bool read_interface(const char *text, gw_endpoint *end)
{
    char *rest;
    if (strncmp(text, "if:", 3) != 0 || text[3] < '0' || text[3] > '9')
        return false;
    unsigned long number = strtoul(text + 3, &rest, 10);
    *end = gw_trace_port((uint32_t)number, false);
    return *rest == '\0' && number < INT16_MAX;
}

/* Reads NAME=HOST:PORT: where in the traces a link is. */
static int add_trace_link(const gw_certification *c, gw_trace_wish *wish, const char *text)
{
    size_t len = strcspn(text, "=");
    unsigned num = gw_board_num_links(wish->role);
    gw_trace_place *place = &wish->places[wish->num_places++];
    for (place->link = 0; place->link < num; place->link++) {
        const char *link = wish->role->links[place->link];
        if (strlen(link) == len && strncmp(link, text, len) == 0)
            break;
    }
    if (place->link == num)
        return gw_certification_complain(c, "--link %s: the role %s has no such link", text,
                                         c->suite->role);
    if (text[len] == '=' && read_interface(text + len + 1, &place->end))
        return GW_EXIT_OK;
    if (text[len] != '=' || !gw_endpoint_parse(&place->end, text + len + 1))
        return gw_certification_complain(
            c,
            "--link %s: give NAME=HOST:PORT, as in the trace, or NAME=if:NUMBER for an "
            "interface of a link capture",
            text);
    return GW_EXIT_OK;
}

/* Whether everything that the trace says can be said over the links there are. */
static int check_lines(const gw_certification *c, const gw_trace *trace)
{
    const gw_target *target = gw_dut_target(c->dut);
    for (uint32_t i = 0; i < trace->num_lines; i++) {
        const gw_trace_line *line = &trace->lines[i];
        const gw_target_link *link = &target->links[line->link];
        if (!link->present)
            return gw_certification_complain(
                c, "%s speaks to the board's link %s: give --dut %s=URL as well", trace->path,
                link->name, link->name);
        if (link->stream != line->is_stream)
            return gw_certification_complain(
                c, "%s holds %s, but the board is reached over %s: give a %s URL%s", trace->path,
                line->is_stream ? "TCP connections" : "UDP datagrams", link->stream ? "TCP" : "UDP",
                line->is_stream ? "tcp:" : "udp:",
                line->is_stream ? ", or peer:ROLE?over=tcp" : "");
    }
    return GW_EXIT_OK;
}

static int select_replay(gw_certification *c, gw_replay *replay)
{
    const gw_case *one = gw_replay_case(replay);
    for (size_t i = 0; i < c->num_replays; i++) {
        if (strcmp(gw_replay_case(c->replays[i])->id, one->id) == 0) {
            gw_certification_complain(c, "two traces would be called %s: rename one", one->id);
            gw_replay_free(replay);
            return GW_EXIT_USAGE;
        }
    }
    const gw_case **cases =
        realloc(c->selection.cases, (c->selection.num + 1) * sizeof(const gw_case *));
    if (cases == NULL) {
        gw_certification_complain(c, "out of memory");
        gw_replay_free(replay);
        return GW_EXIT_TOOL;
    }
    cases[c->selection.num++] = one;
    c->selection.cases = cases;
    c->replays[c->num_replays++] = replay;
    return GW_EXIT_OK;
}

static int load_trace(gw_certification *c, const char *path, const gw_trace_wish *wish)
{
    char why[512] = "";
    if (c->o.out_dir != NULL &&
        !gw_kept_digest(c->kept[c->num_replays].sha256, path, why, sizeof(why)))
        return gw_certification_complain(c, "%s", why);
    gw_trace *trace = gw_trace_load(path, wish, why, sizeof(why));
    if (trace == NULL)
        return gw_certification_complain(c, "%s", why);
    /* Our own boards come to no harm; what a board file says is kept to all the same. */
    bool ours = gw_dut_peer(c->dut) != NULL && c->o.board_path == NULL;
    int code = check_lines(c, trace);
    if (code == GW_EXIT_OK &&
        !gw_trace_fit(trace, wish->role, &c->board, c->o.any_address, why, sizeof(why)))
        code = gw_certification_complain(c, "%s", why);
    if (code == GW_EXIT_OK &&
        !gw_replay_mode_fits(trace, wish->role, c->hooks.replay.mode, why, sizeof(why)))
        code = gw_certification_complain(c, "%s", why);
    if (code == GW_EXIT_OK && !ours && !c->o.any_address &&
        !gw_trace_may(trace, wish->role, &c->board, why, sizeof(why)))
        code = gw_certification_complain(c, "%s", why);
    if (code != GW_EXIT_OK) {
        gw_trace_free(trace);
        return code;
    }
    gw_replay_options options = c->hooks.replay;
    options.guarded = ours || c->o.any_address ? NULL : wish->role;
    gw_replay *replay = gw_replay_new(trace, &options);
    if (replay != NULL)
        return select_replay(c, replay);
    gw_certification_complain(c, "out of memory");
    return GW_EXIT_TOOL;
}

static int choose_proto(const gw_certification *c, gw_trace_wish *wish)
{
    char why[256] = "";
    if (c->o.trace_proto == NULL ||
        gw_trace_proto(&wish->proto, c->o.trace_proto, why, sizeof(why)))
        return GW_EXIT_OK;
    return gw_certification_complain(c, "--proto: %s", why);
}

int gw_traces_load(gw_certification *c)
{
    gw_trace_wish wish = {.role = gw_board_by_role(c->suite->role), .dialect = c->dialect};
    int code = GW_EXIT_OK;
    if (c->o.trace_board != NULL && !gw_endpoint_parse(&wish.board, c->o.trace_board))
        return gw_certification_complain(c, "--board %s: give HOST or HOST:PORT, as in the trace",
                                         c->o.trace_board);
    code = choose_proto(c, &wish);
    for (size_t i = 0; i < c->o.num_trace_links && code == GW_EXIT_OK; i++)
        code = add_trace_link(c, &wish, c->o.trace_links[i]);
    for (size_t i = 0; i < c->o.num_traces && code == GW_EXIT_OK; i++)
        code = load_trace(c, c->o.traces[i], &wish);
    return code;
}

int gw_traces_keep(gw_certification *c)
{
    char why[512] = "";
    for (size_t i = 0; c->o.out_dir != NULL && i < c->num_replays; i++) {
        char digest[GW_DIGEST_TEXT];
        memcpy(digest, c->kept[i].sha256, sizeof(digest));
        if (!gw_kept_copy(&c->kept[i], c->into, gw_replay_case(c->replays[i]), c->o.traces[i],
                          digest, why, sizeof(why)))
            return gw_certification_complain(c, "--out: %s", why);
    }
    return GW_EXIT_OK;
}
