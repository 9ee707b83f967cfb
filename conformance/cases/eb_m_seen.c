/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone master: what its requests show while its slave behaves well. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cases/ebm.h"

/* One finding against a message. */
typedef struct fault {
    const gw_rule *rule;
    const gw_field *field;
    uint32_t offset;
    char text[256];
} fault;

#define MAX_FAULTS 8 /* of one message; more tell nothing new */

/* What was seen of one rule, and of what it is about. */
typedef struct scan {
    gw_verdict_sink sink; /* first */
    gw_ctx *ctx;
    const gw_dialect *dialect;
    const char *rule; /* that counts */
    void *session;
    fault faults[MAX_FAULTS]; /* of the message that is looked at */
    unsigned num_faults;
    bool found;
    fault worst; /* the first finding against the rule */
    unsigned frame;
    bool lost;       /* a stream: its records make no sense any more ... */
    bool was_lost;   /* ... or did not in an earlier connection */
    bool miscounted; /* some datagram has counts that do not fit */
    bool open;       /* a stream: the record before left its cycle open */
    /* counted */
    unsigned messages;
    unsigned probes;
    unsigned requests;
    unsigned decoded; /* of these */
    unsigned reading;
    unsigned writing_only;
    unsigned with_nr;
    unsigned padded; /* headers of 8 bytes */
    unsigned config_reads;
    unsigned status_reads;
    unsigned spanning;  /* records that go on with a cycle */
    unsigned left_open; /* datagrams that end in an open cycle */
    unsigned open_frame;
    unsigned several;   /* packets with several records that read */
    unsigned unchecked; /* bus operations since the last status read */
    unsigned most_unchecked;
} scan;

static void on_finding(gw_verdict_sink *sink, const gw_finding *finding)
{
    scan *s = (scan *)sink;
    const gw_evidence_packet *packet = gw_case_seen(s->ctx, (unsigned)finding->frame);
    if (packet == NULL || packet->dir != GW_DIR_IN || s->num_faults == MAX_FAULTS)
        return;
    fault *f = &s->faults[s->num_faults++];
    f->rule = finding->rule;
    f->field = finding->field;
    f->offset = finding->offset;
    (void)snprintf(f->text, sizeof(f->text), "%s", finding->text);
}

static const fault *find_fault(const scan *s, const char *rule)
{
    for (unsigned i = 0; i < s->num_faults; i++)
        if (strcmp(s->faults[i].rule->id, rule) == 0)
            return &s->faults[i];
    return NULL;
}

static bool has_header_padding(const scan *s)
{
    for (unsigned i = 0; i < s->num_faults; i++)
        if (s->faults[i].field != NULL &&
            strcmp(s->faults[i].field->name, "etherbone.header_padding") == 0)
            return true;
    return false;
}

static void blame(scan *s, const fault *f, unsigned frame)
{
    if (f == NULL || s->found)
        return;
    s->found = true;
    s->worst = *f;
    s->frame = frame;
}

/* Bytes that are out of step break rules at random. A header without its padding shifts all that
 * follows, a wrong count too: then nothing else is held against the message. */
static const char *overriding(const scan *s)
{
    if (has_header_padding(s))
        return "EB-M06";
    return find_fault(s, "EB-M09") != NULL ? "EB-M09" : NULL;
}

/* In a stream nobody can say where a wrong count stands. A record with both reserved bits and
 * padding set is no record but bytes out of step, and so is an empty one with padding set. */
static bool makes_no_sense(const scan *s, const gw_message *message)
{
    bool empty = message->len >= 4 && gw_load_be32(message->data) == 0;
    return find_fault(s, "EB-M06") != NULL && (empty || find_fault(s, "EB-M01") != NULL);
}

/* The connection ended inside a record: its counts promised more than came. */
static bool ends_early(const scan *s, const gw_message *message)
{
    gw_eb_reader reader;
    gw_eb_record record;
    if (!gw_eb_open(&reader, message, s->dialect))
        return false;
    while (gw_eb_next(&reader, &record))
        continue;
    return reader.error.kind == GW_TRUNCATED;
}

static void lose(scan *s, unsigned frame, const char *why)
{
    fault f = {.rule = gw_format_rule(&gw_etherbone, "EB-M09")};
    (void)snprintf(f.text, sizeof(f.text), "%s", why);
    s->lost = true;
    s->was_lost = true;
    if (strcmp(s->rule, "EB-M09") == 0)
        blame(s, &f, frame);
}

