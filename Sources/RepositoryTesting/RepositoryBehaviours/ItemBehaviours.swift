internal import Foundation
internal import RepositoryRuntime

extension RepositoryBehaviour {
    /// Items of all types.
    static let items: [RepositoryBehaviour] = [
        item("items.structs", "Structs are stored and read unchanged.", [Parcel(), Parcel.full]),
        item(
            "items.arrays", "Arrays of structs are stored and read unchanged.",
            [
                [], [Parcel()], [Parcel.full, Parcel(), Parcel.full],
            ]),
        item("items.texts", "Strings can be items.", Samples.texts),
        item(
            "items.integers", "Integers can be items, over their whole range.",
            [0, 1, -1, .min, .max]),
        item("items.doubles", "Every finite `Double` can be an item.", Samples.doubles),
        item("items.bools", "Booleans can be items.", [true, false]),
        item("items.nullWords", "A string such as \"null\" is not null.", Samples.nullWords),
        item("items.dates", "Dates can be items.", Samples.dates),
        item("items.data", "Bytes can be items.", Samples.data),
        item("items.uuids", "UUIDs can be items.", Samples.uuids),
        item("items.urls", "URLs can be items.", Samples.urls),
        item("items.decimals", "Decimals can be items.", Samples.decimals),
        item("items.enums", "Enums can be items.", [Parcel.State.packed, .sent]),
        item(
            "items.dictionaries", "Dictionaries are stored and read unchanged.",
            [
                [:], ["": 0], ["a": 1, "A": 2, "é": 3, "a.b": 4, " ": 5],
            ]),
        item(
            "items.numbered", "Dictionaries with integer keys are stored and read unchanged.",
            [
                [1: "one", -1: "minus one"], [:],
            ]),
        item(
            "items.nested", "Arrays of arrays are stored and read unchanged.",
            [
                [[1], [], [2, 3]], [], [[]],
            ]),
        item(
            "items.deep", "Dictionaries of arrays of structs are stored and read unchanged.",
            [
                ["none": [], "some": [Parcel.full, Parcel()]]
            ]),
        item(
            "items.microseconds", "Dates are stored with a precision of microseconds.",
            Samples.microseconds,
            needs: [.fractionalSeconds]),
        item(
            "items.controls", "Control characters in strings are stored.",
            (1...31).compactMap { UnicodeScalar($0) }.map { "<\($0)>" },
            needs: [.controlCharacters]),
        RepositoryBehaviour("items.entity", "A generated entity can be an item.") { trial in
            let entity = try Samples.specimen()
            try await trial.create("a", entity)
            try await expect(trial.read("a"), is: entity)
        },
        RepositoryBehaviour("items.large", "An item of one mebibyte is stored and read unchanged.")
        { trial in
            let data = Data((0..<1_048_576).map { UInt8(truncatingIfNeeded: $0 &* 131) })
            try await trial.create("a", data)
            try await expect(trial.read("a") == data, is: true)
        },
        RepositoryBehaviour("items.replaced", "An update can store an item of another type.") {
            trial in
            try await trial.create("a", Parcel.full)
            try await trial.update("a", [1, 2, 3])
            try await expect(trial.read("a"), is: [1, 2, 3])
        },
        RepositoryBehaviour(
            "items.mismatch",
            "Reading an item as a type that does not match throws `itemTypeMismatch`."
        ) { trial in
            try await trial.create("text", "a text")
            try await trial.create("parcel", Parcel.full)
            try await trial.create("list", ["one"])
            try await expectError(.itemTypeMismatch, id: "text") {
                try await trial.read("text", as: Parcel.self)
            }
            try await expectError(.itemTypeMismatch, id: "text") {
                try await trial.read("text", as: Int.self)
            }
            try await expectError(.itemTypeMismatch, id: "parcel") {
                try await trial.read("parcel", as: [Parcel].self)
            }
            try await expectError(.itemTypeMismatch, id: "parcel") {
                try await trial.read("parcel", as: Parcel.Address.self)
            }
            try await expectError(.itemTypeMismatch, id: "list") {
                try await trial.read("list", as: [Int].self)
            }
            try await expect(trial.read("parcel"), is: Parcel.full)
        },
        RepositoryBehaviour(
            "items.like", "An item can be read as another type with a matching structure.",
            needs: [.formattedItems]
        ) { trial in
            struct Part: Codable, Sendable {
                var sender: String
                var remark: String?
            }
            try await trial.create("a", Parcel.full)
            try await expect(trial.read("a", as: Part.self).sender, is: Parcel.full.sender)
        },
        RepositoryBehaviour(
            "items.unwritable",
            "An item that cannot be encoded throws `invalidItem` and changes nothing.",
            needs: [.formattedItems]
        ) { trial in
            try await expectError(.invalidItem) { try await trial.create("a", Unwritable()) }
            try await trial.expectNothing("a")
            try await trial.create("a", "kept")
            try await expectError(.invalidItem) { try await trial.update("a", Unwritable()) }
            try await expect(trial.read("a"), is: "kept")
        },
        RepositoryBehaviour(
            "items.controlsRefused", "A format without control characters throws.",
            lacks: [.controlCharacters]
        ) { trial in
            try await expectError(.unsupported) { try await trial.create("a", "bell \u{7}") }
            try await trial.expectNothing("a")
        },
        RepositoryBehaviour(
            "items.wholeSeconds", "A format with whole seconds rounds to the nearest second.",
            lacks: [.fractionalSeconds]
        ) { trial in
            try await trial.create("a", Date(timeIntervalSince1970: 1_700_000_000.75))
            try await expect(trial.read("a"), is: Date(timeIntervalSince1970: 1_700_000_001))
        },
    ]

    /// Stores each item under a separate id, reads it back, and stores all items over one another.
    private static func item<T: CRUDRepository.Item & Equatable>(
        _ id: String, _ sentence: String, _ items: [T], needs: [StoreCapability] = [],
        fileID: String = #fileID, line: Int = #line
    ) -> RepositoryBehaviour {
        RepositoryBehaviour(id, sentence, needs: needs, fileID: fileID, line: line) { trial in
            try await trial.create("one", items[0])
            for (number, item) in items.enumerated() {
                try await trial.create("item-\(number)", item)
                try await trial.update("one", item)
                for id in ["item-\(number)", "one"] {
                    let read = try await trial.read(id, as: T.self)
                    if let text = read as? String, let item = item as? String {
                        try expect(text, is: item, fileID: fileID, line: line)
                    } else {
                        try expect(read, is: item, fileID: fileID, line: line)
                    }
                }
            }
        }
    }
}
