/* SPDX-License-Identifier: BSD-2-Clause */
/* TCP streams: order, copies, loss, beginnings and ends. */
#include "net_test.h"

#include <stdio.h>

#define WINDOW ((size_t)4096)
#define CONNS 4
#define LOG_LEN 4096

/* What came out. The log has a word for each event: "0+5" five bytes of direction 0, "0?5" a gap,
 * "0!5" an overlap, "0." the end, with "e" when evicted; "m" marks mid-stream. */
typedef struct fixture {
    void *mem;
    gw_tcp *t;
    char log[LOG_LEN];
    const uint8_t *sent[2]; /* when not NULL, what every byte is compared to */
    uint64_t pos[2];        /* of the next byte */
    uint64_t got[2];        /* bytes, without gaps */
    uint64_t missing[2];    /* bytes of gaps */
    uint32_t overlaps;      /* events */
    uint32_t ends;          /* events */
    uint32_t stream;        /* of the last event */
    uint32_t slot;          /* of the last event */
    uint64_t frame;         /* of the last event */
    uint64_t frames;        /* given so far */
    uint32_t isn[2];        /* sequence number of byte 0 */
    gw_endpoint end[2];     /* of direction 0 and 1 */
    uint16_t vlan;          /* 0: none */
    bool quiet;             /* no log */
} fixture;

static uint8_t stream[2][1 << 20];

static void note(fixture *x, const gw_tcp_event *e, char what, uint32_t len)
{
    size_t used = strlen(x->log);
    if (!x->quiet && what == '.')
        (void)snprintf(x->log + used, LOG_LEN - used, "%s%u.%s", used > 0 ? " " : "", e->dir,
                       e->evicted ? "e" : "");
    else if (!x->quiet)
        (void)snprintf(x->log + used, LOG_LEN - used, "%s%u%c%u%s", used > 0 ? " " : "", e->dir,
                       what, len, e->mid_stream ? "m" : "");
}

static void on_event(void *ctx, const gw_tcp_event *e)
{
    fixture *x = ctx;
    const gw_message *s = &e->segment;

    assert_true(e->dir < 2);
    assert_true(e->slot < CONNS);
    assert_int_equal(s->transport, GW_OVER_TCP);
    assert_int_equal(s->stream, e->stream);
    assert_int_equal(s->num_frames, 1);
    assert_int_equal(s->frames[0], s->frame);
    assert_true(s->frame <= x->frames);
    assert_int_equal(s->time_ns, (int64_t)s->frame * 1000);
    assert_int_equal(s->len, s->cap_len);
    x->stream = e->stream;
    x->slot = e->slot;
    x->frame = s->frame;
    switch (e->kind) {
    case GW_TCP_DATA:
        assert_true(s->len > 0);
        if (x->sent[e->dir] != NULL)
            assert_memory_equal(s->data, x->sent[e->dir] + x->pos[e->dir], s->len);
        x->pos[e->dir] += s->len;
        x->got[e->dir] += s->len;
        note(x, e, '+', s->len);
        break;
    case GW_TCP_GAP:
        assert_int_equal(s->len, 0);
        assert_true(e->gap_len > 0);
        x->pos[e->dir] += e->gap_len;
        x->missing[e->dir] += e->gap_len;
        note(x, e, '?', e->gap_len);
        break;
    case GW_TCP_OVERLAP:
        assert_int_equal(s->len, 0);
        x->overlaps++;
        note(x, e, '!', e->gap_len);
        break;
    default:
        assert_int_equal(e->kind, GW_TCP_END);
        assert_int_equal(s->len, 0);
        x->ends++;
        note(x, e, '.', 0);
    }
}

static void begin_with(fixture *x, size_t num, size_t window)
{
    memset(x, 0, sizeof *x);
    x->mem = malloc(gw_tcp_size(num, window));
    assert_non_null(x->mem);
    memset(x->mem, 0xa5, gw_tcp_size(num, window));
    x->t = gw_tcp_init(x->mem, num, window, on_event, x);
    assert_non_null(x->t);
    x->isn[0] = 1000;
    x->isn[1] = 5000;
    for (int i = 0; i < 2; i++) {
        x->end[i] = (gw_endpoint){.ip = {10, 0, 0, (uint8_t)(1 + i)}, .family = GW_FAMILY_IPV4};
        x->end[i].port = i == 0 ? 40000 : 1234;
    }
}

static void begin(fixture *x)
{
    begin_with(x, CONNS, WINDOW);
}

