internal import RepositorySchema

extension EntityDiagram {
    /// The diagram as an SVG picture. Boxes are arranged in columns, to the right of the boxes that
    /// they refer to.
    ///
    /// The picture depends on no style sheet and no font files.
    public var svg: String {
        SVGDrawing(self).text
    }
}

/// Renders a laid-out diagram as Scalable Vector Graphics.
///
/// Entities are blue, values and unions are green, and enums are yellow.
private struct SVGDrawing {
    /// The SVG document.
    private(set) var text = ""
    private let diagram: EntityDiagram
    private let layout: DiagramLayout

    init(_ diagram: EntityDiagram) {
        self.diagram = diagram
        layout = DiagramLayout(diagram)
        let (width, height) = (Self.number(layout.width), Self.number(layout.height))
        text = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" role="img" aria-label="Entities of \(diagram.name)" \
            font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace">
            <rect width="\(width)" height="\(height)" fill="#ffffff"/>

            """
        for line in layout.lines { draw(line) }
        for box in layout.boxes { draw(box) }
        text += "</svg>\n"
    }

    /// Draws a box with its title and rows.
    private mutating func draw(_ drawn: DrawnBox) {
        typealias Metrics = DrawnBox.Metrics
        let box = diagram.boxes[drawn.index]
        let (fill, stroke) =
            switch box.kind {
            case .entity: ("#dbe7f6", "#3b6ea5")
            case .value, .union: ("#e3f1df", "#5a8f4e")
            case .enumeration: ("#f6ecd6", "#a5853b")
            }
        let (left, top) = (Self.number(drawn.left), Self.number(drawn.top))
        let size = "width=\"\(Self.number(drawn.width))\""
        text += "<g>\n"
        let title = box.doc.map { "\(box.name): \($0)" } ?? box.name
        let line = CommentText.lines(title).joined(separator: " ")
        text += "<title>\(XMLText.escaped(line))</title>\n"
        text += """
            <rect x="\(left)" y="\(top)" \(size) height="\(Self.number(drawn.height))" rx="4" \
            fill="#ffffff" stroke="\(stroke)"/>
            <rect x="\(left)" y="\(top)" \(size) height="\(Self.number(Metrics.titleHeight))" \
            rx="4" fill="\(fill)" stroke="\(stroke)"/>

            """
        write(
            box.name, x: drawn.left + drawn.width / 2, y: drawn.top + 19,
            "font-size=\"14\" font-weight=\"bold\" text-anchor=\"middle\" fill=\"#1c2733\"")
        for (index, row) in box.rows.enumerated() {
            let line = drawn.middle(ofRow: index) + 4
            for (place, mark) in row.marks.enumerated() {
                write(
                    mark.rawValue,
                    x: drawn.left + Metrics.padding + Double(place) * Metrics.markWidth, y: line,
                    "font-size=\"10\" font-weight=\"bold\" fill=\"\(stroke)\"")
            }
            write(
                row.name, x: drawn.left + drawn.nameOffset, y: line,
                "font-size=\"12\" fill=\"#1c2733\"")
            write(
                row.type.description, x: drawn.right - Metrics.padding, y: line,
                "font-size=\"12\" text-anchor=\"end\" fill=\"#5c6773\"")
        }
        text += "</g>\n"
    }

    /// Draws a text.
    private mutating func write(_ string: String, x: Double, y: Double, _ style: String) {
        text +=
            "<text x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" \(style)>"
            + "\(XMLText.escaped(string))</text>\n"
    }

    /// Draws a link with its cardinalities. Links to embedded types are dashed.
    private mutating func draw(_ line: DiagramLayout.Line) {
        guard let first = line.points.first, let last = line.points.last else { return }
        let link = diagram.links[line.link]
        let (source, target) = (diagram.boxes[link.source], diagram.boxes[link.target])
        let dash = link.isReference ? "" : " stroke-dasharray=\"4 3\""
        text += "<g fill=\"none\" stroke=\"#5c6773\">\n"
        text += "<title>\(XMLText.escaped("\(source.name).\(link.name): \(target.name)"))</title>\n"
        text += "<path d=\"\(Self.path(line.points))\"\(dash)/>\n"
        draw(link.sourceCount, at: first, towards: line.points[1])
        draw(link.targetCount, at: last, towards: line.points[line.points.count - 2])
        text += "</g>\n"
    }

    /// Draws the mark of a cardinality in crow's foot notation: a bar is one, a circle is zero, a
    /// crow's foot is many.
    private mutating func draw(
        _ cardinality: EntityDiagram.Cardinality, at end: DiagramLayout.Point,
        towards next: DiagramLayout.Point
    ) {
        let side = next.x < end.x ? -1.0 : 1.0
        func x(_ distance: Double) -> String { Self.number(end.x + side * distance) }
        let (upper, lower) = (Self.number(end.y - 5), Self.number(end.y + 5))
        let middle = Self.number(end.y)
        func bar(_ distance: Double) -> String { "M\(x(distance)) \(upper)V\(lower)" }
        func circle(_ distance: Double) -> String {
            "<circle cx=\"\(x(distance))\" cy=\"\(middle)\" r=\"4\" fill=\"#ffffff\"/>\n"
        }
        switch cardinality {
        case .one: text += "<path d=\"\(bar(7))\(bar(11))\"/>\n"
        case .zeroOrOne: text += "<path d=\"\(bar(7))\"/>\n" + circle(14)
        case .zeroOrMore:
            let foot = "M\(x(0)) \(upper)L\(x(10)) \(middle)L\(x(0)) \(lower)"
            text += "<path d=\"\(foot)\"/>\n" + circle(14)
        }
    }

    /// Returns the path of a route, with rounded corners.
    ///
    /// The radius is 6 points, or less for short segments.
    private static func path(_ points: [DiagramLayout.Point]) -> String {
        guard let first = points.first, let last = points.last else { return "" }
        var path = "M\(number(first.x)) \(number(first.y))"
        for index in points.indices.dropFirst().dropLast() {
            let (before, corner, after) = (points[index - 1], points[index], points[index + 1])
            let radius = min(6, length(before, corner) / 2, length(corner, after) / 2)
            let start = point(from: corner, towards: before, radius)
            let end = point(from: corner, towards: after, radius)
            path += "L\(number(start.x)) \(number(start.y))"
            path += "Q\(number(corner.x)) \(number(corner.y)) \(number(end.x)) \(number(end.y))"
        }
        return path + "L\(number(last.x)) \(number(last.y))"
    }

    /// The length of a horizontal or vertical segment.
    private static func length(_ one: DiagramLayout.Point, _ other: DiagramLayout.Point) -> Double {
        abs(one.x - other.x) + abs(one.y - other.y)
    }

    /// The point at a distance from a corner, on the segment towards another point.
    private static func point(
        from corner: DiagramLayout.Point, towards other: DiagramLayout.Point, _ distance: Double
    ) -> DiagramLayout.Point {
        let length = length(corner, other)
        guard length > 0 else { return corner }
        return DiagramLayout.Point(
            x: corner.x + (other.x - corner.x) / length * distance,
            y: corner.y + (other.y - corner.y) / length * distance)
    }

    /// Formats a number with at most one decimal digit, independently of the locale.
    private static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        let sign = tenths < 0 ? "-" : ""
        let (whole, rest) = abs(tenths).quotientAndRemainder(dividingBy: 10)
        return sign + (rest == 0 ? "\(whole)" : "\(whole).\(rest)")
    }
}
