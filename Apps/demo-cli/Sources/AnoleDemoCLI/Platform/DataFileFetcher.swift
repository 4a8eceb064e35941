// SPDX-License-Identifier: Apache-2.0

import AnoleModels
import AnoleNetworking

/// A data file that came over the network.
struct FetchedFile: Sendable {
  let bytes: [UInt8]
  let reading: DataFile.Reading
  let validators: CacheValidators
}

/// Fetches data files and follows the stream of changes, for `fetch` and the demonstration.
struct DataFileFetcher: Sendable {
  private let transport: CurlTransport
  private let requests: PlatformRequests
  private let fetcher: ConditionalFetch

  /// Makes a fetcher.
  ///
  /// - Parameters:
  ///   - urls: where to fetch from.
  ///   - timeout: the limit of one attempt.
  ///   - caFile: certificates to trust instead of the system's.
  init(_ urls: PlatformURLs, timeout: Duration = .seconds(10), caFile: String? = nil) {
    transport = CurlTransport(
      CurlTransport.Configuration(
        caFile: caFile, proxy: .reaching(urls.overrides[.configuration]?.host)))
    requests = PlatformRequests(
      urls: urls, userAgent: UserAgent(name: Program.name, version: Program.version),
      timeout: timeout)
    fetcher = ConditionalFetch(transport: transport)
  }

  /// Where the data file is.
  var address: String { requests.urls.configuration() }

  /// Fetches the data file.
  ///
  /// - Parameters:
  ///   - timestamp: that of the event that caused the fetch.
  ///   - validators: those of the copy at hand.
  /// - Returns: nil if the copy at hand is the newest.
  func fetch(
    timestamp: Int64? = nil, validators: CacheValidators? = nil
  ) async throws(Failure) -> FetchedFile? {
    do throws(ConditionalFetchError) {
      let outcome = try await fetcher.fetch(
        requests.configuration(timestamp: timestamp), validators: validators
      ) { bytes in (bytes, try DataFile.read(bytes)) }
      guard case .changed(let (bytes, reading), let validators) = outcome else { return nil }
      return FetchedFile(bytes: bytes, reading: reading, validators: validators)
    } catch {
      switch error.code {
      case .cancelled: throw .interrupted
      case .emptyDocument, .unreadable, .wrongContentType:
        throw .data("\(address): \(error); check the address and the site code")
      default:
        throw .network("\(address): \(error); check the address, the site code and the network")
      }
    }
  }

  /// A stream of configuration changes; the caller starts and closes it.
  func changes() -> EventSource {
    EventSource(requests.events(), transport: transport)
  }

  /// The time in a configuration event; nil for any other event.
  static func timestamp(of event: ServerSentEvent) -> Int64? {
    guard event.type == "configuration-update-event" else { return nil }
    do throws(JSONError) {
      return try JSONValue(parsing: event.data)["ts"]?.integerValue
    } catch {
      return nil  // An event that cannot be read is ignored (network specification, section 2.2).
    }
  }
}
