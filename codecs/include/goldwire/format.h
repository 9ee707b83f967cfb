/* SPDX-License-Identifier: BSD-2-Clause */
/* A wire format as everything above the codecs sees it. */
#ifndef GOLDWIRE_FORMAT_H
#define GOLDWIRE_FORMAT_H

#include "goldwire/base.h"
#include "goldwire/error.h"
#include "goldwire/field.h"
#include "goldwire/message.h"
#include "goldwire/portion.h"
#include "goldwire/registers.h"
#include "goldwire/rule.h"
#include "goldwire/text.h"
#include "goldwire/transaction.h"

GW_BEGIN_DECLS

/* gw_known_fault is one way in which a device is known to break a rule. A row covers what it names
 * and nothing else: another failure of the same rule is a failure. */
typedef struct gw_known_fault {
    const char *rule;  /* its id; NULL ends a list */
    const char *which; /* the one case that shows it; NULL: any, and captures too */
    const char *text;  /* what the text of the failure holds; NULL: it may say anything */
    const char *why;   /* what the device does, for people; NULL: the dialect's blurb tells */
} gw_known_fault;

/* gw_dialect is how a real device departs from its document, as data. The first of a format's list
 * is "strict", the document itself. A dialect is chosen by the user and never switched silently. */
typedef struct gw_dialect {
    const char *name;
    const char *blurb;
    const void *data;            /* the format's own description */
    const gw_known_fault *known; /* how the device breaks rules; NULL: in no way */
} gw_dialect;

/* gw_message_fn receives the messages cut out of a byte stream. The message is valid during the
 * call. */
typedef void (*gw_message_fn)(void *ctx, const gw_message *message);

/* gw_stream_ops cuts a connection's two byte streams into messages. The state is |size| bytes in
 * the caller's memory, aligned for uint64_t; no other memory is used, however long the stream. */
typedef struct gw_stream_ops {
    size_t size;
    /* init forgets everything and fixes the dialect. */
    void (*init)(void *state, const gw_dialect *dialect);
    /* push adds the bytes of |segment| to direction |dir| (0 or 1) and hands every message that is
     * now complete to |fn|; addresses, time, frame and stream are taken from the segment. */
    void (*push)(void *state, unsigned dir, const gw_message *segment, gw_message_fn fn, void *ctx);
    /* gap tells that bytes of direction |dir| were lost before the next push. */
    void (*gap)(void *state, unsigned dir, gw_message_fn fn, void *ctx);
    /* end hands what is left over to |fn| as a truncated message, one a direction at the most. */
    void (*end)(void *state, gw_message_fn fn, void *ctx);
} gw_stream_ops;

/* gw_link is a way a format is captured without a network beneath it. A frame of |link_type| is one
 * message, with |part|; or, when |stream| is not NULL, bytes of a stream: one state an interface,
 * direction 1 what was sent and 0 everything else. The first of a format's list also takes other
 * private link types, when the user says so. */
typedef struct gw_link {
    uint16_t link_type; /* LINKTYPE_ number */
    uint8_t part;       /* of gw_message */
    const gw_stream_ops *stream;
    /* wrap writes the capture's own header that precedes |message| in a frame, when the message
     * does not hold it itself, and returns its length, 0 when |cap| is too small; NULL: none. */
    size_t (*wrap)(const gw_message *message, uint8_t *out, size_t cap);
    /* unwrap makes of |message|, a whole frame, what follows that header, and takes the direction
     * from it. False when it is not understood: the frame is a message of its own then, of which
     * only |part| is set. NULL: none. */
    bool (*unwrap)(gw_message *message, const gw_dialect *dialect);
    const char *what; /* "OP2P frame, wire order" */
} gw_link;

/* gw_ip_style is how a format's boards fill the headers beneath; what is written on their behalf
 * does the same. */
typedef struct gw_ip_style {
    uint8_t ttl; /* or hop limit */
    bool may_fragment;
    bool no_udp_checksum; /* over IPv4: sent as 0 */
} gw_ip_style;

/* gw_session_ops judges conversations. The state lies in |cap| bytes of the caller's memory,
 * aligned for uint64_t; when its tables are full the oldest entry goes and is reported as
 * GW_UNTRACKED. Only capture time counts. */
