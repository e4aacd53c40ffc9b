import Foundation
import StoredSchema
import Testing

@Suite("Changes of versions")
struct DataChangeTests {
    private let books = StoredTable(
        name: "books",
        fields: [
            StoredField(name: "isbn", columns: ["isbn"], type: .single("text")),
            StoredField(name: "title", columns: ["title"], type: .single("text")),
            StoredField(
                name: "shelves", columns: ["shelves"],
                type: .list(
                    .object([StoredMember(name: "room", type: .single("text"))]),
                    optionalElements: false)),
        ], key: ["isbn"],
        indexes: [StoredIndex(name: "by_title", keys: ["-title"], isUnique: false)])

    @Test("find new ids among functions over several tables, under all names of the tables")
    func idsAmongTables() {
        func mix(_ changes: DataChange...) -> String? {
            changes.idsAmongTables.map { "\($0.function) \($0.table)" }
        }
        func follow(_ table: String, to target: String) -> DataChange {
            .followID(DataPath(table, ["book"]), .single("text"), isOptional: true, of: target)
        }
        let split = DataChange.tables(["books"], new: [books], function: "bookTo3")
        #expect(mix(split) == nil)
        #expect(mix(follow("loans", to: "books")) == nil)
        #expect(mix(follow("loans", to: "clients"), split) == nil)
        #expect(mix(follow("loans", to: "books"), split) == "bookTo3 books")
        #expect(mix(split, follow("books", to: "clients")) == "bookTo3 clients")
        #expect(
            mix(split, .renameTable(from: "books", to: "volumes"), follow("loans", to: "volumes"))
                == "bookTo3 volumes")
    }

    private func path(_ steps: String...) -> DataPath { DataPath("books", steps) }

    private func changed(_ changes: DataChange...) throws -> [StoredTable] {
        var loans = StoredTable(
            name: "loans",
            fields: [StoredField(name: "book", columns: ["book"], type: .single("text"))],
            key: ["book"])
        loans.fields[0].reference = StoredReference(table: "books", onDelete: "cascade")
        var tables = [books, loans]
        for change in changes { change.apply(to: &tables) }
        return tables
    }

    /// One change of each kind, and of each form of a kind.
    private var all: [DataChange] {
        let field = StoredField(name: "n", columns: ["n"], type: .single("int64"))
        return [
            .renameTable(from: "a", to: "b"), .removeTable("a"),
            .rename(path("title"), to: "name"), .remove(path("shelves", "[]", "room")),
            .add(path("a"), .single("text"), isOptional: true, value: .null),
            .add(path("a"), .single("decimal(2)"), isOptional: false, value: .decimal("1.5")),
            .addByCode(path("a"), .single("text"), isOptional: false, function: "f"),
            .require(path("a"), value: .object(["x": .list([.integer(1), .bool(false)])])),
            .requireByCode(path("a"), function: "f"),
            .convert(path("a"), .single("int8"), isOptional: false),
            .convert(
                path("a"), .single("int8"), isOptional: true, cases: ["1"], otherwise: .integer(1)),
            .convertByCode(
                path("a"), .list(.single("text"), optionalElements: true), isOptional: false,
                function: "f"),
            .replaceCases(path("a"), ["x": "y"]),
            .followID(path("a", "[]"), .single("uuid"), isOptional: true, of: "b"),
            .followID(path("a"), .single("text"), isOptional: false, of: "b"),
            .changeKey("a", to: ["x", "y"]),
            .records("a", fields: [field], function: "f"),
            .tables(["a"], new: [books], function: "f"),
        ]
    }

    @Test func everyChangeSurvivesJSON() throws {
        for change in all {
            let data = try JSONEncoder().encode(change)
            #expect(try JSONDecoder().decode(DataChange.self, from: data) == change)
        }
    }

    @Test func renamesFollowIndexesAndReferences() throws {
        let tables = try changed(
            .renameTable(from: "books", to: "volumes"),
            .rename(DataPath("volumes", ["title"]), to: "name"))
        #expect(tables[0].name == "volumes")
        #expect(tables[0].fields.map(\.name) == ["isbn", "name", "shelves"])
        #expect(tables[0].indexes.map(\.keys) == [["-name"]])
        #expect(tables[1].fields[0].reference?.table == "volumes")
    }

    @Test func fieldsAreAddedAndRemoved() throws {
        let tables = try changed(
            .remove(path("title")),
            .add(path("pages"), .single("int64"), isOptional: true, value: .null),
            .require(path("pages"), value: .integer(1)))
        #expect(tables[0].fields.map(\.name) == ["isbn", "shelves", "pages"])
        #expect(tables[0].field("pages")?.isOptional == false)
        #expect(tables[0].indexes.isEmpty)
    }

    @Test func membersInsideListsChange() throws {
        let tables = try changed(
            .rename(path("shelves", "[]", "room"), to: "hall"),
            .add(
                path("shelves", "[]", "row"), .single("int64"), isOptional: false,
                value: .integer(1)),
            .convert(path("shelves", "[]", "row"), .single("text"), isOptional: true))
        let members = [
            StoredMember(name: "hall", type: .single("text")),
            StoredMember(name: "row", type: .single("text"), isOptional: true),
        ]
        #expect(
            tables[0].field("shelves")?.type == .list(.object(members), optionalElements: false))
    }

    @Test func elementsOfListsChangeTheirType() throws {
        let tables = try changed(
            .convert(path("shelves", "[]"), .single("text"), isOptional: true))
        #expect(
            tables[0].field("shelves")?.type == .list(.single("text"), optionalElements: true))
    }

    @Test func idsGetAnotherTypeAndOtherComponents() throws {
        let tables = try changed(
            .changeKey("loans", to: ["book", "number"]),
            .followID(DataPath("loans", ["book"]), .single("uuid"), isOptional: false, of: "books"))
        #expect(tables[1].key == ["book", "number"])
        #expect(tables[1].fields[0].type == .single("uuid"))
    }

    @Test func whatIsNotThereIsIgnored() throws {
        let tables = try changed(
            .removeTable("none"), .remove(path("none")), .rename(path("none", "x"), to: "y"),
            .replaceCases(path("title"), ["a": "b"]), .remove(DataPath("none", ["x"])))
        #expect(tables[0] == books)
        #expect(tables.count == 2)
    }
}
