internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Backups, compaction and checks.
    static let upkeep: [StoreBehaviour] = backups + refusedBackups + checking

    /// What a backup contains.
    private static let backups: [StoreBehaviour] = [
        backup("whole", "A store that is restored from a backup has the records of all tables.") {
            trial in
            try await trial.fillNotes()
            try await trial.products.create(Product(id: "p1", name: "P", stock: 1))
            try await trial.withBackup { url in
                try await trial.notes.update(Note(id: "a", text: "later"))
                try await trial.notes.create(Note(id: "d", text: "later"))
                try await trial.restored(from: url) { other in
                    try await expect(other.notes.ids(), is: ["a", "b", "c"])
                    try await expect(other.notes.fetch().map(\.text), is: ["old", "old", "old"])
                    try await expect(other.products.read("p1").name, is: "P")
                    try await other.notes.create(Note(id: "d", text: "new"))
                    try await expect(other.notes.count(), is: 4)
                }
            }
            try await expect(trial.notes.read("d").text, is: "later")
        },
        backup("twice", "A backup can be restored into several stores.") { trial in
            try await trial.fillNotes()
            try await trial.withBackup { url in
                for _ in 0..<2 {
                    try await trial.restored(from: url) { other in
                        try await expect(other.notes.count(), is: 3)
                        _ = try await other.notes.deleteAll()
                    }
                }
            }
        },
        backup(
            "writers", "A backup that is made among writers is one committed state.",
            needs: [.transactions]
        ) { trial in
            let bank = Bank(trial.repositories)
            try await bank.open()
            let isOver = CancellationFlag()
            let writers = (0..<Bank.writers).map { writer in
                Task { try await bank.write(writer, until: isOver) }
            }
            for _ in 0..<2 {
                do {
                    try await trial.withBackup { url in
                        try await trial.restored(from: url) { other in
                            try await Bank(other.repositories).check()
                        }
                    }
                } catch {
                    isOver.cancel()
                    throw error
                }
            }
            isOver.cancel()
            for writer in writers { try await writer.value }
            try await bank.check()
        },
    ]

    /// Backups that are refused.
    private static let refusedBackups: [StoreBehaviour] = [
        backup("target", "A backup does not replace a file or a folder.") { trial in
            try await trial.fillNotes()
            try await trial.fresh { place in
                let file = place.place.directory.appending(path: "file")
                try Data("kept".utf8).write(to: file)
                let folder = place.place.directory.appending(path: "folder")
                try FileManager.default.createDirectory(
                    at: folder.appending(path: "inner"), withIntermediateDirectories: true)
                for url in [file, folder] {
                    try await expectError(.databaseError) {
                        try await trial.repositories.backup(to: url)
                    }
                }
                try expect(
                    try Data(contentsOf: file) == Data("kept".utf8), "The file was replaced.")
                let absent = place.place.directory.appending(path: "absent/backup")
                try await expectError(.databaseError) {
                    try await trial.repositories.backup(to: absent)
                }
                let names = try FileManager.default.contentsOfDirectory(
                    atPath: place.place.directory.path)
                try expect(names.sorted(), is: ["file", "folder"])
            }
            try await expect(trial.notes.count(), is: 3)
        },
        backup("nonEmpty", "A backup is restored only into an empty store.") { trial in
            try await trial.fillNotes()
            try await trial.withBackup { url in
                try await expectError(.storeNotEmpty) {
                    try await trial.repositories.restore(from: url)
                }
                try await trial.notes.delete("a")
                try await expectError(.storeNotEmpty) {
                    try await trial.repositories.restore(from: url)
                }
                try await expect(trial.notes.ids(), is: ["b", "c"])
            }
        },
        backup("invalid", "What is no backup is not restored.") { trial in
            try await trial.fresh { place in
                let file = place.place.directory.appending(path: "file")
                try Data("no backup".utf8).write(to: file)
                let folder = place.place.directory.appending(path: "folder")
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true)
                let absent = place.place.directory.appending(path: "absent")
                for url in [file, folder, absent] {
                    try await expectError(.invalidBackup) {
                        try await trial.repositories.restore(from: url)
                    }
                }
            }
            try await trial.fillNotes()
            try await expect(trial.notes.count(), is: 3)
        },
        backup(
            "inside",
            "A backup, a compaction and a check inside a transaction throw `unsupported`.",
            needs: [.transactions, .compaction]
        ) { trial in
            try await trial.fillNotes()
            try await trial.fresh { place in
                let url = place.place.directory.appending(path: "backup")
                try await trial.repositories.transaction { _ in
                    try await expectError(.unsupported) {
                        try await trial.repositories.backup(to: url)
                    }
                    try await expectError(.unsupported) { try await trial.repositories.compact() }
                    try await expectError(.unsupported) { try await trial.repositories.check() }
                }
            }
        },
    ]

    /// Checks and compaction.
    private static let checking: [StoreBehaviour] = [
        StoreBehaviour(
            "upkeep.compact", "Compaction changes no record.",
            needs: [.records, .listing, .compaction]
        ) { trial in
            for number in 0..<50 {
                try await trial.notes.create(Note(id: Note.ID("\(number)"), text: "text"))
            }
            for number in 0..<40 { try await trial.notes.delete(Note.ID("\(number)")) }
            let notes = try await trial.notes.fetch()
            try await trial.repositories.compact()
            try await expect(trial.notes.fetch(), is: notes)
            try await trial.notes.create(Note(id: "new", text: ""))
            try await expect(trial.notes.count(), is: 11)
        },
        StoreBehaviour(
            "upkeep.sound",
            "A check of a store without damage finds no problem and changes nothing.",
            needs: [.records, .listing]
        ) { trial in
            try await trial.fillNotes()
            for repair in [false, true] {
                let check = try await trial.repositories.check(repair: repair)
                try expect(check.problems, is: [])
                try expect(check.isSound, is: true)
                try expect(check.recordCount >= 3, "It read \(check.recordCount) records.")
            }
            try await expect(trial.notes.count(), is: 3)
        },
        StoreBehaviour(
            "upkeep.unreadable",
            "A check names each record that cannot be read, and does not change it.",
            needs: [.records, .listing], needsDamage: true
        ) { trial in
            try await trial.fillNotes()
            try await trial.damage(Note.self, "b")
            for repair in [false, true] {
                let check = try await trial.repositories.check(repair: repair)
                let found = check.problems.filter { $0.kind == .unreadableRecord }
                try expect(found.map(\.id), is: ["b"])
                try expect(found.map(\.table), is: ["notes"])
                try expect(check.isSound, is: false)
            }
            try await expect(trial.notes.exists("b"), is: true)
            try await expectError(.invalidRecord) { try await trial.notes.read("b") }
            try await expect(trial.notes.read("a").text, is: "old")
        },
    ]

    private static func backup(
        _ name: String, _ sentence: String, needs: [StoreCapability] = [],
        fileID: String = #fileID, line: Int = #line,
        _ run: @escaping @Sendable (StoreTrial) async throws -> Void
    ) -> StoreBehaviour {
        StoreBehaviour(
            "upkeep.backup.\(name)", sentence, needs: [.records, .listing, .backups] + needs,
            fileID: fileID, line: line, run)
    }
}

