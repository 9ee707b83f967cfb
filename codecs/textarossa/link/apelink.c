/* SPDX-License-Identifier: BSD-2-Clause */
/* APElink as a stream of beats (sim). There is no length on the link: where a packet ends follows
 * from its header, so the receiver's states are followed, not more. */
#include "textarossa/link/apelink.h"

#include <string.h>

#include "goldwire/cursor.h"
#include "textarossa/internal.h"

#define RUN_MAX 65536 /* bytes of one message; a longer run is handed over as it is */
#define CAPTURE_VERSION 1

/* What precedes a captured run, by byte. */
enum {
    CAPTURE_VERSION_AT,
    CAPTURE_SENT_AT,
    CAPTURE_WIDTH_AT,
    CAPTURE_ZERO_AT,
    CAPTURE_HEADER,
};

/* Where a beat stands (register codes: idle, START, header, data, footer). */
typedef enum place {
    IDLE = 0,
    AFTER_MAGIC,
    HEADER,
    DATA,
    FOOTER,
    LOST, /* bytes are missing: anywhere, until MAGIC and START */
} place;

typedef struct way {
    uint64_t frames[GW_MESSAGE_FRAMES];
    gw_message last; /* segment that brought bytes, without them */
    uint32_t num_frames;
    uint32_t beats; /* bytes in |bytes| of whole beats that were looked at; one more has room ... */
    uint32_t rest;  /* ... of which so many bytes lie behind them */
    uint32_t left;  /* payload beats to come */
    uint32_t skip;  /* bytes to come of a beat whose beginning is missing */
    uint8_t place;
    bool stuffed;  /* a MAGIC came where it is not a word: the next beat is a credit */
    bool credits;  /* the newest credit had its check byte */
    bool headers;  /* a header with its check byte has come */
    uint8_t width; /* of a beat when it is not 16; 0 otherwise */
    uint8_t bytes[RUN_MAX];
} way;

typedef struct state {
    const gw_tx_dialect *dialect;
    way ways[2];
} state;

static void init(void *memory, const gw_dialect *dialect)
{
    state *s = memory;

    for (unsigned i = 0; i < GW_ARRAY_LEN(s->ways); i++)
        memset(&s->ways[i], 0, offsetof(way, bytes));
    s->dialect = gw_tx_dialect_of(dialect);
    if (s->dialect->word_bytes != GW_TX_WORD)
        s->ways[0].width = s->ways[1].width = s->dialect->word_bytes;
}

static void note_frame(way *w, const gw_message *segment)
{
    uint32_t num = w->num_frames;
    bool known = num > 0 && w->last.frame == segment->frame;

    w->last = gw_message_kept(segment);
    if (known)
        return;
    if (num < GW_MESSAGE_FRAMES)
        w->frames[num] = segment->frame;
    w->num_frames = num + 1;
}

/* Headers and credits are protected each for themselves (rtl, LINK_0_CONFIG_0), and either may be
 * switched while beats go by. */
static bool edac_is_on(const way *w)
{
    return w->headers && w->credits;
}

/* Hands over the first |len| bytes as |part|, which |missing| bytes follow that were not
 * captured. */
static void tell(way *w, uint32_t len, uint32_t missing, uint8_t part, const gw_message *segment,
                 gw_message_fn fn, void *ctx)
{
    gw_message m = *segment;

    m.data = w->bytes;
    m.cap_len = len;
    m.len = len + missing;
    m.part = part;
    m.part_arg = (edac_is_on(w) ? GW_TX_ARG_EDAC : 0) | w->width;
    memcpy(m.frames, w->frames, sizeof m.frames);
    m.num_frames = w->num_frames;
    fn(ctx, &m);
    w->num_frames = 0;
}

/* Hands over the beats that were looked at, but for the last |keep| bytes: these and what is there
 * of the next beat stay. */
static void deliver(way *w, uint32_t keep, uint8_t part, const gw_message *segment,
                    gw_message_fn fn, void *ctx)
{
    uint32_t stays = keep + w->rest;

    if (w->beats <= keep)
        return;
    tell(w, w->beats - keep, 0, part, segment, fn, ctx);
    memmove(w->bytes, w->bytes + w->beats - keep, stays);
    w->beats = keep;
    if (stays > 0)
        note_frame(w, segment);
}

