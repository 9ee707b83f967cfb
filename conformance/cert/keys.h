/* SPDX-License-Identifier: BSD-2-Clause */
/* Ed25519 keys and signatures in the files of minisign, so that its users need nothing new and a
 * certificate can be checked without goldwire: `minisign -Vm cert.json -p lab.pub`. */
#ifndef GOLDWIRE_KEYS_H
#define GOLDWIRE_KEYS_H

#include "goldwire/base.h"

#define GW_KEY_TEXT 64    /* a public key as base64, with the terminator: 56 characters */
#define GW_KEY_ID_TEXT 17 /* 16 digits, as minisign prints them */
#define GW_SIGNATURE_TEXT 1024

/* gw_public_key is whom a signature is from. */
typedef struct gw_public_key {
    uint8_t id[8];
    uint8_t bytes[32];
} gw_public_key;

/* gw_secret_key signs. It is wiped with gw_secret_key_wipe. */
typedef struct gw_secret_key {
    gw_public_key open;
    uint8_t bytes[64];
} gw_secret_key;

/* gw_secret_key_load reads a minisign secret key without a password. False with a text in |why|:
 * also when others may read the file, or when it needs a password, for which goldwire never asks.
 */
GW_MUST_USE bool gw_secret_key_load(gw_secret_key *out, const char *path, char *why,
                                    size_t why_cap);

/* gw_secret_key_wipe forgets the key. */
void gw_secret_key_wipe(gw_secret_key *key);

/* gw_keys_make makes a new pair and writes |name|.key, which only its owner may read, and
 * |name|.pub. Existing files are left alone. False with a text in |why|. */
GW_MUST_USE bool gw_keys_make(gw_public_key *out, const char *name, char *why, size_t why_cap);

/* gw_public_key_load reads a minisign public key: |text| is a file, or the 56 characters
 * themselves. */
GW_MUST_USE bool gw_public_key_load(gw_public_key *out, const char *text, char *why,
                                    size_t why_cap);

/* gw_public_key_text writes |key| as base64. */
void gw_public_key_text(const gw_public_key *key, char out[GW_KEY_TEXT]);

/* gw_public_key_parse reads what gw_public_key_text writes. False when it is none. */
GW_MUST_USE bool gw_public_key_parse(gw_public_key *out, const char *text);

/* gw_public_key_id writes the key's number as minisign shows it. */
void gw_public_key_id(const gw_public_key *key, char out[GW_KEY_ID_TEXT]);

/* gw_sign writes the signature file for |len| bytes at |data|; |comment|, one line, is signed with
 * it. */
void gw_sign(const gw_secret_key *key, const void *data, size_t len, const char *comment,
             char out[GW_SIGNATURE_TEXT]);

/* gw_signature_holds says whether the signature file |text| is |key|'s for |len| bytes at |data|,
 * with |comment|, and nothing else. */
GW_MUST_USE bool gw_signature_holds(const gw_public_key *key, const void *data, size_t len,
                                    const char *comment, const char *text);

#endif
