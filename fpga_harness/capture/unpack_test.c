/* SPDX-License-Identifier: BSD-2-Clause */
/* Compressed captures: whole, cut, broken, swollen, in pieces and packed twice. */
#include "testing.h"

#include <inttypes.h>
#include <stdlib.h>

#ifdef GW_HAVE_GZIP
#include <zlib.h>
#endif
#ifdef GW_HAVE_LZ4
#include <lz4frame.h>
#endif
#ifdef GW_HAVE_ZSTD
#include <zstd.h>
#endif

#define FRAMES 1000
#define FRAME_BYTES 60
#define RECORD ((size_t)16 + FRAME_BYTES)

typedef struct bytes {
    uint8_t *data;
    size_t len;
    size_t cap;
} bytes;

static bytes room(size_t cap)
{
    bytes b = {.data = malloc(cap), .cap = cap};

    assert_non_null(b.data);
    return b;
}

static void append(bytes *b, const void *data, size_t len)
{
    assert_true(b->cap - b->len >= len);
    memcpy(b->data + b->len, data, len);
    b->len += len;
}

static void append_le(bytes *b, uint32_t value, size_t len)
{
    uint8_t out[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                      (uint8_t)(value >> 24)};

    append(b, out, len);
}

static void append_pcap_header(bytes *b)
{
    append_le(b, 0xa1b2c3d4, 4);
    append_le(b, 0x00040002, 4);
    append_le(b, 0, 4);
    append_le(b, 0, 4);
    append_le(b, 65535, 4);
    append_le(b, 1, 4);
}

/* A pcap file of FRAMES frames, whose bytes are hard to guess. */
static bytes pcap_file(void)
{
    bytes b = room(24 + FRAMES * RECORD);
    uint32_t x = 1;

    append_pcap_header(&b);
    for (unsigned i = 0; i < FRAMES; i++) {
        append_le(&b, i, 4);
        append_le(&b, 0, 4);
        append_le(&b, FRAME_BYTES, 4);
        append_le(&b, FRAME_BYTES, 4);
        for (unsigned k = 0; k < FRAME_BYTES; k++) {
            x = x * 1103515245 + 12345;
            append_le(&b, x >> 16, 1);
        }
    }
    return b;
}

#ifdef GW_HAVE_GZIP
static bytes pack_gzip(bytes in)
{
    bytes out = room(in.len + in.len / 100 + 1000);
    z_stream z = {.next_in = in.data, .avail_in = (uInt)in.len};

    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_out = out.data;
    z.avail_out = (uInt)out.cap;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    out.len = out.cap - z.avail_out;
    assert_int_equal(deflateEnd(&z), Z_OK);
    return out;
}
#endif

#ifdef GW_HAVE_ZSTD
static bytes pack_zstd(bytes in)
{
    bytes out = room(ZSTD_compressBound(in.len) + 16);
    ZSTD_CCtx *z = ZSTD_createCCtx();

    assert_non_null(z);
    assert_false(ZSTD_isError(ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1)));
    out.len = ZSTD_compress2(z, out.data, out.cap, in.data, in.len);
    assert_false(ZSTD_isError(out.len));
    (void)ZSTD_freeCCtx(z);
    return out;
}
#endif

#ifdef GW_HAVE_LZ4
static bytes pack_lz4(bytes in)
{
    const LZ4F_preferences_t wish = {
        .frameInfo = {.contentChecksumFlag = LZ4F_contentChecksumEnabled}};
    bytes out = room(LZ4F_compressFrameBound(in.len, &wish));

    out.len = LZ4F_compressFrame(out.data, out.cap, in.data, in.len, &wish);
    assert_false(LZ4F_isError(out.len));
    return out;
}
#endif

static const struct packer {
    const char *name;
    bytes (*pack)(bytes in);
} packers[] = {
#ifdef GW_HAVE_GZIP
    {"gzip", pack_gzip},
#endif
#ifdef GW_HAVE_ZSTD
    {"zstd", pack_zstd},
#endif
#ifdef GW_HAVE_LZ4
    {"lz4", pack_lz4},
#endif
    {NULL, NULL},
};

/* Reads all frames of |b|. Returns how many, |*status| how they ended. */
static unsigned read_all(test_reader *r, bytes b, gw_capture_status *status)
{
    test_open(r, b.data, b.len);
    if (r->capture == NULL)
        fail_msg("%s", r->why);
    return test_count(r, status);
}

static void whole_files(void **state)
{
    bytes plain = pcap_file();

    (void)state;
    for (const struct packer *p = packers; p->name != NULL; p++) {
        bytes packed = p->pack(plain);
        test_reader r;
        gw_frame frame;
        test_open(&r, packed.data, packed.len);
        assert_non_null(r.capture);
        for (unsigned i = 0; i < FRAMES; i++) {
            assert_int_equal(gw_capture_next(r.capture, &frame), GW_CAPTURE_FRAME);
            assert_int_equal(frame.cap_len, FRAME_BYTES);
            assert_memory_equal(frame.data, plain.data + 24 + i * RECORD + 16, FRAME_BYTES);
        }
        test_end(&r);
        test_close(&r);
        free(packed.data);
    }
    free(plain.data);
}

