internal import RepositorySchema

/// Creates the layer of an entity: its struct, id, mapper, finders, relations and queries.
///
/// The order of the fields is significant: queries, `encode` and `decode` refer to fields by their
/// position.
struct EntityTranslator {
    /// The entity, with mixins expanded.
    let entity: EntityDeclaration
    /// The scope in which types are resolved.
    let scope: SchemaScope
    /// The access level with a trailing space, or an empty string.
    let access: String
    /// The fields in the order of the initialiser and of the mapper.
    let fields: [TranslatedField]
    /// The indexes, including those of single fields.
    private let indexes: [TranslatedIndex]

    /// Translates the fields and indexes of an entity.
    init(_ entity: EntityDeclaration, scope: SchemaScope, access: String) {
        self.entity = entity
        self.scope = scope
        self.access = access
        fields = Self.fields(of: entity, scope)
        indexes = EntityIndexes(entity, fields: fields, scope: scope).all
    }

    private var name: String { entity.header.name.value }

    /// The layer of the entity.
    var layer: EntityLayer {
        let record = RecordTranslator(
            header: entity.header, fields: fields, scope: scope, access: access)
        var layer = EntityLayer(
            record: record.layer(
                conformances: [scope.names.qualified("Entity")] + entity.conformances.map(\.value),
                doc: "\(Prose.withArticle(name).capitalizedFirst).", mapper: mapper),
            identity: [], plural: Prose.plural(name),
            finders: FinderTranslator(
                entity: name, key: fields.filter(\.isKey), indexes: indexes, scope: scope
            ).layers,
            relations: RelationTranslator(entity: entity, scope: scope, access: access).layers,
            queries: entity.queries.isEmpty
                ? [] : QueryTranslator(entity: entity, scope: scope).layers)
        layer.isSearchable = !entity.search.isEmpty
        layer.repositoryProtocol = scope.names.qualified(
            entity.isReadOnly ? "ReadableRepository" : "EntityRepository")
        // What only reads neither restores nor purges.
        layer.deletesSoftly = entity.softDelete != nil && !entity.isReadOnly
        layer.record.queryFields +=
            RelatedFieldsTranslator(entity: entity, fields: fields, scope: scope, access: access)
            .declarations.flatMap { $0.split(separator: "\n").map(String.init) }
        switch entity.identity {
        case .single(let field):
            layer.singleRawType = TypeTranslator(scope: scope).swift(field.type.value)
            if case .enumeration(let enumeration) = scope.kind(of: field.type.value) {
                layer.idCases = enumeration.cases.flatMap { item in
                    let name = Naming.escaped(item.name.value)
                    return [
                        "/// The id of the case `\(item.name.value)`.",
                        "\(access)static var \(name): Self { Self(.\(name)) }",
                    ]
                }
            }
            if let id = fields.first, id.name != "id" {
                layer.identity = [
                    "/// The same as `\(id.name)`.", "\(access)var id: ID { \(id.unqualified) }",
                ]
            }
        case .composite:
            let id = CompositeIDTranslator(
                entity: name, components: fields.filter(\.isKey), scope: scope, access: access)
            layer.compositeID = id.layer
            layer.identity = id.identity
            layer.idMapper = id.mapper
        }
        return layer
    }

    /// The mapper with the table, the text patterns and the preparation of writes.
    private var mapper: MapperLayer {
        let translator = MapperTranslator(name: name + "Mapper", fields: fields, scope: scope)
        var layer = translator.layer(
            record: OutputNames.own(name), declared: name,
            conformance: scope.names.qualified("EntityMapper"),
            mapped: "\(Prose.article(name)) ``\(name)`` and its fields",
            noun: Prose.withArticle(name))
        layer.table =
            TableTranslator(
                entity: entity, fields: fields, indexes: indexes, scope: scope
            ).layer
        layer.patterns = fields.compactMap { PreparationTranslator.pattern($0, scope.names) }
        let preparation = PreparationTranslator(variable: layer.variable, scope: scope)
        layer.preparations = fields.flatMap(preparation.statements)
        layer.creations = fields.compactMap(preparation.creation)
        layer.versionPlace = fields.first { $0.declaration.version?.value == true }
            .map { "\(layer.variable).\($0.storage)" }
        layer.deletionPlace = deletion.map { "\(layer.variable).\($0.storage)" }
        layer.externalChanges = fields.filter(\.declaration.isExternal).map { field in
            let place = "\(layer.variable).\(field.storage)"
            return "if let value = \(place) { \(place) = try change(value) }"
        }
        return layer
    }

    /// The field that marks deleted records; nil without `softDelete`.
    private var deletion: TranslatedField? {
        entity.softDelete.flatMap { name in
            fields.first { $0.declaration.name.value == name.value }
        }
    }

    /// Returns the id if it is a field of its own, followed by the declared fields.
    ///
    /// The components of a composite id stay at the positions of key fields among the declared
    /// fields, but in the order of the id.
    static func fields(of entity: EntityDeclaration, _ scope: SchemaScope)
        -> [TranslatedField]
    {
        let owner = entity.header.name.value
        switch entity.identity {
        case .single(let id):
            let first = TranslatedField(id, of: owner, scope: scope, isKey: true, isSingleID: true)
            return [first] + entity.fields.map { TranslatedField($0, of: owner, scope: scope) }
        case .composite(let names):
            let keys = Set(names.map(\.value))
            var components = scope.identityFields(of: entity)[...]
            return entity.fields.map { field in
                guard keys.contains(field.name.value), let component = components.popFirst() else {
                    return TranslatedField(field, of: owner, scope: scope)
                }
                return TranslatedField(component, of: owner, scope: scope, isKey: true)
            }
        }
    }
}

extension String {
    /// The string with its first letter in upper case.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
