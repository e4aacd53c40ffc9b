internal import RepositoryRuntime

extension StoreBehaviour {
    /// Streams of query results.
    static let queryStreams: [StoreBehaviour] = [
        query("stream.order", "A stream returns the same records as `fetch`.") { trial in
            try await trial.store((0..<20).map { $0 % 4 == 0 ? nil : $0 % 5 }) { $0.int = $1 }
            for query in [
                Query<Sparse>.all, .where { $0.int > 1 }, .sorted(by: \.int, .descending),
                .where { !($0.int == 2) }.sorted(by: \.int).offset(2).limit(7), .limit(0),
            ] {
                var streamed: [Sparse] = []
                for try await record in trial.sparses.stream(query) {
                    streamed.append(record)
                    try expect(streamed.count <= 20, "The stream does not end.")
                }
                try await expect(streamed, is: trial.sparses.fetch(query))
            }
        },
        query("stream.memory", "A stream of a large table holds one page in memory.") { trial in
            try await trial.storeNotes(1_500)
            for query in [Query<Note>.all, .where { $0.text != "x" }] {
                let counter = PageCounter(trial.store)
                var number = 0
                for try await _ in trial.notesRepository(over: counter).stream(query) {
                    number += 1
                    try expect(
                        counter.total <= number + 600,
                        "\(counter.total) records were read for the first \(number).")
                }
                try expect(number, is: 1_500)
                try expect(
                    counter.largest <= 600, "\(counter.largest) records were read at once.")
            }
        },
        query("stream.sortedMemory", "A sorted stream holds one page of records in memory.") {
            trial in
            try await trial.storeNotes(1_500)
            let counter = PageCounter(trial.store)
            var ranks: [Int] = []
            for try await note in trial.notesRepository(over: counter).stream(.sorted(by: \.text)) {
                ranks.append(note.rank)
            }
            try expect(ranks.count, is: 1_500)
            try expect(counter.largest <= 600, "\(counter.largest) records were read at once.")
        },
        query("stream.left", "A stream that is left early reads no further records.") { trial in
            try await trial.storeNotes(1_500)
            let counter = PageCounter(trial.store)
            for try await note in trial.notesRepository(over: counter).stream(.all)
            where note.rank >= 0 {
                break
            }
            try expect(
                counter.total <= 600, "\(counter.total) records were read for the first one.")
        },
        query("stream.changed", "A stream returns no record twice during concurrent writes.") {
            trial in
            try await trial.store(Array(0..<30)) { $0.int = $1 }
            var seen: [Sparse.ID] = []
            for try await record in trial.sparses.stream(.sorted(by: \.int)) {
                seen.append(record.id)
                try expect(seen.count <= 60, "The stream does not end.")
                if seen.count == 3 {
                    try await trial.sparses.update(Sparse(id: "00", int: 100))
                    try await trial.sparses.delete("29")
                }
            }
            try expect(Set(seen).count, is: seen.count, "A record was seen twice.")
        },
    ]

