/// Where everything of a drawn diagram stands, in points from the top left corner.
struct DiagramLayout: Sendable {
    /// A link as a line of horizontal and vertical pieces, from the box that names the other.
    struct Line: Sendable, Hashable {
        let link: Int
        var points: [Point]
    }

    /// A place.
    struct Point: Sendable, Hashable {
        var x: Double
        var y: Double
    }

    static let margin = 40.0
    /// Between boxes in a column.
    static let rowGap = 26.0
    /// The height of a link's place between boxes.
    static let passageHeight = 10.0
    /// Between the lines in the space between columns, and beside them, where the marks of their ends stand.
    static let (trackGap, trackMargin) = (10.0, 30.0)

    private(set) var boxes: [DrawnBox]
    private(set) var lines: [Line] = []
    private(set) var width = 0.0
    private(set) var height = 0.0

    private let layers: DiagramLayers
    private var passages: [DiagramLayers.Node: Double] = [:]
    private var columns: [(left: Double, right: Double)] = []

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

    /// Places the nodes of each column near those that they are linked with, some rounds long.
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

    private func height(of node: DiagramLayers.Node) -> Double {
        node.boxIndex.map { boxes[$0].height } ?? Self.passageHeight
    }

    /// The middles nearest to some wishes that keep the order and the gaps: neighbours that would touch
    /// become one group, which stands at the mean of what its members wish.
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
    /// The box, if the node is one.
    var boxIndex: Int? {
        if case .box(let index) = self { return index }
        return nil
    }
}
