internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// The changes that `updateAll` can make.
    static let updatedFields: [StoreBehaviour] = [
        update("updates.types", "`updateAll` can set fields of every type.") { trial in
            let other = try Samples.specimen()
            let specimen = Specimen(
                id: "a", url: Samples.urls[0], data: Data(),
                detail: Detail(text: "", inner: Inner()))
            try await trial.specimens.create(specimen)
            try await trial.specimens.updateAll(.all) {
                $0.string = "caf\u{E9}"
                $0.bool = true
                $0.int = .min
                $0.uint32 = .max
                $0.float = 0.5
                $0.double = other.double
                $0.decimal = other.decimal
                $0.money = other.money
                $0.date = Samples.dates[4]
                $0.uuid = other.uuid
                $0.url = other.url
                $0.data = other.data
                $0.colour = .blue
                $0.digit = .huge
                $0.hue = .other("ultraviolet")
                $0.detail = Samples.details[1]
                $0.list = [3, 1]
                $0.details = Samples.details
                $0.gaps = [nil, "x"]
                $0.map = ["one": 1]
                $0.day = other.day
            }
            var expected = other
            (expected.string, expected.int, expected.float) = ("caf\u{E9}", .min, 0.5)
            (expected.int8, expected.int16, expected.int32, expected.int64) = (0, 0, 0, 0)
            (expected.uint8, expected.uint16) = (0, 0)
            (expected.detail, expected.list) = (Samples.details[1], [3, 1])
            (expected.gaps, expected.map) = ([nil, "x"], ["one": 1])
            let stored = try await trial.specimens.read("a")
            try expect(
                try Self.fields(of: stored).dropFirst().elementsEqual(
                    Self.fields(of: expected).dropFirst()), "The fields differ: \(stored)")
        },
        update("updates.optional", "`updateAll` can set optional fields, also to null.") {
            trial in
            try await trial.sparses.create(try Samples.sparse())
            try await trial.sparses.create(Sparse(id: "empty"))
            let count = try await trial.sparses.updateAll(.all) {
                $0.string = nil
                $0.int = 7
                $0.date = nil
                $0.colour = .green
                $0.detail = nil
                $0.list = nil
            }
            try expect(count, is: 2)
            for stored in try await trial.sparses.fetch() {
                try expect(
                    stored.string == nil && stored.date == nil, "A string or a date is not null.")
                try expect(
                    stored.detail == nil && stored.list == nil,
                    "An embedded value or a list is not null.")
                try expect(stored.int, is: 7)
                try expect(stored.colour, is: .green)
            }
        },
        update("updates.arithmetic", "Numbers of every type can be incremented and decremented.") {
            trial in
            try await trial.sparses.create(
                Sparse(
                    id: "a", int: 1, int8: -1, int16: 5, int32: 6, int64: 7, uint8: 8, uint16: 9,
                    uint32: 10, float: 0.5, double: 0.25, decimal: 1, money: 2))
            try await trial.sparses.updateAll(.all) {
                $0.int -= 3
                $0.int8 += 2
                $0.int16 -= 6
                $0.int32 += 1
                $0.int64 -= 8
                $0.uint8 += 1
                $0.uint16 -= 1
                $0.uint32 += 5
                $0.float += 1.25
                $0.double -= 1.25
                $0.decimal += 0.1
                $0.money -= 0.01
            }
            try await expect(
                trial.sparses.read("a"),
                is: Sparse(
                    id: "a", int: -2, int8: 1, int16: -1, int32: 7, int64: -1, uint8: 9, uint16: 8,
                    uint32: 15, float: 1.75, double: -1, decimal: 1.1, money: 1.99))
        },
        update("updates.null", "Adding to null gives null.") { trial in
            try await trial.sparses.create(Sparse(id: "a"))
            let count = try await trial.sparses.updateAll(.all) {
                $0.int += 1
                $0.double -= 1
                $0.decimal += 1
            }
            try expect(count, is: 1)
            try await expect(trial.sparses.read("a"), is: Sparse(id: "a"))
        },
        update("updates.embedded", "A field of an embedded value is set if the value exists.") {
            trial in
            try await trial.products.create(Product(id: "with", size: Size(width: 3)))
            try await trial.products.create(Product(id: "without"))
            let count = try await trial.products.updateAll(.all) {
                $0.size.width += 2
                $0.size.unit = "cm"
            }
            try expect(count, is: 2)
            try await expect(
                trial.products.read("with"),
                is: Product(id: "with", size: Size(width: 5, unit: "cm")))
            try await expect(trial.products.read("without"), is: Product(id: "without"))
        },
        update("updates.deeplyEmbedded", "A field of a nested embedded value can be set.") {
            trial in
            try await trial.sparses.create(Sparse(id: "a", detail: Samples.details[1]))
            try await trial.sparses.updateAll(.all) {
                $0.detail.inner.flag = false
                $0.detail.inner.amount = 2
                $0.detail.count = nil
                $0.detail.tags.append("last")
            }
            var expected = Samples.details[1]
            (expected.inner.flag, expected.inner.amount, expected.count) = (false, 2, nil)
            expected.tags.append("last")
            try await expect(trial.sparses.read("a"), is: Sparse(id: "a", detail: expected))
        },
        update("updates.append", "An element can be appended to lists.") { trial in
            try await trial.products.create(Product(id: "none"))
            try await trial.products.create(Product(id: "one", codes: ["a"]))
            try await trial.products.updateAll(.all) { $0.codes.append("z") }
            try await expect(trial.products.fetch().map(\.codes), is: [["z"], ["a", "z"]])
        },
        update(
            "updates.reference", "A reference can be set and is enforced.",
            needs: [.references]
        ) {
            trial in
            try await trial.halls.create(Hall(id: "north"))
            try await trial.links.create(Link(id: "l"))
            try await trial.links.updateAll(.all) { $0.anchorID = "north" }
            try await expect(trial.links.read("l").anchorID, is: "north")
            try await expectError(.constraintViolated, field: "anchorID") {
                try await trial.links.updateAll(.all) { $0.anchorID = "nowhere" }
            }
            try await expect(trial.links.read("l").anchorID, is: "north")
        },
        update(
            "updates.versions", "`updateAll` sets the timestamp and increments the version.",
            needs: [.versions]
        ) {
            trial in
            let old = try await trial.tickets.create(Ticket(title: "old"))
            let other = try await trial.tickets.create(Ticket(title: "other"))
            try await trial.tickets.updateAll(where: { $0.title == "old" }) { $0.title = "new" }
            let new = try await trial.tickets.read(old.id)
            try expect(new.revision, is: 2)
            try expect(new.title, is: "new")
            try expect(new.openedAt, is: old.openedAt)
            try expect(
                new.touchedAt > old.touchedAt && new.resolvedAt == new.touchedAt,
                "The timestamp was not set.")
            try await expect(trial.tickets.read(other.id), is: other)
            try await expectError(.versionConflict) { try await trial.tickets.update(old) }
        },
    ]

    /// The field values of an entity.
    private static func fields<E: Entity>(of entity: E) throws -> [StoredValue] {
        try StoredValueEncoder.values(of: entity, E.Mapper.self)
    }
}
