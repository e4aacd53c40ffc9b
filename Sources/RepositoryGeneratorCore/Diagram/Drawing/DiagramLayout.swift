/// The positions of all elements of a drawn diagram, in points from the top left corner.
///
/// The stages are: columns (``DiagramLayers``), horizontal positions, vertical positions, and the
/// routes of the links (``LineRouter``).
struct DiagramLayout: Sendable {
    /// The route of a link, made of horizontal and vertical segments. It starts at the box that
    /// contains the field.
    struct Line: Sendable, Hashable {
        /// The index of the link in the diagram.
        let link: Int
        /// The corners of the route, including both ends.
        var points: [Point]
    }

    /// A position.
    struct Point: Sendable, Hashable {
        var x: Double
        var y: Double
    }

    /// The distance between the drawing and the edge of the picture.
    static let margin = 40.0
    /// The vertical distance between boxes.
    static let rowGap = 26.0
    /// The height of the passage of a link between boxes.
    static let passageHeight = 10.0
    /// The distance between vertical segments in the space between two columns, and the margin on
    /// both sides of them, which contains the cardinality marks.
    ///
    /// Units are points.
    static let (trackGap, trackMargin) = (10.0, 30.0)

    /// The boxes with their positions, in the order of the diagram.
    private(set) var boxes: [DrawnBox]
    /// The routes of the links.
    private(set) var lines: [Line] = []
    /// The width of the picture.
    private(set) var width = 0.0
    /// The height of the picture.
    private(set) var height = 0.0

    /// The columns and the order within them.
    private let layers: DiagramLayers
    /// The vertical positions of the passages.
    private var passages: [DiagramLayers.Node: Double] = [:]
    /// The horizontal extent of each column.
    private var columns: [(left: Double, right: Double)] = []

    /// Computes the complete layout.
    init(_ diagram: EntityDiagram) {
        boxes = diagram.boxes.enumerated().map { DrawnBox($1, at: $0) }
        layers = DiagramLayers(diagram)
        placeColumns()
        placeRows()
        height =
            (boxes.map(\.bottom) + passages.values).max().map { $0 + Self.margin }
            ?? 2 * Self.margin
        width = (columns.last?.right ?? Self.margin) + Self.margin
        lines = LineRouter(diagram, layers, boxes, passages, columns).lines
    }

    /// Positions the columns. The space after a column grows with the number of links that cross
    /// it.
    private mutating func placeColumns() {
        var crossings = Array(repeating: 0, count: layers.layers.count)
        for chain in layers.chains.values {
            let first = layers.layers.indices.first { layers.layers[$0].contains(chain[0]) } ?? 0
            for layer in first..<first + chain.count - 1 { crossings[layer] += 1 }
        }
        var left = Self.margin
        for (layer, nodes) in layers.layers.enumerated() {
            let indices = nodes.compactMap(\.boxIndex)
            let width = indices.map { boxes[$0].width }.max() ?? 0
            for index in indices { boxes[index].left = left }
            columns.append((left: left, right: left + width))
            left += width + 2 * Self.trackMargin + Double(crossings[layer]) * Self.trackGap
        }
    }

    /// Positions the nodes of each column near their neighbours. Ten rounds move each node to the
    /// mean position of its neighbours.
    ///
    /// After the last round, all nodes are moved so that the topmost one touches the margin.
    private mutating func placeRows() {
        var middles: [DiagramLayers.Node: Double] = [:]
        for nodes in layers.layers {
            var top = Self.margin
            for node in nodes {
                middles[node] = top + height(of: node) / 2
                top += height(of: node) + Self.rowGap
            }
        }
        var neighbours: [DiagramLayers.Node: [DiagramLayers.Node]] = [:]
        for step in layers.steps {
            neighbours[step.left, default: []].append(step.right)
            neighbours[step.right, default: []].append(step.left)
        }
        for round in 0..<10 {
            let order =
                round.isMultiple(of: 2) ? Array(layers.layers) : layers.layers.reversed()
            for nodes in order {
                let wishes = nodes.map { node -> Double in
                    let places = (neighbours[node] ?? []).compactMap { middles[$0] }
                    return places.isEmpty
                        ? middles[node] ?? 0 : places.reduce(0, +) / Double(places.count)
                }
                let heights = nodes.map { height(of: $0) }
                let placed = Self.spread(wishes, heights)
                for (node, middle) in zip(nodes, placed) { middles[node] = middle }
            }
        }
        let top =
            layers.layers.joined().map { (middles[$0] ?? 0) - height(of: $0) / 2 }.min() ?? 0
        for node in layers.layers.joined() {
            let middle = ((middles[node] ?? 0) - top + Self.margin).rounded()
            if let box = node.boxIndex {
                boxes[box].top = middle - (boxes[box].height / 2).rounded()
            } else {
                passages[node] = middle
            }
        }
    }

    /// The height of a box or of a passage.
    private func height(of node: DiagramLayers.Node) -> Double {
        node.boxIndex.map { boxes[$0].height } ?? Self.passageHeight
    }

    /// Returns the positions closest to the desired ones that keep the order and the gaps. Elements
    /// that would overlap are merged to a group, which is placed at the mean of the desired
    /// positions of its members.
    ///
    /// This is isotonic regression with the pool-adjacent-violators algorithm, in linear time.
    ///
    /// - Parameters:
    ///   - wishes: The desired vertical centres.
    ///   - heights: The heights of the elements.
    /// - Returns: The vertical centres.
    static func spread(_ wishes: [Double], _ heights: [Double]) -> [Double] {
        var offsets: [Double] = []
        var offset = 0.0
        for (index, height) in heights.enumerated() {
            if index > 0 { offset += (heights[index - 1] + height) / 2 + rowGap }
            offsets.append(offset)
        }
        var groups: [(sum: Double, count: Int)] = []
        for (wish, offset) in zip(wishes, offsets) {
            groups.append((sum: wish - offset, count: 1))
            while groups.count > 1 {
                let (last, before) = (groups[groups.count - 1], groups[groups.count - 2])
                guard last.sum / Double(last.count) < before.sum / Double(before.count) else {
                    break
                }
                groups.removeLast(2)
                groups.append((sum: last.sum + before.sum, count: last.count + before.count))
            }
        }
        let starts = groups.flatMap {
            Array(repeating: $0.sum / Double($0.count), count: $0.count)
        }
        return zip(starts, offsets).map { $0 + $1 }
    }
}

extension DiagramLayers.Node {
    /// The index of the box, or nil for a passage.
    var boxIndex: Int? {
        if case .box(let index) = self { return index }
        return nil
    }
}
