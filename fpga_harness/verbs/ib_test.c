/* SPDX-License-Identifier: BSD-2-Clause */
/* The ib:// transport over an adapter that is none: what it asks of it, what it makes of what
 * comes, and what it does when the adapter fails. The real thing is ./run test-rxe. */
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fake_testing.h"
#include "goldwire/ims.h"
#include "hca.h"

#define UD 0
#define UC 1
#define UD_QPN 0x100
#define UC_QPN 0x101

static char why[256];

static int fresh(void **state)
{
    (void)state;
    memset(&fake, 0, sizeof(fake));
    return 0;
}

static gw_transport *try_open(const char *text, bool *unreachable)
{
    gw_url url;
    if (!gw_url_parse(&url, text, why, sizeof(why)))
        fail_msg("%s", why);
    return gw_hca_open(&fake_verbs, &url, unreachable, why, sizeof(why));
}

static gw_transport *open_with(const char *options)
{
    char text[128];
    bool unreachable;
    (void)snprintf(text, sizeof(text), "ib://fake0/1?to=10.0.0.2%s", options);
    gw_transport *t = try_open(text, &unreachable);
    if (t == NULL)
        fail_msg("%s", why);
    return t;
}

static void close_and_count(gw_transport *t)
{
    gw_transport_close(t);
    assert_int_equal(fake.held, 0);
}

static bool send(gw_transport *t, const gw_ims_draft *draft)
{
    uint8_t packet[GW_IB_PACKET_MAX];
    size_t len = gw_ims_build_datagram(packet, sizeof(packet), draft, NULL, &t->local, &t->remote);
    return t->ops->send(t, packet, len);
}

static void not_sent(gw_transport *t, const gw_ims_draft *draft, const char *text)
{
    unsigned before = fake.num_sent;
    assert_false(send(t, draft));
    assert_int_equal(fake.num_sent, before);
    if (strstr(t->error, text) == NULL)
        fail_msg("'%s' is not in: %s", text, t->error);
}

/* ---- opening ---- */

static void opens_by_an_address(void **state)
{
    (void)state;
    gw_transport *t = open_with("&qkey=0x77&sl=2&data-sl=3");
    assert_int_equal(t->local.family, GW_FAMILY_IPV4);
    assert_memory_equal(t->local.ip, "\x0a\0\0\x01", 4);
    assert_memory_equal(t->remote.ip, "\x0a\0\0\x02", 4);
    assert_int_equal(t->remote.port, GW_ROCE_PORT);
    assert_int_equal(t->adapter->qpn, UD_QPN);
    assert_int_equal(t->adapter->qpnd, UC_QPN);
    assert_int_equal(t->adapter->qkey, 0x77);
    assert_int_equal(t->adapter->mtu, 1024);
    assert_int_equal(t->adapter->lid, 0);
    assert_int_equal(((gw_hca *)t)->gid_index, 2); /* the one of RoCEv2 */
    assert_int_equal(fake.queues[UD].attr.qkey, 0x77);
    assert_int_equal(fake.queues[UD].attr.qp_state, IBV_QPS_RTS);
    close_and_count(t);
}

static void opens_by_ipv6_and_by_lid(void **state)
{
    (void)state;
    bool unreachable;
    gw_transport *t = try_open("ib://fake0?to=fd00::2", &unreachable);
    assert_non_null(t);
    assert_int_equal(t->local.family, GW_FAMILY_IPV6);
    assert_int_equal(((gw_hca *)t)->gid_index, 3);
    close_and_count(t);

    (void)fresh(NULL);
    t = try_open("ib://fake0?to=fe80::2", &unreachable);
    assert_non_null(t);
    assert_int_equal(((gw_hca *)t)->gid_index, 0);
    close_and_count(t);

    (void)fresh(NULL);
    t = try_open("ib://fake0?to=fd00::2&gid=0", &unreachable);
    assert_non_null(t);
    assert_int_equal(((gw_hca *)t)->gid_index, 0);
    close_and_count(t);

    (void)fresh(NULL);
    fake.native = true;
    t = try_open("ib://fake0?to=lid:0x11", &unreachable);
    assert_non_null(t);
    assert_int_equal(t->adapter->lid, 0x42);
    assert_int_equal(gw_ib_endpoint_lid(&t->remote), 0x11);
    close_and_count(t);
}

