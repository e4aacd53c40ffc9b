/// Assigns boxes to columns: a box is placed to the right of the boxes that it refers to.
///
/// A link that spans several columns gets a passage in each column between, so that it runs between
/// the boxes there. Source: Sugiyama, Tagawa, Toda, 'Methods for Visual Understanding of
/// Hierarchical System Structures', 1981.
///
/// The assignment of columns and the reduction of crossings are separate steps. Both are
/// deterministic.
///
/// ```
/// column 0     column 1     column 2
/// Author       Book         Loan        Loan refers to Book, Book refers to Author
/// ```
struct DiagramLayers {
    /// An element of a column.
    enum Node: Hashable {
        case box(Int)
        /// The place where a link crosses a column.
        case passage(link: Int, layer: Int)
    }

    /// The columns from left to right, each from top to bottom.
    private(set) var layers: [[Node]] = []
    /// The nodes of each link, from left to right. Links from a box to itself are not included.
    private(set) var chains: [Int: [Node]] = [:]

    /// Assigns all boxes to columns and orders them.
    init(_ diagram: EntityDiagram) {
        let links = diagram.links.indices.filter {
            diagram.links[$0].source != diagram.links[$0].target
        }
        let depths = Self.depths(diagram, links)
        layers = Array(repeating: [], count: (depths.max() ?? -1) + 1)
        let linked = Set(links.flatMap { [diagram.links[$0].source, diagram.links[$0].target] })
        for box in diagram.boxes.indices where linked.contains(box) {
            layers[depths[box]].append(.box(box))
        }
        for link in links {
            let ends = [diagram.links[link].source, diagram.links[link].target]
                .sorted { depths[$0] < depths[$1] }
            var chain = [Node.box(ends[0])]
            for layer in depths[ends[0]] + 1..<depths[ends[1]] {
                let passage = Node.passage(link: link, layer: layer)
                layers[layer].append(passage)
                chain.append(passage)
            }
            chains[link] = chain + [.box(ends[1])]
        }
        sort()
        addUnlinked(diagram.boxes.indices.filter { !linked.contains($0) }, of: diagram)
    }

    /// The pairs of adjacent nodes of all links.
    var steps: [(left: Node, right: Node)] {
        chains.keys.sorted().flatMap { link -> [(left: Node, right: Node)] in
            let chain = chains[link] ?? []
            return zip(chain, chain.dropFirst()).map { (left: $0, right: $1) }
        }
    }

    /// The column of each box: the length of the longest path along references. A cycle is broken
    /// at its first box.
    private static func depths(_ diagram: EntityDiagram, _ links: [Int]) -> [Int] {
        let count = diagram.boxes.count
        var waiting = Array(repeating: 0, count: count)
        var sources = Array(repeating: [Int](), count: count)
        var targets = sources
        for link in links.map({ diagram.links[$0] }) {
            waiting[link.source] += 1
            sources[link.target].append(link.source)
            targets[link.source].append(link.target)
        }
        var depths = Array(repeating: 0, count: count)
        var isPlaced = Array(repeating: false, count: count)
        var ready = (0..<count).filter { waiting[$0] == 0 }
        var next = 0
        for candidate in 0...count {
            while next < ready.count {
                let box = ready[next]
                next += 1
                if isPlaced[box] { continue }
                isPlaced[box] = true
                // Where a cycle is broken, the referenced box is to the right of the referring one.
                for other in sources[box] + targets[box] where !isPlaced[other] {
                    depths[other] = max(depths[other], depths[box] + 1)
                }
                for source in sources[box] where !isPlaced[source] {
                    waiting[source] -= 1
                    if waiting[source] == 0 { ready.append(source) }
                }
            }
            if candidate < count, !isPlaced[candidate] { ready.append(candidate) }
        }
        // A box without outgoing references is placed directly to the left of its nearest referring
        // box.
        for box in 0..<count where targets[box].isEmpty && !sources[box].isEmpty {
            depths[box] = (sources[box].map { depths[$0] }.min() ?? 1) - 1
        }
        return depths
    }

    /// Reorders the columns to reduce crossings. Each node moves to the mean position of its
    /// neighbours in the previous column. Eight sweeps alternate between left to right and right to
    /// left.
    ///
    /// The number of sweeps is fixed, so the cost is bounded and the result is deterministic.
    private mutating func sort() {
        var left: [Node: [Node]] = [:]
        var right: [Node: [Node]] = [:]
        for step in steps {
            left[step.right, default: []].append(step.left)
            right[step.left, default: []].append(step.right)
        }
        for sweep in 0..<8 {
            let isForward = sweep.isMultiple(of: 2)
            let order = isForward ? Array(layers.indices) : layers.indices.reversed()
            for layer in order.dropFirst() {
                let neighbours = isForward ? left : right
                let beside = layers[isForward ? layer - 1 : layer + 1]
                let places = Dictionary(
                    uniqueKeysWithValues: beside.enumerated().map { ($1, Double($0)) })
                let wishes = layers[layer].enumerated().map { place, node -> (Double, Int, Node) in
                    let found = (neighbours[node] ?? []).compactMap { places[$0] }
                    // A node without neighbours keeps its relative position in the column.
                    let share =
                        Double(place) * Double(beside.count) / Double(layers[layer].count)
                    let mean =
                        found.isEmpty ? share : found.reduce(0, +) / Double(found.count)
                    return (mean, place, node)
                }
                layers[layer] = wishes.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
            }
        }
    }

    /// Adds the boxes without links, each to the column with the fewest rows.
    private mutating func addUnlinked(_ boxes: [Int], of diagram: EntityDiagram) {
        // Without other boxes, they form approximately a square, with at most three columns.
        while layers.count < 3, layers.count * layers.count < boxes.count { layers.append([]) }
        var heights = layers.map { layer in
            layer.reduce(0) { sum, node in
                if case .box(let box) = node { return sum + diagram.boxes[box].rows.count + 3 }
                return sum + 1
            }
        }
        for box in boxes {
            let layer = heights.indices.min { heights[$0] < heights[$1] } ?? 0
            layers[layer].append(.box(box))
            heights[layer] += diagram.boxes[box].rows.count + 3
        }
    }
}
