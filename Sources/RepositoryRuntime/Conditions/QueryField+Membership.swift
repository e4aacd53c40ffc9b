extension QueryField {
    /// Whether the field equals one of the values. `nil` represents null.
    ///
    /// An empty array gives a condition that is always false.
    public func `in`(_ values: [Value]) -> Condition {
        do {
            let stored = try values.map { try StoredValue(encoding: $0).roundedDates }
            let tree: ConditionTree =
                components.isEmpty
                ? .isIn(queryPath, Set(stored)) : .any(stored.map { equality($0) })
            return Condition(tree, of: Root.self)
        } catch {
            return Condition(.invalid("A value cannot be compared: \(error)."))
        }
    }
}

extension QueryField where Value: OrderedFieldValue {
    /// Whether the field lies in a range, in the order of conditions: `$0.pages.in(100...200)`,
    /// `$0.pages.in(..<100)`. False if it is null.
    public func `in`<Bounds: QueryRange>(_ range: Bounds) -> Condition
    where Bounds.Bound == Value.Comparand {
        let bounds = range.queryBounds
        let lower = bounds.lower.map { compare(.greaterOrEqual, $0).tree }
        let upper = bounds.upper.map {
            compare(bounds.includesUpper ? .lessOrEqual : .less, $0).tree
        }
        return Condition(.all([lower, upper].compactMap { $0 }), of: Root.self)
    }
}

/// A range type of the standard library that `QueryField.in(_:)` accepts.
public protocol QueryRange<Bound> {
    /// The type of the bounds.
    associatedtype Bound: FieldValue
    /// The bounds; nil for an open end. The lower bound is always included.
    var queryBounds: (lower: Bound?, upper: Bound?, includesUpper: Bool) { get }
}

extension ClosedRange: QueryRange where Bound: FieldValue {
    /// The lower and the upper bound, both included.
    public var queryBounds: (lower: Bound?, upper: Bound?, includesUpper: Bool) {
        (lowerBound, upperBound, true)
    }
}

extension Range: QueryRange where Bound: FieldValue {
    /// The lower bound, and the upper bound, which is excluded.
    public var queryBounds: (lower: Bound?, upper: Bound?, includesUpper: Bool) {
        (lowerBound, upperBound, false)
    }
}

extension PartialRangeFrom: QueryRange where Bound: FieldValue {
    /// The lower bound.
    public var queryBounds: (lower: Bound?, upper: Bound?, includesUpper: Bool) {
        (lowerBound, nil, false)
    }
}

extension PartialRangeThrough: QueryRange where Bound: FieldValue {
    /// The upper bound, which is included.
    public var queryBounds: (lower: Bound?, upper: Bound?, includesUpper: Bool) {
        (nil, upperBound, true)
    }
}

extension PartialRangeUpTo: QueryRange where Bound: FieldValue {
    /// The upper bound, which is excluded.
    public var queryBounds: (lower: Bound?, upper: Bound?, includesUpper: Bool) {
        (nil, upperBound, false)
    }
}

extension QueryField {
    /// Whether the list contains an element. `nil` represents a null element.
    public func contains<Element: FieldValue>(_ element: Element) -> Condition
    where Value == [Element] {
        condition(element) { .hasElement(queryPath, $0) }
    }

    /// Whether the list contains an element; false if the list is null.
    public func contains<Element: FieldValue>(_ element: Element) -> Condition
    where Value == [Element]? {
        condition(element) { .hasElement(queryPath, $0) }
    }
}
