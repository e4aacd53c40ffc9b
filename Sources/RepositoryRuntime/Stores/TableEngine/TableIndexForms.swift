/// The indexes that a store keeps of a table: those declared, in their order, then one for each reference that none of
/// these begins with.
///
/// A class, because every read and write of a record takes it along.
final class TableIndexForms: Sendable {
    /// The keys of each.
    let forms: [IndexKeyForm]
    /// How many are declared.
    let declaredCount: Int
    /// The positions of those that are unique.
    let unique: [Int]
    /// The fields whose references the store keeps.
    let keptReferences: [(field: Int, reference: TableReference)]
    /// For each field that is a kept reference, the position of an index that begins with it.
    private let references: [Int: Int]

    init(_ table: EntityTable) {
        var forms = table.indexes.map { IndexKeyForm(table, $0) }
        declaredCount = forms.count
        unique = table.indexes.indices.filter { table.indexes[$0].isUnique }
        var references: [Int: Int] = [:]
        keptReferences = table.keptReferences
        for (field, _) in keptReferences {
            let index = table.indexes.firstIndex {
                $0.keys.first?.field == field && $0.condition == nil
            }
            if let index {
                references[field] = index
            } else {
                references[field] = forms.count
                forms.append(IndexKeyForm(table, reference: field))
            }
        }
        self.forms = forms
        self.references = references
    }

    /// Whether nothing leads to the records but their ids.
    var isEmpty: Bool { forms.isEmpty }

    /// The scan that finds the records which refer to a target through a field; nil for a field that is no kept reference.
    func scan(referringThrough field: Int, to target: StoredValue) -> IndexScan? {
        references[field].map { IndexScan($0, equal: [target]) }
    }

    /// A scan of an index that finds what a scan of the ids finds, in the same order; nil where there is none.
    ///
    /// An index over the first component alone, such as that of a reference, holds its keys in the order of the ids.
    func indexScan(for scan: IndexScan, key: [Int]) -> IndexScan? {
        guard scan.index == IndexScan.ids, !scan.isReversed, let first = key.first,
            let position = forms.firstIndex(where: { $0.isOnly(of: first) })
        else { return nil }
        return IndexScan(
            position, equal: scan.equal.prefix(1) + scan.equal, lower: scan.lower,
            upper: scan.upper,
            after: scan.after.map { $0.prefix(1) + $0.suffix(key.count) })
    }

    /// What a change of a record does to the keys of an index.
    ///
    /// - Parameters:
    ///   - old: the fields that the record had; nil where there was none.
    ///   - new: those that it has.
    func change(
        _ position: Int, from old: [StoredValue]?, to new: [StoredValue]?
    ) -> (inserting: IndexKey?, removing: IndexKey?) {
        let before = old.flatMap(forms[position].key)
        let after = new.flatMap(forms[position].key)
        return before == after ? (nil, nil) : (after, before)
    }
}

extension EntityTable {
    /// The fields whose references a store keeps: all but those that say `none`.
    package var keptReferences: [(field: Int, reference: TableReference)] {
        fields.enumerated().compactMap { field, description in
            guard let reference = description.reference, reference.isEnforced else { return nil }
            return (field, reference)
        }
    }
}

extension IndexScan {
    /// Checks that the scan is one of a declared index or of the ids.
    ///
    /// - Throws: `unsupported`.
    func check<E: Entity>(_ type: E.Type, in store: String) throws {
        let table = E.Mapper.table
        let isKnown = index == Self.ids || table.indexes.indices.contains(index)
        let count = isKnown ? table.scannedIndex(index).keys.count : 0
        let hasRange = lower != nil || upper != nil
        if count > 0, equal.count + (hasRange ? 1 : 0) <= count,
            after.map({ $0.count == count + table.key.count }) ?? true
        {
            return
        }
        throw CRUDRepositoryError.unsupported(
            "a scan of the index \(index) of '\(table.name)' by \(equal.count) values", by: store)
    }
}

extension Array where Element: EntityIdentifier {
    /// The part of sorted ids that lies in a range.
    ///
    /// - Parameter form: the form of the range's keys, which is that of the ids.
    func slice(in range: IndexKeyRange, _ form: IndexKeyForm) throws -> ArraySlice<Element> {
        func position(of bound: IndexKey) throws -> Int {
            var (low, high) = (startIndex, endIndex)
            while low < high {
                let middle = low + (high - low) / 2
                let key = try form.key(values: StoredValueEncoder.components(of: self[middle]))
                if key < bound { low = middle + 1 } else { high = middle }
            }
            return low
        }
        let start = try position(of: range.lower)
        return self[start..<Swift.max(start, try position(of: range.upper))]
    }
}

extension IndexKeyForm {
    /// The part of the ids that a scan of them has still to walk.
    func rest(of scan: IndexScan) -> IndexKeyRange {
        let range = range(of: scan)
        guard let after = scan.after else { return range }
        let place = key(values: after)
        return scan.isReversed ? range.before(place) : range.after(place)
    }
}

extension Array where Element: Comparable {
    /// The position of the first element after a value, in a sorted array.
    func firstIndex(after value: Element) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if value < self[middle] { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
