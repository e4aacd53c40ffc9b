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
    private var totals: [StoredValue: [FieldTotal]] = [:]

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
        let empty = functions.map { FieldTotal($0.kind) }
        for index in functions.indices {
            totals[values[0], default: empty][index].add(values[index + 1])
        }
        if functions.isEmpty { totals[values[0]] = [] }
    }

    /// The groups in the order of what their records share, null first.
    var sorted: [Group] {
        totals.sorted { $0.key < $1.key }.map { Group(key: $0.key, totals: $0.value) }
    }
}
