internal import RepositoryRuntime

extension StoreBehaviour {
    /// Full-text searches.
    static let searches: [StoreBehaviour] =
        searchedWords + searchRanks + searchReads + randomSearches

    private static let searchedWords: [StoreBehaviour] = [
        search("words", "A search ignores case and diacritics, and needs every word in any field.")
        {
            trial in
            try await trial.fillEssays()
            try await trial.expectEssays([2, 1], "DISPOSSESSED")
            try await trial.expectEssays([3], "uber")
            try await trial.expectEssays([3], "U\u{308}BER")
            try await trial.expectEssays([1], "dispossessed novel")
            try await trial.expectEssays([], "dispossessed missing")
            try await trial.expectEssays([], "dispos")
            try await trial.expectEssays([2, 3, 1], "dispossessed uber", matching: .any)
        },
        search("prefixes", "An asterisk directly after a word finds words that begin with it.") {
            trial in
            try await trial.fillEssays()
            try await trial.expectEssays([2, 1], "dispos*")
            try await trial.expectEssays([2, 1], "dispossessed*")
            try await trial.expectEssays([], "dispossessedx*")
            try await trial.expectEssays([], "dispos *")
            try await trial.expectEssays([], "*possessed")
            try await trial.expectEssays([3], "\u{FC}b*")
        },
        search("phrases", "Quotes find adjacent words of one field or of one element of a list.") {
            trial in
            try await trial.fillEssays()
            try await trial.expectEssays([1], "\"an ambiguous utopia\"")
            try await trial.expectEssays([], "\"utopia ambiguous\"")
            try await trial.expectEssays([1], "\"ambiguous utop*\"")
            try await trial.expectEssays([4], "\"red green\"")
            try await trial.expectEssays([], "\"green blue\"")
            try await trial.expectEssays([4], "green blue")
            try await trial.expectEssays([], "\"dispossessed an\"")
            try await trial.expectEssays([4], "\"red green")
        },
        search(
            "scripts", "Each scalar of a script without spaces is a word, and a run is a phrase."
        ) {
            trial in
            try await trial.fillEssays()
            try await trial.expectEssays([5], "\u{6771}\u{4EAC}")
            try await trial.expectEssays([], "\u{4EAC}\u{6771}")
            try await trial.expectEssays([5], "\u{4EAC} \u{6771}")
            try await trial.expectEssays([5], "tower")
            // Hangul syllables are words of letters: a prefix may end inside of one.
            try await trial.expectEssays([6], "\u{D55C}\u{AD6D}*")
            try await trial.expectEssays([6], "\u{D558}*")
        },
        search("nothing", "A text without words finds nothing, whatever it is.") { trial in
            try await trial.fillEssays()
            for text in ["", " ", "*", "\"", "\"\"*", "-- ; ' %", "\u{301}", "\u{0}"] {
                try await trial.expectEssays([], text)
                try await trial.expectEssays([], text, matching: .any)
            }
        },
        search("hostile", "Words are data: no text reaches the language of a database.") { trial in
            try await trial.fillEssays()
            for word in ["OR", "NEAR", "NOT", "title:dispossessed", "x' OR 1=1", "dispossessed%"] {
                let found = try await trial.essays.search(word).map(\.number.rawValue)
                try expect(found, is: word.hasPrefix("dispossessed") ? [2, 1] : [], word)
            }
            let long = String(repeating: "a", count: 5_000)
            try await trial.essays.create(Essay(number: 90, title: long + " x", revision: 1))
            try await trial.expectEssays([90], long)
            try await trial.expectEssays([90], "aaaa*")
            try await trial.expectEssays([], long + "b")
        },
    ]

