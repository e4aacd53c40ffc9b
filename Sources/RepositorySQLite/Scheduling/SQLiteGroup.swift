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
            job.perform(on: connection)
            send()
            return
        }
        // IMMEDIATE takes the write lock here, where waiting for it is possible, not in the middle.
        try control("BEGIN IMMEDIATE")
        do {
            try connection.watch?.check(connection)
            for (index, job) in jobs.enumerated() {
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
            job.perform(on: connection)
            return
        }
        try control("SAVEPOINT job")
        connection.savepoint = "job"
        job.perform(on: connection)
        connection.savepoint = nil
        guard connection.isInTransaction else { return }
        if job.hasFailed { try control("ROLLBACK TO job") }
        try control("RELEASE job")
    }

    /// A job failed in a way that ended the transaction for all, such as a full disk. It keeps its
    /// error; the others get a transaction each, so that one that is too large does not take the
    /// rest with it.
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
