internal import RepositorySchema

/// Creates the layer of a union: the enum, its mapper, and one type per case that holds the fields
/// of the case.
///
/// A union is stored as an object with one member. Its key is the name of the case, and its value
/// contains the fields. The synthesised `Codable` conformance of an enum with associated values has
/// the same encoding.
///
/// ```json
/// { "photo": { "file": "a.png", "caption": "Sunset" } }
/// ```
struct UnionTranslator {
    /// The declaration in the schema.
    let union: UnionDeclaration
    let scope: SchemaScope
    /// The access level with a trailing space, or an empty string.
    let access: String
    /// The cases in order.
    private let cases: [UnionCase]

    init(_ union: UnionDeclaration, scope: SchemaScope, access: String) {
        self.union = union
        self.scope = scope
        self.access = access
        cases = union.cases.map { UnionCase($0, of: union, scope: scope) }
    }

    private var name: String { union.header.name.value }

    /// The layer of the union.
    var layer: UnionLayer {
        let header = union.header
        let record = RecordTranslator(header: header, fields: [], scope: scope, access: access)
        var base = record.layer(
            conformances: [scope.names.qualified("EmbeddedValue")],
            doc: "\(Prose.withArticle(name).capitalizedFirst), stored inside others.",
            mapper: mapper)
        base.description = record.description(of: union.cases.flatMap(\.fields), names: [])
        return UnionLayer(
            record: base, cases: cases.flatMap(\.declaration),
            payloads: cases.map { $0.layer(availability: base.availability) })
    }

    /// The mapper of the union. It encodes each case as an optional field, of which exactly one is
    /// present.
    private var mapper: MapperLayer {
        let translator = MapperTranslator(name: name + "Mapper", fields: [], scope: scope)
        var layer = translator.layer(
            record: OutputNames.own(name), declared: name,
            conformance: scope.names.qualified("RecordMapper"),
            mapped: "\(Prose.article(name)) ``\(name)`` and its cases",
            noun: Prose.withArticle(name))
        let variable = layer.variable
        // The name of the variable for the fields of a case, which must differ from the variable of
        // the union.
        let payload = variable == "item" ? "content" : "item"
        layer.descriptions = SwiftLiteral.elements(cases.map(\.description))
        layer.encodings = cases.enumerated().map { index, item in
            "try fields.encode(\(item.type)(\(variable)), at: \(index))"
        }
        layer.decodings =
            ["var cases = \(scope.names.qualified("UnionCases"))<\(OutputNames.own(name))>()"]
            + cases.enumerated().flatMap { index, item in
                [
                    item.reading(
                        "try fields.decode(\(item.type)?.self, at: \(index))", as: payload),
                    "    try cases.add(\(item.construction(payload)))", "}",
                ]
            } + ["return try cases.only()"]
        layer.preparations = cases.filter(\.isPrepared).flatMap { item in
            [
                "if let \(payload) = \(item.type)(\(variable)) {",
                "    let \(payload) = try write.prepared("
                    + "\(payload), \(SwiftLiteral.string(item.name)))",
                "    \(variable) = \(item.construction(payload))", "}",
            ]
        }
        return layer
    }
}

/// A case of a union, with the type that holds its fields.
///
/// The case `photo: { file: String }` of `Attachment` is generated as `.photo(file: String)`, and
/// its fields are stored by the type `AttachmentPhotoCase`.
struct UnionCase {
    /// The name of the case, without backticks.
    let name: String
    /// The name of the type that holds the fields.
    let type: String
    /// The name of the union.
    private let owner: String
    /// The fields of the case.
    private let fields: [TranslatedField]
    private let scope: SchemaScope

    /// Translates a case of a union.
    init(_ item: UnionCaseDeclaration, of union: UnionDeclaration, scope: SchemaScope) {
        let type = UnionCaseName(union, item).text
        name = item.name.value
        self.type = type
        self.scope = scope
        owner = union.header.name.value
        fields = item.fields.map { TranslatedField($0, of: type, scope: scope) }
    }

    /// The lines that declare the case.
    var declaration: [String] {
        let documented = fields.compactMap { field in
            field.declaration.doc.map { (field.name, $0) }
        }
        let details = documented.flatMap { name, doc in
            let line = CommentText.lines(doc).filter { !$0.isEmpty }.joined(separator: " ")
            return Prose.documentation("- `\(name)`: " + line)
        }
        let values = fields.map(properties).map(\.payload).joined(separator: ", ")
        return ["/// Stored under the key `\(name)`."] + (details.isEmpty ? [] : ["///"] + details)
            + ["case \(Naming.escaped(name))" + (fields.isEmpty ? "" : "(\(values))")]
    }

    /// The description of the case as a field of the union.
    var description: String {
        scope.names.qualified("FieldDescription")
            + "(\(SwiftLiteral.string(name)), .object(\(type)Mapper.layout), optional: true)"
    }

    /// Whether the fields of the case are prepared before a write.
    var isPrepared: Bool { !preparations(variable: "record").isEmpty }

    /// Returns the first line of the statement that handles a decoded case. A case without fields
    /// needs no variable.
    func reading(_ expression: String, as payload: String) -> String {
        fields.isEmpty ? "if \(expression) != nil {" : "if let \(payload) = \(expression) {"
    }

    /// Returns the expression that creates the union from the fields of a case.
    func construction(_ payload: String) -> String {
        let arguments = fields.map { "\($0.label): \(payload).\($0.property)" }
        return ".\(Naming.escaped(name))"
            + (fields.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))")
    }

    /// Returns the layer of the type that holds the fields. Only the mapper of the union uses this
    /// type.
    ///
    /// - Parameter availability: The attributes of the union, for the code that refers to it.
    func layer(availability: [String]) -> UnionCaseLayer {
        let header = DeclarationHeader(
            name: Located(type, at: SourceRange(path: "", start: .start, end: .start)),
            sourceFile: "")
        let translator = MapperTranslator(name: type + "Mapper", fields: fields, scope: scope)
        var mapper = translator.layer(
            record: type, conformance: scope.names.qualified("RecordMapper"),
            mapped: "the case `\(name)` of \(Prose.article(owner)) ``\(owner)`` and its fields",
            noun: "the case `\(name)`")
        mapper.descriptions = translator.descriptions
        mapper.patterns = fields.compactMap { PreparationTranslator.pattern($0, scope.names) }
        mapper.preparations = preparations(variable: mapper.variable)
        let record = RecordTranslator(header: header, fields: fields, scope: scope, access: "")
        let bindings = fields.map { "let \($0.local)" }.joined(separator: ", ")
        return UnionCaseLayer(
            record: record.layer(
                conformances: [scope.names.qualified("EmbeddedValue")], doc: "", mapper: mapper),
            caseName: name, union: OutputNames.own(owner), unionNoun: Prose.withArticle(owner),
            pattern: ".\(Naming.escaped(name))" + (fields.isEmpty ? "" : "(\(bindings))"),
            unionAvailability: availability)
    }

    /// The statements that prepare the fields for a write.
    private func preparations(variable: String) -> [String] {
        let preparation = PreparationTranslator(variable: variable, scope: scope)
        return fields.flatMap(preparation.statements)
    }

    private func properties(_ field: TranslatedField) -> FieldProperties {
        FieldProperties(field: field, owner: owner, access: "")
    }
}
