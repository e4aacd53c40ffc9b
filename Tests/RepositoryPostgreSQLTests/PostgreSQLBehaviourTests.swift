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

        static let chosen: [StoreBehaviour] = {
            let choice = ProcessInfo.processInfo.environment["REPOSITORY_BEHAVIOUR"] ?? ""
            guard !choice.isEmpty else { return StoreBehaviour.all }
            let words = choice.split(separator: "|").map(String.init)
            return StoreBehaviour.all.filter { behaviour in
                words.contains { behaviour.id.hasPrefix($0) }
            }
        }()

        @Test func all() async throws {
            _ = try TestServer.address.get()
            var passed = 0
            await withTaskGroup(of: (String, (any Error)?).self) { group in
                var waiting = Self.chosen[...]
                func start(_ group: inout TaskGroup<(String, (any Error)?)>) {
                    guard let behaviour = waiting.popFirst() else { return }
                    group.addTask {
                        do {
                            _ = try await behaviour.check(TestServer.harness)
                            return (behaviour.id, nil)
                        } catch {
                            return (behaviour.id, error)
                        }
                    }
                }
                for _ in 0..<6 { start(&group) }
                for await (id, error) in group {
                    if let error, !Self.beyond.contains(id) {
                        Issue.record("\(id): \(error)")
                    } else {
                        passed += 1
                    }
                    start(&group)
                }
            }
            print("PostgreSQL: \(passed) of \(Self.chosen.count) behaviours")
        }
    }
#endif
