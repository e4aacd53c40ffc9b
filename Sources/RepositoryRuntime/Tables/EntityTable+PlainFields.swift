extension EntityTable {
    /// Adds a field of which there is no more to say than most fields have.
    ///
    /// The compiler writes each default of a call into the caller, in every table of every set: so the form with all of
    /// them is called only where it is needed.
    ///
    /// - Parameters:
    ///   - name: the property's name.
    ///   - type: what is stored.
    ///   - column: the column's name in a SQL store; the property's name when nil.
    ///   - optional: whether it may be null.
    ///   - isKey: whether it is the id, or the next component of it.
    public mutating func field(
        _ name: String, _ type: StoredType, column: String? = nil, optional: Bool = false,
        key isKey: Bool = false
    ) {
        field(name, type, column: column, storedAs: nil, optional: optional, key: isKey)
    }
}
