/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sessions and their results. */
#include "track.h"

#include <string.h>

#include <epan/tfs.h>
#include <epan/to_str.h>
#include <epan/wmem_scopes.h>

#define SESSION_BYTES ((size_t)4 << 20)

/* What a message has to do with another one. */
typedef struct mark mark;
struct mark {
    mark *next;
    uint64_t other;   /* id of the request, or of the response */
    uint64_t earlier; /* of a duplicate: the first answer's id */
    int64_t delta_ns;
    uint8_t kind; /* gw_relation_kind */
    bool of_request;
    bool ambiguous;
};

/* A departure that only the conversation showed. */
typedef struct remark remark;
struct remark {
    remark *next;
    const gw_rule *rule;
    const char *text;
    uint64_t revealed_by;
};

/* Everything known of one message. */
typedef struct record {
    uint64_t id;
    mark *marks;
    remark *remarks;
} record;

/* A book of records, in the memory of |scope|. */
typedef struct book {
    gw_verdict_sink sink;
    wmem_allocator_t *scope;
    wmem_map_t *records;
} book;

enum generated {
    RESPONSE_TO,
    STALE_RESPONSE_TO,
    RESPONSE_IN,
    RESPONSE_TIME,
    DUPLICATE_OF,
    UNANSWERED,
    DUPLICATE,
    STALE,
    UNSOLICITED,
    UNTRACKED,
    AMBIGUOUS,
    FORWARDS,
    FORWARDED_IN,
    NUM_GENERATED
};

struct gw_ws_track {
    gw_ws_track *next; /* of the list of all */
    const gw_ws_bridge *bridge;
    unsigned give_up_ms; /* preferences */
    gw_ws_bool lossless;
    void *session; /* NULL until the capture's first message */
    size_t session_size;
    book known;      /* what the messages so far have shown; file scope */
    book unfinished; /* what would be left if the capture ended here; its own scope */
    bool unfinished_valid;
    int hf[NUM_GENERATED];
    expert_field experts[NUM_GENERATED];
};

static gw_ws_track *tracks;

uint64_t gw_ws_track_id(uint32_t frame, uint32_t ordinal)
{
    return (uint64_t)ordinal << 32 | frame;
}

uint64_t gw_ws_track_id_at(const packet_info *pinfo, tvbuff_t *tvb)
{
    return gw_ws_track_id(pinfo->num, (uint32_t)tvb_raw_offset(tvb));
}

static uint32_t frame_of(uint64_t id)
{
    return (uint32_t)id;
}

/* ---- keeping ---- */

static record *record_of(book *b, uint64_t id)
{
    record *r = (record *)wmem_map_lookup(b->records, &id);

    if (r == NULL) {
        r = wmem_new0(b->scope, record);
        r->id = id;
        wmem_map_insert(b->records, &r->id, r);
    }
    return r;
}

static void add_mark(book *b, uint64_t id, const mark *wanted)
{
    record *r = record_of(b, id);
    mark **end = &r->marks;

    for (; *end != NULL; end = &(*end)->next) {
        const mark *m = *end;
        if (m->kind == wanted->kind && m->of_request == wanted->of_request &&
            m->other == wanted->other && m->ambiguous == wanted->ambiguous)
            return; /* another record of the same packets */
    }
    *end = (mark *)wmem_memdup(b->scope, wanted, sizeof *wanted);
}

static void on_relation(gw_verdict_sink *sink, const gw_relation *relation)
{
    book *b = (book *)sink;
    mark m = {.earlier = relation->earlier,
              .delta_ns = relation->delta_ns,
              .kind = relation->kind,
              .ambiguous = relation->ambiguous};

    if (relation->response != 0) {
        m.other = relation->request;
        add_mark(b, relation->response, &m);
    }
    if (relation->request != 0) {
        m.other = relation->response;
        m.of_request = true;
        add_mark(b, relation->request, &m);
    }
}

/* The session takes ids for frame numbers and may name them in its texts: "the request of frame 7".
 */
static const char *plain_frames(wmem_allocator_t *scope, const char *text)
{
    static const char word[] = "frame ";
    wmem_strbuf_t *out = wmem_strbuf_new(scope, "");
    const char *at;

    while ((at = strstr(text, word)) != NULL) {
        char *end;
        at += sizeof word - 1;
        uint64_t id = g_ascii_strtoull(at, &end, 10);
        wmem_strbuf_append_len(out, text, (size_t)(at - text));
        if (end > at)
            wmem_strbuf_append_printf(out, "%u", frame_of(id));
        text = end;
    }
    wmem_strbuf_append(out, text);
    return wmem_strbuf_get_str(out);
}

