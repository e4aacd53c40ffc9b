package import RepositorySchema

/// The changes since a version with their grades, as text, Markdown and JSON.
package struct ChangeReport: Sendable {
    /// The formats.
    package enum Format: String, Sendable, CaseIterable {
        /// Text for people.
        case text
        /// A Markdown table.
        case markdown
        /// One JSON object.
        case json
    }

    /// The successive comparisons, the oldest first.
    private let comparisons: [VersionComparison]
    /// The number of the last released version.
    private let last: Int
    /// The path of the version file that the schema is compared with, if it is no numbered version.
    private let file: String?
    /// The stores whose costs are shown.
    private let stores: [KnownStore]

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - comparisons: The successive comparisons, the oldest first.
    ///   - last: The number of the last released version.
    ///   - stores: `stores` of the settings; unknown ones are left out. If there are none, the
    ///     stores that keep data are shown.
    ///   - file: The path of the version file that the schema is compared with; nil for a numbered
    ///     version.
    package init(
        _ comparisons: [VersionComparison], last: Int, stores: [Located<String>],
        file: String? = nil
    ) {
        self.file = file
        self.comparisons = comparisons
        self.last = last
        let known = stores.compactMap { KnownStore(rawValue: $0.value) }
        self.stores = known.isEmpty ? [.sqlite, .files, .userDefaults] : known
    }

    /// Returns the report in a format. Lines end with line feeds.
    package func text(as format: Format) -> String {
        switch format {
        case .text: text
        case .markdown: markdown
        case .json: json.indentedText
        }
    }

    /// A line for each change, for summaries.
    package var lines: [String] {
        comparisons.flatMap { comparison in
            comparison.changes.map { change in
                "  \(change.code.rawValue): \(change.sentence) (\(data(change)))"
            }
        }
    }

    /// The number of the version that a comparison leads to, as a title.
    private func title(_ comparison: VersionComparison) -> String {
        let count = comparison.changes.count
        let changes = count == 1 ? "1 change" : "\(count) changes"
        return comparison.nextNumber > last
            ? "\(changes) since \(origin(comparison))"
            : "\(changes) in version \(comparison.nextNumber)"
    }

    /// The version that a comparison begins with.
    private func origin(_ comparison: VersionComparison) -> String {
        file.map { "'\($0)'" } ?? "version \(comparison.number)"
    }

    /// What happens to stored data, with the function that decides it.
    private func data(_ change: SchemaChange) -> String {
        let grade = ChangeGrades(change).data.rawValue
        return change.function.map { "\(grade): \($0)" } ?? grade
    }

    /// What an older program can do on the stores that are shown.
    private func older(_ grades: ChangeGrades) -> String {
        var places: [(name: String, verdict: ChangeGrades.OlderProgram)] = []
        let onPostgreSQL = stores.contains(.postgresql) ? grades.olderOnPostgreSQL : nil
        if stores.contains(.sqlite) || stores.contains(.postgresql) && onPostgreSQL == nil {
            places.append(("columns", grades.olderOnColumns))
        }
        if let onPostgreSQL { places.append(("PostgreSQL", onPostgreSQL)) }
        if stores.contains(where: { ![.sqlite, .postgresql].contains($0) }) {
            places.append(("documents", grades.olderOnDocuments))
        }
        let first = places.first?.verdict ?? grades.olderOnDocuments
        if places.allSatisfy({ $0.verdict == first }) { return first.rawValue }
        return places.map { "\($0.verdict.rawValue) on \($0.name)" }.joined(separator: ", ")
    }

    /// What a store does, with the lock of PostgreSQL.
    private func cost(_ grades: ChangeGrades, in store: KnownStore) -> String {
        guard let cost = grades.cost(in: store) else { return "not migrated" }
        guard store == .postgresql else { return cost.rawValue }
        switch grades.lock {
        case .none: return cost.rawValue
        case .brief: return cost.rawValue + ", with a brief lock"
        case .writers: return cost.rawValue + ", writers wait"
        }
    }
}

