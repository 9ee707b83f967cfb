/* SPDX-License-Identifier: BSD-2-Clause */
/* What our own software boards claim, and where they may be written to. */
#include "peers/builtin.h"

#include <string.h>

#include "goldwire/l1farm.h"
#include "peers/etherbone_map.h"
#include "peers/ims_buf.h"
#include "peers/op2p_node.h"
#include "peers/textarossa.h"

static const gw_board_file slave = {
    .role = "etherbone-slave",
    .dialect = "strict",
    .make = "goldwire software board",
    .serial = "none",
    .firmware = "as built",
    .claims = {.address_widths = 15,
               .port_widths = 15,
               .tcp = GW_CLAIM_YES,
               .config_space = GW_CLAIM_YES,
               .sdb = GW_CLAIM_YES,
               .zero_filled_reply = GW_CLAIM_NO,
               .max_payload = 1472,
               .pipeline = 16},
    .areas = {{"ram", GW_EB_MAP_RAM, GW_EB_MAP_RAM_SIZE, GW_AREA_RAM},
              {"fifo", GW_EB_MAP_FIFO, GW_EB_MAP_FIFO_SIZE, GW_AREA_FIFO},
              {"rom", GW_EB_MAP_ROM, GW_EB_MAP_ROM_SIZE, GW_AREA_READONLY},
              {"error", GW_EB_MAP_ERROR, GW_EB_MAP_ERROR_SIZE, GW_AREA_ERROR},
              {"arbiter", GW_EB_MAP_ARBITER, GW_EB_MAP_ARBITER_SIZE, GW_AREA_ARBITER}},
    .num_areas = 5,
};

static const gw_board_file master = {
    .role = "etherbone-master",
    .dialect = "strict",
    .make = "goldwire software board",
    .serial = "none",
    .firmware = "as built",
    .claims = {.address_widths = 15,
               .port_widths = 15,
               .tcp = GW_CLAIM_YES,
               .long_cycles = GW_CLAIM_YES},
};

static const gw_board_file op2p_node = {
    .role = "op2p-node",
    .dialect = "strict",
    .make = "goldwire software board",
    .serial = "none",
    .firmware = "as built",
    .claims = {.forwarding = GW_CLAIM_YES},
    .areas = {{"ram", 0, 0x10000, GW_AREA_RAM},
              {"pool", GW_OP2P_NODE_POOL, GW_OP2P_NODE_POOL, GW_AREA_RAM}},
    .num_areas = 2,
};

/* The register block is where goldwire may write. */
#define TEXTAROSSA_BOARD(role_)                                                                    \
    {                                                                                              \
        .role = role_, .dialect = "strict", .make = "goldwire software board", .serial = "none",   \
        .firmware = "as built", .claims = {.edac = GW_CLAIM_YES, .response_us = 100000},           \
        .areas = {{"registers", 0, GW_TX_REGISTERS, GW_AREA_RAM}}, .num_areas = 1                  \
    }

static const gw_board_file tx_node = TEXTAROSSA_BOARD("textarossa-node");
static const gw_board_file tx_switch = TEXTAROSSA_BOARD("textarossa-switch");

static const gw_board_file ims_worker = {
    .role = "ims-worker",
    .dialect = "strict",
    .make = "goldwire software board",
    .serial = "none",
    .firmware = "as built",
    .claims = {.images = GW_CLAIM_YES, .response_timeout_ms = 500, .response_us = 200000},
};

static const gw_board_file ims_buf = {
    .role = "ims-buf",
    .dialect = "strict",
    .make = "goldwire software board",
    .serial = "none",
    .firmware = "as built",
    .claims = {.status_qpn = GW_IMS_BUF_QPN, .status_qkey = GW_IMS_BUF_QKEY, .response_us = 100000},
    .areas = {{"ring", GW_IMS_BUF_VA, GW_IMS_BUF_RING, GW_AREA_RAM},
              {"registers", 0, GW_IMS_BUF_REGISTERS, GW_AREA_RAM}},
    .num_areas = 2,
};

/* What the farm's boards need, and the network, and a machine that is busy. */
#define GW_L1_RESPONSE_US 300000

static const gw_board_file l1_ru = {
    .role = "l1-ru",
    .dialect = "strict",
    .make = "goldwire software board",
    .serial = "none",
    .firmware = "as built",
    .areas = {{"registers", 0, 0x1000, GW_AREA_RAM}},
    .num_areas = 1,
};

static const gw_board_file l1_cn = {
    .role = "l1-cn",
    .dialect = "strict",
    .make = "goldwire software board",
    .serial = "none",
    .firmware = "as built",
    .claims = {.response_us = GW_L1_RESPONSE_US},
    .areas = {{"buffers", 0, UINT64_C(2) * GW_L1_SUBEVENT_MAX, GW_AREA_RAM}},
    .num_areas = 1,
};

static const gw_board_file l1_du = {
    .role = "l1-du",
    .dialect = "strict",
    .make = "goldwire software board",
    .serial = "none",
    .firmware = "as built",
    .claims = {.response_us = GW_L1_RESPONSE_US},
};

static const gw_board_file *const builtin[] = {&slave,     &master,  &op2p_node,  &tx_node,
                                               &tx_switch, &ims_buf, &ims_worker, &l1_cn,
                                               &l1_du,     &l1_ru};

const gw_board_file *gw_builtin_board(const char *role)
{
    for (size_t i = 0; i < GW_ARRAY_LEN(builtin); i++)
        if (strcmp(builtin[i]->role, role) == 0)
            return builtin[i];
    return NULL;
}