/* False when the records of a stream cannot be trusted from here on. */
static bool judge_stream(scan *s, const gw_message *message)
{
    unsigned frame = (unsigned)message->frame;
    const fault *second_header = find_fault(s, "EB-M21");
    if (second_header != NULL) {
        s->lost = s->was_lost = true;
        if (strcmp(s->rule, "EB-M21") == 0)
            blame(s, second_header, frame);
    } else if (makes_no_sense(s, message)) {
        lose(s, frame, "the records of the stream make no sense from here on");
    } else if (ends_early(s, message)) {
        lose(s, frame, "the stream ends inside a record: its counts promise more than came");
    }
    return !s->lost;
}

static void judge_message(scan *s, const gw_message *message)
{
    const char *only = overriding(s);
    if (message->part == GW_EB_RECORD && !judge_stream(s, message))
        return;
    s->miscounted = s->miscounted || (only != NULL && strcmp(only, "EB-M09") == 0);
    if (only == NULL || strcmp(only, s->rule) == 0)
        blame(s, find_fault(s, s->rule), (unsigned)message->frame);
}

static void count_record(scan *s, const gw_eb_record *record, uint8_t data_bytes)
{
    bool config = (record->flags & GW_EB_RCA) != 0;
    if (record->rcount > 0 && config)
        s->config_reads++;
    if ((record->flags & GW_EB_WCA) == 0)
        s->unchecked += record->wcount;
    if (!config)
        s->unchecked += record->rcount;
    if (s->unchecked > s->most_unchecked)
        s->most_unchecked = s->unchecked;
    /* The newest bits of the error register stand at the end of its eight bytes. */
    bool status = config && record->rcount == 1 &&
                  gw_load_be16(record->reads + (data_bytes > 2 ? data_bytes - 2 : 0)) <= 8u;
    if (status) {
        s->status_reads++;
        s->unchecked = 0;
    }
}

static void count_records(scan *s, const gw_message *message)
{
    gw_eb_reader reader;
    gw_eb_record record;
    unsigned records = 0;
    unsigned reading = 0;
    bool open = message->part == GW_EB_RECORD && s->open;
    s->requests++;
    if (overriding(s) != NULL || !gw_eb_open(&reader, message, s->dialect))
        return;
    s->decoded++;
    s->padded += reader.layout.record_header == 8;
    while (gw_eb_next(&reader, &record)) {
        s->spanning += open;
        open = (record.flags & GW_EB_CYC) == 0;
        records++;
        reading += record.rcount > 0;
        count_record(s, &record, reader.layout.data_bytes);
    }
    s->open = open;
    s->reading += reading > 0;
    s->several += reading > 1;
    if (records > 0 && reading == 0) {
        s->writing_only++;
        s->with_nr += reader.has_header && (reader.header.flags & GW_EB_NR) != 0;
    }
    if (open && reader.error.kind == GW_OK && message->part == GW_EB_PACKET) {
        s->left_open++;
        if (s->open_frame == 0)
            s->open_frame = (unsigned)message->frame;
    }
}

static void on_message(void *arg, const gw_message *message)
{
    scan *s = arg;
    if (message->part == GW_EB_HEAD)
        s->lost = s->open = false; /* a new connection */
    if (s->lost)
        return;
    s->num_faults = 0;
    gw_etherbone.session->feed(s->session, message, s->dialect, &s->sink);
    if (message->dir != GW_DIR_IN)
        return;
    gw_etherbone.check(message, s->dialect, &s->sink);
    judge_message(s, message);
    s->messages++;
    if (s->lost)
        return;
    bool probe = message->part != GW_EB_RECORD && message->len >= 3 &&
                 (message->data[2] & GW_EB_PF) != 0 && message->part != GW_EB_LOST;
    s->probes += probe;
    if (!probe)
        count_records(s, message);
}

static scan look_back(gw_ctx *ctx, const char *rule)
{
    gw_ebm_state *state = gw_ebm_state_of(ctx);
    scan s = {.sink = {.finding = on_finding},
              .ctx = ctx,
              .dialect = gw_case_dialect(ctx),
              .rule = rule,
              .session = state->session};
    if (!gw_etherbone.session->init(state->session, sizeof(state->session), 60 * GW_SECOND))
        gw_case_error(ctx, "no room for a session");
    gw_ebm_recall(ctx, on_message, &s);
    gw_etherbone.session->end(state->session, &s.sink);
    return s;
}

