internal import Foundation
package import StoredSchema

/// The conversion of stored values to another type: `convert: value`.
///
/// A converted value is the same value in the new type. A value fits if nothing of it is lost: a
/// number with a fraction does not fit an integer, and a decimal does not fit a smaller scale. The
/// exceptions are `Float` and `Double`, which take the nearest number, because most decimals have no
/// binary form.
package struct ValueConversion: Sendable {
    private let old: StoredShape
    private let new: StoredShape
    private let isOptional: Bool
    /// The raw values of the new enum as text; nil if the new type is no enum that is closed.
    private let cases: Set<String>?

    /// Creates a conversion.
    ///
    /// - Parameters:
    ///   - old: the type of the stored values.
    ///   - new: the new type.
    ///   - isOptional: whether the new value may be null.
    ///   - cases: the raw values of the new enum as text; nil for any other type.
    package init(
        from old: StoredShape, to new: StoredShape, isOptional: Bool, cases: [String]? = nil
    ) {
        self.old = old
        self.new = new
        self.isOptional = isOptional
        self.cases = cases.map(Set.init)
    }

    /// Returns the value in the new type; nil if it does not fit.
    package func converted(_ value: StoredValue) -> StoredValue? {
        if value == .null { return convertedNull() }
        switch (old, new) {
        case (.list(let from, _), .list(let to, let optional)):
            guard case .list(let elements) = value else { return nil }
            let inner = ValueConversion(
                from: from, to: to, isOptional: optional, cases: cases.map(Array.init))
            return Self.all(elements.map { inner.converted($0) }).map(StoredValue.list)
        case (.map(let from, _), .map(let to, let optional)):
            guard case .object(let values) = value else { return nil }
            let inner = ValueConversion(
                from: from, to: to, isOptional: optional, cases: cases.map(Array.init))
            let pairs = values.map { (key: $0.key, value: inner.converted($0.value)) }
            guard let results = Self.all(pairs.map(\.value)) else { return nil }
            return .object(
                Dictionary(zip(pairs.map(\.key), results), uniquingKeysWith: { $1 }))
        case (_, .list(let element, let optional)):
            let inner = ValueConversion(
                from: old, to: element, isOptional: optional, cases: cases.map(Array.init))
            return inner.converted(value).map { .list([$0]) }
        case (_, .single(let name)):
            guard let result = Self.single(value, name) else { return nil }
            if let cases, !cases.contains(Self.text(result) ?? "") { return nil }
            return result
        default:
            return old == new ? value : nil
        }
    }

    /// Null stays null. As a list it is the empty list.
    private func convertedNull() -> StoredValue? {
        if isOptional { return .null }
        if case .list = new { return .list([]) }
        return nil
    }

    /// Returns the values if all of them are there.
    private static func all(_ values: [StoredValue?]) -> [StoredValue]? {
        let found = values.compactMap { $0 }
        return found.count == values.count ? found : nil
    }

    /// Converts a value to a type with a name such as `int64` or `decimal(2)`.
    private static func single(_ value: StoredValue, _ type: String) -> StoredValue? {
        guard let (base, scale) = StoredBaseType.parsed(type) else { return nil }
        switch base.kind {
        case .text: return text(value, base).map(StoredValue.text)
        case .bool: return bool(value).map(StoredValue.bool)
        case .integer:
            return integer(value).flatMap {
                base.integers?.contains($0) == true ? .integer($0) : nil
            }
        case .double:
            return base == .float
                ? float(value).map { .double(Double($0)) } : double(value).map(StoredValue.double)
        case .decimal: return decimal(value, scale: scale).map(StoredValue.decimal)
        case .date: return date(value).map(StoredValue.date)
        case .uuid: return uuid(value).map(StoredValue.uuid)
        case .data:
            guard case .data = value else { return nil }
            return value
        }
    }

    /// The text form in a type that is stored as text. Only a string becomes a URL.
    private static func text(_ value: StoredValue, _ base: StoredBaseType) -> String? {
        guard base != .text else { return text(value) }
        guard case .text(let text) = value, base.accepts(text) else { return nil }
        return text
    }

    /// The text form: of numbers in decimal notation, of dates in RFC 3339, of data in Base64.
    private static func text(_ value: StoredValue) -> String? {
        switch value {
        case .text(let text): text
        case .bool(let flag): flag ? "true" : "false"
        case .integer(let integer): integer.identifierString
        case .double(let number): number.description
        case .decimal(let number): number.description
        case .date(let date):
            StoredDate.canStore(date)
                ? StoredDate.text(microseconds: StoredDate.microseconds(date)) : nil
        case .uuid(let uuid): uuid.identifierString
        case .data(let data): data.base64EncodedString()
        case .null, .list, .object: nil
        }
    }

    private static func bool(_ value: StoredValue) -> Bool? {
        switch value {
        case .bool(let flag): flag
        case .text("true"): true
        case .text("false"): false
        default: nil
        }
    }

    private static func integer(_ value: StoredValue) -> Int64? {
        switch value {
        case .integer(let integer): integer
        case .double(let number): Int64(exactly: number)
        case .decimal(let number): StoredDecimal.scaledInteger(number, scale: 0)
        case .text(let text): Int64(text)
        default: nil
        }
    }

    private static func double(_ value: StoredValue) -> Double? {
        let result: Double? =
            switch value {
            case .double(let number): number
            case .integer(let integer): Double(exactly: integer)
            case .decimal(let number): Double(number.description)
            case .text(let text): Double(text)
            default: nil
            }
        return result.flatMap { $0.isFinite || value == .double($0) ? $0 : nil }
    }

    private static func float(_ value: StoredValue) -> Float? {
        if case .integer(let integer) = value { return Float(exactly: integer) }
        guard let number = double(value) else { return nil }
        let result = Float(number)
        return result.isFinite || !number.isFinite ? result : nil
    }

    private static func decimal(_ value: StoredValue, scale: Int?) -> Decimal? {
        let result: Decimal? =
            switch value {
            case .decimal(let number): number
            case .integer(let integer): Decimal(integer)
            case .double(let number):
                number.isFinite ? StoredDecimal.value(ofText: number.description) : nil
            case .text(let text): StoredDecimal.value(ofText: text)
            default: nil
            }
        guard let result, let scale else { return result }
        guard let rounded = StoredDecimal.rounded(result, scale: scale), rounded == result else {
            return nil
        }
        return rounded
    }

    private static func date(_ value: StoredValue) -> Date? {
        switch value {
        case .date(let date): date
        case .text(let text): StoredDate.date(text: text)
        default: nil
        }
    }

    private static func uuid(_ value: StoredValue) -> UUID? {
        switch value {
        case .uuid(let uuid): uuid
        case .text(let text): UUID(uuidString: text)
        default: nil
        }
    }
}
