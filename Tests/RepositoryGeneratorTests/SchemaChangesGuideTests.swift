import Foundation
import Testing

/// The page 'Your schema changes': its schemas are written and its commands are run, in their
/// order.
@Suite("Your schema changes", .enabled(if: CommandLineTests.isBuilt))
struct SchemaChangesGuideTests {
    /// A step of the page: a comment such as `<!-- run: 0 -->`, and the block of code that follows.
    private struct Step {
        let instruction: String
        let block: String

        static func all(in page: String) -> [Step] {
            page.components(separatedBy: "<!-- ").dropFirst().compactMap { part in
                guard let end = part.range(of: " -->\n```"),
                    let start = part[end.upperBound...].firstIndex(of: "\n"),
                    let close = part[start...].range(of: "\n```")
                else { return nil }
                return Step(
                    instruction: String(part[..<end.lowerBound]),
                    block: String(part[part.index(after: start)..<close.lowerBound]))
            }
        }
    }

    @Test("does what it says")
    func steps() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(
                path: "../../Sources/repository-generator/Documentation.docc/YourSchemaChanges.md"
            ).standardizedFileURL
        // Other remarks are about blocks that are no steps.
        let steps = Step.all(in: try String(contentsOf: page, encoding: .utf8))
            .filter { !$0.instruction.hasPrefix("not compiled") }
        #expect(steps.count == 15)
        let shop = try Workshop([:])
        let line = CommandLineTests()
        var output = ""
        for step in steps {
            let words = step.instruction.split(separator: " ").map(String.init)
            switch words[0] {
            case "write": try shop.write(step.block + "\n", to: words[1])
            case "run:":
                for command in step.block.split(separator: "\n") {
                    let arguments = command.split(separator: " ").dropFirst().map(String.init)
                    let (status, printed) = try line.run(arguments, in: shop.root)
                    #expect(String(status) == words[1], "\(command): \(printed)")
                    output = printed
                }
            case "complains": #expect(output.contains(step.block), "\(output)")
            case "contains":
                let text = Self.withoutSpace(try shop.text(words[1]))
                #expect(text.contains(Self.withoutSpace(step.block)))
            default: Issue.record("unknown step: \(step.instruction)")
            }
        }
        #expect(shop.exists("Schemas/Versions/0002.yaml"))
    }

    /// The text without white space, because lines are broken by their indentation.
    private static func withoutSpace(_ text: String) -> String {
        text.filter { !$0.isWhitespace }
    }
}
