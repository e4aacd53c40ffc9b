import Foundation
import Generated
import RepositoryRuntime
import RepositorySQLite
import Testing

/// Stands for the protocol of `swift-service-lifecycle`.
private protocol Service: Sendable {
    func run() async throws
}

/// Stands for the function of `swift-service-lifecycle`.
private func gracefulShutdown() async throws {
    try await Task.sleep(for: .seconds(3_600))
}

/// The code of the page 'Deployment'.
private enum Guide {
    struct LibraryService: Service {
        let library: Library

        func run() async throws {
            try await library.open()
            // It throws if the task is cancelled instead, which closes the store, too.
            try? await gracefulShutdown()
            try await library.close()
        }
    }

    static func makeLibrary(_ path: String) -> Library {
        Library(SQLiteStore(path: path, busyTimeout: .seconds(5), writerTimeout: .seconds(5)))
    }

    static func backUp(_ library: Library, to folder: URL, day: LocalDate) async throws -> URL {
        let backup = folder.appending(path: "library-\(day)")
        try await library.backup(to: backup)
        return backup
    }

    static func restore(_ backup: URL, to path: String) async throws -> Library {
        let library = Library(SQLiteStore(path: path))
        try await library.restore(from: backup)
        let check = try await library.check()
        guard check.isSound else { throw CRUDRepositoryError(.invalidBackup, "\(check.problems)") }
        return library
    }

    static func maintain(_ library: Library) async throws -> [StoreCheck.Problem] {
        try await library.compact()
        let check = try await library.check(repair: true)
        return check.problems.filter { !$0.isRepaired }
    }
}

@Suite("Deployment")
struct DeploymentGuideTests {
    private let package = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test func showsTheCodeThatIsTested() throws {
        let page = try String(
            contentsOf: package.appending(
                path: "Sources/RepositoryRuntime/Documentation.docc/Deployment.md"),
            encoding: .utf8)
        let tested = try String(contentsOfFile: #filePath, encoding: .utf8)
            .replacing("static func", with: "func").filter { !$0.isWhitespace }
        let blocks = page.components(separatedBy: "<!-- run -->\n```swift\n").dropFirst()
        #expect(blocks.count == 5)
        for block in blocks {
            let code = block.components(separatedBy: "\n```")[0].filter { !$0.isWhitespace }
            #expect(tested.contains(code), "\(block)")
        }
    }

    @Test func works() async throws {
        try await withFolder { folder in
            let library = Guide.makeLibrary(folder + "/library.sqlite")
            try await library.authors.create(Author(name: "A"))
            let day = try #require(LocalDate("2026-11-24"))
            let backup = try await Guide.backUp(library, to: URL(filePath: folder), day: day)
            #expect(backup.lastPathComponent == "library-2026-11-24")
            let other = try await Guide.restore(backup, to: folder + "/other.sqlite")
            #expect(try await other.authors.fetch() == library.authors.fetch())
            #expect(try await Guide.maintain(other) == [])
            let service = Task { try await Guide.LibraryService(library: library).run() }
            service.cancel()
            try await service.value
            try await expectError(.storeClosed) { _ = try await library.authors.count() }
        }
    }
}
