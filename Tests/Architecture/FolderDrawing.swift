import RepositorySchema

@testable import RepositoryGeneratorCore

extension FolderGraph {
    /// The arrows that no way over other folders stands for, sorted.
    var reducedArrows: [Arrow] {
        let targets = Dictionary(grouping: arrows.keys, by: \.from).mapValues { $0.map(\.to) }
        func reachable(from folder: String) -> Set<String> {
            var found: Set<String> = []
            var waiting = targets[folder] ?? []
            while let next = waiting.popLast() {
                if found.insert(next).inserted { waiting += targets[next] ?? [] }
            }
            return found
        }
        return arrows.keys.filter { arrow in
            !(targets[arrow.from] ?? []).contains {
                $0 != arrow.to && reachable(from: $0).contains(arrow.to)
            }
        }.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
    }
}

/// The folders of a module as a picture: boxes in columns, each right of those that it uses.
struct FolderDrawing {
    private(set) var svg = ""

    /// Draws the reduced arrows of a graph without circles.
    init(_ graph: FolderGraph) {
        let arrows = graph.reducedArrows
        let boxes = graph.folders.map { folder in
            EntityDiagram.Box(
                name: Self.title(folder), kind: .value, doc: nil,
                rows: arrows.filter { $0.from == folder }.map {
                    EntityDiagram.Row(name: Self.title($0.to), type: .named(""))
                })
        }
        let places = Dictionary(uniqueKeysWithValues: zip(graph.folders, graph.folders.indices))
        let links = graph.folders.flatMap { folder in
            arrows.filter { $0.from == folder }.enumerated().map { row, arrow in
                EntityDiagram.Link(
                    source: places[folder] ?? 0, row: row, target: places[arrow.to] ?? 0,
                    name: arrow.to, sourceCount: .one, targetCount: .one, isReference: true)
            }
        }
        let layout = DiagramLayout(EntityDiagram(name: graph.module, boxes: boxes, links: links))
        let (width, height) = (Int(layout.width.rounded()), Int(layout.height.rounded()))
        svg = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" role="img" aria-label="Folders of \(graph.module)" \
            font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace">
            <rect width="\(width)" height="\(height)" fill="#ffffff"/>

            """
        for line in layout.lines { draw(line) }
        for box in layout.boxes { draw(box, boxes[box.index]) }
        svg += "</svg>\n"
    }

    /// What a box is called; files beside the folders have none.
    private static func title(_ folder: String) -> String {
        folder.isEmpty ? "(beside the folders)" : folder
    }

    private mutating func draw(_ line: DiagramLayout.Line) {
        guard let last = line.points.last, line.points.count > 1 else { return }
        let side = line.points[line.points.count - 2].x < last.x ? -1 : 1
        let points = line.points.map { "\(Self.number($0.x)),\(Self.number($0.y))" }
        let (x, y) = (Int(last.x.rounded()), Int(last.y.rounded()))
        svg += """
            <polyline points="\(points.joined(separator: " "))" fill="none" stroke="#5c6773"/>
            <path d="M\(x) \(y)L\(x + side * 8) \(y - 4)V\(y + 4)Z" fill="#5c6773"/>

            """
    }

    private mutating func draw(_ drawn: DrawnBox, _ box: EntityDiagram.Box) {
        let (left, top) = (Self.number(drawn.left), Self.number(drawn.top))
        let width = Self.number(drawn.width)
        svg += """
            <rect x="\(left)" y="\(top)" width="\(width)" height="\(Self.number(drawn.height))" \
            rx="4" fill="#ffffff" stroke="#3b6ea5"/>
            <rect x="\(left)" y="\(top)" width="\(width)" height="28" rx="4" fill="#dbe7f6" \
            stroke="#3b6ea5"/>
            <text x="\(Self.number(drawn.left + drawn.width / 2))" y="\(Self.number(drawn.top + 19))" \
            font-size="14" font-weight="bold" text-anchor="middle" fill="#1c2733">\(box.name)</text>

            """
        for (index, row) in box.rows.enumerated() {
            svg += """
                <text x="\(Self.number(drawn.left + drawn.nameOffset))" \
                y="\(Self.number(drawn.middle(ofRow: index) + 4))" \
                font-size="12" fill="#5c6773">\(row.name)</text>

                """
        }
    }

    private static func number(_ value: Double) -> Int { Int(value.rounded()) }
}
