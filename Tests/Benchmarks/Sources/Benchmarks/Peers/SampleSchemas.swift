import Foundation

/// Schemas of many entities with ten fields each, and what somebody would write by hand in their place.
struct SampleSchemas {
    let count: Int

    private static let types = [
        "String", "String", "String?", "Int", "Int?", "Double", "Bool", "Date", "Date?",
    ]

    /// The folder of the schemas, one file for each entity.
    func write(to folder: URL) throws {
        try "name: Sample\n".write(
            to: folder.appendingPathComponent("repositories.yaml"), atomically: false,
            encoding: .utf8)
        for number in 0..<count {
            let text = Self.text(Self.name(number), doc: "One of many.")
            try text.write(
                to: folder.appendingPathComponent("\(Self.name(number)).yaml"), atomically: false,
                encoding: .utf8)
        }
    }

    /// The same structs with what the compiler makes by itself.
    func writeStructs(to folder: URL) throws {
        for number in 0..<count {
            let fields = Self.types.enumerated().map { "    public var field\($0): \($1)" }
            let text = """
                import Foundation

                public struct \(Self.name(number)): Codable, Hashable, Sendable, Identifiable {
                    public let id: String
                \(fields.joined(separator: "\n"))
                }

                """
            try text.write(
                to: folder.appendingPathComponent("\(Self.name(number)).swift"), atomically: false,
                encoding: .utf8)
        }
    }

    /// The schema of an entity.
    static func text(_ name: String, doc: String) -> String {
        let fields = types.enumerated().map { "  field\($0): \($1)" }
        return """
            entity: \(name)
            doc: \(doc)
            id: { name: id, type: String }
            fields:
            \(fields.joined(separator: "\n"))

            """
    }

    /// A name without a digit, whose plural is that of no other one.
    static func name(_ number: Int) -> String {
        let letters = String(number).utf8.map { digit in
            Character(UnicodeScalar(UInt8(ascii: "a") + digit - UInt8(ascii: "0")))
        }
        return "Sample\(String(letters))Record"
    }
}
