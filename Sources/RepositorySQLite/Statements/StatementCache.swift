internal import RepositoryRuntime

/// The prepared statements of a connection by their texts: those used last, and no more than twice
/// ``generationLimit`` of them.
struct StatementCache {
    /// How many statements are added or used again before those that were not are given up.
    static let generationLimit = 128

    private var young: [StatementText: SQLiteStatement] = [:]
    private var old: [StatementText: SQLiteStatement] = [:]

    /// How many statements there are.
    var count: Int { young.count + old.count }

    /// The statement of a text, if it is still there.
    @inline(__always)
    mutating func find(_ text: String) -> SQLiteStatement? {
        if let statement = young[StatementText(text)] { return statement }
        guard let statement = old.removeValue(forKey: StatementText(text)) else { return nil }
        add(statement, text)
        return statement
    }

    /// Adds a statement that is not there.
    mutating func add(_ statement: SQLiteStatement, _ text: String) {
        if young.count >= Self.generationLimit {
            old = young
            young = [:]
        }
        young[StatementText(text)] = statement
    }

    /// Gives up all of them.
    mutating func removeAll() {
        young = [:]
        old = [:]
    }
}

/// The text of a statement by its bytes: to Swift two names that look the same are one, to SQLite
/// two.
struct StatementText: Hashable {
    private let text: String

    init(_ text: String) { self.text = text }

    static func == (left: Self, right: Self) -> Bool {
        String.isSameIdentifier(left.text, right.text)
    }

    func hash(into hasher: inout Hasher) { text.hashIdentifier(into: &hasher) }
}
