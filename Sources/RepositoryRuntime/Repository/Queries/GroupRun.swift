/// Groups records by a value and computes aggregates of each group.
struct GroupRun {
    /// One group: the common value and the aggregates.
    struct Group {
        let key: StoredValue
        let totals: [FieldTotal]
    }

    private let field: FieldPath
    private let period: GroupPeriod?
    private var functions: [(kind: FieldTotal.Kind, path: FieldPath)] = []
    /// The groups in the order of their first records.
    private var groups: [(key: StoredValue, totals: [FieldTotal])] = []
    /// The index of each group by its value.
    private var places: [StoredValue: Int] = [:]

    /// - Parameter period: the period by which dates or days are grouped; nil to group by the
    ///   values themselves.
    init(_ field: FieldPath, per period: GroupPeriod?) {
        self.field = field
        self.period = period
    }

    /// Adds a function. All functions have to be added before the first record.
    mutating func add(_ kind: FieldTotal.Kind, _ path: FieldPath) {
        functions.append((kind, path))
    }

    /// The grouping as a request to a store; nil if stores cannot compute it.
    func summary(in layout: FieldLayout) -> StoreSummary? {
        guard period == nil else { return nil }
        let parts = functions.map { FieldTotal.functions($0.kind, of: $0.path, in: layout) }
        guard !parts.contains(where: { $0 == nil }) else { return nil }
        return StoreSummary(groups: [field], parts.compactMap { $0 }.flatMap { $0 })
    }

    /// The group for a row that a store has computed for ``summary(in:)``.
    func group(computed row: [StoredValue]) -> Group {
        var rest = row.dropFirst()
        let totals = functions.map { function in
            let count = function.kind == .average ? 2 : 1
            defer { rest = rest.dropFirst(count) }
            return FieldTotal(function.kind, computed: rest.prefix(count))
        }
        return Group(key: row.first ?? .null, totals: totals)
    }

    /// The paths that are needed of each record.
    var paths: [FieldPath] { [field] + functions.filter { $0.kind != .count }.map(\.path) }

    /// Adds a record.
    ///
    /// - Throws: ``GroupPeriod/OutOfRange``.
    mutating func add(_ record: [StoredValue]) throws {
        add(needed: try needed(of: record))
    }

    /// The needed values of a record: the grouping value, and one value per function.
    ///
    /// - Throws: ``GroupPeriod/OutOfRange``.
    func needed(of record: [StoredValue]) throws -> [StoredValue] {
        let value = field.value(in: record)
        return [try period?.key(value) ?? value]
            + functions.map { $0.kind == .count ? .null : $0.path.value(in: record) }
    }

    /// Adds a record, given by its ``needed(of:)`` values.
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

    /// The groups sorted by their values, with null first.
    var sorted: [Group] {
        groups.sorted { $0.key < $1.key }.map { Group(key: $0.key, totals: $0.totals) }
    }
}
