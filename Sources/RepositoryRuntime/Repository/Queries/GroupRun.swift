/// Gathers records into groups and computes several functions of each.
struct GroupRun {
    /// One group: the value its records share, and what was computed of them.
    struct Group {
        let key: StoredValue
        let totals: [FieldTotal]
    }

    private let field: FieldPath
    private let part: DatePart?
    private var functions: [(kind: FieldTotal.Kind, path: FieldPath)] = []
    /// The groups in the order in which they were met.
    private var groups: [(key: StoredValue, totals: [FieldTotal])] = []
    /// The place of each group by what its records share.
    private var places: [StoredValue: Int] = [:]

    /// - Parameter part: the span of time that moments are grouped by; nil for the moments themselves.
    init(_ field: FieldPath, part: DatePart?) {
        self.field = field
        self.part = part
    }

    /// Adds a function, before any record.
    mutating func add(_ kind: FieldTotal.Kind, _ path: FieldPath) {
        functions.append((kind, path))
    }

    /// The same as a store is asked for it; nil where it cannot be asked.
    func summary(in layout: FieldLayout) -> StoreSummary? {
        guard part == nil else { return nil }
        let parts = functions.map { FieldTotal.functions($0.kind, of: $0.path, in: layout) }
        guard !parts.contains(where: { $0 == nil }) else { return nil }
        return StoreSummary(groups: [field], parts.compactMap { $0 }.flatMap { $0 })
    }

    /// A group as a store has computed it by ``summary(in:)``.
    func group(computed row: [StoredValue]) -> Group {
        var rest = row.dropFirst()
        let totals = functions.map { function in
            let count = function.kind == .average ? 2 : 1
            defer { rest = rest.dropFirst(count) }
            return FieldTotal(function.kind, computed: rest.prefix(count))
        }
        return Group(key: row.first ?? .null, totals: totals)
    }

    /// What is looked at in each record.
    var paths: [FieldPath] { [field] + functions.filter { $0.kind != .count }.map(\.path) }

    /// Adds a record.
    mutating func add(_ record: [StoredValue]) {
        add(needed: needed(of: record))
    }

    /// What of a record is looked at: the value it is grouped by, then one for each function.
    func needed(of record: [StoredValue]) -> [StoredValue] {
        [field.value(in: record).truncated(to: part)]
            + functions.map { $0.kind == .count ? .null : $0.path.value(in: record) }
    }

    /// Adds a record of which there is what ``needed(of:)`` says.
    mutating func add(needed values: [StoredValue]) {
        let place: Int
        if let known = places[values[0]] {
            place = known
        } else {
            place = groups.count
            places[values[0]] = place
            groups.append((values[0], functions.map { FieldTotal($0.kind) }))
        }
        for index in functions.indices { groups[place].totals[index].add(values[index + 1]) }
    }

    /// The groups in the order of what their records share, null first.
    var sorted: [Group] {
        groups.sorted { $0.key < $1.key }.map { Group(key: $0.key, totals: $0.totals) }
    }
}
