internal import Foundation
internal import RepositoryRuntime

extension StoreBehaviour {
    /// Indexes over fields inside embedded values.
    static let innerIndexes: [StoreBehaviour] = [
        inner(
            "scan",
            "An index inside a value finds its records in its order; a missing value is null."
        ) {
            trial in
            let equal: [StoredValue] = [.text("A"), .integer(2)]
            for isReversed in [false, true] {
                for scan in [
                    IndexScan(0), IndexScan(0, equal: [.text("A")]), IndexScan(0, equal: equal),
                    IndexScan(0, equal: [.text("A"), .null]), IndexScan(1),
                    IndexScan(1, equal: [.null]), IndexScan(2), IndexScan(2, equal: [.null]),
                    IndexScan(0, lower: .init(.text("A"), isIncluded: false)),
                    IndexScan(
                        0, equal: [.text("B")], lower: .init(.null, isIncluded: false),
                        upper: .init(.integer(4), isIncluded: true)),
                    IndexScan(2, upper: .init(.text("bleu ciel"), isIncluded: true)),
                ] {
                    var scan = scan
                    scan.isReversed = isReversed
                    try await trial.expectVolumes(scan)
                }
            }
        },
        inner("after", "A scan of an index inside a value can start after any record.") { trial in
            for (index, isReversed) in [(0, false), (0, true), (1, false), (2, true)] {
                let scan = IndexScan(index, isReversed: isReversed)
                let walk = ReferenceScan(scan, Volume.Mapper.table)
                for volume in try await trial.volumes(scan) {
                    let row = try StoredValueEncoder.values(of: volume, Volume.Mapper.self)
                    var rest = scan
                    rest.after = walk.place(of: row)
                    try await trial.expectVolumes(rest)
                }
            }
        },
        inner("upkeep", "An index inside a value follows every change of the value.") { trial in
            let volumes = trial.repositories.volumes
            for volume in try await volumes.fetch().prefix(9) {
                var changed = volume
                changed.place.room = changed.place.room == "A" ? "C" : "A"
                changed.place.row = changed.place.row.map { $0 + 3 } ?? 7
                changed.spare = nil
                try await volumes.update(changed)
            }
            try await volumes.delete("11")
            try await volumes.save(
                Volume(id: "new", title: "new", place: .init("B", 9), spare: .init("B", 0)))
            for index in 0...2 { try await trial.expectVolumes(IndexScan(index)) }
            try await trial.repositories.rebuildIndexes()
            for index in 0...2 { try await trial.expectVolumes(IndexScan(index)) }
        },
        inner("planned", "Conditions and orders inside values use the index.") { trial in
            let strict = Conformance(
                context: RepositoryContext(
                    store: trial.store, schema: trial.repositories.context.schema,
                    fullScans: .refuse)
            ).volumes
            let all = try await trial.repositories.volumes.fetch()
            func expectPlanned(
                _ query: Query<Volume>, _ index: String, _ isWanted: (Volume) -> Bool
            ) async throws {
                let found = try await strict.fetch(query)
                try expect(found.map(\.id).sorted(), is: all.filter(isWanted).map(\.id).sorted())
                let plan = try await strict.explain(query)
                try expect(
                    plan.description.contains(index), "The plan does not name '\(index)': \(plan)")
            }
            let placed = "volumes_place_room_place_row_title"
            try await expectPlanned(.where { $0.place.room == "A" }, placed) {
                $0.place.room == "A"
            }
            try await expectPlanned(
                .where { $0.place.room == "A" && $0.place.row > 1 }, placed
            ) { $0.place.room == "A" && $0.place.row.map { $0 > 1 } ?? false }
            try await expectPlanned(.where { $0.place.room.in(["A", "C"]) }, placed) {
                ["A", "C"].contains($0.place.room)
            }
            try await expectPlanned(.where { $0.spare.room == nil }, "volumes_spare_room") {
                $0.spare == nil
            }
            try await expectPlanned(
                .where { $0.place.tag.colour == .blue && $0.place.row > 3 }, "volumes_high"
            ) { $0.place.tag.colour == .blue && $0.place.row.map { $0 > 3 } ?? false }
            let ordered = Query<Volume>.where { $0.place.room == "B" }
                .sorted(by: \.place.row, .descending).sorted(by: \.title).limit(3)
            let plan = try await strict.explain(ordered)
            try expect(
                plan.description.contains(placed), "The plan does not name the index: \(plan)")
            let rows = try await strict.fetch(ordered).map(\.place.row)
            try expect(
                rows,
                is: all.filter { $0.place.room == "B" }.map(\.place.row)
                    .sorted { $0 ?? .min > $1 ?? .min }.prefix(3).map(\.self))
            try await expectError(.fullScanRefused) {
                try await strict.fetch(.where { $0.place.tag.day == nil })
            }
        },
        inner("finder", "The finder of an index inside a value takes its fields, in index order.") {
            trial in
            let volumes = trial.repositories.volumes
            let found = try await volumes.findAll(placeRoom: "A")
            try await expect(found, is: trial.volumes(IndexScan(0, equal: [.text("A")])))
            try expect(found.count > 3, "There are too few.")
            let one = try await volumes.find(spareRoom: "S4", spareTagCode: Place.code(4))
            try expect(one?.id, is: "04")
            try await expect(
                volumes.inRoom(room: "A").map(\.id).sorted(), is: found.map(\.id).sorted())
        },
        inner("unique", "A unique index inside values compares all of them; nulls never collide.") {
            trial in
            let volumes = trial.repositories.volumes
            let taken = Volume(
                id: "taken", title: "", place: .init("A", 0), spare: .init("S4", 0, code: 4))
            let error = try await expectError(.constraintViolated, id: "taken", table: "volumes") {
                try await volumes.create(taken)
            }
            try expect(error.constraint ?? "nil", is: "volumes_spare_room_spare_tag_code")
            try expect(error.field ?? "nil", is: "spare.room")
            for (id, spare) in [
                ("a", Place("S4", 0, code: 5)), ("b", Place("S4", 0)), ("c", Place("S4", 1)),
            ] {
                try await volumes.create(
                    Volume(id: .init(id), title: "", place: .init("A", 0), spare: spare))
            }
            try await volumes.delete("04")
            try await volumes.create(taken)
        },
        StoreBehaviour(
            "indexes.values.added",
            "An index inside a value is made for the stored records, and renamed with its field.",
            needs: [.records, .queries, .indexScans, .uniqueIndexes, .persistent]
        ) { trial in
            func crates<S: VersionShape>(
                _ shape: S.Type, in trial: StoreTrial
            ) -> VersionedRepository<S> {
                VersionedRepository(
                    RepositoryContext(
                        store: trial.store,
                        schema: StoreSchema("Crates", [VersionedRecord<S>.self])))
            }
            func box(_ room: String, _ row: Int64?) -> StoredValue {
                .object(["room": .text(room), "row": row.map { .integer($0) } ?? .null])
            }
            let plain = crates(Crates.Plain.self, in: trial)
            for (id, room, row) in [
                ("a", "R", 2), ("b", "Q", nil), ("c", "R", nil), ("d", "R", 1), ("e", "P", 2),
            ] as [(String, String, Int64?)] {
                try await plain.create(.init(id, box(room, row)))
            }
            let found = IndexScan(0, equal: [.text("R")])
            let indexed = try await trial.reopened()
            _ = try await crates(Crates.Indexed.self, in: indexed).count()
            try await expect(
                indexed.store.find(VersionedRecord<Crates.Indexed>.self, found, limit: .max)
                    .map(\.id.rawValue), is: ["a", "d", "c"])
            let renamed = try await trial.reopened()
            let boxes = crates(Crates.Renamed.self, in: renamed)
            try await boxes.create(.init("f", box("R", 7)))
            try await expect(
                renamed.store.find(VersionedRecord<Crates.Renamed>.self, found, limit: .max)
                    .map(\.id.rawValue), is: ["f", "a", "d", "c"])
            let unique = try await crates(Crates.Unique.self, in: trial.reopened())
            try await expectError(.schemaMismatch) { try await unique.count() }
            try await boxes.delete("e")
            let later = try await crates(Crates.Unique.self, in: trial.reopened())
            try await expect(later.count(), is: 5)
            try await expectError(.constraintViolated, id: "g") {
                try await later.create(.init("g", box("S", 7)))
            }
        },
    ]