static void not_opened(const char *text, const char *reason)
{
    bool unreachable = true;
    assert_null(try_open(text, &unreachable));
    assert_int_equal(unreachable, fake.no_ah == EHOSTUNREACH);
    assert_int_equal(fake.held, 0);
    if (strstr(why, reason) == NULL)
        fail_msg("'%s' is not in: %s", reason, why);
    (void)fresh(NULL);
}

static void says_why_it_does_not_open(void **state)
{
    (void)state;
    not_opened("ib://other0?to=10.0.0.2", "there are: fake0");
    fake.none = true;
    not_opened("ib://fake0?to=10.0.0.2", "there is none");
    not_opened("ib://fake0/2?to=10.0.0.2", "ib://fake0/2: ");
    fake.inactive = true;
    not_opened("ib://fake0?to=10.0.0.2", "not active");
    not_opened("ib://fake0?to=lid:7", "an IPv4 or IPv6 address");
    not_opened("ib://fake0?to=10.0.0.256", "an IPv4 or IPv6 address");
    not_opened("ib://fake0?to=10.0.0.2&gid=9", "no RoCEv2 address");
    fake.native = true;
    not_opened("ib://fake0?to=10.0.0.2", "to=lid:NUMBER");
    fake.native = true;
    not_opened("ib://fake0?to=lid:0xc000", "to=lid:NUMBER");
    fake.no_memory = true;
    not_opened("ib://fake0?to=10.0.0.2", "ulimit -l");
    fake.no_ah = EHOSTUNREACH;
    not_opened("ib://fake0?to=10.0.0.2", "to=10.0.0.2: ");
    fake.no_ah = EINVAL;
    not_opened("ib://fake0?to=10.0.0.2", "to=10.0.0.2: ");
}

/* ---- sending ---- */

static void sends_datagrams(void **state)
{
    (void)state;
    gw_transport *t = open_with("");
    gw_ims_status status = {.method = GW_IMS_STAT_REQ, .qpn = UD_QPN};
    gw_ims_draft draft = gw_ims_draft_status(2, UD_QPN, 0x1234, 0, &status);
    assert_true(send(t, &draft));
    assert_int_equal(fake.sent.opcode, IBV_WR_SEND);
    assert_int_equal(fake.sent.wr.ud.remote_qpn, 2);
    assert_int_equal(fake.sent.wr.ud.remote_qkey, 0x1234);
    assert_int_equal(fake.num_bytes, GW_IMS_STATUS);
    for (unsigned i = 0; i < 10000; i++)
        assert_true(send(t, &draft));

    draft = gw_ims_draft_status(2, 0x412, 0x1234, 0, &status);
    not_sent(t, &draft, "source queue pair 0x000412");
    static const uint8_t longer[1025];
    draft = gw_ims_draft_status(2, UD_QPN, 0x1234, 0, &status);
    draft.raw = true;
    draft.payload = longer;
    draft.payload_len = sizeof(longer);
    not_sent(t, &draft, "MTU");
    close_and_count(t);
}

static uint8_t content[65536];

static bool send_frame(gw_transport *t, uint32_t psn, uint32_t length, uint32_t packet)
{
    gw_ib_reth reth = {.va = 0x10000000000, .rkey = 0x99, .length = length};
    bool good = true;
    for (uint32_t at = 0; good && at < length; at += packet) {
        size_t len = length - at < packet ? length - at : packet;
        gw_ims_draft draft = gw_ims_draft_write(0x80, psn++, &reth, at, content + at, len);
        good = send(t, &draft);
    }
    return good;
}

