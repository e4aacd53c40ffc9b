internal import Foundation
internal import RepositoryRuntime
internal import StoredSchema

/// Versions of three tables that get other names, as do their fields.
///
/// After each version that a program opens, the check compares what stands beside the records, too:
/// what unique indexes that ignore case, searches and encrypted fields find, external data, and the
/// next ids.
package struct Moves: Sendable {
    /// One change of a version, by the numbers of a table and a field.
    package enum Move: Sendable {
        /// A table gets another name.
        case table(Int, String)
        /// A field gets another name.
        case field(Int, Int, String)
        /// A table gets an optional field with a unique index.
        case add(Int, String)
        /// A table and its fields no longer say what they were called.
        case forget(Int)
    }

    private let harness: StoreHarness
    private let isEncrypted: Bool
    private let hasExternalData: Bool

    /// Prepares a check.
    ///
    /// - Parameters:
    ///   - harness: creates the store.
    ///   - isEncrypted: whether fields are encrypted.
    ///   - hasExternalData: whether a field has external data.
    package init(
        _ harness: StoreHarness, isEncrypted: Bool = false, hasExternalData: Bool = false
    ) {
        self.harness = harness
        self.isEncrypted = isEncrypted
        self.hasExternalData = hasExternalData
    }

    /// Runs random versions: some tables and fields exchange their names, some names differ only in
    /// case, fields are added under names that others had, programs skip versions, and declarations
    /// stop naming what a table or field was called.
    ///
    /// - Parameter seed: equal seeds give equal versions.
    /// - Throws: an error that says what the versions did.
    package func check(seed: Int, versions: Int = 8) async throws {
        var random = SeededGenerator(seed: UInt64(seed) &* 77 &+ RandomSettings.seed)
        var tables = VersionTables()
        let moves = (0..<versions).map { _ in tables.random(&random) }
        var opened: Set = [versions + 1]
        for version in 2...versions where Bool.random(using: &random) { opened.insert(version) }
        var next: SeededGenerator? = random
        try await check(moves, opened: opened, &next)
    }

    /// Runs versions.
    ///
    /// - Parameters:
    ///   - versions: what each version after the first does.
    ///   - opened: the numbers of the versions whose programs open the data, besides the first.
    /// - Throws: an error that says what the versions did.
    package func check(_ versions: [[Move]], opened: Set<Int>) async throws {
        var random: SeededGenerator?
        try await check(versions, opened: opened, &random)
    }

    private func check(
        _ versions: [[Move]], opened: Set<Int>, _ random: inout SeededGenerator?
    ) async throws {
        let start = random
        random = try await StoreLocation.withNew(cleanUp: harness.cleanUp) { place in
            var random = start
            var tables = VersionTables()
            if hasExternalData { tables.addExternalData() }
            var chain = VersionChain()
            var history = ""
            for (number, moves) in ([[]] + versions).enumerated() {
                let changes = moves.compactMap { tables.apply($0) }
                tables.forgetSpent()
                let numbers = tables.all.map { table in
                    Placeholders.register(.table(table.table(isEncrypted), [], id: .single(.int64)))
                }
                let types = numbers.map { Self.type($0) }
                chain.release(types, changes)
                let isOpened = number == 0 || opened.contains(number + 1)
                history += "\n\(number + 1)\(isOpened ? ", opened" : ""): \(changes)"
                guard isOpened else { continue }
                let schema = try chain.schema(types)
                do {
                    let store = try await harness.make(place)
                    for (index, type) in numbers.enumerated() {
                        // Some versions give no id, so that only what was carried tells the
                        // next one.
                        let writes = random?.once(in: 2) ?? (number + 1 == opened.max())
                        try await use(type, store, schema, &tables.all[index], writes)
                    }
                    let problems = try await store.check(schema, repair: false).problems
                    try expect(problems, is: [], "The check finds problems.")
                } catch {
                    throw MovesFailure(history: history, error: error)
                }
            }
            return random
        }
    }

    private static func type<N: PlaceholderNumber>(_ number: N.Type) -> any Entity.Type {
        MovedRecord<N>.self
    }

    /// Checks a table, and changes it.
    private func use<N: PlaceholderNumber>(
        _ number: N.Type, _ store: any EntityStore, _ schema: StoreSchema,
        _ table: inout MovedTable, _ writes: Bool
    ) async throws {
        let repository = MovedRepository<N>(
            RepositoryContext(store: store, schema: schema, fullScans: .allow))
        if table.records.isEmpty {
            for id in 1...3 {
                let texts = table.texts("first\(id)")
                try await repository.create(
                    MovedRecord(
                        id: .init(id), texts: texts, image: table.image.map { ExternalData($0) }))
                table.records[id] = texts
            }
            try await repository.delete(3)
            table.records[3] = nil
            table.next = 4
        }
        try await check(repository, table)
        guard writes else { return }
        let texts = table.texts("next\(table.next)")
        var draft = RecordDraft<MovedRecord<N>>()
        draft.set(\.name, to: texts[0] ?? "")
        draft.set(\.title, to: texts[1] ?? "")
        draft.set(\.note, to: texts[2] ?? "")
        draft.set(\.code, to: texts[3] ?? "")
        draft.set(\.memo, to: texts[4] ?? "")
        let next = draft
        let created = try await repository.create(next)
        try expect(created.id.rawValue, is: table.next, "The next id of \(table.name) differs.")
        table.records[table.next] = texts
        table.next += 1
        if table.records.count > 3 {
            let last = table.records.keys.max() ?? 0
            try await repository.delete(.init(last))
            table.records[last] = nil
        }
        if var record = try await repository.fetch().last {
            record.texts = table.texts("changed\(table.next)\(record.id)")
            try await repository.update(record)
            table.records[record.id.rawValue] = record.texts
        }
        try await check(repository, table)
    }

    private func check<N: PlaceholderNumber>(
        _ repository: MovedRepository<N>, _ table: MovedTable
    ) async throws {
        let found = try await repository.fetch()
        try expect(found.map(\.id.rawValue), is: table.records.keys.sorted(), table.name)
        try expect(
            found.map(\.texts), is: found.map { table.records[$0.id.rawValue] ?? [] }, table.name)
        if let image = table.image {
            for record in found where record.id.rawValue <= 3 {
                try await expect(record.image?.load() == image, "The data of \(table.name) differ.")
            }
        }
        for (id, texts) in table.records.sorted(by: { $0.key < $1.key }) {
            for (index, field) in MovedTable.indexed.enumerated() {
                let text = texts[field] ?? ""
                let value = StoredValue.text(field == 0 ? text.uppercased() : text)
                try await expect(
                    repository.find(index: index, [value]).map(\.id.rawValue), is: [id],
                    "The index of \(table.fields[field].name) in \(table.name) finds others.")
            }
            try await expect(
                repository.search(texts[1] ?? "").map(\.id.rawValue), is: [id],
                "A search in \(table.name) finds others.")
            // A field that was added has no value, whatever a field with its name had.
            for index in table.fields.indices.dropFirst(MovedTable.first) {
                let count = MovedTable.indexed.count + index - MovedTable.first
                for text in texts.compactMap(\.self) {
                    try await expect(
                        repository.find(index: count, [.text(text)]).map(\.id.rawValue), is: [],
                        "The new \(table.fields[index].name) of \(table.name) has a text.")
                }
            }
        }
        guard let texts = table.records.values.first else { return }
        let twin = MovedRecord<N>(
            id: .init(table.next + 100), texts: [texts[0]?.uppercased()] + texts.dropFirst(),
            image: nil)
        try await expectError(.constraintViolated) { try await repository.create(twin) }
    }
}

