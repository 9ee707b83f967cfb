/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces to wholes. */
#include "objects.h"

#include <string.h>

#include <epan/wmem_scopes.h>

#include "stats/export.h"

#define MAX_CHANNELS 4096u             /* that are put together at a time */
#define MAX_WHOLE ((uint64_t)64 << 20) /* bytes of one */
#define MAX_KEPT ((uint64_t)256 << 20) /* bytes of all, of one capture */

/* Where pieces meet: a receiver's channel. */
typedef struct channel_key {
    gw_endpoint receiver;
    uint64_t channel;
    uint64_t interface;
} channel_key;

typedef struct whole {
    wmem_array_t *bytes; /* NULL: some are missing, and none are kept */
    const char *what;
    uint64_t name;
    uint64_t size; /* as told; 0: not told */
    uint64_t last; /* id of its last piece so far */
    uint32_t last_frame;
    uint32_t num_pieces;
    bool has_end; /* a piece tells its end; of another kind it ends where the next one begins */
    bool ended;
} whole;

typedef struct channel {
    channel_key key;
    whole *open;
    uint64_t at; /* of the piece before ... */
    uint64_t next;
    uint32_t len; /* ... and its bytes */
} channel;

/* Of which whole a message is a piece. */
typedef struct member {
    uint64_t id;
    whole *of;
} member;

enum { ENDS_IN, NAME, LEN, PIECES, NUM_FIELDS };

struct gw_ws_objects {
    const gw_ws_bridge *bridge;
    wmem_map_t *channels; /* file scope, as the next one */
    wmem_map_t *members;  /* by id */
    int tap;
    int hf[NUM_FIELDS];
};

static uint64_t kept; /* bytes, of all formats */

/* ---- putting together ---- */

static void capture_closed(void)
{
    kept = 0;
}

static guint hash_key(gconstpointer key)
{
    return wmem_strong_hash((const uint8_t *)key, sizeof(channel_key));
}

static gboolean keys_equal(gconstpointer a, gconstpointer b)
{
    return memcmp(a, b, sizeof(channel_key)) == 0;
}

/* The channel of |portion|; NULL when there are too many. */
static channel *channel_of(gw_ws_objects *o, const gw_message *message, const gw_portion *portion)
{
    channel_key key;

    memset(&key, 0, sizeof key); /* what lies between its members is hashed and compared, too */
    key.receiver = message->dst;
    key.channel = portion->channel;
    key.interface = message->transport == GW_OVER_NOTHING ? message->interface : 0;
    channel *c = (channel *)wmem_map_lookup(o->channels, &key);

    if (c != NULL || wmem_map_size(o->channels) >= MAX_CHANNELS)
        return c;
    c = wmem_new0(wmem_file_scope(), channel);
    c->key = key;
    wmem_map_insert(o->channels, &c->key, c);
    return c;
}

static void lose(whole *w)
{
    if (w->bytes == NULL)
        return;
    kept -= wmem_array_get_count(w->bytes);
    wmem_destroy_array(w->bytes);
    w->bytes = NULL;
}

static whole *begin(const gw_portion *portion)
{
    whole *w = wmem_new0(wmem_file_scope(), whole);

    w->bytes = wmem_array_new(wmem_file_scope(), 1);
    w->what = portion->what;
    w->name = portion->name;
    w->size = portion->size;
    w->has_end = portion->joint != GW_JOINT_ANY;
    return w;
}

/* What nobody has written yet is zero. */
static void grow(whole *w, uint64_t len)
{
    static const uint8_t zeros[1024];
    uint64_t have = wmem_array_get_count(w->bytes);

    for (; have < len; have += len - have < sizeof zeros ? len - have : sizeof zeros) {
        unsigned more = (unsigned)(len - have < sizeof zeros ? len - have : sizeof zeros);
        wmem_array_append(w->bytes, zeros, more);
        kept += more;
    }
}

/* Byte |i| of |portion| as it lies in memory. */
static uint8_t byte_at(const gw_portion *portion, uint32_t i)
{
    uint32_t run = portion->reversed;

    if (run == 0 || i >= portion->len - portion->len % run)
        return portion->data[i];
    return portion->data[i - i % run + run - 1 - i % run];
}

