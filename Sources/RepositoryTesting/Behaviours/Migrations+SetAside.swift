internal import Foundation
internal import RepositoryRuntime
internal import StoredSchema

/// Owners, cars, trips and their stops, which refer to each other.
private enum Garage {
    static func tables(
        _ id: StoredType = .int64, cars: String = "cars", isUnique: Bool = false
    ) -> [EntityTable] {
        var owners = EntityTable("owners", entity: "Owner")
        owners.field("id", id, key: true)
        owners.field("name", .text)
        if isUnique { owners.index("owners_name", ["name"], unique: true) }
        var vehicles = EntityTable(
            cars, entity: "Car", renamedFrom: cars == "cars" ? [] : ["cars"])
        vehicles.field("id", .text, key: true)
        vehicles.field("owner", id, optional: true, reference: TableReference("owners"))
        vehicles.field("plate", .text)
        var trips = EntityTable("trips", entity: "Trip")
        trips.field("id", .uuid, key: true)
        trips.field("driver", id, reference: TableReference("owners"))
        trips.field("car", .text, optional: true, reference: TableReference(cars))
        trips.field("after", .uuid, optional: true, reference: TableReference("trips"))
        var stops = EntityTable("stops", entity: "Stop")
        stops.field("trip", .uuid, reference: TableReference("trips"), key: true)
        stops.field("number", .int64, key: true)
        stops.field("place", .text)
        return [owners, vehicles, trips, stops]
    }

    static func trip(_ number: Int) -> StoredValue {
        .uuid(UUID(uuidString: "00000000-0000-4000-8000-00000000000\(number)") ?? UUID())
    }

    /// Stores four owners, three of whom have a car and a trip.
    static func write(to trial: StoreTrial) async throws {
        let names = ["A", "B", "C", "A"]
        // Optional references do not decide the order in which a program writes its tables.
        let rows: [[String: [[StoredValue]]]] = [
            ["owners": names.enumerated().map { [.integer(Int64($0 + 1)), .text($1)] }],
            [
                "cars": [
                    [.text("a"), .integer(1), .text("AA")], [.text("b"), .integer(2), .text("BB")],
                    [.text("c"), .null, .text("CC")], [.text("d"), .integer(4), .text("DD")],
                ]
            ],
            [
                "trips": [
                    [trip(1), .integer(1), .text("b"), .null],
                    [trip(2), .integer(2), .text("a"), .null],
                    [trip(4), .integer(4), .text("d"), .null],
                ]
            ],
            [
                "trips": [[trip(3), .integer(3), .text("c"), trip(2)]],
                "stops": [
                    [trip(1), .integer(1), .text("p")], [trip(2), .integer(1), .text("q")],
                    [trip(2), .integer(2), .text("r")],
                ],
            ],
        ]
        for tables in rows { try await first().write(tables, to: trial.reopened().store) }
    }

    static func first() throws -> PlainProgram {
        var versions = TableVersions()
        versions.release(tables())
        return try versions.program()
    }

    /// The program of version 2, in which a function reads the owners, cars have another name, and
    /// names are unique, if so asked.
    static func second(
        isUnique: Bool = false, _ function: @escaping MigrationFunction
    ) throws -> PlainProgram {
        var versions = TableVersions()
        versions.release(tables())
        versions.release(
            tables(cars: "vehicles", isUnique: isUnique),
            [
                .renameTable(from: "cars", to: "vehicles"),
                .convertByCode(
                    DataPath("owners", ["name"]), .single("text"), isOptional: false,
                    function: "ownerNameTo2"),
            ])
        versions.functions = ["ownerNameTo2": function]
        return try versions.program()
    }

    /// The program of version 2, in which the ids of owners are texts.
    static func withTexts(
        _ changes: [DataChange] = [], _ functions: [String: MigrationFunction]
    ) throws -> PlainProgram {
        var versions = TableVersions()
        versions.release(tables())
        let id = StoredShape.single("text")
        versions.release(
            tables(.text),
            [
                .convertByCode(
                    DataPath("owners", ["id"]), id, isOptional: false, function: "ownerIdTo2"),
                .followID(DataPath("cars", ["owner"]), id, isOptional: true, of: "owners"),
                .followID(DataPath("trips", ["driver"]), id, isOptional: false, of: "owners"),
            ] + changes)
        versions.functions = functions
        return try versions.program()
    }
}

extension StoreTrial {
    /// Migrates the store in a new instance, and returns the table and the id of each record that
    /// was set aside, sorted.
    fileprivate func settingAside(_ program: PlainProgram) async throws -> [String] {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "aside-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        var control = MigrationControl()
        control.unreadable = .setAside(url)
        try await program.migrate(try await reopened().store, control)
        guard FileManager.default.fileExists(atPath: url.path) else { return [] }
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").dropFirst().map {
            let line = try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            return "\(line?["table"] ?? "?") \(line?["id"] ?? "?")"
        }.sorted()
    }
}

