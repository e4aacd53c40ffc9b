package import Foundation
package import StoredSchema

/// The description that a store saves with its data: all tables, and the sets that declare them.
///
/// A set is the named schema of one generated set of repositories. Tables belong to the store, not
/// to a set. A set lists the names of its tables, and two sets may list the same table if they
/// describe it equivalently. Opening a set compares each declared table with the stored table of
/// that name, regardless of which set created it.
///
/// Earlier versions of the library saved one ``SchemaDescription`` per set (format 1). These are
/// merged when read; see ``init(merging:formats:preferring:)``. Decoding ignores unknown keys, so
/// that later versions can add optional keys without a new format number.
package struct StoreDescription: Sendable, Hashable, Codable {
    /// The format version that this version of the library writes, except during a migration.
    package static let formatVersion = 2
    /// The format version while documents that lie beside the stored ones are put in place, and the
    /// newest that this version of the library reads. Earlier versions reject the store until a
    /// program of this version has finished.
    private static let placingVersion = 3

    /// The format version of this description.
    package private(set) var format = Self.formatVersion
    /// The number of times that the description was written. A running program compares the whole
    /// description, including this number, to detect that another program has changed the schema.
    package var revision = 0
    /// The sets that declare tables of the store, sorted by name.
    package var sets: [DescribedSet] = []
    /// The tables, sorted by name.
    package var tables: [DescribedTable] = []
    /// An upgrade that a program began and did not finish.
    package var upgrade: UnfinishedUpgrade?

    /// Describes an empty store.
    package init() {}

    /// Merges the descriptions that earlier versions of the library wrote, one for each set.
    ///
    /// Those versions allowed one set to take over a table of another set, so a table can have
    /// several descriptions. The description in the preferred set is used. The other sets differ
    /// from it when they are opened.
    ///
    /// - Parameters:
    ///   - schemas: the descriptions.
    ///   - formats: the format of the records, by the name of the set.
    ///   - set: the set whose description of a table takes precedence.
    package init(
        merging schemas: [SchemaDescription], formats: [String: String] = [:],
        preferring set: String
    ) {
        let preferred = schemas.filter { String.isSameIdentifier($0.name, set) }
        let others = schemas.filter { !String.isSameIdentifier($0.name, set) }
        for schema in preferred + others { merge(schema, format: formats[schema.name]) }
    }

    /// Adds a set that an earlier version of the library described. Tables that are already
    /// described are not changed.
    package mutating func merge(_ schema: SchemaDescription, format: String? = nil) {
        sets.append(
            DescribedSet(
                name: schema.name, tables: schema.tables.map(\.name), history: schema.history))
        for table in schema.tables where self.table(table.name) == nil {
            tables.append(DescribedTable(table: table, recordFormat: format))
        }
        sort()
    }
}

/// A set in the store description.
package struct DescribedSet: Sendable, Hashable, Codable {
    /// The name of the set.
    package var name: String
    /// The names of its tables.
    package var tables: [String]
    /// The fingerprints of the schemas that the set has had, oldest first.
    package var history: [String]
    /// Whether a reset of the set began and has not finished.
    package var isBeingReset: Bool?
    /// The number of the released version that the data has; nil if none has been released. This
    /// and the following properties are nil for a set without released versions, so that its
    /// description remains the same as in earlier versions of the library.
    package var version: Int?
    /// The hash of that version.
    package var versionHash: String?
    /// Whether an unreleased schema has changed the data since.
    package var isUnreleased: Bool?
    /// The digest of the enum and union cases of its tables.
    package var cases: String?
    /// The last version whose step changed stored values or dropped them. A program that does not
    /// know it must not write.
    package var valuesChangedIn: Int?
    /// The revision of the description before the first of the migrations of the set that were
    /// begun and discarded since its last change. The file of what a discarded migration has set
    /// aside names it; nil if there was none.
    package var discardedAt: Int?
}

/// A table in the store description.
package struct DescribedTable: Sendable, Hashable, Codable {
    /// The structure of the table.
    package var table: StoredTable
    /// The format of the records in a store of documents, such as `json`.
    package var recordFormat: String?
    /// How to read records of earlier schemas; nil if the description was written by a version of
    /// the library that did not record it.
    package var readings: [StoredReading]?
    /// The names of removed fields, which documents may still contain; nil if there are none.
    package var removedNames: [String]?
}

