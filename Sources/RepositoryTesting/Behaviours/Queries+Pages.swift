internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Pages by cursor.
    static let queryPages: [StoreBehaviour] = [
        query("pages.whole", "Pages give each record once, in the order of the query.") { trial in
            try await trial.storePaged()
            for query in orders {
                let all = try await trial.sparses.fetch(query)
                for size in [1, 2, 3, 7, 8, 50] {
                    let paged = try await trial.paged(query, in: trial.sparses, size: size)
                    try expect(paged, is: all, "The pages of \(size) differ from the whole.")
                }
            }
        },
        query("pages.last", "The last page has no cursor, a full one neither.") { trial in
            try await trial.store([1, 2, 3, 4]) { $0.int = $1 }
            let first = try await trial.sparses.page(.sorted(by: \.int).limit(2))
            try expect(first.next != nil, "The first page has no cursor.")
            let last = try await trial.sparses.page(.sorted(by: \.int).limit(2), after: first.next)
            try expect(last.items.map(\.id), is: ["02", "03"])
            try expect(last.next, is: nil)
            try await expect(trial.sparses.page(.limit(4)).next, is: nil)
            try await expect(trial.sparses.page(.all).items.count, is: 4)
        },
        query("pages.condition", "Pages hold only what the condition says.") { trial in
            try await trial.storePaged()
            let query = Query<Sparse>.where { $0.int != 1 && !($0.string == "b") }
                .sorted(by: \.string, .descending)
            let all = try await trial.sparses.fetch(query)
            try await expect(trial.paged(query, in: trial.sparses, size: 2), is: all)
        },
        query("pages.offset", "An offset counts once, before the first page.") { trial in
            try await trial.storePaged()
            let query = Query<Sparse>.sorted(by: \.int)
            let all = try await trial.sparses.fetch(query)
            let paged = try await trial.paged(query.offset(3), in: trial.sparses, size: 2)
            try expect(paged, is: Array(all.dropFirst(3)))
        },
        query("pages.inserts", "What is inserted between pages moves nothing.") { trial in
            try await trial.storePaged()
            for (number, query) in orders.enumerated() {
                let before = try await trial.sparses.fetch(query)
                let paged = try await trial.paged(query, in: trial.sparses, size: 2) { page in
                    for (value, text) in [(nil, nil), (0, "a"), (1, "b"), (9, "z")] {
                        let id = "\(number)new\(page)\(value ?? -1)"
                        try await trial.sparses.save(
                            Sparse(id: .init(id), string: text, int: value))
                    }
                    // Enough is inserted once: the pages must come to an end.
                    if page > 2 { try await trial.removeNew() }
                }
                let ids = Set(before.map(\.id))
                try expect(
                    paged.filter { ids.contains($0.id) }.map(\.id), is: before.map(\.id),
                    "A record that was there all the time is not on just one page.")
                try await trial.removeNew()
            }
        },
        query(
            "pages.deletes",
            "What is deleted between pages, the cursor's record too, moves nothing."
        ) { trial in
            for query in orders {
                try await trial.storePaged()
                let before = try await trial.sparses.fetch(query)
                let first = try await trial.sparses.page(query.limit(3))
                for record in before[1...3] { try await trial.sparses.delete(record.id) }
                let second = try await trial.sparses.page(query.limit(3), after: first.next)
                try expect(second.items.map(\.id), is: before[4...6].map(\.id))
                try await trial.clear()
            }
        },
        query("pages.changes", "A record that moves behind the cursor is not lost for the rest.") {
            trial in
            try await trial.store([1, 2, 3, 4, 5, 6]) { $0.int = $1 }
            let query = Query<Sparse>.sorted(by: \.int).limit(2)
            let first = try await trial.sparses.page(query)
            try await trial.sparses.update(Sparse(id: "01", int: 0))
            try await trial.sparses.update(Sparse(id: "00", int: 5))
            let second = try await trial.sparses.page(query, after: first.next)
            try expect(second.items.map(\.id), is: ["02", "03"])
            let third = try await trial.sparses.page(query, after: second.next)
            try expect(third.items.map(\.id), is: ["00", "04"])
        },
        query("pages.nulls", "A cursor stands among nulls as among values.") { trial in
            try await trial.store([nil, 1, nil, 1, nil, 2]) { $0.int = $1 }
            for direction in [SortDirection.ascending, .descending] {
                let query = Query<Sparse>.sorted(by: \.int, direction)
                let all = try await trial.sparses.fetch(query)
                try await expect(trial.paged(query, in: trial.sparses, size: 1), is: all)
                try await expect(trial.paged(query, in: trial.sparses, size: 2), is: all)
            }
        },
        query("pages.ties", "Pages end within equal values and go on behind them.") { trial in
            try await trial.store(Array(repeating: 7, count: 11)) { $0.int = $1 }
            for direction in [SortDirection.ascending, .descending] {
                let paged = try await trial.paged(
                    .sorted(by: \.int, direction), in: trial.sparses, size: 3)
                try expect(paged.map(\.id.rawValue), is: (0..<11).map(StoreTrial.id))
            }
        },
        query("pages.types", "A cursor holds values of every type.") { trial in
            try await trial.storeEveryType()
            try await trial.expectPages(of: \.double)
            try await trial.expectPages(of: \.decimal)
            try await trial.expectPages(of: \.money)
            try await trial.expectPages(of: \.date)
            try await trial.expectPages(of: \.uuid)
            try await trial.expectPages(of: \.url)
            try await trial.expectPages(of: \.data)
            try await trial.expectPages(of: \.bool)
            try await trial.expectPages(of: \.hue)
            try await trial.expectPages(of: \.digit)
            try await trial.expectPages(of: \.detail.inner.amount)
            try await trial.expectPages(of: \.map["a"])
        },
        query("pages.text", "A cursor may be kept as text, of letters, digits, - and _.") { trial in
            try await trial.storePaged()
            for query in orders {
                let whole = try await trial.sparses.page(query.limit(3))
                guard let cursor = whole.next else {
                    throw ExpectationFailure(
                        message: "The page has no cursor.", fileID: #fileID, line: #line)
                }
                let text = cursor.description
                try expect(
                    text.allSatisfy {
                        $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0))
                    },
                    "The text of a cursor holds other characters: \(text)")
                let kept = QueryCursor(text)
                try expect(kept, is: cursor)
                try expect(
                    JSONDecoder().decode(QueryCursor.self, from: JSONEncoder().encode(cursor)),
                    is: cursor)
                try await expect(
                    trial.sparses.page(query.limit(3), after: kept),
                    is: trial.sparses.page(query.limit(3), after: cursor))
            }
        },
        query("pages.reopened", "A cursor is good for a store made anew.", needs: [.persistent]) {
            trial in
            try await trial.storePaged()
            let query = Query<Sparse>.sorted(by: \.int, .descending).limit(3)
            let first = try await trial.sparses.page(query)
            let expected = try await trial.sparses.page(query, after: first.next)
            try await expect(
                trial.reopened().sparses.page(query, after: first.next), is: expected)
        },
        query(
            "pages.composite", "A cursor stands among ids of several components.",
            needs: [.references]
        ) { trial in
            for hall in ["a", "b"] as [Hall.ID] { try await trial.halls.create(Hall(id: hall)) }
            for (hall, row, letter) in [
                ("a", 2, "x"), ("a", 10, "a"), ("b", 1, ","), ("b", 1, "\u{E9}"), ("b", 3, "z"),
            ] as [(Hall.ID, Int, String)] {
                try await trial.seats.create(Seat(hallID: hall, row: row, letter: letter))
            }
            for query in [Query<Seat>.all, .sorted(by: \.price), .sorted(by: \.row, .descending)] {
                let all = try await trial.seats.fetch(query)
                try await expect(trial.paged(query, in: trial.seats, size: 2), is: all)
                try await expect(trial.paged(query, in: trial.seats, size: 1), is: all)
            }
        },
        query("pages.fetch", "A query that starts after a cursor gives all the rest.") { trial in
            try await trial.storePaged()
            for query in orders {
                let all = try await trial.sparses.fetch(query)
                let cursor = try await trial.sparses.page(query.limit(4)).next
                let rest = query.page(after: cursor)
                try await expect(trial.sparses.fetch(rest), is: Array(all.dropFirst(4)))
                try await expect(trial.sparses.count(rest), is: all.count - 4)
                try await expect(
                    trial.sparses.fetch(rest.offset(1).limit(2)),
                    is: Array(all.dropFirst(5).prefix(2)))
            }
        },
        query(
            "pages.tampered",
            "A cursor that is no place in the order of the query throws invalidQuery, whoever made its text."
        ) { trial in
            try await trial.storePaged()
            let sparses = trial.sparses
            for query in orders {
                guard let next = try await sparses.page(query.limit(3)).next else { continue }
                for cursor in next.tampered(keys: query.sortKeys.count) {
                    // Through its text, as it comes from outside.
                    let text = cursor.description
                    guard let cursor = QueryCursor(text) else { continue }
                    try await expectError(.invalidQuery, table: "sparses") {
                        try await sparses.page(query.limit(3), after: cursor)
                    }
                    let rest = query.page(after: cursor)
                    try await expectError(.invalidQuery) { try await sparses.fetch(rest) }
                    try await expectError(.invalidQuery) { try await sparses.count(rest) }
                    try await expectError(.invalidQuery) { try await sparses.ids(rest) }
                    try await expectError(.invalidQuery) {
                        for try await _ in sparses.stream(rest) {}
                    }
                }
            }
        },
        query(
            "pages.between", "A cursor may be a place where no record stands, or could stand."
        ) { trial in
            let day = Date(timeIntervalSince1970: 86_400)
            try await trial.store(Array(0..<4)) { record, number in
                record.date = number == 0 ? nil : day + Double(number) / 1_000_000
                record.money = number == 0 ? nil : Decimal(number) / 100
                record.double = number == 0 ? nil : Double(number)
            }
            let far = Date(timeIntervalSinceReferenceDate: 1e15)
            let halves: [(SortKey, [StoredValue])] = [
                (
                    SortKey(path: Sparse.Fields().date.queryPath, direction: .ascending),
                    [.date(day + 2.4 / 1_000_000), .date(day + 2.6 / 1_000_000), .date(far)]
                ),
                (
                    SortKey(path: Sparse.Fields().money.queryPath, direction: .ascending),
                    [
                        .decimal(Decimal(25) / 1_000), .decimal(Decimal(1) / 3),
                        .decimal(.greatestFiniteMagnitude),
                    ]
                ),
                (
                    SortKey(path: Sparse.Fields().double.queryPath, direction: .ascending),
                    [.double(2.5), .double(-.greatestFiniteMagnitude)]
                ),
            ]
            for (key, values) in halves {
                for direction in [SortDirection.ascending, .descending] {
                    let key = SortKey(path: key.path, direction: direction)
                    let query = Query<Sparse>(
                        Condition(.constant(true)), sortKeys: [key])
                    guard let next = try await trial.sparses.page(query.limit(1)).next else {
                        continue
                    }
                    let all = try await trial.sparses.fetch(query)
                    for value in values {
                        let cursor = QueryCursor(
                            order: next.order, position: [value] + next.position.dropFirst())
                        let expected = try all.filter { record in
                            let row = try StoredValueEncoder.values(of: record, SparseMapper.self)
                            let held = key.path.value(in: row)
                            return direction == .ascending ? value < held : held < value
                        }
                        try await expect(
                            trial.sparses.fetch(query.page(after: cursor)), is: expected,
                            "after \(value), \(direction)")
                    }
                }
            }
        },
        query("pages.size", "A page without a limit holds a hundred records.") { trial in
            try await trial.store(Array(0..<103)) { $0.int = $1 }
            let first = try await trial.sparses.page(.all)
            try expect(first.items.count, is: 100)
            try await expect(trial.sparses.page(.all, after: first.next).items.count, is: 3)
        },
    ]

    private static var orders: [Query<Sparse>] {
        [
            .all, .sorted(by: \.int), .sorted(by: \.int, .descending),
            .sorted(by: \.string, .descending).sorted(by: \.int), .sorted(by: \.id, .descending),
        ]
    }
}

