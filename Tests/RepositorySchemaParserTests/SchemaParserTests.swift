import RepositorySchema
import RepositorySchemaParser
import Testing

@Suite("Schema files become declarations")
struct SchemaParserTests {
    @Test("every key of an entity and of its fields is kept")
    func entity() throws {
        let set = try parse(
            """
            entity: Book
            doc: A book the library holds.
            deprecated: Use Volume.
            table: volumes
            id: { name: isbn, type: String, minLength: 10, column: ISBN, doc: Its number. }
            fields:
              title: String
              tags: [String]
              pages: { type: Int, minimum: 1, maximum: 20000, index: true, doc: Printed pages. }
              price: { type: Decimal?, scale: 2, default: 0, sensitive: true, deprecated: true }
              author: { type: Author, onDelete: cascade, renamedFrom: writer, unique: true }
              updatedAt: { type: Date, default: now, onUpdate: now, renamedFrom: [a, b] }
              addedAt: { type: Date, onCreate: now }
              token: { type: UUID, default: generated }
              word: { type: String, default: generated, maxLength: 9, pattern: 'a|b' }
              revision: { type: Int, version: true }
            indexes:
              - author
              - { fields: [title, -updatedAt], name: by_title, unique: true }
            renamedFrom: Volume
            conformances: [Priced, Billing.Sold]
            manage: true
            """)
        guard case .entity(let book)? = set.declarations.first else {
            Issue.record("no entity was read")
            return
        }
        #expect(book.header.name.value == "Book")
        #expect(book.header.doc == "A book the library holds.")
        #expect(book.header.deprecated?.value == "Use Volume.")
        #expect(book.header.sourceFile == "Book.yaml")
        #expect(book.header.isComplete)
        #expect(book.table?.value == "volumes")
        #expect(book.renamedFrom.map(\.value) == ["Volume"])
        #expect(book.conformances.map(\.value) == ["Priced", "Billing.Sold"])
        guard case .single(let id) = book.identity else {
            Issue.record("the id is not a single one")
            return
        }
        #expect(id.name.value == "isbn" && id.type.value == .base(.string))
        #expect(id.column?.value == "ISBN" && id.minLength?.value == 10 && id.doc == "Its number.")
        let fields = Dictionary(uniqueKeysWithValues: book.fields.map { ($0.name.value, $0) })
        #expect(
            book.fields.map(\.name.value) == [
                "title", "tags", "pages", "price", "author", "updatedAt", "addedAt", "token",
                "word", "revision",
            ])
        let pages = try #require(fields["pages"])
        #expect(pages.minimum?.value == .scalar("1", isPlain: true))
        #expect(pages.maximum?.value == .scalar("20000", isPlain: true))
        #expect(pages.index?.value == true && pages.doc == "Printed pages.")
        let price = try #require(fields["price"])
        #expect(price.scale?.value == 2 && price.sensitive?.value == true)
        #expect(price.deprecated?.value == "")
        #expect(price.defaultValue?.value == .literal(.scalar("0", isPlain: true)))
        let author = try #require(fields["author"])
        #expect(author.onDelete?.value == .cascade && author.unique?.value == true)
        #expect(author.renamedFrom.map(\.value) == ["writer"])
        #expect(fields["updatedAt"]?.defaultValue?.value == .now)
        #expect(fields["updatedAt"]?.onUpdateNow != nil)
        #expect(fields["updatedAt"]?.onCreateNow == nil)
        #expect(fields["addedAt"]?.onCreateNow?.start.line == 13)
        #expect(fields["token"]?.defaultValue?.value == .generated)
        #expect(
            fields["word"]?.defaultValue?.value == .literal(.scalar("generated", isPlain: true)))
        #expect(fields["word"]?.pattern?.value == "a|b" && fields["word"]?.maxLength?.value == 9)
        #expect(fields["revision"]?.version?.value == true)
        #expect(
            book.indexes.map { $0.keys.map(\.field.value) } == [
                ["author"], ["title", "updatedAt"],
            ])
        #expect(book.indexes[1].keys.map(\.descending) == [false, true])
        #expect(book.indexes[1].name?.value == "by_title" && book.indexes[1].unique)
    }

    @Test("an id that is left out is a generated UUID called id; a list is a composite id")
    func identities() throws {
        let set = try parse(
            """
            entity: A
            ---
            entity: B
            id: { type: Int }
            ---
            entity: C
            id: [a, b]
            fields: { a: Int, b: Int }
            """)
        let identities = set.declarations.compactMap { declaration -> IdentityDeclaration? in
            if case .entity(let entity) = declaration { return entity.identity }
            return nil
        }
        #expect(identities.count == 3)
        guard case .single(let a) = identities[0], case .single(let b) = identities[1],
            case .composite(let c) = identities[2]
        else {
            Issue.record("\(identities)")
            return
        }
        #expect(a.name.value == "id" && a.type.value == .base(.uuid))
        #expect(a.defaultValue?.value == .generated)
        #expect(b.name.value == "id" && b.type.value == .base(.int) && b.defaultValue == nil)
        #expect(c.map(\.value) == ["a", "b"])
    }

    @Test("the words of YAML are names here")
    func words() throws {
        let set = try parse(
            """
            enum: Switch
            cases: [on, no, null, yes: "on_", off: off_]
            unknown: other
            ---
            value: Odd
            fields:
              y: String
              on: { type: String, default: no }
              null: { type: "[String: Int]", default: { a: 1 } }
            """)
        guard case .enumeration(let names) = set.declarations[0],
            case .value(let odd) = set.declarations[1]
        else {
            Issue.record("\(set.declarations)")
            return
        }
        #expect(names.cases.map(\.name.value) == ["on", "no", "null", "yes", "off"])
        #expect(names.cases.map { $0.rawValue?.value } == [nil, nil, nil, "on_", "off_"])
        #expect(names.unknownCase?.value == "other" && names.rawType.value == .string)
        #expect(odd.fields.map(\.name.value) == ["y", "on", "null"])
        #expect(odd.fields[1].defaultValue?.value == .literal(.scalar("no", isPlain: true)))
        guard case .literal(.map(let entries))? = odd.fields[2].defaultValue?.value else {
            Issue.record("the default is no mapping")
            return
        }
        #expect(entries.map(\.key.value) == ["a"])
    }

    @Test("settings, and the defaults of what they leave out")
    func settings() throws {
        let text = """
            name: Library
            access: package
            columns: as_written
            stores: [sqlite, files]
            manage: true
            imports: [Billing]
            templates: null
            """
        let result = SchemaParser.parse(
            files: [], settings: SchemaSource(path: "repositories.yaml", bytes: Array(text.utf8)))
        #expect(result.diagnostics == [])
        let settings = result.set.settings
        #expect(settings.name == "Library" && settings.access == .package)
        #expect(settings.columns == .asWritten && settings.output == "Generated")
        #expect(settings.stores.map(\.value) == ["sqlite", "files"])
        #expect(settings.imports.map(\.value) == ["Billing"])
        #expect(settings.templates == nil && settings.manage)
        #expect(SchemaParser.parse(files: [], settings: nil).set.settings == SchemaSettings())
    }

    @Test("files are taken in byte order, also those without a declaration")
    func order() {
        let files = ["b.yaml", "a/z.yaml", "B.x.yaml", "ä.yaml", "empty.yaml"].map { path in
            let name = path.filter(\.isLetter).uppercased()
            return SchemaSource(
                path: path, bytes: path == "empty.yaml" ? [] : Array("entity: \(name)\n".utf8))
        }
        let result = SchemaParser.parse(files: files, settings: nil)
        #expect(result.diagnostics == [])
        #expect(result.set.files == ["B.x.yaml", "a/z.yaml", "b.yaml", "empty.yaml", "ä.yaml"])
        #expect(
            result.set.declarations.map(\.header.sourceFile)
                == result.set.files.filter { $0 != "empty.yaml" })
    }

    @Test("what cannot be understood marks its declaration, and the set where names may be missing")
    func incomplete() {
        let broken = read("entity: Book\nfields: { title: Strin<g> }\n")
        #expect(broken.set.isComplete)
        #expect(broken.set.declarations.map(\.header.isComplete) == [false])
        let cut = read("entity: Book\n---\nentity: [\n")
        #expect(!cut.set.isComplete)
        #expect(cut.set.declarations.map(\.header.name.value) == ["Book"])
        let refused = read("scalar: Dated\nimport: Dates\n")
        #expect(refused.set.refusedNames.map(\.value) == ["Dated"])
        #expect(refused.set.isComplete)
    }

    private func read(_ text: String) -> (set: SchemaSet, diagnostics: [Diagnostic]) {
        SchemaParser.parse(
            files: [SchemaSource(path: "Book.yaml", bytes: Array(text.utf8))], settings: nil)
    }

    private func parse(_ text: String) throws -> SchemaSet {
        let result = read(text)
        #expect(result.diagnostics == [])
        return result.set
    }
}
