/// The order of a query, compared in the columns of records in memory. It is the same as that of
/// the sort keys that ``RowOrder`` writes, but needs no memory for each record.
struct ColumnOrder: Sendable {
    /// One sort key: the position of its column in ``fields``, and the direction.
    struct Part: Sendable {
        let column: Int
        let descending: Bool
    }

    /// The fields whose columns are compared or needed of each result.
    let fields: [Int]
    /// The sort keys. The id needs no part: records are visited in the order of their ids.
    let parts: [Part]

    /// Compiles the order of some sort keys.
    ///
    /// - Parameters:
    ///   - fields: the fields that are needed of each result, those of the order among them.
    ///   - layout: the layout of the entity.
    /// - Returns: nil if a sort key is not a whole field, ignores case, or has a type without words.
    init?(_ sortKeys: [SortKey], fields: [Int], _ layout: FieldLayout) {
        var parts: [Part] = []
        for key in sortKeys {
            guard key.relative == nil, key.path.isPlain(below: layout.fields.count),
                layout.fields[key.path.field].type.hasSortWords,
                let column = fields.firstIndex(of: key.path.field)
            else { return nil }
            parts.append(Part(column: column, descending: key.direction == .descending))
        }
        self.fields = fields
        self.parts = parts
    }
}

extension RecordColumn {
    /// Compares the values of several records with a value of another leaf.
    ///
    /// - Parameters:
    ///   - bits: a bit for each record to compare.
    ///   - value: the value.
    ///   - descending: whether larger values come first.
    /// - Returns: the bits of the records that come before the value, and of those with an equal
    ///   one.
    func compare(
        _ bits: UInt64, with value: StoredValue, descending: Bool
    ) -> (before: UInt64, equal: UInt64) {
        let word = SortWord(value, descending: descending)
        var found = compare(bits, with: word, descending: descending)
        guard case .text(let text) = value, word.isBeginning(descending: descending) else {
            return found
        }
        let tied = found.equal
        found.equal = 0
        for place in 0..<64 where tied & (1 << UInt64(place)) != 0 {
            let order = self[place].textOrder(text)
            if order == 0 { found.equal |= 1 << UInt64(place) }
            if descending ? order > 0 : order < 0 { found.before |= 1 << UInt64(place) }
        }
        return found
    }

    /// Compares the values with a word, in a loop for each kind of column.
    private func compare(
        _ bits: UInt64, with word: SortWord, descending: Bool
    ) -> (before: UInt64, equal: UInt64) {
        switch self {
        case .integers(let values):
            Self.compare(bits, with: word) {
                SortWord(.integer(values[$0]), descending: descending)
            }
        case .doubles(let values):
            Self.compare(bits, with: word) {
                SortWord(.double(values[$0]), descending: descending)
            }
        case .texts(let values):
            Self.compare(bits, with: word) { SortWord(.text(values[$0]), descending: descending) }
        case .values(let values):
            Self.compare(bits, with: word) { SortWord(values[$0], descending: descending) }
        }
    }

    /// Compares a word for each bit with another one.
    @inline(__always)
    private static func compare(
        _ bits: UInt64, with other: SortWord, _ word: (Int) -> SortWord
    ) -> (before: UInt64, equal: UInt64) {
        var (rest, before, equal) = (bits, UInt64(0), UInt64(0))
        while rest != 0 {
            let bit = rest & (~rest &+ 1)
            let order = word(rest.trailingZeroBitCount).compare(other)
            if order < 0 { before |= bit }
            if order == 0 { equal |= bit }
            rest ^= bit
        }
        return (before, equal)
    }
}

extension StoredValue {
    /// Compares the bytes of two strings: below 0 if this one precedes the other; 0 if they are
    /// equal, or if this value is no string.
    func textOrder(_ other: String) -> Int {
        guard case .text(let text) = self else { return 0 }
        return String.identifierOrder(text, other)
    }
}
