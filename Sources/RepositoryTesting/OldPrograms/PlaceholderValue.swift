internal import Foundation
internal import RepositoryRuntime
internal import StoredSchema

/// An embedded value of an old version, as plain values.
struct PlaceholderValue<N: PlaceholderNumber>: EmbeddedValue {
    typealias Mapper = PlaceholderValueMapper<N>
    let members: [String: StoredValue]
}

/// The mapper of ``PlaceholderValue``.
enum PlaceholderValueMapper<N: PlaceholderNumber>: RecordMapper {
    static var layout: FieldLayout { N.layout }

    static func encode<E: FieldEncoder>(_ record: PlaceholderValue<N>, to fields: inout E) throws {
        try fields.encode(record.members, N.self)
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> PlaceholderValue<N> {
        PlaceholderValue(members: try fields.members(N.self))
    }
}

/// A reference of an old version to an entity with a composite id, as plain values.
struct PlaceholderReference<N: PlaceholderNumber>: CompositeEntityID {
    typealias Mapper = PlaceholderReferenceMapper<N>
    let members: [String: StoredValue]

    init(members: [String: StoredValue]) { self.members = members }

    var componentStrings: [String] {
        N.layout.fields.map { (members[$0.name] ?? .null).identifierText }
    }

    init?(componentStrings: [String]) {
        let fields = N.layout.fields
        guard fields.count == componentStrings.count else { return nil }
        var members: [String: StoredValue] = [:]
        for (field, text) in zip(fields, componentStrings) {
            guard let value = StoredValue(identifier: text, field.type) else { return nil }
            members[field.name] = value
        }
        self.members = members
    }

    static func < (left: Self, right: Self) -> Bool {
        let names = N.layout.fields.map(\.name)
        func components(_ id: Self) -> [StoredValue] { names.map { id.members[$0] ?? .null } }
        return StoredValue.list(components(left)) < StoredValue.list(components(right))
    }
}

/// The mapper of ``PlaceholderReference``.
enum PlaceholderReferenceMapper<N: PlaceholderNumber>: RecordMapper {
    static var layout: FieldLayout { N.layout }

    static func encode<E: FieldEncoder>(
        _ record: PlaceholderReference<N>, to fields: inout E
    ) throws {
        try fields.encode(record.members, N.self)
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> PlaceholderReference<N> {
        PlaceholderReference(members: try fields.members(N.self))
    }
}

/// An element of a list or a value of a map.
private struct PlaceholderElement<N: PlaceholderNumber>: FieldValue {
    let value: StoredValue

    func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        try fields.encode(value, N.element, at: index)
    }

    static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> Self {
        Self(value: try fields.value(N.element, at: index))
    }
}

extension StoredValue {
    /// Creates a component of an id from its string form; nil if it is invalid.
    init?(identifier text: String, _ type: StoredType) {
        switch type {
        case .text: self = .text(text)
        case .uuid:
            guard let uuid = UUID(identifierString: text) else { return nil }
            self = .uuid(uuid)
        default:
            guard let integer = Int64(identifierString: text) else { return nil }
            self = .integer(integer)
        }
    }
}

extension FieldEncoder {
    /// Encodes the members of an embedded value.
    fileprivate mutating func encode<N: PlaceholderNumber>(
        _ members: [String: StoredValue], _ number: N.Type
    ) throws {
        for (index, (field, form)) in zip(N.layout.fields, N.fields).enumerated() {
            try encode(members[field.name] ?? .null, form, at: index)
        }
    }

