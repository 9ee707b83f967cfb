/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of a trace while it is being made. */
#include "replay/recording.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "replay/trace.h"

void gw_recording_title(char *out, size_t cap, const gw_case *one, const gw_suite *suite,
                        const gw_board_file *board)
{
    gw_text text = gw_text_over(out, cap);
    gw_text_str(&text, "case ");
    gw_text_str(&text, one->id);
    gw_text_str(&text, "\n");
    gw_text_str(&text, one->title);
    gw_text_str(&text, "\nrole ");
    gw_text_str(&text, suite->role);
    if (board != NULL)
        gw_recorded_tell(&text, board);
}

/* Writes |evidence| as a trace of its own. */
static bool store(char *path, const gw_evidence *evidence, const char *title)
{
    int fd = mkstemp(path);
    FILE *file = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (file == NULL && fd >= 0) {
        (void)close(fd);
        (void)unlink(path);
    }
    if (file == NULL)
        return false;
    bool ok = gw_evidence_write(evidence, file, title);
    ok = fclose(file) == 0 && ok;
    if (!ok)
        (void)unlink(path);
    return ok;
}

/* Without the file's name, which is gone by then. */
static void say(char *out, size_t cap, const char *path, const char *why)
{
    size_t len = strlen(path);
    if (strncmp(why, path, len) == 0 && strncmp(why + len, ": ", 2) == 0)
        why += len + 2;
    (void)snprintf(out, cap, "%s", why);
}

bool gw_recording_goes(const gw_evidence *evidence, const gw_target *target, char *why,
                       size_t why_cap)
{
    bool usual = target->links[0].stream;
    for (size_t i = 0; i < evidence->num_packets; i++) {
        /* A board with several links has one way to each. */
        if (target->num_links > 1 || evidence->packets[i].stream == usual)
            continue;
        (void)snprintf(why, why_cap, "it goes over %s, and a replay over %s alone",
                       usual ? "UDP" : "TCP", usual ? "TCP" : "UDP");
        return false;
    }
    return true;
}

bool gw_recording_may(const gw_case *one, const gw_evidence *evidence, const gw_suite *suite,
                      const gw_dialect *dialect, const gw_board_file *board, const char *folder,
                      char *why, size_t why_cap)
{
    if (gw_case_needs(one, GW_NEEDS_RAW)) {
        (void)snprintf(why, why_cap, "it is about Ethernet frames, and a replay sends messages");
        return false;
    }
    char path[4096];
    char reason[512] = "";
    gw_trace_wish wish = {.role = gw_board_by_role(suite->role), .dialect = dialect};
    (void)snprintf(path, sizeof(path), "%s/.goldwire-part-XXXXXX", folder);
    if (!store(path, evidence, "")) {
        (void)snprintf(why, why_cap, "%s: %s", folder, strerror(errno));
        return false;
    }
    gw_trace *trace = gw_trace_load(path, &wish, reason, sizeof(reason));
    bool may = trace != NULL && gw_trace_may(trace, wish.role, board, reason, sizeof(reason)) &&
               gw_trace_whole(trace, reason, sizeof(reason));
    gw_trace_free(trace);
    (void)unlink(path);
    say(why, why_cap, path, reason);
    return may;
}
