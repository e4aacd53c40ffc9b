/// An aggregate function over the values of one field in one group.
///
/// The result is either accumulated with ``add(_:)``, one record at a time, or taken from what the
/// store computed.
///
/// A store computes only functions whose result it can compute exactly as the runtime does.
struct FieldTotal: Sendable {
    /// The aggregate function.
    enum Kind: Sendable, Hashable {
        case count, minimum, maximum, sum, average
    }

    /// The function that selects which of the following properties are used.
    private let kind: Kind
    /// The number of records, null values included.
    private(set) var count = 0
    /// The smallest or largest value so far; nil if all values are null.
    private(set) var extreme: StoredValue?
    /// The sum of the values that are not null, for ``Kind/sum`` and ``Kind/average``.
    private(set) var sum = NumericSum()

    init(_ kind: Kind) {
        self.kind = kind
    }

    /// Creates a total from results of the store.
    ///
    /// - Parameter values: the results of ``functions(_:of:in:)``, in the same order.
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

    /// Returns the functions that a store must compute for this aggregate; nil if the runtime must
    /// compute it.
    static func functions(
        _ kind: Kind, of path: FieldPath, in layout: FieldLayout
    ) -> [StoreSummary.Function]? {
        switch kind {
        case .count: [.count]
        case .minimum: [.minimum(path)]
        case .maximum: [.maximum(path)]
        case .sum: [.sum(path)]
        // The record count equals the number of values only if the field is not optional.
        case .average: path.isOptional(in: layout) ? nil : [.sum(path), .count]
        }
    }

    /// Adds the value of one record. A null value is counted as a record and otherwise ignored.
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
    /// Whether the value at this path may be null, according to the layout.
    ///
    /// Paths through maps and unknown fields count as optional.
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