static void sends_frames(void **state)
{
    (void)state;
    const fake_qp *uc = &fake.queues[UC];
    gw_transport *t = open_with("&data-sl=3");
    for (size_t i = 0; i < sizeof(content); i++)
        content[i] = (uint8_t)(i * 7 + (i >> 8));

    assert_true(send_frame(t, 100, 1280, 512));
    assert_int_equal(fake.num_sent, 1);
    assert_int_equal(fake.sent.opcode, IBV_WR_RDMA_WRITE);
    assert_true(fake.sent.wr.rdma.remote_addr == 0x10000000000);
    assert_int_equal(fake.sent.wr.rdma.rkey, 0x99);
    assert_int_equal(fake.num_bytes, 1280);
    assert_memory_equal(fake.bytes, content, 1280);
    assert_int_equal(uc->attr.dest_qp_num, 0x80);
    assert_int_equal(uc->attr.sq_psn, 100);
    assert_int_equal(uc->attr.path_mtu, IBV_MTU_512);
    assert_int_equal(uc->attr.ah_attr.sl, 3);
    assert_int_equal(uc->resets, 1);

    /* What goes on needs no setting up, one packet of whatever size neither. */
    assert_true(send_frame(t, 103, 512, 512));
    assert_true(send_frame(t, 104, 64, 512));
    assert_int_equal(uc->resets, 1);
    /* Another PSN, MTU or destination does. */
    assert_true(send_frame(t, 0xffffff, 600, 512));
    assert_int_equal(uc->resets, 2);
    assert_true(send_frame(t, 1, 65536, 1024));
    assert_int_equal(uc->resets, 3);
    assert_int_equal(uc->attr.path_mtu, IBV_MTU_1024);
    assert_memory_equal(fake.bytes, content, 65536);
    assert_int_equal(uc->num, GW_HCA_UC_SLOTS);
    close_and_count(t);
}

static void a_refused_packet_ends_its_frame(void **state)
{
    (void)state;
    gw_transport *t = open_with("&room=4096");
    gw_ib_reth reth = {.length = 1024};
    gw_ims_draft first = gw_ims_draft_write(0x80, 0, &reth, 0, content, 512);
    gw_ims_draft last = gw_ims_draft_write(0x80, 2, &reth, 512, content, 512);
    assert_true(send(t, &first));
    not_sent(t, &last, "PSN");
    last.bth.psn = 1;
    not_sent(t, &last, "without beginning");
    assert_true(send_frame(t, 0, 1024, 512));

    reth.length = 8192;
    first = gw_ims_draft_write(0x80, 0, &reth, 0, content, 512);
    not_sent(t, &first, "room for 4096: ask for more");
    assert_true(send_frame(t, 2, 1024, 512));
    close_and_count(t);
}

/* ---- an adapter that takes its time, or fails ---- */

static void room_comes_back(void **state)
{
    (void)state;
    gw_transport *t = open_with("&room=4096");
    fake.slow = true;
    assert_true(send_frame(t, 0, 2048, 1024));
    assert_true(send_frame(t, 2, 2048, 1024));
    assert_int_equal(fake.num_sent, 2);
    fake_done(IBV_WC_SUCCESS);
    assert_true(send_frame(t, 4, 1024, 1024));
    assert_true(send_frame(t, 5, 1024, 1024));
    assert_int_equal(fake.num_sent, 4);
    close_and_count(t);
}

/* More than there is room for goes all the same, when the adapter goes on. */
static void waits_for_room(void **state)
{
    (void)state;
    gw_transport *t = open_with("&room=4096");
    fake.slow = fake.lazy = true;
    for (uint32_t i = 0; i < 1000; i++)
        assert_true(send_frame(t, i * 2, 2048, 1024));
    assert_int_equal(fake.num_sent, 1000);
    assert_true(fake.num_waiting <= 2);
    /* A connection that is set up anew waits for all of it. */
    assert_true(send_frame(t, 7, 1024, 1024));
    assert_int_equal(fake.num_waiting, 1);
    close_and_count(t);
}

static void sets_a_broken_connection_up_again(void **state)
{
    (void)state;
    gw_transport *t = open_with("&room=4096");
    const fake_qp *uc = &fake.queues[UC];
    fake.slow = true;
    assert_true(send_frame(t, 0, 2048, 1024));
    assert_true(send_frame(t, 2, 1024, 1024));
    uint64_t old = fake.waiting[1];
    fake_done(IBV_WC_RETRY_EXC_ERR);
    assert_true(send_frame(t, 3, 1024, 1024));
    assert_int_equal(uc->resets, 2);
    assert_non_null(strstr(t->error, "it went wrong"));
    /* The end of what went before the set-up frees nothing of what came after it. */
    assert_true(fake.waiting[0] == old);
    fake_done(IBV_WC_WR_FLUSH_ERR);
    assert_true(send_frame(t, 4, 1024, 1024));
    assert_int_equal(uc->resets, 2);
    assert_int_equal(((gw_hca *)t)->queues[UC].ring.num, 2);
    close_and_count(t);
}

