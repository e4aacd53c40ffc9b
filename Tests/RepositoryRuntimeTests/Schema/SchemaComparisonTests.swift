import StoredSchema
import Testing

@testable import RepositoryRuntime

@Suite struct SchemaComparisonTests {
    private func schema(_ tables: EntityTable...) -> StoreSchema { StoreSchema("Set", tables) }

    private func table(
        _ name: String = "books", renamedFrom: [String] = [], _ make: (inout EntityTable) -> Void
    ) -> EntityTable {
        var table = EntityTable(name, entity: "Book", renamedFrom: renamedFrom)
        table.field("id", .text, key: true)
        make(&table)
        return table
    }

    private func compare(
        _ old: StoreSchema, _ new: StoreSchema, _ form: SchemaComparison.Form = .columns
    ) -> SchemaComparison {
        .compare(stored: SchemaDescription(old), declared: new, form: form)
    }

    private func steps(
        _ old: (inout EntityTable) -> Void, _ new: (inout EntityTable) -> Void,
        _ form: SchemaComparison.Form = .columns
    ) -> SchemaComparison {
        compare(schema(table { old(&$0) }), schema(table { new(&$0) }), form)
    }

    @Test func identical() {
        #expect(steps({ $0.field("a", .text) }, { $0.field("a", .text) }) == .identical)
        let reordered = steps(
            {
                $0.field("a", .text)
                $0.field("b", .text)
            },
            {
                $0.field("b", .text)
                $0.field("a", .text)
            })
        #expect(reordered == .identical)
    }

