internal import RepositoryRuntime

/// One version of a table in a changing schema.
protocol Shape: Sendable {
    /// The table in this version of the schema.
    static var table: EntityTable { get }
}

/// A record of a table that a shape declares. Its fields are untyped values, so that the behaviours
/// of opening can declare one table in many ways.
struct Shaped<S: Shape>: Entity {
    typealias ID = EntityID<Shaped<S>, String>
    typealias Mapper = ShapedMapper<S>

    /// The id, the first field of the table.
    let id: ID
    /// The other fields, in the order of the table.
    var values: [StoredValue]

    init(_ id: String, _ values: StoredValue...) {
        self.init(id: ID(id), values: values)
    }

    init(id: ID, values: [StoredValue]) {
        self.id = id
        self.values = values
    }

    static func == (left: Self, right: Self) -> Bool {
        left.id == right.id && left.values == right.values
    }
}

/// The mapper of shaped records.
enum ShapedMapper<S: Shape>: EntityMapper {
    static var table: EntityTable { S.table }

    static func encode<E: FieldEncoder>(_ record: Shaped<S>, to fields: inout E) throws {
        try fields.encode(record.id, at: 0)
        for (index, value) in record.values.enumerated() {
            switch value {
            case .integer(let integer): try fields.encodeInteger(integer, at: index + 1)
            case .text(let text): try fields.encodeString(text, at: index + 1)
            default: try fields.encodeNil(at: index + 1)
            }
        }
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> Shaped<S> {
        let id = try fields.decode(Shaped<S>.ID.self, at: 0)
        var values: [StoredValue] = []
        for (index, field) in table.layout.fields.enumerated().dropFirst() {
            values.append(try value(of: field, at: index, from: &fields))
        }
        return Shaped(id: id, values: values)
    }

    private static func value<D: FieldDecoder>(
        of field: FieldDescription, at index: Int, from fields: inout D
    ) throws -> StoredValue {
        if let value = field.defaultValue, try !fields.contains(at: index) { return value }
        if field.isOptional, try fields.decodeNil(at: index) { return .null }
        if field.type == .int64 { return .integer(try fields.decodeInteger(at: index)) }
        return .text(try fields.decodeString(at: index))
    }
}

/// The repository of the records of a shape.
struct ShapedRepository<S: Shape>: EntityRepository {
    typealias Model = Shaped<S>
    let context: RepositoryContext

    init(_ context: RepositoryContext) {
        self.context = context
    }
}

extension ShapedRepository: SearchableRepository {}

extension StoreTrial {
    /// The records of a shape in the store, opened with a schema that contains the shape and other
    /// tables.
    func shaped<S: Shape>(
        _ shape: S.Type, with others: [EntityTable] = [], set: String = "Changing"
    ) -> ShapedRepository<S> {
        let schema =
            others.isEmpty
            ? StoreSchema(set, [Shaped<S>.self])
            : StoreSchema(set, [S.table] + others)
        return ShapedRepository(
            RepositoryContext(store: store, schema: schema, defaults: defaults))
    }
}
