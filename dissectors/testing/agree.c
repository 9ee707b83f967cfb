/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares what tshark shows through the plugin with what `goldwire decode --json` prints of the
 * same capture: every field of every message by name, value and place, how decoding ended, the
 * rules that were broken, and who answers whom.
 *
 *   agree PROTOCOL PDML JSON
 *
 * PDML is tshark's -T pdml, one element a line. Exit code 1 and one line for each difference. */
#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NAME_MAX_LEN = 96, FIELDS_MAX = 70000, RULES_MAX = 64, DIFFERENCES_MAX = 40 };

/* A field as tshark shows it. */
typedef struct shown {
    char name[NAME_MAX_LEN];
    char *value; /* a number as text, or hex */
    char *bytes; /* hex */
    unsigned offset;
    unsigned size;
} shown;

/* One message as tshark shows it. */
typedef struct message {
    unsigned frame;
    unsigned start; /* of the message among the bytes it lies in */
    shown *fields;
    size_t num_fields;
    char rules[RULES_MAX][NAME_MAX_LEN]; /* departures, with and without a rule's id */
    size_t num_rules;
    shown derived[RULES_MAX]; /* fields that are not read but worked out */
    size_t num_derived;
    bool tcp;
} message;

static unsigned differences;
static const char *protocol;

static void differ(const message *m, const char *format, ...)
{
    va_list args;

    if (differences++ >= DIFFERENCES_MAX)
        return;
    printf("frame %u: ", m->frame);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
}

/* ---- tshark's side ---- */

/* Copies the attribute called |name| of the element |line|; false when there is none. */
static bool attribute(const char *line, const char *name, char *out, size_t cap)
{
    char key[32];

    snprintf(key, sizeof key, " %s=\"", name);
    const char *at = strstr(line, key);
    if (at == NULL)
        return false;
    at += strlen(key);
    size_t len = strcspn(at, "\"");
    if (len >= cap)
        len = cap - 1;
    memcpy(out, at, len);
    out[len] = '\0';
    return true;
}

static unsigned number(const char *line, const char *name)
{
    char text[32];

    return attribute(line, name, text, sizeof text) ? (unsigned)strtoul(text, NULL, 10) : 0;
}

static char *text_of(const char *line, const char *name, char *buf, size_t cap)
{
    return strdup(attribute(line, name, buf, cap) ? buf : "");
}

static void take_field(message *m, const char *line)
{
    static char buf[1 << 18];
    size_t prefix = strlen(protocol);
    shown f = {.size = number(line, "size"), .offset = number(line, "pos") - m->start};

    if (!attribute(line, "name", f.name, sizeof f.name) || strncmp(f.name, protocol, prefix) != 0)
        return;
    const char *key = f.name + prefix;
    /* Rules are the only names with a dash: "op2p.op-e12". */
    if (strchr(key, '-') != NULL || strcmp(key, ".truncated") == 0 ||
        strcmp(key, ".malformed") == 0 || strcmp(key, ".unsupported") == 0 ||
        strcmp(key, ".capture_cut") == 0 || strcmp(key, ".waived") == 0) {
        if (m->num_rules < RULES_MAX)
            snprintf(m->rules[m->num_rules++], NAME_MAX_LEN, "%s", key + 1);
        return;
    }
    /* What several messages came to lies in a tab of its own. */
    bool derived = f.size == 0 || strncmp(key, ".object.", 8) == 0;
    if (derived ? m->num_derived == RULES_MAX : m->num_fields == FIELDS_MAX)
        return;
    if (!derived && (!attribute(line, "show", buf, sizeof buf) || *buf == '\0'))
        return; /* a container */
    f.value = text_of(line, "show", buf, sizeof buf);
    /* A value of many has its name in the text for people only. */
    f.bytes = text_of(line, derived ? "showname" : "value", buf, sizeof buf);
    if (derived)
        m->derived[m->num_derived++] = f;
    else
        m->fields[m->num_fields++] = f;
}

static void forget(message *m)
{
    for (size_t i = 0; i < m->num_fields; i++) {
        free(m->fields[i].value);
        free(m->fields[i].bytes);
    }
    for (size_t i = 0; i < m->num_derived; i++) {
        free(m->derived[i].value);
        free(m->derived[i].bytes);
    }
    m->num_fields = m->num_derived = m->num_rules = 0;
}

/* Reads the next message of our protocol; false at the end of the file. */
static bool read_message(FILE *in, message *m, unsigned *frame)
{
    static char *line;
    static size_t cap;
    static bool under_tcp;
    char proto[NAME_MAX_LEN];
    unsigned depth = 0; /* of protocols: in ours Wireshark marks by one what is malformed */

    forget(m);
    while (getline(&line, &cap, in) > 0) {
        const char *element = line + strspn(line, " ");
        if (strncmp(element, "<proto", 6) == 0 && depth > 0) {
            depth += strstr(element, "/>") == NULL;
        } else if (strncmp(element, "<proto", 6) == 0) {
            depth = attribute(element, "name", proto, sizeof proto) && strcmp(proto, protocol) == 0;
            m->start = number(element, "pos");
            m->tcp = under_tcp;
            under_tcp |= strstr(element, "name=\"tcp\"") != NULL;
            m->frame = *frame;
        } else if (strncmp(element, "</proto", 7) == 0 && depth > 0) {
            if (--depth == 0)
                return true;
        } else if (strncmp(element, "<field", 6) == 0 && depth > 0) {
            take_field(m, element);
        } else if (strstr(element, "name=\"num\"") != NULL) {
            under_tcp = false;
            *frame = number(element, "show");
        }
    }
    return false;
}

