internal import Foundation
internal import RepositoryRuntime
internal import StoredSchema

/// Checks that what stands beside the records of a table moves with it: external data, the counter
/// of given ids, indexes.
struct MovedTables: Sendable {
    /// How a table moves.
    enum Scenario: String, CaseIterable, Sendable {
        /// The former name is no longer declared by the version that opens the data.
        case spent
        /// Nothing is created by the version that renames.
        case inARow
        /// One version renames the table and converts a field.
        case converted
        /// A removed table leaves nothing to the one that gets its name.
        case replaced
        /// Two tables exchange their names over versions.
        case exchanged
        /// Two external fields exchange their names over versions.
        case exchangedFields
        /// Names change only in the case of a letter.
        case recased
    }

    typealias Versions = PictureVersions

    /// Returns a store with the same data each time.
    let make: @Sendable () async throws -> any EntityStore
    /// Whether the next ids are checked.
    private let bytes = Bytes.random(300_000)
    private let others = Bytes.random(70_000)

    init(_ make: @escaping @Sendable () async throws -> any EntityStore) { self.make = make }

    /// Carries out a scenario.
    func run(_ scenario: Scenario) async throws {
        switch scenario {
        case .spent: try await renamed(between: false)
        case .inARow: try await renamed(between: true)
        case .converted:
            try await move(
                Versions.Converted.self,
                [
                    .renameTable(from: "pictures", to: "paintings"),
                    .convert(
                        DataPath("paintings", ["note"]), .single("int64"), isOptional: false),
                ])
        case .replaced: try await replaced()
        case .exchanged:
            let (old, new) = try Self.exchanging()
            try await using { try await fillBoth($0, old) }
            try await using { try await checkExchanged($0, new) }
        case .exchangedFields: try await exchangedFields()
        case .recased:
            try await move(
                Versions.Recased.self,
                [
                    .renameTable(from: "pictures", to: "Pictures"),
                    .rename(DataPath("Pictures", ["image"]), to: "Image"),
                ])
        }
    }

    /// Moves pictures to a version with some changes.
    private func move<S: PictureShape>(_ shape: S.Type, _ changes: [DataChange]) async throws {
        var chain = VersionChain()
        try await fillOld(&chain)
        chain.release([Picture<S>.self], changes)
        try await check(shape, chain)
    }

    private func renamed(between: Bool) async throws {
        typealias Renamed = Picture<Versions.Renamed>
        var chain = VersionChain()
        try await fillOld(&chain)
        chain.release(
            [Renamed.self],
            [
                .renameTable(from: "pictures", to: "paintings"),
                .rename(DataPath("paintings", ["image"]), to: "scan"),
            ])
        let schema = try chain.schema([Renamed.self])
        if between {
            try await using { store in
                let pictures = PictureRepository(Versions.Renamed.self, store, schema)
                try await expect(pictures.read(1).image?.load(), is: bytes)
            }
        }
        chain.release([Picture<Versions.Spent>.self])
        try await check(Versions.Spent.self, chain)
    }

    private func replaced() async throws {
        typealias Old = Picture<Versions.Old>
        typealias Removed = Picture<Versions.Drawings>
        var chain = VersionChain()
        chain.release([Old.self, Removed.self])
        let schema = try chain.schema([Old.self, Removed.self])
        try await using { store in
            try await fill(Versions.Old.self, store, schema)
            let removed = PictureRepository(Versions.Drawings.self, store, schema)
            for id in 1...9 {
                try await removed.create(
                    Picture(id: .init(id), image: ExternalData(others), note: "\(id)"))
            }
        }
        chain.release(
            [Picture<Versions.OldAsDrawings>.self],
            [.removeTable("drawings"), .renameTable(from: "pictures", to: "drawings")])
        try await check(Versions.OldAsDrawings.self, chain)
    }

    private func exchangedFields() async throws {
        var chain = VersionChain()
        try await fillOld(&chain)
        chain.release(
            [Picture<Versions.Middle>.self],
            [.rename(DataPath("pictures", ["image"]), to: "middle")])
        chain.release(
            [Picture<Versions.Moving>.self], [.rename(DataPath("pictures", ["back"]), to: "image")])
        chain.release(
            [Picture<Versions.FieldsExchanged>.self],
            [.rename(DataPath("pictures", ["middle"]), to: "back")])
        try await check(Versions.FieldsExchanged.self, chain)
    }

