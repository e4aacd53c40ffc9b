/// The key layouts of all indexes that a store maintains for a table.
///
/// The declared indexes come first, in their order. They are followed by one index for each
/// enforced reference for which no unconditional declared index begins with the field.
///
/// This is a class because every read and write of a record passes it along.
final class TableIndexForms: Sendable {
    /// The key layouts, by position.
    let forms: [IndexKeyForm]
    /// The key layout of the search index, whose position follows those of the others; nil if the
    /// table is not searched.
    let search: SearchKeyForm?
    /// The number of declared indexes.
    let declaredCount: Int
    /// The positions of the unique indexes.
    let unique: [Int]
    /// The fields whose references the store enforces.
    let keptReferences: [(field: Int, reference: TableReference)]
    /// For each enforced reference, by field, the position of an index that begins with it.
    private let references: [Int: Int]

    /// Determines the indexes of a table.
    init(_ table: EntityTable) {
        var forms = table.indexes.map { IndexKeyForm(table, $0) }
        declaredCount = forms.count
        unique = table.indexes.indices.filter { table.indexes[$0].isUnique }
        var references: [Int: Int] = [:]
        keptReferences = table.keptReferences
        for (field, _) in keptReferences {
            let index = table.indexes.firstIndex {
                $0.keys.first?.path == FieldPath(field) && $0.condition == nil
            }
            if let index {
                references[field] = index
            } else {
                references[field] = forms.count
                forms.append(IndexKeyForm(table, reference: field))
            }
        }
        self.forms = forms
        search = SearchKeyForm(table)
        self.references = references
    }

    /// Whether the table has no indexes, so that records can be found only by id.
    var isEmpty: Bool { forms.isEmpty && search == nil }

    /// The positions of all indexes, including the search index.
    var positions: Range<Int> { 0..<forms.count + (search == nil ? 0 : 1) }

    /// The position of the search index.
    var searchPosition: Int { forms.count }

    /// Calls a body with each key of a record in an index: at most one, except in the search index.
    func visitKeys(_ position: Int, of row: [StoredValue], _ body: (IndexKey) -> Void) {
        if position < forms.count {
            if let key = forms[position].key(of: row) { body(key) }
        } else {
            search?.keys(of: row).forEach(body)
        }
    }

    /// Returns the id in a key of an index.
    ///
    /// - Throws: `IndexFailure.noKey` if the bytes are not a key of the index.
    func id<ID: EntityIdentifier>(of key: IndexKey, _ position: Int) throws -> ID {
        if position < forms.count { return try forms[position].known(key) }
        guard let components = search?.posting(of: key)?.id.components else {
            throw IndexFailure.noKey
        }
        var fields = StoredValueDecoder(components)
        return try ID.decodeComponents(from: &fields)
    }

    /// Adds the keys to insert and remove in an index when a record changes.
    ///
    /// - Parameters:
    ///   - position: the position of the index.
    ///   - old: the previous field values; nil if there was no record.
    ///   - new: the new field values; nil if the record is deleted.
    ///   - inserting: receives the new keys.
    ///   - removing: receives the keys that are no longer there.
    func addChanges(
        _ position: Int, from old: [StoredValue]?, to new: [StoredValue]?,
        inserting: inout [IndexKey], removing: inout [IndexKey]
    ) {
        if position < forms.count {
            let keys = change(position, from: old, to: new)
            if let key = keys.inserting { inserting.append(key) }
            if let key = keys.removing { removing.append(key) }
        } else if let search {
            let before = Set(old.map(search.keys) ?? [])
            let after = Set(new.map(search.keys) ?? [])
            inserting += after.subtracting(before)
            removing += before.subtracting(after)
        }
    }

    /// Returns the scan that finds the records which refer to a target through a field; nil if the
    /// field is not an enforced reference.
    func scan(referringThrough field: Int, to target: StoredValue) -> IndexScan? {
        references[field].map { IndexScan($0, equal: [target]) }
    }

    /// Returns a scan of an index with the same results, in the same order, as a scan of the ids;
    /// nil if there is no such index.
    ///
    /// An index whose only key is the first component of the id, such as the index of a reference,
    /// stores its keys in id order.
    ///
    /// The values of the scan are repeated: the index keys consist of the first component followed
    /// by the whole id, so the first component occurs twice.
    func indexScan(for scan: IndexScan, key: [Int]) -> IndexScan? {
        guard scan.index == IndexScan.ids, !scan.isReversed, let first = key.first,
            let position = forms.firstIndex(where: { $0.isOnly(of: first) })
        else { return nil }
        return IndexScan(
            position, equal: scan.equal.prefix(1) + scan.equal, lower: scan.lower,
            upper: scan.upper,
            after: scan.after.map { $0.prefix(1) + $0.suffix(key.count) })
    }

    /// Returns the keys to insert and remove in an index when a record changes. Both are nil if the
    /// key does not change.
    ///
    /// - Parameters:
    ///   - position: the position of the index.
    ///   - old: the previous field values; nil if there was no record.
    ///   - new: the new field values; nil if the record is deleted.
    func change(
        _ position: Int, from old: [StoredValue]?, to new: [StoredValue]?
    ) -> (inserting: IndexKey?, removing: IndexKey?) {
        let before = old.flatMap(forms[position].key)
        let after = new.flatMap(forms[position].key)
        return before == after ? (nil, nil) : (after, before)
    }
}

extension EntityTable {
    /// The fields whose references a store enforces: all except those with enforcement `none`.
    package var keptReferences: [(field: Int, reference: TableReference)] {
        fields.enumerated().compactMap { field, description in
            guard let reference = description.reference, reference.isEnforced else { return nil }
            return (field, reference)
        }
    }
}

extension IndexScan {
    /// Checks that the scan uses a declared index or the ids, with values that fit its keys.
    ///
    /// - Throws: `unsupported` if it does not.
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
    /// Returns the part of the sorted ids that lies in a range. Takes O(log *n*) key encodings.
    ///
    /// - Parameters:
    ///   - range: the range of keys.
    ///   - form: the key layout of the range, which must be that of the ids.
    func slice(in range: IndexKeyRange, _ form: IndexKeyForm) throws -> ArraySlice<Element> {
        /// Returns the position of the first id whose key is not less than the bound. A binary
        /// search.
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
    /// Returns the key range that a scan of the ids has not visited yet.
    func rest(of scan: IndexScan) -> IndexKeyRange {
        let range = range(of: scan)
        guard let after = scan.after else { return range }
        let place = key(values: after)
        return scan.isReversed ? range.before(place) : range.after(place)
    }
}

extension Array where Element: Comparable {
    /// Returns the position of the first element greater than a value. The array must be sorted.
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