    private static let searchRanks: [StoreBehaviour] = [
        search("terms", "Records with more terms come first, then those with more whole words.") {
            trial in
            let titles = ["one", "one two", "onerous twofold", "one twofold", "two three one"]
            try await trial.fill(titles: titles)
            try await trial.expectEssays([4, 1, 0, 3], "one two three", matching: .any)
            try await trial.expectEssays([1, 4, 3, 2, 0], "one* two*", matching: .any)
            try await trial.expectEssays([1, 4, 3, 2], "one* two*")
        },
        search("fields", "Then the earlier field counts, then occurrences, then shorter texts.") {
            trial in
            try await trial.store(
                [
                    Essay(number: 0, title: "a", summary: "word word word"),
                    Essay(number: 1, title: "word of more"),
                    Essay(number: 2, title: "b", tags: ["word", "word"]),
                    Essay(number: 3, title: "word and word again"),
                    Essay(number: 4, title: "word more"),
                    Essay(number: 5, title: "more word"),
                    Essay(number: 6, title: "c", summary: "words word"),
                ], in: trial.essays)
            try await trial.expectEssays([3, 4, 5, 1, 0, 6, 2], "word")
            try await trial.expectEssays([3, 4, 5, 1, 0, 6, 2], "word*")
            try await trial.expectEssays([0, 2], "\"word\" a b", .limit(2), matching: .any)
        },
        search("twice", "A term that stands twice in a search counts once.") { trial in
            try await trial.fillEssays()
            let once = try await trial.essays.page(searching: "dispossessed", .limit(1))
            let twice = try await trial.essays.page(
                searching: "Dispossessed dispossessed", .limit(1), after: once.next)
            try expect(once.items.map(\.number), is: [2])
            try expect(twice.items.map(\.number), is: [1])
        },
    ]

