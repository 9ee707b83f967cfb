/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone cases: waiting for replies, reading and writing words and FIFOs. */
#include <inttypes.h>
#include <string.h>

#include "formats/etherbone/suite.h"
#include "harness/times.h"

#define CHUNK 16      /* reads of one record */
#define CHUNKS 16     /* as deep as FIFOs are, mostly */
#define REMEMBERED 64 /* bus operations, by the error register */

/* ---- waiting ---- */

static bool zero_filled(gw_ctx *ctx)
{
    return gw_case_board(ctx)->claims.zero_filled_reply == GW_CLAIM_YES ||
           gw_eb_dialect_of(gw_case_dialect(ctx))->zero_filled_reply;
}

/* The return address of the first record of |message| that brings results. */
static bool returns_to(gw_ctx *ctx, const gw_message *message, uint64_t *base, bool *empty)
{
    gw_eb_reader reader;
    gw_eb_record record;
    *empty = false;
    if (!gw_eb_open(&reader, message, gw_case_dialect(ctx)))
        return false;
    while (gw_eb_next(&reader, &record)) {
        *base = record.write_base;
        if (record.wcount > 0)
            return true;
        if (record.rcount > 0)
            return false;
    }
    *empty = reader.error.kind == GW_OK;
    return false;
}

static const gw_ebc_slot *slot_at(const gw_ebc_state *state, uint64_t address)
{
    for (unsigned i = 0; i < GW_EBC_SLOTS; i++)
        if (state->slots[i].address == address && address != 0)
            return &state->slots[i];
    return NULL;
}

static bool is_old_probe(const gw_ebc_state *state, const gw_message *message)
{
    if (message->len < 8 || gw_load_be16(message->data) != GW_EB_MAGIC ||
        (message->data[2] & GW_EB_PR) == 0)
        return false;
    for (unsigned i = 0; i < GW_EBC_PROBES && i < state->num_probes; i++)
        if (gw_eb_probe_answers(message->data, message->len, state->probes[i]))
            return true;
    return false;
}

/* An answer to a request that had its answer, or to a probe: it says so itself. */
static bool is_stale(gw_ctx *ctx, const gw_message *message, const gw_ebc_request *request)
{
    const gw_ebc_state *state = gw_ebc_state_of(ctx);
    uint64_t base = 0;
    bool empty;
    if (message->part == GW_EB_PACKET && is_old_probe(state, message))
        return true;
    /* Zeros answer writes. */
    if (!returns_to(ctx, message, &base, &empty))
        return empty && message->part == GW_EB_PACKET && request->reply_len > 0;
    const gw_ebc_slot *slot = slot_at(state, base);
    return base != request->return_base && slot != NULL && slot->closed;
}

bool gw_ebc_excused(gw_ctx *ctx, gw_connection *conn, const gw_packet *packet)
{
    const gw_ebc_state *state = gw_ebc_state_of(ctx);
    gw_message message = gw_message_of(packet->data, packet->len);
    uint64_t base = 0;
    bool empty;
    (void)conn;
    if (gw_case_stream(ctx))
        return false;
    message.transport = GW_OVER_UDP;
    if (is_old_probe(state, &message))
        return true;
    if (!returns_to(ctx, &message, &base, &empty))
        return false;
    const gw_ebc_slot *slot = slot_at(state, base);
    return slot != NULL && slot->closed && !slot->forbidden;
}

bool gw_ebc_is_answer(gw_ctx *ctx, const gw_packet *packet, const gw_ebc_request *request)
{
    gw_message message = gw_message_of(packet->data, packet->len);
    uint64_t base = 0;
    bool empty;
    message.transport = GW_OVER_UDP;
    return returns_to(ctx, &message, &base, &empty) && base == request->return_base;
}

gw_recv_status gw_ebc_next(gw_ctx *ctx, gw_connection *conn, int64_t timeout_ns, gw_packet *packet)
{
    int64_t deadline = gw_case_now(conn) + timeout_ns;
    gw_recv_status status;
    do
        status = gw_case_recv(ctx, conn, deadline - gw_case_now(conn), packet);
    while (status == GW_RECV_DATA && gw_ebc_excused(ctx, conn, packet));
    return status;
}

static void fill_reply(gw_ctx *ctx, gw_ebc_reply *reply, const gw_packet *packet)
{
    bool stream = gw_case_stream(ctx);
    reply->number = packet->number;
    reply->message = gw_message_of(packet->data, packet->len);
    reply->message.time_ns = packet->time_ns;
    reply->message.src = packet->from;
    reply->message.part = stream ? GW_EB_RECORD : GW_EB_PACKET;
    reply->message.part_arg = gw_ebc_widths(ctx);
    reply->message.transport = stream ? GW_OVER_TCP : GW_OVER_UDP;
}

