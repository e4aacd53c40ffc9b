#if PostgreSQL
    import Foundation
    import RepositoryTesting
    import Testing

    @testable import RepositoryPostgreSQL

    @Suite(
        "Every behaviour on PostgreSQL", .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct PostgreSQLBehaviourTests {
        /// Behaviours that ask for what the store is documented to refuse.
        static let beyond: Set<String> = []

        static let chosen = chosen(from: StoreBehaviour.all)

        /// Returns those of some behaviours that the environment chooses; all if it chooses none.
        static func chosen(from behaviours: [StoreBehaviour]) -> [StoreBehaviour] {
            let choice = ProcessInfo.processInfo.environment["REPOSITORY_BEHAVIOUR"] ?? ""
            guard !choice.isEmpty else { return behaviours }
            let words = choice.split(separator: "|").map(String.init)
            return behaviours.filter { behaviour in
                words.contains { behaviour.id.hasPrefix($0) }
            }
        }

        /// Returns the number of connections with which a behaviour is checked: 2 to 6. Whoever
        /// waits for a connection while it has another one, waits for ever only if there are few.
        static func connections(_ behaviour: StoreBehaviour) -> Int {
            2 + behaviour.id.utf8.reduce(0) { ($0 + Int($1)) % 5 }
        }

        @Test func all() async throws {
            _ = try TestServer.address.get()
            let results = await StoreBehaviour.checkAll(Self.chosen) {
                try await $0.check(TestServer.harness(connections: Self.connections($0)))
            }
            var passed = 0
            for (behaviour, result) in results {
                if case .failure(let error) = result, !Self.beyond.contains(behaviour.id) {
                    Issue.record("\(behaviour.id): \(error)")
                } else {
                    passed += 1
                }
            }
            print("PostgreSQL: \(passed) of \(Self.chosen.count) behaviours")
        }
    }
#endif
