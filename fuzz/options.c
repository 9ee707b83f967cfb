/* SPDX-License-Identifier: BSD-2-Clause */
/* Defaults for the sanitizers in every fuzz target: the environment still wins. A small quarantine
 * keeps memory and cache misses down; a use after free of these short runs is still inside it. What
 * is said of a large block is written over, for mapping it afresh costs a page fault each 4 KiB.
 * Of who allocated and freed a block the last frames are noted: ASAN_OPTIONS=malloc_context_size=30
 * tells all of them of a find. */

const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

const char *__asan_default_options(void)
{
    return "quarantine_size_mb=1:clear_shadow_mmap_threshold=1000000000:"
           "detect_stack_use_after_return=0:malloc_context_size=4:abort_on_error=1";
}

const char *__ubsan_default_options(void)
{
    return "print_stacktrace=1:abort_on_error=1";
}
