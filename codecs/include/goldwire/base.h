/* SPDX-License-Identifier: BSD-2-Clause */
/* What every goldwire header needs: attributes and the one way to count an array. */
#ifndef GOLDWIRE_BASE_H
#define GOLDWIRE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define GW_BEGIN_DECLS extern "C" {
#define GW_END_DECLS }
#else
#define GW_BEGIN_DECLS
#define GW_END_DECLS
#endif

/* Frama-C takes an attribute of a function for one of what it returns, and loses sight of that. */
#if defined(__GNUC__) && !defined(__FRAMAC__)
#define GW_API __attribute__((visibility("default")))
#define GW_MUST_USE __attribute__((warn_unused_result))
#define GW_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define GW_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define GW_COMPILER_KNOWS(x) __builtin_constant_p(x)
#else
#define GW_API
#define GW_MUST_USE
#define GW_PRINTF(fmt, args)
#define GW_UNLIKELY(x) (x)
#define GW_COMPILER_KNOWS(x) false
#endif

/* A fuzzer looks for new paths in the codecs, not in what watches them. */
#if defined(__clang__)
#define GW_WATCHER __attribute__((no_sanitize("coverage")))
#else
#define GW_WATCHER
#endif

#define GW_ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

#endif
