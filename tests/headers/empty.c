/* SPDX-License-Identifier: MIT */
typedef int not_quite_empty; /* which ISO C forbids a translation unit to be */
