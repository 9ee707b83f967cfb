/* SPDX-License-Identifier: BSD-2-Clause */
/* Several captures as one, in the order of time: of each the next frame is held. */
#include "merge.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "reader.h"

#define INTERFACE_BITS 24 /* of a file's own interfaces; above them stands the file */

struct tap {
    gw_capture *capture;
    const char *path;
    int64_t shift_ns;
    bool held; /* |frame| is the next one */
    bool over;
    gw_frame frame;
};

struct merge_state {
    gw_taps_seen *seen;
    size_t num;
    struct tap taps[GW_CAPTURE_TAPS];
    unsigned broken; /* taps that broke off; the others went on */
    char error[312]; /* of the first of them */
};

/* Remembers that |t| breaks off: what the others saw is whole without it. */
static void break_off(struct merge_state *s, const struct tap *t)
{
    if (s->broken++ == 0)
        (void)snprintf(s->error, sizeof(s->error), "%.80s: %.220s", t->path,
                       gw_capture_error(t->capture));
}

/* Reads on where nothing is held. */
static void hold(struct merge_state *s)
{
    for (size_t i = 0; i < s->num; i++) {
        struct tap *t = &s->taps[i];
        if (t->held || t->over)
            continue;
        const gw_capture_status status = gw_capture_next(t->capture, &t->frame);
        if (status == GW_CAPTURE_BROKEN)
            break_off(s, t);
        t->held = status == GW_CAPTURE_FRAME;
        t->over = !t->held;
        if (__builtin_add_overflow(t->frame.time_ns, t->shift_ns, &t->frame.time_ns))
            t->frame.time_ns = t->shift_ns > 0 ? INT64_MAX : INT64_MIN;
        t->frame.interface |= (uint32_t)i << INTERFACE_BITS;
    }
}

/* How it ends when all taps are at their ends. */
static gw_capture_status end(gw_capture *capture, const struct merge_state *s)
{
    if (s->broken == 0)
        return GW_CAPTURE_END;
    if (s->broken == 1)
        (void)snprintf(capture->error, sizeof(capture->error), "%s", s->error);
    else
        (void)snprintf(capture->error, sizeof(capture->error), "%.290s (and %u more)", s->error,
                       s->broken - 1);
    return GW_CAPTURE_BROKEN;
}

/* The tap whose frame is the oldest; NULL when all are at their ends. */
static struct tap *oldest(struct merge_state *s)
{
    struct tap *found = NULL;

    for (size_t i = 0; i < s->num; i++) {
        struct tap *t = &s->taps[i];
        if (t->held && (found == NULL || t->frame.time_ns < found->frame.time_ns))
            found = t;
    }
    return found;
}

static gw_capture_status next_merged(gw_capture *capture, gw_frame *frame)
{
    struct merge_state *s = capture->state;
    const uint64_t number = frame->number;

    for (;;) {
        hold(s);
        struct tap *t = oldest(s);
        if (t == NULL)
            return end(capture, s);
        t->held = false;
        *frame = t->frame;
        frame->number = number;
        if (!gw_taps_seen_again(s->seen, frame, (unsigned)(t - s->taps)))
            return GW_CAPTURE_FRAME;
        capture->repeated++;
    }
}

static void close_merged(gw_capture *capture)
{
    struct merge_state *s = capture->state;

    for (size_t i = 0; s != NULL && i < s->num; i++)
        gw_capture_close(s->taps[i].capture);
    if (s != NULL)
        gw_taps_seen_free(s->seen);
    free(s);
}

static const gw_reader reader_merged = {
    .type = "merged",
    .next = next_merged,
    .close = close_merged,
};

/* Whether |path| is a file that can be read from its beginning once more. */
static bool twice(const char *path, char *why, size_t cap)
{
    struct stat st;

    if (strcmp(path, "-") != 0 && (stat(path, &st) != 0 || S_ISREG(st.st_mode)))
        return true; /* what cannot be read is told when it is opened */
    (void)snprintf(why, cap, "%s: to be merged it is read twice, which only a file can be",
                   strcmp(path, "-") == 0 ? "standard input" : path);
    return false;
}

/* Compares the clock of |path| with that of |first|. */
static bool compare(const char *first, const char *path, gw_capture_shift *out, char *why,
                    size_t cap)
{
    gw_capture *a = gw_capture_open(first, why, cap);
    gw_capture *b = a != NULL ? gw_capture_open(path, why, cap) : NULL;
    bool ok = b != NULL;

    if (ok && !gw_taps_shift(a, b, out)) {
        (void)snprintf(why, cap, "%s: out of memory", path);
        ok = false;
    }
    gw_capture_close(a);
    gw_capture_close(b);
    return ok;
}

static bool open_taps(struct merge_state *s, char *const *paths, size_t num,
                      gw_capture_shift *shifts, char *why, size_t cap)
{
    for (size_t i = 0; i < num; i++) {
        struct tap *t = &s->taps[i];
        shifts[i] = (gw_capture_shift){0};
        if (!twice(paths[i], why, cap) ||
            (i > 0 && !compare(paths[0], paths[i], &shifts[i], why, cap)))
            return false;
        t->path = paths[i];
        t->shift_ns = shifts[i].shift_ns;
        t->capture = gw_capture_open(paths[i], why, cap);
        if (t->capture == NULL)
            return false;
        s->num++;
    }
    return true;
}

gw_capture *gw_capture_merge(char *const *paths, size_t num, gw_capture_shift *shifts, char *why,
                             size_t why_cap)
{
    gw_capture *capture = calloc(1, sizeof(*capture));
    struct merge_state *s = calloc(1, sizeof(*s));

    if (s != NULL)
        s->seen = gw_taps_seen_new();
    if (capture == NULL || s == NULL || s->seen == NULL) {
        (void)snprintf(why, why_cap, "%s: out of memory", paths[0]);
        if (s != NULL)
            gw_taps_seen_free(s->seen);
        free(s);
        free(capture);
        return NULL;
    }
    capture->reader = &reader_merged;
    capture->state = s;
    if (open_taps(s, paths, num, shifts, why, why_cap))
        return capture;
    gw_capture_close(capture);
    return NULL;
}
