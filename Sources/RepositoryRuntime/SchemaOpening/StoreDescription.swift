package import Foundation
package import StoredSchema

/// The description that a store saves with its data: all tables, and the sets that declare them.
///
/// A set is the named schema of one generated set of repositories. Tables belong to the store, not
/// to a set. A set lists the names of its tables, and two sets may list the same table if they
/// describe it equivalently. Opening a set compares each declared table with the stored table of
/// that name, regardless of which set created it.
///
/// Decoding ignores unknown keys, so that later versions of the library can add optional keys
/// without a new format number.
package struct StoreDescription: Sendable, Hashable, Codable {
    /// The format version that this version of the library writes and reads. Programs before the
    /// first release wrote the formats 1 to 3, which are not read.
    package static let formatVersion = 4

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
    /// and the following properties are nil for a set without released versions.
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
    /// How to read records of earlier schemas; nil in a store that does not store documents.
    package var readings: [StoredReading]?
    /// The names of removed fields, which documents may still contain; nil if there are none.
    package var removedNames: [String]?
}

/// An upgrade of documents that a program began and did not finish. Every program can complete it,
/// once the documents have changed, and can undo it before.
package struct UnfinishedUpgrade: Sendable, Hashable, Codable {
    /// A table that is renamed.
    package struct Renaming: Sendable, Hashable, Codable {
        /// The stored name.
        package var from: String
        /// The new name.
        package var to: String
    }

    /// The name of the set that was being opened.
    package var set: String
    /// A number that distinguishes the batch of this upgrade from those of earlier ones.
    package var token: Int
    /// The collections to remove.
    package var removed: [String] = []
    /// The collections to rename.
    package var renamed: [Renaming] = []
    /// The tables whose indexes are rebuilt.
    package var reindexed: [String] = []
    /// The description after the upgrade: one element.
    package var result: [StoreDescription] = []
    /// The tables whose new documents lie beside the stored ones and replace those with the same
    /// keys; nil if the documents change in a batch. With this list, the upgrade is committed.
    package var placed: [String]?
    /// The collections whose documents are removed first.
    package var cleared: [String]?
    /// Whether they have been removed.
    package var isCleared: Bool?
    /// The tables whose external data is removed; nil if there are none.
    package var removedExternalData: [String]?
    /// The tables whose external data gets another name, all at once; nil if there are none.
    package var renamedExternalData: [Renaming]?
    /// Whether the external data of the renamed tables lies under temporary names.
    package var isExternalDataAside: Bool?
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
        return try encoder.encode(self)
    }

    /// Decodes a description from JSON.
    ///
    /// - Parameters:
    ///   - json: the result of ``json()``.
    ///   - store: the kind of store, for the error message.
    /// - Throws: `schemaMismatch` for another format version, and for invalid JSON.
    package init(json: Data, store: String) throws {
        let difference: String
        do {
            let format = try JSONDecoder().decode(Header.self, from: json).format
            if format == Self.formatVersion {
                self = try JSONDecoder().decode(Self.self, from: json)
                return
            }
            let writer =
                format > Self.formatVersion
                ? "a newer program" : "an unreleased version of this package"
            difference =
                "it was written by \(writer): its description has the form \(format), and this program reads the form \(Self.formatVersion)"
        } catch {
            var mismatch = CRUDRepositoryError.schemaMismatch(
                store: store, differences: ["the description of its schema cannot be read"])
            mismatch.underlyingError = error
            throw mismatch
        }
        throw CRUDRepositoryError.schemaMismatch(store: store, differences: [difference])
    }

    /// The part of a description that can be decoded in every format.
    private struct Header: Decodable {
        let format: Int
    }
}
