internal import RepositoryRuntime

/// A version of a table of pictures: records with two external fields and given ids.
protocol PictureShape: Sendable {
    static var table: EntityTable { get }
    /// Whether the note is a number.
    static var countsNotes: Bool { get }
}

extension PictureShape {
    static var countsNotes: Bool { false }
}

/// The names that a table of pictures and its fields have in a version, and had before.
struct PictureNames: Sendable {
    /// A name, and the earlier ones that the version declares, the newest first.
    struct Name: Sendable, ExpressibleByStringLiteral {
        var present: String
        var earlier: [String] = []

        init(stringLiteral name: String) { present = name }

        init(_ name: String, from earlier: String...) { (present, self.earlier) = (name, earlier) }

        /// Gives another name. The present one becomes an earlier one.
        mutating func change(to name: String) {
            earlier.insert(present, at: 0)
            present = name
            earlier.removeAll { $0 == name }
        }
    }

    var table: Name
    var image: Name = "image"
    var back: Name = "back"
    var note = "note"
    /// The name of the index, which no other table has.
    var index = "pictures_note"

    /// Creates the table.
    ///
    /// - Parameters:
    ///   - countsNotes: whether the note is a number.
    ///   - isOptional: whether the note may be missing.
    func make(countsNotes: Bool = false, isOptional: Bool = false) -> EntityTable {
        var table = EntityTable(
            self.table.present, entity: "Picture", renamedFrom: self.table.earlier)
        table.field("id", .int64, key: true)
        table.assigned("id")
        for name in [image, back] {
            table.field(
                name.present, .externalData, optional: true, renamedFrom: name.earlier,
                columnsRenamedFrom: name.earlier)
        }
        table.field(note, countsNotes ? .int64 : .text, optional: isOptional)
        table.index(index, [note])
        return table
    }
}

/// The versions of tables of pictures.
enum PictureVersions {
    enum Old: PictureShape { static let table = PictureNames(table: "pictures").make() }
    enum Renamed: PictureShape {
        static let table = PictureNames(
            table: .init("paintings", from: "pictures"), image: .init("scan", from: "image")
        ).make()
    }
    enum Spent: PictureShape {
        static let table = PictureNames(table: "paintings", image: "scan").make()
    }
    enum Converted: PictureShape {
        static let table = PictureNames(table: .init("paintings", from: "pictures"))
            .make(countsNotes: true)
        static let countsNotes = true
    }
    enum Recased: PictureShape {
        static let table = PictureNames(
            table: .init("Pictures", from: "pictures"), image: .init("Image", from: "image")
        ).make()
    }
    enum Counted: PictureShape {
        static let table = PictureNames(table: "pictures").make(countsNotes: true)
        static let countsNotes = true
    }
    enum Optionals: PictureShape {
        static let table = PictureNames(table: "pictures").make(isOptional: true)
    }
    enum Remarks: PictureShape {
        static let table = PictureNames(table: "pictures", note: "remark").make()
    }
    enum Middle: PictureShape {
        static let table = PictureNames(table: "pictures", image: .init("middle", from: "image"))
            .make()
    }
    enum Moving: PictureShape {
        static let table = PictureNames(
            table: "pictures", image: "middle", back: .init("image", from: "back")
        ).make()
    }
    enum FieldsExchanged: PictureShape {
        static let table = PictureNames(
            table: "pictures", image: .init("back", from: "middle"), back: "image"
        ).make()
    }
    enum Drawings: PictureShape {
        static let table = PictureNames(table: "drawings", index: "drawings_note").make()
    }
    enum Between: PictureShape {
        static let table = PictureNames(table: .init("between", from: "pictures")).make()
    }
    enum OldAsDrawings: PictureShape {
        static let table = PictureNames(table: .init("drawings", from: "between")).make()
    }
    enum DrawingsAsOld: PictureShape {
        static let table = PictureNames(
            table: .init("pictures", from: "drawings"), index: "drawings_note"
        ).make()
    }
}

/// A picture in one version.
struct Picture<S: PictureShape>: Entity {
    typealias ID = EntityID<Picture<S>, Int>
    typealias Mapper = PictureMapper<S>

    let id: ID
    var image: ExternalData?
    var back: ExternalData?
    var note: String
}

/// The mapping of a picture in one version.
enum PictureMapper<S: PictureShape>: EntityMapper {
    static var table: EntityTable { S.table }

    static func encode<E: FieldEncoder>(_ picture: Picture<S>, to fields: inout E) throws {
        try fields.encode(picture.id, at: 0)
        try fields.encode(picture.image, at: 1)
        try fields.encode(picture.back, at: 2)
        if S.countsNotes {
            try fields.encode(Int64(picture.note) ?? 0, at: 3)
        } else {
            try fields.encode(picture.note, at: 3)
        }
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> Picture<S> {
        try Picture(
            id: fields.decode(Picture<S>.ID.self, at: 0),
            image: fields.decode(ExternalData?.self, at: 1),
            back: fields.decode(ExternalData?.self, at: 2),
            note: S.countsNotes
                ? String(fields.decode(Int64.self, at: 3)) : fields.decode(String.self, at: 3))
    }

    static func changeExternalData(
        of picture: inout Picture<S>, _ change: (ExternalData) throws -> ExternalData
    ) rethrows {
        if let value = picture.image { picture.image = try change(value) }
        if let value = picture.back { picture.back = try change(value) }
    }
}

/// The repository of pictures in one version.
struct PictureRepository<S: PictureShape>: EntityRepository {
    typealias Model = Picture<S>
    let context: RepositoryContext
    init(_ context: RepositoryContext) { self.context = context }

    init(_ shape: S.Type, _ store: any EntityStore, _ schema: StoreSchema) {
        context = RepositoryContext(store: store, schema: schema, fullScans: .allow)
    }

    /// Returns the pictures that the index of the notes finds.
    func findAll(note: String) async throws -> [Picture<S>] {
        try await find(index: 0, [S.countsNotes ? .integer(Int64(note) ?? 0) : .text(note)])
    }
}
