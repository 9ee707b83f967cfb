/* SPDX-License-Identifier: BSD-2-Clause */
/* From JSON back to a message. Each leaf is checked against the format's table before it is
 * written, so that a slip of the hand is told instead of becoming another packet. */
#include "inspect/assemble.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "harness/nearest.h"
#include "inspect/endpoint.h"
#include "inspect/path.h"
#include "inspect/selection.h"
#include "inspect/stamp.h"

#define MASK_MAX 32 /* bytes between the ends of a field of fixed place, in a swizzled word */
#define NAMES_MAX 512

/* What is being assembled, and where a complaint goes. */
typedef struct job {
    gw_assembled *out;
    const char *at; /* path of the field, or name of the key */
    char *why;
    size_t why_cap;
} job;

static bool complain(const job *j, const char *format, ...) GW_PRINTF(2, 3);

static bool complain(const job *j, const char *format, ...)
{
    int len = snprintf(j->why, j->why_cap, "%s: ", j->at);
    va_list args;

    if (len < 0 || (size_t)len >= j->why_cap)
        return false;
    va_start(args, format);
    (void)vsnprintf(j->why + len, j->why_cap - (size_t)len, format, args);
    va_end(args);
    return false;
}

/* ---- JSON values ---- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Reads hex text into |out|. Returns false after complaining. */
static bool read_hex(const job *j, const char *text, uint8_t *out, size_t cap, size_t *len)
{
    size_t digits = strlen(text);

    if (digits % 2 != 0)
        return complain(j, "%zu hex digits: an even number is needed, two a byte", digits);
    if (digits / 2 > cap)
        return complain(j, "%zu bytes: at most %zu fit", digits / 2, cap);
    for (size_t i = 0; i < digits; i++) {
        int digit = hex_digit(text[i]);
        if (digit < 0)
            return complain(j, "character %zu is no hex digit", i + 1);
        out[i / 2] = (uint8_t)(i % 2 == 0 ? digit << 4 : out[i / 2] | digit);
    }
    *len = digits / 2;
    return true;
}

/* A number, true or false, or "0x..." text. */
static bool read_number(const job *j, const json_t *value, uint64_t *out)
{
    if (json_is_integer(value)) {
        if (json_integer_value(value) < 0)
            return complain(j, "%" JSON_INTEGER_FORMAT " is negative", json_integer_value(value));
        *out = (uint64_t)json_integer_value(value);
        return true;
    }
    if (json_is_boolean(value)) {
        *out = json_is_true(value) ? 1 : 0;
        return true;
    }
    const char *text = json_string_value(value);
    if (text == NULL || text[0] != '0' || (text[1] != 'x' && text[1] != 'X') || text[2] == '\0')
        return complain(j, "a whole number or \"0x...\" is needed");
    if (strlen(text + 2) > 16)
        return complain(j, "%s is wider than 64 bits", text);
    *out = 0;
    for (text += 2; *text != '\0'; text++) {
        int digit = hex_digit(*text);
        if (digit < 0)
            return complain(j, "'%c' is no hex digit", *text);
        *out = *out << 4 | (unsigned)digit;
    }
    return true;
}

/* The number |key| of |object|, at most |max|. Absent and null leave |out| alone; *present, which
 * may be NULL, tells. */
static bool read_member(job *j, const json_t *object, const char *key, uint64_t max, uint64_t *out,
                        bool *present)
{
    const json_t *value = json_object_get(object, key);
    uint64_t number = 0;

    if (present != NULL)
        *present = value != NULL && !json_is_null(value);
    if (value == NULL || json_is_null(value))
        return true;
    const char *outer = j->at;
    j->at = outer[0] != '\0' ? outer : key;
    if (!json_is_integer(value) || !read_number(j, value, &number))
        return complain(j, "%s must be a whole number", key);
    if (number > max)
        return complain(j, "%s is %" PRIu64 ", at most %" PRIu64 " is possible", key, number, max);
    j->at = outer;
    *out = number;
    return true;
}

/* The text |key| of |object| into |out|; NULL when absent or null. */
static bool read_text(job *j, const json_t *object, const char *key, const char **out)
{
    const json_t *value = json_object_get(object, key);

    *out = json_string_value(value);
    if (value == NULL || json_is_null(value) || *out != NULL)
        return true;
    j->at = key;
    return complain(j, "text in quotes is needed");
}

