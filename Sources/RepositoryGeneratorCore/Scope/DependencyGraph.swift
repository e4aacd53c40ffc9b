internal import RepositorySchema

/// Who depends on whom, to find circles.
struct DependencyGraph {
    /// One dependency.
    struct Edge {
        var source: String
        var target: String
        /// What causes it.
        var label: Located<String>
    }

    private var edges: [String: [Edge]] = [:]
    private var order: [String] = []

    /// Adds a dependency.
    mutating func add(from source: String, to target: String, at label: Located<String>) {
        if edges[source] == nil { order.append(source) }
        edges[source, default: []].append(Edge(source: source, target: target, label: label))
    }

    /// Circles, so that each node that lies on any is in at most one, in the order of the nodes.
    ///
    /// Nodes that lead nowhere are removed again and again; what is left leads to a circle, which is
    /// removed as well.
    func circles() -> [[Edge]] {
        var incoming: [String: [String]] = [:]
        var outDegree: [String: Int] = [:]
        for edge in edges.values.joined() {
            incoming[edge.target, default: []].append(edge.source)
            outDegree[edge.source, default: 0] += 1
        }
        var removed: Set<String> = []
        func remove(_ nodes: [String]) {
            var queue = nodes
            while let node = queue.popLast() {
                guard removed.insert(node).inserted else { continue }
                for source in incoming[node] ?? [] {
                    outDegree[source, default: 0] -= 1
                    if outDegree[source] == 0 { queue.append(source) }
                }
            }
        }
        remove(incoming.keys.filter { edges[$0] == nil })

        var circles: [[Edge]] = []
        var cursors: [String: Int] = [:]
        for start in order {
            while !removed.contains(start) {
                let circle = follow(from: start, removed, &cursors)
                guard !circle.isEmpty else { break }
                circles.append(circle)
                remove(circle.map(\.source))
            }
        }
        return circles
    }

    /// The circle that the first edges left lead into.
    private func follow(
        from start: String, _ removed: Set<String>, _ cursors: inout [String: Int]
    ) -> [Edge] {
        var path: [Edge] = []
        var positions: [String: Int] = [:]
        var node = start
        while positions[node] == nil {
            positions[node] = path.count
            let choices = edges[node] ?? []
            var cursor = cursors[node] ?? 0
            while cursor < choices.count, removed.contains(choices[cursor].target) { cursor += 1 }
            cursors[node] = cursor
            guard cursor < choices.count else { return path }
            path.append(choices[cursor])
            node = choices[cursor].target
        }
        return Array(path[(positions[node] ?? 0)...])
    }
}
