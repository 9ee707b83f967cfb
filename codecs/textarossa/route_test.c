/* SPDX-License-Identifier: BSD-2-Clause */
/* Routing, against what the published router was seen to do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include "goldwire/textarossa.h"

enum { LINK, NODE };
enum { PORT0, PORT1, PORT2, PORT3, NOWHERE, PLUS, MINUS };

typedef struct route {
    uint16_t from, me, lattice, x, y, z, intra, virt_chan, size, marked, exit, out_chan, words;
} route;

static const route routes[] = {
#define ROUTE(...) {__VA_ARGS__},
#include "textarossa/testing/routes.def"
};

static gw_tx_header header_of(const route *r)
{
    return (gw_tx_header){.virt_chan = (uint8_t)r->virt_chan,
                          .dest_x = (uint8_t)r->x,
                          .dest_y = (uint8_t)r->y,
                          .dest_z = (uint8_t)r->z,
                          .intra_dest = (uint8_t)r->intra,
                          .packet_size = r->size,
                          .out_of_lattice = (uint8_t)r->marked,
                          .num_of_hops = r->marked ? 7 : 0,
                          .dest_addr = 0xfafbfcfd};
}

static unsigned exit_of(const gw_tx_hop *hop)
{
    if (hop->exit == GW_TX_EXIT_LOCAL)
        return hop->port < 4 ? hop->port : NOWHERE;
    return hop->exit == GW_TX_EXIT_X_PLUS ? PLUS : MINUS;
}

static void routes_as_the_published_router(void **state)
{
    (void)state;
    for (size_t i = 0; i < GW_ARRAY_LEN(routes); i++) {
        const route *r = &routes[i];
        gw_tx_torus torus = gw_tx_torus_of(r->me, r->lattice);
        gw_tx_header in = header_of(r);
        gw_tx_hop hop = gw_tx_route(&torus, &in, r->from == NODE);
        bool in_lattice = r->x < torus.size_x && r->y < torus.size_y && r->z < torus.size_z;

        assert_int_equal(exit_of(&hop), r->exit);
        assert_int_equal(hop.header.virt_chan, r->out_chan);
        assert_int_equal(gw_tx_words(in.packet_size, GW_TX_WORD), r->words);
        assert_int_equal(hop.header.out_of_lattice,
                         hop.exit == GW_TX_EXIT_LOCAL ? !in_lattice : r->marked);
        hop.header.virt_chan = in.virt_chan;
        hop.header.out_of_lattice = in.out_of_lattice;
        gw_tx_word then = gw_tx_pack(&in, GW_TX_PORT), now = gw_tx_pack(&hop.header, GW_TX_PORT);
        assert_true(now.lo == then.lo && now.hi == then.hi);
    }
}

/* Every packet gets to its node, over no more hops than half the ring. */
static void every_ring_delivers(void **state)
{
    (void)state;
    for (unsigned size = 1; size < 64; size++) {
        for (unsigned pair = 0; pair < size * size; pair++) {
            unsigned at = pair / size, hops = 0;
            gw_tx_header h = {.virt_chan = GW_TX_LAST_VC0, .dest_x = (uint8_t)(pair % size)};
            for (;; hops++) {
                gw_tx_torus torus = gw_tx_torus_of(at, size | 1u << 6 | 1u << 11);
                gw_tx_hop hop = gw_tx_route(&torus, &h, hops == 0);
                if (hop.exit == GW_TX_EXIT_LOCAL)
                    break;
                at = (at + (hop.exit == GW_TX_EXIT_X_PLUS ? 1 : size - 1)) % size;
                h = hop.header;
                assert_true(hops < size / 2);
                assert_int_equal((h.virt_chan & GW_TX_LAST) != 0, at == h.dest_x);
            }
            assert_int_equal(at, h.dest_x);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(routes_as_the_published_router),
        cmocka_unit_test(every_ring_delivers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
