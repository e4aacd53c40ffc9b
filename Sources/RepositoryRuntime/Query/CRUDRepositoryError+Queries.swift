extension CRUDRepositoryError.Code {
    /// A query that cannot be answered: a negative limit, a cursor of another order, a value that has no stored form.
    public static let invalidQuery = Self(rawValue: "invalidQuery")
    /// A sum that its type cannot hold.
    public static let numberOverflow = Self(rawValue: "numberOverflow")
}

extension CRUDRepositoryError {
    /// The query cannot be answered.
    static func invalidQuery(_ reason: String, table: String) -> Self {
        Self(.invalidQuery, "The query of '\(table)' cannot be answered: \(reason)", table: table)
    }
}
