/* SPDX-License-Identifier: BSD-2-Clause */
/* A recorded conversation with a board, as a test: who asks, who answers, over which of the board's
 * links, and which answer belongs to which request. Read whole, and bounded: a trace is what one
 * run recorded, not a week of traffic. */
#ifndef REPLAY_TRACE_H
#define REPLAY_TRACE_H

#include "boards/peer.h"
#include "goldwire/format.h"
#include "harness/board.h"
#include "replay/recorded.h"

#define GW_TRACE_MAX_BYTES (64u << 20)
#define GW_TRACE_MAX_STEPS (1u << 20)
#define GW_TRACE_MAX_LINES 4096u
#define GW_TRACE_MAX_LABELS 4096u
#define GW_TRACE_LABEL 96
#define GW_TRACE_NONE UINT32_MAX
#define GW_TRACE_MAX_PLACES 8

/* gw_trace_line is one conversation: a port of ours and a port of the board's, or a connection. */
typedef struct gw_trace_line {
    const gw_format *format;
    const gw_dialect *dialect;
    gw_endpoint ends[2]; /* ours, the board's */
    uint32_t stream;     /* number of the TCP connection in the trace */
    uint32_t last;       /* its last step */
    uint32_t first;      /* its first message that is awaited, or GW_TRACE_NONE */
    uint32_t call;       /* of a board that calls us: which call it was */
    uint64_t frame;      /* of its first message */
    uint8_t link;        /* of the board */
    bool is_stream;
    bool readable; /* a message on it is what the format knows */
    bool foreign;  /* somebody else's talk, which is left out */
    bool turned;   /* ends[0] was the board until that was known */
} gw_trace_line;

/* gw_trace_step is one message of the trace. */
typedef struct gw_trace_step {
    size_t at;            /* of its bytes */
    uint64_t frame;       /* that completed it */
    uint64_t first_frame; /* that began it */
    int64_t time_ns;
    uint32_t len;
    uint32_t cap_len; /* less than |len|: the capture cut it */
    uint32_t line;
    uint32_t answers; /* the step that it answers, or GW_TRACE_NONE */
    uint32_t next;    /* the line's next message that is awaited, or GW_TRACE_NONE */
    uint32_t label;   /* what the trace calls this part of it, or GW_TRACE_NONE */
    uint32_t part_arg;
    const char *kind; /* of transaction */
    uint8_t part;
    bool ours;        /* we send it; otherwise it is awaited */
    bool asks;        /* as gw_transaction tells, of ours */
    bool changes;     /* may not be sent twice */
    bool unsolicited; /* of the board's: not awaited */
    bool stoppable;   /* not sent to a port that says stop */
    bool opens;       /* begins a conversation */
    bool left_out;    /* is not sent, and not awaited */
    bool interrupted; /* of ours: in its middle another, over another line, changed the board */
    bool related;     /* some later step of ours answers it */
    bool damaged;     /* an InfiniBand packet whose ICRC was wrong, */
    uint32_t flaw;    /* by these bits */
} gw_trace_step;

typedef struct gw_trace {
    char path[256];
    gw_recorded recorded;          /* the board that it is of */
    uint32_t num_left_out;         /* parts that the board of now cannot be sent */
    char left_out[GW_TRACE_LABEL]; /* the first of them, and ... */
    char left_out_why[200];
    gw_trace_line *lines;
    uint32_t num_lines;
    gw_trace_step *steps;
    uint32_t num_steps;
    uint32_t num_ours;
    uint32_t num_theirs; /* that are awaited */
    uint8_t *bytes;
    size_t num_bytes;
    size_t cap_bytes;
    uint32_t cap_steps;
    char (*labels)[GW_TRACE_LABEL];
    uint32_t num_labels;
} gw_trace;

/* gw_trace_port returns the end that stands for the captured port of interface |number| of a link
 * capture, the board's; with |partner| the other one. Neither has an address. */
