// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CAnoleMicrohttpd.h"

#include <poll.h>

struct MHD_Daemon *anole_mhd_start(const anole_mhd_settings *settings) {
  return MHD_start_daemon(
      MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0,
      settings->accept, settings->context,
      settings->handle, settings->context,
      MHD_OPTION_LISTEN_SOCKET, settings->listening_socket,
      MHD_OPTION_CONNECTION_LIMIT, settings->connection_limit,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->connection_memory,
      MHD_OPTION_NOTIFY_CONNECTION, settings->notify_connection, settings->context,
      MHD_OPTION_NOTIFY_COMPLETED, settings->completed, settings->context,
      MHD_OPTION_URI_LOG_CALLBACK, settings->target, settings->context,
      MHD_OPTION_END);
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
void anole_mhd_allow_content_length(struct MHD_Response *response) {
  MHD_set_response_options(response, MHD_RF_INSANITY_HEADER_CONTENT_LENGTH, MHD_RO_END);
}
