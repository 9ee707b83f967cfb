/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Frames of a private link type to runs. */
#include "runs.h"

#include <string.h>

#include <epan/wmem_scopes.h>

#include "dialects.h"
#include "ends.h"
#include "goldwire/text.h"
#include "track.h"
#include "unit.h"

#define PORTS 16 /* interfaces that are followed at a time */

/* One run: a message of the stream. */
typedef struct run run;
struct run {
    run *next;
    uint8_t *copy;   /* its bytes, when the frame does not hold all of them; NULL otherwise */
    uint32_t offset; /* in the frame, unless it is a copy */
    uint64_t id;
    gw_message message; /* its data is set when it is shown */
    bool tracked;       /* the session knows it */
};

/* What the first pass found in one frame. */
typedef struct record record;
struct record {
    record *next; /* that waits for the end of the same run */
    run *first;
    run **last;
    uint32_t num_runs;
    uint32_t frame;
    uint32_t rest;    /* bytes at its end of a run that goes on ... */
    uint32_t ends_in; /* ... and the frame where that ends; 0: it is not known */
};

/* A book of records by frame, in the memory of |scope|. */
typedef struct book {
    wmem_allocator_t *scope;
    wmem_map_t *records;
} book;

/* One direction of a port. Positions count its bytes. */
typedef struct way {
    uint64_t out;    /* up to here it was cut into runs */
    uint64_t fed;    /* up to here the codec has it */
    record *waiting; /* frames that brought bytes of the run at hand */
} way;

typedef struct port {
    void *state; /* of the codec's stream; NULL: the place is free */
    const gw_dialect *dialect;
    way ways[2];
    uint64_t used; /* when, in frames */
    uint32_t interface;
} port;

struct gw_ws_runs {
    gw_ws_runs *next; /* of the list of all */
    const gw_ws_bridge *bridge;
    const gw_link *link;
    port ports[PORTS];
    uint64_t frames;
    bool open;       /* a frame has come */
    book known;      /* what ended so far; file scope */
    book unfinished; /* what would be left over if the capture ended here; its own scope */
    bool unfinished_valid;
    int hf_frame;
    int hf_ends_in;
    int hf_direction;
};

static gw_ws_runs *all;

/* What a first-pass call carries through the codec's callback. */
typedef struct feeding {
    gw_ws_runs *runs;
    port *port;
    book *book;
    bool tracked;
    uint64_t start;  /* position of the frame's first byte ... */
    uint32_t header; /* ... and how many bytes precede that; only with |frame| */
    uint32_t frame;  /* 0: none is being read */
} feeding;

/* ---- keeping ---- */

static record *record_of(book *b, uint32_t frame)
{
    record *r = (record *)wmem_map_lookup(b->records, GUINT_TO_POINTER(frame));

    if (r == NULL) {
        r = wmem_new0(b->scope, record);
        r->frame = frame;
        r->last = &r->first;
        wmem_map_insert(b->records, GUINT_TO_POINTER(frame), r);
    }
    return r;
}

static run *add_run(book *b, const gw_message *message)
{
    record *r = record_of(b, (uint32_t)message->frame);
    run *added = wmem_new0(b->scope, run);

    added->id = gw_ws_track_id(r->frame, r->num_runs++);
    added->message = *message;
    *r->last = added;
    r->last = &added->next;
    return added;
}

static void open_book(book *b, wmem_allocator_t *scope)
{
    b->scope = scope;
    b->records = wmem_map_new(scope, g_direct_hash, g_direct_equal);
}

static void forget_unfinished(gw_ws_runs *r)
{
    if (r->unfinished_valid)
        wmem_destroy_allocator(r->unfinished.scope);
    r->unfinished_valid = false;
}

static void capture_closed(void)
{
    for (gw_ws_runs *r = all; r != NULL; r = r->next) {
        forget_unfinished(r);
        for (unsigned i = 0; i < PORTS; i++) {
            g_free(r->ports[i].state);
            r->ports[i] = (port){0};
        }
        r->open = false;
    }
}

/* ---- first pass ---- */

static void on_message(void *ctx, const gw_message *message)
{
    const feeding *f = (const feeding *)ctx;
    way *w = &f->port->ways[message->dir == GW_DIR_OUT ? 1 : 0];
    gw_message m = *message;
    uint64_t from = w->out;

    m.interface = f->port->interface;
    m.link_type = f->runs->link->link_type;
    run *added = add_run(f->book, &m);
    w->out += m.cap_len;
    if (f->frame != 0 && from >= f->start)
        added->offset = f->header + (uint32_t)(from - f->start);
    else
        added->copy = (uint8_t *)wmem_memdup(f->book->scope, m.data, m.cap_len);
    if (!f->tracked)
        return;
    for (; w->waiting != NULL; w->waiting = w->waiting->next)
        w->waiting->ends_in = f->frame;
    added->tracked = true;
    gw_ws_track_feed(f->runs->bridge->track, &m, f->port->dialect, added->id);
}

static void end_port(gw_ws_runs *r, port *p, book *b, bool tracked)
{
    feeding f = {.runs = r, .port = p, .book = b, .tracked = tracked};

    r->link->stream->end(p->state, on_message, &f);
}

