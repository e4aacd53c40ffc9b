internal import Foundation

/// The folders of a run, as given on the command line. Paths may be relative.
struct Locations: Sendable {
    /// The folder of the schemas.
    var schemas: String
    /// The folder of the output; `nil` to use the one in the settings.
    var output: String?
    /// The folder of templates; `nil` to use the one in the settings.
    var templates: String?
    /// The module that the output is compiled into; `nil` if it is unknown.
    var module: String?

    /// The name of the schema folder, for the headers of the generated files. It is never an
    /// absolute path.
    var schemaFolderName: String {
        let name = URL(filePath: schemas, directoryHint: .isDirectory).standardized
            .lastPathComponent
        return name == "/" ? "Schemas" : name
    }

    /// Returns the folder of the output.
    ///
    /// - Parameter name: the name in the settings: a path relative to the parent of the schema
    ///   folder.
    func outputFolder(named name: String) -> String {
        output.map(Self.trimmed) ?? besideSchemas(name)
    }

    /// Returns a path relative to the parent of the schema folder.
    func besideSchemas(_ name: String) -> String {
        let schemas = Self.trimmed(schemas)
        // For these, the name of the parent is not part of the path.
        let isDotted = schemas == "." || schemas == ".." || schemas.hasSuffix("/..")
        let parent = isDotted ? schemas + "/.." : Self.parent(of: schemas)
        return parent.isEmpty ? name : Self.path(parent, name)
    }

    /// Returns whether two paths lead to the same folder, also through symbolic links.
    static func isSameFolder(_ first: String, _ second: String) -> Bool {
        let paths = [first, second].map {
            URL(filePath: $0, directoryHint: .isDirectory).standardized.resolvingSymlinksInPath()
                .path(percentEncoded: false)
        }
        return paths[0] == paths[1]
    }

    /// Returns the parent folder of a path; the empty string for a path without a slash.
    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Returns the path of a file or folder in a folder.
    static func path(_ folder: String, _ name: String) -> String {
        folder == "/" ? "/" + name : trimmed(folder) + "/" + name
    }

    /// Returns a path without trailing slashes and a leading `./`.
    private static func trimmed(_ path: String) -> String {
        var path = path[...]
        while path.count > 1, path.last == "/" { path.removeLast() }
        while path.hasPrefix("./"), path.count > 2 { path = path.dropFirst(2) }
        return path.isEmpty ? "." : String(path)
    }
}
