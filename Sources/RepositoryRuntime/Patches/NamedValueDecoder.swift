internal import Foundation
internal import StoredSchema

/// Decodes values whose types are known only at run time, and collects everything that is wrong
/// with them.
///
/// It reads the names of a body, such as a JSON object, and decodes their values by the types of
/// the layout. A name that the layout does not have is a violation, also inside embedded values, so
/// that no misspelt name is silently ignored.
struct NamedValueDecoder {
    /// The violations found so far.
    private(set) var violations: [CRUDRepositoryError.Violation] = []

    /// Decodes the fields that a body names.
    ///
    /// - Parameters:
    ///   - decoder: the decoder of the body.
    ///   - layout: the fields.
    ///   - path: the path of the body, empty for the record.
    /// - Returns: the values by field index.
    /// - Throws: the decoder's error if the body has no names.
    mutating func fields(
        from decoder: any Decoder, _ layout: FieldLayout, path: [String] = []
    ) throws -> [Int: StoredValue] {
        let container = try decoder.container(keyedBy: FieldKey.self)
        var values: [Int: StoredValue] = [:]
        // The order of the names in the body is not known; the violations have an order that is.
        for key in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
            let name = key.stringValue
            guard let index = layout.fields.firstIndex(where: { $0.name == name }) else {
                report(.unknown, path + [name], "is not a field of \(layout.name)")
                continue
            }
            let field = layout.fields[index]
            if try container.decodeNil(forKey: key) {
                values[index] = .null
                if !field.isOptional { report(.required, path + [name], "must not be null") }
                continue
            }
            let found = violations.count
            let value = try self.value(
                of: field.type, from: container.superDecoder(forKey: key), path: path + [name])
            if let value, violations.count == found, let cases = field.cases {
                check(value, cases, path: path + [name])
            }
            // A field that was named stays named, whatever its value is.
            values[index] = value ?? .null
            if field.isSensitive { hide(since: found, path + [name]) }
        }
        return values
    }

    /// Decodes a value that is not null. Returns nil, and reports the reason, if it has another
    /// type.
    private mutating func value(
        of type: StoredType, from decoder: any Decoder, path: [String]
    ) throws -> StoredValue? {
        do {
            switch type {
            case .list(let element, let hasNulls):
                return try list(of: element, hasNulls, from: decoder, path)
            case .map(let element, let hasNulls):
                return try map(of: element, hasNulls, from: decoder, path)
            case .object(let layout), .composite(let layout):
                return try object(layout, from: decoder, path)
            default:
                guard let base = type.base else { return nil }
                var fields = SingleValueFieldDecoder(
                    container: try decoder.singleValueContainer())
                let value = try fields.decode(base, at: 0)
                if case .integer(let number) = value, let range = base.integers,
                    !range.contains(number)
                {
                    report(
                        .type, path,
                        "must be a number from \(range.lowerBound) to \(range.upperBound)")
                }
                return value
            }
        } catch {
            // Not only `DecodingError`: JSONDecoder throws another error for a number out of range.
            report(.type, path, "must be \(type.words)")
        }
        return nil
    }

    private mutating func list(
        of element: StoredType, _ hasNulls: Bool, from decoder: any Decoder, _ path: [String]
    ) throws -> StoredValue {
        var container = try decoder.unkeyedContainer()
        var elements: [StoredValue] = []
        while !container.isAtEnd {
            let place = path + ["\(elements.count)"]
            if try container.decodeNil() {
                if !hasNulls { report(.required, place, "must not be null") }
                elements.append(.null)
            } else {
                let value = try value(of: element, from: container.superDecoder(), path: place)
                elements.append(value ?? .null)
            }
        }
        return .list(elements)
    }

    private mutating func map(
        of element: StoredType, _ hasNulls: Bool, from decoder: any Decoder, _ path: [String]
    ) throws -> StoredValue {
        let container = try decoder.container(keyedBy: FieldKey.self)
        var values: [String: StoredValue] = [:]
        for key in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
            let place = path + [key.stringValue]
            if try container.decodeNil(forKey: key) {
                if !hasNulls { report(.required, place, "must not be null") }
                values[key.stringValue] = .null
            } else {
                values[key.stringValue] = try value(
                    of: element, from: container.superDecoder(forKey: key), path: place)
            }
        }
        return .object(values)
    }

    /// Decodes an embedded value: all of it, with the defaults of the fields that are left out.
    private mutating func object(
        _ layout: FieldLayout, from decoder: any Decoder, _ path: [String]
    ) throws -> StoredValue {
        let fields = try fields(from: decoder, layout, path: path)
        var values: [String: StoredValue] = [:]
        for (index, field) in layout.fields.enumerated() {
            if let value = fields[index] ?? field.defaultValue {
                if value != .null { values[field.name] = value }
            } else if !field.isOptional {
                report(.required, path + [field.name], "is required")
            }
        }
        return .object(values)
    }

    /// Reports a value that is not a case of an enum, also inside a list or map.
    private mutating func check(_ value: StoredValue, _ cases: [String], path: [String]) {
        switch value {
        case .text(let text) where !cases.contains(text):
            report(.type, path, "must be one of \(cases.map { "'\($0)'" }.joined(separator: ", "))")
        case .integer(let number) where !cases.contains("\(number)"):
            report(.type, path, "must be one of \(cases.joined(separator: ", "))")
        case .list(let elements):
            for (place, element) in elements.enumerated() {
                check(element, cases, path: path + ["\(place)"])
            }
        case .object(let values):
            for (key, element) in values.sorted(by: { $0.key < $1.key }) {
                check(element, cases, path: path + [key])
            }
        default: return
        }
    }

    /// Adds a violation.
    mutating func report(
        _ rule: CRUDRepositoryError.Violation.Rule, _ path: [String], _ reason: String
    ) {
        violations.append(.field(path.joined(separator: "."), rule, reason))
    }

    /// Replaces the violations inside a sensitive field by one, because map keys are values too.
    private mutating func hide(since count: Int, _ path: [String]) {
        guard violations.count > count, violations.last?.field != path.joined(separator: ".") else {
            return
        }
        violations.removeSubrange(count...)
        report(.type, path, "is not a value of its type")
    }
}

extension CRUDRepositoryError.Violation {
    /// Returns a violation of a rule by a field.
    static func field(_ path: String, _ rule: Rule, _ reason: String) -> Self {
        Self(field: path, rule: rule, message: "The field '\(path)' \(reason).")
    }
}

extension StoredType {
    /// The type with an article, for messages.
    fileprivate var words: String {
        switch self {
        case .bool: "a Boolean"
        case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32: "an integer"
        case .float, .double: "a number"
        case .decimal: "a decimal number"
        case .date: "a date"
        case .text: "a string"
        case .url: "a URL"
        case .uuid: "a UUID"
        case .data: "binary data"
        case .localDate: "a day, such as 2026-11-22"
        case .externalData: "the size and hash of external data"
        case .composite(let layout): "an object with the components of \(layout.name)"
        case .object(let layout): "an object with the fields of \(layout.name)"
        case .list: "a list"
        case .map: "an object"
        }
    }
}
