public import Foundation

/// A value that has a place in an order, so that conditions may ask for smaller and larger ones and results may be
/// sorted by it: base types, single ids, enums by their raw value, and optionals of them.
///
/// Text is ordered by its UTF-8 bytes, false before true, data by its bytes. A scalar of the user's own declares the
/// conformance beside `StoredScalar`, with nothing to be written for it, and has the order of its stored form.
public protocol OrderedFieldValue: FieldValue {
    /// What it is compared with: the type itself, or what an optional is an optional of, since nothing is smaller or
    /// larger than null in a condition.
    associatedtype Comparand: FieldValue = Self
}

extension Bool: OrderedFieldValue {}
extension Float: OrderedFieldValue {}
extension Double: OrderedFieldValue {}
extension Decimal: OrderedFieldValue {}
extension Date: OrderedFieldValue {}
extension URL: OrderedFieldValue {}
extension Data: OrderedFieldValue {}

extension Optional: OrderedFieldValue where Wrapped: OrderedFieldValue {
    /// What the wrapped type is compared with.
    public typealias Comparand = Wrapped.Comparand
}
