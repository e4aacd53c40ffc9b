internal import RepositoryRuntime

/// One operation, that can be done on any store.
struct RandomOperation: Sendable {
    /// The operation as a program would write it.
    let describe: @Sendable () throws -> String
    /// The same operation on less.
    var simpler: @Sendable () -> [RandomOperation] = { [] }
    /// Whether the store is made anew before the operation.
    var reopens = false
    /// Does it.
    let run: @Sendable (Conformance) async throws -> RandomOutcome
}

extension RandomOperation {
    /// How a transaction ends.
    enum End: String, Sendable {
        case commits, throwing
    }

    /// Operations in one transaction.
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

    /// The store made anew at the same place.
    static let reopening = RandomOperation(describe: { "the store is made anew" }, reopens: true) {
        _ in .done
    }
}

/// What ends a transaction on purpose.
private struct RolledBack: Error {}
