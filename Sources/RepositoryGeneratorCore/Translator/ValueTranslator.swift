internal import RepositorySchema

/// Creates the layer of an embedded value: its struct and its mapper.
struct ValueTranslator {
    /// The declaration in the schema.
    let value: ValueDeclaration
    let scope: SchemaScope
    /// The access level with a trailing space, or an empty string.
    let access: String

    init(_ value: ValueDeclaration, scope: SchemaScope, access: String) {
        self.value = value
        self.scope = scope
        self.access = access
    }

    /// The layer of the value.
    var layer: ValueLayer {
        let name = value.header.name.value
        let fields = value.fields.map { TranslatedField($0, of: name, scope: scope) }
        let record = RecordTranslator(
            header: value.header, fields: fields, scope: scope, access: access)
        let translator = MapperTranslator(name: name + "Mapper", fields: fields, scope: scope)
        var mapper = translator.layer(
            record: OutputNames.own(name), declared: name,
            conformance: scope.names.qualified("RecordMapper"),
            mapped: "\(Prose.article(name)) ``\(name)`` and its fields",
            noun: Prose.withArticle(name))
        mapper.descriptions = translator.descriptions
        mapper.patterns = fields.compactMap { PreparationTranslator.pattern($0, scope.names) }
        let preparation = PreparationTranslator(variable: mapper.variable, scope: scope)
        mapper.preparations = fields.flatMap(preparation.statements)
        return ValueLayer(
            record: record.layer(
                conformances: [scope.names.qualified("EmbeddedValue")],
                doc: "\(Prose.withArticle(name).capitalizedFirst), stored inside others.",
                mapper: mapper))
    }
}