static void end(fixture *x)
{
    free(x->mem);
}

/* Adds a segment of direction |dir|: |len| bytes from |off| of stream[dir], |cap| of them captured.
 * Byte 0 comes after the SYN. */
static void add_cut(fixture *x, int dir, uint64_t off, uint32_t len, uint32_t cap, uint8_t flags,
                    uint64_t ack)
{
    uint8_t *copy = malloc(cap > 0 ? cap : 1);
    assert_non_null(copy);
    memcpy(copy, stream[dir] + off % sizeof stream[dir], cap);
    gw_net net = {
        .src = x->end[dir],
        .dst = x->end[1 - dir],
        .ip_version = 4,
        .protocol = 6,
        .transport = GW_OVER_TCP,
        .tcp_seq = x->isn[dir] + (uint32_t)off,
        .tcp_ack = x->isn[1 - dir] + (uint32_t)ack,
        .tcp_flags = flags,
        .payload = gw_cursor_over(copy, cap),
        .payload_len = len,
    };
    if (x->vlan != 0)
        net.vlans[net.num_vlans++] = x->vlan;
    x->frames++;
    gw_tcp_add(x->t, &net, x->frames, (int64_t)x->frames * 1000);
    free(copy); /* a sanitizer tells whether anything was kept by reference */
}

static void add(fixture *x, int dir, uint64_t off, uint32_t len, uint8_t flags, uint64_t ack)
{
    add_cut(x, dir, off, len, len, flags, ack);
}

static void data(fixture *x, int dir, uint64_t off, uint32_t len)
{
    add(x, dir, off, len, 0, 0);
}

static void handshake(fixture *x)
{
    add(x, 0, (uint64_t)-1, 0, GW_TCP_SYN, 0);
    add(x, 1, (uint64_t)-1, 0, GW_TCP_SYN | GW_TCP_ACK, 0);
    add(x, 0, 0, 0, GW_TCP_ACK, 0);
}

static void fill(void)
{
    uint64_t seed = 7;
    for (size_t i = 0; i < sizeof stream; i++)
        stream[i / sizeof stream[0]][i % sizeof stream[0]] = (uint8_t)draw(&seed);
}

static int setup(void **state)
{
    (void)state;
    fill();
    return 0;
}

static void assert_log(fixture *x, const char *want)
{
    assert_string_equal(x->log, want);
    x->log[0] = '\0';
}

/* ---- the plain life of a connection ---- */

static void test_whole_life(void **state)
{
    fixture x;
    (void)state;
    begin(&x);
    x.sent[0] = stream[0];
    x.sent[1] = stream[1];
    handshake(&x);
    assert_log(&x, "");
    add(&x, 0, 0, 8, GW_TCP_ACK, 0);
    assert_log(&x, "0+8");
    add(&x, 1, 0, 12, GW_TCP_ACK, 8);
    assert_log(&x, "1+12");
    add(&x, 0, 8, 3, GW_TCP_ACK | GW_TCP_FIN, 12);
    assert_log(&x, "0+3");
    add(&x, 1, 12, 5, GW_TCP_ACK, 12); /* half closed: this side goes on */
    assert_log(&x, "1+5");
    add(&x, 1, 17, 0, GW_TCP_ACK | GW_TCP_FIN, 12);
    assert_log(&x, "1.");
    add(&x, 0, 12, 0, GW_TCP_ACK, 18);
    add(&x, 0, 8, 3, GW_TCP_ACK | GW_TCP_FIN, 12); /* late copies */
    add(&x, 1, 12, 5, GW_TCP_ACK, 12);
    gw_tcp_end(x.t);
    assert_log(&x, "");
    end(&x);
}

static void test_addresses_and_frames(void **state)
{
    fixture x;
    (void)state;
    begin(&x);
    handshake(&x);
    data(&x, 0, 10, 5);
    data(&x, 0, 15, 5);
    data(&x, 0, 0, 10);
    assert_log(&x, "0+10 0+5 0+5");
    assert_int_equal(x.frame, 5); /* the waiting bytes keep their own frame */
    assert_int_equal(x.stream, 0);
    end(&x);
}

static void check_direction(void *ctx, const gw_tcp_event *e)
{
    fixture *x = ctx;
    assert_memory_equal(&e->segment.src, &x->end[e->dir], sizeof(gw_endpoint));
    assert_memory_equal(&e->segment.dst, &x->end[1 - e->dir], sizeof(gw_endpoint));
    assert_int_equal(e->segment.num_vlans, 1);
    assert_int_equal(e->segment.vlans[0], 7);
    x->ends += e->kind == GW_TCP_END;
}