typedef struct gw_session_ops {
    size_t min_size; /* least useful |cap| */
    /* init: |give_up_ns| is how long a request may stay unanswered. False when |cap| < min_size. */
    bool (*init)(void *state, size_t cap, int64_t give_up_ns);
    /* lossless says, right behind init, that the path lost, repeated and reordered nothing: what it
     * may have done otherwise is held against who sent it. NULL: nothing is let go of. */
    void (*lossless)(void *state);
    /* feed judges one message after those before it. */
    void (*feed)(void *state, const gw_message *message, const gw_dialect *dialect,
                 gw_verdict_sink *sink);
    /* arp judges an ARP packet, padding included, that stands in |message| as a datagram
     * would; NULL: the session does not look below IP. */
    void (*arp)(void *state, const gw_message *message, gw_verdict_sink *sink);
    /* advance lets capture time pass without a message. */
    void (*advance)(void *state, int64_t now_ns, gw_verdict_sink *sink);
    /* end relates what is still unanswered; that is no finding, for a capture may end too soon. */
    void (*end)(void *state, gw_verdict_sink *sink);
} gw_session_ops;

/* gw_introduction_ops tells a format's own packets from others that share its carrier, by the
 * conversations that introduced their ends. The state is |size| bytes in the caller's memory,
 * aligned for uint64_t; when it is full, who was silent longest is forgotten. */
typedef struct gw_introduction_ops {
    size_t size;
    /* init forgets everybody. */
    void (*init)(void *state);
    /* meet takes the packets of a capture in their order, learns whom |message| introduces, and
     * says whether it is the format's own. */
    bool (*meet)(void *state, const gw_message *message, const gw_dialect *dialect);
    /* knows says whether |message| is between ends that were introduced, whatever it holds. NULL:
     * that says nothing. */
    bool (*knows)(void *state, const gw_message *message);
} gw_introduction_ops;

/* gw_heading is what the published document says above a place that clauses of the tables name. */
typedef struct gw_heading {
    const char *source; /* of a clause: "paper VII.A"; NULL ends a list */
    unsigned line; /* of |source|, "spec", from which on it counts, in ascending order; 0: none */
    const char *text; /* "spec 5.1.1, Etherbone Header: Magic" */
} gw_heading;

/* gw_clause is where in the published documents a clause stands, for people. */
typedef struct gw_clause {
    char text[200];
} gw_clause;

/* gw_clause_place is one of the places that a clause names. */
typedef struct gw_clause_place {
    const gw_heading *heading; /* of it; NULL: it has none */
    gw_clause clause;          /* it alone, for people */
} gw_clause_place;

/* gw_format is one wire format. All pointers are constants. */
typedef struct gw_format {
    const char *name;  /* "etherbone", also the prefix of its filter names */
    const char *title; /* "EtherBone" */
    const gw_group *const *groups;
    size_t num_groups;
    const gw_rule *rules;
    size_t num_rules;
    const gw_heading
        *headings; /* of its documents; NULL: clauses are shown as the tables have them */
    const gw_dialect *dialects;
    size_t num_dialects;
    bool infiniband; /* messages are InfiniBand packets: a UDP datagram is one of RoCEv2, and frames
                        of |links| begin with an LRH */
    const uint16_t *udp_ports;
    size_t num_udp_ports;
    const uint16_t *tcp_ports;
    size_t num_tcp_ports;
    const gw_link *links;
    size_t num_links;
    const gw_register_map *registers; /* of a board that speaks it; NULL: it has none */
    const gw_ip_style *ip_style;      /* NULL: as a host's sockets do */
    const gw_stream_ops *stream;      /* NULL: the format does not travel over byte streams */
    const gw_session_ops *session;    /* NULL: there are no conversations */
    const gw_introduction_ops *introductions; /* of InfiniBand: whom queue pairs belong to; NULL:
                                                 the carrier tells */
    /* walk reports every field of |message| to |sink| in wire order, each bit in exactly one leaf,
     * and returns where and why it stopped. */
    gw_error (*walk)(const gw_message *message, const gw_dialect *dialect, gw_sink *sink);
    /* transaction tells what |message| is to its receiver, and reports every address that it
     * touches to |accesses|. */
    gw_transaction (*transaction)(const gw_message *message, const gw_dialect *dialect,
                                  const gw_access_sink *accesses);
    /* portion tells what |message| carries of something larger; false where it carries nothing of
     * it. NULL: no message does. */
    bool (*portion)(const gw_message *message, const gw_dialect *dialect, gw_portion *out);
    /* same_port says whether a device of |dialect| (NULL: strict) answers to its own UDP port,
     * whatever port asked: who talks to it takes the same one, at another address. NULL: none does.
     */
    bool (*same_port)(const gw_dialect *dialect);
    /* check judges |message| alone. */
    void (*check)(const gw_message *message, const gw_dialect *dialect, gw_verdict_sink *sink);
    /* claims says whether bytes on an unknown port are surely of this format. */
    bool (*claims)(const gw_message *message);
    /* summary appends one line for people: "Write 8 @ 0x7ffffff0 FIFO". */
    void (*summary)(const gw_message *message, const gw_dialect *dialect, gw_text *text);
} gw_format;

