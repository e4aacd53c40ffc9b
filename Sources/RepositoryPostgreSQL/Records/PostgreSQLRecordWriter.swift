#if PostgreSQL
    internal import RepositoryRuntime
    internal import RepositorySQLCore

    /// Writes the records of one entity on a connection.
    struct PostgreSQLRecordWriter<E: Entity> {
        let job: PostgreSQLJob
        let plan: PostgreSQLTable

        var texts: SQLStatements { plan.texts }
        /// The parameters of a whole record.
        private func parameters(_ entity: E) throws -> PostgreSQLParameters {
            var binder = PostgreSQLBinder(record: plan)
            try binder.encode(entity)
            return binder.parameters
        }

        /// Returns a statement that writes records, which also notes the key of encrypted fields.
        private func noting(_ text: String) throws -> String {
            guard let cipher = plan.table.cipher?.cipher else { return text }
            return "WITH \(try EncryptionNotes.noting(cipher)) \(text)"
        }

        /// Runs a statement that writes a record, or finds none, and notes the record if it was
        /// written.
        ///
        /// - Parameter notesKey: whether it also notes the key of encrypted fields.
        /// - Returns: whether the record was written.
        private func change(
            _ id: E.ID, _ text: String, _ parameters: PostgreSQLParameters, notesKey: Bool = true
        ) async throws -> Bool {
            var (text, parameters) = (text, parameters)
            var queries: [String] = []
            if notesKey, let cipher = plan.table.cipher?.cipher {
                queries.append(try EncryptionNotes.noting(cipher))
            }
            if let source = job.source {
                let noting = PostgreSQLChangeTable.noting(
                    text, &parameters, plan.table.name, id: id.description, of: source)
                queries.append(noting.query)
                text = noting.text
            }
            if !queries.isEmpty { text = "WITH \(queries.joined(separator: ", ")) \(text)" }
            guard try await job.run(text, parameters).changed > 0 else { return false }
            note(id)
            return true
        }

        /// The parameters of an id.
        func parameters(_ id: E.ID) throws -> PostgreSQLParameters {
            var binder = PostgreSQLBinder(id: plan)
            try id.encodeComponents(to: &binder)
            return binder.parameters
        }

        /// Stores a new entity.
        func create(_ entity: E) async throws {
            note(entity.id)
            try noteReferences(entity)
            try await job.runLast(noting(texts.insert), parameters(entity))
        }

        /// The number of entities from which they are sent by `COPY`.
        static var leastCopied: Int { 100 }

        /// Stores new entities.
        func createAll(_ entities: [E]) async throws {
            for entity in entities { try noteReferences(entity) }
            // `COPY` cannot note the key of encrypted fields.
            if entities.count >= Self.leastCopied, plan.table.cipher == nil,
                let copy = plan.copy,
                try await job.copyIn(
                    copy, plan.recordTypes, count: entities.count,
                    { try parameters(entities[$0]) })
            {
                for entity in entities { note(entity.id) }
                return
            }
            try await runAllLast(noting(texts.insert), entities)
        }

        /// Runs a statement for each of several entities, in one round trip.
        private func runAllLast(_ text: String, _ entities: [E]) async throws {
            if job.notesFirst { for entity in entities { note(entity.id) } }
            try await job.runAllLast(
                entities.map {
                    PostgreSQLConnection.Step(text: text, parameters: try parameters($0))
                })
            if !job.notesFirst { for entity in entities { note(entity.id) } }
        }

        /// Replaces an entity.
        ///
        /// - Returns: the stored entity.
        /// - Throws: `recordNotFound`, `versionConflict`.
        func update(_ entity: E) async throws -> E {
            for _ in 1...Self.mostRounds {
                try Task.checkCancellation()
                if let changed = try await replace(entity) { return changed }
                let version = try await version(of: entity.id)
                guard let read = E.Mapper.version(of: entity), let stored = version else {
                    throw CRUDRepositoryError.recordNotFound(
                        id: entity.id.description, table: plan.table.name)
                }
                // Another writer may have stored the expected version since.
                if stored != read || read == .max {
                    return try await replaceUnreadable(entity, read, stored)
                }
            }
            throw unreachable(entity.id)
        }

        /// The number of times that a record is looked for which other writers change meanwhile.
        private static var mostRounds: Int { 100 }

        /// The error for a record that is there, but not for the statements that change it.
        private func unreachable(_ id: E.ID) -> CRUDRepositoryError {
            CRUDRepositoryError(
                .databaseError,
                "The record '\(id)' in '\(plan.table.name)' was not written: the database does not let this role, or a trigger does not let any, change it.",
                id: id.description, table: plan.table.name)
        }

        /// Creates or replaces an entity.
        ///
        /// - Returns: the stored entity.
        /// - Throws: `versionConflict`.
        func save(_ entity: E) async throws -> E {
            guard let read = E.Mapper.version(of: entity) else {
                note(entity.id)
                try noteReferences(entity)
                try await job.runLast(noting(texts.upsert), parameters(entity))
                return entity
            }
            for _ in 1...Self.mostRounds {
                try Task.checkCancellation()
                if let changed = try await replace(entity) { return changed }
                if let stored = try await version(of: entity.id) {
                    if stored == read, read < .max { continue }
                    return try await replaceUnreadable(entity, read, stored)
                }
                var new = entity
                try noteReferences(entity)
                E.Mapper.setVersion(1, of: &new)
                // Another writer may create it at the same moment.
                let key = PostgreSQLDialect().list(plan.table.keyNames)
                let text = "\(texts.insert) ON CONFLICT (\(key)) DO NOTHING"
                if try await change(new.id, text, parameters(new)) { return new }
            }
            throw unreachable(entity.id)
        }

        /// Creates or replaces entities without a version.
        func upsertAll(_ entities: [E]) async throws {
            for entity in entities { try noteReferences(entity) }
            try await runAllLast(noting(texts.upsert), entities)
        }

        /// Deletes an entity.
        ///
        /// - Returns: whether it existed.
        func delete(_ id: E.ID) async throws -> Bool {
            guard
                try await change(id, texts.delete, parameters(id), notesKey: false)
            else { return false }
            try noteDeleted(id)
            noteReached()
            return true
        }

        /// Deletes the entities that exist.
        ///
        /// - Returns: the number of entities that existed before, including those that a cascade
        ///   deleted first.
        func deleteAll(_ ids: [E.ID]) async throws -> Int {
            let distinct = Array(Set(ids))
            let found = try await job.runAll(
                distinct.map {
                    PostgreSQLConnection.Step(text: texts.exists, parameters: try parameters($0))
                })
            let there = zip(distinct, found).filter { $0.1.count > 0 }.map(\.0)
            _ = try await job.runAll(
                there.map {
                    PostgreSQLConnection.Step(text: texts.delete, parameters: try parameters($0))
                })
            for id in there {
                try noteDeleted(id)
                note(id)
            }
            if !there.isEmpty { noteReached() }
            return there.count
        }

        /// Deletes all entities.
        ///
        /// - Returns: the number of deleted entities.
        func deleteAll() async throws -> Int {
            // The statement does not count what a cascade has deleted before; the query does not
            // count what was created since.
            let before = Int(try await job.run(texts.count).integer(0, 0) ?? 0)
            let count = max(before, try await job.run(texts.deleteAll).changed)
            job.references?.noteEmptied(plan)
            if count > 0 {
                job.log?.addUnknown(plan.table.name)
                noteReached()
            }
            return count
        }

        /// Records a changed record for observers.
        private func note(_ id: E.ID) {
            if job.log != nil { job.log?.add(plan.table.name, id: id.description) }
        }

        /// Records for observers the tables that a deletion may have changed.
        private func noteReached() {
            guard job.log != nil else { return }
            for other in plan.reached { job.log?.addUnknown(other) }
        }

        /// Replaces the record with the entity's id and version.
        ///
        /// - Returns: the stored entity; `nil` if there is no such record.
        private func replace(_ entity: E) async throws -> E? {
            try noteReferences(entity)
            guard let read = E.Mapper.version(of: entity), let text = texts.updateVersion else {
                return try await change(entity.id, texts.update, parameters(entity)) ? entity : nil
            }
            // A store never assigns a version that cannot be incremented.
            guard read < Int.max else { return nil }
            var changed = entity
            E.Mapper.setVersion(read + 1, of: &changed)
            var binder = PostgreSQLBinder(record: plan, extra: [PostgreSQLType.int8])
            try binder.encode(changed)
            binder.set(texts.versionParameter - 1) { $0.append(Int64(read)) }
            return try await change(entity.id, text, binder.parameters) ? changed : nil
        }

        /// Replaces a record of another version that cannot be decoded, because no program can have
        /// read that version.
        ///
        /// - Throws: `versionConflict` if the record can be decoded.
        private func replaceUnreadable(_ entity: E, _ read: Int, _ stored: Int) async throws -> E {
            let result = try await job.run(texts.select, parameters(entity.id))
            do {
                _ = try await PostgreSQLUnknownKey.reading(plan.table, job) {
                    try PostgreSQLRows.all(E.self, result, plan.table)
                }
            } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
                var changed = entity
                E.Mapper.setVersion(read < Int.max ? read + 1 : 1, of: &changed)
                guard try await change(entity.id, texts.update, parameters(changed)) else {
                    throw CRUDRepositoryError.recordNotFound(
                        id: entity.id.description, table: plan.table.name)
                }
                return changed
            }
            throw CRUDRepositoryError.versionConflict(
                id: entity.id.description, table: plan.table.name, expected: read, stored: stored)
        }

        /// Returns the stored version of a record; `nil` if there is none.
        private func version(of id: E.ID) async throws -> Int? {
            guard let text = texts.version else { return nil }
            let result = try await job.run(text, parameters(id))
            guard result.count > 0 else { return nil }
            return result.integer(0, 0).map { Int($0) }
        }
    }
#endif
