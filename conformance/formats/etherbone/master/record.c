/* SPDX-License-Identifier: BSD-2-Clause */
/* EtherBone master cases: what each side sent, kept and told apart request by request. */
#include <string.h>

#include "formats/etherbone/master/exchange.h"

#define AT_ONCE_NS (100 * GW_MS)
#define ONLY_LOOKS 8 /* who may look before somebody asks */

void gw_eb_master_record(gw_eb_master_session *t, gw_direction dir, unsigned number,
                         int64_t time_ns, const uint8_t *data, size_t len)
{
    gw_eb_master_exchange *exchange = t->exchange;
    gw_transport *transport = gw_case_transport(t->conn);
    if (exchange->num_packets == GW_EB_MASTER_PACKETS ||
        len > sizeof(exchange->bytes) - exchange->num_bytes) {
        t->ended = true; /* enough was seen */
        return;
    }
    exchange->numbers[exchange->num_packets] = number;
    exchange->packets[exchange->num_packets++] = (gw_evidence_packet){.time_ns = time_ns,
                                                                      .local = transport->local,
                                                                      .remote = transport->remote,
                                                                      .data = exchange->num_bytes,
                                                                      .len = (uint32_t)len,
                                                                      .dir = (uint8_t)dir,
                                                                      .stream = transport->stream};
    memcpy(exchange->bytes + exchange->num_bytes, data, len);
    exchange->num_bytes += len;
}

bool gw_eb_master_is_probe(const uint8_t *data, size_t len)
{
    return len >= 4 && gw_load_be16(data) == GW_EB_MAGIC && (data[2] & GW_EB_PF) != 0;
}

static void blank(uint8_t *copy, uint32_t len, size_t at, size_t num)
{
    if (at <= len && num <= len - at)
        memset(copy + at, 0, num);
}

/* FNV-1a over everything but the return addresses and the values written: a master may choose both
 * anew when it repeats a request. */
