internal import Foundation
package import RepositoryRuntime
package import RepositoryTesting
internal import StoredSchema

/// A table in two versions, which a program migrates until it is killed.
package enum MigratedItems {
    /// The record of version 1.
    package typealias OldItem = VersionedRecord<Old>
    /// The record of version 2.
    package typealias NewItem = VersionedRecord<New>

    /// Version 1.
    package enum Old: VersionShape {
        package static let table = make("items") { table in
            table.field("title", .text)
            table.field("gone", .text, optional: true)
            table.field("cents", .int64)
            table.index("items_title", ["title"])
        }
    }

    /// Version 2: `gone` removed, `cents` a decimal and `title` under another name, in another table.
    package enum New: VersionShape {
        package static let table = make("things", renamedFrom: ["items"]) { table in
            table.field("headline", .text, renamedFrom: ["title"], columnsRenamedFrom: ["title"])
            table.field("cents", .decimal(scale: 2))
            table.field("note", .text)
            table.index("items_title", ["headline"])
        }
    }

    /// The schema of the program of version 1.
    package static func old() throws -> StoreSchema {
        var chain = VersionChain("Items")
        chain.release([OldItem.self])
        return try chain.schema([OldItem.self])
    }

    /// The schema of the program of version 2.
    package static func new() throws -> StoreSchema {
        var chain = VersionChain("Items")
        chain.release([OldItem.self])
        chain.release(
            [NewItem.self],
            [
                .renameTable(from: "items", to: "things"),
                .rename(DataPath("things", ["title"]), to: "headline"),
                .remove(DataPath("things", ["gone"])),
                .convertByCode(
                    DataPath("things", ["cents"]), .single("decimal(2)"), isOptional: false,
                    function: "cents"),
                .add(
                    DataPath("things", ["note"]), .single("text"), isOptional: false,
                    value: .text("none")),
            ])
        return try chain.schema(
            [NewItem.self],
            functions: [
                "cents": { old, new in
                    new["cents"] = .decimal(price(of: try old.value("cents")))
                    return true
                }
            ])
    }

    private static func price(of cents: Int64) -> Decimal {
        StoredDecimal.decimal(scaledInteger: cents, scale: 2)
    }

    /// The records of version 1.
    package static func oldItems(_ count: Int) -> [OldItem] {
        (0..<count).map { number in
            OldItem(
                "\(10_000 + number)", .text("title \(number % 9)"), .text("gone"),
                .integer(Int64(number)))
        }
    }

    /// What they become.
    package static func newItems(_ count: Int) -> [NewItem] {
        (0..<count).map { number in
            NewItem(
                "\(10_000 + number)", .text("title \(number % 9)"),
                .decimal(price(of: Int64(number))), .text("none"))
        }
    }
}