    /// A behaviour over two dozen volumes.
    private static func inner(
        _ id: String, _ sentence: String, _ body: @escaping Check
    ) -> StoreBehaviour {
        StoreBehaviour(
            "indexes.values.\(id)", sentence,
            needs: [.records, .queries, .indexScans, .uniqueIndexes]
        ) { trial in
            try await trial.store(
                (0..<24).map { number in
                    let room = ["A", "B", "A", "C", "a\u{301}"][number % 5]
                    var place = Place(room, number % 7 == 0 ? nil : number % 6)
                    place.tag.colour = [.red, .green, .blue, nil][number % 4]
                    return Volume(
                        id: .init(StoreTrial.id(number)), title: "t\(number * 5 % 7)",
                        place: place,
                        spare: number % 3 == 0
                            ? nil : Place("S\(number)", nil, code: number % 8 == 5 ? nil : number))
                }, in: trial.repositories.volumes)
            try await body(trial)
        }
    }
}

/// Crates whose boxes get indexes.
private enum Crates {
    enum Box: VersionPart {
        static let layout = FieldLayout(
            "Box",
            [FieldDescription("room", .text), FieldDescription("row", .int64, optional: true)])
    }

    enum Plain: VersionShape {
        typealias Part = Box
        static let table = make("crates") { $0.field("box", .object(Box.layout)) }
    }

