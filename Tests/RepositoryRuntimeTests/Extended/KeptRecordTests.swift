import Testing

@testable import RepositoryRuntime

/// Queries that read every record of the store in memory, which they look at in parts.
@Suite("Scans in memory")
struct KeptRecordTests {
    private let volumes = (0..<2_000).map { number in
        var volume = Volume(code: Volume.ID("volume-\(10_000 + number)"))
        volume.pages = number
        volume.title = number.isMultiple(of: 3) ? "three" : "other"
        volume.isOpen = number.isMultiple(of: 2)
        return volume
    }

    private func filled() async throws -> VolumeRepository {
        let repository = VolumeRepository(over: InMemoryStore())
        try await repository.createAll(volumes)
        return repository
    }

    @Test(
        "A limit is filled from behind what did not match",
        arguments: [0, 1, 2, 47, 48, 49, 383, 384, 385, 700, 3_000])
    func limits(limit: Int) async throws {
        let repository = try await filled()
        let all = try await repository.fetch(.all.limit(limit))
        #expect(all == Array(volumes.prefix(limit)))
        let found = try await repository.fetch(
            .where { $0.title == "three" && $0.isOpen == true || $0.pages > 1_990 }.limit(limit))
        let expected = volumes.filter { $0.title == "three" && $0.isOpen || $0.pages > 1_990 }
        #expect(found == Array(expected.prefix(limit)))
        let page = try await repository.page(.where { $0.isOpen == true }.limit(max(1, limit)))
        #expect(page.items == Array(volumes.filter(\.isOpen).prefix(max(1, limit))))
        #expect(
            try await repository.count(.where { $0.pages >= 1_000 }.limit(limit))
                == min(limit, 1_000))
    }

    @Test("What is written while a query is streamed may be seen or not, and nothing is seen twice")
    func writesMeanwhile() async throws {
        let repository = try await filled()
        var seen: [Volume.ID] = []
        for try await volume in repository.stream(.where { $0.pages >= 0 }) {
            seen.append(volume.code)
            guard seen.count.isMultiple(of: 400) else { continue }
            try await repository.updateAll(.all) { $0.pages += 1 }
            try await repository.create(Volume(code: Volume.ID("new-\(seen.count)")))
            try await repository.delete(seen[seen.count - 50])
        }
        #expect(seen == seen.sorted())
        #expect(Set(seen).count == seen.count)
        #expect(Set(volumes.map(\.code)).isSubset(of: seen))
    }

    @Test("A change of many records changes none where one of them cannot be")
    func updatesAllOrNone() async throws {
        let repository = try await filled()
        await #expect {
            try await repository.updateAll(where: { $0.pages >= 0 }) { $0.pages += .max - 1_000 }
        } throws: {
            ($0 as? CRUDRepositoryError)?.code == .numberOverflow
        }
        #expect(try await repository.fetch() == volumes)
        let changed = try await repository.updateAll(where: { $0.pages < 10 }) { $0.pages -= 1 }
        #expect(changed == 10)
        #expect(try await repository.count(where: { $0.pages < 9 }) == 10)
    }
}