/* The beat behind those that were looked at is one of them now. */
static void pass_beat(way *w, uint32_t width)
{
    w->beats += width;
    w->rest = 0;
}

static bool all_are(const uint8_t *beat, size_t width, bool (*is)(gw_tx_word))
{
    for (size_t at = 0; at < width; at += GW_TX_WORD) {
        if (!is(gw_tx_load(beat + at, GW_TX_WORD, GW_TX_ORDER_A)))
            return false;
    }
    return true;
}

static bool magic(gw_tx_word word)
{
    return gw_tx_is_magic(word);
}

static bool start(gw_tx_word word)
{
    return gw_tx_is_start(word);
}

static bool has_check_byte(gw_tx_word word)
{
    return word.hi >> 56 != 0 && gw_tx_protect(word).hi == word.hi;
}

/* A header says how many beats follow; true when none do. */
static bool take_header(way *w, const state *s, const uint8_t *beat)
{
    gw_tx_word word = gw_tx_load(beat, GW_TX_WORD, GW_TX_ORDER_A);
    gw_tx_header h = gw_tx_framing(word, edac_is_on(w), s->dialect);

    w->headers |= has_check_byte(word);
    if (gw_tx_header_only(&h) && !s->dialect->rtl)
        return true;
    w->left = gw_tx_words(h.packet_size, s->dialect->word_bytes);
    w->place = w->left > 0 ? DATA : FOOTER;
    return false;
}

/* Garbage between packets is taken for credits as well: only what is one through and through tells
 * whether check bytes are made. */
static void take_credit(way *w, const uint8_t *beat)
{
    gw_tx_word word = gw_tx_load(beat, GW_TX_WORD, GW_TX_ORDER_A);

    if (!gw_tx_may_be_credit(word))
        return;
    if (has_check_byte(word))
        w->credits = true;
    else if (word.hi == 0 && gw_tx_protect(word).hi != 0)
        w->credits = false;
}

/* Looks at one beat. True when it ends a packet. */
static bool take_beat(way *w, const state *s, const uint8_t *beat)
{
    bool is_magic = all_are(beat, s->dialect->word_bytes, magic);

    if (w->stuffed) {
        if (is_magic && w->place == DATA) { /* a word of payload; the credit is still to come */
            if (--w->left == 0)
                w->place = FOOTER;
            return false;
        }
        w->stuffed = false;
        take_credit(w, beat);
        return false;
    }
    if (w->place == AFTER_MAGIC) { /* anything but START is taken for a credit */
        if (all_are(beat, s->dialect->word_bytes, start))
            w->place = HEADER;
        return false;
    }
    if (is_magic) {
        w->stuffed = true;
        return false;
    }
    switch (w->place) {
    case HEADER:
        return take_header(w, s, beat);
    case DATA:
        if (--w->left == 0)
            w->place = FOOTER;
        return false;
    default:
        return true;
    }
}

/* One whole beat lies at w->beats, and nobody knows where it stands. MAGIC alone may be stuffing,
 * which a credit follows; with START behind it a packet begins. */
static void seek(way *w, uint32_t width, const gw_message *segment, gw_message_fn fn, void *ctx)
{
    const uint8_t *beat = w->bytes + w->beats;

    if (w->stuffed && all_are(beat, width, start)) {
        deliver(w, width, GW_TX_PART_STRAY, segment, fn, ctx);
        w->place = HEADER;
        w->stuffed = false;
        pass_beat(w, width);
        return;
    }
    w->stuffed = all_are(beat, width, magic);
    pass_beat(w, width);
    if (w->beats + width > RUN_MAX) {
        deliver(w, 0, GW_TX_PART_STRAY, segment, fn, ctx);
        w->stuffed = false;
    }
}

/* One whole beat lies at w->beats. MAGIC and START inside a packet are no credit: that packet broke
 * off, and another one begins. The published receiver takes START for the credit all the same. */
