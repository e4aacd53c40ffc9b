extension OrderedKeys {
    /// Returns the first keys of a scan, in its order.
    ///
    /// - Parameters:
    ///   - scan: the range, the direction, and the position after which to start.
    ///   - form: the key layout.
    ///   - last: the last key already found; nil to start at the position of the scan.
    ///   - limit: the maximum number of keys.
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

/// A scan from the end of an index. Keys with equal fields stay in ascending order of their ids.
///
/// The walk reads keys in descending order in batches, and reverses each group of keys with equal
/// fields.
///
/// A key consists of the fields followed by the id. Reversing a scan must reverse the order of the
/// fields only, because records with equal fields are always returned in id order.
private struct ReversedWalk<Keys: OrderedKeys> {
    /// The keys of the index.
    let keys: Keys
    /// The key layout, to find the end of the fields within a key.
    let form: IndexKeyForm
    /// The part of the range not yet visited.
    var range: IndexKeyRange
    /// The maximum number of keys to return.
    let limit: Int
    /// The keys found so far.
    private var result: [IndexKey] = []

    init(keys: Keys, form: IndexKeyForm, range: IndexKeyRange, limit: Int) {
        self.keys = keys
        self.form = form
        self.range = range
        self.limit = limit
    }

    /// Continues after a key: first the remaining keys with equal fields, then the keys before
    /// them.
    mutating func start(after place: IndexKey) throws {
        guard let fields = form.fields(of: place) else { return }
        // Keys with equal fields are either all in the range or all outside.
        if range.contains(place) { try take(fields, after: place) }
        range = range.before(fields)
    }

    /// Reads batches until the limit or the start of the range is reached.
    mutating func run() throws -> [IndexKey] {
        while result.count < limit, !range.isEmpty {
            let count = min(limit - result.count, 256)
            let part = try keys.descending(range, limit: count)
            try take(part, isAll: part.count < count)
            if part.count < count { break }
        }
        return result
    }

    /// Appends keys given in descending order, with each group of keys with equal fields reversed.
    ///
    /// The last group may be incomplete. It is read again, unless the batch is known to be the last
    /// one.
    ///
    /// - Parameters:
    ///   - part: the keys of a batch, in descending order.
    ///   - isAll: whether the batch reaches the start of the range.
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

    /// Appends the group of keys with the given fields in ascending order, starting after a key if
    /// one is given.
    private mutating func take(_ fields: IndexKey, after place: IndexKey?) throws {
        let group = IndexKeyRange(lower: fields, upper: fields.end)
        result += try keys.ascending(
            place.map(group.after) ?? group, limit: limit - result.count)
    }
}

/// An index failure that is fixed by rebuilding the index from the records.
enum IndexFailure: Error {
    /// A page is missing or damaged.
    case brokenPage(Int)
    /// The index has no stored state.
    case noState
    /// The bytes are not a key of the index, or an expected key is missing.
    case noKey
}
