import Foundation
import RepositoryTesting
import Testing

@testable import RepositoryRuntime

/// Writers that wait for others give up after the time that the store allows.
@Suite("Writers that wait too long")
struct WriterTimeoutTests {
    private func check(_ store: any EntityStore) async throws {
        let library = Conformance(store)
        try await library.notes.create(Note(id: "a", text: ""))
        let transaction = try await store.begin()
        for _ in 0..<2 {
            let write = await #expect(throws: CRUDRepositoryError.self) {
                try await library.notes.create(Note(id: "b", text: ""))
            }
            #expect(write?.code == .databaseError && write?.isRetryable == true)
            let other = await #expect(throws: CRUDRepositoryError.self) {
                try await library.transaction { _ in }
            }
            #expect(other?.code == .databaseError && other?.isRetryable == true)
        }
        try await transaction.create(Note(id: "c", text: ""))
        try await transaction.commit()
        try await library.notes.create(Note(id: "d", text: ""))
        #expect(try await library.notes.ids() == ["a", "c", "d"])
        try await library.close()
    }

    @Test(arguments: [Duration.zero, .milliseconds(30)])
    func memory(_ limit: Duration) async throws {
        try await check(InMemoryStore(seed: [], writerTimeout: limit))
    }

    @Test func files() async throws {
        let folder = TemporaryFolder()
        // Long enough for what the store does after the answer of the previous write.
        try await check(FileSystemStore(directory: folder.url, writerTimeout: .seconds(2)))
    }

    @Test func aLongLimitDoesNotKeepAWriterFromEnding() async throws {
        let store = InMemoryStore(seed: [], writerTimeout: .seconds(1_000_000_000))
        let library = Conformance(store)
        let transaction = try await store.begin()
        let write = Task { try await library.notes.create(Note(id: "b", text: "")) }
        await transaction.rollBack()
        _ = try await write.value
        #expect(try await library.notes.count() == 1)
    }
}

/// Repositories of items, closed.
@Suite("Closed repositories of items")
struct ClosedItemTests {
    @Test func files() async throws {
        let folder = TemporaryFolder()
        let repository = FileSystemRepository(
            directoryURL: folder.url, dataTransformer: JSONDataTransformer())
        try await repository.create(id: "a", item: 1)
        await repository.close()
        await repository.close()
        for call in [
            { try await repository.create(id: "b", item: 1) },
            { let _: Int = try await repository.read(id: "a") },
            { try await repository.update(id: "a", item: 2) },
            { try await repository.delete(id: "a") },
        ] as [() async throws -> Void] {
            let error = await #expect(throws: CRUDRepositoryError.self) { try await call() }
            #expect(error?.code == .storeClosed)
        }
        #expect(folder.names() == ["item_a.json"])
    }

    @Test func idleDescriptorsAreClosedAndOpenedAgain() async throws {
        let folder = TemporaryFolder()
        let driver = FileDriver(root: folder.url, formatExtension: "json", providesStamps: true)
        let library = Conformance(FileSystemStore(driver, transformer: JSONDataTransformer()))
        try await library.notes.create(Note(id: "a", text: ""))
        for round in 0..<3 {
            driver.closeIdleDescriptors(sparing: true)
            driver.closeIdleDescriptors(sparing: true)
            try await library.notes.save(Note(id: "a", text: "\(round)"))
            try await library.transaction { library in
                driver.closeIdleDescriptors(sparing: false)
                try await library.notes.save(Note(id: "b", text: "\(round)"))
            }
            #expect(try await library.notes.fetch().map(\.text) == ["\(round)", "\(round)"])
        }
    }
}
