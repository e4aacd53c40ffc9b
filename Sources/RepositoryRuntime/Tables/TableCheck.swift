/// A condition that every record of a table must satisfy when it is written.
///
/// The runtime tests the condition for all stores, on the values about to be stored, after they
/// were stamped and rounded. A database also tests it with a CHECK constraint, if the condition has
/// the same meaning there. Reading does not test it: records stored before the check was added stay
/// valid until they are written again.
public struct TableCheck: Sendable, Hashable {
    /// The name of the check, unique within the table.
    public var name: String
    /// The condition.
    public var condition: ConditionTree
    /// The error message for a record that violates the check, as a sentence.
    public var message: String

    /// Creates a check.
    public init(name: String, condition: ConditionTree, message: String) {
        self.name = name
        self.condition = condition
        self.message = message
    }
}

extension EntityTable {
    /// Tests the checks of the table on a record about to be stored.
    ///
    /// - Parameters:
    ///   - row: the field values of the record, in the order of the fields.
    ///   - id: the text representation of its id.
    /// - Throws: `invalidItem` with the name of the first violated check.
    package func testChecks(of row: [StoredValue], id: String) throws {
        for check in checks where !check.condition.matches(row) {
            throw broken(check, id: id)
        }
    }

    /// Returns the error for a record that violates a check. The error contains no values.
    package func broken(
        _ check: TableCheck, id: String?, underlyingError: (any Error)? = nil
    ) -> CRUDRepositoryError {
        // A check with an invalid condition rejects every record; the defect is then the reason.
        let reason = check.condition.invalidReason ?? check.message
        let record = id.map { "the record '\($0)'" } ?? "a record"
        let fields = check.condition.fields
        var error = CRUDRepositoryError(
            .invalidItem, "The check '\(check.name)' refuses \(record) of '\(name)': \(reason)",
            id: id, table: name, underlyingError: underlyingError)
        if fields.count == 1, let field = fields.first, layout.fields.indices.contains(field) {
            error.field = layout.fields[field].name
        }
        error.constraint = check.name
        error.violations = [
            CRUDRepositoryError.Violation(
                id: id, field: error.field, rule: .check, constraint: check.name,
                message: error.message)
        ]
        return error
    }
}

extension ConditionTree {
    /// The indexes of the fields to which the condition refers.
    package var fields: Set<Int> {
        switch self {
        case .constant, .invalid: []
        case .compare(let path, _, _), .isIn(let path, _), .text(let path, _),
            .hasElement(let path, _):
            [path.field]
        case .compareFields(let path, _, let other): [path.field, other.field]
        case .all(let conditions), .any(let conditions):
            conditions.reduce(into: []) { $0.formUnion($1.fields) }
        case .not(let condition): condition.fields
        case .related(let related): related.link.reference.map { [$0.field] } ?? []
        }
    }
}
