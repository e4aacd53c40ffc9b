import Foundation

/// A folder with schemas, and one for what is generated from them.
struct GeneratorPlace {
    let schemas: URL
    let output: URL

    init(_ scratch: Scratch, entities: Int) throws {
        schemas = try scratch.newFolder("schemas")
        output = try scratch.newFolder("output")
        try SampleSchemas(count: entities).write(to: schemas)
    }

    /// What the generator is told of the place.
    var arguments: [String] { ["--schemas", schemas.path, "--output", output.path] }

    /// Generates, into an empty folder if anew.
    func generate(_ program: String, anew: Bool) throws -> Duration {
        if anew { try FileManager.default.removeItem(at: output) }
        return try Command(program, ["generate"] + arguments).run()
    }

    /// Reads and parses the schemas, and does nothing with them.
    func parse() throws -> Duration {
        let files = try FileManager.default.contentsOfDirectory(
            at: schemas, includingPropertiesForKeys: nil)
        return try timed { for file in files { try RawYAML.parse(Data(contentsOf: file)) } }
    }
}
