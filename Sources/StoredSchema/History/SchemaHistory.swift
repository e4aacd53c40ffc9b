/// The released versions of a schema, with what each of them changed in stored data, up to the schema
/// of the program.
///
/// Generated sets contain it as JSON, so that it costs the compiler nothing but the text.
package struct SchemaHistory: Sendable, Hashable, Codable {
    /// The released versions without gaps, oldest first: from the oldest whose data is still read
    /// to the last one.
    package var versions: [SchemaVersion]
    /// The versions that reached data without a release.
    package var sides: [SideVersion]
    /// What the schema of the program has changed since the last version; nil if it is the last
    /// version.
    package var unreleased: [DataChange]?

    /// Creates a history.
    package init(
        versions: [SchemaVersion] = [], sides: [SideVersion] = [],
        unreleased: [DataChange]? = nil
    ) {
        self.versions = versions
        self.sides = sides
        self.unreleased = unreleased
    }

    /// The number of the last version; 0 if none has been released.
    package var lastNumber: Int { versions.last?.number ?? 0 }

    /// Returns the version with a number.
    package func version(_ number: Int) -> SchemaVersion? {
        versions.first { $0.number == number }
    }

    /// Returns the changes from a version to the schema of the program, with the number of the
    /// version that each of them belongs to. The unreleased ones belong to the next number.
    package func changes(after number: Int) -> [(number: Int, changes: [DataChange])] {
        let released = versions.filter { $0.number > number }.map { ($0.number, $0.changes) }
        return released + (unreleased.map { [(lastNumber + 1, $0)] } ?? [])
    }

    /// Returns the tables of a version, sorted by name; nil if there is no such version, or if the
    /// history does not contain the tables.
    package func tables(of number: Int) -> [StoredTable]? {
        guard version(number) != nil, var tables = versions.first?.tables else { return nil }
        for version in versions.dropFirst() where version.number <= number {
            let gone = (version.removedTables ?? []) + (version.tables ?? []).map(\.name)
            let names = Set(gone.map(SchemaVersion.Key.init))
            tables.removeAll { names.contains(SchemaVersion.Key($0.name)) }
            tables += version.tables ?? []
        }
        return tables.sorted { UTF8Order.precedes($0.name, $1.name) }
    }
}

extension SchemaVersion {
    /// The name of a table, compared by its bytes.
    fileprivate struct Key: Hashable {
        let bytes: [UInt8]

        init(_ name: String) { bytes = Array(name.utf8) }
    }
}

/// A released version of a schema.
package struct SchemaVersion: Sendable, Hashable, Codable {
    /// The number.
    package var number: Int
    /// The hash in the first line of its file: 64 hexadecimal digits.
    package var hash: String
    /// What identifies data of the version that has no version number.
    package var identity: SchemaIdentity
    /// What the version changed in data of the version before; empty for the oldest one.
    package var changes: [DataChange]
    /// The tables that differ from those of the version before, sorted by name: all of them for the
    /// oldest version. Nil if none differs, or if an earlier version of the generator wrote the
    /// history. Unmanaged tables are left out. See ``SchemaHistory/tables(of:)``.
    package var tables: [StoredTable]?
    /// The names of the tables of the version before that the version does not have, sorted; nil if
    /// there are none. The old name of a renamed table is one of them.
    package var removedTables: [String]?

    /// Creates a version.
    package init(
        number: Int, hash: String, identity: SchemaIdentity, changes: [DataChange],
        tables: [StoredTable]? = nil, removedTables: [String]? = nil
    ) {
        self.number = number
        self.hash = hash
        self.identity = identity
        self.changes = changes
        self.tables = tables
        self.removedTables = removedTables
    }

    /// Records how the tables differ from those of the version before.
    ///
    /// - Parameters:
    ///   - tables: the tables of the version.
    ///   - earlier: the tables of the version before; nil for the oldest version.
    package mutating func record(_ tables: [StoredTable], after earlier: [StoredTable]?) {
        let sorted = tables.sorted { UTF8Order.precedes($0.name, $1.name) }
        guard let earlier else {
            self.tables = sorted
            removedTables = nil
            return
        }
        let before = Dictionary(earlier.map { (Key($0.name), $0) }, uniquingKeysWith: { $1 })
        let names = Set(sorted.map { Key($0.name) })
        let changed = sorted.filter { before[Key($0.name)] != $0 }
        let removed = earlier.map(\.name).filter { !names.contains(Key($0)) }
        self.tables = changed.isEmpty ? nil : changed
        removedTables = removed.isEmpty ? nil : removed.sorted(by: UTF8Order.precedes)
    }
}

/// A version that reached data without a release.
package struct SideVersion: Sendable, Hashable, Codable {
    /// The name.
    package var name: String
    /// What identifies its data.
    package var identity: SchemaIdentity

    /// Creates a version.
    package init(name: String, identity: SchemaIdentity) {
        self.name = name
        self.identity = identity
    }
}

/// The hashes of a schema. Two schemas with equal hashes have the same stored data.
package struct SchemaIdentity: Sendable, Hashable, Codable {
    /// The fingerprint in stores of documents.
    package var documents: String
    /// The fingerprint in stores with columns.
    package var columns: String
    /// The digest of the enum and union cases; see ``SchemaDescription/casesDigest(of:)``.
    package var cases: String

    /// Creates an identity.
    package init(documents: String, columns: String, cases: String) {
        self.documents = documents
        self.columns = columns
        self.cases = cases
    }

    /// Returns the fingerprint in a store.
    package func fingerprint(_ form: SchemaComparison.Form) -> String {
        form == .documents ? documents : columns
    }
}
