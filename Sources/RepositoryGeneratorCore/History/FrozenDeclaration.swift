internal import RepositorySchema

/// The text of a declaration as a type of an old version.
///
/// All types of other modules are qualified, because a schema may declare types of the same names.
struct FrozenDeclaration {
    private let declaration: Declaration
    private let scope: SchemaScope
    private let access: String
    private let type: (TypeExpression) -> String

    /// Prepares the text of a declaration.
    ///
    /// - Parameters:
    ///   - declaration: the declaration.
    ///   - scope: the declarations of its version.
    ///   - access: the access level with a trailing space, or an empty string.
    ///   - type: returns a type as the text writes it.
    init(
        _ declaration: Declaration, _ scope: SchemaScope, access: String,
        type: @escaping (TypeExpression) -> String
    ) {
        self.declaration = declaration
        self.scope = scope
        self.access = access
        self.type = type
    }

    /// The name, escaped if it is a keyword.
    private var name: String { Naming.escaped(declaration.header.name.value) }

    /// The lines.
    var lines: [String] {
        switch declaration {
        case .entity(let entity): self.entity(entity)
        case .value(let value):
            record(
                value.fields, name: name, isHashable: false,
                noun: Prose.withArticle(value.header.name.value))
        case .union(let union): self.union(union)
        case .enumeration(let enumeration): self.enumeration(enumeration)
        case .scalar, .mixin: []
        }
    }

    /// A field of a frozen struct or case.
    private struct Field {
        let name: String
        let type: String
        let isOptional: Bool
        let isSensitive: Bool

        var property: String { Naming.escaped(name) }
        var literal: String { SwiftLiteral.string(name) }
    }

    private func fields(_ declared: [FieldDeclaration], ids: [String: String] = [:]) -> [Field] {
        declared.map { field in
            Field(
                name: scope.property(of: field),
                type: ids[field.name.value] ?? type(field.type.value),
                isOptional: field.type.value.isOptional,
                isSensitive: field.sensitive?.value == true)
        }
    }

    private func entity(_ entity: EntityDeclaration) -> [String] {
        let declared = scope.fields(of: entity)
        let noun = Prose.withArticle(entity.header.name.value)
        switch entity.identity {
        case .single(let id):
            let own = type(.named(entity.header.name.value))
            return record(
                declared, name: name, isHashable: false, noun: noun, ids: [id.name.value: own])
        case .composite: return record(declared, name: name, isHashable: false, noun: noun)
        }
    }

    /// The lines of the type of a composite id.
    ///
    /// - Parameter name: the name of the type.
    func compositeID(named name: String) -> [String] {
        guard case .entity(let entity) = declaration else { return [] }
        return record(
            scope.identityFields(of: entity), name: name, isHashable: true,
            noun: "the id of \(Prose.withArticle(entity.header.name.value))")
    }

    private func record(
        _ declared: [FieldDeclaration], name: String, isHashable: Bool, noun: String,
        ids: [String: String] = [:]
    ) -> [String] {
        let fields = fields(declared, ids: ids)
        let isSensitive = fields.contains(where: \.isSensitive)
        let protocols =
            ["RepositoryRuntime.FrozenRecord"] + (isHashable ? ["Swift.Hashable"] : [])
            + (isSensitive ? ["Swift.CustomReflectable"] : [])
        var lines = [
            "/// \(noun.capitalizedFirst).",
            "nonisolated \(access)struct \(name): \(protocols.joined(separator: ", ")) {",
        ]
        lines += fields.flatMap { field in
            [
                "    /// `\(field.name)` in stored records.",
                "    \(access)var \(field.property): \(field.type)",
            ]
        }
        let parameters = fields.map {
            "\(Naming.parameter($0.name)): \($0.type)" + ($0.isOptional ? " = nil" : "")
        }
        lines += ["", "    /// Creates \(noun).", "    \(access)init("]
        lines += parameters.enumerated().map {
            "        \($1)" + ($0 + 1 < parameters.count ? "," : "")
        }
        lines.append("    ) {")
        lines += fields.map {
            "        self.\($0.property) = \(Naming.localName($0.name))"
        }
        lines += [
            "    }", "", "    /// Creates \(noun) from its stored values.",
            "    \(access)init(_ row: RepositoryRuntime.MigrationRow) throws {",
        ]
        lines += fields.map { "        self.\($0.property) = try row.value(\($0.literal))" }
        lines += [
            "    }", "", "    /// Adds the values to store.",
            "    \(access)func write(to row: inout RepositoryRuntime.MigrationRow) {",
        ]
        lines += fields.map { "        row.set(self.\($0.property), \($0.literal))" }
        lines.append("    }")
        if isSensitive { lines += [""] + mirror(fields).indented }
        return lines + ["}"]
    }

    /// The mirror of a type with sensitive fields, which it lacks.
    private func mirror(_ fields: [Field]) -> [String] {
        let children = fields.filter { !$0.isSensitive }.map {
            "\($0.literal): self.\($0.property)"
        }
        let list = children.isEmpty ? ":" : children.joined(separator: ", ")
        return [
            "/// The fields that are not sensitive.",
            "\(access)var customMirror: Swift.Mirror {",
            "    Swift.Mirror(self, children: [\(list)], displayStyle: .struct)", "}",
        ]
    }