/// What went wrong, and the versions until then.
private struct MovesFailure: Error, CustomStringConvertible {
    let history: String
    let error: any Error

    var description: String { "\(error), after the versions:\(history)" }
}

/// The tables of a version.
private struct VersionTables: Sendable {
    private static let names = ["one", "One", "two", "TWO", "three", "four"]
    private static let fieldNames = [
        "name", "Name", "title", "note", "code", "CODE", "memo", "login", "text",
    ]

    var all = ["one", "two", "three"].map { MovedTable($0) }

    mutating func addExternalData() {
        for index in all.indices {
            all[index].image = Data(repeating: UInt8(index), count: 900)
        }
    }

    /// Applies a move, and returns the change of the version; nil if there is none.
    mutating func apply(_ move: Moves.Move) -> DataChange? {
        switch move {
        case .table(let index, let name):
            let old = all[index].name
            all[index].former.insert(old, at: 0)
            all[index].name = name
            return .renameTable(from: old, to: name)
        case .field(let index, let field, let name):
            let old = all[index].fields[field].name
            all[index].fields[field].former.insert(old, at: 0)
            all[index].fields[field].name = name
            return .rename(DataPath(all[index].name, [old]), to: name)
        case .add(let index, let name):
            all[index].fields.append(MovedTable.Field(name: name))
            for id in all[index].records.keys { all[index].records[id]?.append(nil) }
            // The comparison of the tables adds an optional field.
            return nil
        case .forget(let index):
            all[index].former = []
            for field in all[index].fields.indices { all[index].fields[field].former = [] }
            return nil
        }
    }