extension QueryCursor {
    /// The cursor with each of its parts made wrong in turn: values of another kind, too few and too many, ids that are
    /// none, another table and another order.
    fileprivate func tampered(keys: Int) -> [QueryCursor] {
        let others: [StoredValue] = [
            .bool(true), .integer(1), .double(1), .decimal(1),
            .date(Date(timeIntervalSince1970: 0)),
            .uuid(UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))), .text("x"),
            .data(Data([1])), .list([.null]), .object(["a": .null]),
        ]
        var cursors: [QueryCursor] = []
        for (place, value) in position.enumerated() {
            let isID = place >= keys
            for other in others where !isSameKind(other, value, isID ? .text("") : nil) {
                // Of a null value the kind is not known here; a text could be right.
                if !isID, value == .null { continue }
                cursors.append(replacing(place, with: other))
            }
            if isID {
                cursors.append(replacing(place, with: .null))
                cursors.append(replacing(place, with: .text("")))
                cursors.append(replacing(place, with: .text("a\u{0}b")))
            }
        }
        cursors.append(QueryCursor(order: order, position: position.dropLast()))
        cursors.append(QueryCursor(order: order, position: position + [.text("x")]))
        cursors.append(QueryCursor(order: order, position: []))
        cursors.append(QueryCursor(order: order + ",int", position: position))
        cursors.append(QueryCursor(order: "notes" + order.dropFirst(7), position: position))
        cursors.append(QueryCursor(order: "", position: position))
        return cursors
    }

    private func replacing(_ place: Int, with value: StoredValue) -> QueryCursor {
        var position = position
        position[place] = value
        return QueryCursor(order: order, position: position)
    }

    private func isSameKind(
        _ value: StoredValue, _ other: StoredValue, _ known: StoredValue?
    ) -> Bool {
        switch (value, known ?? other) {
        case (.bool, .bool), (.integer, .integer), (.double, .double), (.decimal, .decimal),
            (.date, .date), (.uuid, .uuid), (.text, .text), (.data, .data), (.list, .list),
            (.object, .object):
            true
        default: false
        }
    }
}

