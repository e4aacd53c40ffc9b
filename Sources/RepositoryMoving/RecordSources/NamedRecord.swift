internal import Foundation
public import RepositoryRuntime
internal import StoredSchema

/// The values of a record by the names of the fields of its entity, as a reader of another
/// database's file finds them.
///
/// ``entity(_:)`` converts each value to the type of its field and decodes the record with the
/// entity's mapper, so that a reader needs no code for an entity. A value may have any form from
/// which the field's value follows without loss: an integer for a number, a decimal or a Boolean, a
/// string for a UUID, a URL, a day or a number, and 16 bytes for a UUID.
public struct NamedRecord: Sendable {
    /// The values by field name. A field without a value has its default, or null.
    public var values: [String: StoredValue]

    /// Creates a record.
    public init(_ values: [String: StoredValue] = [:]) { self.values = values }

    /// Decodes an entity. External data is given as data.
    ///
    /// - Throws: `RecordDecodingError` with the path of the first field whose value does not have
    ///   its type, or is missing.
    public func entity<E: Entity>(_ type: E.Type) throws -> E {
        let layout = E.Mapper.layout
        var external: [String: ExternalData] = [:]
        let row = try layout.fields.map { field in
            try Self.value(of: field, in: values, &external)
        }
        var fields = StoredValueDecoder(row, layout: layout)
        var record = try E.Mapper.decode(from: &fields)
        if !external.isEmpty {
            E.Mapper.changeExternalData(of: &record) { external[$0.description] ?? $0 }
        }
        return record
    }

    private static func value(
        of field: FieldDescription, in values: [String: StoredValue],
        _ external: inout [String: ExternalData]
    ) throws -> StoredValue {
        guard let value = values[field.name], value != .null else {
            if values[field.name] == nil, let value = field.defaultValue { return value }
            if field.isOptional { return .null }
            throw RecordDecodingError(path: field.name, "is required and missing")
        }
        do {
            return try converted(value, to: field.type, &external)
        } catch {
            throw RecordDecodingError.inside(field, error)
        }
    }

    /// Converts a value to the form that a field of a type has.
    private static func converted(
        _ value: StoredValue, to type: StoredType, _ external: inout [String: ExternalData]
    ) throws -> StoredValue {
        switch (type.structure, value) {
        case (.single(.externalData, _), .data(let bytes)):
            let data = ExternalData(bytes)
            external[data.description] = data
            return .text(data.description)
        case (.single(let base, _), _):
            guard let result = value.converted(to: base) else {
                throw RecordDecodingError("is not of type \(base.rawValue)", isMismatch: true)
            }
            return result
        case (.object(let layout), .object(let members)),
            (.composite(let layout), .object(let members)):
            var object: [String: StoredValue] = [:]
            for field in layout.fields {
                let value = try Self.value(of: field, in: members, &external)
                if value != .null { object[field.name] = value }
            }
            return .object(object)
        case (.list(let element, let hasNulls), .list(let elements)):
            return .list(
                try elements.map {
                    $0 == .null && hasNulls ? .null : try converted($0, to: element, &external)
                })
        case (.map(let element, let hasNulls), .object(let members)):
            return .object(
                try members.mapValues {
                    $0 == .null && hasNulls ? .null : try converted($0, to: element, &external)
                })
        default:
            throw RecordDecodingError("is not of its type", isMismatch: true)
        }
    }
}

extension StoredValue {
    /// Returns the value as a field of a base type has it; nil if it is not such a value.
    fileprivate func converted(to base: StoredBaseType) -> StoredValue? {
        switch (base.kind, self) {
        case (.bool, .bool), (.uuid, .uuid), (.data, .data), (.date, .date), (.text, .text),
            (.decimal, .decimal), (.double, .double):
            return self
        case (.integer, .integer(let number)):
            return base.integers?.contains(number) ?? true ? self : nil
        case (.bool, .integer(let number)) where number == 0 || number == 1:
            return .bool(number == 1)
        case (.integer, .bool(let value)): return .integer(value ? 1 : 0)
        case (.integer, .double(let number)):
            return Int64(exactly: number).flatMap { StoredValue.integer($0).converted(to: base) }
        case (.integer, .text(let text)):
            return Int64(text).flatMap { StoredValue.integer($0).converted(to: base) }
        case (.double, .integer(let number)):
            return Double(exactly: number).map { .double($0) }
        case (.double, .text(let text)): return Double(text).map { .double($0) }
        case (.decimal, .integer(let number)): return .decimal(Decimal(number))
        case (.decimal, .double(let number)):
            // The shortest text that means the same number, not its binary expansion.
            return number.isFinite ? Decimal(string: "\(number)").map { .decimal($0) } : nil
        case (.decimal, .text(let text)):
            guard let number = Decimal(string: text), !number.isNaN else { return nil }
            return .decimal(number)
        case (.uuid, .text(let text)): return UUID(uuidString: text).map { .uuid($0) }
        case (.uuid, .data(let bytes)) where bytes.count == 16:
            return .uuid(
                bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
        case (.data, .text(let text)): return .data(Data(text.utf8))
        case (.text, .integer(let number)) where base == .text: return .text("\(number)")
        case (.text, .uuid(let id)) where base == .text: return .text(id.uuidString)
        default: return nil
        }
    }
}
