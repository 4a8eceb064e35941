// SPDX-License-Identifier: Apache-2.0

/// Cells in columns, two spaces apart.
struct Table: Sendable {
  /// Where the cells of a column stand.
  enum Alignment: Sendable {
    case left
    case right
  }

  private let columns: [Alignment]
  private var rows: [[String]] = []

  init(_ columns: [Alignment]) { self.columns = columns }

  /// Adds a row; missing cells are empty.
  mutating func add(_ cells: [String]) {
    rows.append(cells.map { Printable.line($0) })
  }

  /// A line a row, without white space at its end.
  var lines: [String] {
    let widths = columns.indices.map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        line += column > 0 ? "  " : ""
        line += columns[column] == .left ? cell + padding : padding + cell
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
