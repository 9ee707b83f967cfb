/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests of the way of InfiniBand packets: from each carriage to a message, to JSON, and back into a
 * frame that gives the same message. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "goldwire/ims.h"
#include "goldwire/net.h"
#include "goldwire/writer.h"
#include "harness/temporary_testing.h"
#include "inspect/account.h"
#include "inspect/assemble.h"
#include "inspect/describe/describe.h"
#include "inspect/framer.h"
#include "inspect/pipeline.h"

#define JSON_MAX 16384
#define ETHERNET 14

typedef struct scene {
    gw_selection selection;
    gw_pipeline *pipeline;
    uint64_t frames;
    unsigned num_messages;
    gw_message message; /* the last one */
    gw_ib ib;           /* likewise */
    uint8_t data[512];
    uint8_t lrh[GW_IB_LRH];
    char json[JSON_MAX];
    char note[256];
    gw_account account;
    gw_assembled assembled;
    uint8_t packet[64];
    size_t packet_len;
} scene;

static void on_note(void *ctx, uint64_t frame, const char *text)
{
    scene *s = ctx;
    (void)frame;
    snprintf(s->note, sizeof s->note, "%s", text);
}

static void on_found(void *ctx, const gw_found *found)
{
    scene *s = ctx;
    FILE *out = fmemopen(s->json, sizeof s->json, "w");
    gw_json json;

    assert_non_null(out);
    assert_ptr_equal(found->format, &gw_ims);
    assert_true(found->message->cap_len <= sizeof s->data);
    s->num_messages++;
    s->message = *found->message;
    memcpy(s->data, found->message->data, found->message->cap_len);
    s->ib = *found->message->ib;
    if (s->ib.lrh != NULL)
        memcpy(s->lrh, s->ib.lrh, sizeof s->lrh);
    gw_json_init(&json, out);
    gw_account_open(&s->account, found);
    assert_true(gw_describe_object(&json, "x", found, &s->account));
    gw_account_close(&s->account);
    fclose(out);
}

static int open_scene(void **state)
{
    scene *s = calloc(1, sizeof *s);

    if (s == NULL)
        return -1;
    *state = s;
    gw_account_init(&s->account, on_note, s);
    gw_selection_init(&s->selection);
    s->pipeline = gw_pipeline_new(&s->selection, on_found, on_note, s);
    /* A status packet, which tells both its queue pairs. */
    gw_ims_status status = {.method = GW_IMS_STAT_REQ, .major = 1, .lid = 0x21, .qpn = 0x312};
    gw_ims_draft draft = gw_ims_draft_status(2, 0x312, 0x0b0b0b0b, 5, &status);
    s->packet_len = gw_ims_build(s->packet, sizeof s->packet, &draft, NULL);
    return s->pipeline != NULL ? 0 : -1;
}

static int close_scene(void **state)
{
    scene *s = *state;

    gw_pipeline_free(s->pipeline);
    free(s);
    return 0;
}

static void feed(scene *s, uint32_t link_type, const uint8_t *data, size_t len, size_t cap_len)
{
    gw_frame frame = {.data = data,
                      .len = (uint32_t)len,
                      .cap_len = (uint32_t)cap_len,
                      .link_type = link_type,
                      .number = ++s->frames,
                      .time_ns = 1000};
    gw_pipeline_frame(s->pipeline, &frame);
}

