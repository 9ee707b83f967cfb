/* SPDX-License-Identifier: BSD-2-Clause */
/* A message as one JSON object, the form that `goldwire encode` reads back. */
#include <stdlib.h>

#include "goldwire/ib.h"
#include "goldwire/text.h"
#include "inspect/describe/describe.h"
#include "inspect/path.h"
#include "inspect/sender.h"
#include "inspect/sessions.h"
#include "inspect/stamp.h"

#define ENDPOINT_MAX 80
/* Numbers up to here survive every JSON reader: those that know only doubles, too. */
#define NUMBER_BITS_MAX 53

/* What one walk tells: the fields, and what it derives from them, which stands elsewhere in the
 * object and is written aside until it is its turn. */
typedef struct object_sink {
    gw_sink sink;
    gw_json *json;
    gw_path path;
    gw_account *account; /* lends its mask */
    gw_json derived;
    FILE *aside; /* of |derived|; NULL before anything is derived */
    char *text;  /* that was written there */
    size_t text_len;
    bool failed; /* for want of memory */
} object_sink;

/* An address that only re-reads a leaf, as people write it; `encode` takes the leaf's number. */
static void write_address(gw_json *json, const gw_item *item)
{
    char buf[ENDPOINT_MAX];
    gw_text text = gw_text_over(buf, sizeof buf);

    gw_text_value(&text, item->field, item->value, 0);
    gw_json_str(json, "value", buf);
}

static void write_value(gw_json *json, const gw_item *item)
{
    if (item->field->type == GW_BYTES)
        gw_json_hex(json, "value", item->bytes, item->bits / 8);
    else if (item->field->base == GW_IPV4 && item->field->view)
        write_address(json, item);
    else if (item->bits > NUMBER_BITS_MAX)
        gw_json_word(json, "value", item->value, (item->bits + 3) / 4);
    else
        gw_json_uint(json, "value", item->value);
}

/* The name of a derived value where it has one. */
static void write_fact(gw_json *json, const gw_item *item)
{
    const gw_field *field = item->field;
    const char *name = gw_field_value_name(field, item->value);

    gw_json_open(json, NULL, '{');
    gw_json_str(json, "name", field->name);
    if (field->type == GW_BYTES)
        gw_json_hex(json, "value", item->bytes, item->bits / 8);
    else if (name != NULL)
        gw_json_str(json, "value", name);
    else if (item->value >> NUMBER_BITS_MAX != 0)
        gw_json_word(json, "value", item->value, 16);
    else
        gw_json_uint(json, "value", item->value);
    gw_json_close(json, '}');
}

static void put_aside(object_sink *s, const gw_item *item)
{
    if (s->aside == NULL && !s->failed) {
        s->aside = open_memstream(&s->text, &s->text_len);
        s->failed = s->aside == NULL;
        gw_json_init(&s->derived, s->aside);
    }
    if (!s->failed)
        write_fact(&s->derived, item);
}

/* What a register is called, without how far behind its first byte the address lies. */
static void write_register(object_sink *s, const gw_item *item)
{
    gw_message_names *names = s->account->names;
    uint64_t address;
    const gw_name_map_entry *e =
        names != NULL ? gw_message_names_item(names, item, &address) : NULL;

    if (e != NULL)
        gw_json_str(s->json, "register", e->name);
}

static void on_item(gw_sink *sink, const gw_item *item)
{
    object_sink *s = (object_sink *)sink;
    if (item->field->derived) {
        put_aside(s, item);
        return;
    }
    size_t mask_len = gw_item_mask(item, s->account->mask, sizeof s->account->mask);

    if (mask_len > sizeof s->account->mask)
        mask_len = sizeof s->account->mask;
    gw_json_open(s->json, NULL, '{');
    gw_json_str(s->json, "name", item->field->name);
    gw_json_str(s->json, "path", gw_path_of(&s->path, item));
    write_value(s->json, item);
    gw_json_uint(s->json, "offset", item->offset);
    gw_json_hex(s->json, "mask", s->account->mask, mask_len);
    gw_json_uint(s->json, "bits", item->bits);
    if (item->field->group->swizzle != 0)
        gw_json_uint(s->json, "swizzle", item->field->group->swizzle);
    if (item->field->view)
        gw_json_bool(s->json, "view", true);
    write_register(s, item);
    gw_json_close(s->json, '}');
}

static void on_open(gw_sink *sink, const gw_group *group, uint32_t index, uint32_t offset)
{
    (void)offset;
    gw_path_open(&((object_sink *)sink)->path, group, index);
}

static void on_close(gw_sink *sink, const gw_group *group, uint32_t end)
{
    (void)group;
    (void)end;
    gw_path_close(&((object_sink *)sink)->path);
}

