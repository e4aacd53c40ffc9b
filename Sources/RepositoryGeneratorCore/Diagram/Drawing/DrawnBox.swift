internal import RepositorySchema

/// A box with its size and position, in points.
///
/// The size follows from the texts; ``DiagramLayout`` sets the position.
struct DrawnBox: Sendable, Hashable {
    /// The sizes of text and the distances between its parts, in points.
    enum Metrics {
        /// The width of a character in rows and in titles. Both fonts are monospaced.
        static let (letter, titleLetter) = (7.3, 8.6)
        /// The heights of rows and titles.
        static let (rowHeight, titleHeight) = (20.0, 28.0)
        /// The distances around and between texts, and the width of a key mark.
        static let (padding, gap, markWidth) = (10.0, 16.0, 22.0)
    }

    /// The index of the box in the diagram.
    let index: Int
    /// The width, which fits the longest row and the title.
    let width: Double
    /// The height, which fits all rows.
    let height: Double
    /// The distance from the left edge of the picture.
    var left = 0.0
    /// The distance from the top edge of the picture.
    var top = 0.0
    /// The distance of field names from the left edge. It leaves space for the marks.
    let nameOffset: Double

    /// Computes the size of a box from the lengths of its texts.
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

    /// Returns the vertical centre of a row.
    func middle(ofRow row: Int) -> Double {
        top + Metrics.titleHeight + (Double(row) + 0.5) * Metrics.rowHeight
    }
}

extension String {
    /// The width of the text in a row, in points.
    var drawnWidth: Double { Double(drawnColumns) * DrawnBox.Metrics.letter }

    /// The number of character cells of the text. Non-ASCII characters count twice, because they
    /// may be wide.
    var drawnColumns: Int { reduce(0) { $0 + ($1.isASCII ? 1 : 2) } }
}