/// An upgrade that a program began and did not finish. Collections of documents may already have
/// been renamed.
package struct UnfinishedUpgrade: Sendable, Hashable, Codable {
    /// The name of the set that was being opened.
    package var set: String
    /// The fingerprint of the schema with which it was being opened.
    package var fingerprint: String
    /// A number that distinguishes a completed rewrite of records from those of earlier upgrades.
    package var token: Int?
    /// What remains to be done after the batch of a migration; nil for any other upgrade.
    package var migration: UnfinishedMigration?
}

/// The end of a migration of documents. Every program can complete it, once the batch that changes
/// the documents has been applied, and can undo it before.
package struct UnfinishedMigration: Sendable, Hashable, Codable {
    /// A table that is renamed.
    package struct Renaming: Sendable, Hashable, Codable {
        /// The stored name.
        package var from: String
        /// The new name.
        package var to: String
    }

    /// The collections to remove.
    package var removed: [String] = []
    /// The collections to rename.
    package var renamed: [Renaming] = []
    /// The tables whose indexes are rebuilt.
    package var reindexed: [String] = []
    /// The description after the migration: one element.
    package var result: [StoreDescription] = []
    /// The tables whose new documents lie beside the stored ones and replace those with the same
    /// keys; nil if the documents change in a batch. With this list, the migration is committed.
    package var placed: [String]?
    /// The collections whose documents are removed first.
    package var cleared: [String]?
    /// Whether they have been removed.
    package var isCleared: Bool?
}

extension StoreDescription {
    /// Returns the table with a name.
    package func table(_ name: String) -> DescribedTable? {
        tables.first { String.isSameIdentifier($0.table.name, name) }
    }

    /// Returns the set with a name.
    package func set(_ name: String) -> DescribedSet? {
        sets.first { String.isSameIdentifier($0.name, name) }
    }

    /// Notes the revision before the first discarded migration of a set.
    mutating func setDiscarded(_ revision: Int?, of name: String) {
        for index in sets.indices where String.isSameIdentifier(sets[index].name, name) {
            sets[index].discardedAt = revision
        }
    }

    /// Returns the names of the sets that list a table, except the excluded sets and those being
    /// reset.
    package func owners(ofTable name: String, except excluded: Set<String> = []) -> [String] {
        sets.filter { set in
            !excluded.contains(set.name) && set.isBeingReset != true
                && set.tables.contains { String.isSameIdentifier($0, name) }
        }.map(\.name)
    }

    /// Returns the tables that only this set lists.
    package func tables(onlyOf set: String) -> [DescribedTable] {
        guard let names = self.set(set)?.tables else { return [] }
        return tables.filter { table in
            names.contains { String.isSameIdentifier($0, table.table.name) }
                && owners(ofTable: table.table.name, except: [set]).isEmpty
        }
    }

    /// Removes a set and the tables that no other set lists.
    package mutating func remove(set: String) {
        let own = tables(onlyOf: set).map(\.table.name)
        tables.removeAll { table in
            own.contains { String.isSameIdentifier($0, table.table.name) }
        }
        sets.removeAll { String.isSameIdentifier($0.name, set) }
    }

    /// Changes the entry of a set. Does nothing if there is none.
    package mutating func change(set name: String, _ body: (inout DescribedSet) -> Void) {
        for index in sets.indices where String.isSameIdentifier(sets[index].name, name) {
            body(&sets[index])
        }
    }

    /// Restores the order of sets and tables, on which the canonical encoding depends.
    mutating func sort() {
        sets.sort { String.identifierPrecedes($0.name, $1.name) }
        tables.sort { String.identifierPrecedes($0.table.name, $1.table.name) }
    }
}

extension StoreDescription {
    /// Returns the description as canonical JSON.
    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        var written = self
        if upgrade?.migration?.placed != nil { written.format = Self.placingVersion }
        return try encoder.encode(written)
    }

    /// Decodes a description from JSON.
    ///
    /// - Parameters:
    ///   - json: the result of ``json()``.
    ///   - store: the kind of store, for the error message.
    /// - Throws: `schemaMismatch` for a newer format version, and for invalid JSON.
    package init(json: Data, store: String) throws {
        self = try SchemaDescription.decode(
            Self.self, from: json, upTo: Self.placingVersion, store: store)
        format = Self.formatVersion
    }

    /// Returns the format version of a description.
    ///
    /// - Throws: `schemaMismatch` for JSON that is not a description.
    package static func format(of json: Data, store: String) throws -> Int {
        try SchemaDescription.format(of: json, store: store)
    }

    /// The placeholder that replaces a description of format 1, so that earlier versions of the
    /// library throw `schemaMismatch` instead of treating the set as new.
    package static let successorMark = Data("{\"format\": \(formatVersion)}".utf8)
}
