internal import RepositorySchema

/// The statements of a mapper.
struct MapperTranslator {
    let name: String
    let fields: [TranslatedField]
    let scope: SchemaScope

    /// A mapper without a table and without a layout.
    ///
    /// - Parameters:
    ///   - record: the type it maps.
    ///   - conformance: the runtime's protocol.
    ///   - mapped: what it maps, in prose.
    ///   - noun: the record in prose.
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

    /// The lines that describe the fields of a value or a composite id.
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

    /// The name of the record in the mapper's functions: its own, unless something else there has it or it is too long
    /// to be said in every line.
    var variable: String {
        let own = Naming.lowerCamelCase(baseName)
        let taken = ["fields", "write", "version"] + fields.map { $0.name + "Pattern" }
        let isUnsuited = taken.contains(own) || own == baseName || own.count > 30
        return isUnsuited ? "record" : Naming.escaped(own)
    }

    /// The name without `Mapper`, whose first letter may be one `Character` with what is before it.
    private var baseName: String { String(name.unicodeScalars.dropLast("Mapper".utf8.count)) }

    /// The decoder's name: `fields`, unless a local variable has it.
    private var source: String {
        var name = "fields"
        while fields.contains(where: { $0.name == name }) { name += "_" }
        return name
    }

    /// A name for a generic parameter that no type of the schema has.
    private func generic(_ name: String) -> String {
        var name = name
        while scope.declarations[name] != nil { name += "_" }
        return name
    }
}

/// The earlier names of a field: as a property and key, and as a column.
struct FieldRenames {
    /// Earlier keys, newest first.
    let names: [String]
    /// Earlier columns, newest first.
    let columns: [String]

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

/// The column of a field; for a reference to a composite id, what its columns begin with.
struct FieldColumn {
    let name: String

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
