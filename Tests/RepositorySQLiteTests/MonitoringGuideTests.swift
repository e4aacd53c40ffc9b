import Foundation
import Generated
import RepositoryRuntime
import RepositorySQLite
import Synchronization
import Testing

/// The code of the page 'Monitoring'.
private enum Guide {
    static func measured(_ store: any EntityStore) -> (library: Library, meter: StoreMeter) {
        let meter = StoreMeter()
        return (Library(store.instrumented(by: meter)), meter)
    }

    static func busiest(_ meter: StoreMeter) -> String? {
        let most = meter.totals.max { $0.value.time < $1.value.time }
        return most.map { "\($0.key.kind) of \($0.key.table ?? "the store"): \($0.value.calls)" }
    }

    /// Remembers what a developer should look at.
    final class Watch: StoreInstrument {
        private let lines = Mutex<[String]>([])

        var remembered: [String] { lines.withLock { $0 } }

        func record(_ report: StoreReport) {
            guard case .failure(let code) = report.outcome else { return }
            lines.withLock { $0.append("\(report.operation.kind) failed: \(code)") }
        }

        func notice(_ notice: StoreNotice) {
            let line =
                switch notice {
                case .fullScan(_, let message): message
                case .slowOperation(let report): "\(report.operation.kind) took \(report.duration)"
                }
            lines.withLock { $0.append(line) }
        }
    }

    static func watched(_ store: any EntityStore, by watch: Watch) -> Library {
        Library(store.instrumented(by: watch, slowAfter: .milliseconds(200)), fullScans: .log)
    }
}

@Suite("Monitoring")
struct MonitoringGuideTests {
    private let package = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test func showsTheCodeThatIsTested() throws {
        let page = try String(
            contentsOf: package.appending(
                path: "Sources/RepositoryRuntime/Documentation.docc/Monitoring.md"),
            encoding: .utf8)
        let tested = try String(contentsOfFile: #filePath, encoding: .utf8)
            .replacing("static func", with: "func").filter { !$0.isWhitespace }
        let blocks = page.components(separatedBy: "<!-- run -->\n```swift\n").dropFirst()
        #expect(blocks.count == 2)
        for block in blocks {
            let code = block.components(separatedBy: "\n```")[0].filter { !$0.isWhitespace }
            #expect(tested.contains(code), "\(block)")
        }
    }

    @Test func works() async throws {
        let (library, meter) = Guide.measured(SQLiteStore.inMemory())
        for name in ["A", "B"] { try await library.authors.create(Author(name: name)) }
        #expect(meter.totals[.init(.create, table: "authors")]?.calls == 2)
        #expect(Guide.busiest(meter) != nil)

        let watch = Guide.Watch()
        let watched = Guide.watched(SQLiteStore.inMemory(), by: watch)
        _ = try await watched.authors.fetch(.where { $0.born == Date.distantPast })
        try await expectError(.recordNotFound) { _ = try await watched.books.read("0000000001") }
        #expect(watch.remembered.contains { $0.contains("reads every record") })
        #expect(watch.remembered.contains("read failed: recordNotFound"))
    }
}
