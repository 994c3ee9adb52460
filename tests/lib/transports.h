/* SPDX-License-Identifier: MIT */
/* What every transport of ranks must do, whatever it is made of. */
#ifndef DUNLIN_TESTS_TRANSPORTS_H
#define DUNLIN_TESTS_TRANSPORTS_H

#include <dunlin/cluster.h>

/*
 * Checks all functions of the transport against plain computation, many times and in an order that lets ranks be early and
 * late. All ranks call it. A rank that finds a fault fails by cmocka, which ends the process unless the rank runs a cmocka test
 * itself.
 */
void check_transport(const dunlin_transport *transport);

#endif
