public import RepositorySchema

/// The schema language, as editors need it.
public enum SchemaLanguage {
    /// The JSON Schema (draft 2020-12) of a document and of the settings file, made from the tables of
    /// keys that the parser itself goes by: an editor completes and checks with it.
    ///
    /// It says what shape a document has. What depends on other declarations, on the order of keys or on
    /// how a text is quoted is the generator's to check.
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
