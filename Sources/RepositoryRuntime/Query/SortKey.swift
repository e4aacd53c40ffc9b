/// Whether larger values come last or first.
public enum SortDirection: String, Sendable, Hashable {
    /// Null first, then from the smallest to the largest.
    case ascending
    /// From the largest to the smallest, null last.
    case descending
}

/// One field by which a query sorts.
public struct SortKey: Sendable, Hashable {
    /// The field.
    public let path: FieldPath
    /// Whether larger values come last or first.
    public let direction: SortDirection

    /// Makes a key.
    public init(path: FieldPath, direction: SortDirection) {
        self.path = path
        self.direction = direction
    }
}
