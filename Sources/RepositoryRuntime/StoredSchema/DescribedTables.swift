internal import Synchronization

/// The tables of a schema as they are described beside the data, and their fingerprint.
///
/// Making them takes milliseconds in a program that is built for debugging, whose tests open a store for each case: those
/// made last are kept.
struct DescribedTables: Sendable {
    let tables: [StoredTable]
    let fingerprint: String

    private struct Kept: Sendable {
        let schema: StoreSchema
        let form: SchemaComparison.Form
        let described: DescribedTables
    }

    private static let limit = 8
    private static let kept = Mutex<[Kept]>([])

    private init(_ schema: StoreSchema, _ form: SchemaComparison.Form) {
        tables = schema.tables.filter { form == .documents || $0.isManaged }
            .map { StoredTable($0, in: schema) }
            .sorted { String.identifierPrecedes($0.name, $1.name) }
        fingerprint = StoredSchema.fingerprint(of: tables)
    }

    /// The tables of a schema in a store that keeps records in a form.
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
