/* SPDX-License-Identifier: BSD-2-Clause */
/* Writing of each format, an entry each: any struct, into any room that ends where its object ends,
 * of which nobody has written a byte before. What is handed back has been written, all of it. */
#include "goldwire/etherbone.h"
#include "goldwire/ims.h"
#include "goldwire/l1farm.h"
#include "goldwire/op2p.h"
#include "goldwire/textarossa.h"
#include "proof/proof.h"

enum {
    PAYLOAD =
        36, /* a word of TEXTAROSSA and one of 256 bits are in it, and no whole number of them */
    IMS_PAYLOAD = 5,
    SCI_DATA = 4, /* of an SCI packet */
    UNITS = 3,    /* values and addresses of one record */
};

#define ANY(object) Frama_C_make_unknown((char *)&(object), sizeof(object))

static uint8_t payload[PAYLOAD];
static volatile uint64_t seen;

/* Reads all of |len| bytes, which an alarm tells of when nobody wrote them. */
static void look(const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        seen = bytes[i];
}

/* The last |cap| bytes of |room|, which takes PROOF_BYTES. */
static uint8_t *room_of(uint8_t *room, int cap)
{
    return room + (PROOF_BYTES - cap);
}

/* The last |len| bytes of the payload, any. */
static const uint8_t *any_payload(size_t len)
{
    ANY(payload);
    return payload + (PAYLOAD - len);
}

/* Dialect |n| of |format|, NULL behind the last. */
static const gw_dialect *dialect_at(const gw_format *format, size_t n)
{
    return n < format->num_dialects ? &format->dialects[n] : NULL;
}

/* ---- OP2P ---- */

void proof_build_op2p(void)
{
    uint8_t head[GW_OP2P_HEADER], tunnel[GW_OP2P_SHIM], event[GW_OP2P_SHIM], memory[PAYLOAD];
    size_t len = (size_t)Frama_C_interval(0, PAYLOAD);
    gw_op2p_header h;
    gw_op2p_shim s;

    //@ split len;
    ANY(h);
    ANY(s);
    gw_op2p_put(head, &h);
    look(head, sizeof head);
    gw_op2p_put_tunnel(tunnel, &s);
    look(tunnel, sizeof tunnel);
    gw_op2p_put_event(event, &s);
    look(event, sizeof event);
    gw_op2p_swap(memory + (PAYLOAD - len), any_payload(len), len);
    look(memory + (PAYLOAD - len), len);
    gw_op2p_swap(payload + (PAYLOAD - len), payload + (PAYLOAD - len), len);
}

/* ---- IMS ---- */

static gw_ims_draft any_raw_draft(const uint8_t *data, size_t len)
{
    gw_ims_draft draft;

    ANY(draft);
    draft.bth.solicited = any_bool();
    draft.bth.migrated = any_bool();
    draft.bth.fecn = any_bool();
    draft.bth.becn = any_bool();
    draft.bth.ack_request = any_bool();
    draft.raw = any_bool();
    draft.payload = data;
    draft.payload_len = len;
    return draft;
}

static gw_ims_draft any_draft(int kind, size_t len)
{
    gw_ims_status status;
    gw_ims_ack ack;
    gw_ib_reth reth;
    const uint8_t *data = any_payload(len);

    ANY(status);
    ANY(ack);
    ANY(reth);
    switch (kind) {
    case 0:
        return gw_ims_draft_status(any_u32(), any_u32(), any_u32(), any_u32(), &status);
    case 1:
        return gw_ims_draft_ack(any_u32(), any_u32(), &ack);
    case 2:
        return gw_ims_draft_write(any_u32(), any_u32(), &reth, any_u32(), data, len);
    default:
        return any_raw_draft(data, len);
    }
}

void proof_build_ims(void)
{
    uint8_t room[PROOF_BYTES];
    int cap = Frama_C_interval(0, PROOF_BYTES);
    int len = Frama_C_interval(0, IMS_PAYLOAD);
    int kind = Frama_C_interval(0, 3);
    int n = Frama_C_interval(0, (int)gw_ims.num_dialects);

    //@ split cap;
    //@ split len;
    //@ split kind;
    uint8_t *out = room_of(room, cap);
    gw_ims_draft draft = any_draft(kind, (size_t)len);
    const gw_dialect *dialect = dialect_at(&gw_ims, (size_t)n);

    seen = gw_ims_build(out, (size_t)cap, &draft, dialect);
}

