internal import RepositorySchema

/// What the structs of entities and values have in common.
struct RecordTranslator {
    let header: DeclarationHeader
    let fields: [TranslatedField]
    let scope: SchemaScope
    let access: String

    var name: String { header.name.value }

    /// The struct.
    ///
    /// - Parameters:
    ///   - conformances: what stands after the colon.
    ///   - doc: the doc comment's sentence where the schema has none.
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
            // An entity hashes by its id.
            hashes: hashConformances.isEmpty || fields.contains(where: \.isKey)
                ? [] : fields.map { "hasher.combine(self.\($0.storage))" },
            description: description(
                of: fields.map(\.declaration),
                names: Self.members(of: conformances).union(fields.map(\.name))),
            mapper: mapper)
    }

    /// What takes the name `hashValue` from Swift, where a field has it.
    private var hashConformances: [String] { Self.hashConformances(of: fields, scope) }

    /// The same for some fields.
    static func hashConformances(of fields: [TranslatedField], _ scope: SchemaScope) -> [String] {
        fields.contains { $0.name == "hashValue" } ? [scope.names.qualified("HashValueRecord")] : []
    }

    private func properties(_ field: TranslatedField) -> FieldProperties {
        FieldProperties(field: field, owner: name, access: access)
    }

    /// The fields for queries; the runtime gives every entity its `id`.
    private var queryFields: [String] {
        fields.enumerated().filter { $1.name != "id" }.flatMap { index, field in
            properties(field).documentation
                + Prose.availability(field.declaration.deprecated)
                + [queryField(field, at: index)]
        }
    }

    /// A field for queries: computed, with its type. Stored ones would make each compilation write how to copy and destroy
    /// them all.
    private func queryField(_ field: TranslatedField, at index: Int) -> String {
        let width = LineBreaker.width - 8
        let queryField = scope.names.qualified("QueryField")
        func type(_ root: String) -> String { "\(queryField)<\(root), \(field.decodedType)>" }
        func computed(_ root: String) -> String {
            "\(access)var \(field.property): \(type(root)) { .init(\(index)) }"
        }
        let line = computed(OutputNames.own(name))
        guard line.count > width else { return line }
        // A line that would be too long names the record by its alias.
        let short = computed("QueryRoot")
        guard short.count > width else { return short }
        // A type breaks better where it is called than where it is declared.
        return "\(access)let \(field.property) = \(type("QueryRoot"))(\(index))"
    }

    /// The members that a user declares for protocols of the schema, which the output then leaves alone.
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

    /// What hides sensitive fields from descriptions; nil where there are none.
    ///
    /// - Parameter names: the names of the type's members, its fields and those that its user declares.
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
