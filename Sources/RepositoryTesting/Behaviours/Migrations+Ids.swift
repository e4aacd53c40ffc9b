internal import Foundation
internal import RepositoryRuntime
internal import StoredSchema

extension StoreBehaviour {
    /// Ids that change by functions, and the references to them.
    package static let migratedIDs: [StoreBehaviour] = [
        migration(
            "migrations.idByFunction",
            "References of every kind follow ids that a function changes, which is called once for each record."
        ) { trial in
            let returned = ReturnedIDs()
            try await Museum.write(to: trial)
            let second = try Museum.second(
                returned.function("id"), works: returned.function("code"))
            let rows = try await second.rows("artists", in: trial.reopened().store)
            func id(_ number: Int64) -> StoredValue { returned[.integer(number)] }
            try expect(
                returned.counts,
                is: [
                    .integer(1): 1, .integer(2): 1, .integer(3): 1, .text("x"): 1, .text("y"): 1,
                ])
            try expect(
                Set(rows),
                is: [
                    [id(1), .text("A"), .null, .null],
                    [id(2), .text("B"), id(1), returned[.text("x")]],
                    [id(3), .text("C"), id(3), returned[.text("y")]],
                ])
            let works = try await second.rows("works", in: trial.reopened().store)
            try expect(
                Set(works),
                is: [
                    [
                        returned[.text("x")], id(2), .list([id(1), id(3), id(1)]),
                        .object(["a": id(2)]),
                        .object(["by": id(3), "year": .integer(1)]),
                        .object(["wax": .object(["by": id(1)])]),
                    ],
                    [
                        returned[.text("y")], id(3), .list([]), .object([:]),
                        .object(["year": .integer(2)]),
                        .object(["ink": .object(["color": .text("red")])]),
                    ],
                ])
            try await expect(
                Set(second.rows("parts", in: trial.reopened().store)),
                is: [[id(1), .integer(1), .text("p")], [id(1), .integer(2), .text("q")]])
            try await expect(
                Set(second.rows("labels", in: trial.reopened().store)),
                is: [
                    [.text("l"), .object(["artist": id(1), "number": .integer(2)])],
                    [.text("m"), .null],
                    [.text("n"), .object(["artist": id(1), "number": .integer(1)])],
                ])
            try expect(
                returned.counts.values.allSatisfy { $0 == 1 }, "No function is called again.")
        },
        migration(
            "migrations.idCases",
            "References of every kind follow ids that are enums with replaced cases; two records that get one id fail."
        ) { trial in
            try await Museum.write(to: trial)
            let before = try await Museum.first().rows("works", in: trial.reopened().store)
            let error = try await expectError(.schemaMismatch) {
                try await Museum.replacing(["2": "3"]).rows("artists", in: trial.reopened().store)
            }
            try expect(error.message.contains("get the same id"), "It names the rule: \(error)")
            // A store names the old id or the one that both get.
            try expect(
                error.message.contains("'2'") || error.message.contains("'3'"),
                "It names one of them: \(error)")
            try await expect(
                Museum.first().rows("works", in: trial.reopened().store), is: before)
            let second = try Museum.replacing(["1": "2", "2": "1", "3": "30"])
            try await expect(
                Set(second.rows("artists", in: trial.reopened().store)),
                is: [
                    [.integer(2), .text("A"), .null, .null],
                    [.integer(1), .text("B"), .integer(2), .text("x")],
                    [.integer(30), .text("C"), .integer(30), .text("y")],
                ])
            try await expect(
                Set(second.rows("works", in: trial.reopened().store)),
                is: [
                    [
                        .text("x"), .integer(1),
                        .list([.integer(2), .integer(30), .integer(2)]),
                        .object(["a": .integer(1)]),
                        .object(["by": .integer(30), "year": .integer(1)]),
                        .object(["wax": .object(["by": .integer(2)])]),
                    ],
                    [
                        .text("y"), .integer(30), .list([]), .object([:]),
                        .object(["year": .integer(2)]),
                        .object(["ink": .object(["color": .text("red")])]),
                    ],
                ])
            try await expect(
                Set(second.rows("parts", in: trial.reopened().store)),
                is: [
                    [.integer(2), .integer(1), .text("p")],
                    [.integer(2), .integer(2), .text("q")],
                ])
            try await expect(
                Set(second.rows("labels", in: trial.reopened().store)),
                is: [
                    [.text("l"), .object(["artist": .integer(2), "number": .integer(2)])],
                    [.text("m"), .null],
                    [.text("n"), .object(["artist": .integer(2), "number": .integer(1)])],
                ])
        },
        migration(
            "migrations.idTwice",
            "Two records with the same new id fail, both are named, and nothing changes."
        ) { trial in
            try await Museum.write(to: trial)
            let same = StoredValue.uuid(UUID())
            let second = try Museum.second { old, new in
                new["id"] = old["id"] == .integer(2) ? .uuid(UUID()) : same
                return true
            }
            let error = try await expectError(.schemaMismatch) {
                try await second.rows("artists", in: trial.reopened().store)
            }
            try expect(error.message.contains("'1' and '3'"), "It names both: \(error)")
            try expect(error.message.contains("1 pair"), "It counts them: \(error)")
            try await expect(
                Museum.first().rows("artists", in: trial.reopened().store).count, is: 3)
        },
        migration(
            "migrations.idFailing",
            "After a failing function of an id the data is as it was, and its program continues."
        ) { trial in
            struct Problem: Error {}
            try await Museum.write(to: trial)
            let before = try await Museum.first().rows("works", in: trial.reopened().store)
            let second = try Museum.second { old, new in
                if old["id"] == .integer(3) { throw Problem() }
                new["id"] = .uuid(UUID())
                return true
            }
            let error = try await expectError(.schemaMismatch) {
                try await second.rows("artists", in: trial.reopened().store)
            }
            try expect(error.message.contains("'3'"), "It names the record: \(error)")
            try await expect(
                Museum.first().rows("works", in: trial.reopened().store), is: before)
            let returned = ReturnedIDs()
            let third = try Museum.second(returned.function("id"))
            try await expect(
                third.rows("artists", in: trial.reopened().store).count, is: 3)
        },
        migration(
            "migrations.idOfNothing",
            "A reference to nothing becomes null, or fails with the records if it is required."
        ) { trial in
            let first = try Museum.first()
            try await Museum.write(to: trial)
            let artist: [StoredValue] = [.integer(4), .text("D"), .null, .text("gone")]
            try await first.write(["artists": [artist]], to: trial.reopened().store)
            let returned = ReturnedIDs()
            let second = try Museum.second(returned.function("id"))
            try await trial.fresh { other in
                try await Museum.write(to: other)
                let list = StoredValue.list([.integer(1), .integer(77)])
                let works = (0..<25).map { number -> [StoredValue] in
                    [
                        .text("w\(100 + number)"), .integer(1), list, .object([:]),
                        .object(["by": .integer(78), "year": .integer(2)]),
                        .object(["ink": .object(["color": .text("red")])]),
                    ]
                }
                try await first.write(["works": works], to: other.reopened().store)
                let error = try await expectError(.schemaMismatch) {
                    try await second.rows("works", in: other.reopened().store)
                }
                try expect(error.message.contains("'others'"), "It names the field: \(error)")
                try expect(error.message.contains("25 records"), "It counts them: \(error)")
                try expect(error.message.contains("'w100'"), "It names some: \(error)")
                try expect(!error.message.contains("'w124'"), "It names twenty: \(error)")
                try expect(!error.message.contains("77"), "It names no value: \(error)")
                try await expect(first.rows("works", in: other.reopened().store).count, is: 27)
            }
            let rows = try await second.rows("artists", in: trial.reopened().store)
            try expect(rows.contains([returned[.integer(4)], .text("D"), .null, .null]), "\(rows)")
        },
        migration(
            "migrations.idComponents",
            "References follow an id that gets another component, and become null if its record is dropped."
        ) { trial in
            try await Museum.write(to: trial)
            let calls = CallCounter()
            let second = try Museum.withShelves { old, new in
                let name = try old.value("name", as: String.self)
                calls.add(name)
                new["shelf"] = .text("s-\(name)")
                return name != "q"
            }
            try await expect(
                second.rows("parts", in: trial.reopened().store),
                is: [[.integer(1), .text("s-p"), .integer(1), .text("p")]])
            try await expect(
                Set(second.rows("labels", in: trial.reopened().store)),
                is: [
                    [.text("l"), .null], [.text("m"), .null],
                    [
                        .text("n"),
                        .object([
                            "artist": .integer(1), "shelf": .text("s-p"), "number": .integer(1),
                        ]),
                    ],
                ])
            try expect(calls.all, is: ["p": 1, "q": 1])
        },
        migration(
            "migrations.idTwoVersions",
            "Ids change in two versions, after other functions, and of a table that is removed then."
        ) { trial in
            try await Museum.write(to: trial)
            let (names, second, third) = (CallCounter(), ReturnedIDs(), ReturnedIDs())
            let program = try Museum.twoVersions(
                [
                    "artistIdTo2": second.function("id"), "artistIdTo3": third.function("id"),
                    "workCodeTo2": second.function("code"),
                    "artistNameTo2": { old, new in
                        let name = try old.value("name", as: String.self)
                        names.add(name)
                        new.set(name + "!", "name")
                        return true
                    },
                ])
            let rows = try await program.rows("artists", in: trial.reopened().store)
            func id(_ number: Int64) -> StoredValue { third[second[.integer(number)]] }
            try expect(
                Set(rows),
                is: [
                    [id(1), .text("A!"), .null, .null],
                    [id(2), .text("B!"), id(1), second[.text("x")]],
                    [id(3), .text("C!"), id(3), second[.text("y")]],
                ])
            try expect(names.all, is: ["A": 1, "B": 1, "C": 1])
            try expect(second.counts.values.allSatisfy { $0 == 1 }, "Once: \(second.counts)")
            try expect(third.counts.values.allSatisfy { $0 == 1 }, "Once: \(third.counts)")
            try expect(third.counts.count, is: 3)
            try await expect(
                Set(program.rows("parts", in: trial.reopened().store)),
                is: [[id(1), .integer(1), .text("p")], [id(1), .integer(2), .text("q")]])
        },
    ]
}