static void write_fields(object_sink *s, const gw_found *found)
{
    gw_path_init(&s->path, found->format->name);
    gw_json_open(s->json, "fields", '[');
    gw_account_walk(s->account, found, &s->sink);
    gw_json_close(s->json, ']');
    if (s->aside == NULL)
        return;
    gw_json_flush(&s->derived);
    s->failed |= fclose(s->aside) != 0;
}

static void write_end(gw_json *json, const char *key, const gw_endpoint *end)
{
    char buf[ENDPOINT_MAX];
    gw_text text = gw_text_over(buf, sizeof buf);

    if (end->family != GW_FAMILY_NONE)
        gw_text_endpoint(&text, end);
    gw_json_str(json, key, end->family != GW_FAMILY_NONE ? buf : NULL);
}

static void write_checksum(gw_json *json, const char *name, unsigned verdict, uint32_t came,
                           uint32_t due, unsigned digits)
{
    gw_json_open(json, name, '{');
    gw_json_str(json, "verdict", gw_ib_verdict_name((gw_ib_verdict)verdict));
    if (verdict != GW_IB_NOT_JUDGED)
        gw_json_word(json, "value", came, digits);
    if (verdict == GW_IB_WRONG)
        gw_json_word(json, "expected", due, digits);
    gw_json_close(json, '}');
}

static void write_infiniband(gw_json *json, const gw_ib *ib)
{
    if (ib->lrh != NULL) {
        gw_json_hex(json, "lrh", ib->lrh, GW_IB_LRH);
        gw_json_uint(json, "vl", gw_ib_vl(ib->lrh));
        gw_json_uint(json, "sl", gw_ib_sl(ib->lrh));
    }
    if (ib->grh != NULL)
        gw_json_hex(json, "grh", ib->grh, GW_IB_GRH);
    write_checksum(json, "icrc", ib->icrc_verdict, ib->icrc, ib->icrc_due, 8);
    if (ib->lrh != NULL)
        write_checksum(json, "vcrc", ib->vcrc_verdict, ib->vcrc, ib->vcrc_due, 4);
}

/* What lies beneath, and what a stream needs to be put together again. */
static void write_carrier(gw_json *json, const gw_found *found)
{
    const gw_message *m = found->message;

    gw_json_open(json, "carrier", '{');
    if (m->num_vlans > 0) {
        gw_json_open(json, "vlan", '[');
        for (unsigned i = 0; i < m->num_vlans && i < GW_MESSAGE_VLANS; i++)
            gw_json_uint(json, NULL, m->vlans[i]);
        gw_json_close(json, ']');
    }
    if (m->transport == GW_OVER_NOTHING) {
        gw_json_uint(json, "link_type", m->link_type);
        gw_json_uint(json, "part_arg", m->part_arg);
    }
    if (m->interface > 0)
        gw_json_uint(json, "interface", m->interface);
    if (m->ib != NULL)
        write_infiniband(json, m->ib);
    if (m->transport == GW_OVER_TCP) {
        gw_json_uint(json, "tcp_dir", found->tcp_dir);
        if (found->lost_before > 0)
            gw_json_uint(json, "lost_before", found->lost_before);
        if (found->start_missing)
            gw_json_bool(json, "start_missing", true);
    }
    gw_json_close(json, '}');
}

static void write_error(gw_json *json, const gw_error *error)
{
    if (error->kind == GW_OK) {
        gw_json_null(json, "error");
        return;
    }
    gw_json_open(json, "error", '{');
    gw_json_str(json, "kind", gw_error_kind_name((gw_error_kind)error->kind));
    gw_json_uint(json, "offset", error->offset);
    gw_json_str(json, "field", error->field != NULL ? error->field->name : NULL);
    gw_json_str(json, "cut", error->capture_cut ? "capture" : "message");
    gw_json_close(json, '}');
}

/* One derived fact: a name below the format's, and a value that is text or a number. */
static void write_derived(gw_json *json, const gw_format *format, const char *name,
                          const char *text, uint64_t number)
{
    char buf[64];
    gw_text full = gw_text_over(buf, sizeof buf);

    gw_text_str(&full, format->name);
    gw_text_str(&full, ".");
    gw_text_str(&full, name);
    gw_json_open(json, NULL, '{');
    gw_json_str(json, "name", buf);
    if (text != NULL)
        gw_json_str(json, "value", text);
    else
        gw_json_uint(json, "value", number);
    gw_json_close(json, '}');
}