static void on_finding(gw_verdict_sink *sink, const gw_finding *finding)
{
    book *b = (book *)sink;
    record *r = record_of(b, finding->frame);
    remark *kept = wmem_new0(b->scope, remark);

    kept->rule = finding->rule;
    kept->text = plain_frames(b->scope, finding->text);
    kept->revealed_by = finding->revealed_by;
    kept->next = r->remarks;
    r->remarks = kept;
}

static void open_book(book *b, wmem_allocator_t *scope)
{
    b->sink.relation = on_relation;
    b->sink.finding = on_finding;
    b->scope = scope;
    b->records = wmem_map_new(scope, wmem_int64_hash, g_int64_equal);
}

static void start_session(gw_ws_track *t)
{
    const gw_session_ops *ops = t->bridge->format->session;

    if (ops == NULL)
        return; /* the format has no conversations */
    t->session_size = ops->min_size > SESSION_BYTES ? ops->min_size : SESSION_BYTES;
    t->session = g_malloc(t->session_size);
    if (!ops->init(t->session, t->session_size, (int64_t)t->give_up_ms * 1000000)) {
        g_free(t->session);
        t->session = NULL;
        return;
    }
    if (t->lossless)
        ops->lossless(t->session);
    open_book(&t->known, wmem_file_scope());
}

static void forget_unfinished(gw_ws_track *t)
{
    if (t->unfinished_valid)
        wmem_destroy_allocator(t->unfinished.scope);
    t->unfinished_valid = false;
}

static void capture_closed(void)
{
    for (gw_ws_track *t = tracks; t != NULL; t = t->next) {
        forget_unfinished(t);
        g_free(t->session);
        t->session = NULL;
    }
}

void gw_ws_track_feed(gw_ws_track *t, const gw_message *message, const gw_dialect *dialect,
                      uint64_t id)
{
    gw_message named = *message;

    if (t->session == NULL)
        start_session(t);
    if (t->session == NULL)
        return;
    forget_unfinished(t);
    named.frame = id;
    t->bridge->format->session->feed(t->session, &named, dialect, &t->known.sink);
}

/* A live capture goes on after a packet was looked at, so the session is put back as it was after
 * it has been ended. It may point into itself, so it has to end where it lies. */
static void work_out_unfinished(gw_ws_track *t)
{
    void *backup = g_memdup2(t->session, t->session_size);

    open_book(&t->unfinished, wmem_allocator_new(WMEM_ALLOCATOR_BLOCK));
    t->unfinished_valid = true;
    t->bridge->format->session->end(t->session, &t->unfinished.sink);
    memcpy(t->session, backup, t->session_size);
    g_free(backup);
}

/* ---- showing ---- */

static void show_frame(const gw_ws_track *t, const gw_ws_place *p, enum generated which,
                       uint64_t id)
{
    proto_item_set_generated(
        proto_tree_add_uint(p->tree, t->hf[which], p->tvb, (int)p->offset, 0, frame_of(id)));
}

static void show_time(const gw_ws_track *t, const gw_ws_place *p, int64_t delta_ns)
{
    nstime_t delta = {.secs = (time_t)(delta_ns / 1000000000),
                      .nsecs = (int)(delta_ns % 1000000000)};

    proto_item_set_generated(
        proto_tree_add_time(p->tree, t->hf[RESPONSE_TIME], p->tvb, (int)p->offset, 0, &delta));
}

static void show_flag(gw_ws_track *t, const gw_ws_place *p, enum generated which)
{
    proto_item *item =
        proto_tree_add_boolean(p->tree, t->hf[which], p->tvb, (int)p->offset, 0, TRUE);

    proto_item_set_generated(item);
    if (t->experts[which].ei != EI_INIT_EI)
        expert_add_info(p->pinfo, item != NULL ? item : p->item, &t->experts[which]);
}

static void show_response(gw_ws_track *t, const gw_ws_place *p, const mark *m)
{
    if (m->kind == GW_FORWARDED) {
        show_frame(t, p, FORWARDS, m->other);
        return;
    }
    if (m->kind == GW_DUPLICATE)
        show_flag(t, p, DUPLICATE);
    else if (m->kind == GW_STALE)
        show_flag(t, p, STALE);
    else if (m->kind == GW_UNSOLICITED)
        show_flag(t, p, UNSOLICITED);
    else if (m->kind == GW_UNTRACKED)
        show_flag(t, p, UNTRACKED);
    if (m->other != 0) {
        show_frame(t, p, m->kind == GW_STALE ? STALE_RESPONSE_TO : RESPONSE_TO, m->other);
        show_time(t, p, m->delta_ns);
    }
    if (m->kind == GW_DUPLICATE && m->earlier != 0)
        show_frame(t, p, DUPLICATE_OF, m->earlier);
    if (m->ambiguous)
        show_flag(t, p, AMBIGUOUS);
}

