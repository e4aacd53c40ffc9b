internal import RepositorySchema

/// Creates the layer that the structs of entities, values and union cases have in common.
///
/// ``EntityTranslator``, ``ValueTranslator`` and ``UnionTranslator`` add what is specific to their
/// kind of declaration.
struct RecordTranslator {
    let header: DeclarationHeader
    /// The fields in the order of the initialiser.
    let fields: [TranslatedField]
    let scope: SchemaScope
    /// The access level with a trailing space, or an empty string.
    let access: String

    /// The name of the declaration.
    var name: String { header.name.value }

    /// Returns the layer of the struct.
    ///
    /// - Parameters:
    ///   - conformances: The conformances, as written after the colon.
    ///   - doc: The summary for the doc comment if the schema has none.
    ///   - mapper: The mapper of the type.
    func layer(conformances: [String], doc: String, mapper: MapperLayer) -> RecordLayer {
        let availability = Prose.availability(header.deprecated)
        return RecordLayer(
            heading: Prose.documentation(header.doc ?? doc) + availability,
            availability: availability, access: access, name: name,
            type: OutputNames.own(name),
            conformances: (conformances + hashConformances).joined(separator: ", "),
            noun: Prose.withArticle(name),
            properties: fields.flatMap { properties($0).declaration },
            parameters: fields.lines { properties($0).parameter },
            assignments: fields.map { properties($0).assignment },
            queryFields: queryFields,
            comparisons: fields.comparisons { properties($0).comparison },
            // An entity is hashed by its id.
            hashes: hashConformances.isEmpty || fields.contains(where: \.isKey)
                ? [] : fields.map { "hasher.combine(self.\($0.storage))" },
            description: description(
                of: fields.map(\.declaration),
                names: Self.members(of: conformances).union(fields.map(\.name))),
            mapper: mapper)
    }

    /// The protocol that implements the requirement `hashValue` of `Hashable` if a field has this
    /// name. Empty for other types.
    private var hashConformances: [String] { Self.hashConformances(of: fields, scope) }

    /// The same protocol for a list of fields.
    static func hashConformances(of fields: [TranslatedField], _ scope: SchemaScope) -> [String] {
        fields.contains { $0.name == "hashValue" } ? [scope.names.qualified("HashValueRecord")] : []
    }

    /// The generator of a field's property.
    private func properties(_ field: TranslatedField) -> FieldProperties {
        FieldProperties(field: field, owner: name, access: access)
    }

    /// The declarations of the query fields. The runtime declares `id` for all entities.
    ///
    /// ```swift
    /// /// The book's `title`.
    /// public var title: QueryField<Book, String> { .init(1) }
    /// ```
    private var queryFields: [String] {
        fields.enumerated().filter { $1.name != "id" }.flatMap { index, field in
            properties(field).documentation
                + Prose.availability(field.declaration.deprecated)
                + [queryField(field, at: index)]
        }
    }

    /// Returns the declaration of a query field: a computed property with an explicit type. For
    /// stored properties, the compiler would generate code to copy and destroy all of them.
    private func queryField(_ field: TranslatedField, at index: Int) -> String {
        let width = LineBreaker.width - 8
        let queryField = scope.names.qualified("QueryField")
        func type(_ root: String) -> String { "\(queryField)<\(root), \(field.decodedType)>" }
        func computed(_ root: String) -> String {
            "\(access)var \(field.property): \(type(root)) { .init(\(index)) }"
        }
        let line = computed(OutputNames.own(name))
        guard line.count > width else { return line }
        // A declaration that is too long refers to the record by its alias.
        let short = computed("QueryRoot")
        guard short.count > width else { return short }
        // The type is written as a call, which can be wrapped, while a type annotation cannot.
        return "\(access)let \(field.property) = \(type("QueryRoot"))(\(index))"
    }

    /// Returns the members that the user implements for protocols that the schema declares. The
    /// output does not declare them.
    private static func members(of conformances: [String]) -> Set<String> {
        let members = [
            "CustomStringConvertible": "description",
            "CustomDebugStringConvertible": "debugDescription",
            "CustomReflectable": "customMirror",
        ]
        return Set(
            conformances.compactMap { name in
                name.split(separator: ".").last.flatMap { members[String($0)] }
            })
    }

    /// Returns the extension that hides sensitive fields from descriptions, or nil if there are no
    /// sensitive fields.
    ///
    /// The extension conforms to `CustomStringConvertible`, or to `CustomDebugStringConvertible` if
    /// a member is called `description`.
    ///
    /// - Parameter names: The names of the type's members: its fields, and the members that the
    ///   user implements.
    func description(of fields: [FieldDeclaration], names: Set<String>) -> DescriptionLayer? {
        guard scope.hasSensitive(fields) else { return nil }
        let choices = [
            ("description", "CustomStringConvertible"),
            ("debugDescription", "CustomDebugStringConvertible"),
        ]
        let hasMirror = !names.contains("customMirror")
        let choice = choices.first { !names.contains($0.0) }
        let protocols = [choice?.1, hasMirror ? "CustomReflectable" : "SensitiveRecord"]
        return DescriptionLayer(
            protocols: protocols.compactMap { $0 }.map { scope.names.qualified($0) }
                .joined(separator: ", "),
            property: choice?.0, hasMirror: hasMirror)
    }
}
