#if PostgreSQL
    internal import RepositoryRuntime

    extension PostgreSQLPoolAccess {
        /// How an attempt of a write has ended.
        enum Attempt<R> {
            case done(R, StoreChange?)
            /// The result counts if the server says that the write happened.
            case open(R, StoreChange?, PostgreSQLWriteQuestion, PostgreSQLError)
            /// Nothing happened, because the connection was lost before.
            case undone(PostgreSQLLostWrite?, PostgreSQLError)
        }

        /// Returns whether a write may be on the shared connection.
        func mayShare(_ sharing: PostgreSQLSharing) -> Bool {
            if pool.isPooled || isSpread { return false }
            return switch sharing {
            case .never: false
            case .ifAnswered: !journal.isExactlyOnce
            case .always: true
            }
        }

        /// What receives the changes of a write; `nil` if nobody is told of them.
        var newLog: ChangeLog? {
            changes.hasObservers || journal.isObserving ? ChangeLog() : nil
        }

        /// Writes once, on a shared connection.
        ///
        /// - Throws: `SharedRefusal` if it has to be run on a leased one.
        func attempted<R>(
            on shared: SharedConnection, _ place: Int?,
            _ body: (PostgreSQLJob) async throws -> R, _ diagnose: PostgreSQLDiagnose
        ) async throws -> Attempt<R> {
            let comparisons = watch.comparisons
            let job = PostgreSQLJob(shared, newLog, place: place, journal)
            do {
                let result = try await body(job)
                let change = job.log?.change
                guard let error = job.lost, let question = job.question else {
                    return .done(result, change)
                }
                return .open(result, change, question, error)
            } catch is PostgreSQLSchemaSignal {
                try await compareSchemas(SharedReader(access: self), since: comparisons)
                throw PostgreSQLSchemaSignal()
            } catch SharedRefusal.unconnected(let error) {
                throw error
            } catch SharedRefusal.outcomeUnknown(let error, _) {
                throw unknown(error)
            } catch {
                let step = error as? PostgreSQLStepError
                guard let failure = step?.error ?? error as? PostgreSQLError else { throw error }
                // It was undone: otherwise the outcome would be unknown.
                if journal.isExactlyOnce, failure.isServerGone { return .undone(nil, failure) }
                if failure.leavesOutcomeOpen { throw PostgreSQLErrors.databaseError(failure) }
                if failure.isConflict { throw failure }
                do {
                    throw try await diagnose(failure, step?.step, SharedReader(access: self))
                } catch let later as PostgreSQLError
                    where journal.isExactlyOnce && later.isServerGone
                {
                    return .undone(nil, later)
                }
            }
        }
    }
#endif
