import CrashLedger
import Foundation
import RepositoryRuntime
import RepositoryTesting

/// Sells one piece of a shared product in each of many tasks.
///
/// Arguments: the store, its place, and how many tasks. It prints how many of them sold a piece, and how many found none.
struct Seller {
    private let library: Conformance
    private let tasks: Int

    init?(_ arguments: ArraySlice<String>) {
        let arguments = Array(arguments)
        guard arguments.count == 3, let kind = DurableStore(rawValue: arguments[0]),
            let tasks = Int(arguments[2])
        else { return nil }
        library = .ledger(kind.make(at: arguments[1]))
        self.tasks = tasks
    }

    func run() async throws -> String {
        let id = SharedRecords.product
        let counts = try await withThrowingTaskGroup(of: Int.self) { [library] group in
            for _ in 0..<tasks {
                group.addTask {
                    try await library.products.updateAll(where: { $0.id == id && $0.stock >= 1 }) {
                        $0.stock -= 1
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        return "\(counts.count { $0 == 1 }) \(counts.count { $0 == 0 })"
    }
}
