internal import Foundation
package import StoredSchema

/// Reads the records of a stored table as plain values, without their Swift type, which the program
/// may no longer contain.
///
/// It works with every ``FieldDecoder``. Mappers and layouts are static members of types. The layout
/// of the record or value that is being decoded is therefore a task-local value.
package final class StoredRowLayout: Sendable {
    /// The layout that ``StoredRow`` decodes.
    @TaskLocal package static var current: StoredRowLayout?

    /// The fields, in the order of the stored description. All are sensitive, because the stored
    /// description does not record which fields are.
    package let layout: FieldLayout
    /// The values of fields that a record may lack, by index.
    private let missing: [Int: StoredValue]

    /// Creates the layout of a table.
    ///
    /// - Parameters:
    ///   - table: the stored table.
    ///   - names: the names under which documents may contain each field, newest first; the field's
    ///     own name if nil.
    ///   - missing: the values of fields that a document may lack, by index.
    /// - Throws: ``MigrationFailure`` for a type that this version of the library does not know.
    package init(
        _ table: StoredTable, names: [[String]]? = nil, missing: [Int: StoredValue] = [:]
    ) throws {
        var fields: [FieldDescription] = []
        for (index, field) in table.fields.enumerated() {
            guard let type = StoredType(field.type) else {
                throw MigrationFailure(
                    table: table.name, field: field.name,
                    "has the type '\(field.type)', which this program does not know")
            }
            // No document contains a field without names. No property can have a name with spaces.
            let known = names?[index] ?? [field.name]
            fields.append(
                FieldDescription(
                    known.first ?? "the new field \(index)", type,
                    optional: field.isOptional || missing[index] != nil,
                    renamedFrom: Array(known.dropFirst()), sensitive: true))
        }
        layout = FieldLayout("a stored record", fields)
        var values = missing
        for (index, field) in table.fields.enumerated() where values[index] == nil {
            if let value = field.defaultValue { values[index] = StoredValue(value) }
        }
        self.missing = values
    }

    /// Decodes some fields of a record.
    ///
    /// - Throws: ``RecordDecodingError`` if a value is not of its type.
    package func values<D: FieldDecoder>(
        of indexes: [Int], from fields: inout D
    ) throws -> [StoredValue] {
        try indexes.map { index in
            let field = layout.fields[index]
            return try fields.storedValue(field.type, optional: field.isOptional, at: index)
        }
    }

    /// Decodes a record.
    ///
    /// - Returns: The values of the fields, in the order of the stored description.
    /// - Throws: ``RecordDecodingError`` if a value is not of its type.
    package func values<D: FieldDecoder>(from fields: inout D) throws -> [StoredValue] {
        var values: [StoredValue] = []
        values.reserveCapacity(layout.fields.count)
        for (index, field) in layout.fields.enumerated() {
            if let value = missing[index], try !fields.contains(at: index) {
                values.append(value)
            } else {
                values.append(
                    try fields.storedValue(field.type, optional: field.isOptional, at: index))
            }
        }
        return values
    }
}

/// A record as plain values, decoded with the current ``StoredRowLayout``.
package struct StoredRow: MappedRecord {
    package typealias Mapper = StoredRowMapper
    /// The values, in the order of the layout.
    package let values: [StoredValue]
}

/// The mapper of ``StoredRow``. It cannot encode.
package enum StoredRowMapper: RecordMapper {
    /// The current layout; a layout without fields outside of a reading.
    package static var layout: FieldLayout {
        StoredRowLayout.current?.layout ?? StoredPart.noFields
    }

    /// Always throws.
    package static func encode<E: FieldEncoder>(_ record: StoredRow, to fields: inout E) throws {
        throw StoredPart.cannotEncode
    }

    /// Decodes a record with the current layout.
    package static func decode<D: FieldDecoder>(from fields: inout D) throws -> StoredRow {
        StoredRow(values: try StoredRowLayout.current?.values(from: &fields) ?? [])
    }
}

