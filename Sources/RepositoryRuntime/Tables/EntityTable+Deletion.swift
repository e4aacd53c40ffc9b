extension EntityTable {
    /// Whether a condition only leaves out deleted records, as all queries do that do not ask for
    /// them. Planners do not count it as a condition of the caller.
    func isPresence(_ condition: ConditionTree) -> Bool {
        guard let deletionField, case .compare(let path, .equal, .null) = condition else {
            return false
        }
        return path == FieldPath(deletionField)
    }
}