static void show_request(gw_ws_track *t, const gw_ws_place *p, const mark *m)
{
    if (m->kind == GW_UNANSWERED)
        show_flag(t, p, UNANSWERED);
    else if (m->kind == GW_UNTRACKED)
        show_flag(t, p, UNTRACKED);
    else if (m->kind == GW_FORWARDED)
        show_frame(t, p, FORWARDED_IN, m->other);
    else if (m->kind != GW_DUPLICATE && m->other != 0)
        show_frame(t, p, RESPONSE_IN, m->other);
}

static void show_record(gw_ws_track *t, const gw_ws_place *p, const gw_dialect *dialect, book *b,
                        uint64_t id)
{
    const record *r = (const record *)wmem_map_lookup(b->records, &id);

    if (r == NULL)
        return;
    for (const mark *m = r->marks; m != NULL; m = m->next) {
        if (m->of_request)
            show_request(t, p, m);
        else
            show_response(t, p, m);
    }
    for (const remark *k = r->remarks; k != NULL; k = k->next) {
        const char *text = k->text;
        if (k->revealed_by != id)
            text = wmem_strdup_printf(p->pinfo->pool, "%s (frame %u shows it)", text,
                                      frame_of(k->revealed_by));
        gw_ws_bridge_expert(t->bridge, p->pinfo, p->item, k->rule, dialect, text);
    }
}

void gw_ws_track_show(gw_ws_track *t, const gw_ws_place *place, const gw_dialect *dialect,
                      uint64_t id)
{
    if (t->session == NULL)
        return;
    show_record(t, place, dialect, &t->known, id);
    if (!PINFO_FD_VISITED(place->pinfo))
        return;
    if (!t->unfinished_valid)
        work_out_unfinished(t);
    show_record(t, place, dialect, &t->unfinished, id);
}

/* ---- telling ---- */

static void tell_record(const gw_ws_track *t, packet_info *pinfo, const gw_dialect *dialect,
                        const book *b, uint64_t id, gw_ws_account *account)
{
    const record *r = (const record *)wmem_map_lookup(b->records, &id);

    if (r == NULL)
        return;
    for (const mark *m = r->marks; m != NULL; m = m->next) {
        gw_ws_meeting meeting = {.delta_ns = m->delta_ns,
                                 .kind = m->kind,
                                 .of_request = m->of_request,
                                 .ambiguous = m->ambiguous};
        if (!m->of_request && m->other != 0)
            meeting.asked = gw_ws_tap_asked(t->bridge->tap, pinfo, m->other);
        gw_ws_tap_meet(account, pinfo, &meeting);
    }
    for (const remark *k = r->remarks; k != NULL; k = k->next)
        gw_ws_tap_fault(account, pinfo, k->rule,
                        gw_dialect_knows(dialect, k->rule, NULL, k->text) != NULL);
}

void gw_ws_track_tell(gw_ws_track *t, packet_info *pinfo, const gw_dialect *dialect, uint64_t id,
                      gw_ws_account *account)
{
    if (t->session == NULL)
        return;
    tell_record(t, pinfo, dialect, &t->known, id, account);
    if (PINFO_FD_VISITED(pinfo) && t->unfinished_valid)
        tell_record(t, pinfo, dialect, &t->unfinished, id, account);
}

uint64_t gw_ws_track_origin(gw_ws_track *t, uint64_t id)
{
    const record *r =
        t->session != NULL ? (const record *)wmem_map_lookup(t->known.records, &id) : NULL;

    for (const mark *m = r != NULL ? r->marks : NULL; m != NULL; m = m->next) {
        if (m->kind == GW_FORWARDED && !m->of_request)
            return m->other;
    }
    return 0;
}

/* ---- registration ---- */

