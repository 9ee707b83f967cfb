/* SPDX-License-Identifier: BSD-2-Clause */
/* What replaying a format asks for beyond what its tables say: one row a format. What is left out
 * is not called for. */
#ifndef REPLAY_FORMAT_H
#define REPLAY_FORMAT_H

#include "replay/compare/access.h"
#include "replay/remember.h"
#include "replay/trace_link.h"

/* gw_replay_ring is the memory that a board named last, in the trace. */
typedef struct gw_replay_ring {
    uint64_t base;
    bool known;
} gw_replay_ring;

/* gw_reach_fn takes an address that a message touches, |bytes| from there on, and of how many bits
 * it may be. */
typedef void (*gw_reach_fn)(void *ctx, const char *does, uint64_t address, unsigned bytes,
                            unsigned bits);

/* gw_replay_format is what one format's messages, and the boards that speak it, ask for. */
typedef struct gw_replay_format {
    const gw_format *format;
    bool one_side_asks;   /* and the other answers: that tells the board from us */
    bool answers_alone;   /* ... and answers follow from their requests, whatever else was said */
    bool answers_are_own; /* who answers has made the answer, and does not pass it on */
    const char *const *always; /* rules that whoever asks keeps whatever was answered, each seen in
                                  a datagram by itself, NULL at the end; NULL: none */
    bool against_time;         /* boards do things when their time has come, whatever has arrived */
    bool registers_apart;      /* a board's registers lie in none of its areas */

    /* ---- loading a trace ---- */

    /* carry makes of a unit captured on a link, |message|, what a transport carries; otherwise it
     * returns why there is no such thing. |sequence| numbers what the board sends. */
    const char *(*carry)(gw_carried *out, const gw_message *message, uint16_t sequence);
    /* asked_by returns which of the requests in the frame of step |request| step |answer| answers.
     */
    uint32_t (*asked_by)(const gw_trace *trace, uint32_t request, uint32_t answer);
    /* may_answer says whether |answer|, which repeats nothing of any request, may be the answer to
     * |request|; NULL: whatever answers repeats something. */
    bool (*may_answer)(const gw_message *request, const gw_message *answer,
                       const gw_dialect *dialect);
    /* reach reports to |fn| the addresses that have to be there. */
    void (*reach)(const gw_message *message, const gw_dialect *dialect, gw_reach_fn fn, void *ctx);
    /* in_named_memory says of a board that names its memory in the trace whether |message| stays
     * inside; otherwise |why| goes on behind the message's name. */
    bool (*in_named_memory)(gw_replay_ring *ring, bool ours, const gw_trace_line *line,
                            const gw_message *message, const gw_board_file *board, char *why,
                            size_t why_cap);

    /* ---- of boards that speak it ---- */

    /* apart says whether boards of |dialect| take what comes together over a stream for one
     * message, so that what was sent apart has to be sent apart. */
    bool (*apart)(const gw_dialect *dialect);
    /* begin is called before the first step. */
    void (*begin)(gw_replay *r);
    /* prepare is gw_player_prepare. */
    void (*prepare)(gw_replay *r, uint32_t step);
    /* settle waits, before the next step and with nothing awaited, for what a step has set off that
     * takes its time. */
    void (*settle)(gw_replay *r);
    /* note_register notes that the trace writes |value| to the register at |offset| of the map. */
    void (*note_register)(gw_replay *r, uint32_t step, uint32_t offset, uint64_t value);
    /* register_kind returns what the register at |offset| is; NULL: all tell the board's state. */
    gw_spot_kind (*register_kind)(uint32_t offset);
    /* register_counts says whether it counts from run to run. */
    bool (*register_counts)(uint32_t offset);
    /* is_of_this_part says of a queue whose register |spot| is whether |address|, which was taken
     * out of it in the trace, went in with the judged step's part; for registers of GW_SPOT_TAKEN.
     */
    bool (*is_of_this_part)(const gw_replay *r, const gw_spot *spot, uint64_t address);
    /* compare_flags compares what a register of GW_SPOT_FLAGS says of queues, and note_flags notes
     * what it said in the trace. */
    gw_counts_how (*compare_flags)(const gw_replay *r, const gw_spot *spot, const gw_leaf *want,
                                   const gw_leaf *have, uint64_t *expected);
    void (*note_flags)(gw_replay *r, const gw_spot *spot, const gw_leaf *want);
    /* move_register is moved, of a value that is written to register |a|. */
    bool (*move_register)(const gw_replay *r, const gw_access_one *a, uint64_t *value);
    /* introduces says of a board that has a number whether |message| tells it. */
    bool (*introduces)(const gw_message *message, const gw_dialect *dialect);

    /* begins_anew says whether |message|, ours, has the link begin anew, nobody halted. */
    bool (*begins_anew)(const gw_message *message);
    /* number puts into a datagram of ours which of its connection's it is, counted from 0. */
    void (*number)(uint32_t count, uint8_t *data, size_t len);

    /* ---- messages, the judged step's ---- */

    /* note_write notes what our message writes, |then| in the trace and |now|. */
    void (*note_write)(gw_replay *r, uint32_t step, const gw_message *then, const gw_message *now);
    /* rebound is told when |then| is sent as |now|. */
    void (*rebound)(gw_replay *r, const gw_dialect *dialect, const gw_message *then,
                    const gw_message *now);
    /* moved is gw_related's, of an address. */
    bool (*moved)(const gw_replay *r, const gw_related *related, const gw_leaf *leaf,
                  uint64_t *value);
    /* own puts into |value| what our end, the replay's adapter, has chosen itself, if |leaf| names
     * it. */
    bool (*own)(const gw_replay *r, const gw_related *related, const gw_leaf *leaf,
                uint64_t *value);
    /* placed puts into |value| the place that follows from a board's number, if |leaf| is one. */
    bool (*placed)(const gw_replay *r, const gw_leaf *leaf, uint64_t *value);
    /* spot finds out where |leaf|, data of an answer, was read. */
    gw_spot (*spot)(const gw_replay *r, const gw_related *related, const gw_leaf *leaf);
    /* counter finds out which counter |leaf| is, which may be one (GW_COUNTS_AT_TIMES). */
    bool (*counter)(const gw_replay *r, const gw_related *related, const gw_leaf *leaf,
                    gw_counter *out);
} gw_replay_format;

/* gw_replay_format_of returns the row of |format|; of one that has none, an empty row. */
const gw_replay_format *gw_replay_format_of(const gw_format *format);

/* gw_replay_role returns the row of the format that the board speaks. */
const gw_replay_format *gw_replay_role(const gw_replay *r);

/* gw_replay_line returns the line of the judged step. */
const gw_trace_line *gw_replay_line(const gw_replay *r);

/* gw_replay_judged returns the judged step's message, as it is in the trace. */
gw_message gw_replay_judged(const gw_replay *r);

#define GW_FORMAT(name) extern const gw_replay_format gw_replay_##name;
#include "goldwire/formats.def"

#endif
