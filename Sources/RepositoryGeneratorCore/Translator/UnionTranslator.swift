internal import RepositorySchema

/// A union's layer: the enum, its mapper, and for each case a type that holds its fields.
///
/// The stored form is an object with one member, which is called as the case and holds its fields, as synthesised
/// `Codable` writes an enum with associated values.
struct UnionTranslator {
    let union: UnionDeclaration
    let scope: SchemaScope
    let access: String
    private let cases: [UnionCase]

    init(_ union: UnionDeclaration, scope: SchemaScope, access: String) {
        self.union = union
        self.scope = scope
        self.access = access
        cases = union.cases.map { UnionCase($0, of: union, scope: scope) }
    }

    private var name: String { union.header.name.value }

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

    private var mapper: MapperLayer {
        let translator = MapperTranslator(name: name + "Mapper", fields: [], scope: scope)
        var layer = translator.layer(
            record: OutputNames.own(name), declared: name,
            conformance: scope.names.qualified("RecordMapper"),
            mapped: "\(Prose.article(name)) ``\(name)`` and its cases",
            noun: Prose.withArticle(name))
        let variable = layer.variable
        // The fields of a case, by a name that is not the union's.
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

/// A case of a union with the type that holds its fields.
struct UnionCase {
    /// The case's name, without backticks.
    let name: String
    /// The type that holds its fields.
    let type: String
    private let owner: String
    private let fields: [TranslatedField]
    private let scope: SchemaScope

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

    /// Whether a field changes, or is checked, before it is stored.
    var isPrepared: Bool { !preparations(variable: "record").isEmpty }

    /// The beginning of what happens where a payload is there; without fields nobody needs its value.
    func reading(_ expression: String, as payload: String) -> String {
        fields.isEmpty ? "if \(expression) != nil {" : "if let \(payload) = \(expression) {"
    }

    /// The union made of the fields of a payload.
    func construction(_ payload: String) -> String {
        let arguments = fields.map { "\($0.label): \(payload).\($0.property)" }
        return ".\(Naming.escaped(name))"
            + (fields.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))")
    }

    /// The type that holds the fields; nobody but the mapper of the union sees it.
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

    private func preparations(variable: String) -> [String] {
        let preparation = PreparationTranslator(variable: variable, scope: scope)
        return fields.flatMap(preparation.statements)
    }

    private func properties(_ field: TranslatedField) -> FieldProperties {
        FieldProperties(field: field, owner: owner, access: "")
    }
}
