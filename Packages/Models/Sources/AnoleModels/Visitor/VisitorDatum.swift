// SPDX-License-Identifier: Apache-2.0

/// One item of visitor data, as an application adds it or as the server delivers it.
public enum VisitorDatum: Sendable, Hashable {
  /// Values of a custom data index.
  case customData(index: Int, values: [String], isOverwriting: Bool = true)
  /// Values of a custom datum by its name, resolved when it is added.
  case namedCustomData(name: String, values: [String], isOverwriting: Bool = true)
  /// The device.
  case device(Device)
  /// The operating system.
  case operatingSystem(OperatingSystem)
  /// The place.
  case geolocation(Geolocation)
  /// The application's version.
  case applicationVersion(String)
  /// The browser.
  case browser(Browser)
  /// All cookies; they replace the ones before.
  case cookies([Cookie])
  /// A view of a page, now.
  case pageView(url: String, title: String?, referrers: [Int] = [])
  /// The record of a page's views.
  case pageViews(PageView)
  /// A conversion.
  case conversion(Conversion)
  /// The previous visits, most recent first, and how many there were in all, at least as many.
  case visits([Visit], count: Int = 0)
  /// Key moment scores.
  case keyMomentScores(KeyMomentScores)
  /// Contextual bandit scores.
  case banditScores(BanditScores)
  /// An assignment made elsewhere.
  case assignment(Assignment)
  /// A personalization.
  case personalization(Personalization)
}

/// Where a datum comes from, which decides merging and sending (sections 5.1, 5.2).
public enum DatumSource: Sendable, Hashable {
  /// Application code; with `isTracked` false the datum serves targeting and is never sent.
  case application(isTracked: Bool)
  /// The server: already sent, and never replacing what is here.
  case remote
}

/// What became of a datum.
public enum DatumAddition: Sendable, Hashable {
  /// It is stored.
  case stored
  /// It is stored, and it identifies the visitor as this user: the caller lets both codes share
  /// one record from now on (section 5.3).
  case identified(as: String)
  /// It was dropped; the sentence says why.
  case dropped(String)
}
