internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Case-insensitive fields: stored as given, compared with simple case folding.
    static let ignoringCase: [StoreBehaviour] = foldedUniqueness + foldedQueries

    private static let foldedUniqueness: [StoreBehaviour] = [
        StoreBehaviour("ignoringCase.stored", "A string is stored with its original case.") {
            trial in
            let listings = trial.listings(Listings.Unindexed.self)
            try await listings.create(Listing("a", title: "ÄRger İ"))
            try await expect(listings.read("a").title, is: "ÄRger İ")
            try await listings.update(Listing("a", title: "ärGER İ"))
            try await expect(listings.read("a").title, is: "ärGER İ")
        },
        distinct("ignoringCase.unique", "A unique string cannot be stored again in another case.") {
            trial in
            let listings = trial.listings(Listings.Folded.self)
            try await listings.create(Listing("a", title: "Ärger"))
            let error = try await expectError(.constraintViolated, id: "b", table: "listings") {
                try await listings.create(Listing("b", title: "äRGER"))
            }
            try expect(error.constraint ?? "nil", is: "listings_title")
            try expect(error.field ?? "nil", is: "title")
            try await listings.create(Listing("b", title: "Arger"))
            try await expectError(.constraintViolated, id: "b") {
                try await listings.update(Listing("b", title: "ÄRGER"))
            }
            try await expectError(.constraintViolated, id: "c") {
                try await listings.save(Listing("c", title: "ARGER"))
            }
            try await expect(listings.read("b").title, is: "Arger")
        },
        distinct(
            "ignoringCase.simple",
            "Case folding is simple: it maps single scalars, in all languages alike."
        ) {
            trial in
            let listings = trial.listings(Listings.Folded.self)
            let titles = ["straße", "STRASSE", "İ", "I", "ı", "e\u{301}", "é", ""]
            for (number, title) in titles.enumerated() {
                try await listings.create(Listing("\(number)", title: title))
            }
            for taken in ["STRAßE", "STRA\u{1E9E}E", "strasse", "i", "E\u{301}", "É", ""] {
                try await expectError(.constraintViolated, id: "x") {
                    try await listings.create(Listing("x", title: taken))
                }
            }
        },
        distinct("ignoringCase.itself", "A record can change the case of its own unique string.") {
            trial in
            try await trial.members.create(Member(id: "a", email: "a", handle: "Anna"))
            try await trial.members.update(Member(id: "a", email: "a", handle: "ANNA"))
            try await expect(trial.members.find(handle: "anna")?.handle ?? "nil", is: "ANNA")
            try await trial.members.save(Member(id: "a", email: "a", handle: "Bert"))
            try await trial.members.create(Member(id: "b", email: "b", handle: "anna"))
            try await expect(trial.members.find(handle: "ANNA")?.id, is: "b")
        },
        distinct("ignoringCase.partial", "The condition of a partial index ignores case.") {
            trial in
            let listings = trial.listings(Listings.Folded.self)
            try await listings.create(Listing("a", title: "x"))
            for (id, state) in [("b", "gone"), ("c", "GONE"), ("d", "Gone")] {
                try await listings.create(Listing(id, title: "X", state: state))
            }
            try await expectError(.constraintViolated, id: "b") {
                try await listings.update(Listing("b", title: "X", state: "Going"))
            }
        },
        StoreBehaviour(
            "ignoringCase.elsewhere",
            "A unique string stored by another store instance is detected.",
            needs: [.records, .uniqueIndexes, .multipleProcesses]
        ) { trial in
            let other = try await trial.reopened()
            for round in 0..<3 {
                try await trial.members.create(
                    Member(id: .init("a\(round)"), email: "a\(round)", handle: "É\(round)"))
                try await expectError(.constraintViolated) {
                    try await other.members.create(
                        Member(id: "x", email: "x", handle: "é\(round)"))
                }
            }
        },
        StoreBehaviour("ignoringCase.checks", "A check ignores case if its field does.") {
            trial in
            let listings = trial.listings(Listings.Unindexed.self)
            for state in ["broken", "BROKEN", "Broken"] {
                let error = try await expectError(.invalidItem, id: "a") {
                    try await listings.create(Listing("a", state: state))
                }
                try expect(error.constraint ?? "nil", is: "sound")
            }
            try await listings.create(Listing("a", state: "Brokén"))
        },
        StoreBehaviour(
            "ignoringCase.declared",
            "Stored records are found after a field became case-insensitive.",
            needs: [.records, .uniqueIndexes, .queries, .persistent]
        ) { trial in
            let before = trial.listings(Listings.Unfolded.self)
            try await before.create(Listing("a", title: "Anna", state: "Open"))
            try await before.create(Listing("b", title: "bert", state: "oPEN"))
            let after = try await trial.reopened().listings(Listings.Folded.self)
            try await expect(after.ids(.where { $0.state == "OPEN" }).count, is: 2)
            try await expectError(.constraintViolated, id: "c") {
                try await after.create(Listing("c", title: "ANNA"))
            }
        },
    ]

    /// A behaviour of case-insensitive unique indexes.
    private static func distinct(
        _ id: String, _ sentence: String, fileID: String = #fileID, line: Int = #line,
        _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            id, sentence, needs: [.records, .finders, .uniqueIndexes], fileID: fileID, line: line,
            body)
    }
}
