internal import Foundation
internal import RepositoryRuntime
internal import StoredSchema

/// What `convert: value` means: the same value in another type, or nil if it does not fit.
///
/// The runtime has an implementation of its own, which the check compares with this one.
enum ModelConversion {
    /// Returns the value in another type; nil if it does not fit.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - shape: the new type.
    ///   - isOptional: whether the new value may be null.
    ///   - cases: the cases of the new enum.
    static func converted(
        _ value: StoredValue, to shape: StoredShape, isOptional: Bool, cases: [String]?
    ) -> StoredValue? {
        switch (value, shape) {
        case (.null, _) where isOptional: return .null
        case (.null, .list): return .list([])
        case (.null, _): return nil
        case (.list(let elements), .list(let shape, let isOptional)):
            var converted: [StoredValue] = []
            for element in elements {
                guard
                    let element = self.converted(
                        element, to: shape, isOptional: isOptional, cases: cases)
                else { return nil }
                converted.append(element)
            }
            return .list(converted)
        case (_, .list(let shape, let isOptional)):
            return converted(value, to: shape, isOptional: isOptional, cases: cases)
                .map { .list([$0]) }
        case (.object(let values), .map(let shape, let isOptional)):
            var converted: [String: StoredValue] = [:]
            for (key, value) in values {
                guard
                    let value = self.converted(
                        value, to: shape, isOptional: isOptional, cases: cases)
                else { return nil }
                converted[key] = value
            }
            return .object(converted)
        case (.object, .object), (.object, .composite): return value
        case (.object, _), (.list, _), (_, .object), (_, .composite), (_, .map): return nil
        case (_, .single(let name)):
            guard let result = single(value, name) else { return nil }
            if let cases, !cases.contains(text(result) ?? "") { return nil }
            return result
        }
    }

    private static func single(_ value: StoredValue, _ type: String) -> StoredValue? {
        switch type {
        case "text": return text(value).map(StoredValue.text)
        case "bool":
            switch value {
            case .bool: return value
            case .text("true"): return .bool(true)
            case .text("false"): return .bool(false)
            default: return nil
            }
        case "double": return double(value)
        case "float": return float(value)
        case "date":
            if case .date = value { return value }
            guard case .text(let text) = value else { return nil }
            return StoredDate.date(text: text).map(StoredValue.date)
        case "uuid":
            if case .uuid = value { return value }
            guard case .text(let text) = value else { return nil }
            return UUID(uuidString: text).map(StoredValue.uuid)
        case "data":
            if case .data = value { return value }
            return nil
        case "url":
            guard case .text(let text) = value, URL(string: text) != nil else { return nil }
            return value
        case "localDate":
            guard case .text(let text) = value, LocalDate(text) != nil else { return nil }
            return value
        case "decimal": return decimal(value).map(StoredValue.decimal)
        default: break
        }
        if type.hasPrefix("decimal("), let scale = Int(type.dropFirst(8).dropLast()) {
            guard let number = decimal(value),
                let rounded = StoredDecimal.rounded(number, scale: scale)
            else { return nil }
            return rounded == number ? .decimal(number) : nil
        }
        let width = Int(type.drop { !$0.isNumber })
        guard let integer = integer(value), let width else { return nil }
        let isSigned = !type.hasPrefix("u")
        let high = isSigned ? Int64.max >> (64 - width) : Int64(1) << width - 1
        let low = isSigned ? -high - 1 : 0
        return (low...high).contains(integer) ? .integer(integer) : nil
    }

    private static func text(_ value: StoredValue) -> String? {
        switch value {
        case .text(let text): text
        case .bool(let flag): "\(flag)"
        case .integer(let number): "\(number)"
        case .double(let number): "\(number)"
        case .decimal(let number): "\(number)"
        case .date(let date):
            StoredDate.canStore(date)
                ? StoredDate.text(microseconds: StoredDate.microseconds(date)) : nil
        case .uuid(let uuid): uuid.uuidString
        case .data(let data): data.base64EncodedString()
        case .null, .list, .object: nil
        }
    }

    private static func integer(_ value: StoredValue) -> Int64? {
        switch value {
        case .integer(let number): number
        case .double(let number): Int64(exactly: number)
        case .decimal(let number): Int64(number.description)
        case .text(let text): Int64(text)
        default: nil
        }
    }

    private static func decimal(_ value: StoredValue) -> Decimal? {
        switch value {
        case .decimal(let number): number
        case .integer(let number): Decimal(number)
        case .double(let number): StoredDecimal.value(ofText: "\(number)")
        case .text(let text): StoredDecimal.value(ofText: text)
        default: nil
        }
    }

    private static func double(_ value: StoredValue) -> StoredValue? {
        switch value {
        case .double: return value
        case .integer(let number): return Double(exactly: number).map(StoredValue.double)
        case .decimal(let number): return finite(Double("\(number)"))
        case .text(let text): return finite(Double(text))
        default: return nil
        }
    }

    private static func float(_ value: StoredValue) -> StoredValue? {
        if case .integer(let number) = value {
            return Float(exactly: number).map { .double(Double($0)) }
        }
        guard case .double(let number)? = double(value) else { return nil }
        let nearest = Float(number)
        return nearest.isFinite || !number.isFinite ? .double(Double(nearest)) : nil
    }

    private static func finite(_ number: Double?) -> StoredValue? {
        number.flatMap { $0.isFinite ? .double($0) : nil }
    }
}
