internal import RepositoryGeneratorCore
internal import RepositorySchema
internal import RepositorySchemaParser

/// The files that `init` writes for a package.
///
/// It only computes their contents; ``Tool`` writes them.
struct Scaffold {
    /// The name of the type that contains the repositories.
    let name: String
    /// The folders.
    let locations: Locations

    /// The reason why the type that contains the repositories cannot have this name; `nil` if it
    /// can.
    ///
    /// The name must not conflict with what the first schema generates.
    var reasonAgainstName: String? {
        guard Naming.isIdentifier(name), !Naming.isSwiftKeyword(name) else {
            return "it is no name of a Swift type"
        }
        if ["Note", "NoteMapper", "NoteRepository"].contains(name) {
            return "the first schema, 'Note.yaml', generates a type of that name"
        }
        let sources = files.map { SchemaSource(path: $0.path, bytes: Array($0.text.utf8)) }
        let (set, found) = SchemaParser.parse(
            files: Array(sources.dropFirst()), settings: sources.first)
        let options = ValidationOptions(moduleName: locations.module)
        return (found + Validator.validate(set, options: options)).first?.message
    }

    /// The settings file, followed by a first schema.
    var files: [OutputFile] {
        [
            OutputFile(
                path: Locations.path(locations.schemas, "repositories.yaml"),
                text: """
                    # The settings of all schemas in this folder; every line may be left out.
                    name: \(name)
                    access: public

                    """),
            OutputFile(
                path: Locations.path(locations.schemas, "Note.yaml"),
                text: """
                    entity: Note
                    doc: Something worth remembering.
                    fields:
                      title: { type: String, minLength: 1 }
                      text: String?
                      tags: { type: "[String]", default: [] }
                      changedAt: { type: Date, default: now, onUpdate: now, index: true }

                    """),
        ]
    }

    /// The text that `init` prints: what to add to `Package.swift`.
    var packageFragment: String {
        """
        Add to the targets of Package.swift:

        \(target.joined(separator: "\n"))

        Then 'swift package generate-repositories' writes the files anew after a change of the schemas, and
        'swift package check-repositories' says whether that is needed.
        """
    }

    /// The lines of the target's declaration.
    ///
    /// If the schemas are in `Sources/<target>/<folder>`, that target generates them with the
    /// plugin. Otherwise the output folder is a target of its own.
    private var target: [String] {
        let parts = locations.schemas.split(separator: "/").filter { $0 != "." }
        let product = #".product(name: "RepositoryRuntime", package: "swift-repository-generator")"#
        if parts.count == 3, parts[0] == "Sources" {
            return [
                ".target(",
                "    name: \"\(parts[1])\",",
                "    dependencies: [\(product)],",
                "    // The schemas are no resources of the target.",
                "    exclude: [\"\(parts[2])\"]),",
            ]
        }
        let output = locations.outputFolder(named: "Generated")
        let module = output.split(separator: "/").last.map(String.init) ?? "Generated"
        return [
            ".target(", "    name: \"\(module)\",", "    dependencies: [\(product)],",
            "    path: \"\(output)\"),",
        ]
    }
}
