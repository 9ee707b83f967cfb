/* SPDX-License-Identifier: BSD-2-Clause */
/* The messages of an input, as a capture that `goldwire decode' and Wireshark read. */
#include <stdlib.h>
#include <string.h>

#include "crash/crash.h"
#include "crash/sequences.h"
#include "goldwire/cursor.h"
#include "inspect/framer.h"
#include "run/store.h"

/* A capture being written. */
typedef struct writing {
    const gw_fuzz_layout *layout;
    const gw_format *format; /* NULL: each piece has its own */
    const uint8_t *head;
    gw_framer *framer;
    gw_assembled *assembled;
    size_t messages;
    size_t refused; /* that fit no frame */
    bool failed;
} writing;

/* How a bare message is captured. */
static uint16_t link_of(const gw_format *format, const gw_message *m)
{
    for (size_t i = 0; i < format->num_links; i++)
        if (format->links[i].part == m->part)
            return format->links[i].link_type;
    return 0;
}

static void put(writing *w, uint8_t choice, const uint8_t *bytes, size_t len)
{
    char why[256];
    gw_assembled *a = w->assembled;
    gw_message m = gw_fuzz_any_message(w->layout, w->head, choice, bytes, len);
    const gw_format *format = w->format;
    if (format == NULL)
        format = gw_fuzz_any_format(w->layout, w->head, choice);
    if (format == NULL || len > sizeof(a->bytes)) {
        w->refused++;
        return;
    }
    memset(a, 0, offsetof(gw_assembled, bytes));
    memset(a->bytes, 0, sizeof(a->bytes));
    if (len > 0)
        memcpy(a->bytes, bytes, len);
    a->format = format;
    a->message = m;
    a->message.data = a->bytes;
    if (a->format->infiniband)
        a->message.transport = GW_OVER_UDP;
    if (a->message.transport == GW_OVER_NOTHING)
        a->message.link_type = link_of(a->format, &m);
    a->message.frame = w->messages + 1;
    a->message.num_frames = 1;
    a->message.frames[0] = w->messages + 1;
    switch (gw_framer_add(w->framer, a, why, sizeof(why))) {
    case GW_FRAMER_OK:
        w->messages++;
        return;
    case GW_FRAMER_REFUSED:
        w->refused++;
        return;
    case GW_FRAMER_FAILED:
        w->failed = true;
    }
}

/* Pieces as fuzz/fuzz.h has them: one byte of choice, two of length, the bytes. */
static void put_pieces(writing *w, gw_cursor *c)
{
    uint8_t choice;
    uint16_t len;
    gw_cursor piece;
    while (!w->failed && gw_cursor_u8(c, &choice) && gw_cursor_be16(c, &len)) {
        if (len > gw_cursor_left(c))
            len = (uint16_t)gw_cursor_left(c);
        if (!gw_cursor_sub(c, &piece, len))
            return;
        put(w, choice, piece.p, len);
    }
}

static bool write_all(writing *w, gw_pcapng_writer *out, const uint8_t *input, size_t len)
{
    size_t head = w->layout->head;
    w->assembled = malloc(sizeof(*w->assembled));
    w->framer = gw_framer_new(out);
    w->failed = w->assembled == NULL || w->framer == NULL;
    w->head = input;
    if (!w->failed && w->layout->sequence) {
        gw_cursor c = gw_cursor_over(input + head, len - head);
        put_pieces(w, &c);
    } else if (!w->failed) {
        put(w, 0, input + head, len - head);
    }
    if (!w->failed)
        w->failed = gw_framer_end(w->framer) != GW_FRAMER_OK;
    gw_framer_free(w->framer);
    free(w->assembled);
    return !w->failed;
}

bool gw_crash_capture(const char *target, const uint8_t *input, size_t len, const char *dir,
                      const char *name, size_t *messages, char *why, size_t why_cap)
{
    writing w = {.layout = gw_fuzz_layout_of(target)};
    *messages = 0;
    if (w.layout == NULL || len < w.layout->head)
        return true;
    if (w.layout->format != NULL)
        w.format = gw_format_by_name(w.layout->format);
    FILE *file = gw_store_open(dir, name, why, why_cap);
    if (file == NULL)
        return false;
    gw_pcapng_writer *out = gw_pcapng_create(file, "goldwire " GW_VERSION);
    bool ok = out != NULL && write_all(&w, out, input, len);
    ok = (out == NULL || gw_pcapng_close(out)) && ok;
    if (!gw_store_keep(file, dir, name, why, why_cap) || !ok) {
        (void)snprintf(why, why_cap, "cannot write %s", name);
        gw_store_remove(dir, name);
        return false;
    }
    if (w.messages == 0)
        gw_store_remove(dir, name);
    *messages = w.messages;
    return true;
}
