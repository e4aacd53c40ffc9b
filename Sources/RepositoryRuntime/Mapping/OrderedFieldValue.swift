public import Foundation

/// A value with an order, which conditions can compare and results can be sorted by: a base type, a
/// single id, an enum, or an optional of them.
///
/// Strings and data are ordered by their bytes, Booleans with false first, and enums by their raw
/// values. A user-defined scalar declares conformance in addition to `StoredScalar`, without
/// implementing members, and has the order of its stored value.
public protocol OrderedFieldValue: FieldValue {
    /// The type with which conditions compare: the type itself, or the wrapped type of an optional,
    /// because null has no order in conditions.
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
    /// The type with which the wrapped type is compared.
    public typealias Comparand = Wrapped.Comparand
}