/* ---- leaves ---- */

/* Where a name goes on behind its format's, which all names have in common. */
static const char *own_part(const char *name, const gw_format *format)
{
    size_t len = strlen(format->name);

    return strncmp(name, format->name, len) == 0 && name[len] == '.' ? name + len + 1 : name;
}

static bool unknown_field(const job *j, const gw_format *format, const char *name)
{
    const char *names[NAMES_MAX + 1] = {NULL};
    const char *own = own_part(name, format);
    size_t num = 0;

    for (size_t g = 0; g < format->num_groups; g++) {
        const gw_group *group = format->groups[g];
        for (size_t i = 0; i < group->num_fields && num < NAMES_MAX; i++)
            names[num++] =
                own == name ? group->fields[i].name : own_part(group->fields[i].name, format);
    }
    const char *near = gw_nearest(own, names);
    if (near == NULL)
        return complain(j, "%s has no field '%s'", format->name, name);
    return complain(j, "%s has no field '%s'; did you mean '%s%s%s'?", format->name, name,
                    own == name ? "" : format->name, own == name ? "" : ".", near);
}

/* Whether |field| at this width has exactly the |mask| that the JSON gives. */
static bool same_place(const gw_field *field, uint64_t bits, const uint8_t *mask, size_t mask_len)
{
    gw_item item = {.field = field, .bits = (uint32_t)bits};
    uint8_t own[MASK_MAX];

    if (field->bits == 0) {
        if (bits % 8 != 0 || mask_len != bits / 8)
            return false;
        for (size_t i = 0; i < mask_len; i++) {
            if (mask[i] != 0xff)
                return false;
        }
        return true;
    }
    return field->bits == bits && gw_item_mask(&item, own, sizeof own) == mask_len &&
           memcmp(own, mask, mask_len) == 0;
}

/* Finds the descriptor called |name| that lies as the JSON says: a name may stand in several
 * groups, where a dialect orders its bits, or the bytes of its words, another way. */
static const gw_field *find_field(const job *j, const char *name, uint64_t bits, uint64_t swizzle,
                                  const uint8_t *mask, size_t mask_len)
{
    const gw_format *format = j->out->format;
    const gw_field *found = NULL, *fits = NULL;

    for (size_t g = 0; g < format->num_groups; g++) {
        const gw_group *group = format->groups[g];
        for (size_t i = 0; i < group->num_fields; i++) {
            const gw_field *field = &group->fields[i];
            if (field->derived || strcmp(field->name, name) != 0)
                continue;
            found = field;
            if (!same_place(field, bits, mask, mask_len))
                continue;
            if (group->swizzle == swizzle)
                return field;
            if (fits == NULL)
                fits = field;
        }
    }
    if (fits != NULL)
        return fits;
    if (found == NULL)
        (void)unknown_field(j, format, name);
    else
        (void)complain(j,
                       "mask and bits do not fit %s: they say where the field lies and are not "
                       "for editing",
                       name);
    return NULL;
}

/* The next byte of a path that is no part of an index, going back from |*end|; '\0' at its start.
 */
static char before(const char *path, size_t *end)
{
    while (*end > 0 && path[*end - 1] == ']') {
        while (*end > 0 && path[*end - 1] != '[')
            --*end;
        if (*end > 0)
            --*end;
    }
    if (*end == 0)
        return '\0';
    return path[--*end];
}

/* Whether |path| begins and ends as that of |item|'s field does, whatever its indexes are: the
 * containers between depend on the message. */
static bool path_fits(const job *j, const char *path, const gw_item *item)
{
    gw_path own;

    if (own_part(path, j->out->format) == path)
        return false;
    gw_path_init(&own, "");
    const char *tail = gw_path_of(&own, item);
    size_t tail_end = strlen(tail), end = strlen(path);

    for (char want = before(tail, &tail_end); want != '\0'; want = before(tail, &tail_end)) {
        if (before(path, &end) != want)
            return false;
    }
    return end == 0 || path[end - 1] == '.';
}