/* Direction 0 is the caller's, even when the answer to its SYN is the first thing seen. */
static void test_direction(void **state)
{
    (void)state;
    for (int skip = 0; skip < 2; skip++) {
        fixture x;
        begin(&x);
        x.t = gw_tcp_init(x.mem, CONNS, WINDOW, check_direction, &x);
        x.vlan = 7;
        if (!skip)
            add(&x, 0, (uint64_t)-1, 0, GW_TCP_SYN, 0);
        add(&x, 1, (uint64_t)-1, 0, GW_TCP_SYN | GW_TCP_ACK, 0);
        data(&x, 1, 0, 5);
        data(&x, 0, 0, 5);
        data(&x, 0, 10, 5);
        gw_tcp_end(x.t);
        assert_int_equal(x.ends, 1);
        end(&x);
    }
}

/* ---- any split, any order ---- */

/* Sends bytes [0, len) of one direction in segments of up to |longest| bytes, each taken from the
 * first |reach| that are still to be sent, with retransmissions of other splits in between. The
 * lowest is late by no more than what the window has room for. */
static void send_shuffled(fixture *x, int dir, uint32_t len, uint32_t longest, uint32_t reach,
                          uint64_t *seed)
{
    uint32_t offs[64];
    uint32_t lens[64];
    uint32_t num = 0;
    uint32_t cut = 0;

    while (num > 0 || cut < len) {
        while (num < reach && cut < len && (num == 0 || cut - offs[0] < 10 * longest)) {
            uint32_t n = 1 + (uint32_t)(draw(seed) % longest);
            n = n < len - cut ? n : len - cut;
            offs[num] = cut;
            lens[num++] = n;
            cut += n;
        }
        uint32_t i = (uint32_t)(draw(seed) % num);
        data(x, dir, offs[i], lens[i]);
        memmove(offs + i, offs + i + 1, (num - i - 1) * sizeof offs[0]);
        memmove(lens + i, lens + i + 1, (num - i - 1) * sizeof lens[0]);
        num--;
        if (draw(seed) % 4 == 0) {
            uint32_t back = 1 + (uint32_t)(draw(seed) % ((uint64_t)2 * longest));
            uint32_t off = cut > back ? cut - back : 0;
            uint32_t n = 1 + (uint32_t)(draw(seed) % back);
            data(x, dir, off, n < cut - off ? n : cut - off);
        }
    }
}

static void test_any_split_and_order(void **state)
{
    uint64_t seed = 2;
    (void)state;
    for (int round = 0; round < 400; round++) {
        uint32_t longest = 1u << (round % 9);
        uint32_t len = 1 + (uint32_t)(draw(&seed) % 20000);
        fixture x;
        begin(&x);
        x.quiet = true;
        x.sent[0] = stream[0];
        x.sent[1] = stream[1];
        x.isn[0] = (uint32_t)draw(&seed);
        x.isn[1] = (uint32_t) - (int32_t)(draw(&seed) % (len + 2)); /* wraps on the way */
        handshake(&x);
        send_shuffled(&x, round % 2, len, longest, 12, &seed);
        send_shuffled(&x, 1 - round % 2, len / 2, longest, 5, &seed);
        uint32_t lens[2] = {round % 2 ? len / 2 : len, round % 2 ? len : len / 2};
        assert_int_equal(x.ends, 0);
        add(&x, 0, lens[0], 0, GW_TCP_FIN, 0);
        add(&x, 1, lens[1], 0, GW_TCP_FIN, 0);
        assert_int_equal(x.ends, 1);
        for (int dir = 0; dir < 2; dir++) {
            assert_int_equal(x.got[dir], lens[dir]);
            assert_int_equal(x.missing[dir], 0);
        }
        assert_int_equal(x.overlaps, 0);
        end(&x);
    }
}

/* Whatever is lost, reordered beyond the window, cut or acknowledged: every byte that comes out is
 * at its place, and bytes and gaps add up. */
