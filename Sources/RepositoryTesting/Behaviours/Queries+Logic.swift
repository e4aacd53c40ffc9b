internal import RepositoryRuntime

extension StoreBehaviour {
    /// Null, negation, conjunction and disjunction.
    static let queryLogic: [StoreBehaviour] = [
        query("null.equals", "Null equals only null.") { trial in
            try await trial.store([nil, "", "x"]) { $0.string = $1 }
            try await trial.expectMatches([0]) { $0.string == nil }
            try await trial.expectMatches([1, 2]) { $0.string != nil }
            try await trial.expectMatches([1]) { $0.string == "" }
        },
        query("null.differs", "Null differs from every value.") { trial in
            try await trial.store([nil, 1, 2]) { $0.int = $1 }
            try await trial.expectMatches([0, 2]) { $0.int != 1 }
            try await trial.expectMatches([0, 1, 2]) { $0.int != 3 }
        },
        query("null.compares", "No order comparison with null is true.") { trial in
            try await trial.store([nil, 1]) { $0.int = $1 }
            try await trial.expectMatches([1]) { $0.int < 2 }
            try await trial.expectMatches([1]) { $0.int >= 0 }
            try await trial.expectMatches([1]) { $0.int < 2 || $0.int >= 2 }
        },
        query("null.negation", "The negation of a comparison with null is true.") { trial in
            try await trial.store([nil, 1, 5]) { $0.int = $1 }
            try await trial.expectMatches([0, 1]) { !($0.int > 3) }
            try await trial.expectMatches([0, 2]) { !($0.int <= 3) }
            try await trial.expectMatches([0, 2]) { !($0.int == 1) }
            try await trial.expectMatches([1]) { !($0.int != 1) }
        },
        query("large.alternatives", "A condition may have thousands of alternatives.") { trial in
            try await trial.store(Array(0..<6)) { $0.int = $1 == 5 ? nil : $1 }
            var condition = Sparse.Fields().int == 1
            for number in 0..<3_000 {
                condition = condition || Sparse.Fields().int == 10 + number
                if number % 2 == 0 {
                    condition = condition || Sparse.Fields().string == "s\(number)"
                }
            }
            let first = condition || Sparse.Fields().int == 3 || Sparse.Fields().int == nil
            try await trial.expectMatches([1, 3, 5]) { _ in first }
            try await trial.expectMatches([0, 2, 4]) { _ in !first }
            try await trial.expectMatches([3]) { first && $0.int > 2 }
        },
        query("large.conjunction", "A condition may ask for thousands of things at once.") {
            trial in
            try await trial.store(Array(0..<6)) { $0.double = $1 == 5 ? nil : Double($1) }
            var condition = Sparse.Fields().double >= 1
            for number in 0..<3_000 {
                condition = condition && Sparse.Fields().double != Double(number) * 2
            }
            try await trial.expectMatches([1, 3]) { _ in condition }
            try await trial.expectMatches([0, 2, 4, 5]) { _ in !condition }
        },
        query("large.lists", "Lists of values may be long, many, and of every type.") { trial in
            try await trial.store(Array(0..<4)) {
                $0.double = Double($1)
                $0.int = $1
            }
            let numbers = Array(2..<100_000)
            try await trial.expectMatches([2, 3]) { $0.int.in(numbers.map { $0 }) }
            var condition = Sparse.Fields().double == 0
            for list in 0..<80 {
                let values = (0..<400).map { Double(list * 1_000 + $0 * 2) + (list == 0 ? 3 : 0.5) }
                condition =
                    condition || (Sparse.Fields().double.in(values) && Sparse.Fields().int >= 0)
            }
            try await trial.expectMatches([0, 3]) { _ in condition }
        },
        query(
            "large.references", "A list of references to composite ids may be long.",
            needs: [.references]
        ) { trial in
            let set = trial.repositories
            try await set.halls.create(Hall(id: "h"))
            let seats = (0..<130).map { Seat(hallID: "h", row: $0, letter: "a") }
            try await set.seats.createAll(seats)
            try await set.bookings.createAll(
                [3, 40, 129].map {
                    Booking(id: Booking.ID(rawValue: "b\($0)"), seatID: seats[$0].id)
                })
            let ids = seats.prefix(129).map(\.id)
            let found = try await set.bookings.fetch(
                .where { $0.seatID.in(ids) }.allowingFullScan())
            try expect(found.map(\.id.description).sorted(), is: ["b3", "b40"])
        },
        query("large.depth", "A condition that is too deep throws invalidQuery; negations cancel.")
        {
            trial in
            try await trial.store([0, 1, 2]) { $0.int = $1 }
            var negated = Sparse.Fields().int > 0
            for _ in 0..<5_001 { negated = !negated }
            try await trial.expectMatches([0]) { _ in negated }
            var condition = Sparse.Fields().int >= 0
            for level in 0..<100 {
                condition =
                    level % 2 == 0
                    ? condition && Sparse.Fields().int < 2 : condition || Sparse.Fields().int == 9
            }
            try await trial.expectMatches([0, 1]) { _ in condition }
            for level in 0..<5_000 {
                condition =
                    level % 2 == 0
                    ? !(condition && Sparse.Fields().int < 2)
                    : condition || Sparse.Fields().int == 9
            }
            let deep = condition
            try await expectError(.invalidQuery, table: "sparses") {
                try await trial.sparses.fetch(.where { _ in deep })
            }
            try await expectError(.invalidQuery) {
                try await trial.sparses.count(.where { deep && $0.int > 0 })
            }
        },
        query("null.twice", "Two negations cancel each other.") { trial in
            try await trial.store([nil, 1, 5]) { $0.int = $1 }
            try await trial.expectMatches([2]) { !(!($0.int > 3)) }
            try await trial.expectMatches([0, 1]) { !(!(!($0.int > 3))) }
        },
        query("null.negatedJoin", "Negated conjunctions and disjunctions follow two-valued logic.")
        {
            trial in
            try await trial.store([nil, 1, 5, 9]) { record, value in
                record.int = value
                record.string = value == 5 ? "x" : nil
            }
            try await trial.expectMatches([0, 1, 3]) { !($0.int > 3 && $0.string == "x") }
            try await trial.expectMatches([0, 1]) { !($0.int > 3 || $0.string == "x") }
            try await trial.expectMatches([0, 1, 2, 3]) { !($0.int > 9 && $0.string < "x") }
            try await trial.expectMatches([0, 1, 3]) { !($0.string <= "x") || $0.int == 1 }
        },
        query("null.in", "Null is in a list of values only if the list contains null.") { trial in
            try await trial.store([nil, 1, 2]) { $0.int = $1 }
            try await trial.expectMatches([1]) { $0.int.in([1, 3]) }
            try await trial.expectMatches([0, 1]) { $0.int.in([nil, 1]) }
            try await trial.expectMatches([0]) { $0.int.in([nil]) }
        },
        query("null.notIn", "A null that is not in a list of values matches the negation.") {
            trial in
            try await trial.store([nil, 1, 2]) { $0.int = $1 }
            try await trial.expectMatches([0, 2]) { !$0.int.in([1, 3]) }
            try await trial.expectMatches([2]) { !$0.int.in([nil, 1]) }
        },
        query("null.text", "No text search matches null, and its negation does.") { trial in
            try await trial.store([nil, "", "abc"]) { $0.string = $1 }
            try await trial.expectMatches([1, 2]) { $0.string.contains("") }
            try await trial.expectMatches([0]) { !$0.string.contains("") }
            try await trial.expectMatches([0, 1]) { !$0.string.hasPrefix("a") }
            try await trial.expectMatches([0, 1]) { !$0.string.equalsIgnoringCase("ABC") }
        },
        query("logic.and", "A conjunction matches if both conditions do.") { trial in
            try await trial.store([1, 2, 3, 4]) { record, value in
                record.int = value
                record.bool = value % 2 == 0
            }
            try await trial.expectMatches([3]) { $0.int > 2 && $0.bool == true }
            try await trial.expectMatches([]) { $0.int > 4 && $0.bool == true }
            try await trial.expectMatches([1]) { $0.int >= 2 && $0.int <= 3 && $0.bool != false }
        },
        query("logic.or", "A disjunction matches if one condition does, and each record once.") {
            trial in
            try await trial.store([1, 2, 3, 4]) { $0.int = $1 }
            try await trial.expectMatches([0, 3]) { $0.int == 4 || $0.int == 1 }
            try await trial.expectMatches([0, 1, 2]) { $0.int <= 2 || $0.int < 4 }
            try await trial.expectMatches([1]) { $0.id == "01" || $0.id == "01" || $0.int == 2 }
        },
        query("logic.brackets", "Parentheses determine the precedence.") { trial in
            try await trial.store([1, 2, 3, 4]) { record, value in
                record.int = value
                record.bool = value > 2
            }
            try await trial.expectMatches([2]) { ($0.int == 1 || $0.int == 3) && $0.bool == true }
            try await trial.expectMatches([0, 2]) {
                $0.int == 1 || ($0.int == 3 && $0.bool == true)
            }
            try await trial.expectMatches([0, 1, 3]) { !($0.int == 3 && $0.bool == true) }
        },
        query("logic.never", "A contradiction matches no record.") { trial in
            try await trial.store([nil, 1, 2]) { $0.int = $1 }
            try await trial.expectMatches([]) { $0.int == 1 && $0.int == 2 }
            try await trial.expectMatches([]) { $0.int > 2 && $0.int < 1 }
            try await trial.expectMatches([]) { $0.int == nil && $0.int != nil }
            try await trial.expectMatches([]) { $0.id == "01" && $0.id == "02" }
        },
        query("logic.always", "A tautology matches every record.") { trial in
            try await trial.store([nil, 1]) { $0.int = $1 }
            try await trial.expectMatches([0, 1]) { $0.int == 1 || $0.int != 1 }
            try await trial.expectMatches([0, 1]) { $0.int == nil || $0.int != nil }
            try await trial.expectMatches([0, 1]) { _ in Condition(.constant(true)) }
            try await trial.expectMatches([]) { _ in Condition(.constant(false)) }
            try await trial.expectMatches([0, 1]) { _ in Condition(.all([])) }
            try await trial.expectMatches([]) { _ in Condition(.any([])) }
        },
        query("logic.many", "A condition may have a hundred parts.") { trial in
            try await trial.store(Array(0..<12)) { $0.int = $1 }
            let odd = Array(stride(from: 1, to: 12, by: 2))
            try await trial.expectMatches(odd) { fields in
                (0..<100).filter { $0 % 2 == 1 }.map { fields.int == $0 }
                    .reduce(Condition(.constant(false))) { $0 || $1 }
            }
            try await trial.expectMatches([11]) { fields in
                (0..<100).filter { $0 != 11 }.map { fields.int != $0 }
                    .reduce(Condition(.constant(true))) { $0 && $1 }
            }
        },
        query("logic.deep", "A condition may be nested sixty levels deep.") { trial in
            try await trial.store([0, 1]) { $0.int = $1 }
            try await trial.expectMatches([1]) { fields in
                (0..<60).reduce(fields.int == 1) { condition, level in
                    level % 2 == 0
                        ? !(condition || fields.int == 7) : !(condition && fields.int != 7)
                }
            }
        },
        query("logic.joined", "Several conditions of one query have to match.") { trial in
            try await trial.store([1, 2, 3]) { $0.int = $1 }
            let query = Query<Sparse>.where { $0.int > 1 }.where { $0.int < 3 }
            try await expect(trial.sparses.ids(query), is: ["01"])
        },
    ]
}