extension StoreBehaviour {
    /// Migrations that go on without records that cannot be migrated.
    package static let recordsSetAside: [StoreBehaviour] = [
        migration(
            "migrations.setAside",
            "References to records that were set aside become null, or their records are set aside, too."
        ) { trial in
            struct Problem: Error {}
            try await Garage.write(to: trial)
            let second = try Garage.second { old, new in
                if try old.value("id", as: Int64.self) == 2 { throw Problem() }
                new.set(try old.value("name", as: String.self) + "!", "name")
                return true
            }
            try await expect(
                trial.settingAside(second),
                is: [
                    "owners 2", "stops \(Garage.trip(2).idText),1",
                    "stops \(Garage.trip(2).idText),2", "trips \(Garage.trip(2).idText)",
                ])
            let store = try await trial.reopened().store
            try await expect(
                second.rows("owners", in: store),
                is: [1, 3, 4].map { [.integer($0), .text($0 == 3 ? "C!" : "A!")] })
            try await expect(
                second.rows("vehicles", in: store),
                is: [
                    [.text("a"), .integer(1), .text("AA")], [.text("b"), .null, .text("BB")],
                    [.text("c"), .null, .text("CC")], [.text("d"), .integer(4), .text("DD")],
                ])
            try await expect(
                second.rows("trips", in: store),
                is: [
                    [Garage.trip(1), .integer(1), .text("b"), .null],
                    [Garage.trip(3), .integer(3), .text("c"), .null],
                    [Garage.trip(4), .integer(4), .text("d"), .null],
                ])
            try await expect(
                second.rows("stops", in: store),
                is: [[Garage.trip(1), .integer(1), .text("p")]])
            try await expect(trial.settingAside(second), is: [])
        },
        migration(
            "migrations.setAsideDuplicates",
            "Of records with the same unique values, the one with the smallest id stays."
        ) { trial in
            try await Garage.write(to: trial)
            let second = try Garage.second(isUnique: true) { old, new in
                new.set(try old.value("name", as: String.self) == "C" ? "C" : "same", "name")
                return true
            }
            let error = try await expectError(.schemaMismatch) {
                try await second.rows("owners", in: trial.reopened().store)
            }
            try expect(error.message.contains("'owners_name'"), "It names the index: \(error)")
            try await expect(
                trial.settingAside(second),
                is: [
                    "owners 2", "owners 4", "stops \(Garage.trip(2).idText),1",
                    "stops \(Garage.trip(2).idText),2", "trips \(Garage.trip(2).idText)",
                    "trips \(Garage.trip(4).idText)",
                ])
            let store = try await trial.reopened().store
            try await expect(
                second.rows("owners", in: store),
                is: [[.integer(1), .text("same")], [.integer(3), .text("C")]])
            try await expect(
                second.rows("vehicles", in: store).map { $0[1] },
                is: [.integer(1), .null, .null, .null])
            try await expect(second.rows("trips", in: store).count, is: 2)
        },
        migration(
            "migrations.setAsideIDs",
            "A record whose new id fails or is that of another one is set aside, and references follow."
        ) { trial in
            struct Problem: Error {}
            try await Garage.write(to: trial)
            let calls = CallCounter()
            let second = try Garage.withTexts(
                [],
                [
                    "ownerIdTo2": { old, new in
                        let id = try old.value("id", as: Int64.self)
                        calls.add("\(id)")
                        if id == 2 { throw Problem() }
                        new.set(id == 4 ? "owner 1" : "owner \(id)", "id")
                        return true
                    }
                ])
            _ = try await expectError(.schemaMismatch) {
                try await second.rows("owners", in: trial.reopened().store)
            }
            let before = calls.all
            try await expect(
                trial.settingAside(second),
                is: [
                    "owners 2", "owners 4", "stops \(Garage.trip(2).idText),1",
                    "stops \(Garage.trip(2).idText),2", "trips \(Garage.trip(2).idText)",
                    "trips \(Garage.trip(4).idText)",
                ])
            for id in 1...4 {
                try expect(
                    (calls.all["\(id)"] ?? 0) - (before["\(id)"] ?? 0), is: 1, "calls for \(id)")
            }
            let store = try await trial.reopened().store
            try await expect(
                second.rows("owners", in: store),
                is: [[.text("owner 1"), .text("A")], [.text("owner 3"), .text("C")]])
            try await expect(
                second.rows("cars", in: store).map { $0[1] },
                is: [.text("owner 1"), .null, .null, .null])
            try await expect(
                second.rows("trips", in: store),
                is: [
                    [Garage.trip(1), .text("owner 1"), .text("b"), .null],
                    [Garage.trip(3), .text("owner 3"), .text("c"), .null],
                ])
        },
        migration(
            "migrations.setAsideConverted",
            "Records that other functions converted before are set aside as they are stored."
        ) { trial in
            struct Problem: Error {}
            try await Garage.write(to: trial)
            let calls = CallCounter()
            let second = try Garage.withTexts(
                [
                    .convertByCode(
                        DataPath("owners", ["name"]), .single("text"), isOptional: false,
                        function: "ownerNameTo2")
                ],
                [
                    "ownerIdTo2": { old, new in
                        new.set("owner \(try old.value("id", as: Int64.self))", "id")
                        return true
                    },
                    "ownerNameTo2": { old, new in
                        let name = try old.value("name", as: String.self)
                        calls.add(name)
                        if name == "B" { throw Problem() }
                        new.set(name, "name")
                        return true
                    },
                ])
            try await expect(
                trial.settingAside(second).filter { $0.hasPrefix("owners") }, is: ["owners 2"])
            try expect(calls.all, is: ["A": 2, "B": 1, "C": 1])
            let store = try await trial.reopened().store
            try await expect(second.rows("owners", in: store).count, is: 3)
            try await expect(second.rows("trips", in: store).count, is: 3)
        },
    ]
}

extension StoredValue {
    /// A UUID as the text of an id.
    fileprivate var idText: String {
        if case .uuid(let uuid) = self { uuid.uuidString } else { "?" }
    }
}
