internal import Foundation

/// The tables in which Core Data describes a store: `Z_METADATA` and `Z_PRIMARYKEY`.
struct Bookkeeping {
    /// The identity of the store; it survives copies.
    let identity: String
    /// The version of the format.
    let version: Int
    /// The property list of `Z_METADATA`.
    let metadata: PlainValue
    /// The number of each entity by its name in `Z_PRIMARYKEY`.
    let numbers: [String: Int]
    /// The names and declared types of the columns of each table.
    let tables: [String: [(name: String, type: String)]]

    /// The entities from this number on belong to Core Data itself.
    static let firstReserved = 16_000

    /// Reads the tables.
    ///
    /// - Throws: ``CoreDataFileError`` if the database is no store of Core Data.
    init(_ database: Database) throws(CoreDataFileError) {
        var tables: [String: [(name: String, type: String)]] = [:]
        var names: [String] = []
        let list = try database.query("SELECT name FROM sqlite_master WHERE type = 'table'")
        while try list.step() { if let name = list.text(0) { names.append(name) } }
        for name in names {
            let columns = try database.query("PRAGMA table_info(\(Database.quoted(name)))")
            var found: [(String, String)] = []
            while try columns.step() {
                found.append((columns.text(1) ?? "", (columns.text(2) ?? "").uppercased()))
            }
            tables[name] = found
        }
        guard tables["Z_METADATA"] != nil, tables["Z_PRIMARYKEY"] != nil else {
            let hint = names.isEmpty ? " The database has no tables: the -wal may be missing." : ""
            throw CoreDataFileError(
                .otherFormat,
                "The database is not a store of Core Data: it has no tables Z_METADATA and Z_PRIMARYKEY.\(hint)"
            )
        }
        self.tables = tables
        let row = try database.query("SELECT Z_VERSION, Z_UUID, Z_PLIST FROM Z_METADATA")
        guard try row.step() else {
            throw CoreDataFileError(.damaged, "The table Z_METADATA is empty.")
        }
        version = row.integer(0) ?? 0
        identity = row.text(1) ?? ""
        guard version <= 1 else {
            throw CoreDataFileError(.unknown, "The store has the format version \(version).")
        }
        if case .blob(let data) = row.value(2), !data.isEmpty {
            metadata = try PlainValue(propertyList: Array(data))
        } else {
            metadata = .dictionary([])
        }
        var numbers: [String: Int] = [:]
        let keys = try database.query("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY")
        while try keys.step() {
            guard let number = keys.integer(0), let name = keys.text(1) else {
                throw CoreDataFileError(
                    .damaged, "The table Z_PRIMARYKEY has a row without a name.")
            }
            guard numbers.updateValue(number, forKey: name) == nil else {
                throw CoreDataFileError(
                    .damaged, "The table Z_PRIMARYKEY has two rows for \(name).")
            }
        }
        self.numbers = numbers
    }

    /// The hash of each entity of the store's configuration.
    var hashes: [String: Data] {
        metadata["NSStoreModelVersionHashes"]?.dataByKey ?? [:]
    }
}