    private func union(_ union: UnionDeclaration) -> [String] {
        let cases = union.cases.map { (name: $0.name.value, fields: fields($0.fields)) }
        let isSensitive = cases.contains { $0.fields.contains(where: \.isSensitive) }
        let noun = Prose.withArticle(union.header.name.value)
        let protocols =
            ["RepositoryRuntime.FrozenValue"] + (isSensitive ? ["Swift.CustomReflectable"] : [])
        var lines = [
            "/// \(noun.capitalizedFirst).",
            "nonisolated \(access)enum \(name): \(protocols.joined(separator: ", ")) {",
        ]
        lines += cases.flatMap { item in
            let values = item.fields.map { "\($0.property): \($0.type)" }
            return [
                "    /// Stored under the key `\(item.name)`.",
                "    case \(Naming.escaped(item.name))"
                    + (values.isEmpty ? "" : "(\(values.joined(separator: ", ")))"),
            ]
        }
        lines += [
            "", "    /// Creates \(noun) from a stored value.",
            "    \(access)init(stored: RepositoryRuntime.StoredValue) throws {",
            "        let (name, fields) = try RepositoryRuntime.MigrationRow.union(stored)",
            "        switch name {",
        ]
        lines += cases.flatMap { item in
            let arguments = item.fields.map { "\($0.property): try fields.value(\($0.literal))" }
            return [
                "        case \(SwiftLiteral.string(item.name)):",
                "            self = .\(Naming.escaped(item.name))"
                    + (arguments.isEmpty ? "" : "(\(arguments.joined(separator: ", ")))"),
            ]
        }
        lines += [
            "        default: throw RepositoryRuntime.MigrationRow.unknownCase(name)",
            "        }", "    }", "", "    /// The value to store.",
            "    \(access)var stored: RepositoryRuntime.StoredValue {", "        switch self {",
        ]
        lines += cases.flatMap { item -> [String] in
            let bindings = item.fields.map { "let \(Naming.localName($0.name))" }
            let sets = item.fields.map {
                "            row.set(\(Naming.localName($0.name)), \($0.literal))"
            }
            return [
                "        case .\(Naming.escaped(item.name))"
                    + (bindings.isEmpty ? "" : "(\(bindings.joined(separator: ", ")))") + ":",
                "            \(sets.isEmpty ? "let" : "var") row = RepositoryRuntime.MigrationRow()",
            ] + sets + ["            return row.union(\(SwiftLiteral.string(item.name)))"]
        }
        lines += ["        }", "    }"]
        if isSensitive {
            lines += [
                "", "    /// Nothing, because fields are sensitive.",
                "    \(access)var customMirror: Swift.Mirror {",
                "        Swift.Mirror(self, children: [:], displayStyle: .enum)", "    }",
            ]
        }
        return lines + ["}"]
    }

    private func enumeration(_ enumeration: EnumDeclaration) -> [String] {
        let isInteger = enumeration.rawType.value == .int
        let raw = isInteger ? "Swift.Int" : "Swift.String"
        /// The literal of a raw value.
        func literal(_ item: EnumCaseDeclaration) -> String {
            let text = item.rawValue?.value ?? item.name.value
            return isInteger ? Int64(text).map { "\($0)" } ?? text : SwiftLiteral.string(text)
        }
        let noun = Prose.withArticle(enumeration.header.name.value)
        let cases = enumeration.cases.map {
            (
                name: Naming.escaped($0.name.value), literal: literal($0),
                doc: "    /// Stored as `\($0.rawValue?.value ?? $0.name.value)`."
            )
        }
        guard let unknown = enumeration.unknownCase?.value else {
            return [
                "/// \(noun.capitalizedFirst).",
                "nonisolated \(access)enum \(name): \(raw), RepositoryRuntime.FrozenEnum {",
            ]
                + cases.flatMap { [$0.doc, "    case \($0.name) = \($0.literal)"] } + ["}"]
        }
        let other = Naming.escaped(unknown)
        return [
            "/// \(noun.capitalizedFirst).",
            "nonisolated \(access)enum \(name): RepositoryRuntime.FrozenEnum, Swift.Hashable {",
        ]
            + cases.flatMap { [$0.doc, "    case \($0.name)"] } + [
                "    /// Any other raw value.", "    case \(other)(\(raw))", "",
                "    /// The case of a raw value.", "    \(access)init(rawValue: \(raw)) {",
                "        switch rawValue {",
            ] + cases.map { "        case \($0.literal): self = .\($0.name)" } + [
                "        default: self = .\(other)(rawValue)", "        }", "    }", "",
                "    /// The raw value.", "    \(access)var rawValue: \(raw) {",
                "        switch self {",
            ] + cases.map { "        case .\($0.name): \($0.literal)" } + [
                "        case .\(other)(let rawValue): rawValue", "        }", "    }", "}",
            ]
    }
}

extension [String] {
    /// The lines, indented by four spaces.
    fileprivate var indented: [String] { map { $0.isEmpty ? "" : "    " + $0 } }
}
