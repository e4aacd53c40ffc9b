internal import RepositoryRuntime

extension StoreBehaviour {
    private typealias Covered = Listing<Listings.Covered>

    /// Partial indexes.
    static let partialIndexes: [StoreBehaviour] = [
        StoreBehaviour(
            "indexes.partial.unique",
            "A unique partial index does not restrict records it does not cover.",
            needs: [.records, .uniqueIndexes]
        ) { trial in
            let listings = trial.listings(Listings.Covered.self)
            try await listings.create(Listing("a", title: "x", note: "n"))
            for id in ["b", "c"] {
                try await listings.create(Listing(id, title: "x", note: "n", state: "gone"))
            }
            let error = try await expectError(.constraintViolated, id: "d", table: "listings") {
                try await listings.create(Listing("d", title: "x", note: "n", state: "new"))
            }
            try expect(error.constraint ?? "nil", is: "listings_title")
            try expect(
                error.message.contains("listings_title"), "The error does not name the index.")
            try expect(!"\(error)".contains("'n'"), "The error contains a sensitive value.")
            for id in ["d", "e"] { try await listings.create(Listing(id, title: "x")) }
        },
        StoreBehaviour(
            "indexes.partial.entering",
            "A change that makes a unique index cover a record is checked.",
            needs: [.records, .uniqueIndexes]
        ) { trial in
            let listings = trial.listings(Listings.Covered.self)
            let first = try await listings.create(Listing("a", title: "x", note: "n"))
            let gone = try await listings.create(
                Listing("b", title: "x", note: "n", state: "gone"))
            try await expectError(.constraintViolated, id: "b") {
                try await listings.update(Listing("b", title: "x", note: "n", state: "open"))
            }
            try await expect(listings.read("b"), is: gone)
            try await listings.update(Listing("a", title: "x", note: "n", state: "gone"))
            try await listings.update(Listing("b", title: "x", note: "n", state: "open"))
            try await expectError(.constraintViolated, id: "a") {
                try await listings.save(first)
            }
            try await listings.delete("b")
            try await listings.save(first)
        },
        StoreBehaviour(
            "indexes.partial.scan",
            "A partial index contains the covered records after any change.",
            needs: [.records, .uniqueIndexes, .queries, .indexScans]
        ) { trial in
            let listings = trial.listings(Listings.Covered.self)
            try await fill(listings)
            func found(_ scan: IndexScan) async throws -> [String] {
                try await trial.store.find(Covered.self, scan, limit: .max).map(\.id.rawValue)
            }
            try await expect(found(IndexScan(1)), is: ["09", "07", "05", "03", "01"])
            try await expect(
                found(IndexScan(1, isReversed: true)), is: ["01", "03", "05", "07", "09"])
            try await expect(found(IndexScan(1, equal: [.integer(4)])), is: [])
            try await listings.update(Listing("04", title: "4", count: 4))
            try await listings.update(Listing("05", title: "5", state: "gone", count: 5))
            try await listings.update(Listing("07", title: "7", count: 0))
            try await listings.delete("09")
            try await expect(found(IndexScan(1)), is: ["04", "03", "01", "07"])
            try await expect(found(IndexScan(1, equal: [.integer(4)])), is: ["04"])
            try await trial.store.rebuildIndexes()
            try await expect(found(IndexScan(1)), is: ["04", "03", "01", "07"])
            try await expect(found(IndexScan(2)), is: ["02", "06"])
        },
        StoreBehaviour(
            "indexes.partial.planned",
            "A query uses a partial index if its condition implies the index's.",
            needs: [.records, .uniqueIndexes, .queries, .indexScans]
        ) { trial in
            let listings = trial.listings(Listings.Covered.self, fullScans: .refuse)
            try await fill(listings)
            let newest = Query<Covered>.where { $0.state == "open" }
                .sorted(by: \.count, .descending).limit(2)
            try await expect(listings.ids(newest).map(\.rawValue), is: ["09", "07"])
            let explanation = try await listings.explain(newest)
            try expect(
                explanation.description.contains("listings_open"),
                "The plan does not name the index: \(explanation)")
            try await expect(
                listings.ids(.where { $0.state == "open" && $0.count > 4 }).map(\.rawValue),
                is: ["05", "07", "09"])
            try await expect(
                listings.ids(.where { $0.note == "n6" }).map(\.rawValue), is: ["06"])
            try await expect(
                listings.ids(.where { $0.title == "3" && $0.state == "open" }).map(\.rawValue),
                is: ["03"])
        },
        StoreBehaviour(
            "indexes.partial.unplanned",
            "A query does not use a partial index that may lack records.",
            needs: [.records, .uniqueIndexes, .queries, .indexScans]
        ) { trial in
            let strict = trial.listings(Listings.Covered.self, fullScans: .refuse)
            try await fill(strict)
            let listings = trial.listings(Listings.Covered.self)
            let queries: [(Query<Covered>, [String])] = [
                (.where { $0.count > 6 }, ["07", "08", "09"]),
                (.where { $0.title == "2" }, ["02"]),
                (.where { $0.state != "open" && $0.count >= 6 }, ["06", "08"]),
                (.where { $0.state.in(["open", "gone"]) && $0.count == 2 }, ["02"]),
                (.where { $0.note == nil && $0.count > 7 }, ["08", "09"]),
            ]
            for (query, ids) in queries {
                try await expect(listings.ids(query).map(\.rawValue), is: ids)
                try await expect(listings.count(query), is: ids.count)
                try await expectError(.fullScanRefused) { try await strict.ids(query) }
            }
        },
        StoreBehaviour(
            "indexes.partial.setNull",
            "A deletion fails if clearing a reference violates a partial index.",
            needs: [.records, .references, .uniqueIndexes]
        ) { trial in
            let (drawers, listings) = trial.drawers(Listings.Filed.self)
            try await drawers.create(Shaped("d"))
            try await listings.create(Listing("a", title: "x", drawer: "d"))
            try await listings.create(Listing("b", title: "x", drawer: "d"))
            try await expectError(.constraintViolated, id: "d", table: "drawers") {
                try await drawers.delete("d")
            }
            try await expect(listings.read("a").drawer, is: "d")
            try await listings.update(Listing("b", title: "y", drawer: "d"))
            try await drawers.delete("d")
            try await expectError(.constraintViolated, id: "c") {
                try await listings.create(Listing("c", title: "x"))
            }
        },
        StoreBehaviour(
            "indexes.partial.changed",
            "An index with a changed condition covers the matching records.",
            needs: [.records, .uniqueIndexes, .queries, .indexScans, .persistent]
        ) { trial in
            try await fill(trial.listings(Listings.Covered.self))
            let reopened = try await trial.reopened()
            let later = reopened.listings(Listings.Recovered.self)
            try await expect(later.count(), is: 9)
            let found = try await reopened.store.find(
                Listing<Listings.Recovered>.self, IndexScan(1), limit: .max)
            try expect(found.map(\.id.rawValue), is: ["08", "06", "04", "02"])
            try await later.create(Listing("a", title: "x", note: "n", count: 1))
            try await later.create(Listing("b", title: "x", note: "n", count: 6))
            try await expectError(.constraintViolated, id: "c") {
                try await later.create(Listing("c", title: "x", note: "n", count: 7))
            }
        },
        StoreBehaviour(
            "indexes.partial.collision",
            "A new unique index throws if covered records collide.",
            needs: [.records, .uniqueIndexes, .persistent]
        ) { trial in
            let plain = trial.listings(Listings.Plain.self)
            try await plain.create(Listing("a", title: "x", note: "n"))
            try await plain.create(Listing("b", title: "x", note: "n", state: "gone"))
            let later = try await trial.reopened().listings(Listings.Covered.self)
            try await expect(later.exists("a"), is: true)
            try await later.create(Listing("c", title: "x", note: "n", state: "gone", count: 9))
            try await later.update(Listing("b", title: "x", note: "n", state: "gone", count: 9))
            let colliding = try await trial.reopened().listings(Listings.Recovered.self)
            try await expectError(.schemaMismatch) { try await colliding.read("a") }
        },
    ]

    /// Nine listings: those with odd numbers are open, the others gone. Two have a note.
    private static func fill(_ listings: ListingRepository<Listings.Covered>) async throws {
        for number in 1...9 {
            try await listings.create(
                Listing(
                    "0\(number)", title: "\(number)",
                    note: number == 2 || number == 6 ? "n\(number)" : nil,
                    state: number.isMultiple(of: 2) ? "gone" : "open", count: number))
        }
    }
}
