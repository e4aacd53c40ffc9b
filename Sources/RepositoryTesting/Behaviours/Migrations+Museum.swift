internal import Foundation
internal import RepositoryRuntime
internal import StoredSchema
internal import Synchronization

/// The new ids that functions returned, by the old ids.
final class ReturnedIDs: Sendable {
    private let ids = Mutex<[StoredValue: [StoredValue]]>([:])

    /// A function that returns a new id that is unique in the world.
    func function(_ field: String) -> MigrationFunction {
        { [self] old, new in
            let id = StoredValue.uuid(UUID())
            ids.withLock { $0[old[field], default: []].append(id) }
            new[field] = id
            return true
        }
    }

    /// The new id of a record.
    subscript(_ old: StoredValue) -> StoredValue { ids.withLock { $0[old]?.last ?? .null } }

    /// The number of calls for each record.
    var counts: [StoredValue: Int] { ids.withLock { $0.mapValues(\.count) } }
}

/// Artists whose ids change from an integer to a UUID, and references to them: of works in fields,
/// lists, maps, embedded values and unions, in the composite id of their parts, and of the artists
/// themselves. Artists refer to works in turn.
enum Museum {
    static func tables(_ id: StoredType, work: StoredType) -> [EntityTable] {
        var artists = EntityTable("artists", entity: "Artist")
        artists.field("id", id, key: true)
        artists.field("name", .text)
        artists.field(
            "teacherID", id, optional: true, reference: TableReference("artists"))
        artists.field(
            "bestID", work, optional: true, reference: TableReference("works", onDelete: .none))
        var works = EntityTable("works", entity: "Work")
        works.field("code", work, key: true)
        works.field("artistID", id, reference: TableReference("artists"))
        works.field("others", .list(id))
        works.field("roles", .map(id))
        works.field(
            "origin",
            .object(
                FieldLayout(
                    "Origin",
                    [FieldDescription("by", id, optional: true), FieldDescription("year", .int64)]))
        )
        works.field(
            "seal",
            .object(
                FieldLayout(
                    "Seal",
                    [
                        FieldDescription(
                            "wax", .object(FieldLayout("Wax", [FieldDescription("by", id)])),
                            optional: true),
                        FieldDescription(
                            "ink",
                            .object(FieldLayout("Ink", [FieldDescription("color", .text)])),
                            optional: true),
                    ])))
        var parts = EntityTable("parts", entity: "Part")
        parts.field("artist", id, reference: TableReference("artists"), key: true)
        parts.field("number", .int64, key: true)
        parts.field("name", .text)
        var labels = EntityTable("labels", entity: "Label")
        labels.field("id", .text, key: true)
        labels.field(
            "part",
            .composite(
                FieldLayout(
                    "Part", [FieldDescription("artist", id), FieldDescription("number", .int64)])),
            optional: true, reference: TableReference("parts"))
        return [artists, works, parts, labels]
    }

    /// Stores records of version 1.
    static func write(to trial: StoreTrial) async throws {
        try await first().write(
            [
                "artists": [
                    [.integer(1), .text("A"), .null, .null],
                    [.integer(2), .text("B"), .integer(1), .text("x")],
                    [.integer(3), .text("C"), .integer(3), .text("y")],
                ],
                "works": [
                    [
                        .text("x"), .integer(2), .list([.integer(1), .integer(3), .integer(1)]),
                        .object(["a": .integer(2)]),
                        .object(["by": .integer(3), "year": .integer(1)]),
                        .object(["wax": .object(["by": .integer(1)])]),
                    ],
                    [
                        .text("y"), .integer(3), .list([]), .object([:]),
                        .object(["year": .integer(2)]),
                        .object(["ink": .object(["color": .text("red")])]),
                    ],
                ],
                "parts": [
                    [.integer(1), .integer(1), .text("p")], [.integer(1), .integer(2), .text("q")],
                ],
            ], to: trial.store)
        try await first().write(
            [
                "labels": [
                    [.text("l"), .object(["artist": .integer(1), "number": .integer(2)])],
                    [.text("m"), .null],
                    [.text("n"), .object(["artist": .integer(1), "number": .integer(1)])],
                ]
            ], to: trial.store)
    }

    private static let toSecond =
        changes(number: 2) + [
            .convertByCode(
                DataPath("works", ["code"]), .single("uuid"), isOptional: false,
                function: "workCodeTo2"),
            .followID(
                DataPath("artists", ["bestID"]), .single("uuid"), isOptional: true, of: "works"),
        ]

