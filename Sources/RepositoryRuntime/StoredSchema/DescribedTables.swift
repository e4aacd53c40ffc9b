internal import Synchronization

/// The descriptions of the tables of a schema, and their fingerprint.
///
/// Creating them takes milliseconds in a debug build, and tests often open one store per test case.
/// The most recent ones are therefore cached for the whole process.
struct DescribedTables: Sendable {
    /// The tables, sorted by name. In a store with columns, only the managed tables.
    let tables: [StoredTable]
    /// The fingerprint of the tables; see ``StoredSchema/fingerprint(of:)``.
    let fingerprint: String

    /// A cache entry.
    private struct Kept: Sendable {
        let schema: StoreSchema
        let form: SchemaComparison.Form
        let described: DescribedTables
    }

    /// The maximum number of cache entries. The oldest entry is evicted first.
    private static let limit = 8
    /// The cache, oldest entry first.
    private static let kept = Mutex<[Kept]>([])

    /// Describes the tables without the cache.
    private init(_ schema: StoreSchema, _ form: SchemaComparison.Form) {
        tables = schema.tables.filter { form == .documents || $0.isManaged }
            .map { StoredTable($0, in: schema) }
            .sorted { String.identifierPrecedes($0.name, $1.name) }
        fingerprint = StoredSchema.fingerprint(of: tables)
    }

    /// Returns the described tables of a schema, for a store that stores records as documents or in
    /// columns.
    static func of(_ schema: StoreSchema, _ form: SchemaComparison.Form) -> DescribedTables {
        let known = kept.withLock { kept in
            kept.first { $0.form == form && $0.schema == schema }?.described
        }
        if let known { return known }
        let described = DescribedTables(schema, form)
        kept.withLock { kept in
            if kept.count == limit { kept.removeFirst() }
            kept.append(Kept(schema: schema, form: form, described: described))
        }
        return described
    }
}
