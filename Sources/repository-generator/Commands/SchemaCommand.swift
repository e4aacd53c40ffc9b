internal import ArgumentParser
internal import RepositorySchema
internal import RepositorySchemaParser

/// The `schema` command: prints the JSON Schema of the schema language.
struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Prints the JSON Schema of the schema files, for editors.",
        discussion: """
            Save it as 'Schemas/repositories.schema.json', and let the YAML extension of Visual Studio \
            Code take it for 'Schemas/**/*.yaml'.
            """)

    func run() {
        Tool.standard.out(String(SchemaLanguage.jsonSchema.indentedText.dropLast()))
    }
}
