internal import Foundation

/// What a copy would do, lose or refuse.
public struct MovePlan: Sendable, Hashable, Codable {
    /// One table.
    public struct Table: Sendable, Hashable, Codable {
        /// The name.
        public var name: String
        /// The number of records of the source.
        public var sourceCount: Int
        /// The number of records that the target has already.
        public var targetCount: Int
    }

    /// The name of the generated set.
    public var set: String
    /// The kind or name of the source.
    public var source: String
    /// The kind or name of the target.
    public var target: String
    /// The tables.
    public var tables: [Table] = []
    /// What would be lost or refused, and what is worth knowing.
    public var problems: [MoveProblem] = []

    /// Whether a copy would run to its end without decisions.
    public var isAllowed: Bool { !problems.contains(where: \.stops) }

    /// Returns the plan as one line of JSON.
    public func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

extension MovePlan: CustomStringConvertible {
    /// The plan as lines of text.
    public var description: String {
        var lines = [
            "\(set): \(source) -> \(target): \(isAllowed ? "can be copied" : "is refused")"
        ]
        lines += tables.map { table in
            let there = table.targetCount > 0 ? ", the target has \(table.targetCount)" : ""
            return "  \(table.name): \(table.sourceCount) records\(there)"
        }
        lines += problems.map { "- \($0.stops ? "" : "note: ")\($0)" }
        return lines.joined(separator: "\n")
    }
}