    /// The changes of the ids of artists.
    private static func changes(number: Int) -> [DataChange] {
        let id = StoredShape.single("uuid")
        func follow(_ table: String, _ steps: [String], isOptional: Bool = false) -> DataChange {
            .followID(DataPath(table, steps), id, isOptional: isOptional, of: "artists")
        }
        return [
            .convertByCode(
                DataPath("artists", ["id"]), id, isOptional: false,
                function: "artistIdTo\(number)"),
            follow("artists", ["teacherID"], isOptional: true), follow("works", ["artistID"]),
            follow("works", ["others", DataPath.elements]),
            follow("works", ["roles", DataPath.mapValues]),
            follow("works", ["origin", "by"], isOptional: true),
            follow("works", ["seal", "wax", "by"]), follow("parts", ["artist"]),
            follow("labels", ["part", "artist"]),
        ]
    }

    /// The program of version 1.
    static func first() throws -> PlainProgram {
        var versions = TableVersions()
        versions.release(tables(.int64, work: .text))
        return try versions.program()
    }

    /// The program of version 2.
    ///
    /// - Parameters:
    ///   - artists: the function of the ids of artists.
    ///   - works: the function of the ids of works.
    static func second(
        _ artists: @escaping MigrationFunction,
        works: @escaping MigrationFunction = ReturnedIDs().function("code")
    ) throws -> PlainProgram {
        var versions = TableVersions()
        versions.release(tables(.int64, work: .text))
        versions.release(tables(.uuid, work: .uuid), toSecond)
        versions.functions = ["artistIdTo2": artists, "workCodeTo2": works]
        return try versions.program()
    }

    /// The program of version 2 in which the ids of artists are an enum that gets other raw values.
    static func replacing(_ values: [String: String]) throws -> PlainProgram {
        let paths = [
            DataPath("artists", ["id"]), DataPath("artists", ["teacherID"]),
            DataPath("works", ["artistID"]), DataPath("works", ["others"]),
            DataPath("works", ["roles"]), DataPath("works", ["origin", "by"]),
            DataPath("works", ["seal", "wax", "by"]), DataPath("parts", ["artist"]),
            DataPath("labels", ["part", "artist"]),
        ]
        var versions = TableVersions()
        versions.release(tables(.int64, work: .text))
        versions.release(
            tables(.int64, work: .text), paths.map { .replaceCases($0, values) })
        return try versions.program()
    }

    /// The program of version 3, in which the ids of artists change again, and works are removed.
    static func twoVersions(
        _ functions: [String: MigrationFunction]
    ) throws -> PlainProgram {
        var versions = TableVersions()
        versions.release(tables(.int64, work: .text))
        versions.release(
            tables(.uuid, work: .uuid),
            [
                .convertByCode(
                    DataPath("artists", ["name"]), .single("text"), isOptional: false,
                    function: "artistNameTo2")
            ] + toSecond)
        var third = tables(.uuid, work: .uuid)
        third.removeAll { $0.name == "works" }
        var artists = EntityTable("artists", entity: "Artist")
        artists.field("id", .uuid, key: true)
        artists.field("name", .text)
        artists.field(
            "teacherID", .uuid, optional: true, reference: TableReference("artists"))
        artists.field("bestID", .uuid, optional: true)
        third[0] = artists
        versions.release(
            third,
            [.removeTable("works")]
                + changes(number: 3).filter { !["works"].contains($0.path?.table) })
        versions.functions = functions
        return try versions.program()
    }

    /// The program of version 2 in which the id of parts gets another component.
    static func withShelves(_ function: @escaping MigrationFunction) throws -> PlainProgram {
        var versions = TableVersions()
        versions.release(tables(.int64, work: .text))
        var second = tables(.int64, work: .text)
        var parts = EntityTable("parts", entity: "Part")
        parts.field("artist", .int64, reference: TableReference("artists"), key: true)
        parts.field("shelf", .text, key: true)
        parts.field("number", .int64, key: true)
        parts.field("name", .text)
        var labels = EntityTable("labels", entity: "Label")
        labels.field("id", .text, key: true)
        let id = FieldLayout(
            "Part",
            [
                FieldDescription("artist", .int64), FieldDescription("shelf", .text),
                FieldDescription("number", .int64),
            ])
        labels.field("part", .composite(id), optional: true, reference: TableReference("parts"))
        second[2] = parts
        second[3] = labels
        let described = StoredTable(parts, in: StoreSchema("Versions", second))
        versions.release(
            second,
            [
                .records("parts", fields: described.fields, function: "partTo2"),
                .changeKey("parts", to: described.key),
                .followID(
                    DataPath("labels", ["part"]), StoredShape(.composite(id)), isOptional: true,
                    of: "parts"),
            ])
        versions.functions = ["partTo2": function]
        return try versions.program()
    }
}
