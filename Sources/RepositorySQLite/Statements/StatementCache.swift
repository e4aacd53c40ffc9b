internal import RepositoryRuntime

/// A cache of the prepared statements of a connection, keyed by their SQL.
///
/// It evicts by generations, which approximates least-recently-used eviction at a constant cost per
/// lookup. It contains at most twice ``generationLimit`` statements. Removing a statement from the
/// cache finalizes it as soon as it is no longer in use.
struct StatementCache {
    /// The number of statements in a generation. When a generation is full, the statements that
    /// were not used during the last one are finalized.
    static let generationLimit = 128

    /// The statements that were added or used in the current generation.
    private var young: [StatementText: SQLiteStatement] = [:]
    /// The statements of the previous generation that have not been used since.
    private var old: [StatementText: SQLiteStatement] = [:]

    /// The number of cached statements.
    var count: Int { young.count + old.count }

    /// Returns the cached statement for `text`, and moves it to the current generation.
    @inline(__always)
    mutating func find(_ text: String) -> SQLiteStatement? {
        if let statement = young[StatementText(text)] { return statement }
        guard let statement = old.removeValue(forKey: StatementText(text)) else { return nil }
        add(statement, text)
        return statement
    }

    /// Adds a statement that is not in the cache.
    mutating func add(_ statement: SQLiteStatement, _ text: String) {
        if young.count >= Self.generationLimit {
            old = young
            young = [:]
        }
        young[StatementText(text)] = statement
    }

    /// Removes all statements.
    mutating func removeAll() {
        young = [:]
        old = [:]
    }
}

/// The SQL of a statement, compared by its bytes.
///
/// Swift treats canonically equivalent strings as equal; SQLite treats them as different names.
struct StatementText: Hashable {
    /// The SQL.
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: Self, right: Self) -> Bool {
        String.isSameIdentifier(left.text, right.text)
    }

    func hash(into hasher: inout Hasher) { text.hashIdentifier(into: &hasher) }
}