static void test_nothing_is_guessed(void **state)
{
    uint64_t seed = 3;
    (void)state;
    for (int round = 0; round < 2000; round++) {
        size_t window = (size_t)64 << round % 8;
        fixture x;
        begin_with(&x, CONNS, window);
        x.quiet = true;
        x.sent[0] = stream[0];
        x.isn[0] = (uint32_t)draw(&seed);
        handshake(&x);
        uint64_t top = 0;
        for (int i = 0; i < 200; i++) {
            uint64_t lead = draw(&seed) % (draw(&seed) % 8 == 0 ? 3 * window : 1 + window / 4);
            uint64_t off = x.pos[0] + lead;
            if (draw(&seed) % 4 == 0)
                off = off > window ? off - draw(&seed) % window : 0;
            uint32_t len = (uint32_t)(draw(&seed) % (draw(&seed) % 16 == 0 ? 2 * window : 40));
            uint32_t cap = draw(&seed) % 8 == 0 ? (uint32_t)(draw(&seed) % (len + 1)) : len;
            if (off + len > sizeof stream[0])
                break;
            add_cut(&x, 0, off, len, cap, GW_TCP_ACK, 0);
            top = off + len > top && len > 0 ? off + len : top;
            if (draw(&seed) % 16 == 0) {
                uint64_t ack = x.pos[0] + draw(&seed) % window;
                add(&x, 1, 0, 0, GW_TCP_ACK, ack);
                top = ack > top ? ack : top;
            }
            assert_true(x.pos[0] <= top);
        }
        gw_tcp_end(x.t);
        assert_int_equal(x.pos[0], top);
        assert_int_equal(x.got[0] + x.missing[0], top);
        assert_int_equal(x.overlaps, 0);
        assert_int_equal(x.ends, 1);
        end(&x);
    }
}

static void test_wrap(void **state)
{
    (void)state;
    for (uint32_t before = 0; before < 12; before++) {
        fixture x;
        begin(&x);
        x.sent[0] = stream[0];
        x.isn[0] = UINT32_MAX - before;
        handshake(&x);
        data(&x, 0, 8, 4);
        data(&x, 0, 0, 4);
        data(&x, 0, 2, 8);
        add(&x, 1, 0, 0, GW_TCP_ACK, 12);
        assert_int_equal(x.got[0], 12);
        assert_int_equal(x.missing[0] + x.overlaps, 0);
        end(&x);
    }
}

/* ---- copies and contradictions ---- */

static void test_overlap(void **state)
{
    fixture x;
    (void)state;
    begin(&x);
    x.sent[0] = stream[0];
    handshake(&x);
    data(&x, 0, 0, 10);
    stream[0][3] ^= 0xff;
    stream[0][4] ^= 0xff;
    stream[0][7] ^= 0x01;
    data(&x, 0, 2, 4);
    assert_log(&x, "0+10 0!2");
    data(&x, 0, 0, 20); /* its new bytes count all the same */
    assert_log(&x, "0+10 0!3");
    stream[0][3] ^= 0xff;
    stream[0][4] ^= 0xff;
    stream[0][7] ^= 0x01;

    /* Among bytes that wait, the first to come count. */
    data(&x, 0, 30, 10);
    stream[0][32] ^= 0xff;
    stream[0][39] ^= 0xff;
    data(&x, 0, 28, 14);
    assert_log(&x, "0!2");
    stream[0][32] ^= 0xff;
    stream[0][39] ^= 0xff;
    data(&x, 0, 20, 8);
    assert_log(&x, "0+8 0+2 0+10 0+2");
    end(&x);
}

/* The ring remembers as many bytes as the window has, no matter how they came. */
static void test_overlap_memory(void **state)
{
    fixture x;
    (void)state;
    begin(&x);
    x.sent[0] = stream[0];
    handshake(&x);
    data(&x, 0, 0, 3 * WINDOW);
    stream[0][2 * WINDOW - 1] ^= 1;
    stream[0][2 * WINDOW] ^= 1;
    data(&x, 0, 0, 3 * WINDOW);
    assert_log(&x, "0+12288 0!1");
    data(&x, 0, 3 * WINDOW + 100, WINDOW - 100); /* takes the room */
    data(&x, 0, 0, 3 * WINDOW);
    assert_log(&x, "");
    stream[0][2 * WINDOW - 1] ^= 1;
    stream[0][2 * WINDOW] ^= 1;
    data(&x, 0, 3 * WINDOW, 100);
    assert_log(&x, "0+100 0+2996 0+1000"); /* in two where the ring begins anew */
    end(&x);
}

