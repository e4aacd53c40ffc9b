internal import RepositorySchema

/// Creates the layer of a mapper: the statements that encode and decode the fields.
///
/// Fields are encoded and decoded by index, in the order of ``fields``.
///
/// ```swift
/// try fields.encode(book.title, at: 1)
/// let title = try fields.decode(String.self, at: 1)
/// ```
struct MapperTranslator {
    /// The name of the mapper type, ending with `Mapper`.
    let name: String
    /// The fields in the order of their indices.
    let fields: [TranslatedField]
    let scope: SchemaScope

    /// Returns a mapper without a table and without field descriptions; the caller adds one of
    /// them.
    ///
    /// - Parameters:
    ///   - record: The mapped type, as the output names it.
    ///   - declared: The mapped type as the schema names it. Defaults to `record`.
    ///   - conformance: The protocol of the runtime.
    ///   - mapped: A description of the mapped values.
    ///   - noun: The record in prose.
    func layer(
        record: String, declared: String? = nil, conformance: String, mapped: String, noun: String
    ) -> MapperLayer {
        let declared = declared ?? record
        let variable = variable
        return MapperLayer(
            mapped: mapped, name: name, conformance: conformance, record: record, noun: noun,
            recordName: SwiftLiteral.string(declared),
            encoder: generic("E"), decoder: generic("D"), source: source, variable: variable,
            encodings: fields.enumerated().map { index, field in
                "try fields.encode(\(variable).\(field.storage), at: \(index))"
            },
            decodings: decodings(record))
    }

    /// The descriptions of the fields of a value or of a composite id, one line each.
    var descriptions: [String] {
        let types = TypeTranslator(scope: scope)
        let lines = fields.map { field in
            let rename = FieldRenames(field, scope)
            let parts: [String?] = [
                SwiftLiteral.string(field.name), field.stored,
                field.declaration.type.value.isOptional ? "optional: true" : nil,
                field.constantDefault.map { "default: \($0.stored)" },
                rename.names.isEmpty ? nil : "renamedFrom: \(SwiftLiteral.strings(rename.names))",
                field.declaration.sensitive?.value == true ? "sensitive: true" : nil,
                types.closedEnumeration(field.declaration.type.value).map { "cases: \($0)" },
            ]
            return scope.names.qualified("FieldDescription")
                + "(\(parts.compactMap { $0 }.joined(separator: ", ")))"
        }
        return SwiftLiteral.elements(lines)
    }

    /// The statements that decode all fields and call the initialiser.
    private func decodings(_ record: String) -> [String] {
        guard !fields.isEmpty else { return ["\(record)()"] }
        let arguments = fields.enumerated().map { index, field in
            "    \(field.label): \(field.local)" + (index == fields.count - 1 ? "" : ",")
        }
        return fields.enumerated().map { index, field in
            let value = field.constantDefault.map { ", default: \($0.swift)" } ?? ""
            return "let \(field.local) = try \(source).decode("
                + "\(field.decodedType).self, at: \(index)\(value))"
        } + ["return \(record)("] + arguments + [")"]
    }

    /// The name of the variable for the record in the mapper's functions. It is the name of the
    /// type in lower camel case, or `record` if that name is taken or has more than 30 characters.
    var variable: String {
        let own = Naming.lowerCamelCase(baseName)
        let isCreated = fields.contains { $0.declaration.onCreateNow != nil }
        let isExternal = fields.contains(where: \.declaration.isExternal)
        let taken =
            ["fields", "write", "version", "deletion"] + fields.map { $0.name + "Pattern" }
            + (isCreated ? ["stored"] : []) + (isExternal ? ["change", "value"] : [])
        let isUnsuited = taken.contains(own) || own == baseName || own.count > 30
        return isUnsuited ? "record" : Naming.escaped(own)
    }

    /// The name of the mapped type: the name without `Mapper`. By scalars, because its last letter
    /// may form one `Character` with the next one.
    private var baseName: String { String(name.unicodeScalars.dropLast("Mapper".utf8.count)) }

    /// The name of the decoder parameter: `fields`, with underscores appended while a field has
    /// that name.
    private var source: String {
        var name = "fields"
        while fields.contains(where: { $0.name == name }) { name += "_" }
        return name
    }

    /// A name for a generic parameter that no declaration has.
    private func generic(_ name: String) -> String {
        var name = name
        while scope.declarations[name] != nil { name += "_" }
        return name
    }
}

/// The earlier names of a field, as properties and as columns. The descriptions of tables and
/// values list them.
///
/// For a field that was renamed from `name` to `title`, the list of names is `["name"]`.
struct FieldRenames {
    /// The earlier property names, newest first.
    let names: [String]
    /// The earlier column names, newest first.
    let columns: [String]

    /// Translates the earlier names of a field.
    init(_ field: TranslatedField, _ scope: SchemaScope) {
        let earlier = field.declaration.renamedFrom.map { name in
            var declaration = field.declaration
            declaration.name = name
            declaration.details.column = nil
            return declaration
        }
        names = earlier.map(scope.property(of:)).filter { $0 != field.name }
        let present = FieldColumn(field.declaration, scope).name
        columns = earlier.map { FieldColumn($0, scope).name }.filter { $0 != present }
    }
}

/// The column of a field. For a reference to a composite id, the common prefix of its columns.
///
/// For a reference `book` to an entity with the id `[shelf, number]`, the prefix is `book`.
struct FieldColumn {
    let name: String

    /// Derives the column from the field.
    init(_ field: FieldDeclaration, _ scope: SchemaScope) {
        let style = scope.set.settings.columns
        if let entity = scope.singleReference(field), case .composite = entity.identity {
            let written = field.name.value
            name =
                field.column?.value ?? (style == .snakeCase ? Naming.snakeCase(written) : written)
        } else {
            name = Naming.columnName(
                of: field, isReference: scope.isReference(field.type.value), style: style)
        }
    }
}