    /// Removes former names that another table or field has or had since: the language refuses them.
    mutating func forgetSpent() {
        let names = MovedTable.withoutSpent(all.map { ($0.name, $0.former) })
        for index in all.indices {
            all[index].former = names[index]
            let names = MovedTable.withoutSpent(all[index].fields.map { ($0.name, $0.former) })
            for field in names.indices { all[index].fields[field].former = names[field] }
        }
    }

    /// Returns what a next version does, and applies it.
    mutating func random(_ random: inout SeededGenerator) -> [Moves.Move] {
        var moves: [Moves.Move] = []
        for index in all.indices where Bool.random(using: &random) { moves.append(.forget(index)) }
        for move in moves { _ = apply(move) }
        // Within a version, nothing gets the name that another one had before it.
        let before = all
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            let index = Int.random(in: all.indices, using: &random)
            let free = Self.free(
                Self.names, all.map(\.name), before.map(\.name), except: all[index].name)
            guard let name = free.randomElement(using: &random) else { continue }
            moves.append(.table(index, name))
            _ = apply(.table(index, name))
        }
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let index = Int.random(in: all.indices, using: &random)
            let fields = all[index].fields.map(\.name)
            let field = Int.random(in: fields.indices, using: &random)
            let isNew = fields.count < MovedTable.first + 2 && random.once(in: 3)
            let free = Self.free(
                Self.fieldNames, fields, before[index].fields.map(\.name),
                except: isNew ? "" : fields[field])
            guard let name = free.randomElement(using: &random) else { continue }
            let move: Moves.Move = isNew ? .add(index, name) : .field(index, field, name)
            moves.append(move)
            _ = apply(move)
        }
        forgetSpent()
        return moves
    }

    /// Returns the names that are not used, and that differ from those of others in more than case.
    private static func free(
        _ names: [String], _ used: [String], _ before: [String], except own: String
    ) -> [String] {
        names.filter { name in
            !used.contains(name) && !before.contains(name)
                && !used.contains { $0 != own && $0.lowercased() == name.lowercased() }
        }
    }
}

/// A table in the present version, and what it has stored.
private struct MovedTable: Sendable {
    /// A field with its name in the present version.
    struct Field: Sendable {
        var name: String
        var former: [String] = []
    }

    /// The number of texts of the first version: one that ignores case and is unique, a searched
    /// one, one with an index, two that may be encrypted, of which one is unique.
    static let first = 5
    /// The texts with indexes.
    static let indexed = [0, 2, 3]

    var name: String
    var former: [String] = []
    var fields = ["name", "title", "note", "code", "memo"].map { Field(name: $0) }
    /// The texts of the records, by id.
    var records: [Int: [String?]] = [:]
    var next = 1
    /// The external data of the first records.
    var image: Data?

    init(_ name: String) { self.name = name }