/* gw_formats lists all formats; gw_num_formats how many. */
extern GW_API const gw_format *const gw_formats[];
extern GW_API const size_t gw_num_formats;

/* gw_port_format has the rules that a core's ports are under, whatever they carry: AXIS- of
 * AXI4-Stream (Arm IHI 0051), WB- of Wishbone B4. It has nothing else of a format, and is not among
 * gw_formats. */
extern GW_API const gw_format gw_port_format;

/* gw_register_format is what a board's registers are reached by, whatever it speaks otherwise. */
extern GW_API const gw_format *const gw_register_format;

/* gw_format_by_name returns the format called |name|, or NULL. */
GW_API const gw_format *gw_format_by_name(const char *name);

/* gw_dialect_by_name returns the dialect of |format| called |name|, or NULL. */
GW_API const gw_dialect *gw_dialect_by_name(const gw_format *format, const char *name);

/* gw_format_field returns the field of |format| with the filter name |name|, or NULL. Where several
 * groups hold a field of one name (a dialect's other layout), the first is returned. */
GW_API const gw_field *gw_format_field(const gw_format *format, const char *name);

/* gw_format_link returns how |format| is captured as |link_type|, or NULL. */
GW_API const gw_link *gw_format_link(const gw_format *format, uint16_t link_type);

/* gw_format_rule returns the rule with |id|, of |format| or of the ports that carry it, or NULL. */
GW_API const gw_rule *gw_format_rule(const gw_format *format, const char *id);

/* gw_clause_of turns |source|, the clause of a field or a rule of |format|, into section and
 * heading: "spec 820" is "spec 5.1.1, Etherbone Header: Magic". What has no heading stays as it is.
 */
GW_API gw_clause gw_clause_of(const gw_format *format, const char *source);

/* gw_clause_next puts the place that |*source|, a clause of |format| or the rest of one, begins
 * with into |out|, and moves |*source| to the next; the lines of one heading are one place. False
 * at the end. */
GW_API bool gw_clause_next(const gw_format *format, const char **source, gw_clause_place *out);

/* gw_format_transaction asks |format|'s transaction, with |access|, which may be NULL, for the
 * addresses that |message| touches. */
GW_API gw_transaction gw_format_transaction(const gw_format *format, const gw_dialect *dialect,
                                            const gw_message *message, gw_access_fn access,
                                            void *ctx);

/* gw_format_same_port asks |format|'s same_port; false where it has none, or is NULL. */
GW_API bool gw_format_same_port(const gw_format *format, const gw_dialect *dialect);

/* gw_dialect_knows returns how the device of |dialect| is known to break |rule| so that |text| is
 * said of it, by the case |which| (NULL: by none, of a capture); NULL when it is not. A NULL
 * dialect knows nothing. */
GW_API const gw_known_fault *gw_dialect_knows(const gw_dialect *dialect, const gw_rule *rule,
                                              const char *which, const char *text);

/* gw_dialect_waives says whether |dialect| is known to break |rule| in captures, whatever is said
 * of it. */
GW_API bool gw_dialect_waives(const gw_dialect *dialect, const gw_rule *rule);

GW_END_DECLS

#endif
