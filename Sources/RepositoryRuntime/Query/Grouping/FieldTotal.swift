/// One function over the values of a field, gathered one after the other or taken from what a store has computed.
struct FieldTotal: Sendable {
    /// What is computed.
    enum Kind: Sendable, Hashable {
        case count, minimum, maximum, sum, average
    }

    private let kind: Kind
    private(set) var count = 0
    private(set) var extreme: StoredValue?
    private(set) var sum = NumericSum()

    init(_ kind: Kind) {
        self.kind = kind
    }

    /// What a store has computed by ``functions(_:of:in:)``.
    init(_ kind: Kind, computed values: some Collection<StoredValue>) {
        self.kind = kind
        switch (kind, values.first) {
        case (.count, .integer(let number)): count = Int(number)
        case (.minimum, let value?), (.maximum, let value?): if value != .null { extreme = value }
        case (.sum, let value?): sum = NumericSum(of: value, count: 1)
        case (.average, let value?):
            guard case .integer(let number) = values.dropFirst().first else { return }
            sum = NumericSum(of: value, count: Int(number))
        default: break
        }
    }

    /// What a store is asked for; nil where it cannot be asked.
    static func functions(
        _ kind: Kind, of path: FieldPath, in layout: FieldLayout
    ) -> [StoreSummary.Function]? {
        switch kind {
        case .count: [.count]
        case .minimum: [.minimum(path)]
        case .maximum: [.maximum(path)]
        case .sum: [.sum(path)]
        // The records are as many as the values only where none is null.
        case .average: path.isOptional(in: layout) ? nil : [.sum(path), .count]
        }
    }

    /// Adds the value of one record; null counts as a record and for nothing else.
    mutating func add(_ value: StoredValue) {
        count += 1
        guard value != .null else { return }
        switch kind {
        case .count: break
        case .minimum: if extreme.map({ value < $0 }) ?? true { extreme = value }
        case .maximum: if extreme.map({ $0 < value }) ?? true { extreme = value }
        case .sum, .average: sum.add(value)
        }
    }
}

extension FieldPath {
    /// Whether the value at this place may be null.
    fileprivate func isOptional(in layout: FieldLayout) -> Bool {
        guard layout.fields.indices.contains(field) else { return true }
        var place = layout.fields[field]
        for name in names {
            guard !place.isOptional, case .object(let inner) = place.type,
                let next = inner.fields.first(where: { $0.name == name })
            else { return true }
            place = next
        }
        return place.isOptional
    }
}