/* The last message by way of JSON and a capture file back through the pipeline. */
static void send_through_json(scene *s)
{
    gw_temporary place;
    char why[256] = "";
    int fd = gw_temporary_open(&place);
    FILE *file = fd >= 0 ? fdopen(fd, "wb") : NULL;
    json_t *object = json_loads(s->json, 0, NULL);
    gw_frame frame;

    assert_non_null(file);
    assert_non_null(object);
    gw_pcapng_writer *writer = gw_pcapng_create(file, NULL);
    gw_framer *framer = gw_framer_new(writer);
    if (!gw_assemble(&s->assembled, object, NULL, why, sizeof why) ||
        gw_framer_add(framer, &s->assembled, why, sizeof why) != GW_FRAMER_OK)
        fail_msg("%s", why);
    assert_int_equal(gw_framer_end(framer), GW_FRAMER_OK);
    gw_framer_free(framer);
    assert_true(gw_pcapng_close(writer));
    fclose(file);
    json_decref(object);
    gw_capture *capture = gw_capture_open(place.path, why, sizeof why);
    (void)unlink(place.path);
    assert_non_null(capture);
    assert_int_equal(gw_capture_next(capture, &frame), GW_CAPTURE_FRAME);
    gw_pipeline_frame(s->pipeline, &frame);
    gw_capture_close(capture);
}

static void assert_packet(const scene *s, unsigned number, gw_ib_verdict icrc)
{
    assert_int_equal(s->num_messages, number);
    assert_int_equal(s->message.len, s->packet_len);
    assert_int_equal(s->message.cap_len, s->packet_len);
    assert_memory_equal(s->data, s->packet, s->packet_len);
    assert_int_equal(s->ib.icrc_verdict, icrc);
}

static void assert_json(const scene *s, const char *part)
{
    if (strstr(s->json, part) == NULL)
        fail_msg("'%s' is not in %s", part, s->json);
}

/* ---- RoCEv2 ---- */

static size_t datagram(const scene *s, uint8_t *out, size_t cap, bool v4, uint32_t flaw)
{
    gw_endpoint src = {{10, 0, 0, 1}, 50000, GW_FAMILY_IPV4, 0};
    gw_endpoint dst = {{10, 0, 0, 2}, GW_ROCE_PORT, GW_FAMILY_IPV4, 0};
    uint8_t payload[256];

    if (!v4)
        src.family = dst.family = GW_FAMILY_IPV6;
    size_t len =
        gw_ib_close_udp(payload, sizeof payload, s->packet, s->packet_len, &src, &dst, flaw);
    return gw_frame_udp_styled(out, cap, &src, &dst, payload, len, gw_ims.ip_style);
}

static void datagrams_are_opened_and_closed(void **state)
{
    scene *s = *state;
    uint8_t frame[256];
    unsigned number = 0;

    for (unsigned v4 = 0; v4 < 2; v4++) {
        for (unsigned flaw = 0; flaw < 2; flaw++) {
            size_t len = datagram(s, frame, sizeof frame, v4 != 0, flaw);
            gw_ib_verdict verdict = flaw == 0 ? GW_IB_RIGHT : GW_IB_WRONG;
            feed(s, GW_LINK_ETHERNET, frame, len, len);
            assert_packet(s, ++number, verdict);
            assert_json(s, flaw == 0 ? "\"icrc\":{\"verdict\":\"right\"" : "\"verdict\":\"wrong\"");
            assert_json(s, "\"transport\":\"udp\"");
            uint32_t difference = s->ib.icrc ^ s->ib.icrc_due;
            send_through_json(s);
            assert_packet(s, ++number, verdict);
            if (flaw != 0)
                assert_int_equal(s->ib.icrc ^ s->ib.icrc_due, difference);
        }
    }
}

