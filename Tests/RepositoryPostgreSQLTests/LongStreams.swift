#if PostgreSQL
    import Foundation
    import RepositoryRuntime
    import Synchronization
    import Testing

    @testable import RepositoryPostgreSQL
    @testable import RepositoryTesting

    /// What the tests of streams that go on as one `COPY` share.
    enum LongStreams {
        /// The statements that a store has sent.
        final class Sent: Sendable {
            private let texts = Mutex<[String]>([])
            func note(_ text: String) { texts.withLock { $0.append(text) } }
            /// The number of streams that were begun.
            var copies: Int { texts.withLock { $0.count { $0.hasPrefix("COPY (SELECT") } } }
        }

        /// The time that loops may take, where they are not to be stopped.
        static let long = Duration.seconds(600)

        /// The options of a store whose streams soon go on as one `COPY`.
        static func options(
            _ address: String, _ schema: String, connections: Int, _ sent: Sent
        ) -> PostgreSQLStoreOptions {
            var options = PostgreSQLStoreOptions(
                address: address, schema: schema, connections: connections,
                connectTimeout: .seconds(10), waitTimeout: long, lockTimeout: long,
                exactlyOnce: false, observing: false)
            options.onStatement = { sent.note($0) }
            options.streams.fewPages = 1
            return options
        }

        /// Runs a body with a store in a schema of its own.
        ///
        /// - Parameters:
        ///   - patience: the time that loops may take.
        ///   - notes: the number of notes that are stored first.
        ///   - bytes: the size of their texts.
        ///   - address: a setting of the address.
        static func with(
            connections: Int = 4, patience: Duration = long, notes: Int = 0, of bytes: Int = 10,
            address: String = "", pageSize: Int? = nil,
            _ body: (PostgreSQLStore, Conformance, Sent) async throws -> Void
        ) async throws {
            let schema = "long-streams-\(UUID().uuidString)"
            let sent = Sent()
            var options = options(
                address.isEmpty ? try TestServer.address.get() : try TestServer.address(address),
                schema, connections: connections, sent)
            options.streams.patience = patience
            options.streams.pageSize = pageSize
            let store = PostgreSQLStore(options)
            let library = Conformance.plain(store)
            try await library.open()
            let text = String(repeating: "x", count: bytes)
            _ = try await library.notes.createAll(
                (0..<notes).map { Note(id: Note.ID(name($0)), text: text) })
            try await body(store, library, sent)
            try await store.close()
            try await TestServer.run("DROP SCHEMA \"\(schema)\" CASCADE")
        }

        static func name(_ number: Int) -> String { String(format: "%06d", number) }
        static func names(_ count: Int) -> [String] { (0..<count).map(name) }

        /// Waits until no connection is leased.
        static func expectNoLease(_ store: PostgreSQLStore) async throws {
            for _ in 0..<3_000 where store.statistics.leasedConnections > 0 {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(store.statistics.leasedConnections == 0)
        }

        /// Returns all records that a reader returns, and how it has ended.
        static func following<E: Entity>(
            _ store: PostgreSQLStore, _ type: E.Type, after id: E.ID
        ) async throws -> (found: [E], isOver: Bool) {
            var progress = StreamProgress()
            progress.pages = 1
            let reader = try #require(store.followingRecords(E.self, .all(after: id), progress))
            var found: [E] = []
            while true {
                switch try await reader.next() {
                case .records(let page): found += try page.entities()
                case .end: return (found, true)
                case .stopped: return (found, false)
                }
            }
        }

        /// Checks that one statement returns what pages return, after each of some ids.
        static func expectEqualRows<E: Entity & Equatable>(
            _ store: PostgreSQLStore, _ type: E.Type, least: Int = 2
        ) async throws {
            let all = try await store.page(E.self, after: nil, limit: .max)
            #expect(all.count >= least, "\(E.self)")
            for place in stride(from: 0, to: all.count, by: max(1, all.count / 20)) {
                let rest = try await following(store, E.self, after: all[place].id)
                #expect(rest.isOver)
                #expect(rest.found == Array(all[(place + 1)...]), "\(E.self) \(place)")
            }
        }
    }
#endif
