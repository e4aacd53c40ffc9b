/// Routes the links through the spaces between the columns.
///
/// In each space, a link consists of a horizontal segment, a vertical segment on a track of its
/// own, and another horizontal segment.
struct LineRouter {
    private typealias Node = DiagramLayers.Node
    private typealias Point = DiagramLayout.Point

    /// The routes in the order of the links.
    private(set) var lines: [DiagramLayout.Line] = []

    private let diagram: EntityDiagram
    private let layers: DiagramLayers
    private let boxes: [DrawnBox]
    private let passages: [DiagramLayers.Node: Double]
    private let columns: [(left: Double, right: Double)]
    /// The columns of all nodes.
    private var layerOf: [DiagramLayers.Node: Int] = [:]

    /// The part of a link between two adjacent columns.
    private struct Piece {
        var link: Int
        var layer: Int
        /// The vertical position at the left column.
        var left: Double
        /// The vertical position at the right column.
        var right: Double
        /// The horizontal position of the vertical segment.
        var track = 0.0
    }

    /// Routes all links of a diagram.
    init(
        _ diagram: EntityDiagram, _ layers: DiagramLayers, _ boxes: [DrawnBox],
        _ passages: [DiagramLayers.Node: Double], _ columns: [(left: Double, right: Double)]
    ) {
        self.diagram = diagram
        self.layers = layers
        self.boxes = boxes
        self.passages = passages
        self.columns = columns
        for (layer, nodes) in layers.layers.enumerated() {
            for node in nodes { layerOf[node] = layer }
        }
        let pieces = tracked(pieces())
        var byLink: [Int: [Piece]] = [:]
        for piece in pieces { byLink[piece.link, default: []].append(piece) }
        for index in diagram.links.indices {
            let pieces = (byLink[index] ?? []).sorted { $0.layer < $1.layer }
            let points = pieces.isEmpty ? loop(index) : points(of: pieces, link: index)
            lines.append(DiagramLayout.Line(link: index, points: points))
        }
    }

    /// Returns the vertical positions where links meet their target boxes. Each link has a position
    /// of its own; they are ordered by the other ends of the links.
    ///
    /// The distance between two links is at most 18 points, and smaller if the box is not tall
    /// enough.
    ///
    /// The result contains the links between different boxes, by index.
    private func ports() -> [Int: Double] {
        var ports: [Int: Double] = [:]
        let links = layers.chains.keys.sorted()
        let byTarget = Dictionary(grouping: links) { link -> [Int] in
            let target = diagram.links[link].target
            return [target, layers.chains[link]?.first == .box(target) ? 1 : 0]
        }
        for (_, links) in byTarget {
            let target = boxes[diagram.links[links[0]].target]
            let sorted = links.map { ($0, height(ofNeighbour: $0)) }
                .sorted { ($0.1, $0.0) < ($1.1, $1.0) }
            let step = min(18, (target.height - 12) / Double(sorted.count))
            let first = target.middle - step * Double(sorted.count - 1) / 2
            for (place, link) in sorted.enumerated() {
                ports[link.0] = (first + Double(place) * step).rounded()
            }
        }
        return ports
    }

    /// The vertical position of a link next to its target box.
    private func height(ofNeighbour link: Int) -> Double {
        guard let chain = layers.chains[link] else { return 0 }
        let target = Node.box(diagram.links[link].target)
        let beside = chain.first == target ? chain[1] : chain[chain.count - 2]
        return passages[beside] ?? rowHeight(link)
    }

    /// The vertical position of the field of a link.
    private func rowHeight(_ link: Int) -> Double {
        boxes[diagram.links[link].source].middle(ofRow: diagram.links[link].row)
    }

    /// The parts of all links, without tracks.
    private func pieces() -> [Piece] {
        let ports = ports()
        var pieces: [Piece] = []
        for link in layers.chains.keys.sorted() {
            guard let chain = layers.chains[link], let first = layerOf[chain[0]] else { continue }
            let heights = chain.map { node -> Double in
                if let height = passages[node] { return height }
                let isTarget = node == .box(diagram.links[link].target)
                return isTarget ? ports[link] ?? 0 : rowHeight(link)
            }
            for (step, pair) in zip(heights, heights.dropFirst()).enumerated() {
                pieces.append(
                    Piece(link: link, layer: first + step, left: pair.0, right: pair.1))
            }
        }
        return pieces
    }

    /// Assigns a vertical track to each part. Among the parts that lead down, the lowest comes
    /// first; among those that lead up, the highest. This order reduces crossings.
    ///
    /// Tracks are ``DiagramLayout/trackGap`` apart.
    private func tracked(_ pieces: [Piece]) -> [Piece] {
        var result: [Piece] = []
        for layer in columns.indices {
            let here = pieces.filter { $0.layer == layer }
            let down = here.filter { $0.right >= $0.left }
                .sorted { ($0.left, $0.right, $0.link) > ($1.left, $1.right, $1.link) }
            let up = here.filter { $0.right < $0.left }
                .sorted { ($0.left, $0.right, $0.link) < ($1.left, $1.right, $1.link) }
            for (place, piece) in (down + up).enumerated() {
                var piece = piece
                piece.track =
                    columns[layer].right + DiagramLayout.trackMargin
                    + (Double(place) + 0.5) * DiagramLayout.trackGap
                result.append(piece)
            }
        }
        return result
    }

    /// The points of a link, from its source to its target.
    private func points(of pieces: [Piece], link index: Int) -> [Point] {
        let link = diagram.links[index]
        guard let first = pieces.first, let last = pieces.last,
            let chain = layers.chains[index], let left = chain.first?.boxIndex,
            let right = chain.last?.boxIndex
        else { return [] }
        var points = [Point(x: boxes[left].right, y: first.left)]
        for piece in pieces where piece.left != piece.right {
            points.append(Point(x: piece.track, y: piece.left))
            points.append(Point(x: piece.track, y: piece.right))
        }
        points.append(Point(x: boxes[right].left, y: last.right))
        return link.source == left ? points : points.reversed()
    }

    /// Returns the route of a link from a box to itself. It leaves at the row of the field and
    /// returns at the title.
    private func loop(_ index: Int) -> [Point] {
        let link = diagram.links[index]
        let box = boxes[link.source]
        // The left edge is used, because the title has no links there.
        let edge = box.left
        let out = edge - 26
        let (from, to) = (rowHeight(index), box.top + DrawnBox.Metrics.titleHeight / 2)
        return [
            Point(x: edge, y: from), Point(x: out, y: from), Point(x: out, y: to),
            Point(x: edge, y: to),
        ]
    }
}
