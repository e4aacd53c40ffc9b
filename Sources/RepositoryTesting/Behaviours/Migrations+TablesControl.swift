internal import Foundation
internal import RepositoryRuntime
internal import StoredSchema
internal import Synchronization

/// What programs can ask of functions that migrate several tables together, and what their errors
/// name.
extension StoreBehaviour {
    private typealias First = ClientVersions.First
    private typealias Note = VersionedRecord<ThingVersions.Noted>

    /// Functions of versions over several tables, under control. Stores without plans pass.
    static let tableMigrationControl: [StoreBehaviour] = [
        migration(
            "migrations.tablesPlan", "The plan counts what a function over several tables reads."
        ) { trial in
            let (first, second) = try splitting(ClientVersions.splitting)
            try await trial.fillManyClients(30, first)
            guard let plan = try await trial.plan(second) else { return }
            try expect(plan.tables.map(\.name), is: ["clients"])
            try expect(plan.records, is: 30)
            try expect((plan.tables.first?.bytes ?? 0) > 0 && plan.neededBytes > 0, "\(plan)")
            try expect(plan.isNeeded && plan.isRefusedByRefuse && plan.isPossible, "\(plan)")
            try expect(
                plan.steps.contains { $0.text.contains("'split'") && $0.version == 2 }, "\(plan)")
            // The program of version 1 goes on.
            try await trial.versioned(ClientVersions.One.self, first)
                .create(First("z", .text("Z"), .null))
            guard plan.freeBytes != nil else { return }
            var control = MigrationControl()
            control.freeBytes = { _ in 1 }
            let full = try await trial.reopened(ClientVersions.Two.self, second).context
            try await expectError(.storageFull) { try await full.migrate(control) }
            try await expect(
                trial.reopened(ClientVersions.One.self, first).count(), is: 31)
        },
        migration(
            "migrations.tablesModes", "'opening: .refuse' runs no function over several tables."
        ) { trial in
            let calls = CallCounter()
            let (first, second) = try splitting { tables in
                calls.add("split")
                try ClientVersions.splitting(tables)
            }
            try await trial.fillManyClients(3, first)
            guard try await trial.plan(second) != nil else { return }
            let error = try await expectError(.schemaMismatch) {
                _ = try await trial.reopened(ClientVersions.Two.self, second.opening(.refuse))
                    .count()
            }
            try expect(error.message.contains("'opening: .refuse'"), "\(error)")
            try expect(error.message.contains("'clients'"), "\(error)")
            try expect(calls.all, is: [:])
            try await expect(trial.reopened(ClientVersions.One.self, first).count(), is: 3)
            try await expect(trial.reopened(ClientVersions.Two.self, second).count(), is: 3)
            try await expect(
                trial.reopened(ClientVersions.Two.self, second.opening(.refuse)).count(), is: 3)
            try expect(calls.all, is: ["split": 1])
        },
        migration(
            "migrations.tablesGone",
            "'opening: .refuse' keeps a table that a function reads and a later version removes."
        ) { trial in
            var chain = VersionChain()
            chain.release([First.self, Note.self])
            let first = try chain.schema([First.self, Note.self])
            chain.release(
                [ClientVersions.Total.self, Note.self],
                [
                    .tables(
                        ["clients"],
                        new: ClientVersions.stored(
                            [ClientVersions.Totals.table], [ClientVersions.Total.self]),
                        function: "count")
                ])
            chain.release([Note.self], [.removeTable("totals")])
            let third = try chain.schema([Note.self], tables: ["count": { _ in }])
            try await trial.fillManyClients(3, first)
            guard let plan = try await trial.plan(third) else { return }
            try expect(plan.isRefusedByRefuse, "\(plan)")
            try await expectError(.schemaMismatch) {
                _ = try await trial.reopened(ThingVersions.Noted.self, third.opening(.refuse))
                    .count()
            }
            try await expect(trial.reopened(ClientVersions.One.self, first).count(), is: 3)
            try await expect(trial.reopened(ThingVersions.Noted.self, third).count(), is: 0)
        },
        migration(
            "migrations.tablesProgress",
            "The progress counts each record that a function over several tables reads, once."
        ) { trial in
            let (first, second) = try splitting { tables in
                // Again and again, by id, and as a whole.
                let old: MigrationReader<PlainRecord, String> = tables.reader("clients")
                for client in old.prefix(5) {
                    try expect(try old[client.row.value("id")] != nil, "by id")
                    try expect(old.reduce(0) { sum, _ in sum + 1 }, is: 40)
                }
                try ClientVersions.splitting(tables)
            }
            try await trial.fillManyClients(40, first)
            guard try await trial.plan(second) != nil else { return }
            let progress = try await trial.progress(second)
            try expect(progress.first?.done, is: 0)
            try expect(progress.last?.done, is: 40)
            try expect(progress.allSatisfy { $0.total == 40 && $0.table == "clients" }, "all")
            try expect(progress.map(\.done), is: progress.map(\.done).sorted())
            try expect(progress.count > 3, "\(progress.count)")
        },
        migration(
            "migrations.tablesUnread",
            "The progress ends at 1 if a function reads only some records."
        ) { trial in
            let (first, second) = try splitting { tables in
                let old: MigrationReader<PlainRecord, String> = tables.reader("clients")
                for _ in old.prefix(3) {}
            }
            try await trial.fillManyClients(40, first)
            guard try await trial.plan(second) != nil else { return }
            try await expect(trial.progress(second).last?.fraction, is: 1)
        },
        migration(
            "migrations.tablesCancelled",
            "A function over several tables ends between two records if the task is cancelled."
        ) { trial in
            let running = Mutex<Task<Void, any Error>?>(nil)
            let calls = CallCounter()
            let (first, second) = try splitting { tables in
                let old: MigrationReader<PlainRecord, String> = tables.reader("clients")
                for _ in old {
                    calls.add("read")
                    while running.withLock({ $0 == nil }) { usleep(500) }
                    running.withLock { $0?.cancel() }
                }
                // A function cannot ignore it.
                try ClientVersions.splitting(tables)
            }
            try await trial.fillManyClients(30, first)
            guard try await trial.plan(second) != nil else { return }
            let context = try await trial.reopened(ClientVersions.Two.self, second).context
            let task = Task { try await context.migrate(MigrationControl()) }
            running.withLock { $0 = task }
            var isCancelled = false
            do {
                try await task.value
            } catch is CancellationError {
                isCancelled = true
            }
            try expect(isCancelled, "It throws CancellationError.")
            try expect(calls.all, is: ["read": 1])
            let old = try await trial.reopened(ClientVersions.One.self, first)
            try await expect(old.count(), is: 30)
            try await old.delete(.init("100"))
        },
        migration(
            "migrations.tablesErrors",
            "The error of a function over several tables names the record that it read last."
        ) { trial in
            struct Problem: Error {}
            let last = Mutex("")
            let (first, failing) = try splitting { tables in
                let old: MigrationReader<PlainRecord, String> = tables.reader("clients")
                for client in old {
                    let id: String = try client.row.value("id")
                    last.withLock { $0 = id }
                    if try old["102"] != nil, id == "105" { throw Problem() }
                }
            }
            try await trial.fillManyClients(20, first)
            guard try await trial.plan(failing) != nil else { return }
            func failure(
                _ function: @escaping MigrationTablesFunction
            ) async throws -> CRUDRepositoryError {
                let (_, schema) = try splitting(function)
                return try await expectError(.schemaMismatch) {
                    _ = try await trial.reopened(ClientVersions.Two.self, schema).count()
                }
            }
            // It has read '102' by its id after '105'.
            var error = try await expectError(.schemaMismatch) {
                _ = try await trial.reopened(ClientVersions.Two.self, failing).count()
            }
            try expect(last.withLock { $0 }, is: "105")
            try expect(error.message.contains("'split'"), "\(error)")
            try expect(error.message.contains("read the record '102' of 'clients'"), "\(error)")
            try expect(error.id, is: "102")
            try expect(error.table, is: "clients")
            error = try await failure { _ in throw Problem() }
            try expect(error.message.contains("before it had read a record"), "\(error)")
            // A record that it writes.
            error = try await failure { tables in
                let clients: MigrationWriter<PlainRecord> = tables.writer("clients")
                for client in tables.reader("clients") as MigrationReader<PlainRecord, String> {
                    try clients.insert(
                        PlainRecord(["id": client.row["id"], "name": .text("")]))
                }
            }
            try expect(error.message.contains("'clients'"), "\(error)")
            try expect(error.message.contains("in 20 records: '1"), "\(error)")
        },
        migration(
            "migrations.tablesSensitive",
            "An error names no id of a table whose records are sensitive."
        ) { trial in
            struct Problem: Error {}
            for isSensitive in [false, true] {
                try await trial.fresh { trial in
                    let (first, _) = try splitting(ClientVersions.splitting)
                    try await trial.fillManyClients(3, first)
                    var chain = VersionChain()
                    chain.release([First.self])
                    chain.release(
                        [ClientVersions.Total.self],
                        [
                            .tables(
                                ["clients"],
                                new: ClientVersions.stored(
                                    [ClientVersions.Totals.table], [ClientVersions.Total.self]),
                                function: "sum")
                        ])
                    let schema = try chain.schema(
                        [ClientVersions.Total.self],
                        tables: [
                            "sum": { tables in
                                if isSensitive {
                                    let old: MigrationReader<SecretRecord, String> =
                                        tables.reader("clients")
                                    for _ in old { throw Problem() }
                                }
                                let old: MigrationReader<PlainRecord, String> =
                                    tables.reader("clients")
                                for _ in old { throw Problem() }
                            }
                        ])
                    let error = try await expectError(.schemaMismatch) {
                        _ = try await trial.reopened(ClientVersions.Totals.self, schema).count()
                    }
                    try expect(error.message.contains("'clients'"), "\(error)")
                    try expect(error.id == nil, is: isSensitive)
                    try expect(!error.message.contains("'10"), is: isSensitive)
                }
            }
        },
        migration(
            "migrations.tablesSetAside",
            "Records that a function over several tables cannot read are set aside, each once."
        ) { trial in
            let folder = FileManager.default.temporaryDirectory
                .appending(path: "aside-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let url = folder.appending(path: "aside.jsonl")
            let (first, second) = try splitting { tables in
                let old: MigrationReader<StrictRecord, String> = tables.reader("clients")
                let clients: MigrationWriter<PlainRecord> = tables.writer("clients")
                try expect(try old["101"] == nil, "By id")
                try expect(Array(old.records(where: ["name": "name 2"])).count, is: 0)
                for _ in 0..<2 { try expect(old.reduce(0) { sum, _ in sum + 1 }, is: 8) }
                for client in old {
                    try clients.insert(
                        PlainRecord([
                            "id": client.plain.row["id"], "name": client.plain.row["name"],
                        ]))
                }
            }
            try await trial.fillManyClients(10, first)
            guard try await trial.plan(second) != nil else { return }
            // Without the wish, it is an error that names the record.
            let error = try await expectError(.schemaMismatch) {
                _ = try await trial.reopened(ClientVersions.Two.self, second).count()
            }
            try expect(error.message.contains("'101'"), "\(error)")
            try expect(error.message.contains("'clients'"), "\(error)")
            try await expect(trial.reopened(ClientVersions.One.self, first).count(), is: 10)
            var control = MigrationControl()
            control.unreadable = .setAside(url)
            let new = try await trial.reopened(ClientVersions.Two.self, second)
            try await new.context.migrate(control)
            try await expect(
                new.ids().map(\.rawValue),
                is: (0..<10).map { "\(100 + $0)" }.filter {
                    !StrictRecord.refused.contains($0)
                })
            let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
            let ids = try lines.dropFirst().map { line in
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
                return (object as? [String: Any])?["id"] as? String ?? "?"
            }
            try expect(ids.sorted(), is: StrictRecord.refused)
        },
    ]
}

extension StoreTrial {
    /// Stores clients of version 1 with the ids from 100 on.
    fileprivate func fillManyClients(_ count: Int, _ schema: StoreSchema) async throws {
        try await versioned(ClientVersions.One.self, schema).createAll(
            (0..<count).map { number in
                .init("\(100 + number)", .text("name \(number)"), .text("city \(number % 7)"))
            })
    }

    /// Migrates the store, in a new instance, and returns the progress.
    fileprivate func progress(_ schema: StoreSchema) async throws -> [MigrationProgress] {
        let context = try await reopened().versioned(ClientVersions.Two.self, schema).context
        var progress: [MigrationProgress] = []
        for try await next in MigrationRun(context, MigrationControl()) { progress.append(next) }
        return progress
    }
}

/// A record of an old version whose type refuses two of the records.
private struct StrictRecord: FrozenRecord {
    static let refused = ["101", "102"]
    let plain: PlainRecord

    init(_ row: MigrationRow) throws {
        if Self.refused.contains(try row.value("id")) {
            throw RecordDecodingError(path: "city", "")
        }
        plain = PlainRecord(row)
    }

    func write(to row: inout MigrationRow) { plain.write(to: &row) }
}

/// A record of an old version with sensitive fields.
private struct SecretRecord: FrozenRecord, CustomReflectable {
    let plain: PlainRecord
    var customMirror: Mirror { Mirror(self, children: []) }

    init(_ row: MigrationRow) { plain = PlainRecord(row) }

    func write(to row: inout MigrationRow) { plain.write(to: &row) }
}
