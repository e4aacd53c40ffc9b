import Testing

@testable import RepositoryRuntime

/// What only the store in memory does: snapshots that keep nobody waiting, look-ups that are remembered.
@Suite("The store in memory")
struct MemoryStoreTests {
    private let set = CountedSet(InMemoryStore(), fullScans: .allow)

    @Test("A snapshot shows one state, while others write and begin transactions")
    func snapshot() async throws {
        try await set.all.createAll((0..<300).map { Counted($0) })
        let snapshot = try await set.context.store.snapshot()
        try await set.all.delete(Counted(7).id)
        try await set.transaction { set in
            try await set.all.createAll((300..<400).map { Counted($0) })
            let inside = try await set.context.base.snapshot()
            await inside.rollBack()
        }
        _ = try await set.all.updateAll(.all) { $0.group = 1 }
        #expect(try await snapshot.count(Counted.self) == 300)
        #expect(try await snapshot.ids(Counted.self) == (0..<300).map { Counted($0).id })
        #expect(try await snapshot.read(Counted.self, id: Counted(7).id) == Counted(7))
        #expect(try await !snapshot.exists(Counted.self, id: Counted(300).id))
        #expect(
            try await snapshot.page(Counted.self, after: Counted(5).id, limit: 2)
                == [Counted(6), Counted(7)])
        let scan = IndexScan(0, equal: [.integer(0)])
        #expect(
            try await snapshot.find(Counted.self, scan, limit: .max).map(\.code)
                == (0..<10).reversed())
        #expect(try await set.all.count() == 399)
        await #expect { try await snapshot.create(Counted(1000)) } throws: {
            ($0 as? CRUDRepositoryError)?.code == .unsupported
        }
        await snapshot.rollBack()
        await #expect { try await snapshot.count(Counted.self) } throws: {
            ($0 as? CRUDRepositoryError)?.code == .transactionEnded
        }
    }

    @Test("A look-up finds what is stored, however often it was made before", arguments: 1...4)
    func lookUps(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var model: [Int: Int] = [:]
        for step in 0..<400 {
            let number = random.below(40)
            var counted = Counted(number)
            counted.code = random.below(3) == 0 ? number + 1000 : number
            switch random.below(4) {
            case 0:
                model[number] = nil
                _ = try await set.all.deleteAll(ids: [counted.id])
            case 1:
                model[number] = counted.code
                try await set.all.save(counted)
            default: break
            }
            let wanted = random.below(40) + (random.below(2) == 0 ? 1000 : 0)
            let expected = model.filter { $0.value == wanted }.map { Counted($0.key).id }
            let found = try await set.all.find(index: 1, [.integer(Int64(wanted))])
            #expect(found.map(\.id) == expected, "seed \(seed), step \(step)")
            #expect(found.allSatisfy { $0.code == wanted }, "seed \(seed), step \(step)")
            let first = try await set.all.fetchOne(.where { $0.code == wanted })
            #expect(first?.id == expected.first, "seed \(seed), step \(step)")
        }
    }

    @Test("What look-ups found is kept for as many records as there are, and few of one look-up")
    func bound() {
        let form = IndexKeyForm(CountedMapper.table, CountedMapper.table.indexes[1])
        func values(_ code: Int) -> [StoredValue] { [.integer(Int64(code))] }
        var found = FoundRecords()
        func keep(_ code: Int, count: Int = 1) {
            found.keep(FoundList(count: count), form.key(values: values(code)), most: 300)
        }
        func has(_ code: Int) -> Bool { found.list(values(code), form) != nil }
        for code in 0..<1000 { keep(code) }
        #expect((0..<1000).count(where: has) <= 300)
        keep(2000, count: FoundRecords.most + 1)
        #expect(!has(2000))
        found.forget([form.key(of: [.integer(1), .integer(1), .integer(999)])], form)
        #expect(!has(999) && has(998))
    }
}