static void next_beat(way *w, const state *s, const gw_message *segment, gw_message_fn fn,
                      void *ctx)
{
    const uint32_t width = s->dialect->word_bytes;
    const uint8_t *beat = w->bytes + w->beats;

    if (w->place == LOST) {
        seek(w, width, segment, fn, ctx);
        return;
    }
    if (w->place == IDLE) {
        if (!all_are(beat, width, magic)) {
            take_credit(w, beat);
            pass_beat(w, width);
            if (w->beats + width > RUN_MAX)
                deliver(w, 0, GW_TX_PART_IDLE, segment, fn, ctx);
            return;
        }
        deliver(w, 0, GW_TX_PART_IDLE, segment, fn, ctx);
        w->place = AFTER_MAGIC;
        w->stuffed = false;
        pass_beat(w, width);
        return;
    }
    if (w->stuffed && !s->dialect->rtl && all_are(beat, width, start)) {
        deliver(w, width, GW_TX_PART_LINK, segment, fn, ctx);
        w->place = HEADER;
        w->stuffed = false;
        pass_beat(w, width);
        return;
    }
    bool ends = take_beat(w, s, beat);
    pass_beat(w, width);
    if (ends || w->beats + width > RUN_MAX) {
        w->place = IDLE;
        deliver(w, 0, GW_TX_PART_LINK, segment, fn, ctx);
    }
}

/* The end of a beat whose beginning is missing. */
static void skip_beat(way *w, gw_cursor *bytes, const gw_message *segment, gw_message_fn fn,
                      void *ctx)
{
    size_t left = gw_cursor_left(bytes);
    uint32_t skip = w->skip, len;
    const uint8_t *p;

    //@ split skip;
    len = left < skip ? (uint32_t)left : skip;
    if (len == 0 || !gw_cursor_bytes(bytes, &p, len))
        return;
    memcpy(w->bytes, p, len); /* nothing waits here */
    w->skip = skip - len;
    note_frame(w, segment);
    tell(w, len, 0, GW_TX_PART_STRAY, segment, fn, ctx);
}

/* Takes of |bytes| what the next beat lacks, or all. False when there are none. */
static bool fill_beat(way *w, uint32_t width, gw_cursor *bytes)
{
    uint32_t rest = w->rest, step;
    const uint8_t *p;
    size_t left;

    //@ split rest;
    //@ split bytes->end - bytes->p;
    left = gw_cursor_left(bytes);
    step = left < width - rest ? (uint32_t)left : width - rest;
    if (step == 0 || !gw_cursor_bytes(bytes, &p, step))
        return false;
    memcpy(w->bytes + w->beats + rest, p, step);
    w->rest = rest + step;
    return true;
}

/* What can be handed over before more bytes come. What the capture cut waits for the gap. */
static void hand_over(way *w, uint32_t width, const gw_message *segment, gw_message_fn fn,
                      void *ctx)
{
    if (segment->cap_len < segment->len)
        note_frame(w, segment);
    else if (w->place == IDLE)
        deliver(w, 0, GW_TX_PART_IDLE, segment, fn, ctx);
    else if (w->place == LOST)
        deliver(w, w->stuffed ? width : 0, GW_TX_PART_STRAY, segment, fn, ctx);
}

static void push(void *memory, unsigned dir, const gw_message *segment, gw_message_fn fn, void *ctx)
{
    state *s = memory;
    way *w = &s->ways[dir & 1];
    gw_cursor bytes = gw_cursor_over(segment->data, segment->cap_len);
    const uint32_t width = s->dialect->word_bytes;

    //@ slevel 3000;
    skip_beat(w, &bytes, segment, fn, ctx);
    while (fill_beat(w, width, &bytes)) {
        note_frame(w, segment);
        if (w->rest == width)
            next_beat(w, s, segment, fn, ctx);
    }
    hand_over(w, width, segment, fn, ctx);
}