/* Any address of the family that IPv6's is, or of any other: what is summed hangs on that. */
static gw_endpoint any_end(bool v6)
{
    gw_endpoint end;

    ANY(end);
    if (v6)
        end.family = GW_FAMILY_IPV6;
    else
        end.family = any_bool() ? (uint8_t)Frama_C_interval(0, GW_FAMILY_IPV6 - 1)
                                : (uint8_t)Frama_C_interval(GW_FAMILY_IPV6 + 1, UINT8_MAX);
    return end;
}

static void close_ims(int cap, int len, int kind)
{
    static const uint8_t opcodes[] = {
        GW_IB_UD_SEND_ONLY,   GW_IB_UD_SEND_ONLY_IMM, GW_IB_UC_SEND_ONLY,  GW_IB_UC_SEND_ONLY_IMM,
        GW_IB_UC_WRITE_FIRST, GW_IB_UC_WRITE_MIDDLE,  GW_IB_UC_WRITE_LAST, GW_IB_UC_WRITE_LAST_IMM,
        GW_IB_UC_WRITE_ONLY,  GW_IB_UC_WRITE_ONLY_IMM};
    uint8_t room[PROOF_BYTES];
    int n = Frama_C_interval(0, (int)gw_ims.num_dialects);
    int v6 = Frama_C_interval(0, 1);

    //@ split cap;
    //@ split len;
    //@ split kind;
    //@ split v6;
    uint8_t *out = room_of(room, cap);
    gw_ims_draft draft = any_draft(kind, (size_t)len);
    gw_endpoint src = any_end(v6 != 0), dst = any_end(v6 != 0);

    if (kind == 3) {
        int raw = Frama_C_interval(0, 1);
        //@ split raw;
        draft.raw = raw != 0;
        draft.bth.opcode = opcodes[Frama_C_interval(0, (int)GW_ARRAY_LEN(opcodes) - 1)];
    }
    int opcode = draft.bth.opcode;
    //@ split opcode;
    draft.bth.opcode = (uint8_t)opcode;
    look(out, gw_ims_build_datagram(out, (size_t)cap, &draft, dialect_at(&gw_ims, (size_t)n), &src,
                                    &dst));
}

/* Any draft where all of it fits; a payload of 5 bytes in any room. */
void proof_close_ims(void)
{
    if (any_bool())
        close_ims(PROOF_BYTES, Frama_C_interval(0, IMS_PAYLOAD), Frama_C_interval(0, 3));
    else
        close_ims(Frama_C_interval(0, PROOF_BYTES), IMS_PAYLOAD, Frama_C_interval(0, 2));
}

/* ---- TEXTAROSSA ---- */

static void build_textarossa(int cap, int len, const gw_dialect *dialect)
{
    uint8_t room[PROOF_BYTES], run[PROOF_BYTES];
    int bare = Frama_C_interval(0, 1);
    gw_tx_draft draft;

    //@ split cap;
    //@ split len;
    //@ split bare;
    ANY(draft);
    draft.header.packet_type =
        (uint8_t)(bare * GW_TX_TYPE_HEADER_ONLY + Frama_C_interval(0, GW_TX_TYPE_HEADER_ONLY - 1));
    draft.edac = any_bool();
    draft.payload = any_payload((size_t)len);
    draft.payload_len = (size_t)len;
    look(room_of(room, cap), gw_tx_build(room_of(room, cap), (size_t)cap, &draft, dialect));
    look(room_of(run, cap), gw_tx_build_run(room_of(run, cap), (size_t)cap, &draft, dialect));
}

/* Any payload where all of it fits; a word and a byte of it in any room. */
void proof_build_textarossa(void)
{
    int n = Frama_C_interval(0, (int)gw_textarossa.num_dialects);

    //@ split n;
    const gw_dialect *dialect = dialect_at(&gw_textarossa, (size_t)n);

    if (any_bool())
        build_textarossa(PROOF_BYTES, Frama_C_interval(0, PAYLOAD), dialect);
    else
        build_textarossa(Frama_C_interval(0, PROOF_LEAST), GW_TX_WORD + 1, dialect);
}

/* ---- the farm ---- */