static bool put_bytes(const job *j, const json_t *value, gw_item *item)
{
    uint8_t *buffer = j->out->scratch;
    const char *text = json_string_value(value);
    size_t len = 0;

    if (text == NULL)
        return complain(j, "hex text in quotes is needed");
    if (!read_hex(j, text, buffer, GW_ASSEMBLE_BYTES, &len))
        return false;
    if (len * 8 != item->bits)
        return complain(j, "%zu bytes for a field of %" PRIu32, len, item->bits / 8);
    item->bytes = buffer;
    return gw_emit(j->out->bytes, j->out->message.cap_len, item) ||
           complain(j, "cannot be written");
}

static bool put_leaf(const job *j, const json_t *object, gw_item *item)
{
    const json_t *value = json_object_get(object, "value");

    if (value == NULL)
        return complain(j, "has no value");
    if (!gw_cover_add(&j->out->cover, item)) {
        if (j->out->cover.twice)
            return complain(j, "overlaps another field at byte %" PRIu32, item->offset);
        return complain(j, "byte %" PRIu32 " lies outside the %" PRIu32 " bytes of the payload",
                        item->offset, j->out->message.cap_len);
    }
    if (item->field->type == GW_BYTES)
        return put_bytes(j, value, item);
    if (!read_number(j, value, &item->value))
        return false;
    if (gw_emit(j->out->bytes, j->out->message.cap_len, item))
        return true;
    return complain(j, "value 0x%" PRIx64 " does not fit %" PRIu32 " bits", item->value,
                    item->bits);
}

static bool assemble_field(job *j, const json_t *object)
{
    uint8_t *mask = j->out->scratch;
    const char *name = json_string_value(json_object_get(object, "name"));
    const char *path = json_string_value(json_object_get(object, "path"));
    const char *mask_text = json_string_value(json_object_get(object, "mask"));
    uint64_t offset = 0, bits = 0, swizzle = 0;
    bool has_offset, has_bits;
    size_t mask_len = 0;

    if (json_is_true(json_object_get(object, "view")))
        return true;
    if (name == NULL)
        return complain(j, "a field without a name");
    j->at = path != NULL ? path : name;
    if (!read_member(j, object, "offset", GW_ASSEMBLE_BYTES, &offset, &has_offset) ||
        !read_member(j, object, "bits", (uint64_t)GW_ASSEMBLE_BYTES * 8, &bits, &has_bits) ||
        !read_member(j, object, "swizzle", UINT8_MAX, &swizzle, NULL))
        return false;
    if (!has_offset || !has_bits || mask_text == NULL)
        return complain(j, "offset, mask and bits are needed to know where it lies");
    if (!read_hex(j, mask_text, mask, GW_ASSEMBLE_BYTES, &mask_len))
        return false;

    gw_item item = {.offset = (uint32_t)offset, .bits = (uint32_t)bits};
    item.field = find_field(j, name, bits, swizzle, mask, mask_len);
    if (item.field != NULL && path != NULL && !path_fits(j, path, &item))
        return complain(j,
                        "the path is not one of %s: name, offset and mask say which field it is; "
                        "mend the path or leave it out",
                        name);
    return item.field != NULL && put_leaf(j, object, &item);
}

static bool assemble_fields(job *j, const json_t *object)
{
    const json_t *fields = json_object_get(object, "fields");
    const json_t *field;
    size_t i;

    if (fields == NULL || json_is_null(fields))
        return true;
    j->at = "fields";
    if (!json_is_array(fields))
        return complain(j, "a list is needed");
    if (!gw_cover_init(&j->out->cover, j->out->message.cap_len))
        return complain(j, "the message is too long");
    json_array_foreach(fields, i, field)
    {
        j->at = "fields";
        if (!json_is_object(field))
            return complain(j, "entry %zu is no object", i + 1);
        if (!assemble_field(j, field))
            return false;
    }
    return true;
}

/* ---- the message around them ---- */

