import ConditionLanguage
import RepositorySchema
import RepositorySchemaParser
import Testing

@testable import RepositoryGeneratorCore

// The types of the generator, not the generic ones.
private typealias ConditionChecker = RepositoryGeneratorCore.ConditionChecker
private typealias ConditionContext = RepositoryGeneratorCore.ConditionContext

@Suite("The type check of conditions")
struct ConditionCheckerTests {
    private static let schema = """
        entity: Book
        id: { name: isbn, type: String }
        fields:
          title: String
          subtitle: String?
          pages: Int
          ratio: Double?
          sold: Bool
          seen: Bool?
          updatedAt: Date
          tags: [String]
          notes: "[String?]?"
          status: Status
          open: Bool
          kind: Kind?
          shelf: Shelf?
          author: Author
          part: Book?
        ---
        value: Shelf
        fields: { room: String, row: Int, note: String? }
        ---
        entity: Author
        fields: { name: String }
        ---
        enum: Status
        cases: [open, closed]
        ---
        enum: Kind
        cases: [plain, signed, other]
        """

    private static func checker() throws -> ConditionChecker {
        let source = SchemaSource(path: "Book.yaml", bytes: Array(schema.utf8))
        let scope = SchemaScope(SchemaParser.parse(files: [source], settings: nil).set)
        return ConditionChecker(ConditionContext(try #require(scope.entities.first), scope: scope))
    }

    private static func text(_ condition: String) -> ConditionText {
        let start = SourceRange(path: "Book.yaml", start: .start, end: .start)
        return ConditionText(condition, at: start)
    }

    @Test(
        "gives conditions their meaning in Swift",
        arguments: [
            ("title == $a", "$0.title == a"), ("$a <= updatedAt", "$0.updatedAt >= a"),
            ("5 > pages", "$0.pages < 5"), ("sold", "$0.sold == true"),
            ("!sold", "$0.sold == false"),
            ("!seen", "$0.seen != true"), ("!(title == $a)", "$0.title != a"),
            ("!(title != $a)", "$0.title == a"), ("!!sold", "$0.sold != false"),
            ("!(pages < 5)", "!($0.pages < 5)"), ("subtitle isNull", "$0.subtitle == nil"),
            ("shelf.row isNull", "$0.shelf.row == nil"), ("shelf isNull", "$0.shelf == nil"),
            ("status == open", "$0.status == .open"), ("open == status", "$0.status == .open"),
            ("closed != status", "$0.status != .closed"), ("open == true", "$0.open == true"),
            ("kind == plain", "$0.kind == .plain"), ("kind == other", "$0.kind == .other"),
            ("kind in [signed, other]", "$0.kind.in([.signed, .other])"),
            ("contains(tags, 'a')", "$0.tags.contains(\"a\")"),
            ("contains(notes, $n)", "$0.notes.contains(n)"),
            ("contains(subtitle, $n)", "$0.subtitle.contains(n)"),
            ("hasPrefix(shelf.note, 'a')", "$0.shelf.note.hasPrefix(\"a\")"),
            ("isbn == '12'", "$0.isbn == \"12\""), ("id in $ids", "$0.isbn.in(ids)"),
            ("author == $author", "$0.authorID == author"),
            ("part == isbn", "$0.partID == $0.isbn"),
            ("ratio > 1", "$0.ratio > 1.0"), ("pages in [1, $a]", "$0.pages.in([1, a])"),
            ("updatedAt > 1970-01-02", "$0.updatedAt > StoredDate.date(microseconds: 86400000000)"),
            (
                "sold || pages == 1 && !(open && title == 'a')",
                "$0.sold == true || ($0.pages == 1 && !($0.open == true && $0.title == \"a\"))"
            ),
        ])
    func meaning(condition: String, expected: String) throws {
        var checker = try Self.checker()
        let checked = checker.check(Self.text(condition))
        let translator = ConditionTranslator(scope: checker.context.scope, root: "$0")
        #expect(checked.map { translator.code($0).line } ?? "-" == expected)
        #expect(checker.problems.isEmpty == (expected != "-"))
    }

    @Test("finds the types of parameters, in the order of their first appearance")
    func parameters() throws {
        var checker = try Self.checker()
        _ = checker.check(
            Self.text(
                "$z < pages && title == $b || subtitle == $b || shelf.note in $list || part == $part "
                    + "|| contains(notes, $b) || isbn == $part"))
        #expect(checker.problems.map(\.message) == [])
        #expect(checker.parameters.map(\.name) == ["z", "b", "list", "part"])
        #expect(
            checker.parameters.map(\.type) == [
                .base(.int), .base(.string), .list(.base(.string)), .named("Book"),
            ])
    }

    @Test("tells all mistakes of a condition, each at its place")
    func mistakes() throws {
        var checker = try Self.checker()
        let text = "titel == $a && pages == 'x' || !(status == opn) && $q == $a"
        let checked = checker.check(Self.text(text))
        #expect(checked.map { _ in true } == nil)
        #expect(checker.problems.map(\.range) == [0..<5, 24..<27, 43..<46, 51..<59])
        #expect(checker.problems[0].help == "did you mean 'title'?")
        #expect(checker.problems[2].help == "did you mean 'open'?")
    }

    @Test("refuses parameters where there can be none")
    func parameterless() throws {
        let checker = try Self.checker()
        let entity = try #require(checker.context.record)
        var other = ConditionChecker(
            ConditionContext(entity, scope: checker.context.scope)
                .without(parametersIn: "a check"))
        let checked = other.check(Self.text("title == $a"))
        #expect(checked.map { _ in true } == nil)
        #expect(other.problems.map(\.message) == ["a check has no parameters"])
    }
}
