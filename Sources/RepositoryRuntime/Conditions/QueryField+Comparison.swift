internal import Foundation

extension QueryField {
    /// Whether the field has this value; null equals null alone. Dates are rounded as they are when stored.
    public static func == (field: Self, value: Value) -> Condition {
        field.equals(value)
    }

    /// Whether the field has another value: the negation of `==`, so that null differs from every value.
    public static func != (field: Self, value: Value) -> Condition {
        !field.equals(value)
    }

    private func equals(_ value: Value) -> Condition {
        condition(value) { equality($0) }
    }

    /// Whether the field has the stored value; an id of several components is taken apart.
    func equality(_ stored: StoredValue) -> ConditionTree {
        guard !components.isEmpty else { return .compare(queryPath, .equal, stored) }
        guard case .object(let object) = stored else { return .constant(false) }
        let fields = Root.Mapper.layout.fields
        return .all(
            components.map { path in
                .compare(path, .equal, object[fields[path.field].name] ?? .null)
            })
    }

    /// The condition over the stored form of a value, or one that says why there is none.
    func condition<V: FieldValue>(
        _ value: V, _ make: (StoredValue) -> ConditionTree
    ) -> Condition {
        do {
            return Condition(make(try StoredValue(encoding: value).roundedDates), of: Root.self)
        } catch {
            return Condition(.invalid("A value cannot be compared: \(error)."))
        }
    }
}

/// One overload for each operator, optional fields included: with two, the compiler reports a wrong operand as a wrong
/// field.
extension QueryField where Value: OrderedFieldValue {
    /// Whether the field is smaller than a value; false where it is null.
    public static func < (field: Self, value: Value.Comparand) -> Condition {
        field.compare(.less, value)
    }

    /// Whether the field is smaller than a value or equal to it; false where it is null.
    public static func <= (field: Self, value: Value.Comparand) -> Condition {
        field.compare(.lessOrEqual, value)
    }

    /// Whether the field is larger than a value; false where it is null.
    public static func > (field: Self, value: Value.Comparand) -> Condition {
        field.compare(.greater, value)
    }

    /// Whether the field is larger than a value or equal to it; false where it is null.
    public static func >= (field: Self, value: Value.Comparand) -> Condition {
        field.compare(.greaterOrEqual, value)
    }

    func compare(_ comparison: ConditionTree.Comparison, _ value: Value.Comparand) -> Condition {
        condition(value) { .compare(queryPath, comparison, $0) }
    }
}

extension StoredValue {
    /// The value with its dates, at any depth, rounded to microseconds as every stored date is.
    var roundedDates: StoredValue {
        switch self {
        case .date(let date): .date(StoredDate.rounded(date))
        case .list(let elements): .list(elements.map(\.roundedDates))
        case .object(let fields): .object(fields.mapValues(\.roundedDates))
        case .null, .bool, .integer, .double, .decimal, .uuid, .text, .data: self
        }
    }
}