static void judge(gw_ctx *ctx, const scan *s)
{
    const fault *f = &s->worst;
    if (!s->found)
        return;
    gw_miss miss = {
        .rule = f->rule->id, .field = f->field, .packet = s->frame, .offset = f->offset};
    gw_case_mark(ctx, s->frame, "%s at byte %" PRIu32 ": %s", f->rule->id, f->offset, f->text);
    gw_case_fail(ctx, &miss, "packet %u, byte %" PRIu32 ": %s", s->frame, f->offset, f->text);
}

/* The rule that a case is for, judged by what one message or the conversation shows. */
static scan judge_own_rule(gw_ctx *ctx)
{
    scan s = look_back(ctx, gw_case_self(ctx)->rules[0]);
    judge(ctx, &s);
    if (s.requests > 0 && s.decoded == 0 && !s.was_lost)
        gw_case_inconc(ctx, "none of %u requests can be decoded", s.requests);
    return s;
}

static void any_packet(gw_ctx *ctx)
{
    scan s = judge_own_rule(ctx);
    if (s.messages == 0)
        gw_case_na(ctx, "the master sent no whole packet");
}

/* A probe that offers several widths must be answered before anything can follow it. */
static void check_stream_probe(gw_ctx *ctx)
{
    const gw_ebm_talk *talk = &gw_ebm_state_of(ctx)->wide;
    const gw_evidence_packet *first = &talk->packets[0];
    if (!first->stream || first->len <= 8)
        return;
    gw_miss miss = {.rule = "EB-M02", .packet = 2, .offset = 8}; /* 1 opens the connection */
    gw_case_fail(ctx, &miss, "%" PRIu32 " bytes follow the 8 of the probe before it is answered",
                 first->len - 8);
}

static void any_probe(gw_ctx *ctx)
{
    scan s = look_back(ctx, "EB-M02");
    judge(ctx, &s);
    if (s.probes == 0)
        gw_case_na(ctx, "the master does not probe");
    check_stream_probe(ctx);
}

static void any_request(gw_ctx *ctx)
{
    scan s = judge_own_rule(ctx);
    if (s.requests == 0)
        gw_case_na(ctx, "the master sent no request");
}

static void padding(gw_ctx *ctx)
{
    scan s = look_back(ctx, "EB-M06");
    /* A header without padding shifts the rest; wrong counts make padding of anything. */
    bool header = s.found && s.worst.field != NULL &&
                  strcmp(s.worst.field->name, "etherbone.header_padding") == 0;
    if (!header && (s.miscounted || s.was_lost))
        gw_case_inconc(ctx, "counts do not fit, so nobody can say what is padding");
    judge(ctx, &s);
    if (s.padded == 0)
        gw_case_note(ctx, "no packet had headers that need padding");
}

static void no_reads(gw_ctx *ctx)
{
    scan s = judge_own_rule(ctx);
    if (s.reading == 0)
        gw_case_na(ctx, "no packet carried reads");
}

static void hint(gw_ctx *ctx)
{
    scan s = look_back(ctx, "EB-M08");
    if (s.writing_only == 0 || gw_case_stream(ctx))
        gw_case_na(ctx, "no packet carried writes only");
    gw_case_note(ctx, "%u of %u packets of writes have NR set", s.with_nr, s.writing_only);
}

static void config(gw_ctx *ctx)
{
    scan s = judge_own_rule(ctx);
    if (s.config_reads == 0)
        gw_case_na(ctx, "the master read nothing in the config space");
}

static void spans(gw_ctx *ctx)
{
    scan s = look_back(ctx, "EB-M10");
    gw_miss miss = {.rule = "EB-M10"};
    if (s.was_lost)
        gw_case_inconc(ctx, "the master's stream is out of step");
    if (s.requests == 0)
        gw_case_na(ctx, "the master sent no request");
    if (s.spanning == 0)
        gw_case_fail(ctx, &miss,
                     "the board file claims cycles over several records, and every one "
                     "of %u requests ends its cycle with its first record",
                     s.requests);
}

static void left_open(gw_ctx *ctx)
{
    scan s = look_back(ctx, "EB-M23");
    gw_miss miss = {.rule = "EB-M23", .packet = s.open_frame};
    if (s.left_open > 0)
        gw_case_fail(ctx, &miss, "%u datagrams leave their bus cycle open, packet %u first",
                     s.left_open, s.open_frame);
}

static void status(gw_ctx *ctx)
{
    scan s = look_back(ctx, "EB-M19");
    gw_miss miss = {.rule = "EB-M19"};
    if (s.status_reads == 0)
        gw_case_na(ctx, "the master never reads the error register");
    gw_case_note(ctx, "at most %u bus operations between reads of the error register",
                 s.most_unchecked);
    /* Operations that nobody means to check may be many: only a master that reads the register
     * after each batch can be judged, and those stay below its depth. */
    if (s.most_unchecked > 64 && s.status_reads >= s.requests / 2)
        gw_case_fail(ctx, &miss,
                     "%u bus operations between two reads of the error register, which "
                     "remembers 64",
                     s.most_unchecked);
}

