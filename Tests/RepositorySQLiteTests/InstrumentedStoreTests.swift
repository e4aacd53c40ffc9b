import Foundation
import Generated
import RepositoryRuntime
import RepositorySQLite
import Synchronization
import Testing

/// What instruments learn of the operations of a store.
@Suite struct InstrumentedStoreTests {
    /// An instrument that keeps what it receives.
    private final class Recorder: StoreInstrument {
        private struct State {
            var isEnabled = true
            var reports: [StoreReport] = []
            var notices: [StoreNotice] = []
        }

        private let state = Mutex(State())

        var isEnabled: Bool {
            get { state.withLock { $0.isEnabled } }
            set { state.withLock { $0.isEnabled = newValue } }
        }
        /// The reports since the last call.
        func reports() -> [StoreReport] {
            state.withLock { state in
                defer { state.reports = [] }
                return state.reports
            }
        }
        var notices: [StoreNotice] { state.withLock { $0.notices } }

        func record(_ report: StoreReport) { state.withLock { $0.reports.append(report) } }
        func notice(_ notice: StoreNotice) { state.withLock { $0.notices.append(notice) } }
    }

    private func library(
        _ store: any EntityStore = SQLiteStore.inMemory(), by recorder: Recorder
    ) async throws -> Library {
        let library = Library(store.instrumented(by: recorder), fullScans: .log)
        let author = try await library.authors.create(Author(name: "Secret author"))
        for number in 1...3 {
            try await library.books.create(
                Book(
                    isbn: Book.ID("000000000\(number)"), title: "Secret title \(number)",
                    pages: number, authorID: author.id))
        }
        _ = recorder.reports()
        return library
    }

