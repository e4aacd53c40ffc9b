import Foundation
import RepositoryRuntime

@testable import RepositoryTesting

/// Makes random conditions and orders over the fields of a table, with values that its records hold and others.
struct RandomSelection {
    let table: EntityTable
    let rows: [[StoredValue]]
    let paths: [FieldPath]

    init(_ table: EntityTable, _ rows: [[StoredValue]]) {
        self.table = table
        self.rows = rows
        var paths: [FieldPath] = []
        for (index, field) in table.layout.fields.enumerated() {
            paths.append(FieldPath(index))
            Self.add(field.type, FieldPath(index), to: &paths)
        }
        self.paths = paths
    }

    private static func add(_ type: StoredType, _ path: FieldPath, to paths: inout [FieldPath]) {
        switch type {
        case .object(let layout), .composite(let layout):
            for field in layout.fields {
                let inner = FieldPath(path.field, path.names + [field.name])
                paths.append(inner)
                add(field.type, inner, to: &paths)
            }
        case .map:
            paths += ["a", "x y", "q\"", "none"].map { FieldPath(path.field, path.names + [$0]) }
        default: break
        }
    }

    func condition(_ random: inout SeededGenerator, depth: Int) -> ConditionTree {
        guard depth > 0, !random.once(in: 3) else { return leaf(&random) }
        let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            condition(&random, depth: depth - 1)
        }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: return .all(parts)
        case 1: return .any(parts)
        default: return .not(parts[0])
        }
    }

    private func value(at path: FieldPath, _ random: inout SeededGenerator) -> StoredValue {
        if random.once(in: 8) { return .null }
        let value = path.value(in: random.one(of: rows))
        guard random.once(in: 4) else { return value }
        switch value {
        case .integer: return .integer(random.one(of: [.max, .min, 3, -7]))
        case .double: return .double(random.one(of: [.infinity, -.infinity, .nan, 0.25]))
        case .decimal:
            return .decimal(random.one(of: [Decimal(1234) / 1000, Decimal(-1) / 3, 1_000_000_000]))
        case .date:
            return .date(
                random.one(of: [
                    .distantFuture, .distantPast, Date(timeIntervalSince1970: 5e18),
                    Date(timeIntervalSince1970: -5e18),
                ]))
        case .text(let text): return .text(text + "a")
        default: return value
        }
    }

    private func leaf(_ random: inout SeededGenerator) -> ConditionTree {
        let path = random.one(of: paths)
        let value = value(at: path, &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: return .compare(path, .equal, value)
        case 2, 3:
            return .compare(
                path, random.one(of: [.less, .lessOrEqual, .greater, .greaterOrEqual]), value)
        case 4:
            let count = random.one(of: [0, 1, 3, 8, 9, 40])
            return .isIn(path, Set((0..<count).map { _ in self.value(at: path, &random) }))
        case 5:
            guard case .text(let text) = value else { return .constant(random.once(in: 2)) }
            let part = String(text.unicodeScalars.prefix(random.one(of: [1, 2])))
            return .text(
                path,
                TextSearch(
                    random.one(of: [.equals, .contains, .hasPrefix]), part,
                    ignoringCase: random.once(in: 3)))
        case 6:
            if case .list(let elements) = value {
                return .hasElement(path, elements.isEmpty ? .null : random.one(of: elements))
            }
            return .compare(path, .equal, .null)
        default: return .not(.compare(path, .equal, value))
        }
    }

    func sortKeys(_ random: inout SeededGenerator) -> [SortKey] {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in
            SortKey(
                path: random.one(of: paths),
                direction: random.once(in: 2) ? .ascending : .descending)
        }
    }

    /// What a selection finds, by the meaning of conditions and orders alone.
    func results(of selection: StoreSelection) -> [[StoredValue]] {
        let found = rows.filter { row in
            guard selection.conditions.allSatisfy({ $0.matches(row) }) else { return false }
            return selection.after.map { precedes($0, place(of: row, selection), selection) }
                ?? true
        }
        let sorted = found.sorted {
            precedes(place(of: $0, selection), place(of: $1, selection), selection)
        }
        let rest = sorted.dropFirst(selection.skipped)
        return Array(rest.prefix(selection.maximum ?? .max))
    }

    func place(of row: [StoredValue], _ selection: StoreSelection) -> [StoredValue] {
        selection.sortKeys.map { $0.path.value(in: row) } + table.key.map { row[$0] }
    }

    private func precedes(
        _ left: [StoredValue], _ right: [StoredValue], _ selection: StoreSelection
    ) -> Bool {
        for index in left.indices where left[index] != right[index] {
            let descends =
                index < selection.sortKeys.count
                && selection.sortKeys[index].direction == .descending
            return descends ? right[index] < left[index] : left[index] < right[index]
        }
        return false
    }
}
