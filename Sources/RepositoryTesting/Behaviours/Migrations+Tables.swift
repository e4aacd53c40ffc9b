internal import RepositoryRuntime
internal import StoredSchema

/// Functions that migrate several tables together.
extension StoreBehaviour {
    private typealias First = ClientVersions.First
    private typealias Second = ClientVersions.Second
    private typealias AddressRecord = ClientVersions.AddressRecord
    private typealias Order = ClientVersions.Order
    private typealias Total = ClientVersions.Total

    /// Functions of versions over several tables.
    static let tableMigrations: [StoreBehaviour] = [
        migration("migrations.split", "A function splits the records of a table into two tables.") {
            trial in
            let (first, second) = try splitting(ClientVersions.splitting)
            try await trial.fillClients(first)
            let clients = try await trial.reopened(ClientVersions.Two.self, second)
            try await expect(
                clients.fetch(),
                is: [
                    Second("a", .text("A"), .text("at Rome")), Second("b", .text("B"), .null),
                    Second("c", .text("C"), .text("at Rome")),
                    Second("d", .text("D"), .text("at Oslo")),
                ])
            let addresses = try await trial.reopened(ClientVersions.Addresses.self, second)
            try await expect(
                addresses.fetch(),
                is: [
                    AddressRecord("at Oslo", .text("Oslo")),
                    AddressRecord("at Rome", .text("Rome")),
                ])
            try await expectError(.constraintViolated) {
                try await addresses.create(AddressRecord("x", .text("Rome")))
            }
            try await expectError(.constraintViolated) {
                try await clients.create(Second("x", .text("X"), .text("nowhere")))
            }
        },
        migration("migrations.merged", "A function merges the records of two tables into one.") {
            trial in
            let (first, _) = try splitting(ClientVersions.splitting)
            try await trial.fillClients(first)
            let before = try await trial.versioned(ClientVersions.One.self, first).fetch()
            let merged = try mergedProgram()
            try await expect(
                trial.reopened(ClientVersions.One.self, merged).fetch(), is: before)
            // Step by step.
            try await trial.fresh { other in
                let (first, second) = try splitting(ClientVersions.splitting)
                try await other.fillClients(first)
                _ = try await other.reopened(ClientVersions.Two.self, second).count()
                try await expect(
                    other.reopened(ClientVersions.One.self, merged).fetch(), is: before)
            }
        },
        migration(
            "migrations.readings",
            "A function reads by id, by reference and by index, also after changes of earlier versions."
        ) { trial in
            var chain = VersionChain()
            chain.release([First.self, Order.self])
            let first = try chain.schema([First.self, Order.self])
            try await trial.fillClients(first)
            try await trial.versioned(ClientVersions.Orders.self, first).createAll([
                Order("1", .text("a"), .integer(1)), Order("2", .text("c"), .integer(2)),
                Order("3", .text("a"), .integer(4)),
            ])
            chain.release(
                [First.self, Order.self],
                [
                    .records(
                        "orders",
                        fields: ClientVersions.stored(
                            [ClientVersions.Orders.table], [First.self, Order.self])[0].fields,
                        function: "double")
                ])
            chain.release(
                [Total.self],
                [
                    .tables(
                        ["clients", "orders"],
                        new: ClientVersions.stored([ClientVersions.Totals.table], [Total.self]),
                        function: "sum")
                ])
            let calls = CallCounter()
            let schema = try chain.schema(
                [Total.self],
                functions: [
                    "double": { old, new in
                        calls.add(try old.value("id", as: String.self))
                        new.set(try old.value("price", as: Int.self) * 2, "price")
                        return true
                    }
                ],
                tables: [
                    "sum": { tables in
                        let clients: MigrationReader<PlainRecord, String> = tables.reader("clients")
                        let orders: MigrationReader<PlainRecord, String> = tables.reader("orders")
                        let totals: MigrationWriter<PlainRecord> = tables.writer("totals")
                        for client in clients {
                            let id: String = try client.row.value("id")
                            var sum = 0
                            for order in orders.records(where: ["clientID": id]) {
                                sum += try order.row.value("price", as: Int.self)
                                let number: String = try order.row.value("id")
                                let again = try orders[number]
                                try expect(again?.row["clientID"] == .text(id), "By id: \(number)")
                            }
                            let name: String = try client.row.value("name")
                            let named = clients.records(where: ["name": name])
                            try expect(named.map { $0.row["id"] }, is: [.text(id)])
                            try totals.insert(
                                PlainRecord(["id": .text(id), "price": .integer(Int64(sum))]))
                        }
                        try expect(try clients["z"] == nil, "There is no such client.")
                    }
                ])
            try await expect(
                trial.reopened(ClientVersions.Totals.self, schema).fetch(),
                is: [
                    Total("a", .integer(10)), Total("b", .integer(0)), Total("c", .integer(4)),
                    Total("d", .integer(0)),
                ])
            try expect(calls.all, is: ["1": 1, "2": 1, "3": 1])
        },
        migration(
            "migrations.together",
            "A function recomputes records without a change of their shape, and others stay."
        ) { trial in
            var chain = VersionChain()
            chain.release([First.self, Order.self])
            let first = try chain.schema([First.self, Order.self])
            try await trial.fillClients(first)
            let old = trial.versioned(ClientVersions.Orders.self, first)
            try await old.create(Order("1", .text("a"), .integer(1)))
            chain.release(
                [First.self, Order.self],
                [
                    .tables(
                        ["clients"],
                        new: ClientVersions.stored(
                            [ClientVersions.One.table], [First.self, Order.self]),
                        function: "rename")
                ])
            let schema = try chain.schema(
                [First.self, Order.self],
                tables: [
                    "rename": { tables in
                        let old: MigrationReader<PlainRecord, String> = tables.reader("clients")
                        let new: MigrationWriter<PlainRecord> = tables.writer("clients")
                        for var client in old {
                            client.row.set(try client.row.value("name") + "!", "name")
                            try new.insert(client)
                        }
                    }
                ])
            let clients = try await trial.reopened(ClientVersions.One.self, schema)
            try await expect(clients.read(.init("a")), is: First("a", .text("A!"), .text("Rome")))
            try await expect(clients.count(), is: 4)
            let orders = try await trial.reopened(ClientVersions.Orders.self, schema)
            try await expect(orders.fetch(), is: [Order("1", .text("a"), .integer(1))])
            try await expectError(.schemaMismatch) {
                try await old.create(Order("2", .text("a"), .integer(1)))
            }
            let again = try await trial.reopened(ClientVersions.One.self, schema)
            try await expect(again.read(.init("b")), is: First("b", .text("B!"), .null))
            try await again.delete(.init("a"))
            try await expect(
                trial.reopened(ClientVersions.Orders.self, schema).count(), is: 0)
        },
        migration(
            "migrations.tablesFailing",
            "After a function over several tables that fails, the data is as it was."
        ) { trial in
            struct Problem: Error {}
            let (first, failing) = try splitting { tables in
                try ClientVersions.splitting(tables)
                throw Problem()
            }
            try await trial.fillClients(first)
            let before = try await trial.versioned(ClientVersions.One.self, first).fetch()
            let error = try await expectError(.schemaMismatch) {
                try await trial.reopened(ClientVersions.Two.self, failing).fetch()
            }
            try expect(error.message.contains("'split'"), "It names the function: \(error)")
            let old = try await trial.reopened(ClientVersions.One.self, first)
            try await expect(old.fetch(), is: before)
            try await old.delete(.init("a"))
            let (_, second) = try splitting(ClientVersions.splitting)
            try await expect(
                trial.reopened(ClientVersions.Two.self, second).count(), is: 3)
        },
        migration(
            "migrations.tablesRefused",
            "What a function over several tables writes must satisfy ids, rules, indexes and references."
        ) { trial in
            let (first, _) = try splitting(ClientVersions.splitting)
            try await trial.fillClients(first)
            let before = try await trial.versioned(ClientVersions.One.self, first).fetch()
            try await trial.refuses("'same'", "same id") { _, addresses in
                try addresses.insert(PlainRecord(["id": .text("same"), "city": .text("Rome")]))
                try addresses.insert(PlainRecord(["id": .text("same"), "city": .text("Oslo")]))
            }
            try await trial.refuses("'long'", "'city'") { _, addresses in
                let city = String(repeating: "x", count: 21)
                try addresses.insert(PlainRecord(["id": .text("long"), "city": .text(city)]))
            }
            try await trial.refuses("addresses_city", "addresses") { _, addresses in
                try addresses.insert(PlainRecord(["id": .text("x"), "city": .text("Rome")]))
                try addresses.insert(PlainRecord(["id": .text("y"), "city": .text("Rome")]))
            }
            try await trial.refuses("'lost'", "addressID") { clients, _ in
                try clients.insert(
                    PlainRecord([
                        "id": .text("lost"), "name": .text("L"), "addressID": .text("nowhere"),
                    ]))
            }
            // Ignoring the error of a record does not help.
            try await trial.refuses("clients", "name") { clients, _ in
                try? clients.insert(PlainRecord(["id": .text("bad"), "name": .integer(1)]))
            }
            let old = try await trial.reopened(ClientVersions.One.self, first)
            try await expect(old.fetch(), is: before)
        },
        migration("migrations.tablesWithoutFunction", "A missing function is reported by its name.")
        {
            trial in
            let (first, _) = try splitting(ClientVersions.splitting)
            try await trial.fillClients(first)
            var chain = VersionChain()
            chain.release([First.self])
            chain.release([AddressRecord.self, Second.self], [ClientVersions.split])
            let schema = try chain.schema([AddressRecord.self, Second.self])
            let error = try await expectError(.schemaMismatch) {
                try await trial.reopened(ClientVersions.Two.self, schema).fetch()
            }
            try expect(error.message.contains("'split'"), "It names the function: \(error)")
        },
    ]

