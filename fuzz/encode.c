/* SPDX-License-Identifier: BSD-2-Clause */
/* From JSON back to messages and frames. Input: one byte of choice, then either lines of JSON, or
 * (bit 0) a message that is described and put together again.
 *
 * Oracles: what is refused is refused with a reason; what is accepted comes out of the capture with
 * the same bytes, lengths, ends and time; a described message comes back, from its leaves alone as
 * well. */
#include <inttypes.h>

#include "file.h"
#include "fuzz.h"
#include "goldwire/etherbone.h"
#include "goldwire/net.h"
#include "inspect/assemble.h"
#include "inspect/describe/describe.h"
#include "inspect/framer.h"

enum { LINES_MAX = 8, MESSAGE_MAX = 2048 };

/* What went into the capture and has bytes. */
struct sent {
    gw_message message;
    uint8_t bytes[GW_ASSEMBLE_BYTES];
};

static struct sent sent[LINES_MAX];
static unsigned num_sent;

static void read_back(const char *path)
{
    char why[256] = "";
    gw_capture *capture = gw_capture_open(path, why, sizeof why);
    gw_frame frame;
    gw_net net;
    unsigned i = 0;

    gw_fuzz_check(capture != NULL, "the capture that was written does not open");
    while (gw_capture_next(capture, &frame) == GW_CAPTURE_FRAME) {
        gw_net_status status = gw_net_parse(&net, frame.link_type,
                                            gw_cursor_over(frame.data, frame.cap_len), frame.len);
        gw_fuzz_check(status == GW_NET_OK, "a frame that was written is not read");
        if (gw_cursor_left(&net.payload) == 0)
            continue;
        gw_fuzz_check(i < num_sent, "more messages than were written");
        const gw_message *m = &sent[i].message;
        gw_fuzz_check(gw_cursor_left(&net.payload) == m->cap_len &&
                          memcmp(net.payload.p, sent[i].bytes, m->cap_len) == 0,
                      "other bytes than were written");
        gw_fuzz_check(m->transport == net.transport && gw_endpoint_equal(&m->src, &net.src) &&
                          gw_endpoint_equal(&m->dst, &net.dst),
                      "other ends than were written");
        gw_fuzz_check(m->transport != GW_OVER_UDP || m->len == net.payload_len,
                      "another length than was written");
        gw_fuzz_check(frame.time_ns == m->time_ns, "another time than was written");
        gw_fuzz_check(net.num_vlans == m->num_vlans &&
                          memcmp(net.vlans, m->vlans, m->num_vlans * sizeof *m->vlans) == 0,
                      "other VLANs than were written");
        i++;
    }
    gw_fuzz_check(gw_capture_error(capture)[0] == '\0', "the capture that was written is broken");
    gw_fuzz_check(i == num_sent, "fewer messages than were written");
    gw_capture_close(capture);
}

static void encode_line(gw_framer *framer, const char *line, size_t len)
{
    static gw_assembled assembled;
    char why[512] = "";
    json_error_t error;
    json_t *object = json_loadb(line, len, JSON_REJECT_DUPLICATES, &error);

    if (object == NULL)
        return;
    if (!gw_assemble(&assembled, object, &gw_etherbone, why, sizeof why)) {
        gw_fuzz_check(why[0] != '\0', "refused without a reason");
    } else if (assembled.format ==
               &gw_etherbone) { /* what stands around others is read elsewhere */
        const gw_message *m = &assembled.message;
        gw_framer_result result = gw_framer_add(framer, &assembled, why, sizeof why);
        gw_fuzz_check(result != GW_FRAMER_FAILED, "a file in memory takes no more");
        gw_fuzz_check(result == GW_FRAMER_OK || why[0] != '\0', "refused without a reason");
        if (result == GW_FRAMER_OK && m->cap_len > 0) {
            sent[num_sent].message = *m;
            memcpy(sent[num_sent++].bytes, m->data, m->cap_len);
        }
    }
    json_decref(object);
}

