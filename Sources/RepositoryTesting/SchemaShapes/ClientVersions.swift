package import RepositoryRuntime
internal import StoredSchema

/// The versions of clients whose addresses become records of their own, and one record again.
enum ClientVersions {
    typealias First = VersionedRecord<One>
    typealias Second = VersionedRecord<Two>
    typealias AddressRecord = VersionedRecord<Addresses>
    typealias Order = VersionedRecord<Orders>
    typealias Total = VersionedRecord<Totals>

    /// A client with its address.
    enum One: VersionShape {
        static let table = make("clients") { table in
            table.field("name", .text, rules: FieldRules(minLength: 1))
            table.field("city", .text, optional: true)
            table.index("clients_name", ["name"])
        }
    }

    /// A client that refers to its address.
    enum Two: VersionShape {
        static let table = make("clients") { table in
            table.field("name", .text, rules: FieldRules(minLength: 1))
            table.field(
                "addressID", .text, optional: true, reference: TableReference("addresses"))
            table.index("clients_name", ["name"])
        }
    }

    /// Addresses.
    enum Addresses: VersionShape {
        static let table = make("addresses") { table in
            table.field("city", .text, rules: FieldRules(maxLength: 20))
            table.index("addresses_city", ["city"], unique: true)
        }
    }

    /// Orders of clients.
    enum Orders: VersionShape {
        static let table = make("orders") { table in
            table.field("clientID", .text, reference: TableReference("clients", onDelete: .cascade))
            table.field("price", .int64)
        }
    }

    /// The sum of the orders of a client.
    enum Totals: VersionShape {
        static let table = make("totals") { table in
            table.field("price", .int64, rules: FieldRules(minimum: .integer(0)))
        }
    }

    /// The stored description of tables.
    static func stored(_ tables: [EntityTable], _ entities: [any Entity.Type]) -> [StoredTable] {
        let schema = StoreSchema("Clients", entities)
        return tables.map { StoredTable($0, in: schema) }
    }

    /// The change that splits clients.
    static let split = DataChange.tables(
        ["clients"],
        new: stored([Addresses.table, Two.table], [AddressRecord.self, Second.self]),
        function: "split")

    /// The change that merges them.
    static let merge = DataChange.tables(
        ["clients", "addresses"], new: stored([One.table], [First.self]), function: "merge")

    /// Gives every city one address.
    static let splitting: MigrationTablesFunction = { tables in
        let old: MigrationReader<PlainRecord, String> = tables.reader("clients")
        let clients: MigrationWriter<PlainRecord> = tables.writer("clients")
        let addresses: MigrationWriter<PlainRecord> = tables.writer("addresses")
        var cities: Set<String> = []
        for client in old {
            let city: String? = try client.row.value("city")
            if let city, cities.insert(city).inserted {
                try addresses.insert(PlainRecord(["id": .text("at " + city), "city": .text(city)]))
            }
            try clients.insert(
                PlainRecord([
                    "id": client.row["id"], "name": client.row["name"],
                    "addressID": city.map { .text("at " + $0) } ?? .null,
                ]))
        }
    }

    /// Writes the city into each client.
    static let merging: MigrationTablesFunction = { tables in
        let old: MigrationReader<PlainRecord, String> = tables.reader("clients")
        let addresses: MigrationReader<PlainRecord, String> = tables.reader("addresses")
        let clients: MigrationWriter<PlainRecord> = tables.writer("clients")
        for client in old {
            let id: String? = try client.row.value("addressID")
            let address = try id.flatMap { try addresses[$0] }
            try clients.insert(
                PlainRecord([
                    "id": client.row["id"], "name": client.row["name"],
                    "city": address?.row["city"] ?? .null,
                ]))
        }
    }
}

/// A record of an old version with untyped values.
package struct PlainRecord: FrozenRecord {
    /// The values.
    package var row: MigrationRow

    /// Creates a record from values by field.
    package init(_ values: KeyValuePairs<String, StoredValue>) {
        row = MigrationRow()
        for (name, value) in values { row[name] = value }
    }

    /// Creates a record from its stored values.
    package init(_ row: MigrationRow) { self.row = row }

    /// Adds all values.
    package func write(to row: inout MigrationRow) { row = self.row }
}
