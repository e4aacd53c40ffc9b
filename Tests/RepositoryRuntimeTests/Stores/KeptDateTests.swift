import Foundation
import RepositoryTesting
import Testing

@testable import RepositoryRuntime

/// Records that exist already elsewhere keep their dates of creation and update.
@Suite struct KeptDateTests {
    private static let now = Date(timeIntervalSince1970: 2_000)
    private static let before = Date(timeIntervalSince1970: 1_000)

    private static func letters() -> LetterRepository {
        LetterRepository(
            RepositoryContext(
                store: InMemoryStore(),
                schema: StoreSchema(
                    "Letters", [Sender.self, Route.self, Letter.self, Counterfoil.self]),
                defaults: EntityDefaults.Source(now: { now }, uuid: { UUID() })))
    }

    private static func letter(_ id: String) -> Letter {
        Letter(id: Letter.ID(id), madeAt: before, changedAt: before)
    }

    private func dates(_ letters: LetterRepository) async throws -> [[Date]] {
        try await letters.includingDeleted.fetch().map { [$0.madeAt, $0.changedAt] }
    }

    @Test func ofEveryWrite() async throws {
        let letters = Self.letters()
        let keeping = letters.keepingDates
        let kept = [Self.before, Self.before]
        try await keeping.createAll([Self.letter("a"), Self.letter("b")])
        try await keeping.create(Self.letter("c"))
        try await keeping.save(Self.letter("d"))
        try await keeping.saveAll([Self.letter("e"), Self.letter("f")])
        #expect(try await dates(letters) == Array(repeating: kept, count: 6))
        let stored = try await letters.read("a")
        try await keeping.update(stored)
        #expect(try await dates(letters).first == kept)
        try await letters.update(letters.read("a"))
        #expect(try await dates(letters).first == [Self.before, Self.now])
    }

    @Test func areOverwrittenByAnExport() async throws {
        let letters = Self.letters()
        try await letters.create(Self.letter("a"))
        #expect(try await dates(letters).first?.first == Self.now)
        let stored = try await letters.read("a")
        var exported = stored
        exported.madeAt = Self.before
        exported.changedAt = Self.before
        try await letters.keepingDates.saveAll([exported])
        #expect(try await dates(letters) == [[Self.before, Self.before]])
    }

    @Test func butNotOfOtherRepositories() async throws {
        let letters = Self.letters()
        try await letters.createAll([Self.letter("a")])
        try await letters.save(Self.letter("b"))
        #expect(try await dates(letters).map(\.first) == [Self.now, Self.now])
    }
}
