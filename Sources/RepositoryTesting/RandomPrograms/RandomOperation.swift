internal import RepositoryRuntime

/// An operation that can be executed on any store.
struct RandomOperation: Sendable {
    /// The operation as source text.
    let describe: @Sendable () throws -> String
    /// Candidates for shrinking: simpler operations.
    var simpler: @Sendable () -> [RandomOperation] = { [] }
    /// Whether the store is reopened before the operation.
    var reopens = false
    /// Executes the operation.
    let run: @Sendable (Conformance) async throws -> RandomOutcome
}

extension RandomOperation {
    /// How a transaction ends.
    enum End: String, Sendable {
        case commits, throwing
    }

    /// Several operations in one transaction.
    static func transaction(_ operations: [RandomOperation], _ end: End) -> RandomOperation {
        RandomOperation(
            describe: {
                let lines =
                    try operations.map { try $0.describe() } + [end == .throwing ? "throw" : ""]
                let body = lines.joined(separator: "\n").replacing("\n", with: "\n    ")
                return "transaction {\n    \(body)\n}".replacing("\n    \n", with: "\n")
            },
            simpler: {
                operations
                    + operations.withoutParts.filter { !$0.isEmpty }.map { transaction($0, end) }
                    + operations.indices.flatMap { index in
                        operations[index].simpler().map { simpler in
                            var copy = operations
                            copy[index] = simpler
                            return transaction(copy, end)
                        }
                    }
            }
        ) { set in
            let outcomes = RandomOutcomes()
            do {
                try await set.transaction { inner in
                    outcomes.begin()
                    for operation in operations {
                        outcomes.add(try await .of { try await operation.run(inner) })
                    }
                    if end == .throwing { throw RolledBack() }
                }
            } catch is RolledBack {
                return .several(outcomes.all + [.done])
            }
            return .several(outcomes.all)
        }
    }

    /// Reopens the store at the same place.
    static let reopening = RandomOperation(describe: { "the store is reopened" }, reopens: true) {
        _ in .done
    }
}

/// The error with which a transaction is rolled back intentionally.
private struct RolledBack: Error {}
