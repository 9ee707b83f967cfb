/* SPDX-License-Identifier: BSD-2-Clause */
/* The arguments of goldwire certify. */
#ifndef GOLDWIRE_CERTIFY_ARGS_H
#define GOLDWIRE_CERTIFY_ARGS_H

#include "goldwire/base.h"

#define GW_CERTIFY_MAX_GLOBS 64
#define GW_CERTIFY_MAX_URLS 8
#define GW_CERTIFY_MAX_TRACES 16

/* gw_certify_options is what the command line says. What it leaves out is NULL, 0 or false. */
typedef struct gw_certify_options {
    const char *board_path;
    const char *duts[GW_CERTIFY_MAX_URLS]; /* [LINK=]URL */
    size_t num_duts;
    const char *serve;
    const char *role;
    const char *dialect;
    const char *out_dir;
    const char *sign; /* file of the secret key */
    const char *operator_name;
    const char *failed;
    const char *wave; /* folder for the waves of a simulated board */
    const char *globs[GW_CERTIFY_MAX_GLOBS];
    size_t num_globs;
    const char *traces[GW_CERTIFY_MAX_TRACES];
    size_t num_traces;
    const char *trace_proto; /* of the traces, on unknown ports */
    const char *trace_board; /* where the board is in the traces, HOST[:PORT] */
    const char *trace_links[GW_CERTIFY_MAX_URLS]; /* NAME=HOST:PORT in the traces */
    size_t num_trace_links;
    bool spin;         /* wait for a moment by looking at the clock */
    uint32_t patience; /* how many times as long as usual to wait; 0: as the board file says */
    bool any_address;  /* traces may write anywhere */
    uint64_t seed;
    uint64_t wait_s;
    bool measure;       /* how fast the board is, after the cases */
    uint64_t measure_s; /* for that; 0: as long as usual */
    bool hooks;
    bool list;
    bool json;
    bool strict;
} gw_certify_options;

/* gw_certify_args reads the command line, argv[0] being the verb. A wrong one, and --help, end the
 * program. */
void gw_certify_args(gw_certify_options *out, int argc, char **argv);

/* gw_certify_call writes the arguments that reach the same board in the same way again, quoted for
 * a shell: the board file, --dut, --serve, --role and --dialect. */
void gw_certify_call(const gw_certify_options *o, char *out, size_t cap);

#endif