static void test_keep_alive(void **state)
{
    fixture x;
    (void)state;
    begin(&x);
    x.sent[0] = stream[0];
    handshake(&x);
    data(&x, 0, 0, 10);
    stream[0][9] ^= 0xff;
    add(&x, 0, 9, 1, GW_TCP_ACK, 0);
    add(&x, 0, 9, 0, GW_TCP_ACK, 0);
    stream[0][9] ^= 0xff;
    assert_log(&x, "0+10");
    data(&x, 0, 10, 1); /* a zero window probe brings a byte that counts ... */
    data(&x, 0, 10, 9); /* ... and comes again */
    assert_log(&x, "0+1 0+8");
    add(&x, 0, 19, 0, GW_TCP_FIN | GW_TCP_ACK, 0);
    add(&x, 0, 19, 1, GW_TCP_ACK, 0); /* now the last number is the FIN's */
    add(&x, 1, 0, 4, GW_TCP_ACK, 20);
    assert_log(&x, "1+4");
    end(&x);
}

/* ---- loss ---- */

static void test_acknowledged_but_never_seen(void **state)
{
    fixture x;
    (void)state;
    begin(&x);
    x.sent[0] = stream[0];
    handshake(&x);
    data(&x, 0, 0, 10);
    data(&x, 0, 20, 5);
    data(&x, 0, 30, 5);
    assert_log(&x, "0+10");
    add(&x, 1, 0, 7, GW_TCP_ACK, 25); /* the loss is told before the answer */
    assert_log(&x, "0?10 0+5 1+7");
    add(&x, 1, 7, 0, GW_TCP_ACK, 28);
    assert_log(&x, "0?3");
    data(&x, 0, 25, 5); /* too late for three of them */
    assert_log(&x, "0+2 0+5");
    add(&x, 1, 7, 0, GW_TCP_ACK, 45);
    assert_log(&x, "0?10");
    add(&x, 1, 7, 0, GW_TCP_ACK, 45 + (UINT64_C(1) << 31)); /* no window is that large */
    assert_log(&x, "");
    end(&x);
}

static void test_window_overflow(void **state)
{
    fixture x;
    (void)state;
    begin(&x);
    x.sent[0] = stream[0];
    handshake(&x);
    data(&x, 0, 100, 50);
    data(&x, 0, 1000, 50);
    data(&x, 0, WINDOW - 1, 1); /* just fits */
    assert_log(&x, "");
    data(&x, 0, WINDOW, 10); /* the first hole goes, the second may still be filled */
    assert_log(&x, "0?100 0+50");
    data(&x, 0, 150, 850);
    assert_log(&x, "0+850 0+50");
    data(&x, 0, 100000, 10);
    assert_log(&x, "0?3045 0+1 0+10 0?95894 0+10");
    end(&x);
}

/* One byte in two: the list of what waits is bounded, too. */
static void test_too_many_pieces(void **state)
{
    fixture x;
    (void)state;
    begin(&x);
    x.quiet = true;
    x.sent[0] = stream[0];
    handshake(&x);
    for (uint32_t i = 1; i < 1000; i += 2)
        data(&x, 0, i, 1);
    gw_tcp_end(x.t);
    assert_int_equal(x.got[0], 500);
    assert_int_equal(x.missing[0], 500);
    end(&x);
}

static void test_missing_at_the_end(void **state)
{
    fixture x;
    (void)state;
    begin(&x);
    x.sent[0] = stream[0];
    handshake(&x);
    data(&x, 0, 10, 10);
    data(&x, 0, 30, 10);
    gw_tcp_end(x.t);
    assert_log(&x, "0?10 0+10 0?10 0+10 0.");
    assert_int_equal(x.frame, 5);
    gw_tcp_end(x.t);
    assert_log(&x, "");
    end(&x);

    begin(&x);
    handshake(&x);
    add(&x, 0, 10, 0, GW_TCP_FIN, 0); /* tells that ten bytes were sent */
    gw_tcp_end(x.t);
    assert_log(&x, "0?10 0.");
    end(&x);
}

/* The acknowledgement of a FIN counts one more than there are bytes. */
static void test_fin_is_no_byte(void **state)
{
    fixture x;
    (void)state;
    begin(&x);
    handshake(&x);
    add(&x, 0, 5, 5, GW_TCP_FIN, 0);
    add(&x, 1, 0, 0, GW_TCP_ACK, 11);
    assert_log(&x, "0?5 0+5");
    add(&x, 1, 0, 3, GW_TCP_ACK, 11);
    assert_log(&x, "1+3");
    end(&x);
}

static void test_capture_cut(void **state)
{
    fixture x;
    (void)state;
    begin(&x);
    x.sent[0] = stream[0];
    handshake(&x);
    add_cut(&x, 0, 0, 100, 40, 0, 0);
    assert_log(&x, "0+40 0?60");
    add_cut(&x, 0, 200, 100, 40, 0, 0);
    add_cut(&x, 0, 200, 100, 40, 0, 0);
    add_cut(&x, 0, 100, 100, 0, 0, 0);
    assert_log(&x, "0?100 0+40 0?60");
    data(&x, 0, 0, 300);
    assert_log(&x, "");
    end(&x);
}