/* What was packed in pieces, as by several threads or one after the other, is one file. */
static void files_in_pieces(void **state)
{
    bytes plain = pcap_file();
    bytes halves[2] = {{.data = plain.data, .len = plain.len / 2},
                       {.data = plain.data + plain.len / 2, .len = plain.len - plain.len / 2}};

    (void)state;
    for (const struct packer *p = packers; p->name != NULL; p++) {
        bytes packed[2] = {p->pack(halves[0]), p->pack(halves[1])};
        bytes both = room(packed[0].len + packed[1].len);
        test_reader r;
        gw_capture_status status;
        append(&both, packed[0].data, packed[0].len);
        append(&both, packed[1].data, packed[1].len);
        assert_int_equal(read_all(&r, both, &status), FRAMES);
        assert_int_equal(status, GW_CAPTURE_END);
        test_close(&r);
        free(packed[0].data);
        free(packed[1].data);
        free(both.data);
    }
    free(plain.data);
}

static void expect_error(const test_reader *r, const char *name, const char *text)
{
    char wanted[64];
    const char *said = r->capture != NULL ? gw_capture_error(r->capture) : r->why;

    (void)snprintf(wanted, sizeof(wanted), ": %s data is %s", name, text);
    if (strstr(said, "byte ") == NULL || strstr(said, wanted) == NULL)
        fail_msg("'%s' does not say 'byte N%s'", said, wanted);
}

/* A file that was cut gives the frames before the cut, and says at which of its bytes it ends. */
static void cut_files(void **state)
{
    bytes plain = pcap_file();

    (void)state;
    for (const struct packer *p = packers; p->name != NULL; p++) {
        bytes packed = p->pack(plain);
        unsigned most = 0;
        for (size_t cut = 4; cut < packed.len;
             cut += cut < 32 || cut + 333 > packed.len ? 1 : 333) {
            test_reader r;
            test_open(&r, packed.data, cut);
            if (r.capture != NULL) {
                gw_capture_status status;
                unsigned n = test_count(&r, &status);
                assert_true(n >= most && n <= FRAMES);
                most = n;
                assert_int_equal(status, GW_CAPTURE_BROKEN);
            }
            expect_error(&r, p->name, "cut or damaged: its end is missing");
            char at[32];
            (void)snprintf(at, sizeof(at), "byte %zu:", cut);
            assert_non_null(strstr(r.capture != NULL ? gw_capture_error(r.capture) : r.why, at));
            test_close(&r);
        }
        if (most <= FRAMES / 2)
            fail_msg("%s: only %u frames before a cut", p->name, most);
        free(packed.data);
    }
    free(plain.data);
}

/* The error of |r| that blames the bytes of a file packed by |name|, after |n| frames. False where
 * the damage made its end unknown. */
static bool blames_packing(const test_reader *r, const char *name, unsigned n)
{
    const char *said = r->capture != NULL ? gw_capture_error(r->capture) : r->why;
    char last[48] = "";

    if (r->capture != NULL && n > 0)
        (void)snprintf(last, sizeof(last), "; the last frame before it is %u", n);
    else if (r->capture != NULL)
        (void)snprintf(last, sizeof(last), "; no frame comes before it");
    assert_string_equal(said + strlen(said) - strlen(last), last);
    if (strstr(said, " data is cut or damaged: ") != NULL)
        return false;
    expect_error(r, name, "broken: ");
    assert_null(strstr(said, "ERROR_"));
    assert_non_null(strstr(said, "; what came of it before may be wrong too"));
    return true;
}

/* A byte that changed on the way is noticed, by the check sum at the latest, and blamed: not the
 * record that does not hold since. */
static void broken_files(void **state)
{
    bytes plain = pcap_file();

    (void)state;
    for (const struct packer *p = packers; p->name != NULL; p++) {
        bytes packed = p->pack(plain);
        unsigned early = 0, blamed = 0;
        for (size_t at = 128; at < packed.len; at += 97) {
            test_reader r;
            gw_capture_status status = GW_CAPTURE_BROKEN;
            packed.data[at] ^= 0xff;
            test_open(&r, packed.data, packed.len);
            const unsigned n = r.capture != NULL ? test_count(&r, &status) : 0;
            assert_int_equal(status, GW_CAPTURE_BROKEN);
            early += n > 0 && n < FRAMES;
            blamed += blames_packing(&r, p->name, n);
            test_close(&r);
            packed.data[at] ^= 0xff;
        }
        if (early == 0 || blamed < 100)
            fail_msg("%s: ended early %u times, blamed %u times", p->name, early, blamed);
        free(packed.data);
    }
    free(plain.data);
}