static void open_port(gw_ws_runs *r, port *p, uint32_t interface)
{
    static const gw_endpoint nobody;

    if (p->state == NULL)
        p->state = g_malloc(r->link->stream->size);
    p->interface = interface;
    p->ways[0] = p->ways[1] = (way){0};
    p->dialect = gw_ws_dialect_for(r->bridge->dialects, NULL, &nobody, &nobody);
    r->link->stream->init(p->state, p->dialect);
}

/* The port of an interface. When there are too many the one that was quiet for longest goes. */
static port *port_of(gw_ws_runs *r, uint32_t interface)
{
    port *oldest = &r->ports[0];

    for (unsigned i = 0; i < PORTS; i++) {
        port *p = &r->ports[i];
        if (p->state != NULL && p->interface == interface)
            return p;
        if (p->state == NULL || (oldest->state != NULL && p->used < oldest->used))
            oldest = p;
    }
    if (oldest->state != NULL)
        end_port(r, oldest, &r->known, true);
    open_port(r, oldest, interface);
    return oldest;
}

/* A frame whose header is not understood is a message of its own, whole. */
static void add_stray(gw_ws_runs *r, const port *p, const gw_message *m)
{
    run *added = add_run(&r->known, m);

    added->tracked = true;
    gw_ws_track_feed(r->bridge->track, m, p->dialect, added->id);
}

static void feed(gw_ws_runs *r, const gw_message *frame)
{
    port *p = port_of(r, frame->interface);
    gw_message m = *frame;

    p->used = ++r->frames;
    if (r->link->unwrap != NULL && !r->link->unwrap(&m, p->dialect)) {
        add_stray(r, p, &m);
        return;
    }
    unsigned dir = m.dir == GW_DIR_OUT ? 1 : 0;
    way *w = &p->ways[dir];
    feeding f = {.runs = r,
                 .port = p,
                 .book = &r->known,
                 .tracked = true,
                 .start = w->fed,
                 .header = frame->len - m.len,
                 .frame = (uint32_t)frame->frame};
    w->fed += m.cap_len;
    r->link->stream->push(p->state, dir, &m, on_message, &f);
    if (m.cap_len < m.len)
        r->link->stream->gap(p->state, dir, on_message, &f);
    uint64_t rest = w->fed - w->out;
    if (rest == 0 || m.cap_len == 0)
        return;
    record *kept = record_of(&r->known, f.frame);
    kept->rest = rest < m.cap_len ? (uint32_t)rest : m.cap_len;
    kept->next = w->waiting;
    w->waiting = kept;
}

static void first_pass(gw_ws_runs *r, const gw_message *frame)
{
    if (!r->open)
        open_book(&r->known, wmem_file_scope());
    r->open = true;
    forget_unfinished(r);
    /* A frame that a read filter dropped leaves its number to the next one. */
    wmem_map_remove(r->known.records, GUINT_TO_POINTER((uint32_t)frame->frame));
    feed(r, frame);
}

/* A live capture goes on after a packet was looked at, so every stream is put back as it was after
 * it has been ended. It may point into itself, so it has to end where it lies. */
static void work_out_unfinished(gw_ws_runs *r)
{
    open_book(&r->unfinished, wmem_allocator_new(WMEM_ALLOCATOR_BLOCK));
    r->unfinished_valid = true;
    for (unsigned i = 0; i < PORTS; i++) {
        port *p = &r->ports[i], before = *p;
        if (p->state == NULL)
            continue;
        void *state = g_memdup2(p->state, r->link->stream->size);
        end_port(r, p, &r->unfinished, false);
        memcpy(p->state, state, r->link->stream->size);
        g_free(state);
        *p = before;
    }
}

/* ---- every pass ---- */

static void show_generated(const gw_ws_place *place, int hf, uint32_t value)
{
    proto_item_set_generated(
        proto_tree_add_uint(place->tree, hf, place->tvb, (int)place->offset, 0, value));
}

static void show_run(const gw_ws_runs *r, const run *one, tvbuff_t *tvb, packet_info *pinfo,
                     proto_tree *tree, bool first)
{
    static const gw_endpoint nobody;
    uint32_t offset = one->offset;
    gw_message m = one->message;
    uint32_t kept = m.num_frames < GW_MESSAGE_FRAMES ? m.num_frames : GW_MESSAGE_FRAMES;

    if (one->copy != NULL) {
        tvb = tvb_new_child_real_data(tvb, one->copy, m.cap_len, (int)m.cap_len);
        add_new_data_source(pinfo, tvb, "Run of beats");
    } else if (offset > tvb_captured_length(tvb) || m.cap_len > tvb_captured_length(tvb) - offset) {
        return; /* another frame than in the first pass */
    }
    m.data = m.cap_len > 0 ? tvb_get_ptr(tvb, (int)offset, (int)m.cap_len) : NULL;
    gw_ws_unit unit = {.message = m,
                       .dialect = gw_ws_dialect_for(r->bridge->dialects, NULL, &nobody, &nobody),
                       .id = one->id};
    gw_ws_place place =
        gw_ws_show_unit(r->bridge, tvb, pinfo, tree, offset, &unit, first, one->tracked);
    if (m.dir != GW_DIR_UNKNOWN)
        show_generated(&place, r->hf_direction, m.dir);
    for (uint32_t i = 0; m.num_frames > 1 && i < kept; i++)
        show_generated(&place, r->hf_frame, (uint32_t)m.frames[i]);
}

