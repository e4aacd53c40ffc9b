internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Checks: conditions over several fields, which every written record has to satisfy.
    static let checks: [StoreBehaviour] = [
        StoreBehaviour("checks.accepts", "A record that satisfies all checks is stored.") { trial in
            let listings = trial.listings(Listings.Checked.self)
            for listing in [
                Listing<Listings.Checked>("a", note: "n", count: 1),
                Listing("b", count: 0), Listing("c", state: "it's \"closed\"", count: -1),
            ] {
                try await expect(listings.create(listing), is: listing)
                try await expect(listings.read(listing.id), is: listing)
            }
        },
        StoreBehaviour("checks.create", "A create that violates a check stores nothing.") { trial in
            let listings = trial.listings(Listings.Checked.self)
            try await expectRefusal("counted", "a") {
                try await listings.create(Listing("a", note: "n", count: 0))
            }
            try await expect(listings.exists("a"), is: false)
            try await expectRefusal("stated", "a") {
                try await listings.create(Listing("a", state: "it's closed"))
            }
        },
        StoreBehaviour("checks.update", "An update that violates a check changes nothing.") {
            trial in
            let listings = trial.listings(Listings.Checked.self)
            let listing = try await listings.create(Listing("a", note: "n", count: 1))
            try await expectRefusal("counted", "a") {
                try await listings.update(Listing("a", note: "n", count: 0))
            }
            try await expect(listings.read("a"), is: listing)
        },
        StoreBehaviour("checks.save", "A save that violates a check changes nothing.") { trial in
            let listings = trial.listings(Listings.Checked.self)
            let listing = try await listings.save(Listing("a", note: "n", count: 1))
            for id in ["a", "b"] {
                try await expectRefusal("counted", id) {
                    try await listings.save(Listing(id, note: "n", count: -7))
                }
            }
            try await expect(listings.read("a"), is: listing)
            try await expect(listings.exists("b"), is: false)
        },
        StoreBehaviour("checks.null", "A check evaluates to true or false even if a field is null.")
        { trial in
            let listings = trial.listings(Listings.Checked.self)
            try await expectRefusal("unhidden", "a") {
                try await listings.create(Listing("a", note: "hidden"))
            }
            let listing = Listing<Listings.Checked>("a", note: nil)
            try await expect(listings.create(listing), is: listing)
        },
        StoreBehaviour(
            "checks.rounded", "A check is evaluated with the rounded values that are stored."
        ) { trial in
            let listings = trial.listings(Listings.Checked.self)
            try await expectRefusal("priced", "a", field: "price") {
                try await listings.create(Listing("a", price: Decimal(4) / 1000))
            }
            let stored = try await listings.create(Listing("a", price: Decimal(6) / 1000))
            try expect(stored.price, is: Decimal(1) / 100)
        },
        StoreBehaviour("checks.secret", "The error of a check contains no value of the record.") {
            trial in
            let error = try await expectRefusal("counted", "a") {
                try await trial.listings(Listings.Checked.self).create(
                    Listing("a", note: "very-secret", count: 0))
            }
            try expect(
                !"\(error)\(String(reflecting: error))".contains("very-secret"),
                "The error contains the value.")
            try expect(
                error.message.contains("A listing with a note counts something."),
                "The error lacks the message of the check.")
        },
        StoreBehaviour(
            "checks.existing", "A new check does not affect stored records until they are written.",
            needs: [.records, .persistent]
        ) { trial in
            try await trial.listings(Listings.Plain.self).create(
                Listing("a", note: "n", count: 0))
            let later = try await trial.reopened().listings(Listings.Checked.self)
            try await expect(later.read("a").count, is: 0)
            try await expectRefusal("counted", "a") {
                try await later.update(Listing("a", note: "m", count: 0))
            }
            try await later.update(Listing("a", note: "m", count: 2))
            try await expect(later.read("a").note ?? "", is: "m")
        },
        StoreBehaviour(
            "checks.dropped", "A check that is no longer declared is not evaluated.",
            needs: [.records, .persistent]
        ) { trial in
            try await trial.listings(Listings.Checked.self).create(Listing("a"))
            let later = try await trial.reopened().listings(Listings.Plain.self)
            try await later.update(Listing("a", note: "n", state: "new", count: 0, price: 0))
            try await expect(later.read("a").state, is: "new")
        },
    ]

    /// Checks in operations on several records.
    static let batchChecks: [StoreBehaviour] = [
        StoreBehaviour(
            "checks.batches", "A batch stores no record if one of them violates a check.",
            needs: [.batches, .atomicBatches]
        ) { trial in
            let listings = trial.listings(Listings.Checked.self)
            try await expectRefusal("counted", "b") {
                try await listings.createAll([
                    Listing("a"), Listing("b", note: "n", count: 0), Listing("c"),
                ])
            }
            try await expectRefusal("priced", "b") {
                try await listings.saveAll([Listing("a"), Listing("b", price: 0)])
            }
            for id in ["a", "b", "c"] {
                try await expect(listings.exists(.init(id)), is: false)
            }
        },
        StoreBehaviour(
            "checks.updateAll",
            "`updateAll` changes no record if one of them would violate a check.",
            needs: [.updates, .batches]
        ) { trial in
            let listings = trial.listings(Listings.Checked.self)
            let all = try await listings.createAll([
                Listing("a", note: "n", count: 3), Listing("b", note: "n", count: 1),
                Listing("c", count: 1), Listing("d", note: "n", count: 2),
            ])
            try await expectRefusal("counted", "b") {
                try await listings.updateAll(where: { $0.count > 0 }, set: { $0.count -= 1 })
            }
            try await expect(listings.fetch(), is: all)
            try await expect(
                listings.updateAll(where: { $0.count > 1 }, set: { $0.count -= 1 }), is: 2)
            try await expect(listings.fetch().map(\.count), is: [2, 1, 1, 1])
        },
        StoreBehaviour(
            "checks.replace", "A replacement with a record that violates a check changes nothing.",
            needs: [.updates, .batches]
        ) { trial in
            let listings = trial.listings(Listings.Checked.self)
            let all = try await listings.createAll([Listing("a"), Listing("b", state: "gone")])
            try await expectRefusal("counted", "d") {
                try await listings.replace(
                    where: { $0.state == "open" },
                    with: [Listing("c"), Listing("d", note: "n", count: 0)])
            }
            try await expect(listings.fetch(), is: all)
        },
        StoreBehaviour(
            "checks.merge", "A merged record has to satisfy checks, even if both versions do.",
            needs: [.conflictPolicies]
        ) { trial in
            let listings = trial.listings(Listings.Checked.self)
            let original = try await listings.create(Listing("a", count: 1))
            let stored = try await listings.update(Listing("a", count: 0))
            try await expectRefusal("counted", "a") {
                try await listings.save(
                    Listing("a", note: "n", count: 1), conflict: .merge(from: original))
            }
            try await expect(listings.read("a"), is: stored)
        },
        StoreBehaviour(
            "checks.transaction",
            "A violated check does not affect other changes of the transaction.",
            needs: [.transactions]
        ) { trial in
            let listings = trial.listings(Listings.Checked.self)
            let set = ListingSet<Listings.Checked>(context: listings.context)
            try await set.transaction { set in
                let inside = set.listings
                try await inside.create(Listing("a"))
                try await expectRefusal("counted", "b") {
                    try await inside.create(Listing("b", note: "n", count: 0))
                }
                try await inside.create(Listing("c"))
            }
            try await expect(listings.exists("a"), is: true)
            try await expect(listings.exists("b"), is: false)
            try await expect(listings.exists("c"), is: true)
        },
        StoreBehaviour(
            "checks.setNull",
            "A deletion fails if clearing a reference would violate a check.",
            needs: [.references, .uniqueIndexes]
        ) { trial in
            let (drawers, listings) = trial.drawers(Listings.Filed.self)
            try await drawers.create(Shaped("d"))
            try await drawers.create(Shaped("e"))
            let filed = try await listings.create(
                Listing("a", title: "x", state: "filed", drawer: "d"))
            try await listings.create(Listing("b", title: "y", drawer: "e"))
            let error = try await expectError(.constraintViolated, id: "d", table: "drawers") {
                try await drawers.delete("d")
            }
            try expect(error.constraint ?? "nil", is: "filed")
            try await expect(drawers.exists("d"), is: true)
            try await expect(listings.read("a"), is: filed)
            try await drawers.delete("e")
            try await expect(listings.read("b").drawer == nil, is: true)
        },
    ]

    /// Throws unless a call fails because of a check of the listings.
    @discardableResult
    private static func expectRefusal<R>(
        _ check: String, _ id: String, field: String? = nil, fileID: String = #fileID,
        line: Int = #line, _ call: () async throws -> R
    ) async throws -> CRUDRepositoryError {
        let error = try await expectError(
            .invalidItem, id: id, table: "listings", field: field, fileID: fileID, line: line, call)
        try expect(error.constraint ?? "nil", is: check, fileID: fileID, line: line)
        return error
    }
}