/* Bytes of a stream that no message can be made of: when Wireshark puts segments in order it holds
 * back everything behind a hole, so these are told by decode alone. And the bytes of a frame that
 * belong to a message which ends in another: decode tells of them with that one. */
static bool is_lost(const message *m)
{
    char name[NAME_MAX_LEN];

    if (m->num_fields == 0)
        return true;
    snprintf(name, sizeof name, "%s.undecoded", protocol);
    return m->tcp && m->num_fields == 1 && strcmp(m->fields[0].name, name) == 0;
}

static bool next_message(FILE *in, message *m, unsigned *frame)
{
    bool more;

    while ((more = read_message(in, m, frame)) && is_lost(m)) {
    }
    return more;
}

/* ---- comparing ---- */

static uint64_t to_number(const char *text)
{
    if (strcmp(text, "True") == 0)
        return 1;
    return strcmp(text, "False") == 0 ? 0 : strtoull(text, NULL, 0);
}

static bool same_value(const shown *f, const json_t *value)
{
    if (json_is_integer(value))
        return to_number(f->value) == (uint64_t)json_integer_value(value);
    const char *text = json_string_value(value);
    if (text == NULL)
        return false;
    if (strncmp(text, "0x", 2) == 0)
        return to_number(f->value) == strtoull(text, NULL, 16);
    if (strchr(text, '.') != NULL)
        return strcmp(f->value, text) == 0; /* an address */
    return strcmp(f->bytes, text) == 0;
}

static void compare_fields(const message *m, const json_t *fields)
{
    size_t num = json_array_size(fields);

    if (num != m->num_fields)
        differ(m, "tshark shows %zu fields, decode %zu", m->num_fields, num);
    for (size_t i = 0; i < num && i < m->num_fields; i++) {
        const shown *f = &m->fields[i];
        const json_t *field = json_array_get(fields, i);
        const char *name = json_string_value(json_object_get(field, "name"));
        const char *mask = json_string_value(json_object_get(field, "mask"));
        json_int_t offset = json_integer_value(json_object_get(field, "offset"));
        json_int_t bits = json_integer_value(json_object_get(field, "bits"));

        if (name == NULL || strcmp(f->name, name) != 0) {
            differ(m, "field %zu is %s in tshark, %s in decode", i, f->name,
                   name != NULL ? name : "?");
            return;
        }
        if (!same_value(f, json_object_get(field, "value")))
            differ(m, "%s at byte %u: tshark shows another value, %s", name, f->offset, f->value);
        /* The mask of a long byte string is given in part. */
        bool whole = mask != NULL && (json_int_t)strlen(mask) * 4 >= bits;
        if (f->offset != (unsigned)offset || (whole && (size_t)f->size * 2 != strlen(mask)))
            differ(m, "%s is at byte %u, %u long in tshark, at %d in decode", name, f->offset,
                   f->size, (int)offset);
    }
}

static bool departs(message *m, const char *what)
{
    for (size_t i = 0; i < m->num_rules; i++) {
        if (strcasecmp(m->rules[i], what) == 0) {
            m->rules[i][0] = '\0'; /* each counts once */
            return true;
        }
    }
    return false;
}

static void compare_end(message *m, const json_t *error)
{
    static const char *const ends[] = {"truncated", "malformed", "unsupported", "capture_cut"};
    const char *wanted = NULL;

    if (json_is_object(error)) {
        const char *cut = json_string_value(json_object_get(error, "cut"));
        wanted = cut != NULL && strcmp(cut, "capture") == 0
                     ? "capture_cut"
                     : json_string_value(json_object_get(error, "kind"));
    }
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        bool expected = wanted != NULL && strcmp(wanted, ends[i]) == 0;
        if (departs(m, ends[i]) != expected)
            differ(m, "%s is told by %s alone", ends[i], expected ? "decode" : "tshark");
    }
}

static void compare_findings(message *m, const json_t *findings)
{
    size_t i;
    const json_t *finding;

    json_array_foreach(findings, i, finding)
    {
        const char *rule = json_string_value(json_object_get(finding, "rule"));
        bool waived = json_is_true(json_object_get(finding, "waived"));
        if (rule == NULL || !departs(m, waived ? "waived" : rule))
            differ(m, "only decode finds %s", rule != NULL ? rule : "?");
    }
    for (i = 0; i < m->num_rules; i++) {
        if (m->rules[i][0] != '\0')
            differ(m, "only tshark finds %s", m->rules[i]);
    }
}

