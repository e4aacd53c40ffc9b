internal import Foundation
internal import RepositoryRuntime
internal import StoredSchema

/// The state of a copy into a store, stored in that store. There is one for each set.
struct MoveState: Entity {
    typealias ID = EntityID<MoveState, String>
    typealias Mapper = MoveStateMapper

    /// The `phase` of a copy that has begun and is not verified.
    static let copying = "copying"
    /// The `phase` of a copy that is complete.
    static let copied = "copied"
    /// The `phase` after the program has said that the move is done for good.
    static let finished = "finished"

    /// The format of the state and of ``MovedPart``. A program that does not know it refuses to go
    /// on.
    static let currentFormat: Int64 = 1

    /// The name of the set.
    var id: ID
    /// What was reached.
    var phase: String
    /// Identifies the program that copies. Another one that takes over sets its own.
    var token: UUID
    /// The name of the source.
    var source: String
    /// The state of the source when it was last read, if it has one.
    var sourceState: String?
    /// The fingerprint of the schema.
    var schema: String
    /// The number of records written so far, which changes with every step.
    var written: Int64
    /// The format.
    var format: Int64

    /// Whether the target has all records, and programs use it.
    var isComplete: Bool { phase == Self.copied || phase == Self.finished }
}

/// The mapping of the state.
enum MoveStateMapper: EntityMapper {
    static let table = makeTable()

    private static func makeTable() -> EntityTable {
        var table = EntityTable("repository_moves", entity: "MoveState")
        table.field("id", .text, key: true)
        table.field("phase", .text)
        table.field("token", .uuid)
        table.field("source", .text)
        table.field("sourceState", .text, optional: true)
        table.field("schema", .text)
        table.field("written", .int64)
        table.field("format", .int64)
        return table
    }

    static func encode<E: FieldEncoder>(_ state: MoveState, to fields: inout E) throws {
        try fields.encode(state.id, at: 0)
        try fields.encode(state.phase, at: 1)
        try fields.encode(state.token, at: 2)
        try fields.encode(state.source, at: 3)
        try fields.encode(state.sourceState, at: 4)
        try fields.encode(state.schema, at: 5)
        try fields.encode(state.written, at: 6)
        try fields.encode(state.format, at: 7)
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> MoveState {
        try MoveState(
            id: fields.decode(MoveState.ID.self, at: 0),
            phase: fields.decode(String.self, at: 1),
            token: fields.decode(UUID.self, at: 2),
            source: fields.decode(String.self, at: 3),
            sourceState: fields.decode(String?.self, at: 4),
            schema: fields.decode(String.self, at: 5),
            written: fields.decode(Int64.self, at: 6),
            format: fields.decode(Int64.self, at: 7))
    }
}

extension StoreSchema {
    /// The set of the states of copies, and of what they have written.
    static let moves = StoreSchema("RepositoryMoves", [MoveState.self, MovedPart.self])

    /// A value that is different for a schema whose records are compared differently.
    var moveFingerprint: String {
        let lines = tables.map { table in
            let fields = table.layout.fields.map { "\($0.name):\($0.type.base?.rawValue ?? "-")" }
            return "\(table.name)(\(fields.joined(separator: ",")))"
        }
        return TableDigest.of(Data(lines.joined(separator: "\n").utf8)).base64EncodedString()
    }
}