static void encode_lines(const uint8_t *data, size_t size)
{
    const char *path = gw_fuzz_path(NULL, 0);
    FILE *out = fopen(path, "we");
    gw_fuzz_check(out != NULL, "no file in memory");
    gw_pcapng_writer *writer = gw_pcapng_create(out, "fuzz");
    gw_fuzz_check(writer != NULL, "no writer");
    gw_framer *framer = gw_framer_new(writer);
    gw_fuzz_check(framer != NULL, "no framer");

    num_sent = 0;
    for (unsigned i = 0; i < LINES_MAX && size > 0; i++) {
        const uint8_t *end = memchr(data, '\n', size);
        size_t len = end == NULL ? size : (size_t)(end - data) + 1;
        encode_line(framer, (const char *)data, len);
        data += len;
        size -= len;
    }
    gw_fuzz_check(gw_framer_end(framer) == GW_FRAMER_OK, "connections do not close");
    gw_framer_free(framer);
    gw_fuzz_check(gw_pcapng_close(writer) && fclose(out) == 0, "the capture is not written");
    gw_fuzz_read(num_sent > 0);
    read_back(path);
}

/* ---- there and back ---- */

static void note(void *ctx, uint64_t frame, const char *text)
{
    (void)ctx;
    (void)frame;
    (void)text;
}

static void same(const gw_message *m, const json_t *object)
{
    static gw_assembled a;
    char why[512] = "";

    gw_fuzz_check(gw_assemble(&a, object, NULL, why, sizeof why), why);
    gw_fuzz_check(a.message.cap_len == m->cap_len && a.message.len == m->len,
                  "a described message has another length");
    gw_fuzz_check(m->cap_len == 0 || memcmp(a.message.data, m->data, m->cap_len) == 0,
                  "a described message has other bytes");
    gw_fuzz_check(gw_endpoint_equal(&a.message.src, &m->src) &&
                      gw_endpoint_equal(&a.message.dst, &m->dst) &&
                      a.message.transport == m->transport && a.message.time_ns == m->time_ns &&
                      a.message.stream == m->stream && a.message.dir == m->dir,
                  "a described message comes from elsewhere");
}

static void there_and_back(uint8_t choice, const uint8_t *data, size_t size)
{
    static gw_account account;
    static gw_json json;
    static char text[MESSAGE_MAX * 2048];
    json_error_t error;

    if (size > MESSAGE_MAX)
        return;
    uint8_t *bytes = gw_fuzz_copy(data, size);
    gw_message m = gw_message_of(bytes, size);
    m.part = choice >> 3 & 7;
    if (m.part > GW_EB_BANNER)
        m.part = GW_EB_PACKET;
    m.part_arg = size > 0 ? bytes[size - 1] : 0x44;
    m.len += choice & 0x40 ? 3 : 0;
    m.transport = m.part == GW_EB_PACKET ? GW_OVER_UDP : GW_OVER_TCP;
    m.stream = m.part == GW_EB_PACKET ? 0 : choice;
    m.time_ns = INT64_C(1350000000620546123) + choice;
    m.src = (gw_endpoint){.ip = {127, 0, 0, 1}, .port = choice, .family = GW_FAMILY_IPV4};
    m.dst = (gw_endpoint){.ip = {0xfe, 0x80, [15] = choice}, .port = 1, .family = GW_FAMILY_IPV6};
    m.frame = m.frames[0] = 1;
    m.num_frames = 1;
    m.dir = choice % 3;
    const gw_found found = {.message = &m,
                            .format = &gw_etherbone,
                            .dialect = gw_fuzz_dialect(&gw_etherbone, choice >> 1 & 3)};

    FILE *out = fmemopen(text, sizeof text, "w");
    gw_fuzz_check(out != NULL, "no file in memory");
    gw_account_init(&account, note, NULL);
    gw_account_open(&account, &found);
    gw_json_init(&json, out);
    gw_fuzz_check(gw_describe_object(&json, "fuzz", &found, &account), "no memory");
    gw_account_close(&account);
    gw_fuzz_check(fclose(out) == 0, "the description does not fit");

    json_t *object = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    gw_fuzz_check(object != NULL, "what was described is no JSON");
    same(&m, object);
    json_object_del(object, "payload"); /* now the leaves must do */
    same(&m, object);
    gw_fuzz_read(true);
    json_decref(object);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1 || size > 32768)
        return 0;
    if (data[0] & 1)
        there_and_back(data[0], data + 1, size - 1);
    else
        encode_lines(data + 1, size - 1);
    return 0;
}
