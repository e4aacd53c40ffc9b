package import Foundation

/// The description that a store keeps beside its data: every table, and the sets that declare it.
///
/// Tables belong to the store, not to a set. A set lists the names of its tables, and two sets may
/// list the same table if they describe it alike. Opening compares each declared table with the
/// stored table of that name, whichever set created it.
///
/// Earlier programs kept one ``StoredSchema`` for each set (format 1). Reading merges them: see
/// ``init(merging:formats:preferring:)``. Decoding ignores keys that it does not know, so that a
/// later form can add optional keys without a new format number.
package struct StoreDescription: Sendable, Hashable, Codable {
    /// The format that this program writes, and the newest that it reads.
    package static let formatVersion = 2

    /// The format this description was written in.
    package private(set) var format = Self.formatVersion
    /// The number of times that the description was written. A running program compares it, and with
    /// it the whole description, to notice that another program has changed the schema.
    package var revision = 0
    /// The sets that declare tables of the store, by name.
    package var sets: [DescribedSet] = []
    /// The tables, by name.
    package var tables: [DescribedTable] = []
    /// The upgrade that a program began and did not finish.
    package var upgrade: UnfinishedUpgrade?

    /// Describes an empty store.
    package init() {}

    /// Merges the descriptions that earlier programs wrote, one for each set.
    ///
    /// Those programs let one set take over a table of another one. Such a table has several
    /// descriptions; the one of the preferred set counts here, and the other sets differ from it when
    /// they are opened.
    ///
    /// - Parameters:
    ///   - schemas: the descriptions.
    ///   - formats: the format of the records by the name of the set.
    ///   - set: the set whose description of a table counts if there are several.
    package init(
        merging schemas: [StoredSchema], formats: [String: String] = [:], preferring set: String
    ) {
        let preferred = schemas.filter { String.isSameIdentifier($0.name, set) }
        let others = schemas.filter { !String.isSameIdentifier($0.name, set) }
        for schema in preferred + others { merge(schema, format: formats[schema.name]) }
    }

    /// Adds a set that an earlier program described. The tables that are described already stay.
    package mutating func merge(_ schema: StoredSchema, format: String? = nil) {
        sets.append(
            DescribedSet(
                name: schema.name, tables: schema.tables.map(\.name), history: schema.history))
        for table in schema.tables where self.table(table.name) == nil {
            tables.append(DescribedTable(table: table, recordFormat: format))
        }
        sort()
    }
}

/// A set as a store's description lists it.
package struct DescribedSet: Sendable, Hashable, Codable {
    /// The name of the set.
    package var name: String
    /// The names of its tables.
    package var tables: [String]
    /// The fingerprints of the schemas that the set has had, oldest first.
    package var history: [String]
    /// Whether a reset of the set began and has not finished.
    package var isBeingReset: Bool?
}

/// A table as a store's description lists it.
package struct DescribedTable: Sendable, Hashable, Codable {
    /// What the table looks like.
    package var table: StoredTable
    /// The format of the records in a store of documents: `json`.
    package var recordFormat: String?
    /// How records that an earlier schema wrote are read; nil if a program wrote the description that
    /// did not record it.
    package var readings: [StoredReading]?
}

/// An upgrade that a program began and did not finish: it may have renamed collections of documents.
package struct UnfinishedUpgrade: Sendable, Hashable, Codable {
    /// The set that was being opened.
    package var set: String
    /// The fingerprint of the schema that it was being opened with.
    package var fingerprint: String
    /// What tells a rewriting of records that has happened from those of earlier upgrades.
    package var token: Int?
}

extension StoreDescription {
    /// The table of a name.
    package func table(_ name: String) -> DescribedTable? {
        tables.first { String.isSameIdentifier($0.table.name, name) }
    }

    /// The set of a name.
    package func set(_ name: String) -> DescribedSet? {
        sets.first { String.isSameIdentifier($0.name, name) }
    }

    /// The names of the sets that list a table, apart from some.
    package func owners(ofTable name: String, except excluded: Set<String> = []) -> [String] {
        sets.filter { set in
            !excluded.contains(set.name) && set.isBeingReset != true
                && set.tables.contains { String.isSameIdentifier($0, name) }
        }.map(\.name)
    }

    /// The tables that only this set lists.
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

    /// Changes the entry of a set.
    package mutating func change(set name: String, _ body: (inout DescribedSet) -> Void) {
        for index in sets.indices where String.isSameIdentifier(sets[index].name, name) {
            body(&sets[index])
        }
    }

    mutating func sort() {
        sets.sort { String.identifierPrecedes($0.name, $1.name) }
        tables.sort { String.identifierPrecedes($0.table.name, $1.table.name) }
    }
}

extension StoreDescription {
    /// The description as JSON, which has the same bytes for the same description.
    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    /// Reads the description of JSON.
    ///
    /// - Parameters:
    ///   - json: what ``json()`` wrote.
    ///   - store: the kind of store it was found in, for the message.
    /// - Throws: `schemaMismatch` for a description in a newer format, and for JSON that is none.
    package init(json: Data, store: String) throws {
        self = try StoredSchema.decode(
            Self.self, from: json, upTo: Self.formatVersion, store: store)
    }

    /// The format of a description in any format.
    ///
    /// - Throws: `schemaMismatch` for JSON that is no description.
    package static func format(of json: Data, store: String) throws -> Int {
        try StoredSchema.format(of: json, store: store)
    }

    /// What stands in place of a description of format 1, so that the programs that wrote it throw
    /// `schemaMismatch` and do not take the set for a new one.
    package static let successorMark = Data("{\"format\": \(formatVersion)}".utf8)
}
