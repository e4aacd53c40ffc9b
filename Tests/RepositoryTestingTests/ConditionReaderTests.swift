import Foundation
import StoredSchema
import Testing

@testable import RepositoryRuntime
@testable import RepositoryTesting

@Suite("Conditions of a stored description")
struct ConditionReaderTests {
    private static let layout = FieldLayout(
        "Record",
        [
            FieldDescription("pages", .int64), FieldDescription("title", .text),
            FieldDescription("tags", .list(.text)), FieldDescription("true", .bool),
            FieldDescription("shelf", .map(.text)), FieldDescription("price", .decimal(scale: 2)),
        ])

    private static let conditions: [StoredCondition] = {
        typealias Path = StoredCondition.Path
        let pages = StoredCondition.compare(Path("pages"), ">", .integer(-3))
        let title = StoredCondition.text("hasPrefix", Path("title"), "a\"b\\c) && (")
        return [
            .constant(true), .constant(false), pages, title, .not(pages), .all([pages, title]),
            .any([pages, .all([title, .not(title)]), .constant(true)]),
            .compare(Path("true"), "==", .bool(true)), .compare(Path("pages"), "==", .null),
            .compare(Path("pages"), "<=", .double(1.5)),
            .compare(Path("price"), ">=", .decimal("-1.25")),
            .compare(Path("pages"), "<", .date(-5)),
            .compare(Path("title"), "==", .uuid("E621E1F8-C36C-495A-93FC-0C247A3E6E5F")),
            .compare(Path("title"), "==", .data("AAE=")),
            .compare(Path("shelf", ["a.b \"c"], ignoresCase: true), "==", .text("x")),
            .isIn(Path("pages"), [.null, .integer(1), .integer(2)]), .isIn(Path("pages"), []),
            .hasElement(Path("tags"), .text("contains(tags")),
            .text("contains", Path("title"), "x"), .text("equalsIgnoringCase", Path("title"), "x"),
            .compare(Path("tags"), "==", .list([.text("a"), .text("b")])),
            .compare(Path("shelf"), "==", .object(["a": .text("1"), "b": .text("2")])),
        ]
    }()

    @Test("are read as they were written", arguments: conditions.map(\.text))
    func read(text: String) throws {
        let tree = try #require(ConditionReader.condition(text, Self.layout))
        #expect(StoredCondition(tree, in: Self.layout).text == text)
    }

    @Test(
        "are rejected if they are no conditions",
        arguments: ["", "pages >", "pages > 1)", "(pages > 1", "unknown == 1", "pages in [1", "!x"])
    func rejected(text: String) {
        #expect(ConditionReader.condition(text, Self.layout) == nil)
    }
}
