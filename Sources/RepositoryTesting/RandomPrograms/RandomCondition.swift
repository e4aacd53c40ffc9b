internal import Foundation
internal import RepositoryRuntime

/// Makes conditions over the values that records really hold, and over their neighbours, so that they hold of some
/// records and not of others.
struct RandomCondition {
    /// The places of a record and what stands there.
    let places: [RandomPlace]

    /// A condition of nested parts.
    func make(_ random: inout SeededGenerator, depth: Int) -> ConditionTree {
        guard depth > 0, !random.once(in: 4) else { return leaf(&random) }
        switch Int.random(in: 0..<7, using: &random) {
        case 0, 1, 2: return .all(parts(&random, depth))
        case 3, 4: return .any(parts(&random, depth))
        case 5: return .not(make(&random, depth: depth - 1))
        default: return random.once(in: 8) ? .constant(random.once(in: 2)) : leaf(&random)
        }
    }

    private func parts(_ random: inout SeededGenerator, _ depth: Int) -> [ConditionTree] {
        (0..<Int.random(in: 2...3, using: &random)).map { _ in make(&random, depth: depth - 1) }
    }

    private func leaf(_ random: inout SeededGenerator) -> ConditionTree {
        let place = random.one(of: places)
        let path = place.path
        guard let value = place.value(&random) else { return .compare(path, .equal, .null) }
        switch (value, Int.random(in: 0..<20, using: &random)) {
        case (_, 0...1): return .compare(path, .equal, .null)
        case (_, 2...4): return .compare(path, .equal, value)
        case (_, 5...7):
            var values: Set<StoredValue> = [value]
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                values.insert(place.value(&random) ?? .null)
            }
            if random.once(in: 4) { values.insert(.null) }
            return .isIn(path, values)
        case (.list(let elements), _):
            let element = elements.isEmpty || random.once(in: 4) ? .null : random.one(of: elements)
            return .hasElement(path, element)
        case (.object, _): return .compare(path, .equal, value)
        case (.text(let text), 8...13) where place.isSearchable:
            return .text(path, search(text, &random))
        case (_, 14...16):
            guard let other = place.value(&random) else { return .compare(path, .less, value) }
            return .all([
                .compare(path, .greaterOrEqual, min(value, other)),
                .compare(path, random.once(in: 2) ? .less : .lessOrEqual, max(value, other)),
            ])
        default:
            let order: [ConditionTree.Comparison] = [
                .less, .lessOrEqual, .greater, .greaterOrEqual,
            ]
            return .compare(path, random.one(of: order), value)
        }
    }

    private func search(_ text: String, _ random: inout SeededGenerator) -> TextSearch {
        let scalars = Array(text.unicodeScalars)
        let start = Int.random(in: 0...scalars.count, using: &random)
        let end = Int.random(in: start...scalars.count, using: &random)
        var part = ""
        part.unicodeScalars.append(contentsOf: scalars[start..<end])
        return switch Int.random(in: 0..<5, using: &random) {
        case 0: TextSearch(.equals, text.uppercased(), ignoringCase: true)
        case 1: TextSearch(.hasPrefix, String(text.prefix(end)))
        case 2: TextSearch(.hasPrefix, String(text.prefix(end)).uppercased(), ignoringCase: true)
        case 3: TextSearch(.contains, part)
        default: TextSearch(.contains, part.lowercased(), ignoringCase: true)
        }
    }
}

/// A place in records and the values that stand there.
struct RandomPlace: Sendable {
    let path: FieldPath
    /// What stands there, but null.
    var values: [StoredValue]
    /// Whether it is a text that searches may be made in.
    let isSearchable: Bool

    /// Whether records may be sorted by it.
    var isOrdered: Bool {
        values.allSatisfy { value in
            switch value {
            case .list, .object: false
            default: true
            }
        } && !values.isEmpty
    }

    /// The places of a table's records, those in embedded values and maps too, in the order of the layout.
    static func places(_ records: [[StoredValue]], _ layout: FieldLayout) -> [RandomPlace] {
        var found: [FieldPath: Set<StoredValue>] = [:]
        func visit(_ value: StoredValue, _ path: FieldPath) {
            found[path, default: []].formUnion(value == .null ? [] : [value])
            guard case .object(let object) = value, path.names.count < 3 else { return }
            for (name, inner) in object { visit(inner, FieldPath(path.field, path.names + [name])) }
        }
        for record in records {
            for (index, value) in record.enumerated() { visit(value, FieldPath(index)) }
        }
        // By the names one after the other: a map may have the empty name, or one with a dot in it.
        let paths = found.keys.sorted {
            if $0.field != $1.field { return $0.field < $1.field }
            return $0.names.lexicographicallyPrecedes(
                $1.names, by: String.identifierPrecedes)
        }
        return paths.map { path in
            RandomPlace(
                path: path,
                values: ProgramText.ordered(found[path] ?? []),
                isSearchable: isText(path, layout))
        }
    }

    private static func isText(_ path: FieldPath, _ layout: FieldLayout) -> Bool {
        var layout = layout
        var type = layout.fields[path.field].type
        for name in path.names {
            guard case .object(let inner) = type,
                let field = inner.fields.first(where: { $0.name == name })
            else { return false }
            layout = inner
            type = field.type
        }
        return type == .text
    }

    /// A value that stands there, or one beside it; nil where only null does.
    func value(_ random: inout SeededGenerator) -> StoredValue? {
        guard !values.isEmpty else { return nil }
        let value = random.one(of: values)
        return random.once(in: 3) ? neighbour(of: value, &random) : value
    }

    private func neighbour(
        of value: StoredValue, _ random: inout SeededGenerator
    ) -> StoredValue {
        let goesUp = random.once(in: 2)
        switch value {
        case .integer(let number):
            let sum = number.addingReportingOverflow(goesUp ? 1 : -1)
            return .integer(sum.overflow ? number : sum.partialValue)
        case .double(let number): return .double(goesUp ? number.nextUp : number / 2)
        case .decimal(let number):
            return .decimal(number + Decimal(goesUp ? 1 : -1) / (random.once(in: 2) ? 1 : 1_000))
        case .date(let date):
            return .date(StoredDate.rounded(date + (goesUp ? 0.000_001 : -0.5)))
        case .text(let text):
            // Only in text: an enum or a URL is compared with values of its own type.
            guard isSearchable else { return value }
            return .text(goesUp ? text + "a" : String(text.dropLast()))
        case .data(let data): return .data(goesUp ? data + [0] : data.dropLast())
        case .bool(let flag): return .bool(!flag)
        default: return value
        }
    }
}