    /// Returns the first and the last schema of a chain in which two tables exchange their names.
    static func exchanging() throws -> (old: StoreSchema, new: StoreSchema) {
        typealias Old = Picture<Versions.Old>
        typealias Drawing = Picture<Versions.Drawings>
        typealias Between = Picture<Versions.Between>
        typealias OldAsDrawing = Picture<Versions.OldAsDrawings>
        typealias DrawingAsOld = Picture<Versions.DrawingsAsOld>
        var chain = VersionChain()
        chain.release([Old.self, Drawing.self])
        let schema = try chain.schema([Old.self, Drawing.self])
        chain.release(
            [Between.self, Drawing.self], [.renameTable(from: "pictures", to: "between")])
        chain.release(
            [Between.self, DrawingAsOld.self], [.renameTable(from: "drawings", to: "pictures")])
        chain.release(
            [OldAsDrawing.self, DrawingAsOld.self], [.renameTable(from: "between", to: "drawings")])
        return (schema, try chain.schema([OldAsDrawing.self, DrawingAsOld.self]))
    }

    /// Stores records of both tables. The next ids are 4 and 10.
    func fillBoth(_ store: any EntityStore, _ schema: StoreSchema) async throws {
        try await fill(Versions.Old.self, store, schema)
        let drawings = PictureRepository(Versions.Drawings.self, store, schema)
        for id in [1, 9] {
            try await drawings.create(
                Picture(id: .init(id), image: ExternalData(others), note: "d"))
        }
        try await drawings.delete(9)
    }

    /// Checks the records of both tables after the exchange.
    func checkExchanged(_ store: any EntityStore, _ schema: StoreSchema) async throws {
        try await check(
            PictureRepository(Versions.OldAsDrawings.self, store, schema), bytes, note: "1",
            next: 4)
        try await check(
            PictureRepository(Versions.DrawingsAsOld.self, store, schema), others, note: "d",
            next: 10)
    }

    /// Calls a body with a store, and closes it.
    private func using(_ body: (any EntityStore) async throws -> Void) async throws {
        let store = try await make()
        try await body(store)
        if store.capabilities.has(.closing) { try await store.close() }
    }

    /// Releases the first version, and stores its records.
    private func fillOld(_ chain: inout VersionChain) async throws {
        typealias Old = Picture<Versions.Old>
        chain.release([Old.self])
        let schema = try chain.schema([Old.self])
        try await using { try await fill(Versions.Old.self, $0, schema) }
    }

    /// Stores three records of which the last two are deleted, so that the next id is 4.
    private func fill<S: PictureShape>(
        _ shape: S.Type, _ store: any EntityStore, _ schema: StoreSchema
    ) async throws {
        let pictures = PictureRepository(shape, store, schema)
        for id in 1...3 {
            try await pictures.create(
                Picture(
                    id: .init(id), image: ExternalData(bytes), back: ExternalData(others),
                    note: "\(id)"))
        }
        _ = try await pictures.deleteAll(ids: [2, 3])
    }

    /// Checks the pictures with the last version.
    private func check<S: PictureShape>(_ shape: S.Type, _ chain: VersionChain) async throws {
        let schema = try chain.schema([Picture<S>.self])
        try await using { store in
            let pictures = PictureRepository(shape, store, schema)
            try await expect(
                pictures.read(1).back?.load() == others, "The other field has its bytes.")
            try await check(pictures, bytes, note: "1", next: 4)
        }
    }

    /// Checks a record, its bytes, what an index finds, and the next id.
    private func check<S: PictureShape>(
        _ pictures: PictureRepository<S>, _ bytes: Data, note: String, next: Int64
    ) async throws {
        let found = try await pictures.fetch()
        try expect(found.map(\.id.rawValue), is: [1])
        try expect(found.map(\.note), is: [note])
        try await expect(found.first?.image?.load() == bytes, "The field has its bytes.")
        try await expect(pictures.findAll(note: note).map(\.id.rawValue), is: [1])
        try await pictures.context.store.rebuildIndexes()
        try await expect(pictures.read(1).image?.load() == bytes, "The field has its bytes.")
        let given = try await IDAssignment<Picture<S>>(store: pictures.context.store).take(1)
        try expect(given, is: next)
        // Of the removed and the moved data nothing is left.
        _ = try await pictures.deleteAll()
        try await expect(pictures.fetch().isEmpty, "All records are deleted.")
    }
}