    /// Encodes a value in the form of its field.
    mutating func encode(
        _ value: StoredValue, _ field: PlaceholderField, at index: Int
    ) throws {
        switch (value, field.form) {
        case (.null, _): try encodeNil(at: index)
        case (.bool(let value), _): try encodeBool(value, at: index)
        case (.integer(let value), _): try encodeInteger(value, at: index)
        case (.double(let value), .single(.float)): try encodeFloat(Float(value), at: index)
        case (.double(let value), _): try encodeDouble(value, at: index)
        case (.decimal(let value), _): try encodeDecimal(value, at: index)
        case (.date(let value), _): try encodeDate(value, at: index)
        case (.uuid(let value), _): try encodeUUID(value, at: index)
        case (.text(let value), .single(.url)):
            guard let url = URL(string: value) else { throw PlaceholderProblem.notOfItsType }
            try encodeURL(url, at: index)
        case (.text(let value), _): try encodeString(value, at: index)
        case (.data(let value), _): try encodeData(value, at: index)
        case (.list(let values), .list(let element)):
            try encodeList(values, element, at: index)
        case (.object(let values), .map(let element)): try encodeMap(values, element, at: index)
        case (.object(let members), .object(let number)):
            try encodeObject(members, number, at: index)
        case (.object(let members), .composite(let number)):
            try encodeComposite(members, number, at: index)
        case (.list, _), (.object, _): throw PlaceholderProblem.notOfItsType
        }
    }

    private mutating func encodeList<N: PlaceholderNumber>(
        _ values: [StoredValue], _ element: N.Type, at index: Int
    ) throws {
        try encodeList(values.map { PlaceholderElement<N>(value: $0) }, at: index)
    }

    private mutating func encodeMap<N: PlaceholderNumber>(
        _ values: [String: StoredValue], _ element: N.Type, at index: Int
    ) throws {
        try encodeMap(values.mapValues { PlaceholderElement<N>(value: $0) }, at: index)
    }

    private mutating func encodeObject<N: PlaceholderNumber>(
        _ members: [String: StoredValue], _ number: N.Type, at index: Int
    ) throws {
        try encodeObject(PlaceholderValue<N>(members: members), at: index)
    }

    private mutating func encodeComposite<N: PlaceholderNumber>(
        _ members: [String: StoredValue], _ number: N.Type, at index: Int
    ) throws {
        try encodeComposite(PlaceholderReference<N>(members: members), at: index)
    }
}

extension FieldDecoder {
    /// Decodes the members of an embedded value. Those that are null are left out.
    fileprivate mutating func members<N: PlaceholderNumber>(
        _ number: N.Type
    ) throws -> [String: StoredValue] {
        var members: [String: StoredValue] = [:]
        for (index, (field, form)) in zip(N.layout.fields, N.fields).enumerated() {
            let value = try value(form, at: index)
            if value != .null { members[field.name] = value }
        }
        return members
    }

    /// Decodes a value in the form of its field.
    mutating func value(_ field: PlaceholderField, at index: Int) throws -> StoredValue {
        if let value = field.defaultValue, try !contains(at: index) { return value }
        if field.isOptional, try decodeNil(at: index) { return .null }
        switch field.form {
        case .single(let type): return try single(type, at: index)
        case .list(let element): return try list(element, at: index)
        case .map(let element): return try map(element, at: index)
        case .object(let number): return try object(number, at: index)
        case .composite(let number): return try composite(number, at: index)
        }
    }

    private mutating func single(_ type: StoredType, at index: Int) throws -> StoredValue {
        guard let base = type.base else { throw PlaceholderProblem.notOfItsType }
        return try decode(base, at: index)
    }

    private mutating func list<N: PlaceholderNumber>(
        _ element: N.Type, at index: Int
    ) throws -> StoredValue {
        .list(try decodeList(PlaceholderElement<N>.self, at: index).map(\.value))
    }

    private mutating func map<N: PlaceholderNumber>(
        _ element: N.Type, at index: Int
    ) throws -> StoredValue {
        .object(try decodeMap(PlaceholderElement<N>.self, at: index).mapValues(\.value))
    }

    private mutating func object<N: PlaceholderNumber>(
        _ number: N.Type, at index: Int
    ) throws -> StoredValue {
        .object(try decodeObject(PlaceholderValue<N>.self, at: index).members)
    }

    private mutating func composite<N: PlaceholderNumber>(
        _ number: N.Type, at index: Int
    ) throws -> StoredValue {
        .object(try decodeComposite(PlaceholderReference<N>.self, at: index).members)
    }
}

/// A value that a placeholder cannot encode.
enum PlaceholderProblem: Error {
    /// The value is not of the type of its field.
    case notOfItsType
}
