/// A schema as a program or a folder of schemas declares it, ready to be compared with a stored
/// description.
package struct DeclaredSchema: Sendable {
    /// The name of the set.
    package let name: String
    /// The tables with their earlier names, in the order in which a store creates them: as far as
    /// possible, a table follows the tables that it refers to.
    package let tables: [StoredTable]
    /// The tables, sorted by name.
    package let sortedTables: [StoredTable]
    /// The names of all declared tables, including those that the store does not manage and that
    /// ``tables`` therefore lacks.
    package let names: Set<String>
    /// The fingerprint of the tables; see ``SchemaDescription/fingerprint(of:)``.
    package let fingerprint: String

    /// Describes a schema and computes its fingerprint.
    ///
    /// - Parameters:
    ///   - name: the name of the set.
    ///   - tables: the tables that are stored, in the order in which a store creates them.
    ///   - unmanaged: the names of other declared tables.
    package init(name: String, tables: [StoredTable], unmanaged: [String] = []) {
        self.name = name
        self.tables = tables
        sortedTables = tables.sorted { UTF8Order.precedes($0.name, $1.name) }
        names = Set(tables.map(\.name)).union(unmanaged)
        fingerprint = SchemaDescription.fingerprint(of: sortedTables)
    }

    /// The digest of the enum and union cases; see ``SchemaDescription/casesDigest(of:)``.
    package var casesDigest: String { SchemaDescription.casesDigest(of: sortedTables) }

    /// Returns the stored table with a name.
    package func table(_ name: String) -> StoredTable? {
        sortedTables.first { $0.name == name }
    }
}
