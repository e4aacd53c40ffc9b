internal import RepositorySchema

/// Creates the layer of a composite id: its struct, its mapper, and the property `id` of the
/// entity.
///
/// For a loan with the id `[book, number]`, the output contains:
///
/// ```swift
/// /// The id of the loan, made of `bookID` and `number`.
/// public var id: ID {
///     ID(
///         bookID: bookID,
///         number: number
///     )
/// }
/// ```
struct CompositeIDTranslator {
    /// The name of the entity.
    let entity: String
    /// The fields of the id, in its order.
    let components: [TranslatedField]
    /// The scope in which types are resolved.
    let scope: SchemaScope
    /// The access level with a trailing space, or an empty string.
    let access: String

    /// The layer of the struct `ID`.
    var layer: CompositeIDLayer {
        CompositeIDLayer(
            count: components.count,
            conformances: ([scope.names.qualified("CompositeEntityID")]
                + RecordTranslator.hashConformances(of: components, scope)).joined(separator: ", "),
            components: components.flatMap { component in
                FieldProperties(field: component, owner: entity, access: access).documentation
                    + ["\(access)let \(component.property): \(component.type)"]
            },
            parameters: components.lines { "\($0.parameter): \($0.type)" },
            assignments: components.map { "self.\($0.property) = \($0.local)" },
            readings: components.enumerated().map { index, component in
                "guard let \(component.local) = \(component.type)"
                    + "(identifierString: texts[\(index)]) else { return nil }"
            },
            arguments: components.lines { "\($0.label): \($0.local)" },
            texts: components.map { "\($0.withoutDeprecation.unqualified).identifierString," },
            comparisons: components.comparisons {
                "\($0.type).isSameIdentifier(left.\($0.property), right.\($0.property))"
            },
            hashes: components.map {
                "\($0.withoutDeprecation.unqualified).hashIdentifier(into: &hasher)"
            },
            orders: orders)
    }

    /// The lines of the computed property `id`, which combines the components.
    var identity: [String] {
        let names = components.map { "`\($0.name)`" }
        let list = names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
        return [
            "/// The id of the \(Prose.noun(entity)), made of \(list).", "\(access)var id: ID {",
            "    ID(",
        ] + components.lines { "\($0.label): \($0.unqualified)" }.map { "        " + $0 } + [
            "    )", "}",
        ]
    }

    /// The mapper of the id. Deprecated fields are not deprecated as components: the id declares
    /// each component under one name only.
    var mapper: MapperLayer {
        let plain = components.map(\.withoutDeprecation)
        let translator = MapperTranslator(name: entity + "IDMapper", fields: plain, scope: scope)
        var layer = translator.layer(
            record: OutputNames.own(entity) + ".ID", declared: entity + ".ID",
            conformance: scope.names.qualified("RecordMapper"),
            mapped: "the id of \(Prose.article(entity)) ``\(entity)`` and its components",
            noun: "the id of \(Prose.withArticle(entity))")
        layer.descriptions = translator.descriptions
        layer.variable = "id"
        layer.encodings = plain.enumerated().map { index, component in
            "try fields.encode(id.\(component.property), at: \(index))"
        }
        return layer
    }

    /// The statements of `<`: components are compared in the order of the id.
    private var orders: [String] {
        components.enumerated().flatMap { index, component in
            let (type, name) = (component.type, component.property)
            let precedes = "\(type).identifierPrecedes(left.\(name), right.\(name))"
            guard index < components.count - 1 else { return ["return \(precedes)"] }
            let follows = "\(type).identifierPrecedes(right.\(name), left.\(name))"
            return ["if \(precedes) { return true }", "if \(follows) { return false }"]
        }
    }
}
