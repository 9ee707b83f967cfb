/* SPDX-License-Identifier: BSD-2-Clause */
#include "cores/op2p_judge.h"

static void on_finding(gw_verdict_sink *sink, const gw_finding *f)
{
    gw_op2p_judge *j = (gw_op2p_judge *)sink;

    if (!j->from_node || f->rule->level != GW_MUST)
        return;
    (void)snprintf(j->text, sizeof j->text, "%s", f->text);
    for (size_t i = 0; i < j->num_broken; i++) {
        if (j->broken[i] == f->rule)
            return;
    }
    if (j->num_broken < GW_ARRAY_LEN(j->broken))
        j->broken[j->num_broken++] = f->rule;
}

static void on_relation(gw_verdict_sink *sink, const gw_relation *r)
{
    (void)sink;
    (void)r;
}

void gw_op2p_judge_begin(gw_op2p_judge *judge)
{
    judge->frames = judge->heard = 0;
    judge->num_broken = 0;
    gw_fuzz_check(gw_op2p.session->min_size <= sizeof judge->session,
                  "the memory for conversations is too small");
    judge->sink = (gw_verdict_sink){.finding = on_finding, .relation = on_relation};
    gw_fuzz_check(gw_op2p.session->init(judge->session, gw_op2p.session->min_size, 1000000000),
                  "the least memory is not enough");
}

void gw_op2p_judge_heard(gw_op2p_judge *judge, unsigned link, bool from_node, const uint8_t *data,
                         size_t len)
{
    gw_message m = gw_message_of(data, len);
    gw_endpoint host = {.family = GW_FAMILY_IPV4, .ip = {10, 0, 0, 1}, .port = 50000};
    gw_endpoint node = {.family = GW_FAMILY_IPV4, .ip = {10, 0, 0, 2}, .port = 60368};

    m.transport = GW_OVER_UDP;
    m.interface = link;
    m.src = from_node ? node : host;
    m.dst = from_node ? host : node;
    m.frame = ++judge->frames;
    m.time_ns = (int64_t)judge->frames * 1000;
    judge->from_node = from_node;
    judge->heard += from_node;
    if (from_node)
        gw_op2p.check(&m, &gw_op2p.dialects[0], &judge->sink);
    gw_op2p.session->feed(judge->session, &m, &gw_op2p.dialects[0], &judge->sink);
}

void gw_op2p_judge_compare(const gw_op2p_judge *core, const gw_op2p_judge *node)
{
    for (size_t i = 0; i < core->num_broken; i++) {
        char why[320];
        bool both = false;
        for (size_t k = 0; k < node->num_broken; k++)
            both |= core->broken[i] == node->broken[k];
        (void)snprintf(why, sizeof why, "the core breaks %s: %s", core->broken[i]->id, core->text);
        gw_fuzz_check(both, why);
    }
}

void gw_op2p_said_add(gw_op2p_said *said, unsigned link, const uint8_t *data, size_t len)
{
    gw_fuzz_check(said->num[link] < GW_OP2P_SAID_MOST, "talks without end");
    gw_fuzz_check(len <= sizeof said->datagrams[0][0].bytes, "a frame longer than any may be");
    size_t at = said->num[link]++;
    said->datagrams[link][at].len = len;
    memcpy(said->datagrams[link][at].bytes, data, len);
}

static void print(const char *who, unsigned link, const uint8_t *data, size_t len)
{
    fprintf(stderr, "%s, link %u:", who, link);
    for (size_t i = 0; i < len; i++)
        fprintf(stderr, "%s%02x", i % 4 == 0 ? " " : "", data[i]);
    fprintf(stderr, "\n");
}

void gw_op2p_tell(const char *who, unsigned link, const uint8_t *data, size_t len)
{
    static int tells = -1;

    if (tells < 0)
        tells = getenv("GOLDWIRE_FUZZ_TELL") != NULL;
    if (tells > 0)
        print(who, link, data, len);
}

static void print_all(const char *who, const gw_op2p_said *said, unsigned link)
{
    for (size_t i = 0; i < said->num[link]; i++)
        print(who, link, said->datagrams[link][i].bytes, said->datagrams[link][i].len);
}

static bool same(const uint8_t *a, const uint8_t *b, size_t len)
{
    const size_t number = 6; /* of the datagram, two bytes of the shim */

    return memcmp(a, b, number) == 0 &&
           memcmp(a + GW_OP2P_SHIM, b + GW_OP2P_SHIM, len - GW_OP2P_SHIM) == 0;
}

void gw_op2p_said_compare(gw_op2p_said *core, gw_op2p_said *node)
{
    for (unsigned link = 0; link < GW_OP2P_LINKS; link++) {
        bool alike = core->num[link] == node->num[link];
        for (size_t i = 0; alike && i < core->num[link]; i++) {
            size_t len = core->datagrams[link][i].len;
            alike = len == node->datagrams[link][i].len &&
                    same(core->datagrams[link][i].bytes, node->datagrams[link][i].bytes, len);
        }
        if (!alike) {
            print_all("the core", core, link);
            print_all("the node", node, link);
        }
        gw_fuzz_check(alike, "the core sends something else than the software node");
        core->num[link] = node->num[link] = 0;
    }
}
