// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CAnoleCurl.h"

#if !defined(__APPLE__)

#include <pthread.h>
#include <stddef.h>

CURLcode anole_curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode anole_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode anole_curl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode anole_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode anole_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode anole_curl_set_write_callback(
    CURL *easy, CURLoption option, curl_write_callback value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode anole_curl_set_open_socket_callback(CURL *easy, curl_opensocket_callback value) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}

CURLcode anole_curl_set_resolver_start_callback(
    CURL *easy, anole_curl_resolver_start_callback value) {
  return curl_easy_setopt(easy, CURLOPT_RESOLVER_START_FUNCTION, value);
}

CURLcode anole_curl_set_prerequest_callback(CURL *easy, curl_prereq_callback value) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}

CURLcode anole_curl_restrict_protocols(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

void anole_curl_leave_resolver(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
  (void)curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)easy;
#endif
}

CURLcode anole_curl_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}

CURLcode anole_curl_get_pointer(CURL *easy, CURLINFO info, void **value) {
  return curl_easy_getinfo(easy, info, value);
}

CURLMcode anole_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

void anole_curl_name_thread(const char *name) {
  (void)pthread_setname_np(pthread_self(), name);
}

bool anole_curl_multi_next_done(CURLM *multi, CURL **easy, CURLcode *result) {
  int left = 0;
  for (;;) {
    CURLMsg *message = curl_multi_info_read(multi, &left);
    if (message == NULL) return false;
    if (message->msg != CURLMSG_DONE) continue;
    *easy = message->easy_handle;
    *result = message->data.result;
    return true;
  }
}

#endif
