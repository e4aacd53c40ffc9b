package import RepositoryRuntime
internal import StoredSchema

/// One version of a table, for tests of migrations. Its first field is a text with the name `id`.
package protocol VersionShape: Sendable {
    /// The members of the embedded values in the table.
    associatedtype Part: VersionPart = NoVersionPart
    /// The table in this version.
    static var table: EntityTable { get }
}

extension VersionShape {
    /// Creates a table with the field `id`.
    package static func make(
        _ name: String, renamedFrom: [String] = [], _ change: (inout EntityTable) -> Void
    ) -> EntityTable {
        var table = EntityTable(name, entity: "Versioned", renamedFrom: renamedFrom)
        table.field("id", .text, key: true)
        change(&table)
        return table
    }
}

/// The layout of the embedded values in one version of a table.
package protocol VersionPart: Sendable {
    /// The members, whose types are single values.
    static var layout: FieldLayout { get }
}

/// The layout of tables without embedded values.
package enum NoVersionPart: VersionPart {
    /// No members.
    package static let layout = FieldLayout("Part", [])
}

/// A record of one version of a table, with untyped values.
package struct VersionedRecord<S: VersionShape>: Entity {
    package typealias ID = EntityID<VersionedRecord<S>, String>
    package typealias Mapper = VersionedMapper<S>

    /// The id, the first field of the table.
    package let id: ID
    /// The other fields, in the order of the table.
    package var values: [StoredValue]

    /// Creates a record.
    package init(_ id: String, _ values: StoredValue...) {
        self.init(id: ID(id), values: values)
    }

    /// Creates a record.
    package init(id: ID, values: [StoredValue]) {
        self.id = id
        self.values = values
    }

    /// Whether ids and values are equal.
    package static func == (left: Self, right: Self) -> Bool {
        left.id == right.id && left.values == right.values
    }
}

/// The mapper of versioned records.
package enum VersionedMapper<S: VersionShape>: EntityMapper {
    /// The table of the version.
    package static var table: EntityTable { S.table }

    /// Encodes a record.
    package static func encode<E: FieldEncoder>(
        _ record: VersionedRecord<S>, to fields: inout E
    ) throws {
        try fields.encode(record.id, at: 0)
        for (index, value) in record.values.enumerated() {
            try fields.encode(value, S.Part.self, at: index + 1)
        }
    }

    /// Decodes a record.
    package static func decode<D: FieldDecoder>(
        from fields: inout D
    ) throws -> VersionedRecord<S> {
        let id = try fields.decode(VersionedRecord<S>.ID.self, at: 0)
        var values: [StoredValue] = []
        for (index, field) in table.layout.fields.enumerated().dropFirst() {
            values.append(try fields.decode(field, S.Part.self, at: index))
        }
        return VersionedRecord(id: id, values: values)
    }
}

/// An embedded value of a versioned record.
private struct VersionedValue<P: VersionPart>: EmbeddedValue {
    typealias Mapper = VersionedValueMapper<P>
    let members: [String: StoredValue]
}

/// The mapper of embedded values of versioned records.
private enum VersionedValueMapper<P: VersionPart>: RecordMapper {
    static var layout: FieldLayout { P.layout }

    static func encode<E: FieldEncoder>(_ value: VersionedValue<P>, to fields: inout E) throws {
        for (index, field) in layout.fields.enumerated() {
            try fields.encode(value.members[field.name] ?? .null, P.self, at: index)
        }
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> VersionedValue<P> {
        var members: [String: StoredValue] = [:]
        for (index, field) in layout.fields.enumerated() {
            let value = try fields.decode(field, P.self, at: index)
            if value != .null { members[field.name] = value }
        }
        return VersionedValue(members: members)
    }
}

extension FieldEncoder {
    /// Encodes a value. The elements of lists are texts.
    fileprivate mutating func encode<P: VersionPart>(
        _ value: StoredValue, _ part: P.Type, at index: Int
    ) throws {
        switch value {
        case .null: try encodeNil(at: index)
        case .bool(let value): try encodeBool(value, at: index)
        case .integer(let value): try encodeInteger(value, at: index)
        case .double(let value): try encodeDouble(value, at: index)
        case .decimal(let value): try encodeDecimal(value, at: index)
        case .date(let value): try encodeDate(value, at: index)
        case .uuid(let value): try encodeUUID(value, at: index)
        case .text(let value): try encodeString(value, at: index)
        case .data(let value): try encodeData(value, at: index)
        case .list(let values):
            let texts = values.compactMap { value in
                if case .text(let text) = value { text } else { nil }
            }
            try encodeList(texts, at: index)
        case .object(let members):
            try encodeObject(VersionedValue<P>(members: members), at: index)
        }
    }
}

extension FieldDecoder {
    fileprivate mutating func decode<P: VersionPart>(
        _ field: FieldDescription, _ part: P.Type, at index: Int
    ) throws -> StoredValue {
        if let value = field.defaultValue, try !contains(at: index) { return value }
        if field.isOptional, try decodeNil(at: index) { return .null }
        switch field.type.structure {
        case .single(let base, _): return try decode(base, at: index)
        case .list: return .list(try decodeList(String.self, at: index).map(StoredValue.text))
        case .object, .composite, .map:
            return .object(try decodeObject(VersionedValue<P>.self, at: index).members)
        }
    }
}

/// The repository of the records of one version of a table.
package struct VersionedRepository<S: VersionShape>: EntityRepository {
    /// The records.
    package typealias Model = VersionedRecord<S>
    /// The store.
    package let context: RepositoryContext

    /// Creates a repository.
    package init(_ context: RepositoryContext) {
        self.context = context
    }
}