static void write_relation(gw_json *json, const gw_format *format, const gw_relation *r)
{
    char time[GW_STAMP_MAX];

    switch (r->kind) {
    case GW_ANSWERS:
        write_derived(json, format, "response_to", NULL, r->request);
        write_derived(json, format, "response_time", gw_stamp_text(time, r->delta_ns), 0);
        break;
    case GW_DUPLICATE:
        write_derived(json, format, "duplicate_of", NULL, r->earlier);
        break;
    case GW_STALE:
        write_derived(json, format, "stale_response_to", NULL, r->request);
        break;
    case GW_FORWARDED:
        write_derived(json, format, "forwards", NULL, r->request);
        break;
    case GW_UNSOLICITED:
        write_derived(json, format, "unsolicited", NULL, 1);
        break;
    default:
        write_derived(json, format, "untracked", NULL, 1);
        break;
    }
    if (r->ambiguous)
        write_derived(json, format, "ambiguous", NULL, 1);
}

static void write_finding(gw_json *json, const gw_rule *rule, const gw_field *field,
                          uint32_t offset, const char *text)
{
    gw_json_open(json, NULL, '{');
    gw_json_str(json, "rule", rule->id);
    gw_json_str(json, "level", gw_level_name((gw_level)rule->level));
    gw_json_uint(json, "offset", offset);
    gw_json_str(json, "text", text);
    gw_json_str(json, "field", field != NULL ? field->name : NULL);
    gw_json_close(json, '}');
}

static void write_generated(const object_sink *s, const gw_format *format)
{
    const gw_account *account = s->account;

    gw_json_open(s->json, "generated", '[');
    if (s->aside != NULL && !s->failed)
        gw_json_values(s->json, s->text, s->text_len);
    for (size_t i = 0; i < account->num_relations; i++)
        write_relation(s->json, format, &account->relations[i]);
    gw_json_close(s->json, ']');
}

typedef struct finding_sink {
    gw_verdict_sink sink;
    gw_json *json;
} finding_sink;

static void on_finding(gw_verdict_sink *sink, const gw_finding *f)
{
    write_finding(((finding_sink *)sink)->json, f->rule, f->field, f->offset, f->text);
}

static void write_findings(gw_json *json, const gw_found *found, const gw_account *account)
{
    finding_sink s = {.sink = {.finding = on_finding}, .json = json};

    gw_json_open(json, "findings", '[');
    gw_sessions_check(found, gw_account_origin(account), &s.sink);
    for (size_t i = 0; i < account->num_findings; i++) {
        const gw_kept_finding *f = &account->findings[i];
        write_finding(json, f->rule, f->field, f->offset, f->text);
    }
    gw_json_close(json, ']');
}

static const char *transport_name(unsigned transport)
{
    switch (transport) {
    case GW_OVER_UDP:
        return "udp";
    case GW_OVER_TCP:
        return "tcp";
    default:
        return "link";
    }
}

static const char *direction_name(unsigned dir)
{
    switch (dir) {
    case GW_DIR_IN:
        return "in";
    case GW_DIR_OUT:
        return "out";
    default:
        return NULL;
    }
}

/* Who sent the message where, and how it came. */
static void write_head(gw_json *json, const char *file, const gw_found *found)
{
    const gw_message *m = found->message;
    char time[GW_STAMP_MAX];

    gw_json_open(json, NULL, '{');
    gw_json_str(json, "file", file);
    gw_json_uint(json, "frame", m->frame);
    gw_json_open(json, "frames", '[');
    for (uint32_t i = 0; i < m->num_frames && i < GW_MESSAGE_FRAMES; i++)
        gw_json_uint(json, NULL, m->frames[i]);
    gw_json_close(json, ']');
    gw_json_str(json, "time", gw_stamp_text(time, m->time_ns));
    gw_json_str(json, "proto", found->format->name);
    gw_json_str(json, "dialect", found->dialect->name);
    gw_json_str(json, "transport", transport_name(m->transport));
    if (m->transport == GW_OVER_TCP)
        gw_json_uint(json, "stream", m->stream);
    else
        gw_json_null(json, "stream");
    gw_json_str(json, "dir", direction_name(m->dir));
    gw_json_str(json, "sender", gw_sender_name((gw_sender)found->sender));
    write_end(json, "src", &m->src);
    write_end(json, "dst", &m->dst);
    write_carrier(json, found);
    gw_json_uint(json, "len", m->len);
    gw_json_uint(json, "cap_len", m->cap_len);
    gw_json_hex(json, "payload", m->data, m->cap_len);
}

bool gw_describe_object(gw_json *json, const char *file, const gw_found *found, gw_account *account)
{
    object_sink s;

    s.sink = (gw_sink){.item = on_item, .open = on_open, .close = on_close};
    s.json = json;
    s.account = account;
    s.aside = NULL;
    s.text = NULL;
    s.failed = false;
    write_head(json, file, found);
    write_fields(&s, found);
    write_error(json, &account->error);
    write_generated(&s, found->format);
    write_findings(json, found, account);
    gw_json_close(json, '}');
    gw_json_end(json);
    free(s.text);
    return !s.failed;
}