/* Where we began with a header instead of a probe, the board's stream may have one as well. */
static void skip_header(gw_ebc_state *state, size_t header_len)
{
    if (!state->header_due || state->waiting < header_len)
        return;
    state->header_due = false;
    if (gw_load_be16(state->answer) != GW_EB_MAGIC)
        return;
    state->waiting -= header_len;
    memmove(state->answer, state->answer + header_len, state->waiting);
}

/* Takes the bytes that are due off the stream; what came behind them waits for the next call. */
static bool await_stream(gw_ctx *ctx, gw_connection *conn, const gw_ebc_request *request,
                         gw_ebc_reply *reply, int64_t deadline)
{
    gw_ebc_state *state = gw_ebc_state_of(ctx);
    size_t want = zero_filled(ctx) ? request->len : request->reply_len;
    /* The reply handed out last time stood in front until now. */
    memmove(state->answer, state->answer + state->taken, state->waiting);
    state->taken = 0;
    gw_packet whole = {.data = state->answer, .number = state->last_number};
    while (state->waiting < want) {
        gw_packet piece;
        if (gw_case_recv(ctx, conn, deadline - gw_case_now(conn), &piece) != GW_RECV_DATA)
            break;
        size_t room = sizeof(state->answer) - state->waiting;
        size_t take = piece.len < room ? piece.len : room;
        memcpy(state->answer + state->waiting, piece.data, take);
        state->waiting += take;
        state->last_number = piece.number;
        whole.number = piece.number;
        skip_header(state, gw_ebc_layout(ctx).header_len);
    }
    whole.len = state->waiting < want ? state->waiting : want;
    state->taken = whole.len;
    state->waiting -= whole.len;
    fill_reply(ctx, reply, &whole);
    state->stale = is_stale(ctx, &reply->message, request);
    return whole.len >= want && !state->stale;
}

static bool await_datagram(gw_ctx *ctx, gw_connection *conn, const gw_ebc_request *request,
                           gw_ebc_reply *reply, int64_t deadline)
{
    gw_packet packet;
    while (gw_case_recv(ctx, conn, deadline - gw_case_now(conn), &packet) == GW_RECV_DATA) {
        uint64_t base;
        bool empty;
        fill_reply(ctx, reply, &packet);
        if (!is_stale(ctx, &reply->message, request))
            return true;
        if (!returns_to(ctx, &reply->message, &base, &empty))
            continue;
        gw_ebc_state_of(ctx)->stale = true;
        gw_case_mark(ctx, packet.number, "answers a request that was answered before");
    }
    return false;
}

void gw_ebc_expire_return_address(gw_ctx *ctx, const gw_ebc_request *request)
{
    if (request->slot < GW_EBC_SLOTS)
        gw_ebc_state_of(ctx)->slots[request->slot].closed = true;
}

void gw_ebc_forbid(gw_ctx *ctx, const gw_ebc_request *request)
{
    gw_ebc_expire_return_address(ctx, request);
    if (request->slot < GW_EBC_SLOTS)
        gw_ebc_state_of(ctx)->slots[request->slot].forbidden = true;
}

bool gw_ebc_await(gw_ctx *ctx, gw_connection *conn, const gw_ebc_request *request,
                  gw_ebc_reply *reply, int64_t timeout_ns)
{
    gw_ebc_state *state = gw_ebc_state_of(ctx);
    int64_t deadline = gw_case_now(conn) + timeout_ns;
    state->stale = false;
    bool came = gw_case_stream(ctx) ? await_stream(ctx, conn, request, reply, deadline)
                                    : await_datagram(ctx, conn, request, reply, deadline);
    gw_ebc_expire_return_address(ctx, request);
    return came;
}

unsigned gw_ebc_post(gw_ctx *ctx, const gw_ebc_request *request)
{
    gw_ebc_reply reply;
    gw_connection *conn = gw_case_connection(ctx);
    unsigned number = gw_ebc_send(ctx, conn, request);
    /* Nothing tells that it has arrived, and what is sent behind it may come first. */
    if (!gw_case_stream(ctx) && !gw_case_near(ctx))
        gw_case_wait(conn, gw_case_lag_ns(ctx));
    if (gw_case_stream(ctx) && zero_filled(ctx) &&
        !gw_ebc_await(ctx, conn, request, &reply, gw_case_reply_ns(ctx)))
        gw_case_inconc(ctx, "a write got no zero-filled reply, which the board claims to send");
    return number;
}

static const char *own_rule(gw_ctx *ctx, const char *rule)
{
    const gw_case *self = gw_case_self(ctx);
    return rule != NULL || self == NULL ? rule : self->rules[0];
}

