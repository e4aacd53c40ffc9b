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
        _ table: inout MovingTable, _ writes: Bool
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
        _ repository: MovedRepository<N>, _ table: MovingTable
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
            for (index, field) in MovingTable.indexed.enumerated() {
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
            for index in table.fields.indices.dropFirst(MovingTable.first) {
                let count = MovingTable.indexed.count + index - MovingTable.first
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
