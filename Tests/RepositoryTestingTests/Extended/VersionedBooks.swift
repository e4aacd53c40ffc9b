import Foundation
import RepositoryRuntime
import StoredSchema
import Testing

@testable import RepositoryTesting

/// A hand-written set with three versions.
struct VersionedBooks: RepositorySet {
    struct Functions: Sendable {
        /// The number of cents in the price, as a decimal.
        var price: @Sendable (Int64) throws -> Decimal = {
            StoredDecimal.decimal(scaledInteger: $0, scale: 2)
        }
    }

    typealias Migrations = Functions

    static let schema: StoreSchema = {
        var chain = VersionChain("Books")
        chain.release([BookVersions.First.self])
        chain.release(
            [BookVersions.Second.self],
            [
                .remove(DataPath("books", ["subtitle"])),
                .require(DataPath("books", ["pages"]), value: .integer(0)),
                .add(
                    DataPath("books", ["language"]), .single("text"), isOptional: false,
                    value: .text("en")),
            ])
        chain.release(
            [BookVersions.Third.self],
            [
                .renameTable(from: "books", to: "volumes"),
                .rename(DataPath("volumes", ["title"]), to: "headline"),
                .convertByCode(
                    DataPath("volumes", ["price"]), .single("decimal(2)"), isOptional: false,
                    function: "price"),
                .convert(
                    DataPath("volumes", ["rating"]), .single("int64"), isOptional: false,
                    otherwise: .integer(0)),
            ])
        do {
            return try chain.schema([BookVersions.Third.self])
        } catch {
            Issue.record(error)
            return StoreSchema("Books", [BookVersions.Third.self])
        }
    }()

    static func functions(of migrations: Functions) -> MigrationFunctions {
        MigrationFunctions([
            "price": { old, new in
                let price: Int64 = try old.value("price")
                // Prices below zero were never allowed, but the first version had no rule.
                new.set(try migrations.price(abs(price % 1_000_000)), "price")
                return true
            }
        ])
    }

    let context: RepositoryContext
}
