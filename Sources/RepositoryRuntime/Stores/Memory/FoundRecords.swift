/// A cache of the results of equality lookups on all fields of one index.
///
/// Applications query the same few values repeatedly. A cached result is returned without copying
/// the array. An entry is removed when one of its records changes.
///
/// The cache holds at most as many records as the table, and at most ``most`` records per lookup.
///
/// There is one cache per index, in ``MemoryRows``. A result is cached only if it is complete, that
/// is, smaller than the limit of the lookup.
struct FoundRecords: Sendable {
    /// The maximum number of records in a cached result.
    static var most: Int { 64 }

    /// The cached results by the key of the field values.
    private var lists: [FoundKey: FoundList] = [:]
    /// The sum of the costs of the cached results.
    private var count = 0

    /// Returns the cached result for the values of all fields; nil if there is none.
    ///
    /// Hardly any index has more than one field, and most texts are short: their key needs no
    /// storage of its own.
    func list(_ values: [StoredValue], _ form: IndexKeyForm) -> FoundList? {
        if values.count == 1, form.writesFirstPlainly, case .text(let text) = values[0],
            let key = ShortIndexKey(text: text)
        {
            return lists[FoundKey(key)]
        }
        return lists[FoundKey(form.key(values: values))]
    }

    /// Caches a result. Clears the cache first if it would become too large.
    ///
    /// - Parameters:
    ///   - list: the result.
    ///   - fields: the key of the values looked up.
    ///   - most: the maximum total cost of the cached results.
    mutating func keep(_ list: FoundList, _ fields: IndexKey, most: Int) {
        if list.count > Self.most { return }
        if count + list.cost > most { self = FoundRecords() }
        if lists.updateValue(list, forKey: FoundKey(fields)) == nil { count += list.cost }
    }

    /// Removes the results that a change of a record with the given keys affects.
    mutating func forget(_ keys: [IndexKey?], _ form: IndexKeyForm) {
        if lists.isEmpty { return }
        for case let key? in keys {
            guard let fields = form.fields(of: key),
                let list = lists.removeValue(forKey: FoundKey(fields))
            else { continue }
            count -= list.cost
        }
    }
}

/// The key of the field values of a lookup. A short key is compared where it lies in the hash table,
/// without a read of memory elsewhere.
private struct FoundKey: Hashable {
    /// The key if it is short, otherwise its first bytes.
    private let short: ShortIndexKey
    /// The key if it is long, otherwise an empty key.
    private let whole: IndexKey

    init(_ key: IndexKey) {
        short = ShortIndexKey(key)
        whole = short.isWhole ? IndexKey([]) : key
    }

    init(_ key: ShortIndexKey) {
        short = key
        whole = IndexKey([])
    }

    static func == (left: FoundKey, right: FoundKey) -> Bool {
        left.short == right.short && (left.whole.bytes.isEmpty || left.whole == right.whole)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(short)
        if !whole.bytes.isEmpty { hasher.combine(whole) }
    }
}

/// A type-erased, immutable list of records of one table.
///
/// `@unchecked Sendable`: the object is immutable, and its only subclass adds an array of records,
/// which are `Sendable`.
class FoundList: @unchecked Sendable {
    /// The number of records.
    final let count: Int

    init(count: Int) {
        self.count = count
    }

    /// The cost of caching the list. An empty result costs 1, because it is cached too.
    final var cost: Int { max(1, count) }
}

/// An immutable list of records of one entity.
///
/// `@unchecked Sendable`: a subclass must repeat the conformance of ``FoundList``; it adds only a
/// constant.
final class FoundListOf<E: Entity>: FoundList, @unchecked Sendable {
    let entities: [E]

    init(_ entities: [E]) {
        self.entities = entities
        super.init(count: entities.count)
    }
}
