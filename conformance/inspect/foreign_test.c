/* SPDX-License-Identifier: BSD-2-Clause */
/* Foreign traffic by the hundred thousand: whatever ports it uses, none of it is taken for one of
 * our formats by what it holds, and of InfiniBand nothing is judged that no session introduced. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/testing/foreign.h"
#include "goldwire/ims.h"
#include "goldwire/net.h"
#include "inspect/pipeline.h"

#define EACH 12000 /* datagrams of each kind */

typedef struct scene {
    gw_selection selection;
    gw_pipeline *pipeline;
    gw_foreign_kind kind;
    uint64_t frames;
    uint64_t foreign; /* of InfiniBand */
} scene;

static void on_found(void *ctx, const gw_found *found)
{
    scene *s = ctx;
    const gw_ib *ib = found->message->ib;
    if (found->format != &gw_ims || ib == NULL || !ib->foreign)
        fail_msg("frame %llu, of kind %d, is taken for %s", (unsigned long long)s->frames, s->kind,
                 found->format->name);
    s->foreign++;
}

static void on_note(void *ctx, uint64_t frame, const char *text)
{
    (void)ctx;
    (void)frame;
    (void)text;
}

/* Ports of nobody's, or every other time one of ours. */
static uint16_t port_for(gw_foreign *f)
{
    static const uint16_t ours[] = {60368, 1234, 8183, 64098, 50000};
    uint32_t r = gw_foreign_next(f);
    return (uint16_t)(r % 2 == 0 ? 20000 + r / 2 % 20000 : ours[r / 2 % 5]);
}

static void send_one(scene *s, gw_foreign *f)
{
    static uint8_t data[GW_FOREIGN_MAX];
    static uint8_t frame[GW_FOREIGN_MAX + 100];
    gw_endpoint from = {{10, 1, 0, 1}, port_for(f), GW_FAMILY_IPV4, 0};
    gw_endpoint to = {{10, 2, 0, 1}, port_for(f), GW_FAMILY_IPV4, 0};
    from.ip[2] = (uint8_t)gw_foreign_next(f);
    size_t len = gw_foreign_fill(f, s->kind, data);
    /* On a port of EtherBone its magic is enough, whatever is wrong behind it. */
    if (len > 1 && memcmp(data, "No", 2) == 0)
        from.port = to.port = 20000;
    if (s->kind >= GW_FOREIGN_UD_SEND)
        to.port = GW_FOREIGN_ROCE;
    uint32_t n = (uint32_t)gw_frame_udp(frame, sizeof frame, &from, &to, data, len);
    assert_true(n > 0);
    gw_pipeline_frame(s->pipeline, &(gw_frame){.data = frame,
                                               .cap_len = n,
                                               .len = n,
                                               .link_type = GW_LINK_ETHERNET,
                                               .number = ++s->frames,
                                               .time_ns = (int64_t)s->frames * 1000});
}

static void none_is_taken_for_ours(void **state)
{
    static scene s;
    gw_foreign f = {.random = 7};
    (void)state;
    gw_selection_init(&s.selection);
    s.pipeline = gw_pipeline_new(&s.selection, on_found, on_note, &s);
    assert_non_null(s.pipeline);
    for (unsigned kind = 0; kind < GW_FOREIGN_KINDS; kind++) {
        s.kind = (gw_foreign_kind)kind;
        for (unsigned i = 0; i < EACH; i++)
            send_one(&s, &f);
    }
    gw_pipeline_end(s.pipeline);
    const gw_pipeline_counts *counts = gw_pipeline_count(s.pipeline);
    assert_int_equal(s.foreign, 3 * EACH);
    assert_int_equal(counts->foreign, s.foreign);
    assert_true(counts->strangers > (uint64_t)GW_FOREIGN_UD_SEND * EACH / 3);
    gw_pipeline_free(s.pipeline);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_is_taken_for_ours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
