#if PostgreSQL
    internal import CPostgreSQL

    extension PostgreSQLConnection {
        /// Sends several statements before it reads the first answer, so that they cost one round
        /// trip.
        ///
        /// After a statement that fails, the server ignores the others.
        ///
        /// - Returns: the results, one for each step.
        /// - Throws: `PostgreSQLStepError` with the number of the step that failed.
        func runAll(_ steps: [Step]) async throws -> [PostgreSQLResult] {
            isPooled ? try await runAllUnnamed(steps) : try await runPipeline(steps)
        }

        /// Sends several statements as they are.
        func runPipeline(_ steps: [Step]) async throws -> [PostgreSQLResult] {
            guard !steps.isEmpty else { return [] }
            if prepared.count >= Self.mostPrepared, !isFailed { try await forgetPrepared() }
            guard PQenterPipelineMode(handle) == 1 else { throw lost() }
            var found: [PostgreSQLResult] = []
            found.reserveCapacity(steps.count)
            var failure: PostgreSQLStepError?
            // The answers of a chunk are read before the next one is sent, so that the memory is
            // bounded. A failure in one chunk fails the following ones, too.
            var start = 0
            while start < steps.count, failure == nil {
                let chunk = steps[start..<min(start + 256, steps.count)]
                for step in chunk { try send(step) }
                guard PQpipelineSync(handle) == 1 else { throw lost() }
                failure = try await collect(chunk, &found)
                start = chunk.endIndex
            }
            guard PQexitPipelineMode(handle) == 1 else { throw lost() }
            if let failure { throw failure }
            return found
        }

        /// Sends a statement of a pipeline.
        private func send(_ step: Step) throws {
            if isPooled {
                guard sendUnnamed(step) else { throw lost() }
                return
            }
            let key = Prepared(text: step.text, types: step.parameters.types)
            let name: String
            if let known = self.name(of: key) {
                name = known
            } else {
                number += 1
                onStatement?(step.text)
                name = "r\(number)"
                guard PQsendPrepare(handle, name, step.text, Int32(key.types.count), key.types) == 1
                else { throw lost() }
                prepared[key] = name
                preparing.insert(key)
            }
            let isSent = step.parameters.withPointers { values, lengths, formats in
                PQsendQueryPrepared(
                    handle, name, Int32(step.parameters.count), values, lengths, formats, 1)
            }
            guard isSent == 1 else { throw lost() }
        }

        /// Reads the answers of a chunk of a pipeline, up to its end.
        private func collect(
            _ chunk: ArraySlice<Step>, _ found: inout [PostgreSQLResult]
        ) async throws -> PostgreSQLStepError? {
            var failure: PostgreSQLStepError?
            for (place, step) in zip(chunk.indices, chunk) {
                // The answer to the preparation comes first.
                let key = Prepared(text: step.text, types: step.parameters.types)
                if preparing.remove(key) != nil, try await answer(to: place, &failure) == nil {
                    prepared[key] = nil
                }
                if let result = try await answer(to: place, &failure) { found.append(result) }
            }
            // The end of the pipeline. The error of a deferred check comes before it.
            while true {
                guard let result = try await next() else { continue }
                let status = PQresultStatus(result)
                if status == PGRES_PIPELINE_SYNC {
                    PQclear(result)
                    break
                }
                if let error = error(of: result), failure == nil {
                    failure = PostgreSQLStepError(error: error, step: chunk.endIndex - 1)
                }
                PQclear(result)
            }
            return failure
        }

        /// Reads the answer to one message of a pipeline; `nil` if it failed or was ignored.
        private func answer(
            to step: Int, _ failure: inout PostgreSQLStepError?
        ) async throws -> PostgreSQLResult? {
            guard let first = try await next() else { throw lost() }
            var found: PostgreSQLResult?
            if let error = error(of: first) {
                PQclear(first)
                if failure == nil { failure = PostgreSQLStepError(error: error, step: step) }
            } else if PQresultStatus(first) == PGRES_PIPELINE_ABORTED {
                PQclear(first)
            } else {
                found = PostgreSQLResult(first)
            }
            // A null result ends the answers to each message.
            while let more = try await next() {
                if let error = error(of: more), failure == nil {
                    failure = PostgreSQLStepError(error: error, step: step)
                }
                PQclear(more)
            }
            return found
        }
    }
#endif
