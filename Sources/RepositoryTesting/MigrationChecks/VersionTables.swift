internal import Foundation
internal import RepositoryRuntime
internal import StoredSchema

/// The tables of a version.
struct VersionTables: Sendable {
    private static let names = ["one", "One", "two", "TWO", "three", "four"]
    private static let fieldNames = [
        "name", "Name", "title", "note", "code", "CODE", "memo", "login", "text",
    ]

    var all = ["one", "two", "three"].map { MovingTable($0) }

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
            all[index].fields.append(MovingTable.Field(name: name))
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
        let names = MovingTable.withoutSpent(all.map { ($0.name, $0.former) })
        for index in all.indices {
            all[index].former = names[index]
            let names = MovingTable.withoutSpent(all[index].fields.map { ($0.name, $0.former) })
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
            let isNew = fields.count < MovingTable.first + 2 && random.once(in: 3)
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
struct MovingTable: Sendable {
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