static bool assemble_payload(job *j, const json_t *object)
{
    gw_message *m = &j->out->message;
    uint64_t len = 0, cap_len = 0;
    bool has_len, has_cap_len;
    const char *payload;
    size_t have = 0;

    j->at = "";
    if (!read_text(j, object, "payload", &payload) ||
        !read_member(j, object, "len", GW_ASSEMBLE_BYTES, &len, &has_len) ||
        !read_member(j, object, "cap_len", GW_ASSEMBLE_BYTES, &cap_len, &has_cap_len))
        return false;
    j->at = "payload";
    if (payload != NULL) {
        if (!read_hex(j, payload, j->out->bytes, sizeof j->out->bytes, &have))
            return false;
        if (has_cap_len && cap_len != have)
            return complain(j,
                            "%zu bytes, but cap_len says %" PRIu64 ": change both, or leave "
                            "cap_len out",
                            have, cap_len);
    } else if (has_cap_len || has_len) {
        have = (size_t)(has_cap_len ? cap_len : len);
    } else {
        return complain(j, "is missing, and so are cap_len and len: how long is the message?");
    }
    if (has_len && len < have)
        return complain(j,
                        "len is %" PRIu64 ", less than the %zu bytes here: change both, or "
                        "leave len out",
                        len, have);
    m->data = j->out->bytes;
    m->cap_len = (uint32_t)have;
    m->len = has_len ? (uint32_t)len : (uint32_t)have;
    return true;
}

static bool assemble_end(job *j, const json_t *object, const char *key, gw_endpoint *out)
{
    const char *text;

    if (!read_text(j, object, key, &text))
        return false;
    j->at = key;
    if (text != NULL && !gw_endpoint_parse(out, text))
        return complain(j, "'%s' is no address: 1.2.3.4:5, [::1]:5 or lid:1/qp:2 is needed", text);
    return true;
}

/* A bare unit is of its format's first kind of capture unless the carrier names another. */
static bool assemble_link(job *j, const json_t *carrier)
{
    gw_message *m = &j->out->message;
    const gw_format *format = j->out->format;
    uint64_t type, arg = 0, interface = 0;

    if (!read_member(j, carrier, "interface", UINT32_MAX, &interface, NULL))
        return false;
    m->interface = (uint32_t)interface;
    if (m->transport != GW_OVER_NOTHING)
        return true;
    type = format->links[0].link_type;
    if (!read_member(j, carrier, "link_type", UINT16_MAX, &type, NULL) ||
        !read_member(j, carrier, "part_arg", UINT32_MAX, &arg, NULL))
        return false;
    if (gw_format_link(format, (uint16_t)type) == NULL && !gw_link_is_private((uint32_t)type))
        return complain(j, "%s is not captured as link type %" PRIu64, format->name, type);
    m->link_type = (uint16_t)type;
    m->part_arg = (uint32_t)arg;
    return true;
}

/* The header |key| of exactly |len| bytes. */
static bool read_header(const job *j, const json_t *carrier, const char *key, uint8_t *out,
                        size_t len, bool *present)
{
    const char *text = json_string_value(json_object_get(carrier, key));
    size_t have = 0;

    *present = text != NULL;
    if (text == NULL)
        return true;
    if (!read_hex(j, text, out, len, &have))
        return false;
    return have == len || complain(j, "%s has %zu bytes; %zu are needed", key, have, len);
}

/* What is wrong with a checksum is kept, though other headers may give it another value. */
static bool read_flaw(const job *j, const json_t *carrier, const char *key, uint64_t max,
                      uint64_t *flaw)
{
    const json_t *checksum = json_object_get(carrier, key);
    const json_t *came = json_object_get(checksum, "value");
    const json_t *due = json_object_get(checksum, "expected");
    uint64_t value = 0, expected = 0;

    *flaw = 0;
    if (came == NULL || due == NULL)
        return true;
    if (!read_number(j, came, &value) || !read_number(j, due, &expected))
        return false;
    *flaw = value ^ expected;
    return *flaw <= max || complain(j, "%s is wider than it can be", key);
}

static bool assemble_infiniband(const job *j, const json_t *carrier)
{
    gw_assembled *out = j->out;
    uint64_t icrc = 0, vcrc = 0;

    if (!out->format->infiniband)
        return true;
    if (!read_header(j, carrier, "lrh", out->lrh, sizeof out->lrh, &out->has_lrh) ||
        !read_header(j, carrier, "grh", out->grh, sizeof out->grh, &out->has_grh) ||
        !read_flaw(j, carrier, "icrc", UINT32_MAX, &icrc) ||
        !read_flaw(j, carrier, "vcrc", UINT16_MAX, &vcrc))
        return false;
    out->icrc_flaw = (uint32_t)icrc;
    out->vcrc_flaw = (uint16_t)vcrc;
    return true;
}