static const gw_l1_profile *any_profile(void)
{
    return gw_l1_profile_of(
        dialect_at(&gw_l1farm, (size_t)Frama_C_interval(0, (int)gw_l1farm.num_dialects)));
}

static gw_l1_sci any_sci(size_t len)
{
    gw_l1_sci sci;

    ANY(sci);
    sci.data = any_payload(len);
    sci.data_len = (uint32_t)len;
    return sci;
}

static void build_packets(void)
{
    uint8_t room[PROOF_BYTES], echo[GW_L1_SCI_ECHO];
    int cap = Frama_C_interval(0, PROOF_BYTES);
    int len = Frama_C_interval(0, SCI_DATA);
    const gw_l1_profile *profile = any_profile();

    //@ split cap;
    //@ split len;
    gw_l1_sci sci = any_sci((size_t)len);
    uint8_t *out = room_of(room, cap);
    look(out, gw_l1_build_send(out, (size_t)cap, &sci, profile));
    gw_l1_build_echo(echo, &sci, any_u16(), any_bool(), any_bool(), profile);
    look(echo, sizeof echo);
}

static void build_data(void)
{
    uint8_t words[UNITS * 8], descriptor[GW_L1_DESCRIPTOR];
    size_t num = (size_t)Frama_C_interval(0, UNITS);
    int order = Frama_C_interval(0, GW_L1_PROSE);
    gw_l1_descriptor d;
    gw_l1_profile profile;

    //@ split num;
    //@ split order;
    ANY(d);
    ANY(profile);
    profile.order = (uint8_t)order;
    uint8_t *out = words + (UNITS - num) * 8;
    gw_l1_put_words(out, any_u16(), any_u16(), num);
    look(out, num * 8);
    gw_l1_put_descriptor(descriptor, &d, &profile);
    look(descriptor, sizeof descriptor);
}

void proof_build_l1farm(void)
{
    uint8_t shim[GW_L1_SHIM], result[GW_L1_RESULT];
    gw_l1_shim s;
    gw_l1_result r;

    ANY(s);
    ANY(r);
    s.little = any_bool();
    gw_l1_put_shim(shim, &s);
    look(shim, sizeof shim);
    gw_l1_put_result(result, &r);
    look(result, sizeof result);
    build_packets();
    build_data();
}

/* ---- EtherBone ---- */

static void build_packet(int cap, int writes, int reads, const gw_dialect *dialect)
{
    uint8_t room[PROOF_BYTES];
    uint64_t values[UNITS], addresses[UNITS];
    uint8_t widths = any_u8();
    int whole = Frama_C_interval(0, 1); /* with a header, or records alone */
    gw_eb_operation op;
    gw_eb_builder b;

    //@ split cap;
    //@ split writes;
    //@ split reads;
    //@ split whole;
    uint8_t *out = room_of(room, cap);

    ANY(values);
    ANY(addresses);
    ANY(op);
    op.num_writes = (uint8_t)writes;
    op.num_reads = (uint8_t)reads;
    op.writes = values + (UNITS - writes);
    op.reads = addresses + (UNITS - reads);
    if (whole != 0) {
        if (!gw_eb_build_packet(&b, out, (size_t)cap, widths, dialect))
            return;
    } else if (!gw_eb_build_records(&b, out, (size_t)cap, widths, dialect)) {
        return;
    }
    for (int i = 0; i < 2; i++)
        seen = gw_eb_build_record(&b, &op);
    seen = gw_eb_build_end(&b, any_bool());
}

void proof_build_etherbone(void)
{
    uint8_t probe[8], any_probe[GW_EB_PROBE_MAX];
    int n = Frama_C_interval(0, (int)gw_etherbone.num_dialects);
    const gw_dialect *dialect = dialect_at(&gw_etherbone, (size_t)n);

    gw_eb_build_probe(probe, any_bool(), any_u8(), any_u32());
    look(probe, sizeof probe);
    look(any_probe, gw_eb_build_any_probe(any_probe, any_u8(), any_u32(), dialect));
    if (any_bool())
        build_packet(PROOF_BYTES, Frama_C_interval(0, UNITS), Frama_C_interval(0, UNITS), dialect);
    else
        build_packet(Frama_C_interval(0, PROOF_LEAST), 1, 1, dialect);
}