/* Whether tshark's |told| is |text|; it puts colons between the bytes of a string. */
static bool same_text(const char *told, const char *text)
{
    for (; *told != '\0'; told++) {
        if (*told == *text)
            text++;
        else if (*told != ':')
            return false;
    }
    return *text == '\0';
}

/* Whether the text for people, "Label: name (2)", names the value |name|. */
static bool is_named(const shown *f, const char *name)
{
    const char *at = strstr(f->bytes, ": ");
    size_t len = strlen(name);

    return at != NULL && strncmp(at + 2, name, len) == 0 && strncmp(at + 2 + len, " (", 2) == 0;
}

/* The answers: those that decode tells have to be told alike. */
static void compare_derived(const message *m, const json_t *generated)
{
    size_t i, k;
    const json_t *derived;

    json_array_foreach(generated, i, derived)
    {
        const char *name = json_string_value(json_object_get(derived, "name"));
        const json_t *value = json_object_get(derived, "value");
        bool found = false;
        for (k = 0; name != NULL && k < m->num_derived; k++) {
            const shown *f = &m->derived[k];
            if (strcmp(f->name, name) != 0)
                continue;
            found |= json_is_string(value) ? same_text(f->value, json_string_value(value)) ||
                                                 is_named(f, json_string_value(value))
                                           : same_value(f, value);
        }
        if (!found)
            differ(m, "tshark does not show the same %s", name != NULL ? name : "?");
    }
}

static void compare(message *m, const json_t *object)
{
    json_int_t frame = json_integer_value(json_object_get(object, "frame"));

    /* What waited for another segment is shown with that one; decode names the bytes' own frame. */
    if (m->tcp ? (json_int_t)m->frame < frame : (json_int_t)m->frame != frame)
        differ(m, "decode has this message in frame %d", (int)frame);
    compare_fields(m, json_object_get(object, "fields"));
    compare_end(m, json_object_get(object, "error"));
    compare_findings(m, json_object_get(object, "findings"));
    compare_derived(m, json_object_get(object, "generated"));
}

static FILE *open_or_die(const char *path)
{
    FILE *in = fopen(path, "r");

    if (in == NULL) {
        perror(path);
        exit(2);
    }
    return in;
}

static bool is_passed_over(const json_t *object)
{
    const json_t *fields = json_object_get(object, "fields");
    const char *transport = json_string_value(json_object_get(object, "transport"));
    const char *first = json_string_value(json_object_get(json_array_get(fields, 0), "name"));

    if (json_integer_value(json_object_get(object, "cap_len")) == 0)
        return true; /* Wireshark asks nobody about a datagram without bytes */
    return transport != NULL && strcmp(transport, "tcp") == 0 && json_array_size(fields) == 1 &&
           first != NULL && strcmp(first + strlen(protocol), ".undecoded") == 0;
}

/* A record in which a connection ends: Wireshark waits for the rest and shows nothing. */
static bool is_unfinished(const json_t *object)
{
    const json_t *error = json_object_get(object, "error");
    const char *transport = json_string_value(json_object_get(object, "transport"));
    const char *kind = json_string_value(json_object_get(error, "kind"));
    const char *cut = json_string_value(json_object_get(error, "cut"));

    return transport != NULL && strcmp(transport, "tcp") == 0 && kind != NULL && cut != NULL &&
           strcmp(kind, "truncated") == 0 && strcmp(cut, "message") == 0;
}

static json_t *next_object(FILE *in)
{
    json_t *object;

    while ((object = json_loadf(in, JSON_DISABLE_EOF_CHECK, NULL)) != NULL &&
           is_passed_over(object))
        json_decref(object);
    return object;
}

int main(int argc, char **argv)
{
    static shown fields[FIELDS_MAX];
    message m = {.fields = fields};
    unsigned frame = 0, messages = 0;
    bool more;
    json_t *object;

    if (argc != 4) {
        fprintf(stderr, "usage: agree PROTOCOL PDML JSON\n");
        return 2;
    }
    protocol = argv[1];
    FILE *pdml = open_or_die(argv[2]);
    FILE *json = open_or_die(argv[3]);
    while (more = next_message(pdml, &m, &frame), object = next_object(json), object != NULL) {
        while (object != NULL && is_unfinished(object) &&
               (!more ||
                (json_int_t)m.frame != json_integer_value(json_object_get(object, "frame")))) {
            json_decref(object);
            object = next_object(json);
        }
        if (!more || object == NULL)
            break;
        compare(&m, object);
        json_decref(object);
        messages++;
    }
    if (more)
        differ(&m, "decode has no more messages");
    if (object != NULL) {
        printf("tshark shows no more messages after %u\n", messages);
        differences++;
    }
    json_decref(object);
    forget(&m);
    (void)fclose(pdml);
    (void)fclose(json);
    printf("%u messages, %u differences\n", messages, differences);
    return differences == 0 && messages > 0 ? 0 : 1;
}
