public import RepositorySchema

/// A machine-readable description of the schema language, for editors.
public enum SchemaLanguage {
    /// The JSON Schema (draft 2020-12) of a document and of the settings file. Editors use it for
    /// completion and validation.
    ///
    /// It is generated from the key tables that the parser uses. It describes the structure of a
    /// single document. Rules that depend on other declarations, on the order of keys or on quoting
    /// are checked by the generator only.
    public static var jsonSchema: JSONValue {
        var writer = JSONSchemaWriter()
        let documents = Kind.allCases.map { writer.reference(to: $0.table) }
        let settings = writer.reference(to: .settings)
        return .members([
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Schema of repositories",
            "description":
                "A type in 'Schemas/*.yaml', or the settings in 'Schemas/repositories.yaml'.",
            "anyOf": .array(documents + [settings]),
            "$defs": .object(writer.definitions),
        ])
    }
}
