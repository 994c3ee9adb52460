/* SPDX-License-Identifier: MIT */
#ifndef DUNLIN_HARNESS_PICTURE_WIDE_H
#define DUNLIN_HARNESS_PICTURE_WIDE_H

/*
 * A loop that compilers turn into vectors: it is compiled for wider ones, too, and the program takes those that the machine
 * has. Each operation is rounded as ever, so no bit of a result changes. Functions chosen so run before a sanitizer is ready.
 */
#if defined(__x86_64__) && defined(__ELF__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define PICTURE_WIDE
#endif
#endif
#ifndef PICTURE_WIDE
#define PICTURE_WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#endif
#else
#define PICTURE_WIDE
#endif

#endif
