/// The description of a schema: the structure of the data, regardless of which program wrote it.
///
/// It contains only what affects the stored bytes: no Swift type names and no documentation. Earlier
/// names are part of it in memory only; see ``EarlierNames``.
package struct SchemaDescription: Sendable, Hashable {
    /// The name of the generated set.
    package let name: String
    /// The fingerprints of the schemas that the data has had, oldest first. The last one is the
    /// fingerprint of ``tables``.
    package let history: [String]
    /// The tables, sorted by name.
    package let tables: [StoredTable]

    /// The fingerprint of the current schema of the data.
    package var fingerprint: String { history.last ?? "" }

    /// Describes a declared schema.
    ///
    /// - Parameters:
    ///   - declared: the declared schema.
    ///   - previous: the previous description, whose history is continued.
    package init(_ declared: DeclaredSchema, after previous: SchemaDescription? = nil) {
        name = declared.name
        tables = declared.sortedTables
        let earlier = previous?.history ?? []
        history = earlier.filter { $0 != declared.fingerprint } + [declared.fingerprint]
    }

    /// Creates a description of tables that are sorted by name.
    package init(name: String, history: [String], tables: [StoredTable]) {
        self.name = name
        self.history = history
        self.tables = tables
    }
}

extension SchemaDescription {
    /// Returns the SHA-256 hash of everything that affects stored data, except enum cases. The order
    /// of tables, fields and indexes does not affect it.
    package static func fingerprint(of tables: [StoredTable]) -> String {
        var text = CanonicalText()
        text.add(tables.sorted { UTF8Order.precedes($0.name, $1.name) }) { $1.write(to: &$0) }
        return SHA256.hexadecimal(text.bytes)
    }

    /// Returns the SHA-256 hash of the cases of all enums and unions that the tables contain.
    ///
    /// Fingerprints do not include enum cases. Open enums have no recorded cases. The cases of a
    /// union are the members of the object that stores it. The order of tables, fields and cases
    /// does not affect the hash.
    package static func casesDigest(of tables: [StoredTable]) -> String {
        var text = CanonicalText()
        text.add(tables.sorted { UTF8Order.precedes($0.name, $1.name) }) { $1.writeCases(to: &$0) }
        return SHA256.hexadecimal(text.bytes)
    }

    /// Returns whether tables of the same name have the same enum cases and folded columns.
    package func hasSameDetails(as other: SchemaDescription) -> Bool {
        tables.allSatisfy { table in
            other.tables.first { $0.name == table.name }.map(table.hasSameDetails) ?? false
        }
    }
}