static void short_snap_lengths_and_datagrams_are_told(void **state)
{
    scene *s = *state;
    uint8_t frame[256];
    size_t len = datagram(s, frame, sizeof frame, true, 0);

    feed(s, GW_LINK_ETHERNET, frame, len, len - 10);
    assert_int_equal(s->num_messages, 1);
    assert_int_equal(s->message.cap_len, s->packet_len - 6);
    assert_int_equal(s->message.len, s->packet_len);
    assert_int_equal(s->ib.icrc_verdict, GW_IB_NOT_JUDGED);
    assert_json(s, "\"icrc\":{\"verdict\":\"not judged\"}");
    send_through_json(s);
    assert_int_equal(s->message.cap_len, s->packet_len - 6);
    assert_int_equal(s->message.len, s->packet_len);

    s->packet_len = 0; /* and three bytes less than an ICRC */
    gw_endpoint src = {{10, 0, 0, 1}, 50000, GW_FAMILY_IPV4, 0};
    gw_endpoint dst = {{10, 0, 0, 2}, GW_ROCE_PORT, GW_FAMILY_IPV4, 0};
    len = gw_frame_udp(frame, sizeof frame, &src, &dst, (const uint8_t *)"abc", 3);
    feed(s, GW_LINK_ETHERNET, frame, len, len);
    assert_int_equal(s->num_messages, 2);
    assert_int_equal(gw_pipeline_count(s->pipeline)->unreadable, 1);
    assert_non_null(strstr(s->note, "an ICRC of 4 bytes expected"));
}

/* ---- native links ---- */

static size_t native(const scene *s, uint8_t *out, size_t cap, bool global, uint32_t icrc_flaw,
                     uint16_t vcrc_flaw)
{
    static const uint8_t grh[GW_IB_GRH] = {0x60, [6] = 0x1b};
    uint8_t lrh[GW_IB_LRH];

    gw_ib_put_lrh(lrh, 3, 4, 2, 0x21, s->packet_len, global);
    return gw_ib_close_native(out, cap, lrh, global ? grh : NULL, s->packet, s->packet_len,
                              icrc_flaw, vcrc_flaw);
}

static void assert_native(scene *s, unsigned number)
{
    uint8_t lrh[GW_IB_LRH];

    assert_packet(s, number, GW_IB_RIGHT);
    assert_int_equal(s->ib.vcrc_verdict, GW_IB_RIGHT);
    assert_json(s, "\"transport\":\"link\"");
    assert_json(s, "\"src\":\"lid:0x21/qp:0x312\",\"dst\":\"lid:0x02/qp:0x02\"");
    assert_json(s, "\"vl\":3,\"sl\":4");
    memcpy(lrh, s->lrh, sizeof lrh);
    send_through_json(s);
    assert_packet(s, number + 1, GW_IB_RIGHT);
    assert_int_equal(s->ib.vcrc_verdict, GW_IB_RIGHT);
    assert_memory_equal(s->lrh, lrh, sizeof lrh);
}

static void frames_are_found_in_every_wrapping(void **state)
{
    static const uint8_t tags[] = {0,   12,  0,   12,  'i', 'n', 'f', 'i', 'n', 'i',
                                   'b', 'a', 'n', 'd', 0,   0,   0,   0,   0,   0};
    scene *s = *state;
    uint8_t frame[256], wrapped[300];
    size_t len = native(s, frame, sizeof frame, false, 0, 0);

    feed(s, GW_LINK_INFINIBAND, frame, len, len);
    assert_native(s, 1);

    gw_erf_header(wrapped, GW_ERF_INFINIBAND, 1000, len, 0);
    memcpy(wrapped + GW_ERF_HEADER, frame, len);
    memset(wrapped + GW_ERF_HEADER + len, 0, 2); /* records are padded */
    feed(s, GW_LINK_ERF, wrapped, len + GW_ERF_HEADER + 2, len + GW_ERF_HEADER + 2);
    assert_native(s, 3);

    memmove(wrapped + GW_ERF_HEADER + 8, frame, len); /* with an extension header */
    memset(wrapped + GW_ERF_HEADER, 0, 8);
    wrapped[8] |= 0x80;
    feed(s, GW_LINK_ERF, wrapped, len + GW_ERF_HEADER + 8, len + GW_ERF_HEADER + 8);
    assert_native(s, 5);

    memcpy(wrapped, tags, sizeof tags);
    memcpy(wrapped + sizeof tags, frame, len);
    feed(s, GW_LINK_EXPORTED_PDU, wrapped, len + sizeof tags, len + sizeof tags);
    assert_native(s, 7);

    s->selection.proto = &gw_ims;
    feed(s, GW_LINK_USER0, frame, len, len);
    assert_native(s, 9);
    assert_json(s, "\"link_type\":147");
}

