import Foundation

/// A folder with schemas, and one for what is generated from them.
final class GeneratorPlace {
    let schemas: URL
    private(set) var output: URL
    private let scratch: Scratch

    init(_ scratch: Scratch, entities: Int) throws {
        self.scratch = scratch
        schemas = try scratch.newFolder("schemas")
        output = try scratch.newFolder("output")
        try SampleSchemas(count: entities).write(to: schemas)
    }

    /// What the generator is told of the place.
    var arguments: [String] { ["--schemas", schemas.path, "--output", output.path] }

    /// Generates, into a folder that is not there yet if anew.
    ///
    /// What was generated before stays where it is: a file system that keeps the numbers of files free for a while which
    /// were deleted just before, as ext4 does, searches longer for new ones than the generator takes.
    func generate(_ program: String, anew: Bool) throws -> Duration {
        if anew { output = URL(fileURLWithPath: scratch.file("output")) }
        return try Command(program, ["generate"] + arguments).run()
    }

    /// Reads and parses the schemas, and does nothing with them.
    func parse() throws -> Duration {
        let files = try FileManager.default.contentsOfDirectory(
            at: schemas, includingPropertiesForKeys: nil)
        return try timed { for file in files { try RawYAML.parse(Data(contentsOf: file)) } }
    }
}
