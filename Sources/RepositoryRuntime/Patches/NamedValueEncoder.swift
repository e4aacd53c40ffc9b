internal import Foundation

/// Encodes values by the types of a layout, as the mapper's `Codable` encodes them.
enum NamedValueEncoder {
    /// Encodes named fields. A null is encoded as null, because a missing name has another meaning.
    ///
    /// - Parameters:
    ///   - values: the values by field index.
    ///   - layout: the fields.
    ///   - encoder: the encoder.
    static func encode(
        _ values: [Int: StoredValue], _ layout: FieldLayout, to encoder: any Encoder
    ) throws {
        var container = encoder.container(keyedBy: FieldKey.self)
        for (index, field) in layout.fields.enumerated() {
            guard let value = values[index] else { continue }
            if value == .null {
                try container.encodeNil(forKey: FieldKey(field.name))
            } else {
                try container.encode(
                    TypedValue(value: value, type: field.type), forKey: FieldKey(field.name))
            }
        }
    }
}

/// A stored value with its type, which encodes as the value of a field of that type does.
private struct TypedValue: Encodable {
    let value: StoredValue
    let type: StoredType

    func encode(to encoder: any Encoder) throws {
        switch (type, value) {
        case (.object(let layout), .object(let values)),
            (.composite(let layout), .object(let values)):
            var container = encoder.container(keyedBy: FieldKey.self)
            for field in layout.fields {
                guard let value = values[field.name], value != .null else { continue }
                try container.encode(
                    TypedValue(value: value, type: field.type), forKey: FieldKey(field.name))
            }
        case (.list(let element, _), .list(let values)):
            var container = encoder.unkeyedContainer()
            for value in values { try container.encode(TypedValue(value: value, type: element)) }
        case (.map(let element, _), .object(let values)):
            var container = encoder.container(keyedBy: FieldKey.self)
            for (key, value) in values {
                try container.encode(
                    TypedValue(value: value, type: element), forKey: FieldKey(key))
            }
        default:
            var container = encoder.singleValueContainer()
            try encode(to: &container)
        }
    }

    /// Encodes a value of a base type.
    private func encode(to container: inout any SingleValueEncodingContainer) throws {
        switch value {
        case .null, .list, .object: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .double(let value):
            if case .float = type {
                try container.encode(Float(value))
            } else {
                try container.encode(value)
            }
        case .decimal(let value): try container.encode(value)
        case .date(let value): try container.encode(value)
        case .uuid(let value): try container.encode(value)
        case .data(let value): try container.encode(value)
        case .text(let text):
            if case .url = type, let url = URL(string: text) {
                try container.encode(url)
            } else {
                try container.encode(text)
            }
        }
    }
}