static void ethernet_is_found_in_a_wrapping(void **state)
{
    scene *s = *state;
    uint8_t frame[300];
    size_t len = datagram(s, frame + GW_ERF_HEADER + 2, sizeof frame - 18, true, 0);

    gw_erf_header(frame, 2, 1000, len, 0);
    memset(frame + GW_ERF_HEADER, 0, 2);
    feed(s, GW_LINK_ERF, frame, len + 18, len + 18);
    assert_packet(s, 1, GW_IB_RIGHT);
}

static void flaws_and_global_headers_survive(void **state)
{
    scene *s = *state;
    uint8_t frame[256];
    size_t len = native(s, frame, sizeof frame, true, 5, 3);

    feed(s, GW_LINK_INFINIBAND, frame, len, len);
    for (unsigned number = 1; number <= 2; number++) {
        assert_packet(s, number, GW_IB_WRONG);
        assert_int_equal(s->ib.vcrc_verdict, GW_IB_WRONG);
        assert_int_equal(s->ib.icrc ^ s->ib.icrc_due, 5);
        assert_int_equal(s->ib.vcrc ^ s->ib.vcrc_due, 3);
        assert_non_null(s->ib.grh);
        assert_json(s, "\"grh\":\"60");
        if (number == 1)
            send_through_json(s);
    }
}

static void unreadable_wrappings_are_told(void **state)
{
    scene *s = *state;
    uint8_t frame[64] = {[8] = 21};

    feed(s, GW_LINK_ERF, frame, 10, 10);
    assert_non_null(strstr(s->note, "ERF record header"));
    feed(s, GW_LINK_EXPORTED_PDU, frame, 3, 3);
    assert_non_null(strstr(s->note, "exported PDU"));
    feed(s, GW_LINK_INFINIBAND, frame, 5, 5);
    assert_non_null(strstr(s->note, "LRH"));
    assert_int_equal(gw_pipeline_count(s->pipeline)->unreadable, 3);
    frame[8] = 7; /* an ERF type that is no frame */
    feed(s, GW_LINK_ERF, frame, 64, 64);
    memset(frame, 0, sizeof frame); /* an exported PDU of nobody */
    feed(s, GW_LINK_EXPORTED_PDU, frame, 64, 64);
    assert_int_equal(gw_pipeline_count(s->pipeline)->unknown_link, 2);
    assert_int_equal(gw_pipeline_count(s->pipeline)->frames, 5);
    assert_int_equal(s->num_messages, 0);
}

/* ---- JSON of one's own ---- */

static bool assemble(scene *s, const char *text, char *why, size_t why_cap)
{
    json_t *object = json_loads(text, 0, NULL);

    assert_non_null(object);
    bool good = gw_assemble(&s->assembled, object, NULL, why, why_cap);
    json_decref(object);
    return good;
}

static void addresses_alone_make_a_frame(void **state)
{
    scene *s = *state;

    gw_ims_ack ack = {.type = GW_IMS_TYPE_ACK, .va = 64};
    gw_ims_draft draft = gw_ims_draft_ack(0x313, 3, &ack);
    gw_text t = gw_text_over(s->json, sizeof s->json);

    s->packet_len = gw_ims_build(s->packet, sizeof s->packet, &draft, NULL);
    gw_text_str(&t, "{\"proto\":\"ims\",\"transport\":\"link\",\"src\":\"lid:0x21\","
                    "\"dst\":\"lid:2\",\"payload\":\"");
    gw_text_bytes(&t, s->packet, s->packet_len);
    gw_text_str(&t, "\"}");
    send_through_json(s);
    assert_packet(s, 1, GW_IB_RIGHT);
    assert_json(s, "\"src\":\"lid:0x21\",\"dst\":\"lid:0x02/qp:0x313\"");
}

