import RepositoryGeneratorCore
import RepositoryRuntime
import RepositorySchema
import RepositorySchemaParser
import StoredSchema
import Testing

@testable import RepositoryTesting

/// The schemas of successive versions as YAML, and the schema of the program that follows them as
/// the generator would describe it.
struct ReleasedSchemas {
    /// The released versions.
    let history: SchemaHistory
    /// The present schema without functions.
    private let present: OldProgram

    /// Parses and releases schemas.
    ///
    /// - Parameters:
    ///   - texts: the schemas, oldest first. The last one is the present schema.
    ///   - settings: the settings of some of the schemas, by their numbers.
    ///   - isReleased: whether the last one is a version, too.
    init(
        _ texts: [String], settings: [Int: String] = [:], isReleased: Bool = true
    ) throws {
        var versions: [VersionHistory.Version] = []
        var last: NormalizedSchema?
        var present: SchemaSet?
        for (index, text) in texts.enumerated() {
            let source = SchemaSource(path: "\(index + 1).yaml", bytes: Array(text.utf8))
            let own = settings[index + 1].map {
                SchemaSource(path: "repositories.yaml", bytes: Array($0.utf8))
            }
            let (set, found) = SchemaParser.parse(files: [source], settings: own)
            let problems = found + Validator.validate(set)
            #expect(problems.map(\.message) == [], "version \(index + 1)")
            present = set
            guard isReleased || index + 1 < texts.count else { continue }
            let normal = NormalizedSchema(set)
            let version = VersionFile.text(
                of: normal.keepingDecisions(since: last, number: index + 1))
            let (read, unread) = SchemaParser.parse(
                version: SchemaSource(
                    path: "Versions/\(index + 1).yaml", bytes: Array(version.utf8)))
            #expect(unread.map(\.message) == [], "version \(index + 1)")
            versions.append(.init(number: index + 1, hash: "hash \(index + 1)", set: read))
            last = normal
        }
        let set = try #require(present)
        history =
            VersionHistory(versions: versions, present: set, isReleased: isReleased)
            .stored
        self.present = try OldProgram(
            history.lastNumber, tables: StoredTables.of(set, .columns).sortedTables, history,
            name: "Library")
        #expect(self.present.problems.map(\.table) == [])
    }

    /// The present schema with functions.
    func schema(_ functions: [String: MigrationFunction]) -> StoreSchema {
        StoreSchema(
            "Library", present.schema.entities, history: history.textParts,
            functions: MigrationFunctions(functions))
    }

    /// The names of the functions that changes call.
    var functions: Set<String> {
        Set(history.changes(after: 0).flatMap { $0.changes.compactMap(\.function) })
    }
}

extension ReleasedSchemas {
    /// Four versions of a library: names that are used again, a shape that returns, a removed case,
    /// embedded values, lists, maps, unions, composite ids, a changed id, and functions.
    static func library(isReleased: Bool = true) throws -> ReleasedSchemas {
        try ReleasedSchemas(
            [first, second, third, fourth],
            settings: [3: "name: Library\nremoved: [Scrap]\n"], isReleased: isReleased)
    }

    /// The functions of the library.
    static let functions: [String: MigrationFunction] = [
        "bookPriceTo2": { old, new in
            let cents: Int = try old.value("price")
            new["price"] = .decimal(StoredDecimal.decimal(scaledInteger: Int64(cents), scale: 2))
            return true
        },
        "shelfFloorTo2": { old, new in
            let row: Int = try old.value("row")
            new.set(row / 10, "floor")
            return true
        },
        "loanTo3": { old, new in
            let number: Int = try old.value("number")
            if number.isMultiple(of: 7) { return false }
            let note: String? = try old.value("note")
            new.set((note ?? "none") + "!", "remark")
            new["note"] = .null
            return true
        },
    ]

    private static let first = """
        entity: Book
        id: { name: isbn, type: String, minLength: 3 }
        fields:
          title: String
          subtitle: String?
          price: { type: Int, minimum: 0, maximum: 100000 }
          pages: Int?
          status: { type: Status, index: true }
          shelf: Shelf
          shelves: "[Shelf]"
          tags: "[String]"
          scores: "[String: Double]"
          seal: Seal?
          author: { type: Author, index: true }
          added: Date
          rating: { type: String, ignoringCase: true, index: true }
          code: { type: String, pattern: "[A-Z]{2}-\\\\d+", unique: true }
          revision: { type: Int, version: true }
        checks:
          dated: { where: "pages isNull || pages != 0", message: A book has pages. }
        ---
        entity: Author
        fields: { name: String, born: Int?, teacher: Author? }
        ---
        entity: Loan
        id: [book, number]
        fields: { book: { type: Book, onDelete: cascade }, number: Int, note: String?, due: Date }
        ---
        entity: Reminder
        fields: { loan: { type: Loan, onDelete: none }, text: String }
        ---
        entity: Scrap
        fields: { text: String }
        ---
        value: Shelf
        fields: { room: String, row: Int, old: String? }
        ---
        union: Seal
        cases: { wax: { color: String, at: Date? }, none_: {} }
        ---
        enum: Status
        type: String
        cases: [available, lost, onLoan: on_loan]
        """

