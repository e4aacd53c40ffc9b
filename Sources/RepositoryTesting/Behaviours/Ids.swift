internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Ids of all types.
    static let ids: [StoreBehaviour] = [
        StoreBehaviour("ids.integers", "Integers of any sign and size can be ids.") { trial in
            let numbers = [0, -1, 1, 10, -10, Int.max, Int.min]
            for number in numbers {
                try await trial.counters.create(Counter(number: .init(number), label: "\(number)"))
            }
            for number in numbers {
                try await expect(trial.counters.read(.init(number)).label, is: "\(number)")
            }
        },
        StoreBehaviour("ids.missingInteger", "An error contains the string form of the id.") {
            trial in
            try await expectError(.recordNotFound, id: "-42") {
                try await trial.counters.read(-42)
            }
        },
        StoreBehaviour(
            "ids.generated", "A generated id comes from the set's source of ids.",
            needs: [.records, .versions]
        ) { trial in
            let one = try await trial.tickets.create(Ticket(title: "one"))
            let two = try await trial.tickets.create(Ticket(title: "two"))
            try expect(one.id != two.id, "Two generated ids are equal.")
            try expect(one.id.description, is: "C0DE0000-0000-7000-8000-000000000001")
            try await expect(trial.tickets.read(two.id).title, is: "two")
        },
        StoreBehaviour(
            "ids.uuid", "A UUID is the same id in upper and lower case.",
            needs: [.records, .versions]
        ) { trial in
            let text = "0f8fad5b-d9cb-469f-a165-70867728950e"
            guard let uuid = UUID(uuidString: text), let same = UUID(uuidString: text.uppercased())
            else { throw ExpectationFailure(message: "No UUID.", fileID: #fileID, line: #line) }
            try await trial.tickets.create(Ticket(id: .init(uuid), title: "one"))
            try await expect(trial.tickets.read(.init(same)).title, is: "one")
        },
        StoreBehaviour("ids.enums", "Enums with integer and string raw values can be ids.") {
            trial in
            for level in Level.allCases {
                try await trial.grades.create(Grade(level: .init(level), label: "\(level)"))
            }
            try await trial.grades.delete(.init(.low))
            try await expect(trial.grades.read(.init(.high)).label, is: "high")
            try await expect(trial.grades.exists(.init(.low)), is: false)
            try await expectError(.recordNotFound, id: "4") {
                try await trial.grades.read(.init(.low))
            }
        },
        StoreBehaviour(
            "ids.enumTexts", "An enum with string raw values is identified by the raw value."
        ) { trial in
            for quarter in Quarter.allCases {
                try await trial.seasons.create(Season(quarter: .init(quarter), label: "\(quarter)"))
            }
            for quarter in Quarter.allCases {
                try await expect(trial.seasons.read(.init(quarter)).label, is: "\(quarter)")
            }
            try await trial.seasons.delete(.init(.autumn))
            try await expectError(.recordNotFound, id: "autumn/fall") {
                try await trial.seasons.read(.init(.autumn))
            }
        },
        StoreBehaviour("ids.days", "A day can be an id.") { trial in
            for day in Samples.days {
                try await trial.holidays.create(Holiday(day: .init(day), name: "\(day)"))
            }
            for day in Samples.days {
                try await expect(trial.holidays.read(.init(day)).name, is: "\(day)")
            }
            try await trial.holidays.delete(.init(Samples.days[3]))
            try await expectError(.recordNotFound, id: "1582-10-10") {
                try await trial.holidays.read(.init(Samples.days[3]))
            }
        },
        StoreBehaviour(
            "ids.dayOrder", "Records under days are listed in the order of the days.",
            needs: [.queries]
        ) { trial in
            for day in Samples.days.reversed() {
                try await trial.holidays.create(Holiday(day: .init(day), name: "\(day)"))
            }
            let found = try await trial.holidays.fetch()
            try expect(found.map(\.day.rawValue), is: Samples.days)
            let later = try await trial.holidays.fetch(
                .where { $0.day > .init(Samples.days[7]) }.sorted(by: \.day, .descending))
            try expect(later.map(\.day.rawValue), is: Samples.days[8...].reversed())
        },
        StoreBehaviour(
            "ids.dayIndexes", "An index on days is ordered like the days, with null first.",
            needs: [.queries]
        ) { trial in
            let days = Array(Samples.days[4...])
            for (number, day) in Samples.days.enumerated() {
                try await trial.holidays.create(
                    Holiday(
                        day: .init(day), name: "\(number)",
                        observedOn: days.indices.contains(number) ? days[number] : nil))
            }
            try await expect(
                trial.holidays.fetch(.sorted(by: \.observedOn)).map(\.observedOn),
                is: [nil, nil, nil, nil] + days)
            let between = try await trial.holidays.fetch(
                .where { $0.observedOn >= days[2] && $0.observedOn < days[5] }
                    .sorted(by: \.observedOn, .descending))
            try expect(between.map(\.observedOn), is: [days[4], days[3], days[2]])
            let some = try await trial.holidays.fetch(
                .where { $0.observedOn.in([days[0], days[6], .min]) })
            try expect(some.map(\.name), is: ["0", "6"])
        },
        StoreBehaviour("ids.dayBounds", "A day before the minimum of its field is rejected.") {
            trial in
            try await expectError(.invalidItem, field: "observedOn") {
                try await trial.holidays.create(
                    Holiday(
                        day: .init(Samples.days[9]), name: "too early",
                        observedOn: LocalDate("1899-12-31")))
            }
            try await trial.holidays.create(
                Holiday(
                    day: .init(Samples.days[9]), name: "the first",
                    observedOn: LocalDate("1900-01-01")))
        },
        StoreBehaviour(
            "ids.composite", "Records with composite ids can be read, updated and deleted.",
            needs: [.records, .references]
        ) { trial in
            try await trial.halls.create(Hall(id: "north"))
            let seats = [(1, "a"), (1, "b"), (11, "a")].map {
                Seat(hallID: "north", row: $0.0, letter: $0.1, price: 1)
            }
            for seat in seats { try await trial.seats.create(seat) }
            try await trial.seats.update(Seat(hallID: "north", row: 1, letter: "b", price: 2.5))
            try await trial.seats.delete(seats[2].id)
            try await expect(trial.seats.read(seats[0].id), is: seats[0])
            try await expect(trial.seats.read(seats[1].id).price, is: 2.5)
            try await expectError(.recordNotFound, id: "north,11,a") {
                try await trial.seats.read(seats[2].id)
            }
        },
        StoreBehaviour(
            "ids.separators", "Composite ids whose components contain separators are distinct.",
            needs: [.records, .references]
        ) { trial in
            let pairs = [("a,1,b", "c"), ("a", "1,b,c"), ("a%2C1", "c"), ("a%", "%"), ("", "")]
                .filter { !$0.0.isEmpty }
            for (index, pair) in pairs.enumerated() {
                try await trial.halls.save(Hall(id: .init(pair.0)))
                try await trial.seats.create(
                    Seat(hallID: .init(pair.0), row: 1, letter: pair.1, price: Decimal(index)))
            }
            for (index, pair) in pairs.enumerated() {
                let id = Seat.ID(hallID: .init(pair.0), row: 1, letter: pair.1)
                try await expect(trial.seats.read(id).price, is: Decimal(index))
            }
        },
        StoreBehaviour("ids.case", "Ids that differ in case are distinct.") { trial in
            try await trial.notes.create(Note(id: "Key", text: "upper"))
            try await trial.notes.create(Note(id: "key", text: "lower"))
            try await expect(trial.notes.read("Key").text, is: "upper")
            try await expect(trial.notes.read("key").text, is: "lower")
            try await expect(trial.notes.exists("KEY"), is: false)
        },
        StoreBehaviour("ids.unicodeForms", "Ids that differ in Unicode form are distinct.") {
            trial in
            let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
            try await trial.notes.create(Note(id: .init(composed), text: "composed"))
            try await expect(trial.notes.exists(.init(decomposed)), is: false)
            try await trial.notes.create(Note(id: .init(decomposed), text: "decomposed"))
            try await expect(trial.notes.read(.init(composed)).text, is: "composed")
            try await expect(trial.notes.read(.init(decomposed)).text, is: "decomposed")
            try await expect(
                trial.notes.read(.init(decomposed)).id.rawValue, is: decomposed)
        },
        StoreBehaviour("ids.whitespace", "Whitespace is a significant part of an id.") { trial in
            for id in ["a", " a", "a ", " ", "a b"] {
                try await trial.notes.create(Note(id: .init(id), text: "<\(id)>"))
            }
            for id in ["a", " a", "a ", " ", "a b"] {
                try await expect(trial.notes.read(.init(id)).text, is: "<\(id)>")
            }
        },
        StoreBehaviour("ids.long", "An id may be 4 KiB long, and all of its bytes are significant.")
        { trial in
            let stem = String(repeating: "k", count: 4095)
            try await trial.notes.create(Note(id: .init(stem + "1"), text: "one"))
            try await trial.notes.create(Note(id: .init(stem + "2"), text: "two"))
            try await expect(trial.notes.read(.init(stem + "1")).text, is: "one")
            try await expect(trial.notes.read(.init(stem + "2")).text, is: "two")
        },
        StoreBehaviour("ids.empty", "Every operation throws for an empty id.") { trial in
            try await expectRefused("", trial.notes)
        },
        StoreBehaviour("ids.null", "Every operation throws for an id with U+0000.") {
            trial in
            try await expectRefused("a\u{0}b", trial.notes)
        },
    ]
}

/// Throws unless every operation on single records rejects the id.
private func expectRefused(_ text: String, _ notes: NoteRepository) async throws {
    let id = Note.ID(text)
    let note = Note(id: id, text: "nothing")
    try await expectError(.invalidIdentifier, saying: "`create` accepts the id.") {
        try await notes.create(note)
    }
    try await expectError(.invalidIdentifier, saying: "`read` accepts the id.") {
        try await notes.read(id)
    }
    try await expectError(.invalidIdentifier, saying: "`update` accepts the id.") {
        try await notes.update(note)
    }
    try await expectError(.invalidIdentifier, saying: "`save` accepts the id.") {
        try await notes.save(note)
    }
    try await expectError(.invalidIdentifier, saying: "`delete` accepts the id.") {
        try await notes.delete(id)
    }
    try await expectError(.invalidIdentifier, saying: "`exists` accepts the id.") {
        try await notes.exists(id)
    }
}
