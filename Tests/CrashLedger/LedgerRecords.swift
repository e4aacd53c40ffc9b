internal import RepositoryRuntime
package import RepositoryTesting

/// The records of one lane of a ledger, as they should be or as a store has them.
///
/// A lane is what one task writes; the records of a lane begin with its letter, so that each can be compared by itself.
package struct LedgerRecords: Sendable, Equatable {
    package var notes: [Note.ID: Note] = [:]
    package var members: [Member.ID: Member] = [:]
    package var halls: [Hall.ID: Hall] = [:]
    package var links: [Link.ID: Link] = [:]

    /// No records.
    package init() {}

    /// The letter that the ids of a lane begin with.
    package static func prefix(_ lane: Int) -> String {
        String(UnicodeScalar(UInt8(ascii: "a") + UInt8(lane)))
    }

    /// Reads the records of all lanes.
    ///
    /// - Throws: `invalidRecord` for one that cannot be read.
    package static func read(_ library: Conformance, lanes: Int) async throws -> [LedgerRecords] {
        let notes = try await library.notes.fetch()
        let members = try await library.members.fetch()
        let halls = try await library.halls.fetch()
        let links = try await library.links.fetch()
        return (0..<lanes).map { lane in
            var records = LedgerRecords()
            records.notes = own(lane, notes)
            records.members = own(lane, members)
            records.halls = own(lane, halls)
            records.links = own(lane, links)
            return records
        }
    }

    private static func own<E: Entity>(_ lane: Int, _ entities: [E]) -> [E.ID: E] {
        let prefix = prefix(lane)
        let own = entities.filter { $0.id.description.hasPrefix(prefix) }
        return Dictionary(own.map { ($0.id, $0) }) { first, _ in first }
    }

    /// What differs from other records, in words: the ids that only one has, and those of different content.
    package func difference(from other: LedgerRecords) -> String {
        [
            Self.difference("notes", notes, other.notes),
            Self.difference("members", members, other.members),
            Self.difference("halls", halls, other.halls),
            Self.difference("links", links, other.links),
        ].compactMap { $0 }.joined(separator: "; ")
    }

    private static func difference<E: Entity>(
        _ name: String, _ mine: [E.ID: E], _ other: [E.ID: E]
    ) -> String? {
        let all = Set(mine.keys).union(other.keys)
        let lines = all.sorted().compactMap { id -> String? in
            switch (mine[id], other[id]) {
            case (nil, _?): "\(id.description.prefix(20)) missing"
            case (_?, nil): "\(id.description.prefix(20)) too many"
            case (let mine?, let other?) where mine != other:
                "\(id.description.prefix(20)) differs"
            default: nil
            }
        }
        return lines.isEmpty ? nil : "\(name): \(lines.joined(separator: ", "))"
    }
}