/* What stands behind a whole piece is one as well, or an error. */
static void trailing_bytes(void **state)
{
    bytes plain = pcap_file();

    (void)state;
    for (const struct packer *p = packers; p->name != NULL; p++) {
        bytes packed = p->pack(plain);
        bytes more = room(packed.len + 16);
        test_reader r;
        gw_capture_status status;
        append(&more, packed.data, packed.len);
        append(&more, "not a magic word", 16);
        assert_int_equal(read_all(&r, more, &status), FRAMES);
        assert_int_equal(status, GW_CAPTURE_BROKEN);
        expect_error(&r, p->name, "broken: ");
        test_close(&r);
        free(packed.data);
        free(more.data);
    }
    free(plain.data);
}

static void what_unpacks_to_no_capture(void **state)
{
    bytes plain = {.data = (uint8_t *)"this is no capture", .len = 18};
    bytes empty = {.data = (uint8_t *)"", .len = 0};

    (void)state;
    for (const struct packer *p = packers; p->name != NULL; p++) {
        test_reader r;
        bytes packed = p->pack(plain);
        test_open(&r, packed.data, packed.len);
        assert_null(r.capture);
        assert_non_null(strstr(r.why, "first bytes of what it unpacks to 7468697320697320, not"));
        test_close(&r);
        bytes twice = p->pack(packed);
        test_open(&r, twice.data, twice.len);
        assert_null(r.capture);
        assert_non_null(strstr(r.why, "what it unpacks to is compressed with "));
        assert_non_null(strstr(r.why, ", once more; "));
        test_close(&r);
        free(packed.data);
        free(twice.data);
        packed = p->pack(empty);
        test_open(&r, packed.data, packed.len);
        assert_null(r.capture);
        assert_non_null(strstr(r.why, "what it unpacks to is empty"));
        test_close(&r);
        free(packed.data);
    }
}

/* Where a capture does not hold, the byte is one of the capture. */
static void offsets_are_of_what_it_unpacks_to(void **state)
{
    bytes plain = pcap_file();

    (void)state;
    memset(plain.data + 24 + 5 * RECORD + 8, 0xff, 4);
    for (const struct packer *p = packers; p->name != NULL; p++) {
        bytes packed = p->pack(plain);
        test_reader r;
        gw_capture_status status;
        assert_int_equal(read_all(&r, packed, &status), 5);
        assert_int_equal(status, GW_CAPTURE_BROKEN);
        assert_ptr_equal(strstr(gw_capture_error(r.capture), "byte 404 of what it unpacks to: "),
                         gw_capture_error(r.capture));
        test_close(&r);
        free(packed.data);
    }
    free(plain.data);
}

#ifdef GW_HAVE_ZSTD
/* A frame that promises nothing, with |blocks| blocks of which each repeats one byte 128 Ki times.
 */
static bytes swollen(bytes start, unsigned blocks)
{
    static const uint8_t head[] = {0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38}; /* window: 128 KiB */
    const uint32_t repeat = 128 * 1024;
    bytes b = room(sizeof(head) + 3 + start.len + (size_t)blocks * 4);

    append(&b, head, sizeof(head));
    append_le(&b, (uint32_t)start.len << 3, 3); /* as it is */
    append(&b, start.data, start.len);
    for (unsigned i = 0; i < blocks; i++) {
        append_le(&b, repeat << 3 | 1 << 1 | (i + 1 == blocks), 3);
        append_le(&b, 0, 1);
    }
    return b;
}

/* A small file that would be read for hours is refused. */
static void bombs(void **state)
{
    bytes header = room(24);
    test_reader r;
    gw_capture_status status;

    (void)state;
    append_pcap_header(&header);
    bytes small = swollen(header, 8); /* 1 MiB: whoever reads that has no harm */
    assert_int_equal(read_all(&r, small, &status), 8 * 128 * 1024 / 16);
    assert_int_equal(status, GW_CAPTURE_END);
    test_close(&r);
    bytes bomb = swollen(header, 1024);
    assert_uint_in_range(read_all(&r, bomb, &status), 1, 5 << 20);
    assert_int_equal(status, GW_CAPTURE_BROKEN);
    assert_non_null(strstr(gw_capture_error(r.capture), ": zstd data grows more than 10000 times"));
    test_close(&r);
    free(small.data);
    free(bomb.data);
    free(header.data);
}

/* A frame may ask for a window of terabytes. */
static void windows_are_bounded(void **state)
{
    static const uint8_t wants[] = {0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xf8, 0x01, 0, 0};
    test_reader r;

    (void)state;
    test_open(&r, wants, sizeof(wants));
    assert_null(r.capture);
    expect_error(&r, "zstd", "broken: ");
    test_close(&r);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_files),
        cmocka_unit_test(files_in_pieces),
        cmocka_unit_test(cut_files),
        cmocka_unit_test(broken_files),
        cmocka_unit_test(trailing_bytes),
        cmocka_unit_test(what_unpacks_to_no_capture),
        cmocka_unit_test(offsets_are_of_what_it_unpacks_to),
#ifdef GW_HAVE_ZSTD
        cmocka_unit_test(bombs),
        cmocka_unit_test(windows_are_bounded),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
