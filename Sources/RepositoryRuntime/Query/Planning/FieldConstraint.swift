internal import Foundation

/// The constraint that a conjunction of conditions places on one field, as far as an index lookup
/// can express it.
///
/// ``IndexMatch`` creates one for each leading field of an index. The constraint may be weaker than
/// the conditions, but never stronger: the sources name the conditions that it expresses
/// completely, and all others are tested on each record.
///
/// For example, `pages > 100 && pages <= 300` gives the field `pages` the lower bound 100, which is
/// excluded, and the upper bound 300, which is included. `status == .available || status == .lent`
/// gives the field `status` two ``values``.
struct FieldConstraint {
    /// The maximum length of a value list that is turned into separate index lookups. A longer list
    /// becomes a range.
    static var mostValues: Int { 100 }

    /// The value that the field must equal.
    private(set) var equal: StoredValue?
    /// The values that the field may have, in ascending order; nil without a list, or if the list
    /// is too long.
    private(set) var values: [StoredValue]?
    /// The lower bound of the field.
    private(set) var lower: IndexScan.Bound?
    /// The upper bound of the field.
    private(set) var upper: IndexScan.Bound?
    /// The conditions that ``equal`` expresses completely.
    private(set) var equalSources: [ConditionTree] = []
    /// The conditions that ``values`` expresses completely.
    private(set) var valueSources: [ConditionTree] = []
    /// The conditions that the bounds express completely.
    private(set) var rangeSources: [ConditionTree] = []

    /// Whether the field has a lower or an upper bound.
    var hasRange: Bool { lower != nil || upper != nil }

    /// Collects the constraint on a field from the conditions.
    ///
    /// A condition with a value that cannot be stored as `type` is skipped, and stays to be tested.
    init(_ path: FieldPath, _ type: StoredType, in conjuncts: [ConditionTree]) {
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

    /// Adds the bound of a comparison. Equality is handled by the initializer.
    private mutating func narrow(
        _ comparison: ConditionTree.Comparison, _ value: StoredValue, _ source: ConditionTree
    ) {
        switch comparison {
        case .equal: return
        case .less, .lessOrEqual:
            // Null sorts before every value, but a comparison with null is never true.
            narrow(lower: IndexScan.Bound(.null, isIncluded: false))
            narrow(upper: IndexScan.Bound(value, isIncluded: comparison == .lessOrEqual))
        case .greater, .greaterOrEqual:
            narrow(lower: IndexScan.Bound(value, isIncluded: comparison == .greaterOrEqual))
        }
        rangeSources.append(source)
    }

    /// Adds the range of a case-sensitive prefix search. Other searches cannot use an index.
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

    /// Adds a list of values: as ``values`` if the list is short, otherwise as the range from its
    /// smallest to its largest.
    private mutating func narrow(_ list: [StoredValue], _ source: ConditionTree) {
        if list.count <= Self.mostValues {
            guard values == nil else { return }
            values = list.sorted()
            valueSources = [source]
        } else if !list.contains(where: \.isObject), let first = list.min(), let last = list.max() {
            // Composite references have no smallest one: `StoredValue` does not order objects.
            // The range is weaker than the list, so the condition is still tested on each record.
            narrow(lower: IndexScan.Bound(first, isIncluded: true))
            narrow(upper: IndexScan.Bound(last, isIncluded: true))
        }
    }

    /// Replaces the lower bound if the new one is tighter.
    private mutating func narrow(lower bound: IndexScan.Bound) {
        if let lower {
            if bound.value < lower.value { return }
            if bound.value == lower.value, !lower.isIncluded || bound.isIncluded { return }
        }
        lower = bound
    }

    /// Replaces the upper bound if the new one is tighter.
    private mutating func narrow(upper bound: IndexScan.Bound) {
        if let upper {
            if upper.value < bound.value { return }
            if bound.value == upper.value, !upper.isIncluded || bound.isIncluded { return }
        }
        upper = bound
    }
}

extension ConditionTree {
    /// Returns the set of values that the field may have, if the condition is equivalent to
    /// membership in that set.
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
    /// Whether a field of the type can store the value. An index lookup for any other value finds
    /// no record and may be rejected by the store.
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
    /// The smallest string that sorts after all strings with this prefix; nil if there is none.
    ///
    /// Strings are ordered by Unicode scalars. The last scalar is incremented; one without a
    /// successor is dropped.
    var endOfPrefix: String? {
        var scalars = Array(unicodeScalars)
        while let last = scalars.popLast() {
            // U+D800 to U+DFFF are surrogates, which are not scalars.
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

extension StoredValue {
    /// Whether the value is an embedded record or a composite reference.
    fileprivate var isObject: Bool {
        if case .object = self { true } else { false }
    }
}