    /// Invalid queries, and the contents of errors and plans.
    static let queryRefusals: [StoreBehaviour] = [
        query("refused.cursor", "A cursor of another order throws.") { trial in
            try await trial.store([1, 2, 3]) { $0.int = $1 }
            let cursor = try await trial.sparses.page(.sorted(by: \.int).limit(1)).next
            try expect(cursor != nil, "The page has no cursor.")
            for query in [
                Query<Sparse>.all, .sorted(by: \.int, .descending), .sorted(by: \.int8),
                .sorted(by: \.int).sorted(by: \.string),
            ] {
                try await expectError(.invalidQuery) {
                    try await trial.sparses.page(query, after: cursor)
                }
                try await expectError(.invalidQuery) {
                    try await trial.sparses.fetch(query.page(after: cursor))
                }
            }
        },
        query("refused.otherTable", "A cursor of another table throws.") { trial in
            for id in ["a", "b"] as [Note.ID] {
                try await trial.notes.create(Note(id: id, text: ""))
            }
            let cursor = try await trial.notes.page(.limit(1)).next
            try expect(cursor != nil, "The page has no cursor.")
            try await expectError(.invalidQuery) {
                try await trial.sparses.page(.all, after: cursor)
            }
        },
        query(
            "refused.forged",
            "An invalid cursor string gives no cursor, and a forged cursor throws."
        ) {
            trial in
            for text in ["", "x", "Zm9v", "!", "AAAA", "ü"] {
                try expect(
                    QueryCursor(text) == nil || !text.isEmpty, "The string \(text) is a cursor.")
                guard let forged = QueryCursor(text) else { continue }
                try await expectError(.invalidQuery) {
                    try await trial.sparses.page(.all, after: forged)
                }
            }
        },
        query("refused.limit", "A negative limit or offset throws in every operation.") {
            trial in
            try await trial.store([1, 2]) { $0.int = $1 }
            for query in [Query<Sparse>.limit(-1), .all.offset(-1), .limit(.min).offset(.min)] {
                try await expectError(.invalidQuery) { try await trial.sparses.fetch(query) }
                try await expectError(.invalidQuery) { try await trial.sparses.ids(query) }
                try await expectError(.invalidQuery) { try await trial.sparses.count(query) }
                try await expectError(.invalidQuery) {
                    try await trial.sparses.sum(of: \.int, from: query)
                }
                try await expectError(.invalidQuery) { try await trial.sparses.explain(query) }
                try await expectError(.invalidQuery) {
                    for try await _ in trial.sparses.stream(query) { break }
                }
            }
        },
        query("refused.page", "A page with a limit of 0 throws.") { trial in
            try await expectError(.invalidQuery) { try await trial.sparses.page(.limit(0)) }
            try await expectError(.invalidQuery) { try await trial.sparses.page(.limit(-1)) }
        },
        query("refused.otherEntity", "A condition of another entity throws.") { trial in
            let foreign = Note.Fields().text == "x"
            try await expectError(.invalidQuery) {
                try await trial.sparses.fetch(.where { _ in foreign })
            }
            try await expectError(.invalidQuery) {
                try await trial.sparses.count(where: { $0.int == 1 || foreign })
            }
        },
        query("sensitive.explained", "The plan of a query contains no values.") { trial in
            let secret = "very-secret"
            let plan = try await trial.products.explain(
                .where {
                    $0.pin == secret || $0.pin.in([secret]) || $0.pin.contains(secret)
                        || $0.codes.contains(secret) || $0.id == "very-secret"
                })
            try expect(
                !plan.description.contains(secret),
                "The plan contains the value: \(plan.description)")
        },
        query("sensitive.errors", "The error of an invalid query contains no values.") { trial in
            let secret = "very-secret"
            for query in [
                Query<Product>.where { $0.pin == secret }.limit(-1),
                .where { $0.pin.hasPrefix(secret) && Note.Fields().text == secret },
            ] {
                let error = try await expectError(.invalidQuery) {
                    try await trial.products.fetch(query)
                }
                try expect(!"\(error)".contains(secret), "The error contains the value: \(error)")
            }
        },
        query("explain.bound", "The plan of a query by ids reads at most as many records as ids.") {
            trial in
            try await trial.store([1, 2, 3]) { $0.int = $1 }
            let plan = try await trial.sparses.explain(.where { $0.id.in(["00", "01"]) }).plan
            try expect(
                plan.maximumReads.map { $0 <= 2 } ?? false,
                "The plan reads \(plan.maximumReads.map { "\($0)" } ?? "any number of") records.")
        },
        StoreBehaviour(
            "queries.refused", "A store without queries throws `unsupported`.",
            lacks: [.queries]
        ) { trial in
            try await trial.notes.create(Note(id: "a", text: "", rank: 1))
            try await expectError(.unsupported) { try await trial.notes.fetch(.all) }
            try await expectError(.unsupported) {
                try await trial.notes.fetch(.where { $0.id == "a" })
            }
            try await expectError(.unsupported) { try await trial.notes.fetch(.limit(0)) }
            try await expectError(.unsupported) {
                try await trial.notes.count(where: { $0.rank == 1 })
            }
            try await expectError(.unsupported) { try await trial.notes.page(.all) }
            try await expectError(.unsupported) { try await trial.notes.sum(of: \.rank) }
            try await expectError(.unsupported) { try await trial.notes.explain(.all) }
            try await expectError(.unsupported) {
                for try await _ in trial.notes.stream(.all) { break }
            }
        },
    ]
}

extension StoreTrial {
    /// Notes whose texts have the reverse order of their ids.
    fileprivate func storeNotes(_ count: Int) async throws {
        let notes = (0..<count).map { number in
            Note(id: .init("n\(10_000 + number)"), text: "t\(20_000 - number)", rank: number)
        }
        try await store(notes, in: repositories.notes)
    }

    /// A repository of notes over another store.
    fileprivate func notesRepository(over store: any EntityStore) -> NoteRepository {
        Conformance(
            context: RepositoryContext(
                store: store, schema: repositories.context.schema, defaults: defaults,
                fullScans: .allow)
        ).notes
    }
}
