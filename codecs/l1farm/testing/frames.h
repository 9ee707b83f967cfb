/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests: messages of the farm, by the thesis' figures. */
#ifndef L1FARM_TESTING_FRAMES_H
#define L1FARM_TESTING_FRAMES_H

#include "core/testing/hex.h"

/* Of table 7.3, with the counters of the reference run. */
#define L1_RESULT_IMAGE "0000efbe 00000401 18f7de00 2df6de00"

/* A writesb of that result, all 16 bytes selected, and its echo; CRCs by the assumed polynomial. */
#define L1_WRITESB "0010001f 0004001f 00001000 0340 " L1_RESULT_IMAGE "00ca"
#define L1_ECHO "0004011f 0010 82d1"

/* What may stand before symbols: version, kind, flags, ringlet. */
#define L1_SEND_RECORD "01000000 "
#define L1_ECHO_RECORD "01010000 "
#define L1_SPECIAL_RECORD "01020000 "
#define L1_UNKNOWN_RECORD "01040000 "

/* Two event words of TagID 0x1234. */
#define L1_WORDS "0000341200000000 0100341200000000 "

/* The tunnel: RU 1, buffer 0, node 5, event 0x1234, time step 7, offset 0x80. */
#define L1_SHIM(kind, length) "4c3101" kind "0100 0005 1234 00000007 00000080 " length " "

#endif
