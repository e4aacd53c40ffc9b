extension OrderedKeys {
    /// The first keys of a scan, in its order.
    ///
    /// - Parameters:
    ///   - scan: which keys, from which end, behind which place.
    ///   - form: the form of the keys.
    ///   - last: the key that was found last; nil for the place where the scan starts.
    func walk(
        _ scan: IndexScan, _ form: IndexKeyForm, after last: IndexKey? = nil, limit: Int
    ) throws -> [IndexKey] {
        let range = form.range(of: scan)
        let place = last ?? scan.after.map { form.key(values: $0) }
        if !scan.isReversed {
            return try ascending(place.map(range.after) ?? range, limit: limit)
        }
        var walk = ReversedWalk(keys: self, form: form, range: range, limit: limit)
        if let place { try walk.start(after: place) }
        return try walk.run()
    }
}

/// A walk from the end of an index, in which keys that differ in the id alone keep their order.
private struct ReversedWalk<Keys: OrderedKeys> {
    let keys: Keys
    let form: IndexKeyForm
    var range: IndexKeyRange
    let limit: Int
    private var result: [IndexKey] = []

    init(keys: Keys, form: IndexKeyForm, range: IndexKeyRange, limit: Int) {
        self.keys = keys
        self.form = form
        self.range = range
        self.limit = limit
    }

    /// Goes on behind a place: the rest of the keys that are equal to it, then those before them.
    mutating func start(after place: IndexKey) throws {
        guard let fields = form.fields(of: place) else { return }
        // Keys that are equal in all fields lie in the range together, or none of them does.
        if range.contains(place) { try take(fields, after: place) }
        range = range.before(fields)
    }

    mutating func run() throws -> [IndexKey] {
        while result.count < limit, !range.isEmpty {
            let count = min(limit - result.count, 256)
            let part = try keys.descending(range, limit: count)
            try take(part, isAll: part.count < count)
            if part.count < count { break }
        }
        return result
    }

    /// Takes keys from the last on, each group of equal ones turned round; the last group is read anew unless it is known
    /// to be whole.
    private mutating func take(_ part: [IndexKey], isAll: Bool) throws {
        var rest = part[...]
        while let first = rest.first, result.count < limit {
            guard let fields = form.fields(of: first) else { throw IndexFailure.noKey }
            let group = rest.prefix { $0.bytes.starts(with: fields.bytes) }
            rest = rest.dropFirst(group.count)
            if rest.isEmpty, !isAll {
                try take(fields, after: nil)
            } else {
                result += group.reversed().prefix(limit - result.count)
            }
            range = range.before(fields)
        }
    }

    private mutating func take(_ fields: IndexKey, after place: IndexKey?) throws {
        let group = IndexKeyRange(lower: fields, upper: fields.end)
        result += try keys.ascending(
            place.map(group.after) ?? group, limit: limit - result.count)
    }
}

/// What is wrong with an index that can be made anew from the records.
enum IndexFailure: Error {
    /// A page is not there, or is not as it was written.
    case brokenPage(Int)
    /// Nothing is known of the index.
    case noState
    /// A key is none of the index, or not there where it should be.
    case noKey
}
