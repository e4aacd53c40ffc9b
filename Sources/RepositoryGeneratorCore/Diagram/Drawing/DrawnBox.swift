internal import RepositorySchema

/// A box with its size and place, in points.
struct DrawnBox: Sendable, Hashable {
    /// The widths of what is written, and the distances in between.
    enum Metrics {
        /// A character of the rows and one of the title, both of fonts with one width for all.
        static let (letter, titleLetter) = (7.3, 8.6)
        static let (rowHeight, titleHeight) = (20.0, 28.0)
        static let (padding, gap, markWidth) = (10.0, 16.0, 22.0)
    }

    /// Which box of the diagram it is.
    let index: Int
    let width: Double
    let height: Double
    var left = 0.0
    var top = 0.0
    /// How far the names of the fields stand from the left edge.
    let nameOffset: Double

    init(_ box: EntityDiagram.Box, at index: Int) {
        self.index = index
        let marks = box.rows.map { Double($0.marks.count) * Metrics.markWidth }.max() ?? 0
        nameOffset = Metrics.padding + marks
        let names = box.rows.map { $0.name.drawnWidth }.max() ?? 0
        let types = box.rows.map { $0.type.description.drawnWidth }.max() ?? 0
        let title = Double(box.name.drawnColumns) * Metrics.titleLetter + 2 * Metrics.padding
        width = max(title, nameOffset + names + Metrics.gap + types + Metrics.padding)
        height = Metrics.titleHeight + Double(box.rows.count) * Metrics.rowHeight
    }

    var right: Double { left + width }
    var bottom: Double { top + height }
    var middle: Double { top + height / 2 }

    /// The middle of a row.
    func middle(ofRow row: Int) -> Double {
        top + Metrics.titleHeight + (Double(row) + 0.5) * Metrics.rowHeight
    }
}

extension String {
    /// The width of the text in a row.
    var drawnWidth: Double { Double(drawnColumns) * DrawnBox.Metrics.letter }

    /// How many characters of the font the text takes; characters beyond ASCII may be twice as wide.
    var drawnColumns: Int { reduce(0) { $0 + ($1.isASCII ? 1 : 2) } }
}