static void add(whole *w, const gw_portion *portion)
{
    if (w->bytes == NULL)
        return;
    uint64_t from = portion->placed ? portion->offset : wmem_array_get_count(w->bytes);
    uint64_t end = from + portion->len;
    if (portion->len < portion->sent || end > MAX_WHOLE || kept + end > MAX_KEPT) {
        lose(w);
        return;
    }
    grow(w, end);
    uint8_t *bytes = (uint8_t *)wmem_array_get_raw(w->bytes);
    for (uint32_t i = 0; i < portion->len; i++)
        bytes[from + i] = byte_at(portion, i);
}

static void end(whole *w, bool told)
{
    w->ended = true;
    if (w->bytes != NULL &&
        ((w->has_end && !told) || (w->size != 0 && w->size != wmem_array_get_count(w->bytes))))
        lose(w);
}

static void remember(gw_ws_objects *o, uint64_t id, whole *w)
{
    member *m = wmem_new(wmem_file_scope(), member);

    *m = (member){id, w};
    wmem_map_insert(o->members, &m->id, m);
}

/* Whether the piece before came once more, in the middle of a whole. */
static bool repeats(const channel *c, const gw_portion *portion)
{
    const whole *w = c->open;

    if (w == NULL || w->bytes == NULL || w->num_pieces < 2 || portion->placed ||
        portion->joint == GW_JOINT_FIRST || portion->at != c->at || portion->len != c->len)
        return false;
    const uint8_t *bytes = (const uint8_t *)wmem_array_get_raw(w->bytes);
    const uint8_t *before = bytes + wmem_array_get_count(w->bytes) - portion->len;
    for (uint32_t i = 0; i < portion->len; i++) {
        if (before[i] != byte_at(portion, i))
            return false;
    }
    return true;
}

/* Takes a piece, and returns the whole that it shows to be at its end without being its last piece;
 * NULL: none. */
static whole *take(gw_ws_objects *o, channel *c, const gw_portion *portion, uint64_t id,
                   uint32_t frame)
{
    whole *before = c->open, *ended = NULL;

    if (repeats(c, portion)) {
        remember(o, id, before);
        return NULL;
    }
    if (before != NULL && (portion->joint == GW_JOINT_FIRST || portion->at != c->next)) {
        end(before, false);
        ended = before;
        c->open = NULL;
    }
    if (c->open == NULL && portion->joint == GW_JOINT_BEHIND)
        return ended;
    if (c->open == NULL)
        c->open = begin(portion);
    whole *w = c->open;
    add(w, portion);
    w->num_pieces++;
    w->last = id;
    w->last_frame = frame;
    remember(o, id, w);
    c->at = portion->at;
    c->next = portion->next;
    c->len = portion->len;
    if (portion->last) {
        end(w, true);
        c->open = NULL;
    }
    return ended;
}

/* ---- telling and showing ---- */

static void tell(const gw_ws_objects *o, packet_info *pinfo, const gw_message *message,
                 const whole *w)
{
    gw_ws_export object = {.what = w->what, .name = w->name, .frame = w->last_frame};

    if (w->bytes == NULL || !gw_ws_export_open(o->tap))
        return;
    object.receiver = &message->dst;
    object.data = (const uint8_t *)wmem_array_get_raw(w->bytes);
    object.len = wmem_array_get_count(w->bytes);
    gw_ws_export_tell(o->tap, pinfo, &object);
}

static void show_whole(const gw_ws_objects *o, const gw_ws_place *p, const whole *w)
{
    unsigned len = wmem_array_get_count(w->bytes);
    const uint8_t *bytes = (const uint8_t *)wmem_array_get_raw(w->bytes);
    if (!w->ended) /* a live capture goes on, and may move them */
        bytes = (const uint8_t *)wmem_memdup(p->pinfo->pool, bytes, len);
    tvbuff_t *tvb = tvb_new_child_real_data(p->tvb, bytes, len, (int)len);

    add_new_data_source(p->pinfo, tvb,
                        wmem_strdup_printf(p->pinfo->pool, "Reassembled %s", w->what));
    proto_item_set_generated(proto_tree_add_uint(p->tree, o->hf[LEN], tvb, 0, (int)len, len));
    proto_item_set_generated(proto_tree_add_uint64(p->tree, o->hf[NAME], tvb, 0, 0, w->name));
    proto_item_set_generated(proto_tree_add_uint(p->tree, o->hf[PIECES], tvb, 0, 0, w->num_pieces));
}

