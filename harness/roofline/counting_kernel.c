/* SPDX-License-Identifier: MIT */
/* A kernel that counts its operations: the kernel's own source over counted operations. Gives the same bits, slowly. */
#include "kernels/wide.h"

#include "count_operations.h"

#include "kernels/kernel.c"
