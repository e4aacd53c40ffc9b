import RepositorySchema
import RepositorySchemaParser
import Testing

/// The keys that decide how stored data follows a change of the schema.
@Suite("Decisions about stored data")
struct DecisionTests {
    /// `fill` in a short notation: `code`, `= 1`, and ` for 6`.
    private static func text(_ fill: FillDecision?) -> String? {
        fill.map { fill in
            let source =
                switch fill.source {
                case .code: "code"
                case .value(let literal): "= \(text(literal.value))"
                }
            return source + suffix(fill.version)
        }
    }

    private static func text(_ convert: ConvertDecision?) -> String? {
        convert.map { convert in
            let method =
                switch convert.method {
                case .code: "code"
                case .value(nil): "value"
                case .value(let otherwise?): "value or \(text(otherwise.value))"
                }
            return method + suffix(convert.version)
        }
    }

    private static func text(_ literal: Literal) -> String {
        switch literal {
        case .scalar(let text, let isPlain): isPlain ? text : "\"\(text)\""
        case .list(let values): "\(values.map { text($0.value) })"
        case .map(let entries): "{\(entries.map { $0.key.value }.joined(separator: ","))}"
        }
    }

    private static func suffix(_ version: Located<Int>?) -> String {
        version.map { " for \($0.value)" } ?? ""
    }

    private static func read(_ text: String) -> (set: SchemaSet, diagnostics: [Diagnostic]) {
        SchemaParser.parse(
            files: [SchemaSource(path: "A.yaml", bytes: Array(text.utf8))], settings: nil)
    }

    private static func parse(_ text: String) -> SchemaSet {
        let result = read(text)
        #expect(result.diagnostics.map(\.message) == [])
        return result.set
    }

    private static func field(_ keys: String) throws -> FieldDeclaration {
        let set = parse("entity: A\nfields: { a: { type: Int, \(keys) } }\n")
        guard case .entity(let entity)? = set.declarations.first else {
            throw Missing()
        }
        return try #require(entity.fields.first)
    }

    private struct Missing: Error {}

    @Test(
        "of a field have short and long forms",
        arguments: [
            ("fill: 1", "= 1", nil), ("fill: [a, 1]", "= [\"a\", \"1\"]", nil),
            ("fill: code", "code", nil), ("fill: 'code'", "= \"code\"", nil),
            ("fill: { value: code }", "= code", nil), ("fill: { value: {} }", "= {}", nil),
            ("fill: { value: 1, for: 6 }", "= 1 for 6", nil),
            ("fill: { for: 6, code }", "code for 6", nil),
            ("fill: { code: , for: 6 }", "code for 6", nil),
            ("fill: { code: null }", "code", nil),
            ("convert: value", nil, "value"), ("convert: code", nil, "code"),
            ("convert: \"code\"", nil, "code"), ("convert: { value }", nil, "value"),
            ("convert: { value, otherwise: 0 }", nil, "value or 0"),
            ("convert: { value, otherwise: 0, for: 6 }", nil, "value or 0 for 6"),
            ("convert: { value: , otherwise: '0' }", nil, "value or \"0\""),
            ("convert: { code, for: 6 }", nil, "code for 6"),
            ("fill: 0, convert: code", "= 0", "code"),
        ] as [(String, String?, String?)])
    func fields(keys: String, fill: String?, convert: String?) throws {
        let field = try Self.field(keys)
        #expect(Self.text(field.fill) == fill)
        #expect(Self.text(field.convert) == convert)
    }

    @Test("of a field that are invalid are left out, and reported once")
    func invalidFields() throws {
        for keys in [
            "fill: ", "fill: {}", "fill: { for: 1 }", "fill: { value: }", "fill: { a: 1 }",
            "convert: ", "convert: {}", "convert: other", "convert: [value]",
            "convert: { otherwise: 1 }",
        ] {
            let result = Self.read("entity: A\nfields: { a: { type: Int, \(keys) } }\n")
            #expect(result.diagnostics.count == 1, "\(keys)")
            guard case .entity(let entity)? = result.set.declarations.first else {
                throw Missing()
            }
            let field = try #require(entity.fields.first)
            #expect(field.fill == nil && field.convert == nil, "\(keys)")
            // An unknown key hides no name.
            #expect(entity.header.isComplete == (keys == "fill: { a: 1 }"))
        }
    }

