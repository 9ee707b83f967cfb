/* SPDX-License-Identifier: BSD-2-Clause */
/* The example cores that come with goldwire (fpga_harness/cores): what each is, where it is, and
 * which simulators of it are installed. */
#ifndef HARNESS_CORES_H
#define HARNESS_CORES_H

#include "harness/board.h"

#define GW_CORES_MAX 32
#define GW_CORE_SIMULATORS 8
#define GW_CORE_FAULTS 64
#define GW_CORE_PATH 1024

/* gw_core_fault is a fault that can be planted, a row of the core's faults.txt. */
typedef struct gw_core_fault {
    unsigned number; /* of the generic FAULT */
    char cases[128]; /* the one that finds it, and those that have to run before; by commas */
    char what[160];  /* is wrong */
} gw_core_fault;

/* gw_core_simulator is a simulator that the core is written for. */
typedef struct gw_core_simulator {
    char name[24];
    const char *package; /* of Debian */
    bool found;          /* installed here */
} gw_core_simulator;

/* gw_core is an example core. All text is terminated, and as the files have it. */
typedef struct gw_core {
    char name[32]; /* its folder's */
    char what[96]; /* a title, for people */
    char board_path[GW_CORE_PATH];
    gw_board_file board;
    gw_core_simulator simulators[GW_CORE_SIMULATORS];
    size_t num_simulators;
    gw_core_fault faults[GW_CORE_FAULTS];
    size_t num_faults;
} gw_core;

/* gw_cores_folder writes into |out| where the cores lie: beside the running program in the tree
 * that it was built in, or where it is installed. False with a text in |why|. */
GW_MUST_USE bool gw_cores_folder(char *out, size_t cap, char *why, size_t why_cap);

/* gw_cores_names writes the names of the cores in |folder|, sorted, into |names|, and returns their
 * number; 0 with a text in |why| when there are none. */
GW_MUST_USE size_t gw_cores_names(const char *folder, char names[GW_CORES_MAX][32], char *why,
                                  size_t why_cap);

/* gw_core_read reads what the files of core |name| in |folder| say. False with a text in |why|. */
GW_MUST_USE bool gw_core_read(gw_core *out, const char *folder, const char *name, char *why,
                              size_t why_cap);

#endif
