internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Patches, and changes by a closure.
    static let patches: [StoreBehaviour] = [
        patch("patches.named", "A patch changes the fields that it names, and no others.") {
            trial in
            let product = Product(
                id: "p1", name: "one", stock: 3, weight: 2, codes: ["a", "b"], sku: "AB-1",
                size: Size(width: 1, unit: "cm"))
            try await trial.products.create(product)
            let body = #"{"stock": 4, "weight": null, "codes": ["c"], "size": {"width": 2}}"#
            var expected = product
            expected.stock = 4
            expected.weight = nil
            expected.codes = ["c"]
            expected.size = Size(width: 2)
            try await expect(
                trial.products.update("p1", decoded(RecordPatch<Product>.self, body)), is: expected)
            try await expect(trial.products.read("p1"), is: expected)
            var patch = RecordPatch<Product>()
            patch.name = "two"
            patch.size = nil
            expected.name = "two"
            expected.size = nil
            try await expect(trial.products.update("p1", patch), is: expected)
            try await expect(trial.products.read("p1"), is: expected)
        },
        patch(
            "patches.types", "A patch sets fields of every type as an update does."
        ) { trial in
            let detail = Detail(
                text: "t", count: 1, inner: Inner(flag: true, amount: 2.5, moment: moment),
                tags: ["x"])
            let full = Sparse(
                id: "a", string: "s", bool: true, int: .max, int8: -128, int16: 3, int32: 4,
                int64: .min, uint8: 255, uint16: 6, uint32: 7, float: 1.5, double: -2.25,
                decimal: 12.75, money: 3.25, date: moment, uuid: UUID(),
                url: URL(string: "https://example.org/a?b=c"), data: Data([0, 255]), colour: .blue,
                digit: .huge, hue: .other("x"), detail: detail, list: [1, 2], details: [detail],
                map: ["k": 1.5], nested: ["n": [detail]], day: .min, days: [.min, .max])
            let patch = try RecordPatch(of: full)
            try expect(patch.fieldNames.count, is: Sparse.Mapper.layout.fields.count - 1)
            try await trial.sparses.create(Sparse(id: "a"))
            try await expect(trial.sparses.update("a", patch), is: full)
            try await expect(trial.sparses.read("a"), is: full)
            let again = try JSONDecoder().decode(
                RecordPatch<Sparse>.self, from: JSONEncoder().encode(patch))
            try expect(again, is: patch)
        },
        patch(
            "patches.stamps", "A patch stamps the entity, also if it names no field."
        ) { trial in
            let ticket = try await trial.tickets.create(Ticket(title: "a"))
            let changed = try await trial.tickets.update(ticket.id, RecordPatch())
            try expect(changed.touchedAt > ticket.touchedAt, "The timestamp is not new.")
            try expect(changed.revision, is: 2)
            try await expect(trial.tickets.read(ticket.id), is: changed)
        },
        patch(
            "patches.version", "A version in a patch is the version that must be stored."
        ) { trial in
            let ticket = try await trial.tickets.create(Ticket(title: "a"))
            let body = #"{"title": "b", "revision": 1}"#
            let patch = try decoded(RecordPatch<Ticket>.self, body)
            try expect(patch.expectedVersion, is: 1)
            try await expect(trial.tickets.update(ticket.id, patch).revision, is: 2)
            let error = try await expectError(
                .versionConflict, id: ticket.id.description, table: "tickets"
            ) { try await trial.tickets.update(ticket.id, patch) }
            try expect(error.expectedVersion, is: 1)
            try expect(error.storedVersion, is: 2)
            var any = RecordPatch<Ticket>()
            any.title = "c"
            try await expect(trial.tickets.update(ticket.id, any).revision, is: 3)
        },
        patch("patches.refused", "A patch throws the errors of an update, and changes nothing.") {
            trial in
            try await trial.products.create(Product(id: "p1"))
            try await trial.products.create(Product(id: "p2"))
            var patch = RecordPatch<Product>()
            patch.name = ""
            patch.stock = -1
            let broken = patch
            let error = try await expectError(
                .invalidItem, id: "p1", table: "products", field: "name"
            ) { try await trial.products.update("p1", broken) }
            try expect(error.violations.map(\.rule.rawValue), is: ["minLength", "minimum"])
            try expect(error.violations.map(\.index), is: [0, 0])
            try await expectError(.recordNotFound, id: "p3", table: "products") {
                try await trial.products.update("p3", RecordPatch())
            }
            var other = RecordPatch<Product>()
            other.id = "p2"
            let forbidden = other
            let refusal = try await expectError(.invalidItem, id: "p1", field: "id") {
                try await trial.products.update("p1", forbidden)
            }
            try expect(refusal.violations.map(\.rule), is: [.forbidden])
            try await expect(trial.products.fetch(), is: [Product(id: "p1"), Product(id: "p2")])
        },
        patch(
            "patches.constraints", "A patch is subject to unique indexes and references.",
            needs: [.uniqueIndexes, .references]
        ) { trial in
            try await trial.members.create(Member(id: "a", email: "x"))
            try await trial.members.create(Member(id: "b", email: "y"))
            var taken = RecordPatch<Member>()
            taken.email = "x"
            let patch = taken
            try await expectError(.constraintViolated, table: "members", field: "email") {
                try await trial.members.update("b", patch)
            }
            try await trial.stalls.create(Stall(id: "s"))
            var dangling = RecordPatch<Stall>()
            dangling.hallID = "none"
            let reference = dangling
            try await expectError(.constraintViolated) {
                try await trial.stalls.update("s", reference)
            }
        },
        patch("patches.race", "Of patches of different fields at once, none is lost.") { trial in
            try await trial.sparses.create(Sparse(id: "a"))
            let set = trial.sparses
            _ = try await concurrently(4) { task in
                for number in 1...8 {
                    var patch = RecordPatch<Sparse>()
                    switch task {
                    case 0: patch.int = number
                    case 1: patch.string = "\(number)"
                    case 2: patch.double = Double(number)
                    default: patch.list = [number]
                    }
                    try await set.update("a", patch)
                }
            }
            try await expect(
                trial.sparses.read("a"),
                is: Sparse(id: "a", string: "8", int: 8, double: 8, list: [8]))
        },
        patch("changes.closure", "`update` with a closure stores what the closure changes.") {
            trial in
            try await trial.products.create(Product(id: "p1", stock: 1))
            let changed = try await trial.products.update("p1") {
                $0.stock += 1
                $0.name = "new"
            }
            try expect(changed, is: Product(id: "p1", name: "new", stock: 2))
            try await expect(trial.products.read("p1"), is: changed)
            struct Stop: Error {}
            do {
                try await trial.products.update("p1") {
                    $0.stock = 100
                    throw Stop()
                }
                try expect(false, "The error of the closure was not thrown.")
            } catch is Stop {}
            try await expectError(.recordNotFound, id: "p2") {
                try await trial.products.update("p2") { $0.stock = 1 }
            }
            try await expectError(.invalidItem, id: "p1", field: "id") {
                try await trial.products.update("p1") { $0 = Product(id: "p2") }
            }
            try await expect(trial.products.fetch(), is: [changed])
        },
        patch(
            "changes.race", "Closures that change one entity at once all take effect.",
            needs: [.versions]
        ) { trial in
            try await trial.products.create(Product(id: "p1", stock: 0))
            let ticket = try await trial.tickets.create(Ticket(title: ""))
            let (products, tickets) = (trial.products, trial.tickets)
            _ = try await concurrently(4) { task in
                for _ in 0..<4 {
                    try await products.update("p1") { $0.stock += 1 }
                    try await tickets.update(ticket.id) {
                        $0.title += "\(task)"
                        $0.revision = 77
                    }
                }
            }
            try await expect(trial.products.read("p1").stock, is: 16)
            let changed = try await trial.tickets.read(ticket.id)
            try expect(changed.title.count, is: 16)
            try expect(changed.revision, is: 17)
        },
    ]

    /// A behaviour of stores that have atomic updates.
    private static func patch(
        _ id: String, _ sentence: String, needs: [StoreCapability] = [], fileID: String = #fileID,
        line: Int = #line, _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            id, sentence, needs: [.records, .listing, .updates, .versions, .transactions] + needs,
            fileID: fileID, line: line, body)
    }
}

/// A date with microseconds, which every store of the suite may round to seconds.
private let moment = Date(timeIntervalSince1970: 1_000_000)

/// Decodes a value from JSON.
func decoded<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
    try JSONDecoder().decode(type, from: Data(text.utf8))
}

extension RecordPatch {
    /// A patch with all fields of an entity except its id.
    fileprivate init(of entity: Record) throws {
        let encoded = try JSONEncoder().encode(entity)
        guard var fields = try JSONSerialization.jsonObject(with: encoded) as? [String: Any] else {
            throw ExpectationFailure(
                message: "An entity is not encoded as an object.", fileID: #fileID, line: #line)
        }
        for key in Record.Mapper.table.key { fields[Record.Mapper.layout.fields[key].name] = nil }
        self = try JSONDecoder().decode(
            Self.self, from: JSONSerialization.data(withJSONObject: fields))
    }
}
