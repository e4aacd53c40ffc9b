import Testing

@testable import RepositoryRuntime

@Suite("Records that a migration refuses") struct MigrationFailuresTests {
    private func message(_ add: (inout MigrationFailures) -> Void) throws -> String {
        var failures = MigrationFailures()
        add(&failures)
        let error = try #require(throws: CRUDRepositoryError.self) {
            try failures.check(store: "a store")
        }
        return error.message
    }

    @Test("are named by their least ids, whatever the order", arguments: [1, 7, 37, 49])
    func leastIDs(_ step: Int) throws {
        let numbers = (0..<50).map { $0 * step % 50 }
        let message = try message { failures in
            for number in numbers { failures.add("it is wrong", id: "\(number)") }
        }
        let names = (0..<20).map { "'\($0)'" }.joined(separator: ", ")
        #expect(message.contains("it is wrong, in 50 records: \(names) …"))
    }

    @Test("have an order among numbers and texts")
    func numbersAndTexts() throws {
        let ids = ["5", "1a", "10", "é", "05", "b", "-1", "B"]
        for shift in ids.indices {
            let message = try message { failures in
                for id in ids[shift...] + ids[..<shift] { failures.add("wrong", id: id) }
            }
            #expect(
                message.contains("in 8 records: '-1', '05', '5', '10', '1a', 'B', 'b', 'é'"))
        }
    }

    @Test("are named in pairs, and not at all where ids are sensitive")
    func pairsAndSensitiveIDs() throws {
        let message = try message { failures in
            failures.add("same", pair: ("b", "c"))
            failures.add("same", pair: ("a", "d"))
            failures.add("hidden", id: nil)
        }
        #expect(message.contains("same, in 2 pairs: 'a' and 'd', 'b' and 'c'"))
        #expect(message.contains("hidden, in 1 record"))
        #expect(!message.contains("hidden, in 1 record:"))
        try MigrationFailures().check(store: "a store")
    }
}
