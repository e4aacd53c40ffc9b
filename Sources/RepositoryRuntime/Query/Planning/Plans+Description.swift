/// Plans contain the values of a query. Their descriptions name the operations, but never contain a
/// value.

extension IndexScan: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The position of the index, the number of known fields, and the bounds that are set.
    public var description: String {
        let ends = [lower.map { _ in "lower" }, upper.map { _ in "upper" }].compactMap(\.self)
        return "IndexScan(\(index), \(equal.count) equal"
            + (ends.isEmpty ? "" : ", \(ends.joined(separator: " and ")) bound")
            + (isReversed ? ", reversed" : "") + (after == nil ? "" : ", after a place") + ")"
    }
    /// The scan without its values.
    public var debugDescription: String { description }
    /// A mirror without the values.
    public var customMirror: Mirror { Mirror(hiding: self) }
}

extension IndexScan.Bound: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    /// Whether the range includes the value, which is not shown.
    public var description: String { isIncluded ? "including ?" : "excluding ?" }
    /// The bound without its value.
    public var debugDescription: String { description }
    /// A mirror without the value.
    public var customMirror: Mirror { Mirror(hiding: self) }
}

extension StoreSelection: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The conditions without their values, the order, and the limits.
    public var description: String {
        var parts = conditions.map { "\($0)" } + narrowing.map { "perhaps \($0)" }
        parts += sortKeys.map { key in
            (key.direction == .descending ? "-" : "+")
                + (key.relative == nil ? "\(key.path)" : "a value of related records")
        }
        if after != nil { parts.append("after a place") }
        if skipped > 0 { parts.append("offset \(skipped)") }
        if let maximum { parts.append("limit \(maximum)") }
        if let mostOfEach { parts.append("\(mostOfEach.maximum) of each \(mostOfEach.path)") }
        return "StoreSelection(\(parts.joined(separator: ", ")))"
    }
    /// The selection without its values.
    public var debugDescription: String { description }
    /// A mirror without the values.
    public var customMirror: Mirror { Mirror(hiding: self) }
}

extension QueryPlan.Access: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    /// The kind of access, without values.
    public var description: String {
        switch self {
        case .nothing: "nothing"
        case .ids(let ids): "\(ids.count) ids"
        case .index(let scans): "\(scans)"
        case .selection(let selection): "\(selection)"
        case .scan: "scan"
        }
    }
    /// The access without its values.
    public var debugDescription: String { description }
    /// A mirror without the values.
    public var customMirror: Mirror { Mirror(hiding: self) }
}