void gw_ebc_ask(gw_ctx *ctx, gw_ebc_request *request, gw_ebc_reply *reply, const char *rule)
{
    gw_connection *conn = gw_case_connection(ctx);
    unsigned tries = 0;
    unsigned number;
    bool stale;
    for (;;) {
        gw_ebc_drain(ctx, conn);
        number = gw_ebc_send(ctx, conn, request);
        if (gw_ebc_await(ctx, conn, request, reply, gw_case_reply_ns(ctx)))
            return;
        stale = gw_ebc_state_of(ctx)->stale;
        if (stale || !request->repeatable || !gw_case_again(ctx, &tries))
            break;
        gw_ebc_readdress(ctx, request);
    }
    gw_miss miss = {.rule = own_rule(ctx, rule), .packet = number};
    if (stale) {
        miss.rule = "EB-S22";
        gw_case_fail(ctx, &miss, "the only reply has the return address of an earlier request");
    }
    /* Whoever wants a header before each record hangs up on the first one without. */
    gw_packet packet;
    if (gw_case_stream(ctx) && gw_case_recv(ctx, conn, 0, &packet) == GW_RECV_CLOSED) {
        miss.rule = "EB-S46";
        miss.blocks = true;
        gw_case_fail(ctx, &miss,
                     "the board closed the connection instead of answering a record of "
                     "%zu bytes that stands without a header of its own",
                     request->len);
    }
    gw_case_mark(ctx, number, "%s: no reply", miss.rule);
    char within[24];
    gw_case_fail(ctx, &miss, "no reply within %s to a request of %zu bytes",
                 gw_times_text(within, sizeof(within), gw_case_reply_ns(ctx)), request->len);
}

void gw_ebc_expect(gw_ctx *ctx, const gw_ebc_reply *reply, const char *rule, const char *field,
                   uint64_t value)
{
    const gw_message *m = &reply->message;
    bool headed = !gw_case_stream(ctx) || m->part == GW_EB_HEAD;
    bool other =
        headed && m->len >= 3 && (m->data[2] & GW_EB_PR) == 0 && m->data[2] >> 4 != GW_EB_VERSION;
    if (other && strcmp(rule, "EB-S10") != 0)
        gw_case_inconc(ctx, "nothing can be read out of a reply of version %u", m->data[2] >> 4);
    gw_want want = {.rule = rule, .field = field, .value = value};
    gw_case_expect(ctx, m, reply->number, &want);
}

/* Where the results of record |r| begin, when its reply record begins at |at|; |at| moves behind
 * the record. 0 when it has none. */
static size_t place_of(const gw_eb_layout *l, const gw_ebc_request *request, unsigned r, bool zeros,
                       const gw_message *reply, size_t *at)
{
    unsigned num = request->reads[r];
    if (zeros && request->writes[r] > 0)
        *at += (size_t)(request->writes[r] + 1u) * l->addr_unit;
    /* A compressed reply may close a cycle with an empty record. */
    while (!zeros && *at + l->record_header <= reply->len && reply->data[*at + 2] == 0 &&
           reply->data[*at + 3] == 0)
        *at += l->record_header;
    size_t results = *at + l->record_header + l->addr_unit;
    if (num > 0)
        *at = results + (size_t)num * l->data_unit;
    else if (zeros)
        *at += l->record_header;
    return num > 0 ? results : 0;
}

static size_t find_result(gw_ctx *ctx, const gw_ebc_request *request, const gw_message *reply,
                          unsigned i)
{
    gw_eb_layout l = gw_ebc_layout(ctx);
    size_t at = gw_case_stream(ctx) ? 0 : l.header_len;
    bool zeros = reply->len == request->len && request->len != request->reply_len;
    for (unsigned r = 0; r < request->num_records; r++) {
        size_t results = place_of(&l, request, r, zeros, reply, &at);
        if (i < request->reads[r])
            return results + (size_t)i * l.data_unit;
        i -= request->reads[r];
    }
    gw_case_error(ctx, "the case asks for a result that it did not request");
}

uint64_t gw_ebc_result(gw_ctx *ctx, const gw_ebc_request *request, const gw_ebc_reply *reply,
                       unsigned i)
{
    gw_eb_layout l = gw_ebc_layout(ctx);
    size_t at = find_result(ctx, request, &reply->message, i);
    if (at + l.data_unit <= reply->message.len) {
        gw_ebc_state *s = gw_ebc_state_of(ctx);
        at += l.data_unit - l.data_bytes;
        s->word_packet = reply->number;
        s->word_offset = gw_case_stream(ctx) ? 0 : (uint32_t)at;
        return gw_load_be(reply->message.data + at, l.data_bytes);
    }
    gw_miss miss = {
        .rule = own_rule(ctx, NULL), .packet = reply->number, .offset = reply->message.len};
    gw_case_fail(ctx, &miss, "the reply ends at byte %" PRIu32 ", before result %u at byte %zu",
                 reply->message.len, i, at);
}

