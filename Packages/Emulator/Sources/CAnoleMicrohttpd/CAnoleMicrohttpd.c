// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CAnoleMicrohttpd.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

#ifdef MSG_NOSIGNAL
static const int send_flags = MSG_NOSIGNAL;
#else
static const int send_flags = 0;
#endif

struct MHD_Daemon *anole_mhd_start(const anole_mhd_settings *settings) {
  unsigned int flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME;
  struct MHD_OptionItem tls[] = {
      {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)settings->certificate},
      {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)settings->private_key},
      {MHD_OPTION_END, 0, NULL},
  };
  if (settings->certificate == NULL) {
    tls[0].option = MHD_OPTION_END;
  } else {
    flags |= MHD_USE_TLS;
  }
  return MHD_start_daemon(
      flags, 0,
      settings->accept, settings->context,
      settings->handle, settings->context,
      MHD_OPTION_LISTEN_SOCKET, settings->listening_socket,
      MHD_OPTION_CONNECTION_LIMIT, settings->connection_limit,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->connection_memory,
      MHD_OPTION_NOTIFY_CONNECTION, settings->notify_connection, settings->context,
      MHD_OPTION_NOTIFY_COMPLETED, settings->completed, settings->context,
      MHD_OPTION_URI_LOG_CALLBACK, settings->target, settings->context,
      MHD_OPTION_ARRAY, tls,
      MHD_OPTION_END);
}

bool anole_mhd_has_tls(void) { return MHD_is_feature_supported(MHD_FEATURE_TLS) == MHD_YES; }

// What GnuTLS answers where it must be asked again: its headers are not needed for the two.
enum { gnutls_again = -28, gnutls_interrupted = -52 };

static long send_secure(void *session, const void *bytes, size_t size) {
  // libmicrohttpd has loaded GnuTLS; looked up here, it need not be linked a second time.
  void *symbol = dlsym(RTLD_DEFAULT, "gnutls_record_send");
  if (symbol == NULL) return -1;
  ssize_t (*record_send)(void *, const void *, size_t) =
      (ssize_t (*)(void *, const void *, size_t))symbol;
  ssize_t count = record_send(session, bytes, size);
  if (count == gnutls_again || count == gnutls_interrupted) return 0;
  return count < 0 ? -1 : (long)count;
}

long anole_mhd_send(struct MHD_Connection *connection, const void *bytes, size_t size) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
  if (info != NULL && info->tls_session != NULL) {
    return send_secure(info->tls_session, bytes, size);
  }
  for (;;) {
    ssize_t count = send(anole_mhd_connection_descriptor(connection), bytes, size, send_flags);
    if (count >= 0) return (long)count;
    if (errno == EAGAIN || errno == EWOULDBLOCK) return 0;
    if (errno != EINTR) return -1;
  }
}

int anole_mhd_daemon_descriptor(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  return info ? info->epoll_fd : -1;
}

int anole_mhd_connection_descriptor(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

void anole_mhd_set_idle_limit(struct MHD_Connection *connection, unsigned int seconds) {
  MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

short anole_mhd_hangup_events(void) {
#ifdef POLLRDHUP
  return POLLRDHUP;
#else
  return POLLHUP;
#endif
}

struct MHD_Response *anole_mhd_empty_response(void) {
  return MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
}