extension StoreTrial {
    /// Calls a closure with a backup of the store, which is removed afterwards.
    func withBackup(_ body: (URL) async throws -> Void) async throws {
        try await fresh { other in
            let url = other.place.directory.appending(path: "backup")
            try await repositories.backup(to: url)
            try await body(url)
        }
    }

    /// Calls a closure with a store at a new place, into which a backup was restored.
    func restored(
        from url: URL, _ body: (StoreTrial) async throws -> Void
    ) async throws {
        try await fresh { other in
            try await other.repositories.restore(from: url)
            try await body(other)
        }
    }
}

/// Accounts between which writers move amounts, with a number and a list of each writer's steps.
private struct Bank {
    static let writers = 16
    private static let accounts = 8
    private let library: Conformance

    init(_ library: Conformance) { self.library = library }

    /// Creates the accounts.
    func open() async throws {
        try await library.notes.createAll(
            (0..<Self.accounts).map {
                Note(id: Note.ID("account \($0)"), text: "account", rank: 100)
            } + (0..<Self.writers).map { Note(id: Note.ID("writer \($0)"), text: "writer") })
    }

    /// Moves amounts in transactions, each of which is a step of the writer.
    func write(_ writer: Int, until isOver: CancellationFlag) async throws {
        var step = 0
        while !isOver.isCancelled {
            step += 1
            let (from, to) = (writer + step, writer + step * 3 + 1)
            try await library.transaction { [step] library in
                try await move(-1, to: from, library)
                try await move(1, to: to, library)
                try await library.notes.create(
                    Note(id: Note.ID("step \(writer) \(step)"), text: "step"))
                try await library.notes.save(
                    Note(id: Note.ID("writer \(writer)"), text: "writer", rank: step))
            }
            // Others have to have their turn, too.
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    private func move(_ amount: Int, to account: Int, _ library: Conformance) async throws {
        let id = Note.ID("account \(account % Self.accounts)")
        var note = try await library.notes.read(id)
        note.rank += amount
        try await library.notes.update(note)
    }

    /// Expects one state between the transactions.
    func check() async throws {
        let notes = try await library.notes.fetch()
        let sum = notes.filter { $0.text == "account" }.map(\.rank).reduce(0, +)
        try expect(sum, is: 100 * Self.accounts)
        for writer in 0..<Self.writers {
            let last = notes.first { $0.id == Note.ID("writer \(writer)") }?.rank ?? -1
            let steps = notes.filter { $0.id.description.hasPrefix("step \(writer) ") }
            try expect(
                Set(steps.map(\.id.description)),
                is: Set((0..<last).map { "step \(writer) \($0 + 1)" }))
        }
    }
}
