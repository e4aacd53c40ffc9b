internal import RepositoryRuntime
internal import Synchronization

/// Records the calls of the functions of a migration.
final class FunctionRecorder: Sendable {
    private let counts = Mutex<[FunctionCall: Int]>([:])

    /// The number of calls for each record since the last time.
    func take() -> [FunctionCall: Int] {
        counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
    }

    /// Returns functions that record their calls.
    func recorded(_ functions: MigrationFunctions) -> MigrationFunctions {
        var recorded: [String: MigrationFunction] = [:]
        for (name, function) in functions.functions {
            recorded[name] = { [self] old, new in
                counts.withLock { $0[FunctionCall(name, old), default: 0] += 1 }
                return try function(old, &new)
            }
        }
        var tables: [String: MigrationTablesFunction] = [:]
        for (name, function) in functions.tables {
            tables[name] = { [self] old in
                counts.withLock { $0[FunctionCall(name, MigrationRow()), default: 0] += 1 }
                try function(old)
            }
        }
        return MigrationFunctions(recorded, tables: tables)
    }
}
