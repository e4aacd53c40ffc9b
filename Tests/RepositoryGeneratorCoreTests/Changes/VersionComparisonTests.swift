import RepositorySchema
import RepositorySchemaParser
import StoredSchema
import Testing

@testable import RepositoryGeneratorCore

/// The typed changes between versions, and the errors for those without a decision. The corpus
/// `Tests/Reference/changes` has each kind of change.
@Suite("The changes since a version")
struct VersionComparisonTests {
    /// Parses and validates a schema.
    static func set(_ text: String, settings: String? = nil) -> SchemaSet {
        let file = SchemaSource(path: "Present.yaml", bytes: Array(text.utf8))
        let settings = settings.map {
            SchemaSource(path: "repositories.yaml", bytes: Array($0.utf8))
        }
        let (set, found) = SchemaParser.parse(files: [file], settings: settings)
        #expect((found + Validator.validate(set)).map(\.message) == [])
        return set
    }

    /// The versions that releasing schemas one after another writes, as they are read later.
    static func versions(_ sets: [SchemaSet]) -> [SchemaSet] {
        var result: [SchemaSet] = []
        var last: NormalizedSchema?
        for (index, set) in sets.enumerated() {
            let schema = NormalizedSchema(set)
            let text = VersionFile.text(
                of: schema.keepingDecisions(since: last, number: index + 1))
            let (read, problems) = SchemaParser.parse(
                version: SchemaSource(path: "Versions/\(index + 1).yaml", bytes: Array(text.utf8)))
            #expect(problems.map(\.message) == [])
            result.append(read)
            last = schema
        }
        return result
    }

    /// Compares the last of several schemas with the one before, which has been released.
    static func compare(
        _ texts: String..., settings: [String?] = []
    ) -> VersionComparison {
        let sets = texts.enumerated().map { index, text in
            set(text, settings: settings.indices.contains(index) ? settings[index] : nil)
        }
        var versions = versions(sets.dropLast())
        guard let last = versions.popLast(), let present = sets.last else {
            return VersionComparison(from: sets[0], number: 0, to: sets[0])
        }
        return VersionComparison(
            from: last, number: versions.count + 1, to: present, earlier: versions)
    }

    private static func lines(_ comparison: VersionComparison) -> [String] {
        comparison.changes.map { change in
            "\(change.code.rawValue) \(change.path)" + (change.isUndecided ? " undecided" : "")
                + (change.function.map { " \($0)" } ?? "")
        }
    }

    private static func errors(_ comparison: VersionComparison) -> [String] {
        comparison.diagnostics.filter { $0.severity == .error }.map(\.message)
    }

    @Test("are none between a schema and its own version")
    func none() {
        let text = """
            entity: Book
            include: [Dated]
            fields:
              title: { type: String, index: true, renamedFrom: name }
              price: { type: Decimal, scale: 2, default: 01.50, minimum: 0.0 }
              author: Author
              shelf: Shelf?
            checks: { priced: { where: 0<price } }
            ---
            entity: Author
            ---
            mixin: Dated
            fields: { addedAt: { type: Date, default: now, onUpdate: now } }
            ---
            value: Shelf
            fields: { room: String }
            """
        #expect(Self.compare(text, text).changes.isEmpty)
        #expect(Self.compare(text, text, settings: [nil, "columns: snake_case"]).changes.isEmpty)
    }

