internal import Foundation
internal import RepositoryRuntime

/// The digests of some consecutive records of a table as a copy has written them. With them a later
/// run knows which records the source, and which ones programs of the target, have changed since.
///
/// Each run writes the parts of a table again, under its own number. The parts of earlier runs are
/// removed when it has reached the end of the table; until then, they continue where its parts end.
struct MovedPart: Entity {
    typealias ID = EntityID<MovedPart, String>
    typealias Mapper = MovedPartMapper

    /// The name of the set and of the table, the number of the run, and that of the part.
    var id: ID
    /// The ids and digests.
    var digests: Data
    /// The text of the last id up to which the part is complete.
    var end: String
}

/// The mapping of a part.
enum MovedPartMapper: EntityMapper {
    static let table = makeTable()

    private static func makeTable() -> EntityTable {
        var table = EntityTable("repository_moved", entity: "MovedPart")
        table.field("id", .text, key: true)
        table.field("digests", .data)
        table.field("end", .text)
        return table
    }

    static func encode<E: FieldEncoder>(_ part: MovedPart, to fields: inout E) throws {
        try fields.encode(part.id, at: 0)
        try fields.encode(part.digests, at: 1)
        try fields.encode(part.end, at: 2)
    }

    static func decode<D: FieldDecoder>(from fields: inout D) throws -> MovedPart {
        try MovedPart(
            id: fields.decode(MovedPart.ID.self, at: 0),
            digests: fields.decode(Data.self, at: 1), end: fields.decode(String.self, at: 2))
    }
}

/// The name of a part.
struct MovedPartName: Comparable {
    var run: Int
    var part: Int
    var id: MovedPart.ID

    /// Returns the start of the names of a table. Set and table names have no slash.
    static func prefix(set: String, table: String) -> String { "\(set)/\(table)/" }

    init(prefix: String, run: Int, part: Int) {
        (self.run, self.part) = (run, part)
        id = MovedPart.ID("\(prefix)\(run)/\(part)")
    }

    /// Parses a name; nil if it is of another table.
    init?(_ id: MovedPart.ID, prefix: String) {
        guard id.rawValue.hasPrefix(prefix) else { return nil }
        let numbers = id.rawValue.dropFirst(prefix.count).split(separator: "/").map { Int($0) }
        guard numbers.count == 2, let run = numbers[0], let part = numbers[1] else { return nil }
        (self.run, self.part, self.id) = (run, part, id)
    }

    /// The order of reading: the latest run first.
    static func < (left: Self, right: Self) -> Bool {
        left.run == right.run ? left.part < right.part : left.run > right.run
    }
}

/// The digests that earlier runs wrote, in id order.
struct MovedDigests<E: Entity> {
    /// The digest of one record.
    struct Entry {
        var id: E.ID
        var digest: Data
    }

    private let store: any EntityStore
    /// The parts of all earlier runs, in the order of reading.
    let names: [MovedPartName]
    private var position = 0
    private var entries: ArraySlice<Entry> = []
    /// The id up to which the parts that were read are complete.
    private var end: E.ID?
    /// The current entry; nil at the end.
    private(set) var current: Entry?

    /// The number of a new run.
    var nextRun: Int { (names.map(\.run).max() ?? 0) + 1 }

    /// Moves to the first entry.
    ///
    /// - Parameters:
    ///   - ids: the ids of all parts in the store.
    ///   - prefix: the start of the names of the table's parts.
    init(_ store: any EntityStore, _ ids: [MovedPart.ID], prefix: String) async throws {
        self.store = store
        names = ids.compactMap { MovedPartName($0, prefix: prefix) }.sorted()
        try await advance()
    }

    /// Moves to the next entry.
    mutating func advance() async throws {
        while true {
            if let next = entries.popFirst() {
                // An earlier run has digests that a later one has written again.
                if let end, !(end < next.id) { continue }
                current = next
                return
            }
            if position > 0, position <= names.count { end = max(end, lastEnd) }
            guard position < names.count else {
                current = nil
                return
            }
            let part = try await store.read(MovedPart.self, id: names[position].id)
            lastEnd = E.ID(part.end)
            entries = try Self.decoded(part)[...]
            position += 1
        }
    }

    /// The end of the part that is being read.
    private var lastEnd: E.ID?

    private func max(_ left: E.ID?, _ right: E.ID?) -> E.ID? {
        guard let left, let right else { return left ?? right }
        return left < right ? right : left
    }

    /// Appends an entry to the bytes of a part.
    static func append(_ entry: Entry, to data: inout Data) {
        let text = Data(entry.id.description.utf8)
        withUnsafeBytes(of: UInt32(text.count).littleEndian) { data.append(contentsOf: $0) }
        data.append(text)
        data.append(entry.digest)
    }

    private static func decoded(_ part: MovedPart) throws -> [Entry] {
        var rest = part.digests[...]
        var entries: [Entry] = []
        while !rest.isEmpty {
            let count = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            let text = rest.dropFirst(4).prefix(count)
            let digest = rest.dropFirst(4 + count).prefix(16)
            guard text.count == count, digest.count == 16,
                let id = E.ID(String(decoding: text, as: UTF8.self))
            else {
                throw CRUDRepositoryError.invalidRecord(
                    id: part.id.description, table: MovedPart.Mapper.table.name,
                    reason: "it is not a list of digests")
            }
            entries.append(Entry(id: id, digest: Data(digest)))
            rest = rest.dropFirst(4 + count + 16)
        }
        return entries
    }
}
