// SPDX-License-Identifier: Apache-2.0
#ifndef ANOLE_MICROHTTPD_H
#define ANOLE_MICROHTTPD_H

// What Swift cannot call in libmicrohttpd: variadic functions, macros, and enumerations whose names in
// Swift depend on the version of the library. Nothing else.

#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>

static const enum MHD_Result anole_mhd_yes = MHD_YES;
static const enum MHD_Result anole_mhd_no = MHD_NO;
static const enum MHD_ConnectionNotificationCode anole_mhd_connection_closed =
    MHD_CONNECTION_NOTIFY_CLOSED;
static const enum MHD_ValueKind anole_mhd_header_kind = MHD_HEADER_KIND;

/// What a daemon is started with. It has no thread: its owner runs it.
typedef struct {
  /// A bound, listening, non-blocking socket; the daemon closes it.
  int listening_socket;
  unsigned int connection_limit;
  size_t connection_memory;
  /// The first argument of every callback.
  void *context;
  MHD_AcceptPolicyCallback accept;
  MHD_AccessHandlerCallback handle;
  MHD_NotifyConnectionCallback notify_connection;
  MHD_RequestCompletedCallback completed;
  /// Called with the request target as received.
  void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
  /// A chain of certificates and its private key (PEM), which must live as long as the daemon; NULL for
  /// plain connections.
  const char *certificate;
  const char *private_key;
} anole_mhd_settings;

/// Whether the library can speak TLS.
bool anole_mhd_has_tls(void);

/// Starts a daemon, or returns NULL.
struct MHD_Daemon *anole_mhd_start(const anole_mhd_settings *settings);

/// The descriptor that is readable when the daemon has something to do.
int anole_mhd_daemon_descriptor(struct MHD_Daemon *daemon);

/// The socket of a connection, or -1.
int anole_mhd_connection_descriptor(struct MHD_Connection *connection);

/// Writes bytes on a connection past the library, through TLS where the connection has it.
/// How many were written; 0 if none can be at present, -1 if the connection is broken.
long anole_mhd_send(struct MHD_Connection *connection, const void *bytes, size_t size);

/// Sets after how many seconds without traffic a connection is closed.
void anole_mhd_set_idle_limit(struct MHD_Connection *connection, unsigned int seconds);

/// The events of `poll` that tell of a peer which has closed its side.
short anole_mhd_hangup_events(void);

/// A response without body, or NULL.
struct MHD_Response *anole_mhd_empty_response(void);

#endif
