internal import RepositoryRuntime

/// A record of a table of an old version, as plain values.
struct PlaceholderEntity<N: PlaceholderNumber>: Entity {
    typealias ID = PlaceholderID<N>
    typealias Mapper = PlaceholderEntityMapper<N>

    /// The values, in the order of the table.
    var values: [StoredValue]

    /// The values of the key fields.
    var id: ID { ID(components: N.table.key.map { values[$0] }) }

    static func == (left: Self, right: Self) -> Bool { left.values == right.values }
}

/// The id of a record of an old version.
struct PlaceholderID<N: PlaceholderNumber>: EntityIdentifier {
    /// The components, in order.
    let components: [StoredValue]

    static var componentCount: Int { N.table.key.count }

    /// The types of the components.
    private static var types: [StoredType] {
        let table = N.table
        return table.key.map { table.layout.fields[$0].type }
    }

    var invalidReason: String? {
        if components.contains(where: { $0.identifierText.utf8.contains(0) }) {
            return "it contains U+0000"
        }
        return components == [.text("")] ? "it is empty" : nil
    }

    func encodeComponents<E: FieldEncoder>(to fields: inout E) throws {
        let forms = N.fields
        for (index, (component, field)) in zip(components, N.table.key).enumerated() {
            try fields.encode(component, forms[field], at: index)
        }
    }

    static func decodeComponents<D: FieldDecoder>(from fields: inout D) throws -> Self {
        let forms = N.fields
        var components: [StoredValue] = []
        for (index, field) in N.table.key.enumerated() {
            components.append(try fields.value(forms[field], at: index))
        }
        return Self(components: components)
    }

    /// The id as the value of a field: the component, or an object of the components.
    private static var field: PlaceholderField {
        PlaceholderField(form: N.id, isOptional: false, defaultValue: nil)
    }

    private static var names: [String] {
        let table = N.table
        return table.key.map { table.layout.fields[$0].name }
    }

    func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        guard components.count > 1 else {
            return try fields.encode(components.first ?? .null, Self.field, at: index)
        }
        let members = Dictionary(zip(Self.names, components), uniquingKeysWith: { $1 })
        try fields.encode(.object(members), Self.field, at: index)
    }

    static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> Self {
        let value = try fields.value(field, at: index)
        guard case .object(let members) = value else { return Self(components: [value]) }
        return Self(components: names.map { members[$0] ?? .null })
    }

    var description: String {
        guard components.count > 1 else { return components.first?.identifierText ?? "" }
        return components.map { component in
            component.identifierText.replacing("%", with: "%25").replacing(",", with: "%2C")
        }.joined(separator: ",")
    }

    init(components: [StoredValue]) { self.components = components }

    init?(_ description: String) {
        let types = Self.types
        var parts = [description]
        if types.count > 1 {
            parts = description.split(separator: ",", omittingEmptySubsequences: false).map {
                String($0).replacing("%2C", with: ",").replacing("%25", with: "%")
            }
        }
        let components = zip(parts, types).compactMap { StoredValue(identifier: $0, $1) }
        guard parts.count == types.count, components.count == types.count else { return nil }
        self.components = components
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "the id is invalid")
        }
        self = id
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    static func < (left: Self, right: Self) -> Bool {
        StoredValue.list(left.components) < StoredValue.list(right.components)
    }
}

/// The mapper of ``PlaceholderEntity``.
enum PlaceholderEntityMapper<N: PlaceholderNumber>: EntityMapper {
    static var table: EntityTable { N.table }

    static func encode<E: FieldEncoder>(_ record: PlaceholderEntity<N>, to fields: inout E) throws {
        for (index, (value, form)) in zip(record.values, N.fields).enumerated() {
            try fields.encode(value, form, at: index)
        }
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> PlaceholderEntity<N> {
        var values: [StoredValue] = []
        for (index, form) in N.fields.enumerated() {
            values.append(try fields.value(form, at: index))
        }
        return PlaceholderEntity(values: values)
    }

    static func version(of record: PlaceholderEntity<N>) -> Int? {
        guard let field = N.table.versionField, case .integer(let version) = record.values[field]
        else { return nil }
        return Int(version)
    }

    static func setVersion(_ version: Int, of record: inout PlaceholderEntity<N>) {
        guard let field = N.table.versionField else { return }
        record.values[field] = .integer(Int64(version))
    }
}

/// A repository of any entity.
struct PlainRepository<Model: Entity>: EntityRepository {
    let context: RepositoryContext

    init(_ context: RepositoryContext) { self.context = context }
}
