import CSQLite
import Foundation
import RepositoryGeneratorCore
import RepositoryImport
import RepositoryRuntime
import RepositorySQLite
import RepositorySchema
import RepositorySchemaParser
import Testing

/// Northwind, imported without a hand: `src/create.sql` of the repository jpwhite3/northwind-SQLite3,
/// whose path the environment gives in `REPOSITORY_NORTHWIND`. The file is not part of this package;
/// the sources that come of it are compiled in any case.
@Suite(
    "Northwind",
    .enabled(if: Northwind.script != nil, "needs REPOSITORY_NORTHWIND=…/src/create.sql"))
struct NorthwindTests {
    /// Whether the committed schemas and sources are written anew.
    private static let isRecording =
        ProcessInfo.processInfo.environment["REFERENCE_RECORD"] == "1"

    /// A failure of SQLite.
    private struct Failure: Error {
        let message: String
    }

    private static func withHandle<R>(
        _ path: String, _ body: (OpaquePointer?) throws -> R
    ) throws -> R {
        var handle: OpaquePointer?
        defer { sqlite3_close_v2(handle) }
        guard sqlite3_open(path, &handle) == SQLITE_OK else { throw Failure(message: path) }
        return try body(handle)
    }

    /// The rows of a query as text; null is `NULL`.
    private static func rows(_ path: String, _ sql: String) throws -> [[String]] {
        try withHandle(path) { handle in
            var statement: OpaquePointer?
            defer { sqlite3_finalize(statement) }
            guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
                throw Failure(message: String(cString: sqlite3_errmsg(handle)))
            }
            var rows: [[String]] = []
            while sqlite3_step(statement) == SQLITE_ROW {
                rows.append(
                    (0..<sqlite3_column_count(statement)).map { column in
                        sqlite3_column_text(statement, column).map { String(cString: $0) }
                            ?? "NULL"
                    })
            }
            return rows
        }
    }

    /// Calls `body` with the path of the database, and checks that it did not change.
    private func withDatabase(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "northwind-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appending(path: "northwind.sqlite").path
        let script = try String(contentsOfFile: #require(Northwind.script), encoding: .utf8)
        try Self.withHandle(path) { handle in
            guard sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK else {
                throw Failure(message: String(cString: sqlite3_errmsg(handle)))
            }
        }
        let bytes = try Data(contentsOf: URL(filePath: path))
        try await body(path)
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
    }

    @Test("gives the committed schemas and sources")
    func schemas() async throws {
        try await withDatabase { path in
            let found = try DatabaseImport(sqlite: path)
            let sources = found.files.map {
                SchemaSource(path: $0.path, bytes: Array($0.text.utf8), displayPath: $0.path)
            }
            let (set, problems) = SchemaParser.parse(
                files: Array(sources.dropFirst().sorted { $0.path < $1.path }),
                settings: sources.first)
            #expect(problems.isEmpty)
            let files =
                found.files.map { (path: "Schemas/\($0.path)", text: $0.text) }
                + (try RepositoryGenerator.render(set).map {
                    (path: "Generated/\($0.path)", text: $0.text)
                })
            #expect(files.count == 56)
            for file in files {
                let url = URL(filePath: #filePath).deletingLastPathComponent()
                    .appending(path: file.path)
                if Self.isRecording { try Data(file.text.utf8).write(to: url) }
                #expect(try String(contentsOf: url, encoding: .utf8) == file.text, "\(file.path)")
            }
        }
    }

    @Test("has the rows that SQL has")
    func rows() async throws {
        try await withDatabase { path in
            let set = Northwind(
                context: RepositoryContext(
                    store: SQLiteStore(path: path), schema: Northwind.schema, fullScans: .allow))
            var tables = 0
            func check<E: Entity>(
                _ records: [E], _ columns: String, _ row: (E) -> [Any?]
            ) throws {
                tables += 1
                let table = E.Mapper.table.name
                let found = records.map { row($0).map(Self.text) }
                let expected = try Self.rows(
                    path, "SELECT \(columns) FROM \"\(table)\" ORDER BY 1, 2")
                #expect(found == expected, "\(table)")
            }
            try await check(
                set.categories.fetch(), "CategoryID, CategoryName, Description, hex(Picture)"
            ) {
                [$0.id, $0.categoryName, $0.description, $0.picture]
            }
            try await check(set.customers.fetch(), "CustomerID, CompanyName, Region, Fax") {
                [$0.id, $0.companyName, $0.region, $0.fax]
            }
            try await check(set.customerDemographics.fetch(), "CustomerTypeID, CustomerDesc") {
                [$0.id, $0.customerDesc]
            }
            try await check(set.customerCustomerDemos.fetch(), "CustomerID, CustomerTypeID") {
                [$0.customerID, $0.customerTypeID]
            }
            try await check(
                set.employees.fetch(), "EmployeeID, LastName, BirthDate, ReportsTo, Notes"
            ) {
                [$0.id, $0.lastName, $0.birthDate, $0.reportsToID, $0.notes]
            }
            try await check(set.employeeTerritories.fetch(), "EmployeeID, TerritoryID") {
                [$0.employeeID, $0.territoryID]
            }
            try await check(
                set.orders.fetch(),
                """
                OrderID, CustomerID, EmployeeID, OrderDate, ShippedDate, ShipVia,
                CAST(round(Freight * 10000) AS INTEGER), ShipName
                """
            ) {
                [
                    $0.id, $0.customerID, $0.employeeID, $0.orderDate, $0.shippedDate,
                    $0.shipViaID, $0.freight.map { $0 * 10000 }, $0.shipName,
                ]
            }
            try await check(
                set.orderDetails.fetch(),
                "OrderID, ProductID, CAST(round(UnitPrice * 10000) AS INTEGER), Quantity"
            ) { [$0.orderID, $0.productID, $0.unitPrice * 10000, $0.quantity] }
            try await check(
                set.products.fetch(),
                """
                ProductID, ProductName, SupplierID, CategoryID,
                CAST(round(UnitPrice * 10000) AS INTEGER), UnitsInStock, Discontinued
                """
            ) {
                [
                    $0.id, $0.productName, $0.supplierID, $0.categoryID,
                    $0.unitPrice.map { $0 * 10000 }, $0.unitsInStock, $0.discontinued,
                ]
            }
            try await check(set.regions.fetch(), "RegionID, RegionDescription") {
                [$0.id, $0.regionDescription]
            }
            try await check(set.shippers.fetch(), "ShipperID, CompanyName, Phone") {
                [$0.id, $0.companyName, $0.phone]
            }
            try await check(set.suppliers.fetch(), "SupplierID, CompanyName, HomePage") {
                [$0.id, $0.companyName, $0.homePage]
            }
            try await check(set.territories.fetch(), "TerritoryID, TerritoryDescription, RegionID")
            { [$0.id, $0.territoryDescription, $0.regionID] }
            try await check(
                set.salesTotalsByAmounts.fetch(),
                "OrderID, CompanyName, CAST(round(SaleAmount * 100) AS INTEGER)"
            ) { [$0.orderID, $0.companyName, $0.saleAmount.map { Int(($0 * 100).rounded()) }] }
            try await check(
                set.productsByCategories.fetch(),
                "ProductName, CategoryName, UnitsInStock, Discontinued"
            ) { [$0.productName, $0.categoryName, $0.unitsInStock, $0.discontinued] }
            try await check(
                set.quarterlyOrders.fetch(), "CustomerID, CompanyName, City, Country"
            ) { [$0.customerID, $0.companyName, $0.city, $0.country] }
            try await check(
                set.orderSubtotals.fetch(), "OrderID, CAST(round(Subtotal * 100) AS INTEGER)"
            ) { [$0.orderID, $0.subtotal.map { Int(($0 * 100).rounded()) }] }
            // Of the other views, the number of rows.
            func count<E: Entity>(_ records: [E]) throws {
                tables += 1
                let table = E.Mapper.table.name
                #expect(
                    try [["\(records.count)"]]
                        == Self.rows(path, "SELECT count(*) FROM \"\(table)\""))
            }
            try await count(set.alphabeticalListOfProducts.fetch())
            try await count(set.categorySalesFor1997s.fetch())
            try await count(set.currentProductLists.fetch())
            try await count(set.customerAndSuppliersByCities.fetch())
            try await count(set.ordersQries.fetch())
            try await count(set.productSalesFor1997s.fetch())
            try await count(set.productsAboveAveragePrices.fetch())
            try await count(set.salesByCategories.fetch())
            try await count(set.summaryOfSalesByQuarters.fetch())
            try await count(set.summaryOfSalesByYears.fetch())
            #expect(tables == Northwind.schema.tables.count)
        }
    }

    /// Returns a value as SQLite writes it.
    private static func text(_ value: Any?) -> String {
        switch value {
        case nil: "NULL"
        case let date as Date:
            date.formatted(.iso8601).replacing("T", with: " ").replacing("Z", with: ".000")
        case let data as Data: data.map { String(format: "%02X", $0) }.joined()
        case let value?: "\(value)"
        }
    }
}

extension Northwind {
    /// The path of the script; nil if it is not given.
    fileprivate static var script: String? {
        ProcessInfo.processInfo.environment["REPOSITORY_NORTHWIND"]
    }
}
