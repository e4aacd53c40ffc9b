/// What of the records found is asked for besides the entities.
enum RowNeeds {
    /// Nothing.
    case nothing
    /// What stands at some paths.
    case paths([FieldPath])
    /// Every field.
    case fields

    /// The fields that are to be taken out of a record together with others; nil for all.
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
