extension EntityTable {
    /// Adds a field without rules, reference or other attributes.
    ///
    /// The compiler emits the default arguments of a call in the caller, for every field of every
    /// table. This overload with few arguments therefore keeps the generated code small.
    ///
    /// - Parameters:
    ///   - name: the name of the property.
    ///   - type: the stored type.
    ///   - column: the name of the column in a SQL store; the name of the property if nil.
    ///   - optional: whether the field may be null.
    ///   - isKey: whether the field is the id or the next component of it.
    public mutating func field(
        _ name: String, _ type: StoredType, column: String? = nil, optional: Bool = false,
        key isKey: Bool = false
    ) {
        field(name, type, column: column, storedAs: nil, optional: optional, key: isKey)
    }
}
