internal import Foundation
internal import RepositoryRuntime
internal import StoredSchema

/// Random versions of three tables: they rename, exchange and recase tables and fields, some
/// programs skip versions, and some declarations no longer name what a table was called.
struct RandomMoves<S: PictureSlotSet> {
    private typealias A = PictureSlot.A<S>
    private typealias B = PictureSlot.B<S>
    private typealias C = PictureSlot.C<S>

    /// What a table has stored.
    private struct Content {
        let image: Data
        let back: Data
        var next: Int64

        init(_ slot: Int) {
            image = Bytes.random(900 + slot)
            back = Bytes.random(300_000 + slot)
            next = 2 + 3 * Int64(slot)
        }
    }

    private let make: () async throws -> any EntityStore
    /// Whether the next ids are checked.
    private let checksIDs: Bool
    private var random: SeededGenerator
    private var tables = ["one", "two", "three"].map {
        PictureNames(table: .init(stringLiteral: $0), index: "\($0)_note")
    }
    private var contents = (0..<3).map { Content($0) }
    private let types: [any Entity.Type] = [Picture<A>.self, Picture<B>.self, Picture<C>.self]

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - seed: the number of the run.
    ///   - checksIDs: whether the next ids are checked.
    ///   - make: returns a store with the same data each time.
    init(
        _ seed: Int, checksIDs: Bool = true, _ make: @escaping () async throws -> any EntityStore
    ) {
        self.checksIDs = checksIDs
        random = SeededGenerator(seed: UInt64(seed) &* 77 &+ RandomSettings.seed)
        self.make = make
    }

    /// Fills the first version, and opens the data with later ones. All bytes, found records and next
    /// ids are as before.
    mutating func run() async throws {
        var chain = VersionChain()
        use()
        chain.release(types)
        let schema = try chain.schema(types)
        let store = try await make()
        try await fill(A.self, store, schema, contents[0])
        try await fill(B.self, store, schema, contents[1])
        try await fill(C.self, store, schema, contents[2])
        try await close(store)
        for version in 2..<9 {
            let changes = change()
            use()
            chain.release(types, changes)
            // Programs of some versions never open the data.
            guard version == 8 || Bool.random(using: &random) else { continue }
            let schema = try chain.schema(types)
            let store = try await make()
            try await check(A.self, store, schema, 0)
            try await check(B.self, store, schema, 1)
            try await check(C.self, store, schema, 2)
            try await close(store)
        }
    }

    private func close(_ store: any EntityStore) async throws {
        if store.capabilities.has(.closing) { try await store.close() }
    }

    /// Changes the tables as a next version does, and returns the changes.
    private mutating func change() -> [DataChange] {
        var changes: [DataChange] = []
        for index in tables.indices where Bool.random(using: &random) {
            // A spent decision may go.
            tables[index].table.earlier = []
            tables[index].image.earlier = []
            tables[index].back.earlier = []
        }
        let moved = random.one(of: Array(tables.indices))
        let free = ["one", "two", "three", "four", "One", "TWO"].filter { name in
            // Some databases ignore the case of names.
            name != tables[moved].table.present
                && !tables.indices.contains { index in
                    index != moved && tables[index].table.present.lowercased() == name.lowercased()
                }
        }
        let name = random.one(of: free)
        changes.append(.renameTable(from: tables[moved].table.present, to: name))
        tables[moved].table.change(to: name)
        if random.once(in: 2) {
            let index = random.one(of: Array(tables.indices))
            let field: WritableKeyPath<PictureNames, PictureNames.Name> =
                random.once(in: 2) ? \.image : \.back
            let other = field == \.image ? tables[index].back : tables[index].image
            let free = ["image", "back", "scan", "Image"].filter {
                $0 != tables[index][keyPath: field].present
                    && $0.lowercased() != other.present.lowercased()
            }
            let name = random.one(of: free)
            changes.append(
                .rename(
                    DataPath(
                        tables[index].table.present, [tables[index][keyPath: field].present]),
                    to: name))
            tables[index][keyPath: field].change(to: name)
        }
        return changes
    }

    /// Uses the tables of a version from here on.
    private func use() {
        S.slots.use(tables.map { $0.make() })
    }

    private mutating func check<P: PictureShape>(
        _ shape: P.Type, _ store: any EntityStore, _ schema: StoreSchema, _ slot: Int
    ) async throws {
        let pictures = PictureRepository(shape, store, schema)
        let found = try await pictures.fetch()
        try expect(found.map(\.id.rawValue), is: [1])
        try await expect(found.first?.image?.load() == contents[slot].image, "The image is whole.")
        try await expect(found.first?.back?.load() == contents[slot].back, "The back is whole.")
        try await expect(pictures.findAll(note: "\(slot)").map(\.id.rawValue), is: [1])
        // Some versions give no id, so that only what was carried tells the next one.
        guard checksIDs, Bool.random(using: &random) else { return }
        let given = try await IDAssignment<Picture<P>>(store: pictures.context.store).take(1)
        try expect(given, is: contents[slot].next)
        contents[slot].next += 1
    }

    /// Stores a record, and gives ids up to the next one of the content.
    private func fill<P: PictureShape>(
        _ shape: P.Type, _ store: any EntityStore, _ schema: StoreSchema, _ content: Content
    ) async throws {
        let pictures = PictureRepository(shape, store, schema)
        let slot = Int(content.next - 2) / 3
        for id in 1..<Int(content.next) {
            try await pictures.create(
                Picture(
                    id: .init(id), image: ExternalData(content.image),
                    back: ExternalData(content.back), note: "\(slot)"))
            if id > 1 { try await pictures.delete(.init(id)) }
        }
    }
}
