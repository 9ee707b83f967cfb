/* SPDX-License-Identifier: BSD-2-Clause */
/* A step of cutting an APElink into messages, whatever was before: as session_textarossa.c. */
#include "proof/message.h"
#include "textarossa/link/apelink.c"

static state link;

static void put_any_way(way *w, uint32_t width)
{
    w->last.data = w->last.link = w->last.lower = NULL;
    w->last.ib = NULL;
    w->last.tunnel = any_bool();
    w->beats = Frama_C_unsigned_int_interval(0, RUN_MAX - width);
    w->rest = Frama_C_unsigned_int_interval(0, width - 1);
    w->skip = Frama_C_unsigned_int_interval(0, width - 1);
    w->place = (uint8_t)Frama_C_interval(0, LOST);
    w->width = (uint8_t)(width == GW_TX_WORD ? 0 : width);
    w->stuffed = any_bool();
    w->credits = any_bool();
    w->headers = any_bool();
}

/* Places are those that there are; all else is any. */
static void put_any_state(const gw_dialect *dialect)
{
    const gw_tx_dialect *d = gw_tx_dialect_of(dialect);

    Frama_C_make_unknown((char *)&link, sizeof link);
    link.dialect = d;
    put_any_way(&link.ways[0], d->word_bytes);
    put_any_way(&link.ways[1], d->word_bytes);
}

/* What put_any_state takes for granted. */
static void look_at_state(const gw_dialect *dialect)
{
    uint32_t width = gw_tx_dialect_of(dialect)->word_bytes;

    //@ assert width: width == GW_TX_WORD || width == GW_TX_WIDE_WORD;
    for (size_t dir = 0; dir < 2; dir++) {
        //@ assert beats: link.ways[dir].beats <= RUN_MAX - width;
        //@ assert rest: link.ways[dir].rest < width;
        //@ assert skip: link.ways[dir].skip < width;
        //@ assert place: link.ways[dir].place <= LOST;
        //@ assert pointers: link.ways[dir].last.data == \null && link.ways[dir].last.link == \null;
        //@ assert others: link.ways[dir].last.lower == \null && link.ways[dir].last.ib == \null;
    }
}

static void on_message(void *ctx, const gw_message *message)
{
    (void)ctx;
    seen = message->frame;
    if (message->cap_len > 0)
        seen = message->data[0] + message->data[message->cap_len - 1];
}

static void start_over(const gw_dialect *dialect)
{
    FORMAT.stream->init(&link, dialect);
    look_at_state(dialect);
    put_any_state(dialect);
}

static void push_any(const gw_message *message, const gw_dialect *dialect)
{
    unsigned dir = (unsigned)Frama_C_interval(0, 1);

    //@ split dir;
    start_over(dialect);
    FORMAT.stream->push(&link, dir, message, on_message, NULL);
    look_at_state(dialect);
}

void proof_stream(void)
{
    over_any(push_any);
}

static void end_any(const gw_message *message, const gw_dialect *dialect)
{
    unsigned dir = (unsigned)Frama_C_interval(0, 1);

    (void)message;
    //@ split dir;
    start_over(dialect);
    FORMAT.stream->gap(&link, dir, on_message, NULL);
    look_at_state(dialect);
    put_any_state(dialect);
    FORMAT.stream->end(&link, on_message, NULL);
    look_at_state(dialect);
}

/* Bytes that are lost, and the end. */
void proof_stream_end(void)
{
    over_any(end_any);
}