    /// Each harmless difference is a step.
    @Test func additions() {
        let old = schema(table { $0.field("a", .int32) })
        let new = schema(
            table {
                $0.field("a", .int64)
                $0.field("b", .text, optional: true)
                $0.field("c", .text, default: .text(""))
                $0.index("by_a", ["-a"], unique: true)
            },
            table("clients") { _ in })
        #expect(
            compare(old, new)
                == .upgrade([
                    .createTable("clients"),
                    .addField(table: "books", field: "b"),
                    .addField(table: "books", field: "c"),
                    .changeField(table: "books", field: "a", .widened),
                    .createIndex(table: "books", index: "by_a"),
                ]))
    }

    @Test func renames() {
        let old = schema(
            table("volumes") {
                $0.field("name", .text)
                $0.index("by_name", ["-name"])
            })
        let new = schema(
            table(renamedFrom: ["books", "volumes"]) {
                $0.field("title", .text, renamedFrom: ["x", "name"], columnsRenamedFrom: ["name"])
                $0.index("by_name", ["-title"])
            })
        #expect(
            compare(old, new)
                == .upgrade([
                    .renameTable(from: "volumes", to: "books"),
                    .renameColumn(table: "books", from: "name", to: "title"),
                ]))
        #expect(
            compare(old, new, .documents)
                == .upgrade([
                    .renameTable(from: "volumes", to: "books"),
                    .renameField(table: "books", from: "name", to: "title"),
                ]))
    }

    /// The same column under another property name is the same field to a SQL store, and another to
    /// documents.
    @Test func columnKeepsField() {
        let old: (inout EntityTable) -> Void = { $0.field("a", .text, column: "c") }
        let new: (inout EntityTable) -> Void = { $0.field("b", .text, column: "c") }
        #expect(steps(old, new) == .upgrade([]))
        #expect(
            steps(old, new, .documents).sentences
                == [
                    "the field 'a' of 'books' is stored and not declared",
                    "the field 'b' of 'books' is new and neither optional nor has a constant default",
                ])
    }

    /// The column of a composite reference follows the key columns of the other table.
    @Test func compositeReference() {
        func make(_ column: String) -> StoreSchema {
            var loans = EntityTable("loans", entity: "Loan")
            loans.field("book", .text, column: column, key: true)
            loans.field("number", .int64, key: true)
            let layout = FieldLayout(
                "Loan.ID", [FieldDescription("book", .text), FieldDescription("number", .int64)])
            var fines = EntityTable("fines", entity: "Fine")
            fines.field("id", .text, key: true)
            fines.field(
                "loanID", .composite(layout), column: "loan", reference: TableReference("loans"))
            return StoreSchema("Set", [loans, fines])
        }
        #expect(
            compare(make("book_id"), make("book"))
                == .upgrade([
                    .renameColumn(table: "loans", from: "book_id", to: "book"),
                    .renameColumn(table: "fines", from: "loan_book_id", to: "loan_book"),
                ]))
    }

    @Test func harmlessChanges() {
        let inner = { (extra: [FieldDescription]) in
            StoredType.list(
                .object(FieldLayout("Inner", [FieldDescription("x", .text)] + extra)))
        }
        let result = steps(
            {
                $0.field("a", .text, rules: FieldRules(maxLength: 3))
                $0.field("b", .text, default: .text("x"), reference: TableReference("books"))
                $0.field("c", inner([]))
                $0.index("i", ["a"])
            },
            {
                $0.field("a", .text, optional: true, rules: FieldRules(maxLength: 4))
                $0.field(
                    "b", .text, default: .text("y"),
                    reference: TableReference("books", onDelete: .cascade))
                $0.field("c", inner([FieldDescription("y", .text, optional: true)]))
                $0.index("i", ["b"])
            })
        #expect(
            result
                == .upgrade([
                    .changeField(table: "books", field: "a", .becameOptional),
                    .changeField(table: "books", field: "a", .rules),
                    .changeField(table: "books", field: "b", .defaultValue),
                    .changeField(table: "books", field: "b", .deleteRule),
                    .changeField(table: "books", field: "c", .members),
                    .dropIndex(table: "books", index: "i"),
                    .createIndex(table: "books", index: "i"),
                ]))
    }

    /// Every difference that would lose or misread data is named, all at once.
    @Test func mismatches() throws {
        let old = schema(
            table {
                $0.field("gone", .text)
                $0.field("type", .text)
                $0.field("scale", .decimal(scale: 2))
                $0.field("null", .text, optional: true)
                $0.field("ref", .text)
                $0.field("in", .object(FieldLayout("I", [FieldDescription("lost", .text)])))
            },
            table("lost") { _ in })
        var books = EntityTable("books", entity: "Book")
        books.field("id", .text)
        books.field("type", .data)
        books.field("scale", .decimal(scale: 3))
        books.field("null", .text)
        books.field("ref", .text, reference: TableReference("books"))
        books.field("in", .object(FieldLayout("I", [FieldDescription("new", .text)])))
        books.field("other", .text, key: true)
        let comparison = compare(old, schema(books))
        let expected = [
            "the table 'lost' is stored and not declared",
            "the field 'gone' of 'books' is stored and not declared",
            "the field 'type' of 'books' is stored as text and declared as data",
            "the field 'scale' of 'books' is stored as decimal(2) and declared as decimal(3)",
            "the field 'null' of 'books' is stored as optional and declared as required",
            "the field 'ref' of 'books' is declared as a reference to 'books', and what is stored may refer to nothing",
            "'new' in the field 'in' of 'books' is new and neither optional nor has a constant default",
            "'lost' in the field 'in' of 'books' is stored and not declared",
            "the field 'other' of 'books' is new and neither optional nor has a constant default",
            "the id of 'books' is stored as 'id' and declared as 'other'",
        ]
        #expect(comparison.sentences == expected)
        #expect(
            comparison.codes == [
                .tableRemoved, .fieldRemoved, .typeChanged, .typeChanged, .becameRequired,
                .referenceAdded, .requiredMemberAdded, .memberRemoved, .requiredFieldAdded,
                .idChanged,
            ])
        guard case .mismatch(let differences) = comparison else { return }
        let tables = differences.map(\.table)
        #expect(tables == ["lost"] + Array(repeating: "books", count: 9))
        #expect(differences[6].place?.members == ["new"])
        #expect(differences[6].place?.field == "in")
    }

    /// The same name in another normal form is another name to a store.
    @Test func normalForms() {
        let old = schema(table("caf\u{E9}") { $0.field("\u{E9}", .text) })
        let new = schema(table("cafe\u{301}") { $0.field("e\u{301}", .text) })
        guard case .upgrade(let steps) = compare(old, new) else {
            Issue.record("no upgrade")
            return
        }
        #expect(steps.count == 2)
    }

    /// Data that has been through the declared schema and went on is newer.
    @Test func newer() {
        let first = schema(table { $0.field("a", .text) })
        let second = schema(
            table {
                $0.field("a", .text); $0.field("b", .text, optional: true)
            })
        let stored = SchemaDescription(second, after: SchemaDescription(first))
        let result = SchemaComparison.compare(stored: stored, declared: first, form: .columns)
        guard case .mismatch(let differences) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(differences.count == 2)
        #expect(differences[0] == .newerProgram)
        #expect(differences[1] == .fieldRemoved(SchemaPlace(table: "books", field: "b")))
    }
}

extension SchemaComparison {
    /// The differences as sentences; nil if there are none.
    fileprivate var sentences: [String]? {
        if case .mismatch(let differences) = self { differences.map(\.description) } else { nil }
    }

    /// The codes of the differences; nil if there are none.
    fileprivate var codes: [SchemaChangeCode]? {
        if case .mismatch(let differences) = self { differences.map(\.code) } else { nil }
    }
}
