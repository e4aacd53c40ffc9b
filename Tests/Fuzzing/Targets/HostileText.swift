internal import RepositoryGeneratorCore
internal import RepositorySchema
internal import RepositorySchemaParser

/// A text of anybody's in every place of a schema that takes any text, and what comes of it.
///
/// What is generated from it must have the tokens of what is generated from a harmless text, apart
/// from what stands in literals and comments: then no text became code.
public enum HostileText {
    /// A place of a schema: its name, and a schema with `TEXT` there.
    public static let places: [(name: String, schema: String)] = [
        ("doc", "entity: Subject\ndoc: TEXT\nfields: { plain: String }\n"),
        ("doc of a field", entity("other: { type: Int, doc: TEXT }")),
        (
            "doc of an id",
            "entity: Subject\nid: { name: key, type: Int, doc: TEXT }\nfields: { plain: Int }\n"
        ),
        ("deprecated", "entity: Subject\ndeprecated: TEXT\nfields: { plain: String }\n"),
        ("deprecated field", entity("other: { type: Int?, deprecated: TEXT }")),
        ("default", entity("other: { type: String, default: TEXT }")),
        ("default of a list", entity("other: { type: \"[String]\", default: [TEXT, TEXT] }")),
        (
            "default of a map",
            entity("other: { type: \"[String: String]\", default: { TEXT: TEXT } }")
        ),
        ("default of a URL", entity("other: { type: URL, default: TEXT }")),
        ("fill", entity("other: { type: String, fill: { value: TEXT } }")),
        (
            "fill of a map",
            entity("other: { type: \"[String: String]\", fill: { value: { TEXT: TEXT } } }")
        ),
        ("otherwise", entity("other: { type: String, convert: { value, otherwise: TEXT } }")),
        ("pattern", entity("other: { type: String, pattern: TEXT }")),
        ("column", entity("other: { type: String, column: TEXT, index: true }")),
        ("earlier name", entity("other: { type: String, renamedFrom: TEXT }")),
        ("table", "entity: Subject\ntable: TEXT\nfields: { plain: String }\n"),
        ("earlier table", "entity: Subject\nrenamedFrom: TEXT\nfields: { plain: String }\n"),
        ("index", entity("") + "indexes: [{ fields: [plain], name: TEXT }]\n"),
        (
            "condition of an index",
            entity("") + "indexes: [{ fields: [plain], where: CONDITION }]\n"
        ),
        ("message", entity("") + "checks: { rule: { where: \"number > 1\", message: TEXT } }\n"),
        ("check", entity("") + "checks: { rule: { where: CONDITION } }\n"),
        ("query", entity("") + "queries: { some: { where: CONDITION, doc: TEXT } }\n"),
        (
            "relation",
            entity("other: { type: Subject?, index: true }")
                + "relations: { all: { of: Subject, by: other, doc: TEXT } }\n"
        ),
        ("raw value", "enum: Subject\ncases: [here: TEXT, there: other]\n"),
        (
            "raw value of a renamed case",
            "enum: Subject\ncases: [{ here: TEXT, renamedFrom: away }, there: other]\n"
        ),
        (
            "open raw value",
            "enum: Subject\nunknown: strange\ncases: [here: TEXT, there: other]\n"
        ),
        ("doc of a case", "enum: Subject\ncases: { here: { value: a, doc: TEXT }, there: b }\n"),
        (
            "doc of a value",
            "value: Subject\ndoc: TEXT\nfields: { plain: { type: Int, doc: TEXT } }\n"
        ),
        (
            "doc of a union",
            "union: Subject\ndoc: TEXT\ncases:\n  here: { plain: { type: Int, doc: TEXT } }\n"
                + "  there: { other: Int }\n"
        ),
    ]

    private static func entity(_ field: String) -> String {
        "entity: Subject\nfields:\n  plain: String\n  number: Int\n"
            + (field.isEmpty ? "" : "  \(field)\n")
    }

    /// What harmless texts make in each place. They differ in length: a query is laid out by the length of its line.
    private static let harmless = places.map { place in
        [8, 40, 150].compactMap { count in
            let text = String(repeating: "h", count: count)
            return try? Shape(output(of: place.schema, with: text, "Subject.yaml"))
        }
    }

