// SPDX-License-Identifier: Apache-2.0
#ifndef ANOLE_CURL_H
#define ANOLE_CURL_H

// What Swift cannot call in libcurl: variadic functions, one function here per argument type, and
// the union in CURLMsg; and pthread_setname_np, which Swift does not see. Nothing else. Apple systems use URLSession, and see an empty module.

#if !defined(__APPLE__)

#include <curl/curl.h>
#include <stdbool.h>

typedef int (*anole_curl_resolver_start_callback)(
    void *resolver_state, void *reserved, void *context);

CURLcode anole_curl_set_long(CURL *easy, CURLoption option, long value);
CURLcode anole_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value);
CURLcode anole_curl_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode anole_curl_set_pointer(CURL *easy, CURLoption option, void *value);
CURLcode anole_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value);
// For CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION, whose callbacks have the same type.
CURLcode anole_curl_set_write_callback(
    CURL *easy, CURLoption option, curl_write_callback value);
CURLcode anole_curl_set_open_socket_callback(CURL *easy, curl_opensocket_callback value);
CURLcode anole_curl_set_resolver_start_callback(
    CURL *easy, anole_curl_resolver_start_callback value);
CURLcode anole_curl_set_prerequest_callback(CURL *easy, curl_prereq_callback value);

// Lets only http and https through.
CURLcode anole_curl_restrict_protocols(CURL *easy);
// Lets a transfer end without waiting for its resolver thread. Does nothing before libcurl 7.87.
void anole_curl_leave_resolver(CURL *easy);

CURLcode anole_curl_get_long(CURL *easy, CURLINFO info, long *value);
CURLcode anole_curl_get_pointer(CURL *easy, CURLINFO info, void **value);

CURLMcode anole_curl_multi_set_long(CURLM *multi, CURLMoption option, long value);

// Names the calling thread, for debuggers.
void anole_curl_name_thread(const char *name);

// Takes one "transfer is done" message; false if there is none.
bool anole_curl_multi_next_done(CURLM *multi, CURL **easy, CURLcode *result);

#endif
#endif