/* ---- receiving ---- */

static gw_recv_status receive(gw_transport *t, gw_ims_packet *p, int64_t deadline)
{
    static uint8_t buf[GW_IB_PACKET_MAX];
    size_t len = 0;
    int64_t stamp_ns = 0;
    gw_endpoint from;
    gw_recv_status status = t->ops->recv(t, buf, sizeof(buf), &len, deadline, &stamp_ns, &from);
    if (status != GW_RECV_DATA)
        return status;
    assert_true(stamp_ns > 0);
    assert_true(gw_endpoint_equal(&from, &t->remote));
    assert_int_equal(gw_ib_judge_udp(NULL, &from, &t->local, buf, len, false), GW_IB_RIGHT);
    gw_message m = gw_message_of(buf, len - GW_IB_ICRC);
    assert_int_equal(gw_ims_decode(p, &m, NULL).kind, GW_OK);
    return GW_RECV_DATA;
}

/* A status packet behind 40 bytes whose end is the IPv4 header of 10.0.0.|host|. */
static bool status_comes(uint8_t host, uint8_t method)
{
    uint8_t bytes[GW_HCA_GRH + GW_IMS_STATUS] = {[32] = 10, [35] = host};
    gw_ims_status status = {.method = method, .qpn = UD_QPN};
    gw_ims_put_status(bytes + GW_HCA_GRH, &status, GW_IMS_LE);
    struct ibv_wc wc = {.opcode = IBV_WC_RECV, .src_qp = 2, .wc_flags = IBV_WC_GRH};
    return fake_deliver(UD, bytes, sizeof(bytes), wc);
}

static void receives_datagrams(void **state)
{
    (void)state;
    gw_transport *t = open_with("");
    gw_ims_packet p = {0};
    assert_int_equal(receive(t, &p, 0), GW_RECV_TIMEOUT);
    assert_true(status_comes(2, GW_IMS_STAT_RES));
    assert_true(status_comes(3, GW_IMS_DATA_RES)); /* a stranger */
    assert_true(status_comes(2, GW_IMS_STAT_DOWN));
    assert_int_equal(receive(t, &p, 0), GW_RECV_DATA);
    assert_int_equal(p.kind, GW_IMS_IS_STATUS);
    assert_int_equal(p.status.method, GW_IMS_STAT_RES);
    assert_int_equal(p.bth.dest_qp, UD_QPN);
    assert_int_equal(p.deth.src_qp, 2);
    assert_int_equal(p.deth.qkey, 0x11111111);
    assert_int_equal(p.bth.psn, 0);
    assert_int_equal(receive(t, &p, 0), GW_RECV_DATA);
    assert_int_equal(p.status.method, GW_IMS_STAT_DOWN);
    assert_int_equal(p.bth.psn, 1);
    assert_int_equal(receive(t, &p, 0), GW_RECV_TIMEOUT);
    /* Every slot is back. */
    assert_int_equal(fake.queues[UD].num, GW_HCA_UD_SLOTS);
    close_and_count(t);
}

static void a_datagram_without_headers_is_none(void **state)
{
    (void)state;
    gw_transport *t = open_with("");
    gw_ims_packet p = {0};
    struct ibv_wc wc = {.opcode = IBV_WC_RECV};
    assert_true(fake_deliver(UD, "short", 5, wc));
    assert_int_equal(receive(t, &p, 0), GW_RECV_TIMEOUT);
    assert_int_equal(fake.queues[UD].num, GW_HCA_UD_SLOTS);
    close_and_count(t);
}

static bool ack_comes(uint64_t va)
{
    uint8_t bytes[GW_IMS_ACK];
    gw_ims_ack ack = {.type = GW_IMS_TYPE_ACK, .va = va};
    struct ibv_wc wc = {.opcode = IBV_WC_RECV};
    gw_ims_put_ack(bytes, &ack, GW_IMS_LE);
    return fake_deliver(UC, bytes, sizeof(bytes), wc);
}