    enum Indexed: VersionShape {
        typealias Part = Box
        static let table = make("crates") { table in
            table.field("box", .object(Box.layout))
            table.index("crates_place", ["box.room", "-box.row"])
        }
    }

    enum Renamed: VersionShape {
        typealias Part = Box
        static let table = make("crates") { table in
            table.field(
                "place", .object(Box.layout), renamedFrom: ["box"], columnsRenamedFrom: ["box"])
            table.index("crates_place", ["place.room", "-place.row"])
        }
    }

    enum Unique: VersionShape {
        typealias Part = Box
        static let table = make("crates") { table in
            table.field(
                "place", .object(Box.layout), renamedFrom: ["box"], columnsRenamedFrom: ["box"])
            table.index("crates_row", ["place.row"], unique: true)
        }
    }
}

extension Place {
    /// A place whose tag has the code of a number.
    fileprivate init(_ room: String, _ row: Int?, code: Int? = nil) {
        self.init(room: room, row: row, tag: Tag(code: code.map(Self.code)))
    }

    fileprivate static func code(_ number: Int) -> UUID {
        let last = UInt8(truncatingIfNeeded: number)
        return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xAA, 0xBB, last))
    }
}

extension StoreTrial {
    /// The expected result of a scan, by ``ReferenceScan``.
    fileprivate func volumes(_ scan: IndexScan) async throws -> [Volume] {
        let walk = ReferenceScan(scan, Volume.Mapper.table)
        return try await store.page(Volume.self, after: nil, limit: .max)
            .map { ($0, try StoredValueEncoder.values(of: $0, Volume.Mapper.self)) }
            .filter { walk.contains($0.1) }
            .sorted { walk.precedes(walk.place(of: $0.1), walk.place(of: $1.1)) }
            .map(\.0)
    }

    fileprivate func expectVolumes(_ scan: IndexScan) async throws {
        let expected = try await volumes(scan)
        for limit in [Int.max, 3] {
            try await expect(
                store.find(Volume.self, scan, limit: limit), is: Array(expected.prefix(limit)),
                "The scan \(scan) differs.")
        }
    }
}
