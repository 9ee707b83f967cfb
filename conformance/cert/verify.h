/* SPDX-License-Identifier: BSD-2-Clause */
/* Checking a certificate: that nothing in the folder of a run changed since it was written. The
 * folder may be hostile; memory is bounded whatever it holds, files are read a piece at a time. */
#ifndef GOLDWIRE_VERIFY_H
#define GOLDWIRE_VERIFY_H

#include <jansson.h>

#include "cert/digest.h"
#include "cert/keys.h"

typedef enum gw_cert_trouble {
    GW_CERT_CHANGED = 0, /* a file does not hold what it held */
    GW_CERT_GONE,        /* a file is missing, or something else stands in its place */
    GW_CERT_ADDED,       /* a file that the certificate does not know */
    GW_CERT_BROKEN,      /* cert.json is no certificate as goldwire writes it */
    GW_CERT_FOREIGN,     /* not the digest, the signature or the key that it should be */
    GW_CERT_NUM_TROUBLES,
} gw_cert_trouble;

/* gw_cert_trouble_name returns "changed", "missing", "added", "broken" or "foreign". */
const char *gw_cert_trouble_name(gw_cert_trouble trouble);

/* gw_cert_trouble_fn is told of each difference: |path| inside the folder, which may hold any
 * bytes, and what is wrong with it. At most a few hundred times. */
typedef void (*gw_cert_trouble_fn)(void *arg, gw_cert_trouble trouble, const char *path,
                                   const char *text);

/* gw_verification is what was found out. */
typedef struct gw_verification {
    char digest[GW_DIGEST_TEXT]; /* of cert.json */
    json_t *certificate;         /* as read, or NULL; freed by gw_verification_free */
    bool is_signed;              /* names a signer; a wrong signature is a trouble */
    gw_public_key signer;
    size_t num_files; /* that the certificate names */
    uint64_t num_bytes;
    size_t num_troubles;
} gw_verification;

/* gw_cert_verify checks the certificate in the folder |dir|: each file it names, that there is no
 * other, its digest against |digest| and its signer against |key| (NULL: not asked). Differences go
 * to |say|. False, with a text in |why|, when there is no certificate at all to check. */
GW_MUST_USE bool gw_cert_verify(gw_verification *out, const char *dir, const char *digest,
                                const gw_public_key *key, gw_cert_trouble_fn say, void *arg,
                                char *why, size_t why_cap);

/* gw_verification_free frees what it holds. */
void gw_verification_free(gw_verification *verification);

#endif
