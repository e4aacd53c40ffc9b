#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import Testing

    @testable import RepositoryPostgreSQL
    @testable import RepositoryTesting

    @Suite(
        "PostgreSQL: cut connections", .serialized,
        .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct CutConnectionTests {
        /// Connections are cut after so many bytes, of which the whole scenario has fewer than the
        /// greatest. `REPOSITORY_LONG=1` cuts at more places.
        private static func places(
            _ count: Int, below most: Int, _ random: inout SeededGenerator
        ) -> [Int] {
            (0..<count).map { _ in Int.random(in: 0...most, using: &random) }
        }

        private static let isLong = ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1"

        /// A generator with a seed that failures print.
        struct SeededGenerator: RandomNumberGenerator {
            var state: UInt64
            mutating func next() -> UInt64 {
                state &+= 0x9E37_79B9_7F4A_7C15
                var word = state
                word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
                word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
                return word ^ (word >> 31)
            }
        }

        /// A migration whose connection is cut leaves the old or the new data, whole.
        @Test(arguments: CuttingProxy.Direction.allCases)
        func migrations(_ direction: CuttingProxy.Direction) async throws {
            let address = try TestServer.address.get()
            let port = try #require(
                address.split(separator: "/").dropFirst().first?.split(separator: ":").last
                    .flatMap { UInt16($0) })
            let seed = UInt64.random(in: 0 ... .max)
            var random = SeededGenerator(state: seed)
            let most = direction == .toServer ? 30_000 : 40_000
            var (old, new) = (0, 0)
            let places = Self.places(Self.isLong ? 50 : 12, below: most, &random)
            for place in places {
                let context = Comment(rawValue: "seed \(seed), byte \(place), \(direction)")
                let schema = "cuts-\(UUID().uuidString)"
                func books<S: VersionShape>(
                    _ shape: S.Type, _ set: StoreSchema
                ) throws -> (VersionedRepository<S>, PostgreSQLStore) {
                    let store = try TestServer.store(schema, connections: 2)
                    let context = RepositoryContext(
                        store: store, schema: set, fullScans: .allow)
                    return (VersionedRepository(context), store)
                }
                let (first, firstStore) = try books(
                    BookVersions.One.self, BookPrograms.first())
                try await first.createAll(
                    (0..<120).map { number in
                        .init(
                            "\(number)", .text("t\(number)"), .null, .integer(1), .null,
                            .text("\(number)"))
                    })
                try await firstStore.close()
                let third = try BookPrograms.third(BookPrograms.price(CallCounter()))
                let proxy = try CuttingProxy(to: port, direction, after: place)
                let store = PostgreSQLStore(
                    address.replacing(":\(port)", with: ":\(proxy.port)"), schema: schema,
                    connections: 1, connectTimeout: .seconds(5), waitTimeout: .seconds(60))
                var isMigrated = true
                do {
                    try await store.open(third)
                } catch let error as CRUDRepositoryError {
                    isMigrated = false
                    #expect(
                        [.databaseError, .outcomeUnknown].contains(error.code),
                        "\(context): \(error)")
                }
                try await store.close()
                proxy.stop()
                let (after, afterStore) = try books(BookVersions.Three.self, third)
                let plan = try await afterStore.migrationPlan(third)
                if isMigrated { #expect(!plan.isNeeded, context) }
                if plan.isNeeded {
                    old += 1
                    #expect(plan.from == .released(1), context)
                } else {
                    new += 1
                }
                #expect(try await after.count() == 120, context)
                try await afterStore.close()
                try await TestServer.run("DROP SCHEMA \"\(schema)\" CASCADE")
            }
            print(
                "PostgreSQL: of \(places.count) migrations \(direction), \(old) were undone, \(new) done"
            )
        }

        @Test(arguments: CuttingProxy.Direction.allCases)
        func everyAnswerIsTrue(_ direction: CuttingProxy.Direction) async throws {
            let address = try TestServer.address.get()
            let port = try #require(
                address.split(separator: "/").dropFirst().first?.split(separator: ":").last
                    .flatMap { UInt16($0) })
            let schema = "cuts-\(UUID().uuidString)"
            let direct = try TestServer.store(schema, connections: 2)
            let truth = Conformance.plain(direct)
            try await truth.open()
            let seed = UInt64.random(in: 0 ... .max)
            var random = SeededGenerator(state: seed)
            let places = Self.places(Self.isLong ? 100 : 25, below: 9_000, &random)
            for (run, place) in places.enumerated() {
                let context = Comment(rawValue: "seed \(seed), byte \(place), \(direction)")
                let proxy = try CuttingProxy(to: port, direction, after: place)
                let store = PostgreSQLStore(
                    address.replacing(":\(port)", with: ":\(proxy.port)"), schema: schema,
                    connections: 1, connectTimeout: .seconds(5), waitTimeout: .seconds(60))
                let library = Conformance.plain(store)
                var outcomes: [(id: Note.ID, error: CRUDRepositoryError?)] = []
                for number in 0..<6 {
                    let note = Note(id: Note.ID("\(run)-\(number)"), text: "text \(number)")
                    do {
                        switch number % 3 {
                        case 0: _ = try await library.notes.create(note)
                        case 1: _ = try await library.notes.saveAll([note])
                        default:
                            try await library.transaction {
                                _ = try await $0.notes.create(note)
                            }
                        }
                        outcomes.append((note.id, nil))
                        // A read is asked again: it gives the true answer, or fails.
                        if let read = try? await library.notes.read(note.id) {
                            #expect(read.text == note.text, context)
                        }
                    } catch let error as CRUDRepositoryError {
                        outcomes.append((note.id, error))
                    }
                }
                proxy.heal()
                for (id, error) in outcomes {
                    let isStored = try await truth.notes.exists(id)
                    switch error?.code {
                    case nil: #expect(isStored, context)
                    case .outcomeUnknown: break
                    default:
                        #expect(!isStored, context)
                        #expect(error?.isRetryable ?? false, context)
                    }
                }
                // The store goes on by itself.
                let last = Note(id: Note.ID("\(run)-last"), text: "")
                _ = try await library.notes.create(last)
                #expect(try await truth.notes.exists(last.id), context)
                try await store.close()
                proxy.stop()
            }
            try await direct.close()
            try await TestServer.run("DROP SCHEMA \"\(schema)\" CASCADE")
        }
    }
#endif
