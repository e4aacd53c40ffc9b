/// A condition that every record of a table keeps when it is written.
///
/// It is tested by the runtime on the values that are about to be stored, after they are stamped and rounded, whichever
/// store they go to; a database also tests it itself where the condition means the same to it. Reading never tests it:
/// records that were stored before there was the check stay as they are until they are written again.
public struct TableCheck: Sendable, Hashable {
    /// The check's name, unique within the table.
    public var name: String
    /// What holds of every record that is written.
    public var condition: ConditionTree
    /// What is wrong with a record of which it does not hold, as a sentence.
    public var message: String

    /// Makes a check.
    public init(name: String, condition: ConditionTree, message: String) {
        self.name = name
        self.condition = condition
        self.message = message
    }
}

extension EntityTable {
    /// Tests the checks on what is about to be stored.
    ///
    /// - Parameters:
    ///   - row: the fields of the record, by index.
    ///   - id: the text form of its id.
    /// - Throws: `invalidItem`, which names the first check that does not hold.
    package func testChecks(of row: [StoredValue], id: String) throws {
        for check in checks where !check.condition.matches(row) {
            throw broken(check, id: id)
        }
    }

    /// The error of a record of which a check does not hold. No value stands in it.
    package func broken(
        _ check: TableCheck, id: String?, underlyingError: (any Error)? = nil
    ) -> CRUDRepositoryError {
        // A check that cannot be tested holds of nothing.
        let reason = check.condition.defect ?? check.message
        let record = id.map { "the record '\($0)'" } ?? "a record"
        let fields = check.condition.fields
        var error = CRUDRepositoryError(
            .invalidItem, "The check '\(check.name)' refuses \(record) of '\(name)': \(reason)",
            id: id, table: name, underlyingError: underlyingError)
        if fields.count == 1, let field = fields.first, layout.fields.indices.contains(field) {
            error.field = layout.fields[field].name
        }
        error.constraint = check.name
        return error
    }
}

extension ConditionTree {
    /// The indexes of the fields that the condition names.
    package var fields: Set<Int> {
        switch self {
        case .constant, .invalid: []
        case .compare(let path, _, _), .isIn(let path, _), .text(let path, _),
            .hasElement(let path, _):
            [path.field]
        case .all(let conditions), .any(let conditions):
            conditions.reduce(into: []) { $0.formUnion($1.fields) }
        case .not(let condition): condition.fields
        }
    }
}
