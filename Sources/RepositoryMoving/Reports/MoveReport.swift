internal import Foundation

/// What a comparison found, or what a copy did: for people as text, for programs as a value or JSON.
///
/// A report has the names of tables and fields and the ids of records. It has values only if the
/// call asked for them, and never those of sensitive fields.
public struct MoveReport: Sendable, Hashable, Codable {
    /// One difference between the two sides.
    public struct Difference: Sendable, Hashable, Codable {
        /// The kind of a difference.
        public enum Kind: String, Sendable, Hashable, Codable {
            /// The source has the record, and the target does not.
            case missing
            /// The target has the record, and the source does not.
            case surplus
            /// Both have the record, with different fields.
            case different
            /// The record cannot be read in the source.
            case unreadableInSource
            /// The record cannot be read in the target.
            case unreadableInTarget
        }

        /// The kind.
        public var kind: Kind
        /// The text of the id.
        public var id: String
        /// The fields that differ; for an unreadable record, the one that cannot be decoded.
        public var fields: [String] = []
        /// The values of the fields in the source and the target, if they were asked for.
        public var values: [String: [String]]?
    }

    /// What was found in one table.
    public struct Table: Sendable, Hashable, Codable {
        /// The name.
        public var name: String
        /// The number of records of the source that could be read.
        public var sourceCount = 0
        /// The number of records of the target that could be read.
        public var targetCount = 0
        /// The number of records that are equal on both sides.
        public var equal = 0
        /// The number of records of the source that the target does not have.
        public var missing = 0
        /// The number of records of the target that the source does not have.
        public var surplus = 0
        /// The number of records with different fields.
        public var different = 0
        /// The number of records that cannot be read, on both sides together.
        public var unreadable = 0
        /// The first differences of each kind, at most 20.
        public var differences: [Difference] = []
        /// The SHA-256 of all records of the source, as hexadecimal digits. Two tables with equal
        /// digests have the same records.
        public var sourceDigest = ""
        /// The SHA-256 of all records of the target.
        public var targetDigest = ""
        /// The number of records that the copy wrote.
        public var written = 0
        /// The number of records that the copy removed, because an unfinished copy had written them
        /// and the source has no longer got them.
        public var removed = 0
        /// The number of records of the target that were kept although the source differs: those
        /// that programs have changed, created or deleted.
        public var kept = 0
        /// The number of records that `setAside` left out, or that were written with a field set to
        /// null.
        public var adjusted = 0
        /// The time of the comparison.
        public var seconds = 0.0

        /// Whether both sides have the same records, all of them readable.
        public var isEqual: Bool {
            missing == 0 && surplus == 0 && different == 0 && unreadable == 0
        }
    }

    /// The name of the generated set.
    public var set: String
    /// The kind or name of the source.
    public var source: String
    /// The kind or name of the target.
    public var target: String
    /// What the result proves: `scanned` for a comparison of stores that nobody wrote to.
    public var level = "scanned"
    /// The tables.
    public var tables: [Table] = []
    /// What is lost, refused, or worth knowing.
    public var problems: [MoveProblem] = []
    /// Whether the report is of a copy that is complete: no record of the source is missing in the
    /// target, apart from those that the decisions named.
    public var isComplete = false
    /// The time of the whole call.
    public var seconds = 0.0

    /// Whether both sides have the same records.
    public var isEqual: Bool { tables.allSatisfy(\.isEqual) }

    /// Returns the report as one line of JSON.
    public func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

extension MoveReport: CustomStringConvertible {
    /// The report as a table of text.
    public var description: String {
        let state = isEqual ? "equal" : "different"
        var lines = ["\(set): \(source) -> \(target): \(state) (\(level))"]
        let width = max(5, tables.map(\.name.count).max() ?? 0)
        lines.append(
            Self.line(
                "table", width, ["source", "target", "equal", "missing", "surplus", "differ"])
                + "  digest")
        for table in tables {
            let digest =
                table.sourceDigest == table.targetDigest
                ? String(table.targetDigest.prefix(12)) : "differs"
            lines.append(
                Self.line(
                    table.name, width,
                    [
                        table.sourceCount, table.targetCount, table.equal, table.missing,
                        table.surplus, table.different,
                    ].map(String.init)) + "  \(digest)")
            let counts = [
                ("written", table.written), ("removed", table.removed), ("kept", table.kept),
                ("set aside or changed", table.adjusted), ("unreadable", table.unreadable),
            ]
            let named = counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
            if !named.isEmpty { lines.append("  " + named.joined(separator: ", ")) }
            for difference in table.differences {
                let fields =
                    difference.fields.isEmpty
                    ? "" : ": " + difference.fields.joined(separator: ", ")
                lines.append("  \(difference.kind.rawValue) '\(difference.id)'\(fields)")
                for (name, values) in (difference.values ?? [:]).sorted(by: { $0.key < $1.key }) {
                    lines.append("    \(name): \(values.joined(separator: " | "))")
                }
            }
        }
        lines += problems.map { "- \($0)" }
        return lines.joined(separator: "\n")
    }

    private static func line(_ name: String, _ width: Int, _ columns: [String]) -> String {
        let start = name + String(repeating: " ", count: max(0, width - name.count))
        return columns.reduce(start) {
            $0 + "  " + String(repeating: " ", count: max(0, 8 - $1.count)) + $1
        }
    }
}