uint64_t gw_eb_master_fingerprint(const gw_message *message, const gw_dialect *dialect)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    gw_eb_reader reader;
    gw_eb_record record;
    uint8_t copy[2048];
    uint32_t len = message->len < sizeof(copy) ? message->len : (uint32_t)sizeof(copy);
    memcpy(copy, message->data, len);
    if (gw_eb_open(&reader, message, dialect))
        while (gw_eb_next(&reader, &record)) {
            if (record.wcount > 0)
                blank(copy, len, (size_t)(record.writes - message->data),
                      (size_t)record.wcount * reader.layout.data_unit);
            if (record.rcount > 0)
                blank(copy, len, (size_t)(record.reads - message->data) - reader.layout.addr_unit,
                      reader.layout.addr_unit);
        }
    for (uint32_t i = 0; i < len; i++)
        hash = (hash ^ copy[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static uint8_t kind_of(const gw_message *message, const gw_dialect *dialect)
{
    gw_eb_reader reader;
    gw_eb_record record;
    unsigned reading = 0;
    uint8_t kind = 0;
    if (!gw_eb_open(&reader, message, dialect))
        return 0;
    while (gw_eb_next(&reader, &record)) {
        if (record.rcount == 0)
            continue;
        reading++;
        kind |= (record.flags & GW_EB_RFF) != 0 ? GW_EB_MASTER_FIXED : GW_EB_MASTER_ASCENDING;
    }
    return reading > 1 ? kind | GW_EB_MASTER_SEVERAL : kind;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void note_patience(gw_eb_master_session *t, int64_t waited_ns)
{
    gw_eb_master_state *state = gw_eb_master_state_of(t->ctx);
    if (state->patience_ns == 0 || waited_ns < state->patience_ns)
        state->patience_ns = waited_ns;
}

/* Whoever takes a reply goes on at once, or when it likes; whoever does not waits until its
 * patience is over and asks again. */
static void note_accepted(gw_eb_master_session *t, gw_eb_master_exchange *exchange)
{
    size_t i = exchange->num_requests;
    bool same = i > 0 && exchange->fingerprints[i] == exchange->fingerprints[i - 1];
    int64_t now_ns = gw_case_now(t->conn);
    bool replied = exchange->replied_ns != 0;
    if (i == 0 && exchange->probed_ns != 0)
        exchange->trip_ns = least(now_ns - exchange->probed_ns, GW_EB_MASTER_LONGEST_TRIP_NS);
    int64_t patience_ns = AT_ONCE_NS + 4 * gw_case_settle_ns(t->ctx) + 2 * exchange->trip_ns;
    exchange->slow[i] = replied && now_ns - exchange->replied_ns > patience_ns;
    exchange->repeated = exchange->repeated || (same && exchange->slow[i]);
    /* Where a packet is one record, what is read back is written in the one before. */
    bool pair = gw_eb_dialect_of(gw_case_dialect(t->ctx))->record_words > 0 && i > 1 &&
                exchange->fingerprints[i] == exchange->fingerprints[i - 2];
    exchange->crossed =
        exchange->crossed ||
        ((same || pair) && replied && !gw_case_near(t->ctx) &&
         now_ns - exchange->replied_ns + GW_EB_MASTER_CROSSED_NS < exchange->trip_ns);
    exchange->num_accepted += replied && (!exchange->slow[i] || !exchange->repeated);
    if ((same || pair) && !replied)
        note_patience(t, now_ns - exchange->asked_ns[same ? 0 : 1]);
    exchange->asked_ns[1] = exchange->asked_ns[0];
    exchange->asked_ns[0] = now_ns;
    exchange->replied_ns = 0;
}

static void note_request(gw_eb_master_session *t, const gw_message *message)
{
    gw_eb_master_exchange *exchange = t->exchange;
    if (exchange->num_requests == GW_EB_MASTER_PACKETS)
        return;
    exchange->kinds[exchange->num_requests] = kind_of(message, gw_case_dialect(t->ctx));
    exchange->fingerprints[exchange->num_requests] =
        gw_eb_master_fingerprint(message, gw_case_dialect(t->ctx));
    note_accepted(t, exchange);
    exchange->request_packets[exchange->num_requests++] = (unsigned)exchange->num_packets;
}

static void note_record(void *arg, const gw_message *message)
{
    bool packet =
        message->part == GW_EB_PACKET && !gw_eb_master_is_probe(message->data, message->len);
    if (message->dir == GW_DIR_IN && (packet || message->part == GW_EB_RECORD))
        note_request(arg, message);
}

void gw_eb_master_note_requests(gw_eb_master_session *t, gw_direction dir, const uint8_t *data,
                                size_t len)
{
    gw_message message = gw_message_of(data, len);
    message.dir = (uint8_t)dir;
    if (t->stream) {
        message.transport = GW_OVER_TCP;
        gw_etherbone.stream->push(gw_eb_master_state_of(t->ctx)->stream, dir == GW_DIR_OUT,
                                  &message, note_record, t);
    } else if (dir == GW_DIR_IN && !gw_eb_master_is_probe(data, len)) {
        note_request(t, &message);
    }
}

void gw_eb_master_clear(gw_eb_master_exchange *exchange, uint8_t offer)
{
    memset(exchange, 0, sizeof(*exchange));
    exchange->offer = offer;
}

/* Whether who called only looked whether anybody is there: the exchange is with the one behind it,
 * as where a hook runs several programs. */
static bool only_looked(gw_eb_master_session *t)
{
    bool is_first = t->exchange != &gw_eb_master_state_of(t->ctx)->others;
    return is_first && t->exchange->num_requests == 0 &&
           !gw_eb_master_may_ask_nothing(t->behavior) && t->num_looked++ < ONLY_LOOKS;
}

bool gw_eb_master_starts_another(gw_eb_master_session *t, const gw_packet *packet)
{
    gw_eb_master_state *state = gw_eb_master_state_of(t->ctx);
    bool begun = t->exchange->num_packets > t->first_packet;
    bool elsewhere =
        begun && !gw_endpoint_equal(&packet->from, &t->exchange->packets[t->first_packet].remote);
    if (gw_case_ours(t->ctx) || t->stream || !gw_eb_master_is_probe(packet->data, packet->len) ||
        (t->exchange->num_requests == t->first_request && !elsewhere) ||
        packet->len > sizeof(state->early))
        return false;
    if (only_looked(t)) {
        gw_eb_master_clear(t->exchange, t->behavior->offer);
        return false;
    }
    t->ended = true;
    t->exchange->left = GW_EB_MASTER_RESTARTED;
    memcpy(state->early, packet->data, packet->len);
    state->num_early = packet->len;
    state->early_ns = packet->time_ns;
    return true;
}

void gw_eb_master_init_stream(gw_ctx *ctx)
{
    gw_eb_master_state *state = gw_eb_master_state_of(ctx);
    if (gw_etherbone.stream->size > sizeof(state->stream))
        gw_case_error(ctx, "the stream decoder wants %zu bytes", gw_etherbone.stream->size);
    gw_etherbone.stream->init(state->stream, gw_case_dialect(ctx));
}
