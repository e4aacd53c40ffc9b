extension QueryField {
    /// Whether the field has one of these values; `nil` among them stands for null.
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
    /// Whether the field lies in a range, by the order of conditions: `$0.pages.in(100...200)`, `$0.pages.in(..<100)`.
    /// False where it is null.
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

/// A range of the standard library as a condition takes it.
public protocol QueryRange<Bound> {
    /// What it is a range of.
    associatedtype Bound: FieldValue
    /// Its ends, nil where it is open; the lower one belongs to it.
    var queryBounds: (lower: Bound?, upper: Bound?, includesUpper: Bool) { get }
}

extension ClosedRange: QueryRange where Bound: FieldValue {
    /// Its ends.
    public var queryBounds: (lower: Bound?, upper: Bound?, includesUpper: Bool) {
        (lowerBound, upperBound, true)
    }
}

extension Range: QueryRange where Bound: FieldValue {
    /// Its ends.
    public var queryBounds: (lower: Bound?, upper: Bound?, includesUpper: Bool) {
        (lowerBound, upperBound, false)
    }
}

extension PartialRangeFrom: QueryRange where Bound: FieldValue {
    /// Its ends.
    public var queryBounds: (lower: Bound?, upper: Bound?, includesUpper: Bool) {
        (lowerBound, nil, false)
    }
}

extension PartialRangeThrough: QueryRange where Bound: FieldValue {
    /// Its ends.
    public var queryBounds: (lower: Bound?, upper: Bound?, includesUpper: Bool) {
        (nil, upperBound, true)
    }
}

extension PartialRangeUpTo: QueryRange where Bound: FieldValue {
    /// Its ends.
    public var queryBounds: (lower: Bound?, upper: Bound?, includesUpper: Bool) {
        (nil, upperBound, false)
    }
}

extension QueryField {
    /// Whether the list holds an element; `nil` stands for a null one.
    public func contains<Element: FieldValue>(_ element: Element) -> Condition
    where Value == [Element] {
        condition(element) { .hasElement(queryPath, $0) }
    }

    /// Whether the list holds an element; false where there is no list.
    public func contains<Element: FieldValue>(_ element: Element) -> Condition
    where Value == [Element]? {
        condition(element) { .hasElement(queryPath, $0) }
    }
}