/* The segment that brought bytes last, as what is left of them is handed over with. */
static gw_message last_of(const way *w, unsigned dir)
{
    gw_message last = w->last;

    if (last.transport == GW_OVER_NOTHING && last.dir == GW_DIR_UNKNOWN)
        last.dir = (dir & 1) == 1 ? GW_DIR_OUT : GW_DIR_IN;
    return last;
}

static uint8_t part_of(const way *w)
{
    if (w->place == IDLE)
        return GW_TX_PART_IDLE;
    return w->place == LOST ? GW_TX_PART_STRAY : GW_TX_PART_LINK;
}

static void begin_at(way *w, place where)
{
    w->beats = w->rest = w->num_frames = w->skip = 0;
    w->place = (uint8_t)where;
    w->stuffed = false;
}

/* What was begun goes on where nobody looked. How much is missing only a frame's own length tells;
 * otherwise the next beat is taken to begin where the bytes do. */
static void gap(void *memory, unsigned dir, gw_message_fn fn, void *ctx)
{
    state *s = memory;
    way *w = &s->ways[dir & 1];
    gw_message last = last_of(w, dir);
    const uint32_t width = s->dialect->word_bytes;
    uint32_t cut = last.len - last.cap_len;
    uint32_t came = w->skip > 0 ? width - w->skip : w->rest; /* of a beat */
    uint32_t rest = cut > 0 ? (came + cut % width) % width : 0;

    if (w->num_frames == 0)
        note_frame(w, &last);
    if (last.frame != 0) /* something came before */
        tell(w, w->beats + w->rest, cut > 0 ? cut : 1, part_of(w), &last, fn, ctx);
    begin_at(w, LOST);
    w->skip = rest > 0 ? width - rest : 0;
}

/* What was begun ends here: a packet that is not whole, or a beat that is not. */
static void flush(way *w, const gw_message *segment, gw_message_fn fn, void *ctx)
{
    uint8_t part = part_of(w);

    if (part == GW_TX_PART_IDLE) {
        deliver(w, 0, part, segment, fn, ctx);
        part = GW_TX_PART_STRAY;
    }
    if (w->beats + w->rest > 0)
        tell(w, w->beats + w->rest, 0, part, segment, fn, ctx);
    begin_at(w, IDLE);
}

static void end(void *memory, gw_message_fn fn, void *ctx)
{
    state *s = memory;

    for (unsigned dir = 0; dir < 2; dir++) {
        gw_message last = last_of(&s->ways[dir], dir);
        flush(&s->ways[dir], &last, fn, ctx);
    }
}

const gw_stream_ops gw_ape_stream = {
    .size = sizeof(state), .init = init, .push = push, .gap = gap, .end = end};

/* ---- captures ---- */

size_t gw_ape_wrap(const gw_message *message, uint8_t *out, size_t cap)
{
    if (cap < CAPTURE_HEADER)
        return 0;
    memset(out, 0, CAPTURE_HEADER);
    out[CAPTURE_VERSION_AT] = CAPTURE_VERSION;
    out[CAPTURE_SENT_AT] = message->dir == GW_DIR_OUT;
    out[CAPTURE_WIDTH_AT] =
        (message->part_arg & 0xff) != 0 ? (uint8_t)message->part_arg : GW_TX_WORD;
    return CAPTURE_HEADER;
}

bool gw_ape_unwrap(gw_message *message, const gw_dialect *dialect)
{
    gw_cursor bytes = gw_cursor_over(message->data, message->cap_len);
    const uint8_t *head;

    if (!gw_cursor_bytes(&bytes, &head, CAPTURE_HEADER) ||
        head[CAPTURE_VERSION_AT] != CAPTURE_VERSION || head[CAPTURE_SENT_AT] > 1 ||
        head[CAPTURE_WIDTH_AT] != gw_tx_dialect_of(dialect)->word_bytes) {
        message->part = GW_TX_PART_STRAY;
        return false;
    }
    message->dir = head[CAPTURE_SENT_AT] == 1 ? GW_DIR_OUT : GW_DIR_IN;
    message->data = bytes.p;
    message->cap_len -= CAPTURE_HEADER;
    message->len -= CAPTURE_HEADER;
    return true;
}
