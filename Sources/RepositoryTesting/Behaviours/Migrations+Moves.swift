internal import RepositoryRuntime

extension StoreBehaviour {
    /// What stands beside the records of tables and fields that get other names.
    static let movedTables: [StoreBehaviour] = [
        moves(
            "migrations.movedSpent",
            "A version that skips the one that renames finds what stands beside the records.",
            [
                [.table(0, "four"), .field(0, 0, "login"), .field(0, 1, "text")], [.forget(0)],
            ], opened: [3]),
        moves(
            "migrations.movedInARow",
            "What stands beside the records is found when nothing was created by the version that renames.",
            [[.table(0, "four"), .field(0, 0, "login")], [.forget(0)], [.forget(1)]],
            opened: [2, 3, 4]),
        moves(
            "migrations.movedExchange", "Tables and fields exchange their names over versions.",
            [
                [.table(0, "four"), .field(0, 0, "login")],
                [.table(1, "one"), .field(0, 1, "name")],
                [.table(0, "two"), .field(0, 0, "title")], [.forget(0), .forget(1)],
            ], opened: [4, 5]),
        moves(
            "migrations.movedReused",
            "A new field has the name of a renamed one and none of its texts.",
            [[.field(0, 0, "login")], [.add(0, "name")], [.forget(0)]], opened: [3, 4]),
        moves(
            "migrations.movedCase", "Names of tables and fields change only in case.",
            [[.table(0, "One"), .field(0, 0, "Name"), .field(0, 3, "CODE")], [.table(1, "TWO")]],
            opened: [2, 3]),
    ]

    private static func moves(
        _ id: String, _ sentence: String, _ versions: [[Moves.Move]], opened: Set<Int>,
        fileID: String = #fileID, line: Int = #line
    ) -> StoreBehaviour {
        migration(id, sentence, fileID: fileID, line: line) { trial in
            try await Moves(trial.harness).check(versions, opened: opened)
        }
    }
}
