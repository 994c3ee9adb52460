# SPDX-License-Identifier: MIT
# Toolchain: 64-bit Arm on a Debian of any other architecture, with what cmake/make_aarch64_sysroot.sh has put together. Programs
# run under user-mode emulation, so that ctest works as usual.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu)

set(sysroot "${CMAKE_CURRENT_LIST_DIR}/../build/aarch64-sysroot")
cmake_path(NORMAL_PATH sysroot)
set(CMAKE_FIND_ROOT_PATH "${sysroot}" /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${sysroot}")
set(ENV{PKG_CONFIG_LIBDIR} "${sysroot}/usr/lib/aarch64-linux-gnu/pkgconfig")
