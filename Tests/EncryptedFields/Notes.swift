#if Encryption
    import Foundation
    import RepositoryRuntime

    /// A version of the table of notes.
    protocol NoteVersion: Sendable {
        static var table: EntityTable { get }
    }

    /// A note of a version of the schema.
    struct Note<V: NoteVersion>: Entity {
        typealias ID = EntityID<Note<V>, String>
        typealias Mapper = NoteMapper<V>

        let id: ID
        var code: String
        var text: String
        var extra: String?

        init(id: String, code: String, text: String, extra: String? = nil) {
            self.id = EntityID(id)
            self.code = code
            self.text = text
            self.extra = extra
        }

        static func == (left: Self, right: Self) -> Bool {
            left.id == right.id && left.code == right.code && left.text == right.text
                && left.extra == right.extra
        }
    }

    /// The mapping of notes. Versions without a third field do not store it.
    enum NoteMapper<V: NoteVersion>: EntityMapper {
        static var table: EntityTable { V.table }

        static func encode<E: FieldEncoder>(_ note: Note<V>, to fields: inout E) throws {
            try fields.encode(note.id, at: 0)
            try fields.encode(note.code, at: 1)
            try fields.encode(note.text, at: 2)
            if V.table.fields.count > 3 { try fields.encode(note.extra, at: 3) }
        }

        static func decode<D: FieldDecoder>(from fields: inout D) throws -> Note<V> {
            let id = try fields.decode(Note<V>.ID.self, at: 0)
            var note = Note<V>(
                id: id.rawValue, code: try fields.decode(String.self, at: 1),
                text: try fields.decode(String.self, at: 2))
            if V.table.fields.count > 3 { note.extra = try fields.decode(String?.self, at: 3) }
            return note
        }
    }

    /// A repository of notes.
    struct NoteRepository<V: NoteVersion>: EntityRepository {
        typealias Model = Note<V>
        let context: RepositoryContext
        init(_ context: RepositoryContext) { self.context = context }
    }

    private func notes(ignoringCase: Bool = false) -> EntityTable {
        var table = EntityTable("notes", entity: "Note")
        table.field("id", .text, key: true)
        table.field("code", .text, ignoringCase: ignoringCase, encrypted: true)
        table.field("text", .text, encrypted: true)
        return table
    }

    private func letters(ignoringCase: Bool = false) -> EntityTable {
        var table = EntityTable("letters", entity: "Note", renamedFrom: ["notes"])
        table.field("id", .text, key: true)
        table.field(
            "secret", .text, ignoringCase: ignoringCase, encrypted: true, renamedFrom: ["code"],
            columnsRenamedFrom: ["code"])
        table.field("text", .text, encrypted: true)
        return table
    }

    /// Without an index.
    enum PlainNote: NoteVersion {
        static let table = notes()
    }

    /// With an index.
    enum IndexedNote: NoteVersion {
        static let table: EntityTable = {
            var table = notes()
            table.index("notes_code", ["code"])
            return table
        }()
    }

    /// With another name of the property, and the same column.
    enum RespelledNote: NoteVersion {
        static let table: EntityTable = {
            var table = EntityTable("notes", entity: "Note")
            table.field("id", .text, key: true)
            table.field("mark", .text, column: "code", encrypted: true, renamedFrom: ["code"])
            table.field("text", .text, encrypted: true)
            table.index("notes_code", ["mark"])
            return table
        }()
    }

    /// With a unique index that ignores case.
    enum UniqueNote: NoteVersion {
        static let table: EntityTable = {
            var table = notes(ignoringCase: true)
            table.index("notes_code", ["code"], unique: true)
            return table
        }()
    }

    /// With other names.
    enum RenamedNote: NoteVersion {
        static let table: EntityTable = {
            var table = letters()
            table.index("letters_secret", ["secret"])
            return table
        }()
    }

    /// With another field that has the name of a renamed one.
    enum ReusedNote: NoteVersion {
        static let table: EntityTable = {
            var table = letters()
            table.field("code", .text, optional: true, encrypted: true)
            table.index("letters_secret", ["secret"])
            table.index("letters_code", ["code"])
            return table
        }()
    }

    /// With a unique index that ignores case.
    enum FoldedNote: NoteVersion {
        static let table: EntityTable = {
            var table = letters(ignoringCase: true)
            table.field("code", .text, optional: true, encrypted: true)
            table.index("letters_secret", ["secret"], unique: true)
            return table
        }()
    }

    /// Without an index, after all.
    enum BareNote: NoteVersion {
        static let table: EntityTable = {
            var table = letters()
            table.field("code", .text, optional: true, encrypted: true)
            return table
        }()
    }
#endif
