/* SPDX-License-Identifier: BSD-2-Clause */
/* Transport URLs: what they mean, and what is said about wrong ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/transport.h"

static gw_url parse(const char *text)
{
    gw_url url;
    char why[256] = "";
    if (!gw_url_parse(&url, text, why, sizeof(why)))
        fail_msg("%s: %s", text, why);
    return url;
}

static void reads_sockets(void **state)
{
    (void)state;
    gw_url url = parse("udp://127.0.0.1:60368");
    assert_true(gw_url_is(&url, "udp"));
    assert_string_equal(url.host, "127.0.0.1");
    assert_int_equal(url.port, 60368);
    assert_true(url.has_port);
    assert_string_equal(url.local_host, "");

    url = parse("tcp://board.example:0/");
    assert_true(gw_url_is(&url, "tcp"));
    assert_string_equal(url.host, "board.example");
    assert_int_equal(url.port, 0);

    url = parse("udp://[::1]:1234?local=[fe80::2]:65535");
    assert_string_equal(url.host, "::1");
    assert_int_equal(url.port, 1234);
    assert_string_equal(url.local_host, "fe80::2");
    assert_int_equal(url.local_port, 65535);
}

static void reads_adapters(void **state)
{
    (void)state;
    gw_url url = parse("ib://mlx5_0?to=10.0.0.2");
    assert_true(gw_url_is(&url, "ib"));
    assert_string_equal(url.host, "mlx5_0");
    assert_int_equal(url.port, 1);
    assert_string_equal(url.ib.to, "10.0.0.2");
    assert_int_equal(url.ib.gid, -1);
    assert_int_equal(url.ib.sl, 0);
    assert_int_equal(url.ib.data_sl, 1);
    assert_int_equal(url.ib.qkey, 0x11111111);
    assert_true(url.ib.room == 64 << 20);

    url = parse("ib://rxe0/2?to=fe80::2&gid=3&sl=4&data-sl=15&qkey=0xFFFFffff&room=0x100000000");
    assert_int_equal(url.port, 2);
    assert_string_equal(url.ib.to, "fe80::2");
    assert_int_equal(url.ib.gid, 3);
    assert_int_equal(url.ib.sl, 4);
    assert_int_equal(url.ib.data_sl, 15);
    assert_true(url.ib.qkey == 0xffffffff);
    assert_true(url.ib.room == UINT64_C(0x100000000));
    assert_string_equal(parse("ib://rxe0/?to=lid:0x11").ib.to, "lid:0x11");
}

static void reads_peers(void **state)
{
    (void)state;
    gw_url url = parse("peer:etherbone-slave");
    assert_true(gw_url_is(&url, "peer"));
    assert_string_equal(url.host, "etherbone-slave");
    assert_false(url.has_port);
    assert_false(url.via_mem);
    assert_string_equal(url.mutant, "");

    url = parse("peer:etherbone-slave?mutant=m-no-nr&dialect=gsi&via=mem");
    assert_string_equal(url.mutant, "m-no-nr");
    assert_string_equal(url.dialect, "gsi");
    assert_true(url.via_mem);
    assert_false(url.over_tcp);

    url = parse("peer:op2p-node?random-memory=0x10&registers-at=0x4000");
    assert_true(url.random_memory);
    assert_true(url.memory_seed == 16);
    assert_int_equal(url.registers_at, 0x4000);
    assert_int_equal(url.hurry, 0);
    assert_int_equal(parse("peer:l1-du?hurry=5").hurry, 5);

    assert_true(parse("peer:etherbone-slave?over=tcp").over_tcp);
    assert_false(parse("peer:etherbone-slave?over=udp").over_tcp);
    assert_true(parse("peer:etherbone-slave?over=raw").over_raw);
    assert_false(parse("peer:etherbone-slave?over=tcp").over_raw);
}

static void reads_interfaces(void **state)
{
    static const gw_endpoint to = {.ip = {10, 0, 0, 2}, .port = 60368, .family = GW_FAMILY_IPV4};
    static const gw_endpoint local = {.ip = {192, 168, 255, 1}, .family = GW_FAMILY_IPV4};
    (void)state;
    gw_url url = parse("raw://eth1?to=10.0.0.2:60368&local=192.168.255.1");
    assert_true(gw_url_is(&url, "raw"));
    assert_string_equal(url.host, "eth1");
    assert_memory_equal(&url.raw.to, &to, sizeof(to));
    assert_memory_equal(&url.raw.local, &local, sizeof(local));
    url = parse("raw://enp0s31f6");
    assert_int_equal(url.raw.to.family, GW_FAMILY_NONE);
    assert_int_equal(url.raw.local.family, GW_FAMILY_NONE);
}

static void reads_simulations(void **state)
{
    (void)state;
    gw_url url = parse("sim://eb-slave?port=3&to=10.0.0.2:60368&local=10.0.0.1");
    assert_string_equal(url.host, "eb-slave");
    assert_int_equal(url.port, 3);
    assert_int_equal(url.raw.to.port, 60368);
    assert_int_equal(url.raw.local.family, GW_FAMILY_IPV4);
    assert_int_equal(parse("sim://x").port, 0);
    assert_false(parse("sim://x").over_apelink);
    assert_true(parse("sim://x?port=1&over=apelink").over_apelink);
}

static void reads_when_a_simulated_port_goes_on(void **state)
{
    (void)state;
    gw_url url = parse("sim://x?port=1&valid=3/7&ready=0.25&seed=9");
    assert_true(url.valid.told);
    assert_int_equal(url.valid.on, 3);
    assert_int_equal(url.valid.of, 7);
    assert_true(url.ready.told);
    assert_int_equal(url.ready.of, 0);
    assert_int_equal(url.ready.share, GW_IMPAIR_SCALE / 4);
    assert_int_equal(url.impairment.seed, 9);
    url = parse("sim://x?valid=always&ready=never");
    assert_int_equal(url.valid.on, 1);
    assert_int_equal(url.valid.of, 1);
    assert_true(url.ready.told);
    assert_int_equal(url.ready.on, 0);
    assert_int_equal(url.ready.share, 0);
    assert_false(parse("sim://x").valid.told);
    assert_false(parse("sim://x").ready.told);
}

static void reads_roce(void **state)
{
    (void)state;
    gw_url url = parse("roce://127.0.0.1");
    assert_true(gw_url_is(&url, "roce"));
    assert_string_equal(url.host, "127.0.0.1");
    assert_int_equal(url.port, 4791);
    assert_int_equal(parse("roce://127.0.0.1:5").port, 5);
    url = parse("roce://[::1]?local=[::1]:7");
    assert_string_equal(url.host, "::1");
    assert_int_equal(url.port, 4791);
    assert_int_equal(url.local_port, 7);
    url = parse("roce://127.0.0.1?local=127.0.0.2");
    assert_string_equal(url.local_host, "127.0.0.2");
    assert_int_equal(url.local_port, 4791);
    assert_int_equal(parse("roce://[::1]:0").port, 0);
}

static void reads_impairments(void **state)
{
    (void)state;
    gw_url url = parse("udp://h:1");
    assert_false(gw_impairs(&url.impairment));
    url = parse("udp://h:1?loss=0.1&reorder=1&duplicate=0.00005&corrupt=0.000000001&seed=42");
    assert_true(gw_impairs(&url.impairment));
    assert_int_equal(url.impairment.loss, 100000000);
    assert_int_equal(url.impairment.reorder, GW_IMPAIR_SCALE);
    assert_int_equal(url.impairment.duplicate, 50000);
    assert_int_equal(url.impairment.corrupt, 1);
    assert_int_equal(url.impairment.seed, 42);
    assert_int_equal(parse("peer:r?via=mem&loss=1.0").impairment.loss, GW_IMPAIR_SCALE);
    assert_int_equal(parse("peer:r?via=mem&over=tcp&loss=0.5").impairment.loss, 500000000);
    assert_int_equal(parse("peer:r?over=raw&via=mem&loss=0.5").impairment.loss, 500000000);
}

static void reads_times_and_lengths(void **state)
{
    (void)state;
    gw_url url = parse("udp://h:1?rtt=20ms&jitter=1.5us&outage=2s+0.25s&mtu=576");
    assert_true(gw_impairs(&url.impairment));
    assert_int_equal(url.impairment.delay_ns, 10000000);
    assert_int_equal(url.impairment.jitter_ns, 1500);
    assert_int_equal(url.impairment.outage_from_ns, 2000000000);
    assert_int_equal(url.impairment.outage_ns, 250000000);
    assert_int_equal(url.impairment.mtu, 576);
    assert_int_equal(parse("roce://h?delay=10ms").impairment.delay_ns, 10000000);
    assert_int_equal(parse("roce://h?delay=7ns").impairment.delay_ns, 7);
    assert_int_equal(parse("roce://h?delay=3600s").impairment.delay_ns, GW_IMPAIR_TIME_MAX);
    url = parse("udp://h:1?rtt=0&jitter=0.0&seed=3");
    assert_false(gw_impairs(&url.impairment));
    url = parse("udp://h:1?outage=0+1s");
    assert_true(gw_impairs(&url.impairment));
}

static void says_what_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *why;
    } wrong[] = {
        {"", "'' is no URL: write udp://HOST:PORT, tcp://HOST:PORT or peer:ROLE"},
        {"localhost", "'localhost' is no URL: write udp://HOST:PORT, tcp://HOST:PORT or peer:ROLE"},
        {"upd://h:1",
         "unknown scheme 'upd:'; did you mean 'udp:'? known: udp: tcp: roce: raw: ib: sim: peer:"},
        {"averylongschemename:x",
         "unknown scheme 'averylongschemename:'; known: udp: tcp: roce: raw: ib: sim: peer:"},
        {"ib://", "'ib://' has no adapter: write ib://DEVICE[/PORT]"},
        {"ib://a", "ib://a: say where the other side is: ?to=ADDRESS, or ?to=lid:NUMBER"},
        {"ib://a/0?to=b", "'0' is no port of an adapter (1 to 255)"},
        {"ib://a/1x?to=b", "'1x' is no port of an adapter (1 to 255)"},
        {"ib://a?to=", "to=: an address, or lid:NUMBER, is expected"},
        {"ib://a?too=b", "ib: has no option 'too'; did you mean 'to'?"},
        {"ib://a?to=b&sl=16", "sl=16: a number of 0 to 15 is expected"},
        {"ib://a?to=b&gid=0x", "gid=0x: a number of 0 to 255 is expected"},
        {"ib://a?to=b&qkey=0x100000000",
         "qkey=0x100000000: a number of 0 to 4294967295 is expected"},
        {"ib://a?to=b&room=0x10000000000000000",
         "room=0x10000000000000000: a number of 0 to 4294967296 is expected"},
        {"ib://a?to=b&loss=0.1", "ib: has no option 'loss'"},
        {"udp:h:1", "'udp:h:1': write udp://HOST:PORT"},
        {"udp://h", "'' is no port (0 to 65535) in 'h': write HOST:PORT"},
        {"udp://h:65536", "'65536' is no port (0 to 65535) in 'h:65536': write HOST:PORT"},
        {"udp://h:1x", "'1x' is no port (0 to 65535) in 'h:1x': write HOST:PORT"},
        {"udp://:1", "':1' has no host: write HOST:PORT"},
        {"udp://::1:5", "'::1:5': an IPv6 address goes in brackets: [::1]:PORT"},
        {"udp://[::1]5", "'[::1]5': an IPv6 address is written [ADDRESS]:PORT"},
        {"udp://[::1", "'[::1': an IPv6 address is written [ADDRESS]:PORT"},
        {"udp://[", "'[': an IPv6 address is written [ADDRESS]:PORT"},
        {"peer:r?over=ib", "over=ib: over=udp, over=tcp, over=raw and over=raw-tcp are known"},
        {"udp://h:1?lokal=a:1", "udp: has no option 'lokal'; did you mean 'local'?"},
        {"udp://h:1?dialect=x", "udp: has no option 'dialect'"},
        {"udp://h:1?local=a", "'' is no port (0 to 65535) in 'a': write HOST:PORT"},
        {"roce://", "'' has no host: write HOST:PORT"},
        {"roce://h:", "'' is no port (0 to 65535) in 'h:': write HOST:PORT"},
        {"udp://h:1?loss=2", "loss=2: a share of 0 to 1 is expected, say 0.05"},
        {"udp://h:1?reorder=.5", "reorder=.5: a share of 0 to 1 is expected, say 0.05"},
        {"udp://h:1?corrupt=0.0000000001",
         "corrupt=0.0000000001: a share of 0 to 1 is expected, say 0.05"},
        {"udp://h:1?duplicate=1.5", "duplicate=1.5: a share of 0 to 1 is expected, say 0.05"},
        {"udp://h:1?seed=x", "seed=x: a decimal number is expected"},
        {"tcp://h:1?dialect=x", "tcp: has no option 'dialect'"},
        {"udp://h:1?rtt=20", "rtt=20: a time of at most an hour is expected, say 20ms"},
        {"udp://h:1?jitter=20m", "jitter=20m: a time of at most an hour is expected, say 20ms"},
        {"udp://h:1?delay=3601s", "delay=3601s: a time of at most an hour is expected, say 20ms"},
        {"udp://h:1?delay=.ms", "delay=.ms: a time of at most an hour is expected, say 20ms"},
        {"udp://h:1?outage=3s",
         "outage=3s: when it begins and how long it lasts is expected, say 2s+3s"},
        {"udp://h:1?mtu=67", "mtu=67: bytes of an IP packet are expected, 68 to 65535"},
        {"udp://h:1?mtu=1k", "mtu=1k: bytes of an IP packet are expected, 68 to 65535"},
        {"raw://", "'raw://' names no interface: write raw://INTERFACE?to=IP:PORT"},
        {"raw://h:1", "'raw://h:1' names no interface: write raw://INTERFACE?to=IP:PORT"},
        {"raw://e?to=10.0.0", "to=10.0.0: an IPv4 address is expected, A.B.C.D or A.B.C.D:PORT"},
        {"raw://e?to=10.0.0.256",
         "to=10.0.0.256: an IPv4 address is expected, A.B.C.D or A.B.C.D:PORT"},
        {"raw://e?local=10.0.0.1.2",
         "local=10.0.0.1.2: an IPv4 address is expected, A.B.C.D or A.B.C.D:PORT"},
        {"raw://e?to=10.0.0.1:65536",
         "to=10.0.0.1:65536: an IPv4 address is expected, A.B.C.D or A.B.C.D:PORT"},
        {"raw://e?loss=2", "loss=2: a share of 0 to 1 is expected, say 0.05"},
        {"sim://", "sim:// names no simulation: write sim://NAME, or sim://NAME?port=N"},
        {"sim://x?port=16", "port=16: a testbench has ports 0 to 15"},
        {"sim://x?port=", "port=: a testbench has ports 0 to 15"},
        {"sim://x?over=tcp", "over=tcp: of a simulated port only over=apelink has to be said"},
        {"sim://x?ready=5/4",
         "ready=5/4: always, never, N/M (in N of M cycles, M at most 65536) or a "
         "share of the cycles, say 0.25, is expected"},
        {"sim://x?valid=0/4",
         "valid=0/4: always, never, N/M (in N of M cycles, M at most 65536) or a "
         "share of the cycles, say 0.25, is expected"},
        {"sim://x?valid=1/65537", "valid=1/65537: always, never, N/M (in N of M cycles, M at most "
                                  "65536) or a share of the cycles, say 0.25, is expected"},
        {"sim://x?ready=0", "ready=0: always, never, N/M (in N of M cycles, M at most 65536) or a "
                            "share of the cycles, say 0.25, is expected"},
        {"sim://x?loss=0.1", "sim: has no option 'loss'"},
        {"peer:", "peer: wants a role, say peer:etherbone-slave"},
        {"peer:r?via=air", "via=air: only via=mem is known"},
        {"peer:r?mutant=", "'' is no name of a mutant"},
        {"peer:r?random-memory=x", "random-memory=x: a number, the seed, is expected"},
        {"peer:r?registers-at=4", "registers-at=4: an address that is a multiple of 8 is expected"},
        {"peer:r?hurry=0", "hurry=0: a number of 1 to 10 is expected"},
        {"peer:r?hurry=11", "hurry=11: a number of 1 to 10 is expected"},
        {"udp://a b:1", "a URL has no spaces or control characters (position 8)"},
        {"udp://a\x1b:1", "a URL has no spaces or control characters (position 8)"},
    };
    for (size_t i = 0; i < GW_ARRAY_LEN(wrong); i++) {
        gw_url url;
        char why[256] = "";
        assert_false(gw_url_parse(&url, wrong[i].text, why, sizeof(why)));
        assert_string_equal(why, wrong[i].why);
    }
}

static void long_parts_do_not_fit(void **state)
{
    (void)state;
    char text[1024];
    char why[128];
    gw_url url;
    memset(text, 'a', sizeof(text));
    memcpy(text, "udp://", 6);
    memcpy(text + 600, ":1", 3);
    assert_false(gw_url_parse(&url, text, why, sizeof(why)));
    assert_non_null(strstr(why, "too long"));
    memcpy(text, "peer:r", 6);
    text[6] = '?';
    memcpy(text + 7, "mutant=", 7);
    text[600] = '\0';
    assert_false(gw_url_parse(&url, text, why, sizeof(why)));
}

static void frames_of_a_vlan_and_over_ipv6(void **state)
{
    gw_url url;
    char why[256];
    (void)state;
    assert_true(
        gw_url_parse(&url, "raw://eth1?to=[fe80::2%eth1]:99&vlan=200.100&pcp=7", why, sizeof(why)));
    assert_int_equal(url.raw.to.family, GW_FAMILY_IPV6);
    assert_int_equal(url.raw.to.ip[15], 2);
    assert_int_equal(url.raw.to.port, 99);
    assert_int_equal(url.raw.vlan.num, 2);
    assert_int_equal(url.raw.vlan.ids[0], 200);
    assert_int_equal(url.raw.vlan.ids[1], 100);
    assert_int_equal(url.raw.vlan.pcp, 7);
    assert_true(gw_url_parse(&url, "raw://eth1?to=[fd00::2]&local=[fd00::1]:1", why, sizeof(why)));
    assert_int_equal(url.raw.to.port, 0);
    static const char *const wrong[] = {
        "raw://eth1?to=[fe80::2",
        "raw://eth1?to=[]",
        "raw://eth1?to=[fe80::2]99",
        "raw://eth1?to=[fe80::2]:99999",
        "raw://eth1?to=[fe80::2%e]:9",
        "raw://eth1?to=[::1]&local=1.2.3.4",
        "raw://eth1?vlan=4095",
        "raw://eth1?vlan=1.0",
        "sim://x?to=[::1]",
        "udp://h:1?vlan=1",
    };
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        assert_false(gw_url_parse(&url, wrong[i], why, sizeof(why)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_sockets),
        cmocka_unit_test(reads_peers),
        cmocka_unit_test(reads_interfaces),
        cmocka_unit_test(reads_simulations),
        cmocka_unit_test(reads_when_a_simulated_port_goes_on),
        cmocka_unit_test(reads_roce),
        cmocka_unit_test(reads_adapters),
        cmocka_unit_test(reads_impairments),
        cmocka_unit_test(reads_times_and_lengths),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(long_parts_do_not_fit),
        cmocka_unit_test(frames_of_a_vlan_and_over_ipv6),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
