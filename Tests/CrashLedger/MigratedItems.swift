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

    /// Version 2: `gone` removed, `cents` a decimal and `title` under another name, in another
    /// table.
    package enum New: VersionShape {
        package static let table = make("things", renamedFrom: ["items"]) { table in
            table.field("headline", .text, renamedFrom: ["title"], columnsRenamedFrom: ["title"])
            table.field("cents", .decimal(scale: 2))
            table.field("note", .text)
            table.index("items_title", ["headline"])
        }
    }

    /// A mark of version 1, which a function splits.
    package enum Mark: VersionShape {
        package static let table = make("marks") { $0.field("text", .text) }
    }

    /// A mark of version 2.
    package enum NewMark: VersionShape {
        package static let table = make("marks") { table in
            table.field("textID", .text, reference: TableReference("texts"))
        }
    }

    /// The text of a mark.
    package enum Text: VersionShape {
        package static let table = make("texts") { table in
            table.field("text", .text)
            table.index("texts_text", ["text"])
        }
    }

    /// A tag of version 1, which refers to an item.
    package enum Tag: VersionShape {
        package static let table = make("tags") { table in
            table.field(
                "itemID", .text, optional: true,
                reference: TableReference("items", onDelete: .setNull))
        }
    }

    /// A tag of version 2: its item has another id, in another table.
    package enum NewTag: VersionShape {
        package static let table = make("tags") { table in
            table.field(
                "itemID", .text, optional: true,
                reference: TableReference("things", onDelete: .setNull))
        }
    }

    /// The schema of the program of version 1.
    package static func old() throws -> StoreSchema {
        var chain = VersionChain("Items")
        chain.release(oldEntities)
        return try chain.schema(oldEntities)
    }

    private static let oldEntities: [any Entity.Type] = [
        OldItem.self, VersionedRecord<Mark>.self, VersionedRecord<Tag>.self,
    ]
    private static let newEntities: [any Entity.Type] = [
        NewItem.self, VersionedRecord<Text>.self, VersionedRecord<NewMark>.self,
        VersionedRecord<NewTag>.self,
    ]

    /// Runs at the first call of a function of version 2.
    package typealias Hook = @Sendable () -> Void

    /// The schema of the program of version 2.
    ///
    /// - Parameters:
    ///   - refusing: whether the function refuses the items that ``isRefused(_:)`` names.
    ///   - hook: runs before each call of a function.
    package static func new(
        refusing isRefusing: Bool = false, hook: @escaping Hook = {}
    ) throws -> StoreSchema {
        var chain = VersionChain("Items")
        chain.release(oldEntities)
        let schema = StoreSchema("Items", newEntities)
        chain.release(
            newEntities,
            [
                .renameTable(from: "items", to: "things"),
                .rename(DataPath("things", ["title"]), to: "headline"),
                .remove(DataPath("things", ["gone"])),
                .convertByCode(
                    DataPath("things", ["id"]), .single("text"), isOptional: false, function: "id"),
                .followID(
                    DataPath("tags", ["itemID"]), .single("text"), isOptional: true, of: "things"),
                .convertByCode(
                    DataPath("things", ["cents"]), .single("decimal(2)"), isOptional: false,
                    function: "cents"),
                .add(
                    DataPath("things", ["note"]), .single("text"), isOptional: false,
                    value: .text("none")),
                .tables(
                    ["marks"],
                    new: [Text.table, NewMark.table].map { StoredTable($0, in: schema) },
                    function: "split"),
            ])
        return try chain.schema(
            newEntities,
            functions: [
                "id": { old, new in
                    hook()
                    new["id"] = .text(newID(of: try old.value("id")))
                    return true
                },
                "cents": { old, new in
                    hook()
                    let cents: Int64 = try old.value("cents")
                    if isRefusing, isRefused(Int(cents)) { throw Refusal() }
                    new["cents"] = .decimal(price(of: cents))
                    return true
                },
            ],
            tables: [
                "split": { tables in
                    hook()
                    try split(tables)
                }
            ])
    }

    /// The error of the function for an item that it refuses.
    private struct Refusal: Error {}

    /// Whether the function refuses an item.
    package static func isRefused(_ number: Int) -> Bool { number % 10 == 3 }

    /// Gives each mark a text of its own.
    private static let split: MigrationTablesFunction = { tables in
        let old: MigrationReader<PlainRecord, String> = tables.reader("marks")
        let marks: MigrationWriter<PlainRecord> = tables.writer("marks")
        let texts: MigrationWriter<PlainRecord> = tables.writer("texts")
        for mark in old {
            let id = "of " + (try mark.row.value("id") as String)
            try texts.insert(PlainRecord(["id": .text(id), "text": mark.row["text"]]))
            try marks.insert(PlainRecord(["id": mark.row["id"], "textID": .text(id)]))
        }
    }

    /// The new id of an item.
    private static func newID(of old: String) -> String { "item \(old)" }

    /// The tags of version 1, each of one item.
    package static func oldTags(_ count: Int) -> [VersionedRecord<Tag>] {
        (0..<count).map { .init("\(10_000 + $0)", .text("\(10_000 + $0)")) }
    }

    /// The tags of version 2.
    ///
    /// - Parameter isKept: whether there is an item.
    package static func newTags(
        _ count: Int, where isKept: (Int) -> Bool = { _ in true }
    ) -> [VersionedRecord<NewTag>] {
        (0..<count).map { number in
            let id = "\(10_000 + number)"
            return .init(id, isKept(number) ? .text(newID(of: id)) : .null)
        }
    }

    /// The marks of version 1.
    package static func oldMarks(_ count: Int) -> [VersionedRecord<Mark>] {
        (0..<count).map { .init("\(10_000 + $0)", .text("text \($0)")) }
    }

    /// The marks of version 2.
    package static func newMarks(_ count: Int) -> [VersionedRecord<NewMark>] {
        (0..<count).map { .init("\(10_000 + $0)", .text("of \(10_000 + $0)")) }
    }

    /// Their texts.
    package static func texts(_ count: Int) -> [VersionedRecord<Text>] {
        (0..<count).map { .init("of \(10_000 + $0)", .text("text \($0)")) }
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
                .init(newID(of: "\(10_000 + number)")), .text("title \(number % 9)"),
                .decimal(price(of: Int64(number))), .text("none"))
        }
    }
}
