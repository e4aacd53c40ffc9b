#if PostgreSQL
    internal import CPostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// Reads the rest of a stream by one `COPY`, on a connection of its own.
    ///
    /// The server plans one statement instead of one for each page, and libpq builds no results. On
    /// a cluster, each record is moved once; the limit of a page would go to each shard.
    ///
    /// Whatever ends the reading early, the stream goes on after its last record by ordinary pages:
    /// they run again on another connection, and report the error if there is one.
    final class PostgreSQLFollowingRecords<Model: Entity>: FollowingRecords {
        private let pages: FollowingPages
        private let plan: PostgreSQLTable

        /// Begins to read.
        init(_ reading: PostgreSQLStreamReading) {
            let pages = reading.pages
            self.pages = pages
            plan = reading.plan
            pages.begin(Task { await reading.run() })
        }

        deinit { pages.stop() }

        func next() async throws -> FollowingPage<Model> {
            switch await pages.take() {
            case .page(let result):
                return .records(PostgreSQLRows.page(Model.self, result, plan.table))
            case .end(.over): return .end
            case .end(.stopped): return .stopped
            case .cancelled: throw CancellationError()
            }
        }
    }

    /// The reading of the records of a stream.
    struct PostgreSQLStreamReading: Sendable {
        /// The reason why no `COPY` was begun.
        private struct NoConnection: Error {}

        let access: PostgreSQLPoolAccess
        let plan: PostgreSQLTable
        /// The statement that sends the records.
        let copy: String
        /// The time that the loop over the records may take for a page.
        let patience: Duration
        let pages = FollowingPages()

        /// Reads all records.
        func run() async {
            do {
                try await access.life.during { try await read() }
                pages.finish(.over)
            } catch {
                if Self.isRefusal(error) { access.refuseCopies() }
                pages.finish(.stopped)
            }
        }

        /// Whether an error means that an engine has no such statement.
        private static func isRefusal(_ error: any Error) -> Bool {
            if error is CopiedRows.Malformed { return true }
            return ["0A000", "42601"].contains(PostgreSQLErrors.cause(error)?.state)
        }

        private func read() async throws {
            guard let connection = try await access.leaseSpare(for: pages) else {
                throw NoConnection()
            }
            defer { access.pool.giveBack(connection, from: pages) }
            do {
                try await connection.cancellable { try await read(connection) }
            } catch {
                // The server ends, or it is a standby now: the next one connects again.
                if PostgreSQLErrors.cause(error)?.isServerGone ?? false { connection.discard() }
                throw error
            }
        }

        /// Reads all records on a connection.
        ///
        /// In a transaction the columns cannot change before the rows have come, whose data do not
        /// contain their types.
        private func read(_ connection: PostgreSQLConnection) async throws {
            var isCopying = false
            do {
                let results = try await connection.runAll([
                    PostgreSQLConnection.Step(text: "BEGIN READ ONLY"),
                    PostgreSQLConnection.Step(text: plan.texts.noRecords),
                ])
                guard let columns = results.last else { throw connection.lost() }
                connection.onStatement?(copy)
                try await connection.beginCopy("\(copy); COMMIT", PGRES_COPY_OUT)
                isCopying = true
                let rows = PostgreSQLRowCopy(columns: columns)
                while let page = try await connection.nextRows(rows) {
                    plan.noteSize(of: page)
                    guard await pages.give(page, patience: patience) else {
                        throw CancellationError()
                    }
                }
                isCopying = false
                _ = try await connection.results()
            } catch {
                // The statement is cancelled with the task.
                if isCopying { withUnsafeCurrentTask { $0?.cancel() } }
                await connection.leaveCopy(isCopying: isCopying)
                throw error
            }
        }
    }

    extension PostgreSQLConnection {
        /// Ends the transaction of a `COPY` that has failed or was cancelled.
        fileprivate func leaveCopy(isCopying: Bool) async {
            do {
                if isCopying, isUsable {
                    try await dropCopiedRows()
                    // The error is that of the cancellation.
                    _ = try? await results()
                }
                for _ in 1...10 where isUsable && isInTransaction {
                    do {
                        try await runSimple("ROLLBACK")
                    } catch let error as PostgreSQLError where error.isCancelled {
                        // The cancellation has hit it.
                    }
                }
                if isInTransaction { discard() }
            } catch {
                discard()
            }
        }
    }
#endif