extension ChangeReport {
    private var text: String {
        let width = max(16, (stores.map(\.rawValue.count).max() ?? 0) + 2)
        var lines: [String] = []
        for comparison in comparisons {
            guard !comparison.changes.isEmpty else {
                lines.append("No changes since \(origin(comparison)).")
                continue
            }
            lines.append(title(comparison) + ":")
            for change in comparison.changes {
                let grades = ChangeGrades(change)
                let start = change.range.start
                lines += [
                    "",
                    "\(change.range.path):\(start.line):\(start.column): \(change.code.rawValue)",
                    "  " + change.sentence,
                ]
                let rows =
                    [
                        ("stored data", data(change)),
                        ("Swift callers", grades.breaks.map { "break: \($0)" } ?? "compatible"),
                        ("older programs", older(grades)),
                    ] + stores.map { ($0.rawValue, cost(grades, in: $0)) }
                lines += rows.map { name, value in
                    "    " + name + String(repeating: " ", count: width - name.count) + value
                }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var markdown: String {
        var lines: [String] = []
        for comparison in comparisons {
            if !lines.isEmpty { lines.append("") }
            guard !comparison.changes.isEmpty else {
                lines.append("No changes since \(origin(comparison)).")
                continue
            }
            let names =
                ["change", "stored data", "Swift callers", "older programs"]
                + stores.map(\.rawValue)
            lines += [
                "**\(title(comparison))**", "", Self.row(["code"] + names),
                Self.row(Array(repeating: "---", count: names.count + 1)),
            ]
            for change in comparison.changes {
                let grades = ChangeGrades(change)
                lines.append(
                    Self.row(
                        [
                            "`\(change.code.rawValue)`", change.sentence, data(change),
                            grades.breaks.map { "break: \($0)" } ?? "compatible", older(grades),
                        ] + stores.map { cost(grades, in: $0) }))
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A row of a Markdown table. What Markdown would read as its own signs is escaped.
    private static func row(_ cells: [String]) -> String {
        let escaped = cells.map { cell in
            var result = ""
            for character in cell {
                if "|\\<*[]".contains(character) { result += "\\" }
                result.append(character)
            }
            return result
        }
        return "| " + escaped.joined(separator: " | ") + " |"
    }

    private var json: JSONValue {
        [
            "version": .integer(last),
            "stores": .array(stores.map { .string($0.rawValue) }),
            "steps": .array(
                comparisons.map { comparison in
                    [
                        "from": .integer(comparison.number),
                        "to": .integer(comparison.nextNumber),
                        "released": .bool(comparison.nextNumber <= last),
                        "changes": .array(comparison.changes.map { json($0) }),
                    ]
                }),
        ]
    }

    private func json(_ change: SchemaChange) -> JSONValue {
        let grades = ChangeGrades(change)
        return [
            "code": .string(change.code.rawValue),
            "message": .string(change.sentence),
            "kind": .string(change.kind.rawValue),
            "declaration": .string(change.declaration),
            "member": .array(change.member.map { .string($0) }),
            "file": .string(change.range.path),
            "line": .integer(change.range.start.line),
            "column": .integer(change.range.start.column),
            "undecided": .bool(change.isUndecided),
            "function": JSONValue(change.function),
            "storedData": .string(grades.data.rawValue),
            "breaks": JSONValue(grades.breaks),
            "olderProgramOnColumns": .string(grades.olderOnColumns.rawValue),
            "olderProgramOnPostgreSQL": .string(
                (grades.olderOnPostgreSQL ?? grades.olderOnColumns).rawValue),
            "olderProgramOnDocuments": .string(grades.olderOnDocuments.rawValue),
            "stores": .object(
                stores.map {
                    JSONValue.Member($0.rawValue, .string(cost(grades, in: $0)))
                }),
        ]
    }
}
