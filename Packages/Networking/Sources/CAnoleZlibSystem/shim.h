// SPDX-License-Identifier: Apache-2.0
#ifndef ANOLE_ZLIB_SYSTEM_SHIM_H
#define ANOLE_ZLIB_SYSTEM_SHIM_H

#include <zlib.h>

#endif
