import Foundation
import Testing

@testable import RepositoryRuntime

/// Numbers over the entities of a query.
@Suite struct AggregateTests {
    private let repository: VolumeRepository

    init() {
        let volumes = (0..<10).map { index in
            var volume = Volume(code: Volume.ID("v\(index)"))
            volume.title = String(index % 3)
            volume.pages = index - 2
            volume.price = Decimal(index) / 10
            volume.score = index % 2 == 0 ? Double(index) * 0.1 : nil
            volume.due = index == 4 ? Date(timeIntervalSince1970: 5) : nil
            volume.shelf = index < 2 ? Spot(row: index * 3) : nil
            volume.counts = index == 9 ? ["max": .max] : ["max": 1]
            return volume
        }
        repository = VolumeRepository(over: InMemoryStore(seed: volumes))
    }

    @Test func findsTheEnds() async throws {
        #expect(try await repository.minimum(of: \.pages) == -2)
        #expect(try await repository.maximum(of: \.pages) == 7)
        #expect(try await repository.maximum(of: \.title) == "2")
        #expect(try await repository.minimum(of: \.score) == 0)
        #expect(try await repository.maximum(of: \.due) == Date(timeIntervalSince1970: 5))
        #expect(try await repository.maximum(of: \.shelf.row) == 3)
        #expect(try await repository.maximum(of: \.code, from: .where { $0.pages < 0 }) == "v1")
        #expect(try await repository.minimum(of: \.pages, from: .where { $0.pages > 100 }) == nil)
        #expect(try await repository.minimum(of: \.due, from: .where { $0.due == nil }) == nil)
    }

    @Test func addsUp() async throws {
        #expect(try await repository.sum(of: \.pages) == 25)
        #expect(try await repository.sum(of: \.price) == 4.5)
        #expect(try await repository.sum(of: \.score) == 2)
        #expect(try await repository.sum(of: \.pages, from: .where { $0.pages > 100 }) == 0)
        #expect(try await repository.average(of: \.pages) == 2.5)
        #expect(try await repository.average(of: \.price) == 0.45)
        #expect(try await repository.average(of: \.score) == 0.4)
        #expect(try await repository.average(of: \.score, from: .where { $0.score == nil }) == nil)
    }

    @Test func countsOnlyWhatTheQueryAsksFor() async throws {
        let last = Query<Volume>.sorted(by: \.pages, .descending).limit(2).offset(1)
        #expect(try await repository.sum(of: \.pages, from: last) == 6 + 5)
        #expect(try await repository.maximum(of: \.pages, from: last) == 6)
        #expect(try await repository.count { $0.pages < 0 } == 2)
    }

    @Test func throwsWhatItsTypeCannotHold() async throws {
        let error = await #expect(throws: CRUDRepositoryError.self) {
            try await repository.sum(of: \.counts["max"])
        }
        #expect(error?.code == .numberOverflow)
        #expect(error?.field == "counts.max")
    }
}
