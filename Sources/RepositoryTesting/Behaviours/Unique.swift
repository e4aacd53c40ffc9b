internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Unique indexes.
    static let unique: [StoreBehaviour] = [
        StoreBehaviour(
            "unique.afterRefusal",
            "A value stored by another store instance is detected after a failure.",
            needs: [.records, .uniqueIndexes, .multipleProcesses]
        ) { trial in
            let other = try await trial.reopened()
            for round in 0..<5 {
                try await trial.members.create(Member(id: .init("a\(round)"), email: "a\(round)"))
                try await expectError(.constraintViolated) {
                    try await trial.members.create(Member(id: "x", email: "a\(round)"))
                }
                try await other.members.create(Member(id: .init("b\(round)"), email: "b\(round)"))
                try await expectError(.constraintViolated) {
                    try await trial.members.create(Member(id: "x", email: "b\(round)"))
                }
            }
        },
        unique("unique.create", "A create with a value in use throws `constraintViolated`.") {
            trial in
            try await trial.members.create(Member(id: "a", email: "x"))
            try await expectError(.constraintViolated, table: "members", field: "email") {
                try await trial.members.create(Member(id: "b", email: "x"))
            }
            try await expect(trial.members.exists("b"), is: false)
        },
        unique("unique.update", "An update to a value in use changes nothing.") { trial in
            try await trial.members.create(Member(id: "a", email: "x"))
            let other = Member(id: "b", email: "y", badge: 1)
            try await trial.members.create(other)
            try await expectError(.constraintViolated, field: "email") {
                try await trial.members.update(Member(id: "b", email: "x", badge: 2))
            }
            try await expect(trial.members.read("b"), is: other)
        },
        unique("unique.save", "A save with a value in use changes nothing.") { trial in
            try await trial.members.create(Member(id: "a", email: "x", badge: 1))
            try await expectError(.constraintViolated, field: "badge") {
                try await trial.members.save(Member(id: "b", email: "y", badge: 1))
            }
            try await expect(trial.members.exists("b"), is: false)
        },
        unique("unique.itself", "A record does not conflict with itself.") { trial in
            try await trial.members.create(Member(id: "a", email: "x", badge: 1))
            try await trial.members.update(Member(id: "a", email: "x", badge: 2))
            try await trial.members.save(Member(id: "a", email: "x", badge: 2, team: "t"))
            try await expect(trial.members.read("a").team ?? "nil", is: "t")
        },
        unique("unique.nulls", "Nulls are not equal in a unique index.") { trial in
            for id in ["a", "b", "c"] {
                try await trial.members.create(Member(id: .init(id), email: id))
            }
            try await trial.members.update(Member(id: "a", email: "a", badge: nil, team: nil))
            try await expect(trial.members.exists("c"), is: true)
        },
        unique(
            "unique.composite",
            "An index over two fields requires only their combination to be unique."
        ) {
            trial in
            try await trial.members.create(Member(id: "a", email: "a", team: "t", place: 1))
            try await trial.members.create(Member(id: "b", email: "b", team: "t", place: 2))
            try await trial.members.create(Member(id: "c", email: "c", team: "u", place: 1))
            try await expectError(.constraintViolated, table: "members") {
                try await trial.members.create(Member(id: "d", email: "d", team: "t", place: 1))
            }
            try await expectError(.constraintViolated) {
                try await trial.members.update(Member(id: "b", email: "b", team: "t", place: 1))
            }
        },
        unique(
            "unique.compositeNulls",
            "In an index over two fields, a null in one of them avoids a conflict."
        ) {
            trial in
            for (id, team, place) in [
                ("a", "t", nil), ("b", "t", nil), ("c", nil, 1), ("d", nil, 1),
            ]
                as [(String, String?, Int?)]
            {
                try await trial.members.create(
                    Member(id: .init(id), email: id, team: team, place: place))
            }
            try await expect(trial.members.exists("d"), is: true)
        },
        unique("unique.freedByDelete", "A value of a deleted record can be used again.") { trial in
            try await trial.members.create(Member(id: "a", email: "x"))
            try await trial.members.delete("a")
            try await trial.members.create(Member(id: "b", email: "x"))
            try await expect(trial.members.find(email: "x")?.id, is: "b")
        },
        unique("unique.freedByUpdate", "A value that an update replaced can be used again.") {
            trial in
            try await trial.members.create(Member(id: "a", email: "x"))
            try await trial.members.update(Member(id: "a", email: "y"))
            try await trial.members.create(Member(id: "b", email: "x"))
            try await expectError(.constraintViolated) {
                try await trial.members.create(Member(id: "c", email: "y"))
            }
        },
        unique("unique.freedByFailure", "A value of a write that failed can be used.") { trial in
            try await trial.members.create(Member(id: "a", email: "x"))
            try await expectError(.constraintViolated) {
                try await trial.members.create(Member(id: "b", email: "x", badge: 7))
            }
            try await trial.members.create(Member(id: "c", email: "y", badge: 7))
            try await expect(trial.members.find(badge: 7)?.id, is: "c")
        },
        unique("unique.bytes", "Values that differ in case or Unicode form do not conflict.") {
            trial in
            for (id, email) in [("a", "caf\u{E9}"), ("b", "cafe\u{301}"), ("c", "CAF\u{E9}")] {
                try await trial.members.create(Member(id: .init(id), email: email))
            }
            try await expect(trial.members.find(email: "cafe\u{301}")?.id, is: "b")
            try await expect(trial.members.find(email: "CAF\u{E9}")?.id, is: "c")
        },
        unique("unique.find", "A unique finder returns one record or nil.") { trial in
            try await trial.members.create(Member(id: "a", email: "x", badge: 1))
            let other = Member(id: "b", email: "y", badge: 2, team: "t", place: 3)
            try await trial.members.create(other)
            try await expect(trial.members.find(email: "y"), is: other)
            try await expect(trial.members.find(badge: 2), is: other)
            try await expect(trial.members.find(team: "t", place: 3), is: other)
            try await expect(trial.members.find(team: "t", place: 1), is: nil)
            try await expect(trial.members.find(email: "z"), is: nil)
        },
        unique("unique.secret", "An error about a sensitive field does not contain its value.") {
            trial in
            let secret = "very-secret@example.org"
            try await trial.members.create(Member(id: "a", email: secret))
            let error = try await expectError(.constraintViolated, field: "email") {
                try await trial.members.create(Member(id: "b", email: secret))
            }
            try expect(!"\(error)".contains("very-secret"), "The description contains the value.")
            try expect(
                !"\(String(reflecting: error))".contains("very-secret"),
                "The reflection contains the value.")
            try expect(
                !error.localizedDescription.contains("very-secret"),
                "The sentence contains the value."
            )
        },
        unique(
            "unique.persistent", "A reopened store enforces unique indexes.",
            needs: [.persistent]
        ) { trial in
            try await trial.members.create(Member(id: "a", email: "x"))
            let later = try await trial.reopened()
            try await expectError(.constraintViolated) {
                try await later.members.create(Member(id: "b", email: "x"))
            }
            try await expect(later.members.find(email: "x")?.id, is: "a")
        },
    ]

    /// A behaviour of stores with unique indexes.
    private static func unique(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [], fileID: String = #fileID,
        line: Int = #line, _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            id, sentence, needs: [.records, .finders, .uniqueIndexes] + needs, fileID: fileID,
            line: line, body)
    }
}