static void wrong_carriers_are_refused(void **state)
{
    static const struct {
        const char *carrier;
        const char *why;
    } bad[] = {
        {"{\"lrh\":\"0011\"}", "lrh has 2 bytes; 8 are needed"},
        {"{\"grh\":\"00112\"}", "an even number"},
        {"{\"lrh\":\"00112233445566778899\"}", "at most 8 fit"},
        {"{\"icrc\":{\"value\":\"zz\",\"expected\":0}}", "a whole number"},
        {"{\"vcrc\":{\"value\":65536,\"expected\":0}}", "wider than it can be"},
    };
    scene *s = *state;

    for (size_t i = 0; i < GW_ARRAY_LEN(bad); i++) {
        char text[256], why[256] = "";
        snprintf(text, sizeof text,
                 "{\"proto\":\"ims\",\"transport\":\"link\",\"payload\":\"00\",\"carrier\":%s}",
                 bad[i].carrier);
        assert_false(assemble(s, text, why, sizeof why));
        if (strstr(why, bad[i].why) == NULL)
            fail_msg("'%s' does not say '%s'", why, bad[i].why);
    }
}

/* The same field in the other order of its word: told by the key that decode writes. */
static void the_order_of_words_is_kept(void **state)
{
    scene *s = *state;
    char why[256];

    assert_true(assemble(s,
                         "{\"proto\":\"ims\",\"len\":4,\"fields\":[{\"name\":\"ims.ack.type\","
                         "\"value\":1,\"offset\":0,\"mask\":\"ffffffff\",\"bits\":32}]}",
                         why, sizeof why));
    assert_memory_equal(s->assembled.bytes, "\1\0\0\0", 4);
    assert_true(assemble(s,
                         "{\"proto\":\"ims\",\"len\":4,\"fields\":[{\"name\":\"ims.ack.type\","
                         "\"value\":1,\"offset\":0,\"mask\":\"ffffffff\",\"bits\":32,"
                         "\"swizzle\":3}]}",
                         why, sizeof why));
    assert_memory_equal(s->assembled.bytes, "\0\0\0\1", 4);
}

static void dialects_are_chosen_by_lid(void **state)
{
    scene *s = *state;
    gw_endpoint src = gw_ib_lid_endpoint(0x21), dst = gw_ib_lid_endpoint(2);
    char why[256];

    gw_ib_endpoint_set_qp(&src, 0x312);
    assert_true(gw_selection_dialect(&s->selection, "be32@lid:0x21", why, sizeof why));
    assert_string_equal(gw_selection_pick(&s->selection, &gw_ims, &src, &dst)->name, "be32");
    assert_string_equal(gw_selection_pick(&s->selection, &gw_ims, &dst, &dst)->name, "strict");
    assert_true(gw_selection_dialect(&s->selection, "v1-0@lid:0x21/qp:0x312", why, sizeof why));
    assert_string_equal(gw_selection_pick(&s->selection, &gw_ims, &src, &dst)->name, "v1-0");
    gw_ib_endpoint_set_qp(&src, 0x313);
    assert_string_equal(gw_selection_pick(&s->selection, &gw_ims, &src, &dst)->name, "be32");
}

int main(void)
{
#define SCENE(test) cmocka_unit_test_setup_teardown(test, open_scene, close_scene)
    const struct CMUnitTest tests[] = {
        SCENE(datagrams_are_opened_and_closed),    SCENE(short_snap_lengths_and_datagrams_are_told),
        SCENE(frames_are_found_in_every_wrapping), SCENE(ethernet_is_found_in_a_wrapping),
        SCENE(flaws_and_global_headers_survive),   SCENE(unreadable_wrappings_are_told),
        SCENE(addresses_alone_make_a_frame),       SCENE(wrong_carriers_are_refused),
        SCENE(the_order_of_words_is_kept),         SCENE(dialects_are_chosen_by_lid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