    @Test func reportsSayWhatWasDone() async throws {
        for store in [SQLiteStore.inMemory(), InMemoryStore()] as [any EntityStore] {
            let recorder = Recorder()
            let library = try await library(store, by: recorder)
            let book = try await library.books.read("0000000001")
            try await expectError(.recordNotFound) {
                _ = try await library.books.read("0000000009")
            }
            var reports = recorder.reports()
            #expect(reports.map(\.operation.kind) == [.read, .read])
            #expect(reports.map(\.operation.table) == ["books", "books"])
            #expect(reports.map(\.operation.entity) == ["Book", "Book"])
            #expect(reports.map(\.operation.access) == [.ids, .ids])
            #expect(reports.map(\.volume.rows) == [1, 0])
            #expect(reports.map(\.outcome) == [.success, .failure(.recordNotFound)])
            #expect(reports.allSatisfy { $0.duration > .zero })

            _ = try await library.books.fetch(.where { $0.title == "Secret title 2" })
            reports = recorder.reports()
            #expect(reports.map(\.operation.access) == [.index("by_title")], "\(reports)")
            #expect(reports.map(\.volume.rows) == [1])

            _ = try await library.books.fetch(.where { $0.pages == 2 }.allowingFullScan())
            #expect(
                recorder.reports().allSatisfy {
                    [.fullScan, .table].contains($0.operation.access)
                })
            var other = book
            other.title = "Secret title 4"
            try await library.books.update(other)
            #expect(recorder.reports().map(\.operation.kind) == [.update])
        }
    }

    @Test func fullScansAreNoticedOnce() async throws {
        let recorder = Recorder()
        let library = try await library(by: recorder)
        for pages in 1...2 { _ = try await library.books.fetch(.where { $0.pages == pages }) }
        #expect(recorder.reports().map(\.operation.access) == [.fullScan, .fullScan])
        #expect(recorder.notices.count == 1)
        guard case .fullScan("books", let message)? = recorder.notices.first else {
            Issue.record("No notice.")
            return
        }
        #expect(message.contains("fields: [pages]"), "\(message)")
    }

    @Test func slowOperationsAreNoticed() async throws {
        let recorder = Recorder()
        let store = InMemoryStore().instrumented(by: recorder, slowAfter: .zero)
        _ = try await Library(store).books.count()
        #expect(recorder.notices.count == recorder.reports().count)
        let patient = Recorder()
        let other = InMemoryStore().instrumented(by: patient, slowAfter: .seconds(600))
        _ = try await Library(other).books.count()
        #expect(patient.notices.isEmpty)
    }

    @Test func transactionsAreReported() async throws {
        let recorder = Recorder()
        let store = SQLiteStore.inMemory()
        let library = try await library(store, by: recorder)
        try await library.transaction { library in
            try await library.authors.create(Author(name: "B"))
            try await library.transaction { library in
                try await library.authors.create(Author(name: "C"))
            }
            // A statement of the caller's own is part of the transaction.
            let rows = try await store.sql("SELECT count(*) AS number FROM authors")
            #expect(try rows.map { try $0.value(Int.self, at: 0) } == [3])
        }
        #expect(
            recorder.reports().map(\.operation.kind) == [
                .begin, .create, .begin, .create, .commit, .commit,
            ])
        struct Refusal: Error {}
        await #expect(throws: Refusal.self) {
            try await library.transaction { library in
                try await library.authors.create(Author(name: "D"))
                throw Refusal()
            }
        }
        #expect(recorder.reports().map(\.operation.kind) == [.begin, .create, .rollBack])
    }

    @Test func reportsHaveNoValues() async throws {
        let recorder = Recorder()
        let library = try await library(by: recorder)
        _ = try await library.books.fetch(.where { $0.title == "Secret title 2" })
        _ = try await library.books.fetch(.where { $0.pages == 20_011 })
        _ = try? await library.books.create(
            Book(
                isbn: "0000000001", title: "Secret title 1", pages: 4,
                authorID: Author.ID(UUID())))
        _ = try? await library.books.delete("0000000007")
        let text = "\(recorder.reports()) \(recorder.notices)"
        for value in ["Secret", "0000000", "20011", "20_011"] {
            #expect(!text.contains(value), "\(text)")
        }
    }

    @Test func whatIsNotEnabledIsNotReported() async throws {
        let recorder = Recorder()
        let library = try await library(by: recorder)
        recorder.isEnabled = false
        try await library.transaction { library in
            try await library.authors.create(Author(name: "B"))
        }
        #expect(recorder.reports().isEmpty)
    }

    /// An instrument that calls the body as often as it likes.
    private struct Careless: StoreInstrument {
        let calls: Int
        func run(_ operation: StoreOperation, _ body: () async -> StoreReport) async {
            for _ in 0..<calls { _ = await body() }
        }
    }

    @Test(arguments: [0, 1, 2])
    func operationsRunOnce(_ calls: Int) async throws {
        let library = Library(InMemoryStore().instrumented(by: Careless(calls: calls)))
        let author = try await library.authors.create(Author(name: "A"))
        #expect(try await library.authors.count() == 1)
        try await library.authors.delete(author.id)
        #expect(try await library.authors.count() == 0)
    }

    @Test func totalsAreAddedUp() async throws {
        let meter = StoreMeter()
        let library = Library(InMemoryStore().instrumented(by: meter))
        await withTaskGroup { group in
            for number in 1...50 {
                group.addTask {
                    _ = try? await library.authors.create(Author(name: "\(number)"))
                }
            }
        }
        _ = try? await library.books.read("0000000001")
        let created = meter.totals[.init(.create, table: "authors")]
        #expect(created?.calls == 50)
        #expect(created?.rows == 50)
        #expect(created?.failures == 0)
        #expect(created.map { $0.longest <= $0.time } == true)
        #expect(meter.totals[.init(.read, table: "books")]?.failures == 1)
        #expect(meter.sum.calls >= 51)
        #expect(meter.reset().isEmpty == false)
        #expect(meter.totals.isEmpty)
    }
}