    private static let searchReads: [StoreBehaviour] = [
        search("query", "A search can be combined with a condition, a limit and an offset.") {
            trial in
            try await trial.fillEssays()
            try await trial.expectEssays([1], "dispos*", .where { $0.year < 1980 })
            try await trial.expectEssays([2], "dispos*", .where { $0.year > 1980 || $0.year == 1 })
            try await trial.expectEssays([], "dispos*", .where { $0.year == 1 })
            try await trial.expectEssays([2], "dispos*", .limit(1))
            try await trial.expectEssays([1], "dispos*", Query.all.offset(1))
            try await trial.expectEssays([], "dispos*", .limit(0))
            let one = try await trial.essays.search("dispos*", limit: 1)
            try expect(one.map(\.number), is: [2])
            try await expect(trial.essays.count(searching: "dispos*"), is: 2)
            try await expect(trial.essays.count(searching: "dispos*", .limit(1)), is: 1)
            for query in [Query<Essay>.sorted(by: \.year), .limit(-1)] {
                try await expectError(.invalidQuery) {
                    try await trial.essays.search("dispos*", query)
                }
            }
        },
        search("relatives", "The condition of a search can name related records.") { trial in
            try await trial.fillEssays()
            try await trial.writers.create(Writer(id: "ursula", name: "Ursula"))
            var essay = try await trial.essays.read(1)
            essay.writerID = "ursula"
            try await trial.essays.update(essay)
            try await trial.expectEssays([1], "dispos*", .where { $0.writer.name == "Ursula" })
            try await trial.writers.delete("ursula")
            try await trial.expectEssays([], "dispos*", .where { $0.writer.name == "Ursula" })
            try await trial.expectEssays([2, 1], "dispos*", .where { $0.writerID == nil })
        },
        search("pages", "The pages of a search have every record once, in its order.") { trial in
            try await trial.store(
                (0..<23).map { number in
                    Essay(
                        number: .init(number),
                        title: String(repeating: "word ", count: number % 4 + 1),
                        summary: number % 3 == 0 ? "words" : nil)
                }, in: trial.essays)
            let all = try await trial.essays.search("word*").map(\.number)
            try expect(all.count, is: 23)
            var found: [Essay.ID] = []
            var cursor: QueryCursor?
            repeat {
                let page = try await trial.essays.page(searching: "word*", .limit(5), after: cursor)
                found += page.items.map(\.number)
                cursor = page.next.flatMap { QueryCursor($0.description) }
            } while cursor != nil && found.count < 100
            try expect(found, is: all)
            let page = try await trial.essays.page(searching: "word*", .limit(5))
            try await expectError(.invalidQuery) {
                try await trial.essays.page(searching: "words", .limit(5), after: page.next)
            }
            try await expectError(.invalidQuery) {
                try await trial.essays.page(.limit(5), after: page.next)
            }
        },
        search(
            "writes", "A search finds what was written, and no longer what was changed or deleted."
        ) {
            trial in
            try await trial.fillEssays()
            var essay = try await trial.essays.read(1)
            essay.title = "Left Hand"
            essay.summary = nil
            essay = try await trial.essays.update(essay)
            try await trial.expectEssays([2], "dispos*")
            try await trial.expectEssays([1], "hand")
            essay.tags = ["dispossessed"]
            try await trial.essays.save(essay)
            try await trial.expectEssays([2, 1], "dispos*")
            try await trial.essays.delete(2)
            try await trial.expectEssays([1], "dispos*")
            try await trial.essays.updateAll(where: { $0.number == 1 }, set: { $0.title = "Hands" })
            try await trial.expectEssays([], "hand")
            try await trial.expectEssays([1], "hand*")
            try await trial.essays.deleteAll()
            try await trial.expectEssays([], "hand*")
        },
        search("reopened", "Another instance of the store finds the same.") { trial in
            try await trial.fillEssays()
            try await trial.expectEssays([2, 1], "dispos*")
            try await trial.essays.delete(2)
            guard trial.store.capabilities.has(.persistent) else { return }
            let other = try await trial.reopened()
            try await other.expectEssays([1], "dispos*")
            try await other.essays.create(Essay(number: 7, title: "Disposition"))
            try await other.expectEssays([7, 1], "dispos*")
            try await trial.expectEssays([7, 1], "dispos*")
            try await trial.store.rebuildIndexes()
            try await trial.expectEssays([7, 1], "dispos*")
        },
        search(
            "added", "A search that a schema gains finds the records that were there.",
            needs: [.persistent]
        ) { trial in
            let first = trial.shaped(Shapes.First.self)
            try await first.create(Shaped("a", .text("One two"), .integer(1)))
            try await first.create(Shaped("b", .text("Two"), .integer(2)))
            let second = try await trial.reopened().shaped(Shapes.Searched.self)
            try await expect(second.search("two").map(\.id), is: ["b", "a"])
            try await second.create(Shaped("c", .text("twofold"), .integer(3)))
            try await expect(second.search("two*").map(\.id), is: ["b", "a", "c"])
            // A program without the search writes, too.
            let third = try await trial.reopened().shaped(Shapes.First.self)
            try await third.create(Shaped("d", .text("two"), .integer(4)))
            try await third.update(Shaped("b", .text("three"), .integer(2)))
            try await third.delete("a")
            let fourth = try await trial.reopened().shaped(Shapes.Searched.self)
            try await expect(fourth.search("two*").map(\.id), is: ["d", "c"])
            try await expect(fourth.search("three").map(\.id), is: ["b"])
        },
        search(
            "renamed", "A search follows a renamed field and a renamed table.",
            needs: [.persistent]
        ) { trial in
            let first = trial.shaped(Shapes.Searched.self)
            try await first.create(Shaped("a", .text("One two"), .integer(1)))
            try await expect(first.search("two").map(\.id), is: ["a"])
            try await trial.fresh { trial in
                let old = trial.shaped(Shapes.Searched.self)
                try await old.create(Shaped("a", .text("One two"), .integer(1)))
                try await expect(old.search("two").map(\.id), is: ["a"])
                let new = try await trial.reopened().shaped(Shapes.SearchedObjects.self)
                try await expect(new.search("two").map(\.id), is: ["a"])
                try await new.create(Shaped("b", .text("two"), .integer(1)))
                try await expect(new.search("two").map(\.id), is: ["b", "a"])
            }
            let second = try await trial.reopened().shaped(Shapes.SearchedHeadline.self)
            try await expect(second.search("two").map(\.id), is: ["a"])
            try await second.create(Shaped("b", .text("two"), .integer(1)))
            try await second.delete("a")
            try await expect(second.search("two").map(\.id), is: ["b"])
        },
        search("composite", "Records with composite ids can be searched, by their ids too.") {
            trial in
            try await trial.store(
                [
                    Margin(page: 2, name: "b", text: "note"),
                    Margin(page: 1, name: "c", text: "note"),
                    Margin(page: 1, name: "note", text: "a b"),
                ], in: trial.margins)
            let found = try await trial.margins.search("note")
            try expect(found.map(\.id.description), is: ["1,c", "2,b", "1,note"])
            try await trial.margins.delete(Margin.ID(page: 1, name: "c"))
            try await expect(trial.margins.search("note").map(\.page), is: [2, 1])
        },
        search(
            "transactions", "A transaction searches its own changes, and no others see them.",
            needs: [.transactions]
        ) { trial in
            try await trial.fillEssays()
            struct Undone: Error {}
            do {
                try await trial.repositories.transaction { set in
                    try await set.essays.create(Essay(number: 8, title: "Disposal"))
                    try await set.essays.delete(1)
                    let found = try await set.essays.search("dispos*").map(\.number)
                    try expect(found, is: [2, 8])
                    throw Undone()
                }
            } catch is Undone {}
            try await trial.expectEssays([2, 1], "dispos*")
            try await trial.repositories.transaction { set in
                try await set.essays.create(Essay(number: 8, title: "Disposal"))
            }
            try await trial.expectEssays([2, 8, 1], "dispos*")
        },
        search("declared", "A declared query searches, with its condition and its limit.") {
            trial in
            try await trial.fillEssays()
            let found = try await trial.essays.found(words: "dispos* novel").map(\.number)
            try expect(found, is: [1])
            let recent = try await trial.essays.recent(words: "dispos* novel uber blue", year: 1999)
            // Whole words are before prefixes, and titles before tags.
            try expect(recent.map(\.number), is: [3, 4])
            try await expect(trial.essays.recent(words: "novel", year: 1999).isEmpty, is: true)
        },
        search("explain", "The plan of a search says what it reads, and holds none of its words.") {
            trial in
            try await trial.fillEssays()
            let query = Query<Essay>.where { $0.year < 1980 }
            let plan = try await trial.essays.explain(searching: "dispossessed utop*", query)
            let text = plan.description
            try expect(!text.contains("dispos") && !text.contains("utop"), text)
            try expect(text.contains("1 word, 1 prefix, all required"), text)
            try expect(text.contains("year <"), text)
            try expect(plan.maximumReads.map { $0 >= 1 } ?? !plan.usesIndex, text)
            let none = try await trial.essays.explain(searching: " * ")
            try expect(none.maximumReads, is: 0)
            try await expectError(.invalidQuery) {
                try await trial.essays.explain(searching: "x", .sorted(by: \.year))
            }
        },
        search("policy", "The full-scan policy does not apply: the schema declares the search.") {
            trial in
            try await trial.fillEssays()
            let strict = trial.repositories(fullScans: .refuse)
            let found = try await strict.essays.search("dispos*").map(\.number)
            try expect(found, is: [2, 1])
        },
    ]

