/// The field values that the caller of a query run needs besides the entities.
enum RowNeeds {
    /// None.
    case nothing
    /// The values at these paths.
    case paths([FieldPath])
    /// Every field.
    case fields

    /// Returns the fields to extract from a record, including those of other paths and of a
    /// condition; nil for all fields.
    func fields(and others: [FieldPath], _ condition: ConditionTree?) -> Set<Int>? {
        guard case .fields = self else {
            var wanted = condition?.fields ?? []
            wanted.formUnion(others.map(\.field))
            if case .paths(let paths) = self { wanted.formUnion(paths.map(\.field)) }
            return wanted
        }
        return nil
    }
}
