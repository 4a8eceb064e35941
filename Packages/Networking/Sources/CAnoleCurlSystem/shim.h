// SPDX-License-Identifier: Apache-2.0
#ifndef ANOLE_CURL_SYSTEM_SHIM_H
#define ANOLE_CURL_SYSTEM_SHIM_H

#if !defined(__APPLE__)
#include <curl/curl.h>
#endif

#endif
