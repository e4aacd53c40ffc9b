import Foundation
import RepositoryRuntime
import Testing

/// What is stored in these tests.
struct Memo: Codable, Hashable, Sendable {
    var text: String
    var number = 1
}

/// A repository under test, and what must live as long as it.
struct RepositoryUnderTest: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let repository: any CRUDRepository
    let keeper: (any Sendable)?

    static func all() -> [RepositoryUnderTest] {
        let transformers: [any DataTransformer] = [
            JSONDataTransformer(), XMLDataTransformer(), BinaryPropertyListDataTransformer(),
        ]
        var all = [
            RepositoryUnderTest(
                testDescription: "memory", repository: InMemoryRepository(), keeper: nil)
        ]
        for transformer in transformers {
            let folder = TemporaryFolder()
            let suite = TemporarySuite()
            all.append(
                RepositoryUnderTest(
                    testDescription: "files, \(transformer.formatExtension)",
                    repository: FileSystemRepository(
                        directoryURL: folder.url, dataTransformer: transformer), keeper: folder))
            all.append(
                RepositoryUnderTest(
                    testDescription: "user defaults, \(transformer.formatExtension)",
                    repository: UserDefaultsRepository(
                        tableName: "notes", suiteName: suite.name, dataTransformer: transformer),
                    keeper: suite))
        }
        return all
    }
}

@Suite("The four methods on every repository")
struct CRUDRepositoryTests {
    @Test("The table of meanings", arguments: RepositoryUnderTest.all())
    func meanings(_ test: RepositoryUnderTest) async throws {
        let repository = test.repository
        #expect(await errorCode { try await repository.read(id: "a") as Memo } == .recordNotFound)
        #expect(
            await errorCode { try await repository.update(id: "a", item: Memo(text: "x")) }
                == .recordNotFound)
        #expect(await errorCode { try await repository.delete(id: "a") } == .recordNotFound)
        try await repository.create(id: "a", item: Memo(text: "one"))
        #expect(
            await errorCode { try await repository.create(id: "a", item: Memo(text: "two")) }
                == .recordAlreadyExists)
        #expect(try await repository.read(id: "a") == Memo(text: "one"))
        try await repository.update(id: "a", item: Memo(text: "three"))
        #expect(try await repository.read(id: "a") == Memo(text: "three"))
        try await repository.delete(id: "a")
        #expect(await errorCode { try await repository.read(id: "a") as Memo } == .recordNotFound)
        try await repository.create(id: "a", item: [1, 2])
        #expect(try await repository.read(id: "a") == [1, 2])
        #expect(await errorCode { try await repository.read(id: "a") as Memo } == .itemTypeMismatch)
        #expect(
            await errorCode { try await repository.create(id: "", item: 1) } == .invalidIdentifier)
        #expect(
            await errorCode { try await repository.create(id: "a\0", item: 1) }
                == .invalidIdentifier)
    }

    @Test("Hostile ids never meet", arguments: RepositoryUnderTest.all())
    func hostileIDs(_ test: RepositoryUnderTest) async throws {
        let repository = test.repository
        let ids = HostileIDs.all
        #expect(ids.count >= 130)
        for (number, id) in ids.enumerated() {
            try await repository.create(id: id, item: Memo(text: "", number: number))
        }
        for (number, id) in ids.enumerated() {
            let note: Memo = try await repository.read(id: id)
            #expect(note.number == number, "\(id.debugDescription)")
        }
        for id in ids {
            try await repository.delete(id: id)
            #expect(
                await errorCode { try await repository.read(id: id) as Memo } == .recordNotFound)
        }
    }

    @Test("Of 64 tasks that create one id one wins", arguments: RepositoryUnderTest.all())
    func oneWinner(_ test: RepositoryUnderTest) async throws {
        let repository = test.repository
        let winners = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<64 {
                group.addTask {
                    do {
                        try await repository.create(id: "one", item: Memo(text: "", number: number))
                        return number
                    } catch {
                        return nil
                    }
                }
            }
            return await group.reduce(into: [Int]()) { if let number = $1 { $0.append(number) } }
        }
        #expect(winners.count == 1)
        let note: Memo = try await repository.read(id: "one")
        #expect(winners == [note.number])
    }
}
