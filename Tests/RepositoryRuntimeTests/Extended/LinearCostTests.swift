import Testing

@testable import RepositoryRuntime

/// Ten times the records are no more than eleven times the work, counted and not timed.
@Suite("Costs grow with the records, not faster")
struct LinearCostTests {
    /// Something that is done with a number of records.
    struct Job: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// How many records are there before.
        var isFilled = false
        let body: @Sendable (CountedSet, Int) async throws -> Void

        init(
            _ name: String, isFilled: Bool = false,
            _ body: @escaping @Sendable (CountedSet, Int) async throws -> Void
        ) {
            testDescription = name
            self.isFilled = isFilled
            self.body = body
        }
    }

    static let jobs: [Job] = [
        Job("createAll") { set, count in
            try await set.all.createAll((0..<count).map { Counted($0) })
        },
        Job("create") { set, count in
            for number in 0..<count { try await set.all.create(Counted(number)) }
        },
        Job("create and find in turn") { set, count in
            for number in 0..<count {
                try await set.all.create(Counted(number))
                _ = try await set.all.find(index: 0, [.integer(Int64(number / 10))])
                _ = try await set.all.fetch(.where { $0.group == number / 10 })
            }
        },
        Job("create and read the first in turn") { set, count in
            for number in 0..<count {
                try await set.all.create(Counted(count - number))
                _ = try await set.all.fetch(.limit(1))
            }
        },
        Job("updateAll", isFilled: true) { set, _ in
            _ = try await set.all.updateAll(.all) { $0.group += 1 }
        },
        Job("deleteAll", isFilled: true) { set, _ in _ = try await set.all.deleteAll() },
        Job("deleteAll(where:)", isFilled: true) { set, count in
            _ = try await set.all.deleteAll(where: { $0.code < count / 2 })
        },
        Job("writes of a transaction", isFilled: true) { set, count in
            try await set.transaction { set in
                for number in 0..<count {
                    try await set.all.create(Counted(count + number))
                    _ = try await set.all.read(Counted(number).id)
                    try await set.all.delete(Counted(number).id)
                }
            }
        },
        Job("transactions in a transaction") { set, count in
            try await set.transaction { set in
                for number in 0..<count {
                    try await set.transaction { try await $0.all.create(Counted(number)) }
                }
            }
        },
        Job("nested transactions that are rolled back") { set, count in
            struct Undone: Error {}
            try await set.transaction { set in
                for number in 0..<count {
                    try await set.all.create(Counted(number))
                    do {
                        try await set.transaction { set in
                            try await set.all.create(Counted(count + number))
                            throw Undone()
                        }
                    } catch is Undone {}
                }
            }
        },
        Job("writes, each while a snapshot is open", isFilled: true) { set, count in
            for number in 0..<count {
                let snapshot = try await set.context.store.snapshot()
                try await set.all.create(Counted(count + number))
                await snapshot.rollBack()
            }
        },
        Job("sorted stream", isFilled: true) { set, _ in
            for try await _ in set.all.stream(.sorted(by: \.group, .descending)) {}
        },
    ]

    @Test(arguments: jobs)
    func isLinear(_ job: Job) async throws {
        func work(_ count: Int) async throws -> Int {
            let set = CountedSet(InMemoryStore(), fullScans: .allow)
            if job.isFilled { try await set.all.createAll((0..<count).map { Counted($0) }) }
            return try await WorkCounter.count { try await job.body(set, count) }
        }
        let (few, many) = (try await work(200), try await work(2000))
        #expect(few >= 200, "what is done is counted")
        // Trees and sorting add a logarithm, which is 11 in place of 7.6 here.
        #expect(many <= 15 * few, "\(few), then \(many)")
    }
}
