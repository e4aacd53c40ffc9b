#if PostgreSQL
    internal import CPostgreSQL

    extension SharedPipeline {
        /// Reads what the server has sent, and sends what waits.
        mutating func receive(_ effects: inout SharedEffects) {
            guard let connection else { return }
            quietTicks = 0
            // It may give the rest of the bytes to the system, and fail afterwards.
            for place in groups.indices { groups[place].isFlushed = true }
            let isThere = PQconsumeInput(connection.handle) == 1
            // What came before the end of the connection counts.
            guard parse(connection, &effects), isThere, !isDoomed,
                PQstatus(connection.handle) == CONNECTION_OK, flush(connection)
            else {
                return lose(connection.lost(), &effects)
            }
            pump(&effects)
        }

        /// Takes all results that have arrived.
        ///
        /// - Returns: whether they were the expected ones.
        private mutating func parse(
            _ connection: PostgreSQLConnection, _ effects: inout SharedEffects
        ) -> Bool {
            var ends = 0
            while !groups.isEmpty, !isDoomed, PQisBusy(connection.handle) == 0 {
                guard let result = PQgetResult(connection.handle) else {
                    // A null result ends the answers to each message but the Sync.
                    if groups[0].hasResult, groups[0].next < groups[0].items.count - 1 {
                        groups[0].hasResult = false
                        groups[0].next += 1
                        ends = 0
                        continue
                    }
                    ends += 1
                    if ends > 2 { return false }
                    continue
                }
                ends = 0
                guard groups[0].next < groups[0].items.count else {
                    PQclear(result)
                    return false
                }
                if take(result, connection) {
                    finish(groups.removeFirst(), connection, &effects)
                }
            }
            return true
        }

        /// Takes a result of the first group.
        ///
        /// - Returns: whether the group has ended.
        private mutating func take(
            _ result: OpaquePointer, _ connection: PostgreSQLConnection
        ) -> Bool {
            let item = groups[0].items[groups[0].next]
            let status = PQresultStatus(result)
            let error = connection.error(of: result)
            // What the client library reports says nothing about the statement.
            if let error, error.state == nil {
                PQclear(result)
                isDoomed = true
                return false
            }
            let isDone =
                error == nil && status != PGRES_PIPELINE_ABORTED && status != PGRES_PIPELINE_SYNC
            switch item {
            case .sync:
                PQclear(result)
                if status == PGRES_PIPELINE_SYNC { return true }
                // The error of a deferred check, or of the commit.
                if let error { groups[0].fail(error, request: nil, step: 0) }
                return false
            case .step(let request, let step):
                if isDone, request >= 0, !groups[0].hasResult {
                    groups[0].requests[request].results.append(PostgreSQLResult(result))
                } else {
                    PQclear(result)
                }
                if let error { groups[0].fail(error, request: request, step: step) }
            case .prepare(let prepared, let request, let step):
                PQclear(result)
                if !isDone { connection.prepared[prepared] = nil }
                if let error { groups[0].fail(error, request: request, step: step) }
            case .forget:
                PQclear(result)
                if let error { groups[0].fail(error, request: SharedGroup.leading, step: 0) }
            }
            groups[0].hasResult = true
            return false
        }

        // MARK: The end of a group

        /// Answers the requests of a group whose Sync was answered.
        private mutating func finish(
            _ group: SharedGroup, _ connection: PostgreSQLConnection,
            _ effects: inout SharedEffects
        ) {
            connection.noteUse()
            if let sent = group.sentAlone { trip = sent.duration(to: connection.lastUse) }
            if group.requests.isEmpty {
                // The next group is sent, however long ago the answer was.
                isProven = true
                return
            }
            // A later group would be told otherwise.
            let warning = connection.notices.takeCommitWarning()
            guard let failure = group.failure else {
                if kind == .writes, let warning {
                    return leaveOpen(group, warning, &effects)
                }
                counts.groups += 1
                counts.requests += group.requests.count
                counts.largestGroup = max(counts.largestGroup, group.requests.count)
                if kind == .writes { adapt(succeeded: true) }
                for request in group.requests { effects.answer(request, .success(request.results)) }
                return
            }
            if failure.error.isOutdatedStatement {
                connection.prepared = [:]
                forgets = true
            }
            if failure.error.isServerGone { isDoomed = true }
            switch kind {
            case .reads: finishReads(group, failure, &effects)
            case .writes: finishWrites(group, failure, &effects)
            }
        }

        /// Reads before the one that failed are answered, those behind it are sent again.
        private mutating func finishReads(
            _ group: SharedGroup, _ failure: SharedGroup.Failure, _ effects: inout SharedEffects
        ) {
            var again: [SharedRequest] = []
            for (number, request) in group.requests.enumerated() {
                if request.results.count == request.steps.count {
                    counts.requests += 1
                    effects.answer(request, .success(request.results))
                } else if number == failure.request || failure.request == SharedGroup.leading {
                    if repeats(request, failure.error) {
                        again.append(request)
                    } else {
                        refuse(request, failure, &effects)
                    }
                } else {
                    request.undo()
                    again.append(request)
                }
            }
            waiting.putFirst(again)
        }

        /// All writes of the group were undone. Each runs again by itself, unless the error belongs
        /// to it alone.
        private mutating func finishWrites(
            _ group: SharedGroup, _ failure: SharedGroup.Failure, _ effects: inout SharedEffects
        ) {
            let error = failure.error
            if failure.request == nil, error.leavesOutcomeOpen {
                return leaveOpen(group, error, &effects)
            }
            counts.undoneGroups += 1
            let isJournal = failure.request == SharedGroup.journal
            // The next connection may have no problem with its row.
            if isJournal, journal?.isExactlyOnce ?? false, !error.isLockTimeout { isDoomed = true }
            if failure.request == SharedGroup.leading || isJournal, !error.isOutdatedStatement {
                for request in group.requests {
                    // By itself it succeeds, or tells its caller why it does not.
                    if isJournal {
                        move(request, &effects)
                    } else {
                        effects.answer(request, .failure(SharedRefusal.leading(error)))
                    }
                }
                return
            }
            if group.requests.count > 1 { adapt(succeeded: false) }
            let place = failure.request.flatMap { $0 < 0 ? nil : group.requests[$0].place }
            var again: [SharedRequest] = []
            for (number, request) in group.requests.enumerated() {
                let isCulprit = number == failure.request || group.requests.count == 1
                if error.isLockTimeout,
                    isCulprit || (request.place != nil && request.place == place)
                {
                    move(request, &effects)
                    continue
                }
                let ends =
                    (isCulprit && (group.requests.count == 1 || error.isCancelled))
                    || error.isServerGone
                if ends, !repeats(request, error) {
                    refuse(request, failure, &effects)
                } else if request.isCancelled {
                    // It was undone, so that the cancelled task may leave.
                    effects.answer(request, .failure(CancellationError()))
                } else {
                    request.undo()
                    // These errors concern one request, or the connection; the others can share a
                    // Sync again. At the end of the group, nobody knows which request it is.
                    let concernsOne =
                        error.isServerGone
                        || failure.request != nil && (error.isLockTimeout || error.isCancelled)
                    request.isAlone = request.isAlone || !concernsOne
                    again.append(request)
                }
            }
            waiting.putFirst(again)
        }

        /// Answers the requests of a group of which it is not known whether it was committed.
        private mutating func leaveOpen(
            _ group: SharedGroup, _ error: PostgreSQLError, _ effects: inout SharedEffects
        ) {
            // Only the last write of a connection can be asked for: there must be no later one.
            if group.question != nil { isDoomed = true }
            for request in group.requests {
                effects.answer(
                    request, .failure(SharedRefusal.outcomeUnknown(error, group.question)))
            }
        }

        /// Returns whether a request that has failed runs again on this or the next connection.
        private func repeats(_ request: SharedRequest, _ error: PostgreSQLError) -> Bool {
            guard error.isOutdatedStatement || error.isServerGone,
                request.failures < Self.mostFailures
            else { return false }
            request.failures += 1
            request.undo()
            return true
        }

        private mutating func refuse(
            _ request: SharedRequest, _ failure: SharedGroup.Failure,
            _ effects: inout SharedEffects
        ) {
            if failure.error.isLockTimeout { return move(request, &effects) }
            let isStep = failure.request.map { $0 >= 0 } ?? false
            effects.answer(
                request,
                .failure(
                    isStep
                        ? PostgreSQLStepError(error: failure.error, step: failure.step)
                        : failure.error))
        }

        // MARK: The end of the connection

        /// Gives the connection up if an answer has been missing for too long.
        ///
        /// - Returns: whether an answer is expected.
        mutating func tick(_ effects: inout SharedEffects) -> Bool {
            guard let connection, !groups.isEmpty else {
                // The end of an idle connection is noticed, although no caller waits for it.
                listen()
                return false
            }
            guard let limit = groups[0].requests.isEmpty ? trialLimit : limit else { return false }
            quietTicks += 1
            if quietTicks >= limit.ticks { lose(connection.unanswered(limit), &effects) }
            return !groups.isEmpty
        }

        /// Sends unanswered reads again on another connection. The outcome of writes whose Sync was
        /// sent is unknown, unless an error had come before it: then they were undone.
        mutating func lose(_ error: PostgreSQLError, _ effects: inout SharedEffects) {
            connection?.unwatch()
            connection?.discard()
            effects.retired = connection
            connection = nil
            counts.lost += 1
            var again: [SharedRequest] = []
            for group in groups {
                // What the server has received of it may hold locks. The question ends that.
                let isUnsent = !group.isFlushed && group.question == nil
                let isUndone = isUnsent || (group.failure.map { $0.request != nil } ?? false)
                if kind == .writes, !isUndone {
                    leaveOpen(group, group.failure?.error ?? error, &effects)
                    continue
                }
                for (number, request) in group.requests.enumerated() {
                    if kind == .writes, request.isCancelled {
                        effects.answer(request, .failure(CancellationError()))
                        continue
                    }
                    let isCulprit = number == group.failure?.request
                    if isCulprit, let failure = group.failure, !failure.error.isServerGone {
                        refuse(request, failure, &effects)
                        continue
                    }
                    request.failures += 1
                    let most = error.isUnanswered ? Self.mostUnanswered : Self.mostFailures
                    if request.failures >= most {
                        effects.answer(request, .failure(group.failure?.error ?? error))
                    } else {
                        request.undo()
                        again.append(request)
                    }
                }
            }
            groups = []
            waiting.putFirst(again)
            pump(&effects)
        }
    }
#endif