extension StoreTrial {
    /// Eight records with nulls and equal values.
    fileprivate func storePaged() async throws {
        let values: [(Int?, String?)] = [
            (1, "a"), (nil, "b"), (1, nil), (2, "a"), (nil, nil), (1, "a"), (2, "b"), (0, "\u{E9}"),
        ]
        try await store(values) {
            $0.int = $1.0
            $0.string = $1.1
        }
    }

    /// Records whose every field differs or is null.
    fileprivate func storeEveryType() async throws {
        let moment = Date(timeIntervalSince1970: 86_400)
        let records = (0..<7).map { number -> Sparse in
            var record = Sparse(id: .init(Self.id(number)))
            guard number % 3 > 0 else { return record }
            record.double = Samples.doubles[number]
            record.decimal = Samples.decimals[number]
            record.money = Samples.money[number]
            record.date = moment + Double(number * 7 % 5)
            record.uuid = Samples.uuids[number % 3]
            record.url = Samples.urls[number]
            record.data = Samples.data[number % 4]
            record.bool = number % 2 == 0
            record.hue = number == 4 ? .other("x\u{E9}") : .cold
            record.digit = number > 2 ? .huge : .minusTwo
            record.detail = Detail(text: "", inner: Inner(amount: Samples.decimals[number]))
            record.map = ["a": Double(number) / 3]
            return record
        }
        try await store(records, in: repositories.sparses)
    }

    /// Throws unless the pages by a field are the whole.
    fileprivate func expectPages<V: OrderedFieldValue>(
        of field: KeyPath<Sparse.Fields, QueryField<Sparse, V>>, line: Int = #line
    ) async throws {
        for direction in [SortDirection.ascending, .descending] {
            let query = Query<Sparse>.sorted(by: field, direction)
            let all = try await repositories.sparses.fetch(query)
            let found = try await paged(query, in: repositories.sparses, size: 1, line: line)
            try expect(found, is: all, "The pages differ from the whole.", line: line)
        }
    }

    /// Removes what was inserted between pages.
    fileprivate func removeNew() async throws {
        for id in try await repositories.sparses.ids() where id.rawValue.contains("new") {
            try await repositories.sparses.delete(id)
        }
    }

    /// Removes every record.
    fileprivate func clear() async throws {
        for id in try await repositories.sparses.ids() {
            try await repositories.sparses.delete(id)
        }
    }
}