/* ---- beginnings and ends ---- */

static void test_mid_stream(void **state)
{
    fixture x;
    (void)state;
    begin(&x);
    add(&x, 1, 700, 0, GW_TCP_ACK, 900); /* nothing to keep yet */
    gw_tcp_end(x.t);
    assert_log(&x, "");
    data(&x, 0, 900, 10);
    add(&x, 1, 700, 5, GW_TCP_ACK, 910);
    data(&x, 0, 850, 50); /* before the start: nobody can tell */
    data(&x, 0, 905, 10);
    assert_log(&x, "0+10m 1+5m 0+5m");
    gw_tcp_end(x.t);
    assert_log(&x, "0.");
    end(&x);

    /* A SYN that comes after its data, out of a capture's several queues. */
    begin(&x);
    data(&x, 0, 0, 10);
    add(&x, 0, (uint64_t)-1, 0, GW_TCP_SYN, 0);
    data(&x, 0, 10, 10);
    assert_log(&x, "0+10m 0+10");
    assert_int_equal(x.stream, 0);
    end(&x);
}

static void test_data_with_syn(void **state)
{
    fixture x;
    (void)state;
    begin(&x);
    x.sent[0] = stream[0];
    gw_net net = {
        .src = x.end[0],
        .dst = x.end[1],
        .transport = GW_OVER_TCP,
        .tcp_seq = 999,
        .tcp_flags = GW_TCP_SYN,
        .payload = gw_cursor_over(stream[0], 6),
        .payload_len = 6,
    };
    x.frames = 1;
    gw_tcp_add(x.t, &net, 1, 1000);
    assert_log(&x, "0+6");
    gw_tcp_add(x.t, &net, 1, 1000);
    add(&x, 1, (uint64_t)-1, 0, GW_TCP_SYN | GW_TCP_ACK, 6);
    data(&x, 0, 6, 4);
    assert_log(&x, "0+4");
    end(&x);
}

static void test_reset(void **state)
{
    fixture x;
    (void)state;
    begin(&x);
    x.sent[1] = stream[1];
    handshake(&x);
    data(&x, 1, 10, 10);
    add(&x, 0, 0, 0, GW_TCP_RST, 0);
    assert_log(&x, "1?10 1+10 0.");
    assert_int_equal(x.frame, 5);
    data(&x, 1, 20, 10); /* was on its way */
    add(&x, 0, 0, 0, GW_TCP_RST, 0);
    gw_tcp_end(x.t);
    assert_log(&x, "");
    end(&x);
}

/* A SYN that is refused, and sent again with the same number. */
static void test_refused(void **state)
{
    fixture x;
    (void)state;
    begin(&x);
    for (int i = 0; i < 3; i++) {
        add(&x, 0, (uint64_t)-1, 0, GW_TCP_SYN, 0);
        add(&x, 0, (uint64_t)-1, 0, GW_TCP_SYN, 0); /* a copy */
        assert_log(&x, "");
        add(&x, 1, 0, 0, GW_TCP_RST | GW_TCP_ACK, 0);
        assert_int_equal(x.stream, i);
        assert_log(&x, x.end[0].port ? "1." : "");
    }
    handshake(&x);
    data(&x, 0, 0, 5);
    assert_log(&x, "0+5");
    assert_int_equal(x.stream, 3);
    end(&x);
}

/* A reset of what nobody saw begins nothing, not even with bytes. */
static void test_reset_of_nothing(void **state)
{
    fixture x;

    (void)state;
    begin(&x);
    add(&x, 0, 1, 5, GW_TCP_RST, 0);
    assert_log(&x, "");
    end(&x);
    assert_int_equal(x.ends, 0);
}

/* A FIN that comes again, before what it waits for, moves no end. */
static void test_fin_comes_again(void **state)
{
    fixture x;

    (void)state;
    begin(&x);
    handshake(&x);
    add(&x, 0, 10, 0, GW_TCP_FIN, 0);
    add(&x, 0, 12, 0, GW_TCP_FIN, 0);
    data(&x, 0, 5, 5);
    data(&x, 0, 0, 5);
    add(&x, 1, 0, 0, GW_TCP_FIN, 0);
    assert_log(&x, "0+5 0+5 1.");
    end(&x);
}