gw_endpoint gw_trace_port(uint32_t number, bool partner);

/* gw_trace_is_port says whether |end| is such an end. */
bool gw_trace_is_port(const gw_endpoint *end);

/* gw_trace_place says where in the trace a link of the board is. */
typedef struct gw_trace_place {
    unsigned link;
    gw_endpoint end; /* port 0: any */
} gw_trace_place;

/* gw_trace_wish is what the caller knows of a trace. */
typedef struct gw_trace_wish {
    const gw_board *role;      /* what the board is */
    const gw_dialect *dialect; /* of the role's format; NULL: strict */
    const gw_format *proto;    /* of what is on unknown ports in the trace; NULL: the role's */
    gw_endpoint board;         /* in the trace; family GW_FAMILY_NONE: to be found out */
    gw_trace_place places[GW_TRACE_MAX_PLACES];
    size_t num_places;
} gw_trace_wish;

/* gw_trace_proto finds the format called |name|, for gw_trace_wish.proto. False with a text in
 * |why|.
 */
GW_MUST_USE bool gw_trace_proto(const gw_format **out, const char *name, char *why, size_t why_cap);

/* gw_trace_load reads the capture |path|. NULL, with a text in |why| that says what to do, when it
 * cannot be replayed: nothing of the role's format in it, nothing of ours, bytes missing in what we
 * would send, or ends and links that cannot be told apart. */
gw_trace *gw_trace_load(const char *path, const gw_trace_wish *wish, char *why, size_t why_cap);

/* gw_trace_free frees |trace|; NULL is allowed. */
void gw_trace_free(gw_trace *trace);

/* gw_trace_message returns step |step| as a message; of an InfiniBand packet, whatever carried it,
 * BTH to before the ICRC. It borrows the trace's bytes. */
gw_message gw_trace_message(const gw_trace *trace, uint32_t step);

/* gw_trace_label returns what the trace calls the part that |step| is of, or "". */
const char *gw_trace_label(const gw_trace *trace, uint32_t step);

/* gw_trace_links returns how many of the board's links the trace speaks over. */
unsigned gw_trace_links(const gw_trace *trace);

/* gw_trace_may_send says whether |m| on |line|, of ours, may be sent, as gw_trace_may has it; |why|
 * goes on behind what is sent. */
GW_MUST_USE bool gw_trace_may_send(const gw_trace_line *line, const gw_message *m,
                                   const gw_board *role, const gw_board_file *board, char *why,
                                   size_t why_cap);

/* gw_trace_fit finds out whether all that |trace| touches is on |board|, which may have its areas
 * elsewhere than the recorded one. Parts that have no room for an address of now are left out and
 * counted in |num_left_out|, and so are parts that are not whole. With |any|, missing areas are
 * taken to be where they were. False with a text in |why| when an area is missing or too small, or
 * nothing is left. */
GW_MUST_USE bool gw_trace_fit(gw_trace *trace, const gw_board *role, const gw_board_file *board,
                              bool any, char *why, size_t why_cap);

/* gw_trace_whole says whether nothing of ours changed the board over one link while a message to it
 * over another was under way: a replay sends a message whole. Otherwise |why| names its frame.
 * gw_trace_fit leaves such parts out. */
GW_MUST_USE bool gw_trace_whole(const gw_trace *trace, char *why, size_t why_cap);

/* gw_trace_help is what there is to do about what may not be sent, behind the reason. */
extern const char gw_trace_help[];

/* gw_trace_may says whether what we would send stays inside the areas of |board| that may be
 * written; of a board that declares none, whether we would only read. Otherwise |why| names the
 * frame and the addresses. Frames of IMS are looked at when they are sent: by then the buffer has
 * named its memory. */
GW_MUST_USE bool gw_trace_may(const gw_trace *trace, const gw_board *role,
                              const gw_board_file *board, char *why, size_t why_cap);

#endif
