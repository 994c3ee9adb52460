# SPDX-License-Identifier: MIT
include(CMakeFindDependencyMacro)
find_dependency(dunlin CONFIG)
include("${CMAKE_CURRENT_LIST_DIR}/herd-targets.cmake")
