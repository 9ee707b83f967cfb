/* SPDX-License-Identifier: BSD-2-Clause */
/* All suites. */
#include "cases/eb_s.h"
#include "cases/ebm.h"
#include "cases/ims_b.h"
#include "cases/ims_w.h"
#include "cases/l1.h"
#include "cases/op.h"
#include "cases/tx.h"

const gw_suite *const gw_suites[] = {
    &gw_eb_s_suite,    &gw_eb_m_suite,  &gw_op_suite,    &gw_tx_node_suite, &gw_tx_switch_suite,
    &gw_ims_buf_suite, &gw_ims_w_suite, &gw_l1_cn_suite, &gw_l1_du_suite,   &gw_l1_ru_suite,
};
const size_t gw_num_suites = GW_ARRAY_LEN(gw_suites);
