#if PostgreSQL
    internal import RepositoryRuntime

    extension PostgreSQLConnection {
        /// Ends the requests of a cancellation. If the server does not answer them, the connection
        /// is discarded, so that they reach no other statement.
        private func finish(_ cancel: PostgreSQLCancel, _ trial: () -> String?) async {
            switch await cancel.finish(within: isUsable ? Self.cancelTimeout : .zero) {
            case .unsent: break
            case .sent: await settle(trial())
            case .unanswered: discard()
            }
        }

        /// The time that the server may take to answer the request of a cancellation after its
        /// statement has ended.
        private static let cancelTimeout = Duration.seconds(10)

        /// Waits until no cancellation can hit the next statement: the server may act on a request
        /// after it has answered it. A statement that succeeds shows that it has.
        private func settle(_ trial: String?) async {
            guard let trial else { return discard() }
            for _ in 1...10 where isUsable {
                do {
                    try await runSimple(trial)
                    return
                } catch let error as PostgreSQLError where error.isCancelled {
                    // It was hit.
                } catch {
                    break
                }
            }
            discard()
        }

        /// Runs the statements of a transaction, up to the commit, which are cancelled on the
        /// server when the task is cancelled.
        ///
        /// - Parameter rollBack: returns the statement that undoes them, after which no request can
        ///   hit a statement any more; `nil` if the connection cannot be used any more.
        /// - Throws: `CancellationError` if the task was cancelled, whether a statement was hit or
        ///   not: the statements are to be undone.
        func cancellableWrite<R>(
            rollBack: () -> String? = { "ROLLBACK" }, _ body: () async throws -> R
        ) async throws -> R {
            let result = try await cancellable(trial: rollBack, body)
            // A request that was sent may still be on its way to the server.
            try Task.checkCancellation()
            return result
        }

        /// Runs a read whose statement is cancelled on the server when the task is cancelled.
        ///
        /// - Parameter trial: returns the statement that is tried after a cancellation.
        func cancellable<R>(
            trial: () -> String? = { "SELECT 1" }, _ body: () async throws -> R
        ) async throws -> R {
            let cancel = PostgreSQLCancel(canceller)
            do {
                let result = try await withTaskCancellationHandler {
                    try await body()
                } onCancel: {
                    cancel.send()
                }
                await finish(cancel, trial)
                return result
            } catch {
                // The server may be slow instead of silent, and go on with what nobody waits for.
                let cause = PostgreSQLErrors.cause(error)
                if cause?.isUnanswered ?? false { cancel.abandon() }
                await finish(cancel, trial)
                if cause?.isCancelled ?? false, Task.isCancelled { throw CancellationError() }
                throw error
            }
        }
    }
#endif
