internal import RepositoryRuntime

/// Jobs that share one transaction.
struct SQLiteGroup {
    private let jobs: [any SQLiteJob]
    private let connection: SQLiteConnection
    private let changes: StoreChanges?

    init(_ jobs: [any SQLiteJob], on connection: SQLiteConnection, _ changes: StoreChanges?) {
        self.jobs = jobs
        self.connection = connection
        self.changes = changes
    }

    /// Does the jobs. Each has its result afterwards; none is a success unless it is on disk.
    ///
    /// - Throws: what concerns them all.
    func run() throws {
        let isObserved = changes?.areObserved ?? false
        connection.log = isObserved ? SQLiteChangeLog() : nil
        defer { connection.log = nil }
        if let job = jobs.first, job.isolation == .bare {
            guard job.start() else { return }
            // It waits for locks itself.
            connection.lockWait.run(isCancelled: { job.isCancelled }) {
                job.perform(on: connection)
            }
            send()
            return
        }
        guard !jobs.allSatisfy(\.isGivenUp) else { return }
        // IMMEDIATE takes the write lock here, where waiting for it is possible, not in the middle.
        try connection.lockWait.run(isCancelled: { jobs.allSatisfy(\.isGivenUp) }) {
            try control("BEGIN IMMEDIATE")
        }
        do {
            try connection.watch?.check(connection)
            for (index, job) in jobs.enumerated() where job.start() {
                try perform(job)
                if !connection.isInTransaction {
                    startAgain(after: index)
                    return
                }
            }
            // Nothing is retried when the commit fails: after a failed fsync a second one may
            // succeed without having written anything.
            guard !jobs.allSatisfy(\.hasFailed) else { return try control("ROLLBACK") }
            try connection.commit()
            send()
        } catch {
            rollBack()
            for job in jobs where !job.hasFailed { job.fail(error) }
        }
    }

    private func perform(_ job: any SQLiteJob) throws {
        let log = connection.log
        defer { if job.hasFailed { connection.log = log } }
        guard job.isolation == .batch, jobs.count > 1 else {
            let changes = connection.totalChanges
            job.perform(on: connection)
            // A trigger can end a statement and keep what it has changed so far: `RAISE(FAIL)`.
            if jobs.count > 1, job.hasFailed, connection.isInTransaction,
                connection.totalChanges != changes
            {
                try control("ROLLBACK")
            }
            return
        }
        try control("SAVEPOINT \(SQLiteSavepoint.job)")
        connection.savepoint = SQLiteSavepoint.job
        job.perform(on: connection)
        connection.savepoint = nil
        guard connection.isInTransaction else { return }
        if job.hasFailed { try control("ROLLBACK TO \(SQLiteSavepoint.job)") }
        try control("RELEASE \(SQLiteSavepoint.job)")
    }

    /// A job failed in a way that ended the transaction for all, such as a full disk, or left
    /// changes behind. It keeps its error; the others get a transaction each, so that one that is
    /// too large does not take the rest with it.
    private func startAgain(after index: Int) {
        for (place, job) in jobs.enumerated() where place != index {
            do {
                try SQLiteGroup([job], on: connection, changes).run()
            } catch {
                job.fail(error)
            }
        }
    }

    private func send() {
        if let change = connection.log?.change { changes?.send(change) }
    }

    private func control(_ text: String) throws {
        try connection.statement(text).run()
    }

    private func rollBack() {
        guard connection.isInTransaction else { return }
        // The commit's own error is the one to report; without a rollback the next BEGIN says what
        // is wrong.
        try? control("ROLLBACK")
    }
}