    private static func search(
        _ name: String, _ sentence: String, needs: [StoreCapability] = [], _ check: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            "search.\(name)", sentence,
            needs: [.records, .listing, .queries, .updates, .references] + needs, check)
    }
}

extension StoreTrial {
    /// Stores the essays that the searches find.
    fileprivate func fillEssays() async throws {
        try await store(
            [
                Essay(
                    number: 1, title: "The Dispossessed", summary: "An ambiguous utopia: a novel",
                    year: 1974),
                Essay(number: 2, title: "Dispossessed!", year: 1999),
                Essay(number: 3, title: "\u{DC}ber uns", tags: ["Stra\u{DF}e"]),
                Essay(number: 4, title: "Colours", tags: ["red green", "blue"]),
                Essay(number: 5, title: "\u{6771}\u{4EAC}Tower"),
                Essay(number: 6, title: "\u{D55C}\u{AD6D}\u{C5B4} \u{D558}\u{B098}"),
            ], in: repositories.essays)
    }

    /// Stores an essay for each title, numbered from 0.
    fileprivate func fill(titles: [String]) async throws {
        try await store(
            titles.enumerated().map { Essay(number: .init($0), title: $1) }, in: repositories.essays
        )
    }

    /// Checks that a search finds exactly these essays, in this order.
    fileprivate func expectEssays(
        _ numbers: [Int], _ text: String, _ query: Query<Essay> = .all,
        matching: SearchMatching = .all, fileID: String = #fileID, line: Int = #line
    ) async throws {
        try await expect(
            repositories.essays.search(text, query, matching: matching).map(\.number.rawValue),
            is: numbers,
            "The search finds other records.", fileID: fileID, line: line)
    }
}
