/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one message was, told to whoever counts: the tap of a format, called as the format, carries
 * one gw_ws_account a message. Nothing of it is worked out while nobody listens. */
#ifndef DISSECTORS_STATS_ACCOUNT_H
#define DISSECTORS_STATS_ACCOUNT_H

#include "compat.h"

#include "goldwire/format.h"

/* gw_ws_asked is what a request asks for. */
typedef struct gw_ws_asked {
    const char *kind; /* a constant of the codec */
    uint64_t address; /* the first that it touches, in bytes */
    bool has_address;
    bool on_bus;      /* the address is one of the bus, not of the board's own settings */
    const char *name; /* of the register there; NULL: none is known */
} gw_ws_asked;

/* gw_ws_fault is a departure of the message. */
typedef struct gw_ws_fault gw_ws_fault;
struct gw_ws_fault {
    gw_ws_fault *next;
    const gw_rule *rule;
    bool waived; /* the dialect is known for it */
};

/* gw_ws_meeting is what the message has to do with another one. */
typedef struct gw_ws_meeting gw_ws_meeting;
struct gw_ws_meeting {
    gw_ws_meeting *next;
    const gw_ws_asked *asked; /* by the request that it answers; NULL: it answers none, or that was
                                 not seen while anybody listened */
    int64_t delta_ns;         /* since then */
    uint8_t kind;             /* gw_relation_kind */
    bool of_request;          /* the message is the request */
    bool ambiguous;
};

/* gw_ws_pair is the two ends of a message. */
typedef struct gw_ws_pair {
    const char *from; /* names; empty where nothing names the end */
    const char *to;
    uint32_t number; /* of the conversation between them, when |numbered| */
    bool numbered;
} gw_ws_pair;

/* gw_ws_pair_keep keeps |pair| of protocol |proto| as long as the packet is looked at, and
 * gw_ws_pair_of returns the last one that was kept, or NULL. */
void gw_ws_pair_keep(packet_info *pinfo, int proto, const gw_ws_pair *pair);
const gw_ws_pair *gw_ws_pair_of(packet_info *pinfo, int proto);

/* gw_ws_account is one message. All pointers are valid as long as the packet is looked at. */
typedef struct gw_ws_account {
    const gw_format *format;
    const gw_message *message;
    const gw_dialect *dialect;
    const gw_ws_pair *pair;
    gw_transaction transaction;
    gw_error stopped; /* where and why decoding stopped */
    gw_ws_fault *faults;
    gw_ws_meeting *meetings;
} gw_ws_account;

/* gw_ws_tap is a format's tap. It lives as long as the program. */
typedef struct gw_ws_tap gw_ws_tap;

/* gw_ws_tap_register registers |format|'s tap. Once a format. */
gw_ws_tap *gw_ws_tap_register(const gw_format *format);

/* gw_ws_tap_open says whether anybody listens now. */
bool gw_ws_tap_open(const gw_ws_tap *tap);

/* gw_ws_tap_begin returns an account of |message|, called |id|, in packet scope, with its
 * transaction, and keeps until the capture is closed what it asks for. */
gw_ws_account *gw_ws_tap_begin(gw_ws_tap *tap, packet_info *pinfo, const gw_message *message,
                               const gw_dialect *dialect, uint64_t id);

/* gw_ws_tap_asked returns what message |id| asks for, in packet scope; NULL: it has not been seen.
 */
const gw_ws_asked *gw_ws_tap_asked(const gw_ws_tap *tap, packet_info *pinfo, uint64_t id);

/* gw_ws_tap_name says that message |id|, which has been seen, asks for the register |name|, of
 * which a copy is kept. */
void gw_ws_tap_name(gw_ws_tap *tap, uint64_t id, const char *name);

/* gw_ws_tap_fault adds a departure from |rule|. */
void gw_ws_tap_fault(gw_ws_account *account, packet_info *pinfo, const gw_rule *rule, bool waived);

/* gw_ws_tap_meet adds a copy of |meeting|. */
void gw_ws_tap_meet(gw_ws_account *account, packet_info *pinfo, const gw_ws_meeting *meeting);

/* gw_ws_tap_tell hands |account| to who listens, as |pinfo|'s. */
void gw_ws_tap_tell(const gw_ws_tap *tap, packet_info *pinfo, const gw_ws_account *account);

#endif