static const struct {
    const char *key;
    const char *label;
    const char *blurb;
    enum ftenum type;
    enum ft_framenum_type frame;
} fields[NUM_GENERATED] = {
    [RESPONSE_TO] = {"response_to", "Response to", "The request that this answers", FT_FRAMENUM,
                     FT_FRAMENUM_REQUEST},
    [STALE_RESPONSE_TO] = {"stale_response_to", "Stale response to",
                           "The request that this answers after it had been given up", FT_FRAMENUM,
                           FT_FRAMENUM_REQUEST},
    [RESPONSE_IN] = {"response_in", "Response in", "The packet that answers this request",
                     FT_FRAMENUM, FT_FRAMENUM_RESPONSE},
    [RESPONSE_TIME] = {"response_time", "Response time", "Capture time since the request",
                       FT_RELATIVE_TIME, FT_FRAMENUM_NONE},
    [DUPLICATE_OF] = {"duplicate_of", "Duplicate of", "The packet that gave the same answer first",
                      FT_FRAMENUM, FT_FRAMENUM_NONE},
    [UNANSWERED] = {"unanswered", "Unanswered", "No answer to this request was captured in time",
                    FT_BOOLEAN, FT_FRAMENUM_NONE},
    [DUPLICATE] = {"duplicate", "Duplicate", "Answers a request that was answered before",
                   FT_BOOLEAN, FT_FRAMENUM_NONE},
    [STALE] = {"stale", "Stale", "Answers a request that had been given up", FT_BOOLEAN,
               FT_FRAMENUM_NONE},
    [UNSOLICITED] = {"unsolicited", "Unsolicited", "Answers no request that was captured",
                     FT_BOOLEAN, FT_FRAMENUM_NONE},
    [UNTRACKED] = {"untracked", "Untracked",
                   "More was outstanding than is remembered: nothing can be said of this one",
                   FT_BOOLEAN, FT_FRAMENUM_NONE},
    [AMBIGUOUS] = {"ambiguous", "Ambiguous",
                   "More than one outstanding request could have been meant; the oldest is taken",
                   FT_BOOLEAN, FT_FRAMENUM_NONE},
    [FORWARDS] = {"forwards", "Forwards", "The packet that this one is, on its way before",
                  FT_FRAMENUM, FT_FRAMENUM_NONE},
    [FORWARDED_IN] = {"forwarded_in", "Forwarded in", "This packet, on its way after", FT_FRAMENUM,
                      FT_FRAMENUM_NONE},
};

static const struct {
    enum generated field;
    int severity;
    const char *summary;
} notes[] = {
    {UNANSWERED, PI_WARN, "No answer was captured in time"},
    {DUPLICATE, PI_NOTE, "The request was answered before"},
    {STALE, PI_NOTE, "The answer came after the request had been given up"},
    {UNSOLICITED, PI_NOTE, "No request for this answer was captured"},
};

static void register_fields(gw_ws_track *t)
{
    hf_register_info *regs =
        (hf_register_info *)wmem_alloc0(wmem_epan_scope(), NUM_GENERATED * sizeof *regs);

    for (unsigned i = 0; i < NUM_GENERATED; i++) {
        t->hf[i] = -1;
        t->experts[i] = (expert_field)EI_INIT;
        regs[i].p_id = &t->hf[i];
        regs[i].hfinfo = (header_field_info){
            .name = fields[i].label,
            .abbrev = wmem_strdup_printf(wmem_epan_scope(), "%s.%s", t->bridge->format->name,
                                         fields[i].key),
            .type = fields[i].type,
            .display = BASE_NONE,
            .strings = fields[i].type == FT_FRAMENUM ? FRAMENUM_TYPE(fields[i].frame) : NULL,
            .blurb = fields[i].blurb,
            HFILL};
    }
    proto_register_field_array(t->bridge->proto, regs, NUM_GENERATED);
}

static void register_experts(gw_ws_track *t)
{
    ei_register_info *regs =
        (ei_register_info *)wmem_alloc0(wmem_epan_scope(), G_N_ELEMENTS(notes) * sizeof *regs);

    for (unsigned i = 0; i < G_N_ELEMENTS(notes); i++) {
        regs[i].ids = &t->experts[notes[i].field];
        regs[i].eiinfo = (expert_field_info){
            wmem_strdup_printf(wmem_epan_scope(), "%s.note.%s", t->bridge->format->name,
                               fields[notes[i].field].key),
            PI_SEQUENCE, notes[i].severity, notes[i].summary, EXPFILL};
    }
    expert_register_field_array(expert_register_protocol(t->bridge->proto), regs,
                                (int)G_N_ELEMENTS(notes));
}

gw_ws_track *gw_ws_track_register(const gw_ws_bridge *bridge)
{
    gw_ws_track *t = wmem_new0(wmem_epan_scope(), gw_ws_track);

    if (tracks == NULL)
        register_cleanup_routine(capture_closed);
    t->bridge = bridge;
    t->next = tracks;
    tracks = t;
    register_fields(t);
    register_experts(t);
    return t;
}

void gw_ws_track_preferences(gw_ws_track *t, module_t *module, unsigned give_up_ms,
                             const char *title, const char *text)
{
    const gw_session_ops *ops = t->bridge->format->session;

    t->give_up_ms = give_up_ms;
    prefs_register_uint_preference(module, "give_up", title, text, 10, &t->give_up_ms);
    if (ops != NULL && ops->lossless != NULL)
        prefs_register_bool_preference(
            module, "lossless", "Nothing got lost on the way",
            "Between the ends, and from there to the capture, nothing got lost, was repeated or "
            "overtook: what is missing or comes twice is held against who sent it, or did not",
            &t->lossless);
}
