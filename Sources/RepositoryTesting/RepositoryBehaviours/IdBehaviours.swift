internal import Foundation
internal import RepositoryRuntime

extension RepositoryBehaviour {
    /// Ids and table names.
    static let ids: [RepositoryBehaviour] = [
        RepositoryBehaviour("ids.case", "Ids that differ in case are distinct.") { trial in
            try await trial.create("Key", "upper")
            try await trial.expectNothing("key")
            try await trial.create("key", "lower")
            try await expect(trial.read("Key"), is: "upper")
            try await expect(trial.read("key"), is: "lower")
        },
        RepositoryBehaviour("ids.unicodeForms", "Ids that differ in Unicode form are distinct.") {
            trial in
            try await trial.create("caf\u{E9}", "composed")
            try await trial.expectNothing("cafe\u{301}")
            try await trial.create("cafe\u{301}", "decomposed")
            try await expect(trial.read("caf\u{E9}"), is: "composed")
        },
        RepositoryBehaviour("ids.empty", "Every method throws for an empty id.") { trial in
            try await trial.expectRefused("")
        },
        RepositoryBehaviour("ids.null", "Every method throws for an id with U+0000.") {
            trial in
            try await trial.expectRefused("\u{0}")
            try await trial.expectRefused("a\u{0}b")
        },
        RepositoryBehaviour(
            "ids.hostile",
            "More than 500 problematic ids identify separate items."
        ) { trial in
            let ids = HostileIDs.all
            try expect(ids.count > 500, "There are only \(ids.count) ids.")
            for (number, id) in ids.enumerated() { try await trial.create(id, number) }
            let lasts = trial.harness.capabilities.has(.persistent)
            let later = lasts ? try await trial.reopened() : trial
            for (number, id) in ids.enumerated() {
                let item = try await later.read(id, as: Int.self)
                try expect(item, is: number, "Another item is stored under \(id.debugDescription).")
            }
            for number in stride(from: 0, to: ids.count, by: 3) {
                try await later.delete(ids[number])
                if number + 1 < ids.count { try await later.update(ids[number + 1], -number - 1) }
            }
            for (number, id) in ids.enumerated() {
                if number % 3 == 0 {
                    try await later.expectNothing(id)
                } else {
                    let expected = number % 3 == 1 ? -number : number
                    try await expect(later.read(id), is: expected, id.debugDescription)
                }
            }
        },
        RepositoryBehaviour(
            "ids.outside", "No id leads to a file outside the repository.", needs: [.records]
        ) { trial in
            let outside = trial.place.directory.deletingLastPathComponent()
                .appending(path: "outside-\(trial.place.name)")
            let relative = "../outside-\(trial.place.name)"
            for id in [relative, "x/../" + relative, outside.path, "./../" + relative] {
                try await trial.create(id, "inside")
            }
            let names = try FileManager.default.contentsOfDirectory(
                atPath: outside.deletingLastPathComponent().path)
            try expect(
                !names.contains { $0.contains("outside-\(trial.place.name)") },
                "A file was written outside the repository.")
        },
        RepositoryBehaviour(
            "tables.apart", "Repositories of different tables are independent.",
            needs: [.namedTables]
        ) { trial in
            let tables = [
                "Clients Database", "clients database 2", "", "a_item_b", "a", "a_item",
                "a\"b", "a'b", "a/b", "../a", "%41", "caf\u{E9}", "cafe\u{301}", "notes;--", "Ж",
                "sqlite", "select", "database_a_item_", "a%5Fitem_b", ".", "..", "😀",
            ]
            for table in tables {
                let repository = try await trial.table(table)
                try await repository.create(id: "b", item: table)
                try await repository.create(id: "b_item_b", item: "second of " + table)
            }
            for table in tables {
                let repository = try await trial.table(table)
                let item: String = try await repository.read(id: "b")
                try expect(item, is: table)
                let second: String = try await repository.read(id: "b_item_b")
                try expect(second, is: "second of " + table)
            }
        },
        RepositoryBehaviour(
            "tables.prefix", "Different splits of a string into table and id are distinct.",
            needs: [.namedTables]
        ) { trial in
            let parts = [("a", "b_item_c"), ("a_item_b", "c"), ("", "a_item_b_item_c")]
            for (table, id) in parts {
                try await trial.table(table).create(id: id, item: table + "|" + id)
            }
            for (table, id) in parts {
                let item: String = try await trial.table(table).read(id: id)
                try expect(item, is: table + "|" + id)
            }
        },
    ]
}

extension RepositoryTrial {
    /// Throws unless every method rejects the id.
    fileprivate func expectRefused(_ id: String) async throws {
        try await expectError(.invalidIdentifier) { try await create(id, "nothing") }
        try await expectError(.invalidIdentifier) { try await read(id, as: String.self) }
        try await expectError(.invalidIdentifier) { try await update(id, "nothing") }
        try await expectError(.invalidIdentifier) { try await delete(id) }
    }
}
