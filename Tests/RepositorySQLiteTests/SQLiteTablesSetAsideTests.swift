import Foundation
import RepositorySQLite
import StoredSchema
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

/// Functions over several tables that meet records that cannot be read.
@Suite("Unreadable records of functions over several tables in SQLite", .timeLimit(.minutes(60)))
struct SQLiteTablesSetAsideTests {
    private typealias First = ClientVersions.First
    private typealias Order = ClientVersions.Order

    private func repository<S: VersionShape>(
        _ shape: S.Type, _ path: String, _ schema: StoreSchema
    ) -> VersionedRepository<S> {
        VersionedRepository(
            RepositoryContext(store: SQLiteStore(path: path), schema: schema, fullScans: .allow))
    }

    /// Programs before and after a function that sums the orders of each client.
    private func programs(
        _ function: @escaping MigrationTablesFunction
    ) throws -> (first: StoreSchema, second: StoreSchema) {
        var chain = VersionChain()
        chain.release([First.self, Order.self])
        let first = try chain.schema([First.self, Order.self])
        chain.release(
            [ClientVersions.Total.self],
            [
                .tables(
                    ["clients", "orders"],
                    new: ClientVersions.stored(
                        [ClientVersions.Totals.table], [ClientVersions.Total.self]),
                    function: "sum")
            ])
        return (first, try chain.schema([ClientVersions.Total.self], tables: ["sum": function]))
    }

    private static let sum: MigrationTablesFunction = { tables in
        let clients: MigrationReader<PlainRecord, String> = tables.reader("clients")
        let orders: MigrationReader<PlainRecord, String> = tables.reader("orders")
        let totals: MigrationWriter<PlainRecord> = tables.writer("totals")
        for client in clients {
            let id: String = try client.row.value("id")
            let sum = try orders.records(where: ["clientID": id]).reduce(0) { sum, order in
                sum + (try order.row.value("price", as: Int.self))
            }
            try totals.insert(PlainRecord(["id": .text(id), "price": .integer(Int64(sum))]))
        }
    }

    private func fill(_ path: String, _ schema: StoreSchema) async throws {
        try await repository(ClientVersions.One.self, path, schema).createAll(
            ["a", "b", "c"].map { First($0, .text($0), .null) })
        try await repository(ClientVersions.Orders.self, path, schema).createAll([
            Order("1", .text("a"), .integer(1)), Order("2", .text("a"), .integer(2)),
            Order("3", .text("b"), .integer(4)), Order("4", .text("c"), .integer(8)),
        ])
        // Text that is not UTF-8, which another program has written.
        let plain = try PlainDatabase(path)
        try plain.run("PRAGMA ignore_check_constraints = ON")
        try plain.run("UPDATE clients SET name = 'b' || x'ff' WHERE id = 'b'")
        try plain.run("UPDATE orders SET id = '2' || x'ff' WHERE id = '2'")
        // No client leads to this one.
        try plain.run("UPDATE orders SET clientID = 'c' || x'ff' WHERE id = '4'")
    }

    private func lines(_ url: URL) throws -> [[String: Any]] {
        try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map { line in
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
        }
    }

    @Test func namesTheRecord() async throws {
        try await withFolder { folder in
            let path = folder + "/clients.sqlite"
            let (first, second) = try programs(Self.sum)
            try await fill(path, first)
            let error = try await expectError(.schemaMismatch) {
                _ = try await repository(ClientVersions.Totals.self, path, second).count()
            }
            #expect(error.message.contains("'orders' cannot be read (id)"), "\(error)")
            // The bytes of the id in base 64.
            #expect(error.message.contains("in 1 record: 'Mv8='"), "\(error)")
            #expect(try await repository(ClientVersions.One.self, path, first).count() == 3)
        }
    }

    @Test func setsAsideWhatIsReadAndWhatIsNot() async throws {
        try await withFolder { folder in
            let path = folder + "/clients.sqlite"
            let url = URL(filePath: folder + "/aside.jsonl")
            let (first, second) = try programs(Self.sum)
            try await fill(path, first)
            var control = MigrationControl()
            control.unreadable = .setAside(url)
            let totals = repository(ClientVersions.Totals.self, path, second)
            try await totals.context.migrate(control)
            #expect(
                try await totals.fetch() == [
                    ClientVersions.Total("a", .integer(1)), ClientVersions.Total("c", .integer(0)),
                ])
            let found = try lines(url).dropFirst()
            let names = found.map { "\($0["table"] ?? "") \($0["id"] ?? "")" }.sorted()
            #expect(names == ["clients b", "orders 4", "orders Mv8="])
            for line in found {
                #expect((line["reason"] as? String)?.contains("cannot be read") == true)
                #expect((line["columns"] as? [String: Any])?.isEmpty == false)
            }
        }
    }

    /// A function of an earlier version that fails for a record, before a function over several
    /// tables reads it.
    @Test func setsAsideWhatIsNotConverted() async throws {
        struct Problem: Error {}
        var chain = VersionChain()
        chain.release([First.self])
        let first = try chain.schema([First.self])
        chain.release(
            [First.self],
            [
                .records(
                    "clients",
                    fields: ClientVersions.stored([ClientVersions.One.table], [First.self])[0]
                        .fields, function: "check")
            ])
        chain.release(
            [ClientVersions.AddressRecord.self, ClientVersions.Second.self],
            [
                ClientVersions.split
            ])
        let third = try chain.schema(
            [ClientVersions.AddressRecord.self, ClientVersions.Second.self],
            functions: [
                "check": { old, new in
                    if old["id"] == .text("b") { throw Problem() }
                    new["name"] = old["name"]
                    return true
                }
            ], tables: ["split": ClientVersions.splitting])
        try await withFolder { folder in
            let path = folder + "/clients.sqlite"
            let url = URL(filePath: folder + "/aside.jsonl")
            try await repository(ClientVersions.One.self, path, first).createAll(
                ["a", "b", "c"].map { First($0, .text($0), .null) })
            let error = try await expectError(.schemaMismatch) {
                _ = try await repository(ClientVersions.Two.self, path, third).count()
            }
            #expect(error.message.contains("'check'") && error.id == "b", "\(error)")
            var control = MigrationControl()
            control.unreadable = .setAside(url)
            let clients = repository(ClientVersions.Two.self, path, third)
            try await clients.context.migrate(control)
            #expect(try await clients.ids().map(\.rawValue) == ["a", "c"])
            #expect(try lines(url).dropFirst().map { $0["id"] as? String } == ["b"])
        }
    }
}
