import Foundation
import StoredSchema
import Synchronization
import Testing

@testable import RepositoryRuntime

@Suite("Records of earlier versions")
struct RowProgramTests {
    private let source = StoredTable(
        name: "books",
        fields: [
            StoredField(name: "isbn", columns: ["isbn"], type: .single("text")),
            StoredField(name: "title", columns: ["title"], type: .single("text")),
            StoredField(name: "price", columns: ["price"], type: .single("int64")),
            StoredField(
                name: "shelf", columns: ["shelf"],
                type: .object([
                    StoredMember(name: "room", type: .single("text")),
                    StoredMember(name: "row", type: .single("int64")),
                ]), isOptional: true),
        ], key: ["isbn"])

    private let record: [StoredValue] = [
        .text("1"), .text("Dune"), .integer(1250),
        .object(["room": .text("A"), "row": .integer(3)]),
    ]

    private func layout(_ names: [String], optional: Set<String> = []) -> FieldLayout {
        FieldLayout(
            "Book",
            names.map { FieldDescription($0, .text, optional: optional.contains($0)) })
    }

    private func path(_ steps: String...) -> DataPath { DataPath("books", steps) }

    private func program(
        _ changes: [DataChange]..., to names: [String], optional: Set<String> = [],
        functions: [String: MigrationFunction] = [:]
    ) throws -> RowProgram {
        try RowProgram(
            source: source, changes: changes.enumerated().map { (number: $0 + 2, changes: $1) },
            target: layout(names, optional: optional), functions: MigrationFunctions(functions))
    }

    @Test func nothingToDoOnlyOrdersTheFields() throws {
        let program = try program([], to: ["price", "isbn", "note"], optional: ["note"])
        #expect(try program.run(record) == [.integer(1250), .text("1"), .null])
    }

    @Test func renamedRemovedAndFilled() throws {
        let program = try program(
            [
                .rename(path("title"), to: "name"), .remove(path("price")),
                .add(path("pages"), .single("int64"), isOptional: false, value: .integer(7)),
            ], to: ["isbn", "name", "pages"])
        #expect(try program.run(record) == [.text("1"), .text("Dune"), .integer(7)])
        #expect(program.producedFields == ["pages"])
    }

    @Test func aNameIsUsedForOtherDataLater() throws {
        let program = try program(
            [.rename(path("title"), to: "name")],
            [.add(path("title"), .single("text"), isOptional: false, value: .text("Dr."))],
            [.remove(path("name")), .rename(path("title"), to: "name")],
            to: ["isbn", "name"])
        #expect(try program.run(record) == [.text("1"), .text("Dr.")])
    }

    @Test func theValueOfAFillIsThatOfItsVersion() throws {
        let program = try program(
            [.add(path("pages"), .single("int64"), isOptional: true, value: .null)],
            [.require(path("pages"), value: .integer(5))], to: ["pages"])
        #expect(try program.run(record) == [.integer(5)])
    }