static bool assemble_carrier(job *j, const json_t *object)
{
    const json_t *carrier = json_object_get(object, "carrier");
    const json_t *vlan = json_object_get(carrier, "vlan");
    gw_assembled *out = j->out;
    uint64_t lost = 0, dir = 0;

    j->at = "carrier";
    if (!read_member(j, carrier, "lost_before", UINT32_MAX, &lost, NULL) ||
        !read_member(j, carrier, "tcp_dir", 1, &dir, &out->has_tcp_dir))
        return false;
    if (!assemble_link(j, carrier) || !assemble_infiniband(j, carrier))
        return false;
    out->lost_before = (uint32_t)lost;
    out->tcp_dir = (uint8_t)dir;
    out->start_missing = json_is_true(json_object_get(carrier, "start_missing"));
    if (json_array_size(vlan) > GW_MESSAGE_VLANS)
        return complain(j, "more than %d VLAN tags", GW_MESSAGE_VLANS);
    for (size_t i = 0; i < json_array_size(vlan); i++) {
        const json_t *id = json_array_get(vlan, i);
        if (!json_is_integer(id) || json_integer_value(id) < 0 || json_integer_value(id) > 4095)
            return complain(j, "a VLAN id must be a number from 0 to 4095");
        out->message.vlans[out->message.num_vlans++] = (uint16_t)json_integer_value(id);
    }
    return true;
}

static bool assemble_transport(job *j, const json_t *object)
{
    gw_message *m = &j->out->message;
    const char *text, *dir;
    uint64_t stream = 0;

    if (!read_text(j, object, "transport", &text) || !read_text(j, object, "dir", &dir))
        return false;
    j->at = "transport";
    if (text == NULL || strcmp(text, "udp") == 0)
        m->transport = GW_OVER_UDP;
    else if (strcmp(text, "tcp") == 0)
        m->transport = GW_OVER_TCP;
    else if (strcmp(text, "link") == 0 && j->out->format->num_links > 0)
        m->transport = GW_OVER_NOTHING;
    else if (strcmp(text, "link") == 0)
        return complain(j, "%s is not captured without a network beneath it", j->out->format->name);
    else
        return complain(j, "'%s' is none of udp, tcp and link", text);

    j->at = "dir";
    if (dir != NULL && strcmp(dir, "in") != 0 && strcmp(dir, "out") != 0)
        return complain(j, "'%s' is neither in nor out", dir);
    m->dir = GW_DIR_UNKNOWN;
    if (dir != NULL)
        m->dir = dir[0] == 'i' ? GW_DIR_IN : GW_DIR_OUT;

    j->at = "";
    if (!read_member(j, object, "stream", UINT32_MAX, &stream, &j->out->has_stream))
        return false;
    m->stream = (uint32_t)stream;
    return true;
}

static bool assemble_format(job *j, const json_t *object, const gw_format *format)
{
    const char *proto;

    if (!read_text(j, object, "proto", &proto))
        return false;
    if (proto != NULL)
        format = gw_format_find(proto, j->why, j->why_cap);
    else if (format == NULL)
        snprintf(j->why, j->why_cap, "proto: is missing; add it, or use --proto");
    j->out->format = format;
    return format != NULL;
}

static bool assemble_time(job *j, const json_t *object)
{
    const char *text;

    if (!read_text(j, object, "time", &text))
        return false;
    j->at = "time";
    if (text != NULL && !gw_stamp_parse(&j->out->message.time_ns, text))
        return complain(j, "'%s' is no time: seconds such as 1350000000.000620546 are needed",
                        text);
    return true;
}

bool gw_assemble(gw_assembled *out, const json_t *object, const gw_format *format, char *why,
                 size_t why_cap)
{
    job j = {.out = out, .at = "", .why = why, .why_cap = why_cap};

    memset(out, 0, offsetof(gw_assembled, cover));
    if (!json_is_object(object)) {
        snprintf(why, why_cap, "a JSON object is needed, as `goldwire decode --json` prints them");
        return false;
    }
    return assemble_format(&j, object, format) && assemble_time(&j, object) &&
           assemble_transport(&j, object) && assemble_end(&j, object, "src", &out->message.src) &&
           assemble_end(&j, object, "dst", &out->message.dst) && assemble_carrier(&j, object) &&
           assemble_payload(&j, object) && assemble_fields(&j, object);
}
