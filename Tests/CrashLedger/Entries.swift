package import RepositoryRuntime

/// A record with an id that the store gives, a unique value and a search.
package struct Entry: Entity {
    package typealias ID = EntityID<Entry, Int>
    package typealias Mapper = EntryMapper
    package typealias Fields = EntryFields

    package let id: ID
    /// The writer that the record belongs to.
    package var writer: String
    package var place: Int
    package var text: String
}

/// The fields of an entry.
package struct EntryFields: QueryFields {
    package typealias QueryRoot = Entry

    package init() {}

    package var id: QueryField<Entry, Entry.ID> { .init(0) }
    package var writer: QueryField<Entry, String> { .init(1) }
    package var place: QueryField<Entry, Int> { .init(2) }
    package var text: QueryField<Entry, String> { .init(3) }
}

/// The mapping of an entry.
package enum EntryMapper: EntityMapper {
    package static let table = makeTable()

    private static func makeTable() -> EntityTable {
        var table = EntityTable("entries", entity: "Entry")
        table.field("id", .int64, key: true)
        table.assigned("id")
        table.field("writer", .text)
        table.field("place", .int64)
        table.field("text", .text)
        table.index("entries_place", ["place"], unique: true)
        table.search(["text"])
        return table
    }

    package static func encode<E: FieldEncoder>(_ entry: Entry, to fields: inout E) throws {
        try fields.encode(entry.id, at: 0)
        try fields.encode(entry.writer, at: 1)
        try fields.encode(entry.place, at: 2)
        try fields.encode(entry.text, at: 3)
    }

    package static func decode<D: FieldDecoder>(from fields: inout D) throws -> Entry {
        try Entry(
            id: fields.decode(Entry.ID.self, at: 0), writer: fields.decode(String.self, at: 1),
            place: fields.decode(Int.self, at: 2), text: fields.decode(String.self, at: 3))
    }
}

/// The repository of entries.
package struct EntryRepository: EntityRepository, SearchableRepository {
    package typealias Model = Entry
    package let context: RepositoryContext
    package init(_ context: RepositoryContext) { self.context = context }
}

/// The set of the entries.
package struct Entries: RepositorySet {
    package static let schema = StoreSchema("Entries", [Entry.self])
    package let context: RepositoryContext
    package init(context: RepositoryContext) { self.context = context }
    package var entries: EntryRepository { EntryRepository(context) }
}

/// One write of a writer of entries, as a line of text: `create <place> <word>`, `delete <id>`,
/// `exchange <id> <id>` or `write <id> <word>`.
package enum EntryWrite: Sendable, Equatable {
    case create(place: Int, word: String)
    case delete(Int)
    /// Exchanges the places of two entries in one call.
    case exchange(Int, Int)
    case write(Int, word: String)

    package var text: String {
        switch self {
        case .create(let place, let word): "create \(place) \(word)"
        case .delete(let id): "delete \(id)"
        case .exchange(let first, let second): "exchange \(first) \(second)"
        case .write(let id, let word): "write \(id) \(word)"
        }
    }

    package init?(_ words: [String]) {
        guard words.count > 1, let first = Int(words[1]) else { return nil }
        switch (words[0], words.dropFirst(2).first) {
        case ("create", let word?): self = .create(place: first, word: word)
        case ("delete", nil): self = .delete(first)
        case ("exchange", let second?):
            guard let second = Int(second) else { return nil }
            self = .exchange(first, second)
        case ("write", let word?): self = .write(first, word: word)
        default: return nil
        }
    }

    /// Applies the write to the entries of its writer, by id.
    ///
    /// - Parameter id: the id of a new entry.
    package func apply(to entries: inout [Int: Entry], of writer: String, id: Int) {
        switch self {
        case .create(let place, let word):
            entries[id] = Entry(id: .init(id), writer: writer, place: place, text: word)
        case .delete(let id): entries[id] = nil
        case .exchange(let first, let second):
            guard
                let (one, other) = entries[first].flatMap({ one in
                    entries[second].map { (one, $0) }
                })
            else { return }
            entries[first]?.place = other.place
            entries[second]?.place = one.place
        case .write(let id, let word): entries[id]?.text = word
        }
    }
}