static unsigned show_runs(const gw_ws_runs *r, const record *rec, tvbuff_t *tvb, packet_info *pinfo,
                          proto_tree *tree, unsigned shown)
{
    for (const run *one = rec->first; one != NULL; one = one->next)
        show_run(r, one, tvb, pinfo, tree, shown++ == 0);
    return shown;
}

/* The end of a frame that belongs to a run which ends in another one. */
static void show_rest(const gw_ws_runs *r, const record *rec, const gw_message *frame,
                      tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, bool first)
{
    uint32_t captured = tvb_captured_length(tvb);
    uint32_t offset = captured - (rec->rest < captured ? rec->rest : captured);
    char text[64];
    gw_text t = gw_text_over(text, sizeof text);

    gw_text_dec(&t, rec->rest);
    gw_text_str(&t, " B, continued in another frame");
    gw_ws_set_columns(r->bridge, pinfo, text, first);
    gw_ws_place place = {.tvb = tvb, .pinfo = pinfo, .offset = offset};
    place.item = proto_tree_add_item(tree, r->bridge->proto, tvb, (int)offset,
                                     (int)(captured - offset), ENC_NA);
    proto_item_append_text(place.item, ", %s", text);
    place.tree = proto_item_add_subtree(place.item, r->bridge->ett);
    gw_ws_ends_show_link(r->bridge->ends, &place, frame);
    if (rec->ends_in != 0 && PINFO_FD_VISITED(pinfo))
        show_generated(&place, r->hf_ends_in, rec->ends_in);
}

void gw_ws_runs_dissect(gw_ws_runs *r, tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree,
                        const gw_message *frame)
{
    unsigned shown = 0;

    if (!PINFO_FD_VISITED(pinfo))
        first_pass(r, frame);
    if (!r->open)
        return;
    const record *known =
        (const record *)wmem_map_lookup(r->known.records, GUINT_TO_POINTER(pinfo->num));
    if (known != NULL)
        shown = show_runs(r, known, tvb, pinfo, tree, shown);
    if (PINFO_FD_VISITED(pinfo)) {
        if (!r->unfinished_valid)
            work_out_unfinished(r);
        const record *left =
            (const record *)wmem_map_lookup(r->unfinished.records, GUINT_TO_POINTER(pinfo->num));
        if (left != NULL) {
            show_runs(r, left, tvb, pinfo, tree, shown);
            return;
        }
    }
    if (known != NULL && known->rest > 0)
        show_rest(r, known, frame, tvb, pinfo, tree, shown == 0);
}

/* ---- registration ---- */

static void register_fields(gw_ws_runs *r)
{
    static const value_string directions[] = {
        {GW_DIR_IN, "received"}, {GW_DIR_OUT, "sent"}, {0, NULL}};
    const struct {
        int *hf;
        const char *key, *label, *blurb;
        enum ftenum type;
        const void *strings;
    } fields[] = {
        {&r->hf_frame, "frame", "Bytes in frame", "A frame that brought bytes of this run",
         FT_FRAMENUM, NULL},
        {&r->hf_ends_in, "ends_in", "Ends in frame", "Where the run that begins here ends",
         FT_FRAMENUM, NULL},
        {&r->hf_direction, "direction", "Direction", "Which way the run went", FT_UINT8,
         VALS(directions)},
    };
    hf_register_info *regs =
        (hf_register_info *)wmem_alloc0(wmem_epan_scope(), G_N_ELEMENTS(fields) * sizeof *regs);

    for (unsigned i = 0; i < G_N_ELEMENTS(fields); i++) {
        *fields[i].hf = -1;
        regs[i].p_id = fields[i].hf;
        regs[i].hfinfo = (header_field_info){
            .name = fields[i].label,
            .abbrev = wmem_strdup_printf(wmem_epan_scope(), "%s.link.%s", r->bridge->format->name,
                                         fields[i].key),
            .type = fields[i].type,
            .display = fields[i].type == FT_FRAMENUM ? BASE_NONE : BASE_DEC,
            .strings = fields[i].strings,
            .blurb = fields[i].blurb,
            HFILL};
    }
    proto_register_field_array(r->bridge->proto, regs, (int)G_N_ELEMENTS(fields));
}

gw_ws_runs *gw_ws_runs_register(const gw_ws_bridge *bridge, const gw_link *link)
{
    gw_ws_runs *r = wmem_new0(wmem_epan_scope(), gw_ws_runs);

    if (all == NULL)
        register_cleanup_routine(capture_closed);
    r->bridge = bridge;
    r->link = link;
    r->next = all;
    all = r;
    register_fields(r);
    return r;
}