    @Test("of types name what is removed, reused, renamed and migrated")
    func types() throws {
        let set = Self.parse(
            """
            entity: Book
            id: { type: String, convert: { code, for: 2 } }
            removed: [subtitle, blurb]
            reuse: title
            migrate: { code, for: 6 }
            ---
            entity: Loan
            migrate: code
            ---
            value: Shelf
            renamedFrom: Rack
            removed: floor
            reuse: [room]
            fields: { room: { type: String, fill: A }, row: { type: Int, convert: code } }
            ---
            union: Shape
            renamedFrom: [Form, Body]
            removed: [square, circle.radius]
            reuse: dot.size
            cases: { dot: { size: { type: Int, fill: code } } }
            ---
            mixin: Rated
            fields: { rating: { type: Int, fill: 3 } }
            """)
        guard case .entity(let book) = set.declarations[0],
            case .entity(let loan) = set.declarations[1],
            case .value(let shelf) = set.declarations[2],
            case .union(let shape) = set.declarations[3],
            case .mixin(let rated) = set.declarations[4],
            case .single(let id) = book.identity
        else { throw Missing() }
        #expect(Self.text(id.convert) == "code for 2")
        #expect(book.removed.map(\.value) == ["subtitle", "blurb"])
        #expect(book.reuse.map(\.value) == ["title"])
        #expect(book.migrate?.version?.value == 6 && book.migrate?.range.start.line == 5)
        #expect(loan.migrate != nil && loan.migrate?.version == nil)
        #expect(loan.removed == [] && loan.reuse == [])
        #expect(shelf.renamedFrom.map(\.value) == ["Rack"])
        #expect(shelf.removed.map(\.value) == ["floor"] && shelf.reuse.map(\.value) == ["room"])
        #expect(shelf.fields.map { Self.text($0.fill) } == ["= A", nil])
        #expect(shelf.fields.map { Self.text($0.convert) } == [nil, "code"])
        #expect(shape.renamedFrom.map(\.value) == ["Form", "Body"])
        #expect(shape.removed.map(\.value) == ["square", "circle.radius"])
        #expect(shape.reuse.map(\.value) == ["dot.size"])
        #expect(shape.cases.flatMap(\.fields).map { Self.text($0.fill) } == ["code"])
        #expect(rated.fields.map { Self.text($0.fill) } == ["= 3"])
    }

    @Test("of an enum replace removed cases and rename others")
    func enums() throws {
        let set = Self.parse(
            """
            enum: Status
            renamedFrom: State
            removed: { lost: withdrawn, null: available }
            cases:
              - withdrawn
              - onLoan: on_loan
              - { available: avail, renamedFrom: free }
              - { renamedFrom: [a, b], given: g }
              - { sold: , renamedFrom: gone }
              - { kept, renamedFrom: held }
              - renamedFrom: from
            """)
        guard case .enumeration(let status) = set.declarations[0] else { throw Missing() }
        #expect(status.renamedFrom.map(\.value) == ["State"])
        #expect(status.removed.map(\.name.value) == ["lost", "null"])
        #expect(status.removed.map(\.replacement.value) == ["withdrawn", "available"])
        #expect(
            status.cases.map(\.name.value) == [
                "withdrawn", "onLoan", "available", "given", "sold", "kept", "renamedFrom",
            ])
        #expect(
            status.cases.map { $0.rawValue?.value } == [
                nil, "on_loan", "avail", "g", nil, nil, "from",
            ])
        #expect(
            status.cases.map { $0.renamedFrom.map(\.value) } == [
                [], [], ["free"], ["a", "b"], ["gone"], ["held"], [],
            ])
    }

    @Test("of the settings name entities and the type with the functions")
    func settings() {
        func settings(_ text: String) -> SchemaSettings {
            let file = SchemaSource(path: "repositories.yaml", bytes: Array(text.utf8))
            let result = SchemaParser.parse(files: [], settings: file)
            #expect(result.diagnostics.map(\.message) == [])
            return result.set.settings
        }
        let many = settings(
            """
            removed: [Loan, Page]
            reuse: Book
            migrate: [{ code: [Client, Membership] }, { code: Book, for: 6 }]
            migrations: AppMigrations
            """)
        #expect(many.removed.map(\.value) == ["Loan", "Page"])
        #expect(many.reuse.map(\.value) == ["Book"])
        #expect(
            many.migrate.map { $0.entities.map(\.value) } == [["Client", "Membership"], ["Book"]])
        #expect(many.migrate.map { $0.version?.value } == [nil, 6])
        #expect(many.migrations?.value == "AppMigrations")
        let one = settings("migrate: { code: [Client] }\n")
        #expect(one.migrate.map { $0.entities.map(\.value) } == [["Client"]])
    }

    @Test("of the settings are the first document of a version file")
    func version() {
        let text = """
            # A comment.
            removed: [Loan]
            migrate: [{ code: [Book] }]
            ---
            entity: Book
            """
        let file = SchemaSource(path: "Versions/0002.yaml", bytes: Array(text.utf8))
        let result = SchemaParser.parse(version: file)
        #expect(result.diagnostics.map(\.message) == [])
        #expect(result.set.settings.removed.map(\.value) == ["Loan"])
        #expect(result.set.settings.migrate.map(\.range.start.line) == [3])
        #expect(result.set.declarations.map(\.header.name.range.start.line) == [5])
        // Elsewhere it is no schema.
        #expect(SchemaParser.parse(files: [file], settings: nil).diagnostics.count == 1)
        // Other settings do not belong in a version, nor do decisions after a type.
        for other in [
            "name: Library\n---\n\(text)", "removed: [A]\nname: Library\n", "\(text)---\n\(text)",
        ] {
            let file = SchemaSource(path: "Versions/0002.yaml", bytes: Array(other.utf8))
            #expect(!SchemaParser.parse(version: file).diagnostics.isEmpty, "\(other)")
        }
    }
}
