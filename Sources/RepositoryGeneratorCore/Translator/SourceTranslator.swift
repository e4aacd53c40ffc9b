internal import RepositorySchema

/// Creates the statements that say what an entity is taken from in the files of other databases:
/// one for each database of `from:`, and none without it.
///
/// ```swift
/// table.source("realm", "Person", fields: ["name": "Person.fullName"])
/// ```
struct SourceTranslator {
    /// The entity, with mixins expanded.
    let entity: EntityDeclaration
    /// The fields in the order of the mapper.
    let fields: [TranslatedField]
    let scope: SchemaScope

    /// The statements.
    var statements: [String] {
        guard !entity.from.isEmpty else { return [] }
        return SourceKind.allCases.compactMap { kind in
            entity.from[kind].map { statement(kind, $0.value) }
        }
    }

    private func statement(_ kind: SourceKind, _ name: String) -> String {
        var names: [(String, String)] = []
        var values: [(String, String)] = []
        for field in fields { add(field, "", kind, &names, &values) }
        let arguments: [String?] = [
            SwiftLiteral.string(kind.rawValue), SwiftLiteral.string(name),
            names.isEmpty ? nil : "fields: \(Self.dictionary(names))",
            values.isEmpty ? nil : "values: \(Self.dictionary(values))",
            entity.sourceNamespace.map { "namespace: \(SwiftLiteral.string($0.value))" },
        ]
        return "table.source(\(arguments.compactMap { $0 }.joined(separator: ", ")))"
    }

    /// Adds what a field is taken from, and the fields of a value in it, and the cases of an enum.
    private func add(
        _ field: TranslatedField, _ prefix: String, _ kind: SourceKind,
        _ names: inout [(String, String)], _ values: inout [(String, String)]
    ) {
        let path = prefix + field.name
        if let name = field.declaration.from[kind] {
            names.append((path, SwiftLiteral.string(name.value)))
        }
        switch scope.kind(of: field.declaration.type.value) {
        case .value(let value):
            for member in value.fields {
                let member = TranslatedField(member, of: value.header.name.value, scope: scope)
                add(member, path + ".", kind, &names, &values)
            }
        case .enumeration(let enumeration):
            let cases = enumeration.cases.compactMap { item in
                item.from[kind].map {
                    ($0.value, SwiftLiteral.string(item.rawValue?.value ?? item.name.value))
                }
            }
            if !cases.isEmpty { values.append((path, Self.dictionary(cases))) }
        default: break
        }
    }

    /// A dictionary literal with strings as keys.
    private static func dictionary(_ entries: [(String, String)]) -> String {
        "[\(entries.map { "\(SwiftLiteral.string($0)): \($1)" }.joined(separator: ", "))]"
    }
}