static void test_port_reuse(void **state)
{
    static const uint8_t answers[] = {0, GW_TCP_ACK};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        for (int closed = 0; closed < 2; closed++) {
            fixture x;
            begin(&x);
            handshake(&x);
            data(&x, 0, 0, 5);
            data(&x, 0, 10, 5);
            data(&x, 1, 0, 5);
            if (closed)
                add(&x, 1, 5, 0, GW_TCP_RST, 0);
            assert_log(&x, closed ? "0+5 1+5 0?5 0+5 1." : "0+5 1+5");
            x.isn[0] = 77777;
            x.isn[1] = 88888;
            /* The new one shows by its SYN or, when that was lost, by the answer to it. */
            int dir = answers[i] == 0 ? 0 : 1;
            add(&x, dir, (uint64_t)-1, 0, GW_TCP_SYN | answers[i], 0);
            assert_log(&x, closed ? "" : dir ? "0?5 0+5 1." : "0?5 0+5 0.");
            data(&x, 0, 0, 6);
            assert_log(&x, "0+6");
            assert_int_equal(x.stream, 1);
            assert_int_equal(x.slot, 0);
            end(&x);
        }
    }
}

/* The other side opens between the same ports. */
static void test_reuse_by_other_side(void **state)
{
    fixture x;
    (void)state;
    begin(&x);
    data(&x, 0, 0, 5);
    add(&x, 1, (uint64_t)-1, 0, GW_TCP_SYN, 0);
    assert_log(&x, "0+5m 1.");
    data(&x, 1, 0, 5);
    assert_log(&x, "0+5"); /* direction 0 is the one that opened */
    end(&x);
}

static void test_simultaneous_open(void **state)
{
    fixture x;
    (void)state;
    begin(&x);
    add(&x, 0, (uint64_t)-1, 0, GW_TCP_SYN, 0);
    add(&x, 1, (uint64_t)-1, 0, GW_TCP_SYN, 0);
    add(&x, 0, (uint64_t)-1, 0, GW_TCP_SYN | GW_TCP_ACK, 0);
    add(&x, 1, (uint64_t)-1, 0, GW_TCP_SYN | GW_TCP_ACK, 0);
    data(&x, 0, 0, 5);
    data(&x, 1, 0, 5);
    assert_log(&x, "0+5 1+5");
    end(&x);
}

/* Far from where the closed one was: its successor, whose start was not captured. */
static void test_unseen_successor(void **state)
{
    fixture x;
    (void)state;
    begin(&x);
    handshake(&x);
    data(&x, 0, 0, 5);
    add(&x, 0, 5, 0, GW_TCP_RST, 0);
    assert_log(&x, "0+5 0.");
    data(&x, 0, 5 + (1u << 20), 5);
    assert_log(&x, "");
    data(&x, 0, 6 + (1u << 20), 5);
    assert_log(&x, "0+5m");
    assert_int_equal(x.stream, 1);
    end(&x);
}

static void test_least_recently_used_goes(void **state)
{
    fixture x;
    (void)state;
    begin(&x);
    for (uint16_t i = 0; i < CONNS; i++) {
        x.end[0].port = 100 + i;
        data(&x, 0, 0, 1);
        data(&x, 0, 5, 1);
    }
    x.end[0].port = 100;
    data(&x, 0, 1, 1);
    x.log[0] = '\0';
    x.end[0].port = 200;
    data(&x, 0, 0, 2);
    assert_log(&x, "0?4m 0+1m 0.e 0+2m");
    assert_int_equal(x.slot, 1);
    assert_int_equal(x.stream, CONNS);
    x.end[0].port = 100; /* still known */
    data(&x, 0, 2, 1);
    assert_log(&x, "0+1m");
    assert_int_equal(x.stream, 0);

    /* What is closed goes first, and without a word. */
    add(&x, 0, 6, 0, GW_TCP_RST, 0);
    assert_log(&x, "0?2m 0+1m 0.");
    x.end[0].port = 201;
    data(&x, 0, 0, 3);
    assert_log(&x, "0+3m");
    assert_int_equal(x.slot, 0);
    gw_tcp_end(x.t);
    assert_int_equal(x.ends, 2 + CONNS);
    end(&x);
}

