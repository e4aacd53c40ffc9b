/// The direction of a sort key.
public enum SortDirection: String, Sendable, Hashable {
    /// Null first, then smallest to largest.
    case ascending
    /// Largest to smallest, then null.
    case descending
}

/// A field by which a query sorts, with a direction.
public struct SortKey: Sendable, Hashable {
    /// The field.
    public let path: FieldPath
    /// Whether larger values come last or first.
    public let direction: SortDirection

    /// Creates a sort key.
    public init(path: FieldPath, direction: SortDirection) {
        self.path = path
        self.direction = direction
    }
}
