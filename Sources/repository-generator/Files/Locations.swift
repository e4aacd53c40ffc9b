internal import Foundation

/// Where schemas are read and output is written, as the user said it.
struct Locations: Sendable {
    /// The folder of the schemas.
    var schemas: String
    /// The folder of the output; nil to take what the settings say.
    var output: String?
    /// The folder of templates; nil to take what the settings say.
    var templates: String?
    /// The module that the output is compiled into.
    var module: String?

    /// The schema folder's own name, for the headers of the output: never an absolute path.
    var schemaFolderName: String {
        let name = URL(filePath: schemas, directoryHint: .isDirectory).standardized
            .lastPathComponent
        return name == "/" ? "Schemas" : name
    }

    /// The folder of the output.
    ///
    /// - Parameter name: what the settings say: a path from the folder that the schema folder stands in.
    func outputFolder(named name: String) -> String {
        output.map(Self.trimmed) ?? besideSchemas(name)
    }

    /// A path from the folder that the schema folder stands in.
    func besideSchemas(_ name: String) -> String {
        let schemas = Self.trimmed(schemas)
        // The folder above these has no name of its own.
        let isDotted = schemas == "." || schemas == ".." || schemas.hasSuffix("/..")
        let parent = isDotted ? schemas + "/.." : Self.parent(of: schemas)
        return parent.isEmpty ? name : Self.path(parent, name)
    }

    /// The folder that a path lies in; empty for a name alone.
    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// A path inside a folder.
    static func path(_ folder: String, _ name: String) -> String {
        folder == "/" ? "/" + name : trimmed(folder) + "/" + name
    }

    private static func trimmed(_ path: String) -> String {
        var path = path[...]
        while path.count > 1, path.last == "/" { path.removeLast() }
        while path.hasPrefix("./"), path.count > 2 { path = path.dropFirst(2) }
        return path.isEmpty ? "." : String(path)
    }
}
