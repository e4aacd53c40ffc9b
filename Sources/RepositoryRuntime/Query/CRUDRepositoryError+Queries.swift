extension CRUDRepositoryError.Code {
    /// A query is invalid: its limit or offset is negative, its cursor belongs to another order, or
    /// one of its values has no stored representation.
    public static let invalidQuery = Self(rawValue: "invalidQuery")
    /// A sum overflows its result type.
    public static let numberOverflow = Self(rawValue: "numberOverflow")
}

extension CRUDRepositoryError {
    /// Creates an `invalidQuery` error.
    ///
    /// - Parameter reason: a complete sentence that describes the defect.
    static func invalidQuery(_ reason: String, table: String) -> Self {
        Self(.invalidQuery, "The query of '\(table)' cannot be answered: \(reason)", table: table)
    }
}