/* The reply to a request of several records brings them all at once. A master that does not take
 * that repeats such requests, and no others: polling repeats anything. */
static void several(gw_ctx *ctx)
{
    const gw_ebm_talk *talk = &gw_ebm_state_of(ctx)->wide;
    unsigned asked = 0;
    unsigned repeated = 0;
    unsigned others = 0;
    gw_miss miss = {.rule = "EB-M15"};
    (void)look_back(ctx, "EB-M15");
    for (size_t i = 0; i < talk->num_shapes; i++) {
        bool again = i > 0 && talk->shapes[i] == talk->shapes[i - 1];
        asked += talk->several[i] && !again;
        repeated += talk->several[i] && again;
        others += !talk->several[i] && again;
    }
    if (asked == 0)
        gw_case_na(ctx, "no packet had several records that read");
    if (repeated >= asked && others == 0)
        gw_case_fail(ctx, &miss,
                     "the master repeats requests of several records, %u times, although "
                     "they were answered",
                     repeated);
}

/* Counts tell where the next record begins: when they are wrong nothing can be said of the rest. */
#define SEEN(name, what, function, rule)                                                           \
    {                                                                                              \
        .id = name, .title = what, .rules = GW_LIST(rule), .after = GW_LIST("eb-m/counts"),        \
        .run = function                                                                            \
    }

const gw_case gw_eb_m_seen[] = {
    {.id = "eb-m/probe-form",
     .title = "A probe is 8 bytes long and has an id",
     .rules = GW_LIST("EB-M02"),
     .run = any_probe},
    {.id = "eb-m/widths",
     .title = "Requests use one pair of the widths that both sides have",
     .rules = GW_LIST("EB-M04"),
     .run = any_request},
    {.id = "eb-m/counts",
     .title = "Counts say how much follows, and nothing else follows",
     .rules = GW_LIST("EB-M09"),
     .after = GW_LIST("eb-m/probe-form"),
     .run = any_request},
    SEEN("eb-m/packet-begin", "Packets begin with the magic and version 1, reserved bits clear",
         any_packet, "EB-M01"),
    {.id = "eb-m/padding",
     .title = "Headers, addresses and data are padded with zeros",
     .rules = GW_LIST("EB-M06"),
     .after = GW_LIST("eb-m/probe-form"),
     .run = padding},
    SEEN("eb-m/nr-clear", "NR is clear in packets that read", no_reads, "EB-M07"),
    SEEN("eb-m/nr-hint", "NR may be set in packets of writes only", hint, "EB-M08"),
    {.id = "eb-m/long-cycles",
     .title = "A cycle over several records ends with the last of them only",
     .rules = GW_LIST("EB-M10"),
     .after = GW_LIST("eb-m/counts"),
     .needs = GW_LIST("long-cycles"),
     .run = spans},
    {.id = "eb-m/cycle-end",
     .title = "The last record of a datagram ends the cycle",
     .rules = GW_LIST("EB-M11"),
     .after = GW_LIST("eb-m/counts"),
     .needs = GW_LIST("udp"),
     .run = any_request},
    SEEN("eb-m/byte-enables", "Byte enables select an aligned run of lanes", any_request, "EB-M12"),
    SEEN("eb-m/several-records", "Replies of several records are taken", several, "EB-M15"),
    SEEN("eb-m/error-checks", "The error register is read before results fall out of it", status,
         "EB-M19"),
    {.id = "eb-m/packet-size",
     .title = "Datagrams fit the path without fragments",
     .rules = GW_LIST("EB-M20"),
     .needs = GW_LIST("udp"),
     .run = any_request},
    {.id = "eb-m/one-header",
     .title = "A connection has one packet header",
     .rules = GW_LIST("EB-M21"),
     .needs = GW_LIST("tcp"),
     .run = any_packet},
    SEEN("eb-m/config-reads", "The config space is read aligned and at full width", config,
         "EB-M22"),
    {.id = "eb-m/open-cycles",
     .title = "No cycle stays open from one datagram to the next",
     .rules = GW_LIST("EB-M23"),
     .after = GW_LIST("eb-m/counts"),
     .needs = GW_LIST("udp"),
     .run = left_open},
    {0},
};