static void receives_responses(void **state)
{
    (void)state;
    gw_transport *t = open_with("");
    gw_ims_packet p = {0};
    assert_false(ack_comes(0x40)); /* before anything was sent nobody listens */
    assert_true(send_frame(t, 0, 64, 1024));
    for (unsigned i = 0; i < 3 * GW_HCA_UC_SLOTS; i++) {
        assert_true(ack_comes((uint64_t)i * 64));
        assert_int_equal(receive(t, &p, 0), GW_RECV_DATA);
        assert_int_equal(p.kind, GW_IMS_IS_ACK);
        assert_int_equal(p.bth.dest_qp, UC_QPN);
        assert_int_equal(p.bth.psn, i);
        assert_int_equal(p.ack.va, i * 64);
    }
    /* What came before a new set-up, and was not taken, is lost, and nothing else is. */
    assert_true(ack_comes(1));
    assert_true(send_frame(t, 77, 64, 1024));
    assert_true(ack_comes(2));
    assert_int_equal(receive(t, &p, 0), GW_RECV_DATA);
    assert_int_equal(p.ack.va, 2);
    assert_int_equal(fake.queues[UC].num, GW_HCA_UC_SLOTS);
    close_and_count(t);
}

static void a_broken_connection_is_no_end(void **state)
{
    (void)state;
    gw_transport *t = open_with("");
    gw_ims_packet p = {0};
    struct ibv_wc wc = {.status = IBV_WC_WR_FLUSH_ERR};
    assert_true(send_frame(t, 0, 64, 1024));
    assert_true(fake_deliver(UC, "", 0, wc));
    assert_int_equal(receive(t, &p, 0), GW_RECV_TIMEOUT);
    assert_true(send_frame(t, 1, 64, 1024));
    assert_int_equal(fake.queues[UC].resets, 2);
    assert_true(ack_comes(5));
    assert_int_equal(receive(t, &p, 0), GW_RECV_DATA);

    assert_true(fake_deliver(UD, "", 0, wc));
    assert_int_equal(receive(t, &p, 0), GW_RECV_ERROR);
    close_and_count(t);
}

/* What comes while nobody looks wakes whoever waits for the descriptor. */
static void tells_by_its_descriptor(void **state)
{
    (void)state;
    gw_transport *t = open_with("");
    gw_ims_packet p = {0};
    struct pollfd fd = {.fd = t->adapter->fd, .events = POLLIN};
    assert_int_equal(receive(t, &p, 0), GW_RECV_TIMEOUT);
    assert_int_equal(poll(&fd, 1, 0), 0);
    assert_true(status_comes(2, GW_IMS_STAT_RES));
    assert_int_equal(poll(&fd, 1, 0), 1);
    assert_int_equal(receive(t, &p, INT64_MAX), GW_RECV_DATA);
    assert_int_equal(receive(t, &p, 0), GW_RECV_TIMEOUT);
    assert_int_equal(poll(&fd, 1, 0), 0);
    close_and_count(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(opens_by_an_address, fresh),
        cmocka_unit_test_setup(opens_by_ipv6_and_by_lid, fresh),
        cmocka_unit_test_setup(says_why_it_does_not_open, fresh),
        cmocka_unit_test_setup(sends_datagrams, fresh),
        cmocka_unit_test_setup(sends_frames, fresh),
        cmocka_unit_test_setup(a_refused_packet_ends_its_frame, fresh),
        cmocka_unit_test_setup(room_comes_back, fresh),
        cmocka_unit_test_setup(waits_for_room, fresh),
        cmocka_unit_test_setup(sets_a_broken_connection_up_again, fresh),
        cmocka_unit_test_setup(receives_datagrams, fresh),
        cmocka_unit_test_setup(a_datagram_without_headers_is_none, fresh),
        cmocka_unit_test_setup(receives_responses, fresh),
        cmocka_unit_test_setup(a_broken_connection_is_no_end, fresh),
        cmocka_unit_test_setup(tells_by_its_descriptor, fresh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