void gw_ws_objects_show(gw_ws_objects *o, const gw_ws_place *p, const gw_message *message,
                        const gw_dialect *dialect, uint64_t id)
{
    packet_info *pinfo = p->pinfo;
    gw_portion portion;

    if (!PINFO_FD_VISITED(pinfo)) {
        channel *c = o->bridge->format->portion(message, dialect, &portion)
                         ? channel_of(o, message, &portion)
                         : NULL;
        whole *ended = c != NULL ? take(o, c, &portion, id, pinfo->num) : NULL;
        if (ended != NULL)
            tell(o, pinfo, message, ended);
    }
    const member *m = (const member *)wmem_map_lookup(o->members, &id);
    if (m == NULL || m->of->bytes == NULL)
        return;
    const whole *w = m->of;
    if (w->last == id && (w->ended || (!w->has_end && PINFO_FD_VISITED(pinfo)))) {
        tell(o, pinfo, message, w);
        show_whole(o, p, w);
    } else if (PINFO_FD_VISITED(pinfo) && p->tree != NULL && (w->ended || !w->has_end)) {
        proto_item_set_generated(
            proto_tree_add_uint(p->tree, o->hf[ENDS_IN], p->tvb, (int)p->offset, 0, w->last_frame));
    }
}

/* ---- registration ---- */

static void register_fields(gw_ws_objects *o)
{
    static const struct {
        const char *key, *label, *blurb;
        enum ftenum type;
        int display;
    } fields[NUM_FIELDS] = {
        [ENDS_IN] = {"object.ends_in", "Whole in frame",
                     "Where the last piece of the frame, buffer or event came", FT_FRAMENUM,
                     BASE_NONE},
        [NAME] = {"object.name", "Address or event of the whole",
                  "Where the frame or buffer begins, or the number of the event", FT_UINT64,
                  BASE_HEX},
        [LEN] = {"object.len", "Bytes of the whole", "Of the frame, buffer or event", FT_UINT32,
                 BASE_DEC},
        [PIECES] = {"object.pieces", "Pieces of the whole", "Messages that it came in", FT_UINT32,
                    BASE_DEC},
    };
    hf_register_info *regs =
        (hf_register_info *)wmem_alloc0(wmem_epan_scope(), NUM_FIELDS * sizeof *regs);

    for (unsigned i = 0; i < NUM_FIELDS; i++) {
        o->hf[i] = -1;
        regs[i].p_id = &o->hf[i];
        regs[i].hfinfo = (header_field_info){
            .name = fields[i].label,
            .abbrev = wmem_strdup_printf(wmem_epan_scope(), "%s.%s", o->bridge->format->name,
                                         fields[i].key),
            .type = fields[i].type,
            .display = fields[i].display,
            .blurb = fields[i].blurb,
            HFILL};
    }
    proto_register_field_array(o->bridge->proto, regs, NUM_FIELDS);
}

gw_ws_objects *gw_ws_objects_register(const gw_ws_bridge *bridge)
{
    static bool watched;
    gw_ws_objects *o;

    if (bridge->format->portion == NULL)
        return NULL;
    if (!watched)
        register_cleanup_routine(capture_closed);
    watched = true;
    o = wmem_new0(wmem_epan_scope(), gw_ws_objects);
    o->bridge = bridge;
    o->channels =
        wmem_map_new_autoreset(wmem_epan_scope(), wmem_file_scope(), hash_key, keys_equal);
    o->members = wmem_map_new_autoreset(wmem_epan_scope(), wmem_file_scope(), wmem_int64_hash,
                                        g_int64_equal);
    o->tap = gw_ws_export_register(bridge->proto);
    register_fields(o);
    return o;
}
