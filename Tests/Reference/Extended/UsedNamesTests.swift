import Foundation
import RepositoryGeneratorCore
import RepositorySchema
import RepositorySchemaParser
import Testing

/// What the output names is declared in the set, or named with its module where a type of the set could hide it.
@Suite("The names in the output")
struct UsedNamesTests {
    /// Words with a capital at the start that are no types: what Swift itself gives a meaning.
    private static let words: Set<String> = ["Any", "Self", "Type"]

    @Test("each is known to the generator, which can name it with its module")
    func known() throws {
        var seen: Set<String> = []
        for name in GoodCaseTests.cases {
            let folder = ReferenceFolder.root.appending(path: "good/\(name)")
            let (files, settings) = try ReferenceFolder.sources(in: folder)
            let set = SchemaParser.parse(files: files, settings: settings).set
            let texts = try RepositoryGenerator.render(set).map { Self.code($0.text) }
            let declared = Self.declared(set, texts)
            for word in texts.flatMap(Self.words(of:)) where !declared.contains(word) {
                #expect(RepositoryGenerator.namedTypes.contains(word), "\(word) in \(name)")
                seen.insert(word)
            }
        }
        // What nothing names any more is not to be kept.
        #expect(RepositoryGenerator.namedTypes.subtracting(seen) == [])
    }

    /// The lines of code, without comments, texts and the modules in front of names.
    private static func code(_ text: String) -> String {
        text.split(separator: "\n").filter { line in
            let line = line.drop { $0 == " " }
            return !line.hasPrefix("//") && !line.hasPrefix("#if ") && !line.contains("import ")
        }.map { line in
            line.replacing(/#?"(\\.|[^"\\])*"#?/, with: "").replacing(
                /[A-Z]\w*\.(?=[A-Z])/, with: ".")
        }.joined(separator: "\n")
    }

    /// The types that the output declares, at whatever place, and those that the set names of elsewhere.
    private static func declared(_ set: SchemaSet, _ texts: [String]) -> Set<String> {
        var names = Self.words
        for text in texts {
            for match in text.matches(of: /(?:struct|enum|typealias) (\w+)/) {
                names.insert(String(match.1))
            }
            // Generic parameters, and the conformances that a schema adds.
            for match in text.matches(of: /func \w+<(\w+):/) { names.insert(String(match.1)) }
        }
        for declaration in set.declarations {
            switch declaration {
            case .scalar(let scalar): names.insert(scalar.header.name.value)
            case .entity(let entity):
                for name in entity.conformances {
                    names.formUnion(name.value.split(separator: ".").map(String.init))
                }
            case .value, .union, .enumeration, .mixin: continue
            }
        }
        return names
    }

    /// The words that begin with a capital and are no members.
    private static func words(of text: String) -> [String] {
        text.matches(of: /(?:^|[^\w.`])([A-Z]\w*)/).map { String($0.1) }
    }
}
