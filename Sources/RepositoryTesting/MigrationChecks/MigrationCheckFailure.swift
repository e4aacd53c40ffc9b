/// Data of a released version that a store did not migrate as declared.
///
/// All values in it are random values that the check created.
public struct MigrationCheckFailure: Error, Sendable {
    /// The version of the data; 0 if the failure concerns all of them.
    public var version: Int
    /// The kind of store; empty if the failure does not concern a store.
    public var store: String
    /// The name of the present table.
    public var table: String?
    /// The id of the record, as text.
    public var record: String?
    /// The problem, as a sentence.
    public var message: String
    /// What the declared changes give.
    public var expected: String?
    /// What the store gives.
    public var actual: String?
    /// The seed that repeats the check.
    public var seed: UInt64

    /// Describes a failure.
    init(
        version: Int, store: String, table: String? = nil, record: String? = nil, message: String,
        expected: String? = nil, actual: String? = nil, seed: UInt64
    ) {
        self.version = version
        self.store = store
        self.table = table
        self.record = record
        self.message = message
        self.expected = expected
        self.actual = actual
        self.seed = seed
    }
}

extension MigrationCheckFailure: CustomStringConvertible {
    /// The version, the store, the record, both values, and how to repeat the check.
    public var description: String {
        var text = version > 0 ? "Data of version \(version)" : "The migration"
        if !store.isEmpty { text += " in the store '\(store)'" }
        if let table { text += ", table '\(table)'" }
        if let record { text += ", record '\(record)'" }
        text += ": \(message)"
        if let expected { text += "\n  expected: \(expected)" }
        if let actual { text += "\n  actual:   \(actual)" }
        return text + "\n  To repeat the check, pass 'seed: \(seed)'."
    }
}

/// What a check of migrations has done.
public struct MigrationCheckReport: Sendable {
    /// The seed that repeats the check.
    public var seed: UInt64
    /// The released versions whose data was migrated.
    public var versions: [Int] = []
    /// The kinds of stores, in the order in which they were checked.
    public var stores: [String] = []
    /// The stores that were not checked, because they do not keep data or have no external data.
    public var skippedStores: [String] = []
    /// The number of records that were migrated and compared.
    public var records = 0
    /// The number of calls of migration functions.
    public var calls = 0
    /// The number of records that were not stored, by version, table and reason. The declared
    /// migration of such a record fails, as documented, or no valid value for it was found.
    public var leftOut: [String: Int] = [:]
}

extension MigrationCheckReport: CustomStringConvertible {
    /// The counts in one line, and a line for each reason for which records were left out.
    public var description: String {
        let numbers = versions.map(String.init).joined(separator: ", ")
        let lines = leftOut.sorted { $0.key < $1.key }.map {
            "\n  left out: \($0.value) × \($0.key)"
        }
        let skipped = skippedStores.map { "\n  skipped: \($0), which does not keep all data" }
        return
            "\(records) records of the versions \(numbers) on \(stores.count) stores, \(calls) calls of functions, seed \(seed)"
            + lines.joined() + skipped.joined()
    }
}
