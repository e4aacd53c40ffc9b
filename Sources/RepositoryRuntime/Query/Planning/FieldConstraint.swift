internal import Foundation

/// What the conditions that all must hold say of one field, as far as an index can be asked for it.
struct FieldConstraint {
    /// The most values of a list for each of which an index is asked.
    static var mostValues: Int { 100 }

    /// The only value that the field can have.
    private(set) var equal: StoredValue?
    /// The only values that it can have, in ascending order; nil where a list says nothing or is too long.
    private(set) var values: [StoredValue]?
    /// The smallest values that it can have.
    private(set) var lower: IndexScan.Bound?
    /// The largest values that it can have.
    private(set) var upper: IndexScan.Bound?
    /// The conditions that ``equal`` stands for.
    private(set) var equalSources: [ConditionTree] = []
    /// The conditions that ``values`` stands for.
    private(set) var valueSources: [ConditionTree] = []
    /// The conditions that the bounds stand for.
    private(set) var rangeSources: [ConditionTree] = []

    /// Whether there are bounds.
    var hasRange: Bool { lower != nil || upper != nil }

    /// Gathers what the conditions say.
    init(_ field: Int, _ type: StoredType, in conjuncts: [ConditionTree]) {
        let path = FieldPath(field)
        for condition in conjuncts {
            switch condition {
            case .compare(path, .equal, let value):
                guard value.canBeStored(as: type), equal == nil || equal == value else { continue }
                equal = value
                equalSources.append(condition)
            case .compare(path, let comparison, let value):
                guard value != .null, value.canBeStored(as: type) else { continue }
                narrow(comparison, value, condition)
            case .not(.compare(path, .equal, .null)):
                narrow(lower: IndexScan.Bound(.null, isIncluded: false))
                rangeSources.append(condition)
            case .text(path, let search):
                narrow(search, type, condition)
            default:
                guard let list = condition.members(of: path) else { continue }
                narrow(list.filter { $0.canBeStored(as: type) }, condition)
            }
        }
    }

    private mutating func narrow(
        _ comparison: ConditionTree.Comparison, _ value: StoredValue, _ source: ConditionTree
    ) {
        switch comparison {
        case .equal: return
        case .less, .lessOrEqual:
            // Null is smaller than everything, but no comparison with it holds.
            narrow(lower: IndexScan.Bound(.null, isIncluded: false))
            narrow(upper: IndexScan.Bound(value, isIncluded: comparison == .lessOrEqual))
        case .greater, .greaterOrEqual:
            narrow(lower: IndexScan.Bound(value, isIncluded: comparison == .greaterOrEqual))
        }
        rangeSources.append(source)
    }

    private mutating func narrow(
        _ search: TextSearch, _ type: StoredType, _ source: ConditionTree
    ) {
        let text = StoredValue.text(search.text)
        guard search.kind == .hasPrefix, !search.ignoringCase, type == .text || type == .url,
            text.canBeStored(as: type)
        else { return }
        narrow(lower: IndexScan.Bound(text, isIncluded: true))
        if let end = search.text.endOfPrefix {
            narrow(upper: IndexScan.Bound(.text(end), isIncluded: false))
        }
        rangeSources.append(source)
    }

    private mutating func narrow(_ list: [StoredValue], _ source: ConditionTree) {
        if list.count <= Self.mostValues {
            guard values == nil else { return }
            values = list.sorted()
            valueSources = [source]
        } else if let first = list.min(), let last = list.max() {
            // What lies between the values is tested record by record.
            narrow(lower: IndexScan.Bound(first, isIncluded: true))
            narrow(upper: IndexScan.Bound(last, isIncluded: true))
        }
    }

    private mutating func narrow(lower bound: IndexScan.Bound) {
        if let lower {
            if bound.value < lower.value { return }
            if bound.value == lower.value, !lower.isIncluded || bound.isIncluded { return }
        }
        lower = bound
    }

    private mutating func narrow(upper bound: IndexScan.Bound) {
        if let upper {
            if upper.value < bound.value { return }
            if bound.value == upper.value, !upper.isIncluded || bound.isIncluded { return }
        }
        upper = bound
    }
}

extension ConditionTree {
    /// The values of which a field must have one, where the condition says that and nothing else.
    fileprivate func members(of path: FieldPath) -> Set<StoredValue>? {
        switch self {
        case .compare(path, .equal, let value): return [value]
        case .isIn(path, let values): return values
        case .any(let alternatives):
            var union: Set<StoredValue> = []
            for alternative in alternatives {
                guard let values = alternative.members(of: path) else { return nil }
                union.formUnion(values)
            }
            return union
        default: return nil
        }
    }
}

extension StoredValue {
    /// Whether a store can be asked for the value of a field; no record holds one that it cannot.
    func canBeStored(as type: StoredType) -> Bool {
        switch (self, type) {
        case (.double(let value), _): value.isFinite
        case (.date(let value), _): StoredDate.canStore(value)
        case (.decimal(let value), .decimal(scale: let scale?)):
            StoredDecimal.scaledInteger(value, scale: scale) != nil
        case (.decimal(let value), _): value.isFinite
        case (.text(let value), _): !value.utf8.contains(0)
        case (.list, _): false
        case (.object, .composite): true
        case (.object, _): false
        default: true
        }
    }
}

extension String {
    /// The smallest text behind all that begin with this one; nil where there is none.
    var endOfPrefix: String? {
        var scalars = Array(unicodeScalars)
        while let last = scalars.popLast() {
            // Between these two there are no scalars.
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            guard let scalar = Unicode.Scalar(next) else { continue }
            var end = String.UnicodeScalarView()
            end.append(contentsOf: scalars)
            end.append(scalar)
            return String(end)
        }
        return nil
    }
}
