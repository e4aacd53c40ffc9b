/// The arrows of a folder graph that lead back, each with the way that closes the circle.
struct FolderCycles {
    /// An arrow to be removed, and the folders from its end to its beginning.
    struct Cycle: Equatable {
        var arrow: FolderGraph.Arrow
        var references: [FolderGraph.Reference]
        /// Each step from the arrow's end to its beginning, with one use behind it.
        var wayBack: [Step]
    }

    /// One arrow on the way back.
    struct Step: Equatable {
        var to: String
        var reference: FolderGraph.Reference
    }

    /// One for each arrow that has to go; empty where the arrows go one way.
    ///
    /// Of a circle the arrow with the fewest uses is taken for the one that leads back.
    private(set) var cycles: [Cycle] = []

    private let graph: FolderGraph
    private var targets: [String: Set<String>] = [:]

    init(_ graph: FolderGraph) {
        self.graph = graph
        for arrow in graph.arrows.keys { targets[arrow.from, default: []].insert(arrow.to) }
        let thinnestFirst = graph.arrows.keys.sorted {
            (graph.arrows[$0]?.count ?? 0, $0.from, $0.to)
                < (graph.arrows[$1]?.count ?? 0, $1.from, $1.to)
        }
        while let cycle = thinnestFirst.lazy.compactMap(cycle).first {
            cycles.append(cycle)
            targets[cycle.arrow.from]?.remove(cycle.arrow.to)
        }
    }

    /// The circle that an arrow closes; nil where it closes none, or was removed.
    private func cycle(_ arrow: FolderGraph.Arrow) -> Cycle? {
        guard targets[arrow.from]?.contains(arrow.to) == true,
            let way = way(from: arrow.to, to: arrow.from)
        else { return nil }
        return Cycle(arrow: arrow, references: graph.arrows[arrow] ?? [], wayBack: way)
    }

    /// The shortest way between two folders, the first by name of those that are equally short.
    private func way(from start: String, to end: String) -> [Step]? {
        var previous: [String: String] = [:]
        var queue = [start]
        var next = 0
        while next < queue.count, previous[end] == nil {
            let folder = queue[next]
            next += 1
            for target in (targets[folder] ?? []).sorted()
            where target != start && previous[target] == nil {
                previous[target] = folder
                queue.append(target)
            }
        }
        var steps: [Step] = []
        var folder = end
        while folder != start {
            guard let from = previous[folder],
                let reference = graph.arrows[FolderGraph.Arrow(from: from, to: folder)]?.first
            else { return nil }
            steps.insert(Step(to: folder, reference: reference), at: 0)
            folder = from
        }
        return steps
    }
}

extension FolderCycles.Cycle: CustomStringConvertible {
    /// The uses behind the arrow, five at most, and the way back.
    var description: String {
        let uses = references.prefix(5).map { use in
            "\(use.path):\(use.line): '\(use.name)' makes '\(arrow.from)' depend on '\(arrow.to)'"
        }
        let more = references.count > 5 ? ["and \(references.count - 5) other uses"] : []
        let back = wayBack.map { step in
            "  → '\(step.to)' by '\(step.reference.name)' in "
                + "\(step.reference.path):\(step.reference.line)"
        }
        let lines = uses + more + ["which depends on it already: '\(arrow.to)'"] + back
        return lines.joined(separator: "\n")
    }
}

extension FolderCycles {
    /// The circles of a module at every depth: of its folders with all they hold, then of the folders inside, down to
    /// those that hold the sources.
    static func all(_ module: String, _ files: [SourceFile]) -> [Cycle] {
        let depth =
            files.filter { $0.module == module }
            .map { $0.folder.split(separator: "/").count }.max() ?? 0
        let depths = depth > 1 ? Array(1...depth) : [1]
        return depths.map { FolderCycles(FolderGraph(module, files, depth: $0)).cycles }
            .first { !$0.isEmpty } ?? []
    }
}
