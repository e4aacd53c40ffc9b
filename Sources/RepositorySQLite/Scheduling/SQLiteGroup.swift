internal import RepositoryRuntime

/// A group of jobs that share one transaction and one commit (group commit).
///
/// It runs on the writer's thread. The failure of one job does not affect the others. How this is
/// guaranteed depends on the isolation of the job:
/// - `statement`: SQLite undoes a failed statement itself. If changes remain nevertheless, the
///   group is rolled back and the other jobs run separately.
/// - `batch`: the job runs in a savepoint, unless it is the only job of the group.
/// - `bare`: the job is the only one of its group and begins its own transaction.
struct SQLiteGroup {
    /// The jobs in the order of their arrival. A job with `bare` isolation is the only one of its
    /// group.
    private let jobs: [any SQLiteJob]
    private let connection: SQLiteConnection
    /// Receives the changes of the commit; `nil` if the database has no observers.
    private let changes: StoreChanges?

    init(_ jobs: [any SQLiteJob], on connection: SQLiteConnection, _ changes: StoreChanges?) {
        self.jobs = jobs
        self.connection = connection
        self.changes = changes
    }

    /// Runs the jobs. Afterwards each job has its result. A job has succeeded only if its changes
    /// are synced to disk.
    ///
    /// - Throws: an error that concerns all jobs, if the transaction could not begin.
    func run() throws {
        let isObserved = changes?.hasObservers ?? false
        connection.log = isObserved ? ChangeLog() : nil
        defer { connection.log = nil }
        if let job = jobs.first, job.isolation == .bare {
            guard job.start() else { return }
            // The job waits for locks itself.
            connection.lockWait.run(isCancelled: { job.isCancelled }) {
                job.perform(on: connection)
            }
            send()
            return
        }
        guard !jobs.allSatisfy(\.isGivenUp) else { return }
        // IMMEDIATE acquires the write lock here, where waiting is possible, and not in the middle.
        try connection.lockWait.run(isCancelled: { jobs.allSatisfy(\.isGivenUp) }) {
            try connection.beginImmediate()
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
            // A failed commit is not retried: after a failed fsync, a second one may succeed
            // without having written anything.
            guard !jobs.allSatisfy(\.hasFailed) else { return try control("ROLLBACK") }
            try connection.commit()
            send()
        } catch {
            rollBack()
            for job in jobs where !job.hasFailed { job.fail(error) }
        }
    }

    /// Runs one job so that it leaves nothing behind if it fails.
    ///
    /// Afterwards the transaction is no longer open if the failure affected all jobs.
    private func perform(_ job: any SQLiteJob) throws {
        let log = connection.log
        defer { if job.hasFailed { connection.log = log } }
        guard job.isolation == .batch, jobs.count > 1 else {
            let changes = connection.totalChanges
            job.perform(on: connection)
            // A trigger with `RAISE(FAIL)` ends a statement and keeps its changes so far.
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

    /// Runs each of the other jobs in a transaction of its own.
    ///
    /// A job failed in a way that ended the shared transaction, such as a full disk, or it left
    /// changes behind. That job keeps its error. Separate transactions prevent that one job that is
    /// too large makes the rest fail.
    private func startAgain(after index: Int) {
        for (place, job) in jobs.enumerated() where place != index {
            do {
                try SQLiteGroup([job], on: connection, changes).run()
            } catch {
                job.fail(error)
            }
        }
    }

    /// Sends the collected changes to the observers.
    private func send() {
        if let change = connection.log?.change { changes?.send(change) }
    }

    /// Runs a statement that controls the transaction.
    private func control(_ text: String) throws {
        try connection.statement(text).run()
    }

    /// Rolls back the transaction after a failure.
    private func rollBack() {
        guard connection.isInTransaction else { return }
        // The error that led here is the one to report. If the rollback fails, the next BEGIN
        // reports the cause.
        try? control("ROLLBACK")
    }
}