    /// The programs of clients before and after a version with a function.
    static func splitting(
        _ function: @escaping MigrationTablesFunction
    ) throws -> (first: StoreSchema, second: StoreSchema) {
        var chain = VersionChain()
        chain.release([First.self])
        let first = try chain.schema([First.self])
        chain.release([AddressRecord.self, Second.self], [ClientVersions.split])
        return (
            first, try chain.schema([AddressRecord.self, Second.self], tables: ["split": function])
        )
    }

    /// The program that merges what the one before has split.
    private static func mergedProgram() throws -> StoreSchema {
        var chain = VersionChain()
        chain.release([First.self])
        chain.release([AddressRecord.self, Second.self], [ClientVersions.split])
        chain.release([First.self], [ClientVersions.merge])
        return try chain.schema(
            [First.self],
            tables: ["split": ClientVersions.splitting, "merge": ClientVersions.merging])
    }
}

extension StoreTrial {
    /// Stores clients of version 1.
    func fillClients(_ schema: StoreSchema) async throws {
        try await versioned(ClientVersions.One.self, schema).createAll([
            .init("a", .text("A"), .text("Rome")), .init("b", .text("B"), .null),
            .init("c", .text("C"), .text("Rome")), .init("d", .text("D"), .text("Oslo")),
        ])
    }

    /// Expects an error that contains two texts.
    fileprivate func refuses(
        _ first: String, _ second: String,
        _ body:
            @escaping @Sendable (
                _ clients: MigrationWriter<PlainRecord>, _ addresses: MigrationWriter<PlainRecord>
            ) throws -> Void
    ) async throws {
        let (_, schema) = try StoreBehaviour.splitting { tables in
            try body(tables.writer("clients"), tables.writer("addresses"))
        }
        let error = try await expectError(.schemaMismatch) {
            try await reopened(ClientVersions.Two.self, schema).fetch()
        }
        for text in [first, second] {
            try expect(error.message.contains(text), "It contains \(text): \(error)")
        }
    }
}