    /// What is wrong with what a text generates; nil where nothing is.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - part: the places that are tried, of each `parts` the one with this number; all if it is nil.
    public static func flaw(
        _ text: String, in part: (number: Int, of: Int)? = nil
    ) -> String? {
        for (index, (place, harmless)) in zip(places, harmless).enumerated() {
            if let part, index % part.of != part.number % part.of { continue }
            do {
                guard let output = try output(of: place.schema, with: text, "Subject.yaml")
                else { continue }
                let shape = try Shape(output)
                if let first = harmless.first, !harmless.contains(shape) {
                    return "\(place.name): \(shape.difference(from: first))\n\(output.swift[0])"
                }
                if harmless.isEmpty { return "\(place.name): no harmless text is accepted" }
            } catch {
                return "\(place.name): \(error)"
            }
        }
        return nameFlaw(text)
    }

    /// What is wrong with a schema file, and a folder, that are called like a text.
    private static func nameFlaw(_ text: String) -> String? {
        let schema = "entity: Subject\nfields: { plain: String }\n"
        do {
            let harmless = try Shape(
                output(of: schema, with: "", "harmless.yaml"), isWhole: true)
            // The name of a file is checked, that of a folder is the user's.
            for hostile in [
                try output(of: schema, with: "", text + ".yaml"),
                try output(of: schema, with: "", "Subject.yaml", folder: text),
            ] {
                guard let hostile else { continue }
                let shape = try Shape(hostile, isWhole: true)
                if shape != harmless { return "a name: \(shape.difference(from: harmless))" }
            }
            return nil
        } catch {
            return "a name: \(error)"
        }
    }

    /// The files of one schema; nil where the validator refuses it.
    public static func files(of schema: String, with text: String) throws -> [String]? {
        try output(of: schema, with: text, "Subject.yaml")?.swift
    }

    private typealias Output = (swift: [String], picture: String, graph: String)

    private static func output(
        of schema: String, with text: String, _ path: String, folder: String = "Schemas"
    ) throws -> Output? {
        let condition = quoted("plain == \(conditionLiteral(text)) && number > 1")
        let yaml = schema.replacing("CONDITION", with: condition)
            .replacing("TEXT", with: quoted(text))
        let source = SchemaSource(path: path, bytes: Array(yaml.utf8))
        let (set, found) = SchemaParser.parse(files: [source], settings: nil)
        guard found.isEmpty, Validator.validate(set).isEmpty else { return nil }
        let files = try RepositoryGenerator.render(set, schemaFolder: folder)
        // Of all texts, diagrams show only the description of a type.
        guard schema.contains("\ndoc: TEXT") else { return (files.map(\.text), "", "") }
        let diagram = EntityDiagram(set, options: EntityDiagram.Options(showsTypes: true))
        return (files.map(\.text), diagram.svg, diagram.dot)
    }

    /// What must not depend on a text.
    private struct Shape: Equatable, Sendable {
        private let swift: [String]
        private let tagCount: Int
        private let graph: String

        /// - Throws: ``SwiftSkeleton/Flaw``
        init(_ output: Output?, isWhole: Bool = false) throws {
            guard let output else { throw Refused() }
            // The set's own file holds no text of the schema but the folder's name in its header.
            swift = try output.swift.prefix(isWhole ? 2 : 1).flatMap {
                try SwiftSkeleton($0).tokens
            }
            tagCount = output.picture.utf8.count {
                $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">")
            }
            graph = output.graph
        }

        func difference(from other: Shape) -> String {
            if swift != other.swift {
                let place = zip(swift, other.swift).prefix { $0 == $1 }.count
                let tokens = swift[max(0, place - 3)..<min(swift.count, place + 4)]
                return "the text changes the code: \(tokens.joined(separator: " "))"
            }
            // Graphs show names only.
            return tagCount == other.tagCount
                ? "the text changes the graph" : "the text changes the elements of the picture"
        }
    }

    private struct Refused: Error {}

    /// A text in double quotes of YAML, every scalar that is no ASCII letter as an escape.
    public static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            let isPlain = scalar.isASCII && scalar.properties.isAlphabetic || scalar == " "
            let digits = String(scalar.value, radix: 16)
            result +=
                isPlain
                ? String(scalar) : "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
        }
        return result + "\""
    }

    private static func conditionLiteral(_ text: String) -> String {
        var result = "'"
        for scalar in text.unicodeScalars {
            let isPlain = scalar.isASCII && scalar.properties.isAlphabetic || scalar == " "
            result += isPlain ? String(scalar) : "\\u{\(String(scalar.value, radix: 16))}"
        }
        return result + "'"
    }
}

extension FuzzTarget {
    /// A text in every place of a schema that takes one.
    static let text = FuzzTarget("text") { bytes in
        guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty else { return nil }
        return HostileText.flaw(text)
    }
}