    @Test func membersOfEmbeddedValues() throws {
        let program = try program(
            [
                .rename(path("shelf", "room"), to: "hall"),
                .convert(path("shelf", "row"), .single("text"), isOptional: false),
                .add(path("shelf", "wall"), .single("text"), isOptional: false, value: .text("N")),
            ],
            [.remove(path("shelf", "row"))], to: ["shelf"])
        #expect(
            try program.run(record) == [.object(["hall": .text("A"), "wall": .text("N")])])
        #expect(try program.run(Array(record.dropLast()) + [.null]) == [.null])
    }

    @Test func functionsSeeTheRecordBeforeTheirVersion() throws {
        let program = try program(
            [
                .rename(path("title"), to: "name"),
                .convertByCode(
                    path("price"), .single("decimal"), isOptional: false, function: "price"),
                .addByCode(path("label"), .single("text"), isOptional: false, function: "label"),
            ], to: ["price", "label", "name"],
            functions: [
                "price": { old, new in
                    guard case .integer(let cents) = old["price"] else { return false }
                    new["price"] = .decimal(Decimal(cents) / 100)
                    return true
                },
                "label": { old, new in
                    // The old name, and the price before it was converted.
                    guard case .text(let title) = old["title"], case .integer = old["price"] else {
                        return false
                    }
                    new["label"] = .text(title.uppercased())
                    return true
                },
            ])
        #expect(
            try program.run(record)
                == [.decimal(Decimal(string: "12.5") ?? 0), .text("DUNE"), .text("Dune")])
        #expect(program.producedFields == ["price", "label"])
    }

    @Test func functionsReplaceOrDropRecords() throws {
        let fields = [
            StoredField(name: "isbn", columns: ["isbn"], type: .single("text")),
            StoredField(name: "count", columns: ["count"], type: .single("int64")),
        ]
        let program = try program(
            [.records("books", fields: fields, function: "records")], to: ["count", "isbn"],
            functions: [
                "records": { old, new in
                    new = MigrationRow()
                    // The order of the fields is the function's own.
                    new["count"] = .integer(1)
                    new["isbn"] = old["isbn"]
                    return old["title"] != .text("drop me")
                }
            ])
        #expect(try program.run(record) == [.integer(1), .text("1")])
        var dropped = record
        dropped[1] = .text("drop me")
        #expect(try program.run(dropped) == nil)
    }

    @Test func aFunctionThatFillsIsCalledForNullOnly() throws {
        let calls = CallCount()
        let program = try program(
            [.requireByCode(path("shelf"), function: "shelf")], to: ["shelf"],
            functions: [
                "shelf": { _, new in
                    calls.add()
                    new["shelf"] = .object([:])
                    return true
                }
            ])
        #expect(try program.run(record) == [record[3]])
        #expect(calls.count == 0)
        #expect(try program.run(Array(record.dropLast()) + [.null]) == [.object([:])])
        #expect(calls.count == 1)
    }

    @Test func casesAreReplacedAtOnce() throws {
        let program = try program(
            [.replaceCases(path("title"), ["Dune": "Solaris", "Solaris": "Dune"])], to: ["title"])
        #expect(try program.run(record) == [.text("Solaris")])
        var other = record
        other[1] = .text("Solaris")
        #expect(try program.run(other) == [.text("Dune")])
    }

    @Test func aValueThatDoesNotFitIsNamedWithoutItsContents() throws {
        let program = try program(
            [.convert(path("title"), .single("int64"), isOptional: false)], to: ["title"])
        let error = #expect(throws: MigrationFailure.self) { try program.run(record) }
        #expect(error?.table == "books")
        #expect(error?.field == "title")
        #expect(error?.reason.contains("Dune") == false)
        let tolerant = try self.program(
            [
                .convert(
                    path("title"), .single("int64"), isOptional: false, otherwise: .integer(0))
            ], to: ["title"])
        #expect(try tolerant.run(record) == [.integer(0)])
    }

    @Test func aFunctionThatThrowsIsNamedWithoutItsText() throws {
        struct Leak: Error, CustomStringConvertible { var description: String { "Dune" } }
        let program = try program(
            [.convertByCode(path("price"), .single("text"), isOptional: false, function: "f")],
            to: ["price"], functions: ["f": { _, _ in throw Leak() }])
        let error = #expect(throws: MigrationFunctionFailure.self) { try program.run(record) }
        #expect(error?.function == "f")
    }

    @Test func whatIsMissingIsReportedBeforeAnyRecord() {
        let change = DataChange.convertByCode(
            path("price"), .single("text"), isOptional: false, function: "bookPriceTo2")
        let function = #expect(throws: MigrationFailure.self) {
            try program([change], to: ["price"])
        }
        #expect(function?.reason.contains("'bookPriceTo2'") == true)
        let field = #expect(throws: MigrationFailure.self) { try program([], to: ["pages"]) }
        #expect(field?.field == "pages")
    }
}

/// Counts calls of a function that only the running test makes.
private final class CallCount: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock { $0 } }
    func add() { value.withLock { $0 += 1 } }
}
