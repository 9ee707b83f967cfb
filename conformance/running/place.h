/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the runs of one user are to be found: a folder that nobody else may look into, with two
 * files for each, NAME.run, which tells what it is and is locked as long as it goes on, and
 * NAME.sock, where packets are to be had. */
#ifndef GOLDWIRE_RUNNING_PLACE_H
#define GOLDWIRE_RUNNING_PLACE_H

#include <sys/un.h>

#include "goldwire/base.h"

#define GW_RUNNING_NAME 40
#define GW_RUNNING_VERSION 1 /* of what is said over the socket (running/record.h) */

/* gw_running_entry is one run that goes on. Texts are printable ASCII. */
typedef struct gw_running_entry {
    char name[GW_RUNNING_NAME]; /* "goldwire-4711" */
    long pid;
    unsigned version; /* GW_RUNNING_VERSION of the goldwire that runs */
    char verb[16];
    char role[32];
    char board[96];     /* where it is: "udp://10.0.0.2:60368" */
    int64_t started_ns; /* since 1970-01-01 UTC */
    struct sockaddr_un address;
} gw_running_entry;

/* gw_running_enter puts |entry|, whose name and address it chooses, into the folder. A descriptor,
 * which holds the lock until this process closes it or ends; -1 with a text in |why|. The socket is
 * for the caller to bind before. */
int gw_running_enter(gw_running_entry *entry, char *why, size_t why_cap);

/* gw_running_choose finds the folder, makes it where it lacks, and gives |entry| a name and an
 * address there. False with a text in |why|. */
GW_MUST_USE bool gw_running_choose(gw_running_entry *entry, char *why, size_t why_cap);

/* gw_running_leave removes what gw_running_enter made, and the socket. */
void gw_running_leave(const gw_running_entry *entry);

/* gw_running_list finds the runs that go on, at most |max|, oldest first, and returns how many.
 * What runs that were killed have left is removed. */
size_t gw_running_list(gw_running_entry *out, size_t max);

/* gw_running_goes_on says whether the run of |entry| has not ended, however it may. */
bool gw_running_goes_on(const gw_running_entry *entry);

#endif
