internal import RepositoryRuntime
internal import RepositorySQLCore

/// Writes the converted records of a table, each at once.
final class ConvertedRecords: SQLConvertedRecordWriter {
    private let plan: TablePlan
    private let session: Session

    init(_ table: SQLTable, _ session: Session) {
        plan = TablePlan(table, nil, among: [table], session.dialect)
        self.session = session
    }

    func add<E: Entity>(
        _ entity: E, refuse: @escaping (_ reason: String) throws -> Void
    ) throws {
        let row = try RecordEncoder.parameters(entity, plan)
        let isGuarded = session.dialect.syntax.failureEndsTransaction
        if isGuarded { try session.execute("SAVEPOINT repository_record") }
        do {
            try session.execute(plan.texts.insert, row)
        } catch let error as SQLDriverError where error.isViolation {
            if isGuarded {
                try session.execute("ROLLBACK TO SAVEPOINT repository_record")
                try session.execute("RELEASE SAVEPOINT repository_record")
            }
            let name = plan.table.name
            throw RecordMigrationFailure(
                error.kind == .uniqueViolation
                    ? "records of '\(name)' get the same id"
                    : "the database refuses a converted record of '\(name)'")
        }
        if isGuarded { try session.execute("RELEASE SAVEPOINT repository_record") }
    }

    /// Does nothing: no record is kept back.
    func flush() {}
}