    private static let second = """
        entity: Book
        removed: subtitle
        id: { name: isbn, type: String, minLength: 3 }
        fields:
          title: String
          price: { type: Decimal, scale: 2, minimum: 0, convert: code }
          pages: { type: Int, fill: 1 }
          status: { type: Status, index: true }
          shelf: Shelf
          shelves: "[Shelf]"
          tags: "[String]"
          scores: "[String: Double]"
          seal: Seal?
          author: { type: Author, index: true }
          added: Date
          language: { type: String, fill: en, minLength: 2 }
          rating: { type: String, ignoringCase: true, index: true }
          code: { type: String, pattern: "[A-Z]{2}-\\\\d+", unique: true }
          revision: { type: Int, version: true }
        ---
        entity: Author
        fields: { name: String, born: Int?, teacher: Author? }
        ---
        entity: Loan
        id: [book, number]
        fields: { book: { type: Book, onDelete: cascade }, number: Int, note: String?, due: Date }
        ---
        entity: Reminder
        fields: { loan: { type: Loan, onDelete: none }, text: String }
        ---
        entity: Scrap
        fields: { text: String }
        ---
        value: Shelf
        removed: old
        fields:
          hall: { type: String, renamedFrom: room }
          row: Int
          floor: { type: Int, fill: code }
        ---
        union: Seal
        cases: { wax: { color: String, at: Date? }, none_: {} }
        ---
        enum: Status
        type: String
        removed: { lost: available }
        cases: [available, onLoan: on_loan]
        """

    private static let third = """
        entity: Volume
        renamedFrom: Book
        reuse: subtitle
        id: { name: isbn, type: String, minLength: 3 }
        fields:
          headline: { type: String, renamedFrom: title }
          subtitle: Int?
          price: { type: Decimal, scale: 2, minimum: 0 }
          pages: Int
          status: { type: Status, index: true }
          shelf: Shelf
          shelves: "[Shelf]"
          tags: "[String]"
          scores: "[String: Double]"
          seal: Seal?
          author: { type: Author, index: true }
          added: { type: String, convert: value }
          language: { type: "[String]", convert: value }
          rating: { type: Int, convert: { value, otherwise: 0 }, index: true }
          code: { type: String, pattern: "[A-Z]{2}-\\\\d+", unique: true }
          revision: { type: Int, version: true }
        ---
        entity: Author
        fields: { name: String, born: Int?, teacher: Author? }
        ---
        entity: Loan
        migrate: code
        removed: note
        id: [book, number]
        fields:
          book: { type: Volume, onDelete: cascade }
          number: Int
          remark: { type: String, minLength: 1 }
          due: Date
        ---
        entity: Reminder
        fields: { loan: { type: Loan, onDelete: none }, text: String }
        ---
        value: Shelf
        fields: { hall: String, row: { type: String, convert: value }, floor: Int }
        ---
        union: Seal
        cases: { wax: { shade: { type: String, renamedFrom: color }, at: Date? }, none_: {} }
        ---
        enum: Status
        type: String
        cases: [available, onLoan: on_loan, sold]
        """

    private static let fourth = """
        entity: Volume
        removed: [subtitle]
        id: { name: isbn, type: String, minLength: 3 }
        fields:
          title: { type: String, renamedFrom: headline }
          price: { type: Decimal, scale: 2, minimum: 0 }
          pages: { type: Double, convert: value }
          status: { type: Status, index: true }
          shelf: Shelf
          shelves: "[Shelf]"
          tags: "[String]"
          scores: "[String: Double]"
          seal: Seal?
          author: { type: Author, index: true }
          added: { type: Date, convert: value }
          language: "[String]"
          rating: { type: Int, index: true }
          code: { type: String, pattern: "[A-Z]{2}-\\\\d+", unique: true }
          copies: { type: Int, default: 3 }
          revision: { type: Int, version: true }
        ---
        entity: Author
        fields: { name: String, born: Int?, teacher: Author? }
        ---
        entity: Loan
        id: [book, number]
        fields:
          book: { type: Volume, onDelete: cascade }
          number: Int
          remark: { type: String, minLength: 1 }
          due: Date
        ---
        entity: Reminder
        fields: { loan: { type: Loan, onDelete: none }, text: String }
        ---
        value: Shelf
        reuse: old
        fields: { hall: String, row: String, floor: Int, old: Bool? }
        ---
        union: Seal
        cases: { wax: { shade: String, at: Date? }, none_: {} }
        ---
        enum: Status
        type: String
        cases: [available, { lent: loaned, renamedFrom: onLoan }, sold]
        """
}
