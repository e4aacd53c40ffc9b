internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Operations on all records: `count`, `ids`, `fetch` and pages, in id order.
    static let listing: [StoreBehaviour] = [
        listing("listing.empty", "A new store is empty.") { trial in
            try await expect(trial.notes.count(), is: 0)
            try await expect(trial.notes.ids(), is: [])
            try await expect(trial.notes.fetch(), is: [])
        },
        listing("listing.tolerant", "A tolerant fetch of readable records returns them all.") {
            trial in
            let none = try await trial.notes.fetch(tolerant: true)
            try expect(none.rows, is: [])
            try expect(none.failures.count, is: 0)
            for number in 100..<400 {
                try await trial.notes.create(
                    Note(id: .init("\(number)"), text: "\(number)"))
            }
            let found = try await trial.notes.fetch(tolerant: true)
            try await expect(trial.notes.fetch(), is: found.rows)
            try expect(found.rows.count, is: 300)
            try expect(found.failures.count, is: 0)
        },
        listing("listing.count", "`count` reflects creates and deletes.") { trial in
            for id in ["a", "b", "c"] {
                try await trial.notes.create(Note(id: .init(id), text: ""))
            }
            try await trial.notes.save(Note(id: "a", text: "again"))
            try await expect(trial.notes.count(), is: 3)
            try await trial.notes.delete("b")
            try await expect(trial.notes.count(), is: 2)
            try await expect(trial.counters.count(), is: 0, "The count includes another table.")
        },
        listing("listing.textOrder", "String ids are sorted by their bytes.") { trial in
            let ids = ["é", "a", "Z", "e\u{301}", "10", "9", "a b", "ab", "a/b", "😀", "\u{FF21}"]
            for id in ids { try await trial.notes.create(Note(id: .init(id), text: "")) }
            let sorted = ids.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            try await expect(trial.notes.ids(), is: sorted.map { .init($0) })
            try await expect(trial.notes.fetch().map(\.id), is: sorted.map { .init($0) })
        },
        listing("listing.integerOrder", "Integer ids are sorted by value.") {
            trial in
            let numbers = [10, 9, -1, -10, 0, Int.max, Int.min, 100]
            for number in numbers {
                try await trial.counters.create(Counter(number: .init(number), label: ""))
            }
            try await expect(trial.counters.ids(), is: numbers.sorted().map { .init($0) })
            try await expect(trial.counters.fetch().map(\.id.rawValue), is: numbers.sorted())
        },
        listing(
            "listing.uuidOrder", "UUIDs are sorted by their bytes.", needs: [.versions]
        ) { trial in
            for first: UInt8 in [0xFF, 0x00, 0x7F, 0x80, 0x0A] {
                let uuid = UUID(uuid: (first, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, first))
                try await trial.tickets.create(Ticket(id: .init(uuid), title: ""))
            }
            let texts = try await trial.tickets.ids().map(\.description)
            try expect(texts, is: texts.sorted())
            try expect(texts.count, is: 5)
        },
        listing("listing.enumOrder", "Enum ids are sorted by their raw values.") { trial in
            for level in Level.allCases {
                try await trial.grades.create(Grade(level: .init(level), label: ""))
            }
            for quarter in Quarter.allCases {
                try await trial.seasons.create(Season(quarter: .init(quarter), label: ""))
            }
            try await expect(trial.grades.ids().map(\.rawValue), is: [.low, .middle, .high])
            try await expect(
                trial.seasons.ids().map(\.rawValue), is: [.summer, .autumn, .spring, .winter])
        },
        listing(
            "listing.compositeOrder", "Composite ids are sorted by their components.",
            needs: [.references]
        ) { trial in
            var ids: [Seat.ID] = []
            for hall in ["b", "a", "a,"] {
                try await trial.halls.create(Hall(id: .init(hall)))
                for row in [10, 9, -1] {
                    for letter in ["b", "a"] {
                        let seat = Seat(hallID: .init(hall), row: row, letter: letter)
                        ids.append(try await trial.seats.create(seat).id)
                    }
                }
            }
            try await expect(trial.seats.ids(), is: ids.sorted())
            try await expect(trial.seats.fetch().map(\.id), is: ids.sorted())
        },
        listing("listing.many", "A thousand records are listed completely.") { trial in
            for number in 0..<1_000 {
                try await trial.counters.create(
                    Counter(number: .init(number * 7919 % 1_000), label: "\(number)"))
            }
            try await expect(trial.counters.count(), is: 1_000)
            try await expect(trial.counters.fetch().map(\.id.rawValue), is: Array(0..<1_000))
        },
        listing("listing.pages", "A page starts after an id and is limited in size.") { trial in
            try await trial.fillCounters([10, 20, 30, 40])
            try await expect(trial.page(after: nil, 2), is: [10, 20])
            try await expect(trial.page(after: 20, 2), is: [30, 40])
            try await expect(trial.page(after: 20, 1), is: [30])
            try await expect(trial.page(after: 40, 2), is: [])
            try await expect(trial.page(after: nil, 4), is: [10, 20, 30, 40])
            try await expect(trial.page(after: nil, .max), is: [10, 20, 30, 40])
        },
        listing("listing.pageAfterMissing", "A page may start after an id that is not stored.") {
            trial in
            try await trial.fillCounters([10, 20, 30])
            try await expect(trial.page(after: 15, 2), is: [20, 30])
            try await expect(trial.page(after: -5, 1), is: [10])
            try await expect(trial.page(after: 99, 1), is: [])
        },
        listing("listing.emptyPage", "A page with a limit of 0 is empty.") { trial in
            try await trial.fillCounters([10, 20])
            try await expect(trial.page(after: nil, 0), is: [])
        },
        listing(
            "listing.persistent", "A reopened store lists the stored records.",
            needs: [.persistent]
        ) { trial in
            try await trial.fillCounters([3, 1, 2])
            try await trial.counters.delete(2)
            let later = try await trial.reopened()
            try await expect(later.counters.count(), is: 2)
            try await expect(later.counters.ids().map(\.rawValue), is: [1, 3])
        },
        StoreBehaviour(
            "listing.refused", "A store without listing throws `unsupported`.", lacks: [.listing]
        ) { trial in
            try await trial.notes.create(Note(id: "a", text: ""))
            try await expectError(.unsupported) { try await trial.notes.count() }
            try await expectError(.unsupported) { try await trial.notes.ids() }
            try await expectError(.unsupported) { try await trial.notes.fetch() }
            try await expectError(.unsupported) {
                for try await _ in trial.notes.stream() {}
            }
        },
    ]

    /// A behaviour of stores with listing.
    private static func listing(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [], fileID: String = #fileID,
        line: Int = #line, _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            id, sentence, needs: [.records, .listing] + needs, fileID: fileID, line: line, body)
    }
}

extension StoreTrial {
    /// Creates counters with these numbers.
    func fillCounters(_ numbers: [Int]) async throws {
        for number in numbers {
            try await repositories.counters.create(
                Counter(number: .init(number), label: "\(number)"))
        }
    }

    /// The numbers of a page of counters that the store itself returns.
    fileprivate func page(after number: Int?, _ limit: Int) async throws -> [Int] {
        try await repositories.open()
        let page = try await store.page(
            Counter.self, after: number.map { .init($0) }, limit: limit)
        return page.map(\.id.rawValue)
    }
}
