internal import Foundation
internal import RepositoryRuntime

extension RepositoryBehaviour {
    /// Items of every shape.
    static let items: [RepositoryBehaviour] = [
        item("items.structs", "Structs come back the same.", [Parcel(), Parcel.full]),
        item(
            "items.arrays", "Arrays of structs come back the same.",
            [
                [], [Parcel()], [Parcel.full, Parcel(), Parcel.full],
            ]),
        item("items.texts", "Texts are items.", Samples.texts),
        item("items.integers", "Integers are items, to both ends.", [0, 1, -1, .min, .max]),
        item("items.doubles", "Every finite Double is an item.", Samples.doubles),
        item("items.bools", "Truth values are items.", [true, false]),
        item("items.nullWords", "A text that says null is no null.", Samples.nullWords),
        item("items.dates", "Dates are items.", Samples.dates),
        item("items.data", "Bytes are items.", Samples.data),
        item("items.uuids", "UUIDs are items.", Samples.uuids),
        item("items.urls", "URLs are items.", Samples.urls),
        item("items.decimals", "Decimals are items.", Samples.decimals),
        item("items.enums", "Enums are items.", [Parcel.State.packed, .sent]),
        item(
            "items.dictionaries", "Dictionaries come back the same.",
            [
                [:], ["": 0], ["a": 1, "A": 2, "é": 3, "a.b": 4, " ": 5],
            ]),
        item(
            "items.numbered", "Dictionaries of integers come back the same.",
            [
                [1: "one", -1: "minus one"], [:],
            ]),
        item(
            "items.nested", "Arrays of arrays come back the same.",
            [
                [[1], [], [2, 3]], [], [[]],
            ]),
        item(
            "items.deep", "Dictionaries of arrays of structs come back the same.",
            [
                ["none": [], "some": [Parcel.full, Parcel()]]
            ]),
        item(
            "items.microseconds", "Dates keep their microseconds.", Samples.microseconds,
            needs: [.fractionalSeconds]),
        item(
            "items.controls", "Texts keep control characters.",
            (1...31).compactMap { UnicodeScalar($0) }.map { "<\($0)>" },
            needs: [.controlCharacters]),
        RepositoryBehaviour("items.entity", "A generated entity is an item.") { trial in
            let entity = try Samples.specimen()
            try await trial.create("a", entity)
            try await expect(trial.read("a"), is: entity)
        },
        RepositoryBehaviour("items.large", "An item of a mebibyte comes back the same.") { trial in
            let data = Data((0..<1_048_576).map { UInt8(truncatingIfNeeded: $0 &* 131) })
            try await trial.create("a", data)
            try await expect(trial.read("a") == data, is: true)
        },
        RepositoryBehaviour("items.replaced", "An update may store an item of another type.") {
            trial in
            try await trial.create("a", Parcel.full)
            try await trial.update("a", [1, 2, 3])
            try await expect(trial.read("a"), is: [1, 2, 3])
        },
        RepositoryBehaviour(
            "items.mismatch", "A read as a type that does not fit throws itemTypeMismatch."
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
            "items.like", "A type of like shape reads what another stored.",
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
            "An item that cannot be written throws invalidItem; nothing changes.",
            needs: [.formattedItems]
        ) { trial in
            try await expectError(.invalidItem) { try await trial.create("a", Unwritable()) }
            try await trial.expectNothing("a")
            try await trial.create("a", "kept")
            try await expectError(.invalidItem) { try await trial.update("a", Unwritable()) }
            try await expect(trial.read("a"), is: "kept")
        },
        RepositoryBehaviour(
            "items.controlsRefused", "A format without control characters refuses them.",
            lacks: [.controlCharacters]
        ) { trial in
            try await expectError(.unsupported) { try await trial.create("a", "bell \u{7}") }
            try await trial.expectNothing("a")
        },
        RepositoryBehaviour(
            "items.wholeSeconds", "A format of whole seconds rounds to the nearest.",
            lacks: [.fractionalSeconds]
        ) { trial in
            try await trial.create("a", Date(timeIntervalSince1970: 1_700_000_000.75))
            try await expect(trial.read("a"), is: Date(timeIntervalSince1970: 1_700_000_001))
        },
    ]

    /// Items, each stored under an id of its own, read back, and stored over one another.
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
