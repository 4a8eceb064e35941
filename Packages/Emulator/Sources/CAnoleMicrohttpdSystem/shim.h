// SPDX-License-Identifier: Apache-2.0
#ifndef ANOLE_MICROHTTPD_SYSTEM_SHIM_H
#define ANOLE_MICROHTTPD_SYSTEM_SHIM_H

#include <microhttpd.h>

#endif
