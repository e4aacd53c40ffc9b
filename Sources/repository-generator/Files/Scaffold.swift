internal import RepositoryGeneratorCore
internal import RepositorySchema
internal import RepositorySchemaParser

/// The first files of a package that generates.
struct Scaffold {
    /// The type that holds the repositories.
    let name: String
    let locations: Locations

    /// Why the name cannot be that of the type that holds the repositories, beside the first schema; nil where it can.
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

    /// The settings and a first schema.
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

    /// What to add to `Package.swift`.
    var packageFragment: String {
        """
        Add to the targets of Package.swift:

        \(target.joined(separator: "\n"))

        Then 'swift package generate-repositories' writes the files anew after a change of the schemas, and
        'swift package check-repositories' says whether that is needed.
        """
    }

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
