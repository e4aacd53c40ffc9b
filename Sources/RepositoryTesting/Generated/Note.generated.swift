package import RepositoryRuntime

/// The plainest record, one text under a text.
nonisolated package struct Note: Entity {
    /// The id of a note.
    package typealias ID = EntityID<Note, String>
    /// The mapper between a note and its fields.
    package typealias Mapper = NoteMapper

    package let id: ID
    package var text: String
    package var rank: Int

    /// Makes a note that is not stored yet.
    package init(
        id: ID,
        text: String,
        rank: Int = 0
    ) {
        self.id = id
        self.text = text
        self.rank = rank
    }

    package static func == (left: Note, right: Note) -> Bool {
        guard left.id == right.id else { return false }
        guard left.text == right.text else { return false }
        return left.rank == right.rank
    }
}

/// The mapping between ``Note`` and its fields, one for every store and format.
nonisolated package enum NoteMapper: EntityMapper {
    package static let table: EntityTable = {
        var table = EntityTable("notes", entity: "Note")
        table.field("id", .text, key: true)
        table.field("text", .text)
        table.field("rank", .int64, default: .integer(0))
        table.index("notes_rank", ["rank"])
        return table
    }()

    package static func encode<E: FieldEncoder>(_ note: Note, to fields: inout E) throws {
        try fields.encode(note.id, at: 0)
        try fields.encode(note.text, at: 1)
        try fields.encode(note.rank, at: 2)
    }

    package static func decode<D: FieldDecoder>(from fields: inout D) throws -> Note {
        let id = try fields.decode(Note.ID.self, at: 0)
        let text = try fields.decode(String.self, at: 1)
        let rank = try fields.decode(Int.self, at: 2, default: 0)
        return Note(
            id: id,
            text: text,
            rank: rank
        )
    }
}

/// The notes, wherever they are stored.
nonisolated package struct NoteRepository: EntityRepository {
    package typealias Model = Note
    package let context: RepositoryContext

    package init(_ context: RepositoryContext) {
        self.context = context
    }
}

extension NoteRepository {
    /// The notes of this `rank`.
    nonisolated(nonsending) package func findAll(rank: Int) async throws -> [Note] {
        try await find(index: 0, [StoredValue(encoding: rank)])
    }
}
