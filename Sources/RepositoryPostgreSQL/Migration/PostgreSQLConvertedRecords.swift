#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// Writes the converted records of a table, many in one round trip.
    ///
    /// If the database refuses a record, those around it are written all the same.
    final class PostgreSQLConvertedRecords: SQLConvertedRecordWriter {
        private struct Record {
            let step: PostgreSQLConnection.Step
            let refuse: (String) throws -> Void
        }

        /// The greatest number of records, and about the greatest number of bytes, of a round trip.
        private static let (mostRecords, mostBytes) = (200, 1 << 20)

        private let plan: PostgreSQLTable
        private let connection: PostgreSQLBlockingConnection
        private var records: [Record] = []
        private var bytes = 0
        /// The number of records that are tried together. It falls where records are refused.
        private var together = PostgreSQLConvertedRecords.mostRecords

        init(_ table: SQLTable, _ connection: PostgreSQLBlockingConnection) {
            plan = PostgreSQLTable(table, among: [table])
            self.connection = connection
        }

        func add<E: Entity>(
            _ entity: E, refuse: @escaping (_ reason: String) throws -> Void
        ) throws {
            var binder = PostgreSQLBinder(record: plan)
            try binder.encode(entity)
            let step = PostgreSQLConnection.Step(
                text: plan.texts.insert, parameters: binder.parameters)
            records.append(Record(step: step, refuse: refuse))
            bytes += step.parameters.bytesCount
            if records.count >= Self.mostRecords || bytes >= Self.mostBytes { try flush() }
        }

        func flush() throws {
            var rest = records[...]
            records = []
            bytes = 0
            while !rest.isEmpty {
                let part = rest.prefix(together)
                let savepoint = PostgreSQLConnection.Step(text: "SAVEPOINT repository_records")
                let release = PostgreSQLConnection.Step(
                    text: "RELEASE SAVEPOINT repository_records")
                do {
                    try connection.runAll([savepoint] + part.map(\.step) + [release])
                    rest = rest.dropFirst(part.count)
                    together = min(together * 2, Self.mostRecords)
                } catch let failure as PostgreSQLStepError where failure.error.isConstraint {
                    try connection.runSimple("ROLLBACK TO SAVEPOINT repository_records")
                    try connection.runSimple("RELEASE SAVEPOINT repository_records")
                    let failed = max(0, min(failure.step - 1, part.count - 1))
                    try connection.runAll(part.prefix(failed).map(\.step))
                    try part[part.startIndex + failed].refuse(reason(failure.error))
                    rest = rest.dropFirst(failed + 1)
                    together = max(1, together / 2)
                }
            }
        }

        /// Returns the reason why the database refuses a converted record.
        private func reason(_ error: PostgreSQLError) -> String {
            let name = plan.table.name
            let violation = PostgreSQLViolation(table: plan.table, id: nil).error(error)
            return violation.code == .recordAlreadyExists
                ? "records of '\(name)' get the same id"
                : "the database refuses a converted record of '\(name)'"
        }
    }
#endif