extension FieldDecoder {
    /// Decodes a field of a type that is known only at run time.
    fileprivate mutating func storedValue(
        _ type: StoredType, optional: Bool, at index: Int
    ) throws -> StoredValue {
        if optional, try decodeNil(at: index) { return .null }
        switch type.structure {
        case .single(let base, _): return try decode(base, at: index)
        case .composite(let layout):
            return try StoredPart.$current.withValue(.members(layout)) {
                .object(try decodeComposite(StoredComposite.self, at: index).members)
            }
        case .object(let layout):
            return try StoredPart.$current.withValue(.members(layout)) {
                .object(try decodeObject(StoredObject.self, at: index).members)
            }
        case .list(let element, let optional):
            return try StoredPart.$current.withValue(.elements(element, optional: optional)) {
                .list(try decodeList(StoredElement.self, at: index).map(\.value))
            }
        case .map(let element, let optional):
            return try StoredPart.$current.withValue(.elements(element, optional: optional)) {
                .object(try decodeMap(StoredElement.self, at: index).mapValues(\.value))
            }
        }
    }
}

/// The part of a record that is being decoded.
private enum StoredPart: Sendable {
    /// An embedded value or a composite id.
    case members(FieldLayout)
    /// The elements of a list, or the values of a map.
    case elements(StoredType, optional: Bool)

    @TaskLocal static var current: StoredPart?

    /// The layout outside of a reading.
    static let noFields = FieldLayout("a stored value", [])
    /// The error of every attempt to encode.
    static let cannotEncode = RecordDecodingError("is read only")

    /// The layout of the current embedded value.
    static var layout: FieldLayout {
        guard case .members(let layout)? = current else { return noFields }
        return layout
    }

    /// Decodes the members of the current embedded value. Those that are null are left out, unless
    /// the value lacks them and they have a default.
    static func members<D: FieldDecoder>(from fields: inout D) throws -> [String: StoredValue] {
        var members: [String: StoredValue] = [:]
        for (index, field) in layout.fields.enumerated() {
            if let value = field.defaultValue, try !fields.contains(at: index) {
                members[field.name] = value
                continue
            }
            let value = try fields.storedValue(field.type, optional: field.isOptional, at: index)
            if value != .null { members[field.name] = value }
        }
        return members
    }
}

/// An embedded value as plain values.
private struct StoredObject: EmbeddedValue {
    typealias Mapper = StoredObjectMapper
    let members: [String: StoredValue]
}

/// The mapper of ``StoredObject``. It cannot encode.
private enum StoredObjectMapper: RecordMapper {
    static var layout: FieldLayout { StoredPart.layout }

    static func encode<E: FieldEncoder>(_ record: StoredObject, to fields: inout E) throws {
        throw StoredPart.cannotEncode
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> StoredObject {
        StoredObject(members: try StoredPart.members(from: &fields))
    }
}

/// A composite id as plain values.
private struct StoredComposite: CompositeEntityID {
    typealias Mapper = StoredCompositeMapper
    let members: [String: StoredValue]

    var componentStrings: [String] { [] }

    init(members: [String: StoredValue]) { self.members = members }

    /// Nil: such an id is never created from strings.
    init?(componentStrings: [String]) { return nil }

    static func < (left: Self, right: Self) -> Bool { false }
}

/// The mapper of ``StoredComposite``. It cannot encode.
private enum StoredCompositeMapper: RecordMapper {
    static var layout: FieldLayout { StoredPart.layout }

    static func encode<E: FieldEncoder>(_ record: StoredComposite, to fields: inout E) throws {
        throw StoredPart.cannotEncode
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> StoredComposite {
        StoredComposite(members: try StoredPart.members(from: &fields))
    }
}

/// An element of a list, or a value of a map.
private struct StoredElement: FieldValue {
    let value: StoredValue

    func encode<E: FieldEncoder>(to fields: inout E, at index: Int) throws {
        throw StoredPart.cannotEncode
    }

    static func decode<D: FieldDecoder>(from fields: inout D, at index: Int) throws -> Self {
        guard case .elements(let type, let optional)? = StoredPart.current else {
            throw RecordDecodingError("is read outside of a record")
        }
        return Self(value: try fields.storedValue(type, optional: optional, at: index))
    }
}