    /// Returns former names without those that another has, or had later.
    static func withoutSpent(_ names: [(name: String, former: [String])]) -> [[String]] {
        let present = Set(names.map(\.name))
        var taken = present
        // The newest former names go before older ones.
        var kept = names.map { _ in [String]() }
        for place in 0..<(names.map(\.former.count).max() ?? 0) {
            for (index, other) in names.enumerated() where place < other.former.count {
                if taken.insert(other.former[place]).inserted {
                    kept[index].append(other.former[place])
                }
            }
        }
        return kept
    }

    /// Returns texts with a part of their own.
    func texts(_ part: String) -> [String?] {
        fields.indices.map { $0 < Self.first ? "Text\($0)\(part)" : nil }
    }

    /// The table of the present version.
    func table(_ isEncrypted: Bool) -> EntityTable {
        var table = EntityTable(name, entity: "Moved", renamedFrom: former)
        table.field("id", .int64, key: true)
        table.assigned("id")
        for (index, field) in fields.enumerated() {
            table.field(
                field.name, .text, optional: index >= Self.first,
                ignoringCase: index == 0 || index >= Self.first,
                encrypted: isEncrypted && (3..<Self.first).contains(index),
                renamedFrom: field.former, columnsRenamedFrom: field.former)
        }
        if image != nil { table.field("image", .externalData, optional: true) }
        for index in Self.indexed + fields.indices.dropFirst(Self.first) {
            table.index(
                "\(name)_\(fields[index].name)", [fields[index].name], unique: index != 2)
        }
        table.search([fields[1].name])
        return table
    }
}

/// A record of a version.
private struct MovedRecord<N: PlaceholderNumber>: Entity {
    typealias ID = EntityID<MovedRecord<N>, Int>
    typealias Mapper = MovedMapper<N>
    typealias Fields = MovedFields<N>

    let id: ID
    var texts: [String?]
    var image: ExternalData?
}

/// The fields that are set when a record is created.
private struct MovedFields<N: PlaceholderNumber>: QueryFields {
    typealias QueryRoot = MovedRecord<N>

    var name: QueryField<MovedRecord<N>, String> { .init(1) }
    var title: QueryField<MovedRecord<N>, String> { .init(2) }
    var note: QueryField<MovedRecord<N>, String> { .init(3) }
    var code: QueryField<MovedRecord<N>, String> { .init(4) }
    var memo: QueryField<MovedRecord<N>, String> { .init(5) }
}

/// The mapping of records of a version.
private enum MovedMapper<N: PlaceholderNumber>: EntityMapper {
    static var table: EntityTable { N.table }

    /// The index of the external data; nil if there are none.
    private static var image: Int? {
        table.layout.fields.firstIndex { $0.type == .externalData }
    }

    static func encode<E: FieldEncoder>(_ record: MovedRecord<N>, to fields: inout E) throws {
        try fields.encode(record.id, at: 0)
        for (index, text) in record.texts.enumerated() {
            if index < MovedTable.first {
                try fields.encode(text ?? "", at: index + 1)
            } else {
                try fields.encode(text, at: index + 1)
            }
        }
        if let image { try fields.encode(record.image, at: image) }
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> MovedRecord<N> {
        let id = try fields.decode(MovedRecord<N>.ID.self, at: 0)
        let image = image
        var texts: [String?] = []
        for index in 1..<(image ?? table.fields.count) {
            texts.append(
                index <= MovedTable.first
                    ? try fields.decode(String.self, at: index)
                    : try fields.decode(String?.self, at: index))
        }
        return MovedRecord(
            id: id, texts: texts,
            image: try image.flatMap { try fields.decode(ExternalData?.self, at: $0) })
    }

    static func changeExternalData(
        of record: inout MovedRecord<N>, _ change: (ExternalData) throws -> ExternalData
    ) rethrows {
        if let value = record.image { record.image = try change(value) }
    }
}

/// The records of a version.
private struct MovedRepository<N: PlaceholderNumber>: EntityRepository, SearchableRepository {
    typealias Model = MovedRecord<N>
    let context: RepositoryContext
    init(_ context: RepositoryContext) { self.context = context }
}
