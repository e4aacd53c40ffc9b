internal import RepositorySchema

/// A directed graph of named nodes, for finding dependency cycles.
///
/// Nodes and edges keep the order of insertion, so that diagnostics come in a stable order.
///
/// The validator uses it for required references and for values that contain themselves; the
/// template reader uses it for templates that include each other.
struct DependencyGraph {
    /// One directed dependency.
    struct Edge {
        var source: String
        var target: String
        /// The schema text that causes the dependency.
        var label: Located<String>
    }

    private var edges: [String: [Edge]] = [:]
    /// The nodes with outgoing edges, in the order of insertion.
    private var order: [String] = []

    /// Adds an edge.
    ///
    /// - Parameters:
    ///   - source: The node that depends on another one.
    ///   - target: The node that it depends on.
    ///   - label: The name and the location of the dependency in the schema.
    mutating func add(from source: String, to target: String, at label: Located<String>) {
        if edges[source] == nil { order.append(source) }
        edges[source, default: []].append(Edge(source: source, target: target, label: label))
    }

    /// Returns cycles such that each node that is part of any cycle appears in at most one of them,
    /// in the order of the nodes.
    ///
    /// Nodes without outgoing edges are removed repeatedly. From each remaining node every path
    /// leads into a cycle; the cycle is recorded and its nodes are removed as well.
    func circles() -> [[Edge]] {
        var incoming: [String: [String]] = [:]
        var outDegree: [String: Int] = [:]
        for edge in edges.values.joined() {
            incoming[edge.target, default: []].append(edge.source)
            outDegree[edge.source, default: 0] += 1
        }
        var removed: Set<String> = []
        /// Removes nodes, and then every node whose edges all lead to removed nodes.
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

    /// Follows the first remaining edge of each node until a node repeats, and returns that cycle.
    /// `cursors` holds, per node, the index of the first edge that may remain, so that no edge is
    /// skipped twice.
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