    @Test("are decided by the keys of the schema")
    func decided() {
        let comparison = Self.compare(
            """
            entity: Book
            fields: { title: String, price: Int, subtitle: String?, status: Status, rating: Int? }
            ---
            enum: Status
            cases: [available, lost]
            ---
            entity: Loan
            fields: { note: String }
            """,
            """
            entity: Volume
            renamedFrom: Book
            removed: [subtitle]
            fields:
              name: { type: String, renamedFrom: title }
              price: { type: Decimal, scale: 2, convert: code }
              status: Status
              rating: { type: Int, fill: 3 }
              pages: { type: Int, fill: code }
              note: String?
            ---
            enum: Status
            removed: { lost: withdrawn }
            cases: [available, withdrawn]
            """, settings: [nil, "removed: [Loan]"])
        #expect(Self.errors(comparison) == [])
        #expect(
            Self.lines(comparison) == [
                "type-renamed Volume", "table-renamed Volume",
                "field-renamed Volume.name", "column-renamed Volume.name",
                "type-changed Volume.price volumePriceTo2", "became-required Volume.rating",
                "required-field-added Volume.pages volumePagesTo2", "field-added Volume.note",
                "field-removed Volume.subtitle", "case-added Status.withdrawn",
                "case-removed Status.lost",
                "table-removed Loan",
            ])
        #expect(comparison.functions.map(\.name) == ["volumePriceTo2", "volumePagesTo2"])
        #expect(
            comparison.changes[4].detail
                == .type(old: .base(.int), new: .base(.decimal), newScale: 2))
        #expect(comparison.changes[2].earlierMember == ["title"])
    }

    @Test("are errors with a recipe if they need a decision and have none")
    func undecided() {
        let comparison = Self.compare(
            """
            entity: Book
            fields: { title: String, price: Int, subtitle: Bool, rating: Int?, state: Status }
            ---
            entity: Loan
            ---
            enum: Status
            cases: [available, lost, sold]
            """,
            """
            entity: Book
            fields:
              title: Shelf
              price: Decimal
              rating: Int
              pages: Double
              state: Status
            ---
            value: Shelf
            fields: { room: String }
            ---
            enum: Status
            cases: [available]
            """)
        #expect(
            comparison.diagnostics.map { "\($0.message); \($0.help ?? "")" } == [
                "the type of the field 'title' of the entity 'Book' is 'Shelf', was 'String'; "
                    + "write 'convert: code' at the field 'title'",
                "the type of the field 'price' of the entity 'Book' is 'Decimal', was 'Int'; "
                    + "write 'convert: value' at the field 'price' to keep the values in the new "
                    + "type, or 'convert: code'",
                "the field 'rating' of the entity 'Book' is required, was optional, and stored "
                    + "records may have no value for it; write 'fill: 0', another value or 'fill: "
                    + "code' at the field 'rating' for the stored records",
                "the field 'pages' of the entity 'Book' is new and required, and stored records "
                    + "have no value for it; write 'fill: 0', another value or 'fill: code' at "
                    + "the field 'pages' for the stored records",
                "the field 'subtitle' of the entity 'Book' is no longer declared; write 'removed: "
                    + "[subtitle]' under the entity 'Book' to drop its values, or 'renamedFrom: "
                    + "subtitle' at the field that has them now",
                "the case 'lost' of the enum 'Status' is no longer declared; write 'removed: { "
                    + "lost: available }' under the enum 'Status' with the case that replaces it "
                    + "in stored records",
                "the case 'sold' of the enum 'Status' is no longer declared; write 'removed: { "
                    + "sold: available }' under the enum 'Status' with the case that replaces it "
                    + "in stored records",
                "the entity 'Loan' is no longer declared; write 'removed: [Loan]' in "
                    + "repositories.yaml to drop its records, or 'renamedFrom: Loan' under the "
                    + "entity that has them now",
            ])
        #expect(comparison.changes.count(where: \.isUndecided) == 8)
        #expect(comparison.functions.isEmpty)
    }

    @Test("name likely renames instead of guessing")
    func likelyRenames() {
        let comparison = Self.compare(
            """
            entity: Book
            fields: { subtitle: String?, a: Int, b: Int }
            ---
            entity: Loan
            ---
            enum: Status
            cases: [available, lost]
            """,
            """
            entity: Book
            fields: { caption: String, c: Int, d: Int }
            ---
            entity: Lending
            ---
            enum: Status
            cases: [available, missing]
            """)
        #expect(
            Self.errors(comparison) == [
                "the field 'c' of the entity 'Book' is new and required, and stored records have "
                    + "no value for it",
                "the field 'd' of the entity 'Book' is new and required, and stored records have "
                    + "no value for it",
                "the field 'subtitle' of the entity 'Book' is gone and the field 'caption' is new, "
                    + "of the same type",
                "the field 'a' of the entity 'Book' is no longer declared",
                "the field 'b' of the entity 'Book' is no longer declared",
                "the case 'lost' of the enum 'Status' is gone and the case 'missing' is new",
                "the entity 'Loan' is gone and the entity 'Lending' is new",
            ])
    }

    @Test("do not take decisions of earlier versions again")
    func spent() {
        let first = "entity: Book\nfields: { title: String }\n"
        let second = "entity: Book\nfields: { title: String, pages: { type: Int, fill: 1 } }\n"
        let third = "entity: Book\nfields: { title: String, pages: Int? }\n"
        #expect(Self.compare(first, second, second).diagnostics.isEmpty)
        let spent = Self.compare(first, second, third, second)
        #expect(
            Self.errors(spent) == [
                "the field 'pages' of the entity 'Book' changes again, and its 'fill' belongs to "
                    + "version 2"
            ])
        #expect(
            spent.diagnostics[0].help
                == "write 'fill: { value: 1, for: 4 }' if it is right for this change, too, or "
                + "replace it")
        let renewed = second.replacing("fill: 1", with: "fill: { value: 1, for: 4 }")
        #expect(Self.compare(first, second, third, renewed).isDecided)
        let other = second.replacing("fill: 1", with: "fill: 2")
        #expect(Self.compare(first, second, third, other).isDecided)
        let wrong = second.replacing("fill: 1", with: "fill: { value: 1, for: 3 }")
        #expect(
            Self.errors(Self.compare(first, second, third, wrong)) == [
                "the field 'pages' of the entity 'Book' changes in version 4, and its 'fill' is "
                    + "for version 3"
            ])
    }

    @Test("reserve the names of removed fields")
    func reserved() {
        let first = "entity: Book\nfields: { title: String, note: String }\n"
        let second = "entity: Book\nremoved: [note]\nfields: { title: String }\n"
        let third = "entity: Book\nfields: { title: String, note: String? }\n"
        #expect(
            Self.errors(Self.compare(first, second, third)) == [
                "the field 'note' of the entity 'Book' was removed in version 2"
            ])
        let reused = "entity: Book\nreuse: [note]\nfields: { title: String, note: String? }\n"
        let comparison = Self.compare(first, second, reused)
        #expect(comparison.isDecided)
        #expect(Self.lines(comparison) == ["name-reused Book.note", "field-added Book.note"])
        #expect(Self.compare(first, second, reused, reused).changes.isEmpty)
        let again = "entity: Book\nremoved: [note]\nfields: { title: String }\n"
        #expect(Self.compare(first, second, reused, again).isDecided)
        #expect(!Self.compare(first, second, reused, again, third).isDecided)
    }

    @Test("reserve names under later names of an entity")
    func reservedAfterRename() {
        let first = "entity: Book\nfields: { title: String, note: String }\n"
        let second = "entity: Book\nremoved: [note]\nfields: { title: String }\n"
        let third = "entity: Volume\nrenamedFrom: Book\nfields: { title: String }\n"
        let fourth = "entity: Volume\nfields: { title: String, note: String? }\n"
        #expect(
            Self.errors(Self.compare(first, second, third, fourth)) == [
                "the field 'note' of the entity 'Volume' was removed in version 2"
            ])
        // Another entity of the earlier name has nothing to do with it.
        let other = "---\nentity: Book\nfields: { note: String? }\n"
        let present = "entity: Volume\nfields: { title: String }\n" + other
        #expect(Self.compare(first, second, third, present).isDecided)
    }

    @Test("migrate whole records by code")
    func records() {
        let first = "entity: Loan\nfields: { a: Int, b: Int }\n"
        let second = "entity: Loan\nmigrate: code\nfields: { c: String }\n"
        let comparison = Self.compare(first, second)
        #expect(comparison.isDecided)
        #expect(comparison.functions.map(\.name) == ["loanTo2"])
        #expect(comparison.functions[0].changes.count == 4)
        #expect(Self.compare(first, second, second).changes.isEmpty)
        let third = "entity: Loan\nmigrate: code\nfields: { c: String, d: Int? }\n"
        // The spent decision may stay, and decides nothing for the next change.
        let again = Self.compare(first, second, third)
        #expect(again.isDecided)
        #expect(again.functions.isEmpty)
        let undecided = Self.compare(
            first, second, "entity: Loan\nmigrate: code\nfields: { c: String, d: Int }\n")
        #expect(Self.errors(undecided).count == 1)
        #expect(
            undecided.diagnostics[0].notes.map(\.message).last
                == "'migrate' of 'Loan' belongs to version 2; write 'migrate: { code, for: 3 }' if "
                + "a function migrates the records this time, too")
    }

    @Test("warn of decisions that decide nothing")
    func unused() {
        let comparison = Self.compare(
            "entity: Book\nfields: { title: String, pages: Int }\n",
            """
            entity: Book
            removed: [pagse]
            fields: { title: { type: String, convert: value }, pages: { type: Int, fill: 1 } }
            """)
        #expect(comparison.isDecided)
        #expect(comparison.changes.isEmpty)
        #expect(
            comparison.diagnostics.map { "\($0.message); \($0.help ?? "")" } == [
                "'convert' of the field 'title' of the entity 'Book' decides nothing: the change "
                    + "since version 1 does not need it; remove it",
                "'fill' of the field 'pages' of the entity 'Book' decides nothing: the change "
                    + "since version 1 does not need it; remove it",
                "no version has the field 'pagse' that is removed; did you mean 'pages'?",
            ])
    }

    @Test("keep the values of a reference that becomes another type")
    func reference() {
        let author = "\n---\nentity: Author\nid: { name: name, type: String }\n"
        let sets = ["author: Author", "author: String"].map { field in
            Self.set("entity: Book\nfields: { title: String, \(field) }" + author)
        }
        let step = VersionStep(
            from: SchemaScope(Self.versions([sets[0]])[0]), to: SchemaScope(sets[1]), number: 2)
        #expect(step.changes == [.rename(DataPath("books", ["authorID"]), to: "author")])
        let back = VersionStep(
            from: SchemaScope(Self.versions([sets[1]])[0]), to: SchemaScope(sets[0]), number: 2)
        #expect(back.changes == [.rename(DataPath("books", ["author"]), to: "authorID")])
    }
}