gw_miss gw_ebc_word_miss(gw_ctx *ctx, const char *rule, uint64_t expected, uint64_t got)
{
    const gw_ebc_state *s = gw_ebc_state_of(ctx);
    return (gw_miss){.rule = rule,
                     .field = gw_format_field(&gw_etherbone, "etherbone.write.value"),
                     .packet = s->word_packet,
                     .offset = s->word_offset,
                     .expected = expected,
                     .got = got};
}

/* ---- words ---- */

static uint64_t read_word(gw_ctx *ctx, uint64_t address, uint8_t flags)
{
    gw_ebc_request request;
    gw_ebc_reply reply;
    gw_eb_operation op = {.reads = &address,
                          .num_reads = 1,
                          .flags = flags | GW_EB_CYC,
                          .byte_enable = gw_ebc_lanes(ctx)};
    gw_ebc_make(ctx, &request, &op, 1);
    gw_ebc_ask(ctx, &request, &reply, NULL);
    return gw_ebc_result(ctx, &request, &reply, 0);
}

uint64_t gw_ebc_read(gw_ctx *ctx, uint64_t address)
{
    return read_word(ctx, address, 0);
}

uint64_t gw_ebc_read_config(gw_ctx *ctx, uint64_t address)
{
    return read_word(ctx, address, GW_EB_RCA);
}

static void write_once(gw_ctx *ctx, uint64_t address, uint64_t value)
{
    gw_ebc_request request;
    gw_eb_operation op = {.writes = &value,
                          .num_writes = 1,
                          .write_base = address,
                          .flags = GW_EB_CYC,
                          .byte_enable = gw_ebc_lanes(ctx)};
    gw_ebc_make(ctx, &request, &op, 1);
    gw_ebc_post(ctx, &request);
}

void gw_ebc_write(gw_ctx *ctx, uint64_t address, uint64_t value)
{
    unsigned tries = 0;
    do
        write_once(ctx, address, value);
    while (gw_case_loses(ctx) && gw_ebc_lies_in(gw_case_board(ctx), address, GW_AREA_RAM) &&
           gw_ebc_read(ctx, address) != value && gw_case_again(ctx, &tries));
}

void gw_ebc_expect_word(gw_ctx *ctx, const char *rule, uint64_t address, uint64_t value,
                        const char *what)
{
    uint64_t got = gw_ebc_read(ctx, address);
    if (got == value)
        return;
    gw_miss miss = gw_ebc_word_miss(ctx, own_rule(ctx, rule), value, got);
    gw_case_fail(ctx, &miss, "%s: 0x%" PRIx64 " expected at address 0x%" PRIx64 ", read 0x%" PRIx64,
                 what, value, address, got);
}

void gw_ebc_expect_kept(gw_ctx *ctx, uint64_t address, uint64_t value)
{
    uint64_t got = gw_ebc_read(ctx, address);
    if (got != value)
        gw_case_inconc(ctx,
                       "a word to be kept, 0x%" PRIx64 " at address 0x%" PRIx64
                       ", is read as 0x%" PRIx64 " before anything else is done",
                       value, address, got);
}

/* ---- FIFOs ---- */

/* What an empty FIFO returns is nobody's business. Reads of it may be bus errors, which cases that
 * come later shall not find in the error register. */
void gw_ebc_empty_fifo(gw_ctx *ctx, uint64_t fifo)
{
    uint64_t reads[CHUNK];
    uint64_t harmless;
    gw_ebc_request request;
    gw_ebc_reply reply;
    uint8_t flags = gw_ebc_harmless(ctx, &harmless);
    for (unsigned i = 0; i < CHUNKS + REMEMBERED / CHUNK; i++) {
        bool taking = i < CHUNKS;
        for (unsigned k = 0; k < CHUNK; k++)
            reads[k] = taking ? fifo : harmless;
        gw_eb_operation op = {.reads = reads,
                              .num_reads = CHUNK,
                              .flags = (taking ? 0 : flags) | GW_EB_CYC,
                              .byte_enable = gw_ebc_lanes(ctx)};
        gw_ebc_make(ctx, &request, &op, 1);
        /* Whatever is lost, is out: the next chunk goes on. */
        request.repeatable = !gw_case_stream(ctx);
        gw_ebc_ask(ctx, &request, &reply, NULL);
    }
}

void gw_ebc_leave(gw_ctx *ctx)
{
    const gw_board_file *board = gw_case_board(ctx);
    gw_ebc_begin(ctx);
    for (size_t i = 0; i < board->num_areas; i++) {
        const gw_area *area = &board->areas[i];
        unsigned bits = gw_ebc_layout(ctx).addr_bytes * 8u;
        if (area->type == GW_AREA_FIFO && (bits == 64 || area->address >> bits == 0))
            gw_ebc_empty_fifo(ctx, area->address);
    }
}
