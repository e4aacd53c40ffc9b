#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import Testing

    @testable import RepositoryPostgreSQL
    @testable import RepositoryTesting

    @Suite(
        "PostgreSQL: cut shared connections", .serialized,
        .enabled(if: TestServer.isAvailable, TestServer.reason))
    struct CutSharedConnectionTests {
        /// Every operation of a group tells the truth when the connection is cut between two messages,
        /// wherever that is.
        @Test(arguments: CuttingProxy.Direction.allCases)
        func everyMessage(_ direction: CuttingProxy.Direction) async throws {
            // The normal suite looks at every third place, from a random one on.
            let stride = Self.isLong ? 1 : 3
            let first = Int.random(in: 0..<stride)
            var run = first
            var wasCut = true
            var codes: [String: Int] = [:]
            try await with(direction) { library, store, proxy, truth in
                // As long as a cut has an effect.
                while wasCut, run < 400 {
                    proxy.cut(afterMessages: run)
                    let lost = store.statistics
                    try await Self.check(
                        library, truth, run, "message \(run), \(direction)", proxy, &codes)
                    let after = store.statistics
                    wasCut =
                        after.failedConnections > lost.failedConnections
                        || after.reads.lostConnections > lost.reads.lostConnections
                        || after.writes.lostConnections > lost.writes.lostConnections
                    run += stride
                }
                #expect(!wasCut)
                #expect(run > 20)
            }
            print(
                "PostgreSQL: cut at \((run - first) / stride) messages \(direction): \(codes.sorted { $0.key < $1.key })"
            )
        }

        private static let isLong = ProcessInfo.processInfo.environment["REPOSITORY_LONG"] == "1"

        @Test(arguments: CuttingProxy.Direction.allCases)
        func randomBytes(_ direction: CuttingProxy.Direction) async throws {
            let seed = UInt64.random(in: 0 ... .max)
            var random = CutConnectionTests.SeededGenerator(state: seed)
            var codes: [String: Int] = [:]
            let cuts = Self.isLong ? 200 : 25
            try await with(direction) { library, store, proxy, truth in
                for run in 0..<cuts {
                    let place = Int.random(in: 0...4_000, using: &random)
                    proxy.cut(afterBytes: place)
                    try await Self.check(
                        library, truth, run, "seed \(seed), byte \(place), \(direction)", proxy,
                        &codes)
                }
                #expect(store.statistics.writes.lostConnections > 0)
            }
            print(
                "PostgreSQL: cut at \(cuts) bytes \(direction): \(codes.sorted { $0.key < $1.key })"
            )
        }

        /// Runs a body with a library whose connections go through a proxy, and one whose do not.
        private func with(
            _ direction: CuttingProxy.Direction,
            _ body: (Conformance, PostgreSQLStore, CuttingProxy, Conformance) async throws -> Void
        ) async throws {
            let address = try TestServer.address("sslmode=disable&gssencmode=disable")
            let port = try #require(
                address.split(separator: "/").dropFirst().first?.split(separator: ":").last
                    .flatMap { UInt16($0) })
            let schema = "cuts-\(UUID().uuidString)"
            let direct = try TestServer.store(schema, connections: 2)
            let truth = Conformance.plain(direct)
            try await truth.open()
            let proxy = try CuttingProxy(to: port, direction, after: -1)
            let store = PostgreSQLStore(
                address.replacing(":\(port)", with: ":\(proxy.port)"), schema: schema,
                connections: 5, connectTimeout: .seconds(5), waitTimeout: .seconds(60))
            let library = Conformance.plain(store)
            try await library.open()
            try await library.notes.create(Note(id: "first", text: "first"))
            _ = try await library.notes.read("first")
            try await body(library, store, proxy, truth)
            try await store.close()
            try await direct.close()
            proxy.stop()
            try await TestServer.run("DROP SCHEMA \"\(schema)\" CASCADE")
        }

        private enum Outcome {
            case stored(Note.ID)
            case failed(Note.ID, CRUDRepositoryError)
            case refused
        }

        /// Runs reads and writes at once, of which one fails, and compares what they report with what
        /// is stored.
        private static func check(
            _ library: Conformance, _ truth: Conformance, _ run: Int, _ words: String,
            _ proxy: CuttingProxy, _ codes: inout [String: Int]
        ) async throws {
            let context = Comment(rawValue: words)
            let outcomes = try await withThrowingTaskGroup(of: Outcome.self) { group in
                for number in 0..<6 {
                    group.addTask {
                        let id = Note.ID("\(run)-\(number)")
                        do {
                            if number == 3 {
                                try await library.notes.create(Note(id: "first", text: "other"))
                                Issue.record("A record was created twice, \(context)")
                            }
                            _ = try await library.notes.create(Note(id: id, text: "\(number)"))
                            // A read is asked again: it gives the true answer, or fails.
                            if let read = try? await library.notes.read(id) {
                                #expect(read.text == "\(number)", context)
                            }
                            return .stored(id)
                        } catch let error as CRUDRepositoryError {
                            if number == 3, error.code == .recordAlreadyExists { return .refused }
                            return .failed(id, error)
                        }
                    }
                    group.addTask {
                        if let text = try? await library.notes.read("first").text {
                            #expect(text == "first", context)
                        }
                        return .refused
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            proxy.heal()
            for outcome in outcomes {
                switch outcome {
                case .refused: break
                case .stored(let id):
                    codes["stored", default: 0] += 1
                    #expect(try await truth.notes.exists(id), context)
                case .failed(_, let error) where error.code == .outcomeUnknown:
                    codes["unknown", default: 0] += 1
                case .failed(let id, let error):
                    codes["failed", default: 0] += 1
                    #expect(error.isRetryable, context)
                    #expect(try await !truth.notes.exists(id), context)
                }
            }
            // The store goes on by itself.
            let last = Note(id: Note.ID("\(run)-last"), text: "")
            _ = try await library.notes.create(last)
            #expect(try await truth.notes.exists(last.id), context)
            #expect(try await library.notes.read("first").text == "first", context)
        }
    }
#endif