/* One side has closed, and nobody says that the other one does. */
static void test_half_closed_goes_without_a_word(void **state)
{
    fixture x;
    (void)state;
    begin(&x);
    for (uint16_t i = 0; i < CONNS; i++) {
        x.end[0].port = 100 + i;
        data(&x, 0, 0, 1);
        if (i == 0)
            add(&x, 0, 1, 0, GW_TCP_FIN | GW_TCP_ACK, 0);
    }
    for (uint16_t i = 0; i < 2; i++) {
        x.log[0] = '\0';
        x.end[0].port = 200 + i;
        data(&x, 0, 0, 1);
        assert_log(&x, i == 0 ? "0. 0+1m" : "0.e 0+1m");
    }
    gw_tcp_end(x.t);
    end(&x);
}

/* Thousands of connections through a small table: each is told of once. */
static void test_many_connections(void **state)
{
    uint64_t seed = 5;
    fixture x;
    (void)state;
    begin(&x);
    x.quiet = true;
    for (int i = 0; i < 20000; i++) {
        x.end[0].port = (uint16_t)(1 + draw(&seed) % 9);
        x.end[0].ip[3] = (uint8_t)(draw(&seed) % 2);
        x.isn[0] = (uint32_t)draw(&seed);
        add(&x, 0, (uint64_t)-1, 0, GW_TCP_SYN, 0);
        data(&x, 0, 0, 2);
        if (draw(&seed) % 4 == 0)
            add(&x, (int)(draw(&seed) % 2), 2, 0, GW_TCP_RST, 0);
    }
    gw_tcp_end(x.t);
    assert_int_equal(x.got[0], 40000);
    assert_int_equal(x.ends, 20000);
    assert_int_equal(x.stream, 19999);
    end(&x);
}

static void test_same_ends(void **state)
{
    fixture x;
    (void)state;
    begin(&x);
    x.end[1] = x.end[0];
    add(&x, 0, (uint64_t)-1, 0, GW_TCP_SYN, 0);
    add(&x, 0, 0, 5, GW_TCP_ACK, 0);
    add(&x, 0, 5, 0, GW_TCP_FIN, 0);
    gw_tcp_end(x.t);
    assert_log(&x, "0+5 0.");
    end(&x);
}

static void test_udp_is_ignored(void **state)
{
    fixture x;
    gw_net net = {.transport = GW_OVER_UDP, .payload_len = 4};
    (void)state;
    begin(&x);
    gw_tcp_add(x.t, &net, 1, 1);
    gw_tcp_end(x.t);
    assert_log(&x, "");
    end(&x);
}

static void test_sizes(void **state)
{
    uint64_t mem;
    (void)state;
    assert_int_equal(gw_tcp_size(0, 4096), 0);
    assert_int_equal(gw_tcp_size(1, (size_t)1 << 31), 0);
    assert_int_equal(gw_tcp_size(SIZE_MAX, 64), 0);
    assert_true(gw_tcp_size(1, 1) == gw_tcp_size(1, 64));
    assert_true(gw_tcp_size(1, 65) == gw_tcp_size(1, 128));
    assert_true(gw_tcp_size(64, 65536) < (size_t)64 * 2 * 88 * 1024);
    assert_null(gw_tcp_init(&mem, 0, 0, on_event, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_life),
        cmocka_unit_test(test_addresses_and_frames),
        cmocka_unit_test(test_direction),
        cmocka_unit_test(test_any_split_and_order),
        cmocka_unit_test(test_nothing_is_guessed),
        cmocka_unit_test(test_wrap),
        cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_overlap_memory),
        cmocka_unit_test(test_keep_alive),
        cmocka_unit_test(test_acknowledged_but_never_seen),
        cmocka_unit_test(test_window_overflow),
        cmocka_unit_test(test_too_many_pieces),
        cmocka_unit_test(test_missing_at_the_end),
        cmocka_unit_test(test_fin_is_no_byte),
        cmocka_unit_test(test_capture_cut),
        cmocka_unit_test(test_mid_stream),
        cmocka_unit_test(test_data_with_syn),
        cmocka_unit_test(test_reset),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_reset_of_nothing),
        cmocka_unit_test(test_fin_comes_again),
        cmocka_unit_test(test_port_reuse),
        cmocka_unit_test(test_reuse_by_other_side),
        cmocka_unit_test(test_simultaneous_open),
        cmocka_unit_test(test_unseen_successor),
        cmocka_unit_test(test_least_recently_used_goes),
        cmocka_unit_test(test_half_closed_goes_without_a_word),
        cmocka_unit_test(test_many_connections),
        cmocka_unit_test(test_same_ends),
        cmocka_unit_test(test_udp_is_ignored),
        cmocka_unit_test(test_sizes),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
