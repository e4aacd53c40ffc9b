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
        var parts = Parts()
        for field in fields { add(field, "", kind, &parts) }
        let arguments: [String?] = [
            SwiftLiteral.string(kind.rawValue), SwiftLiteral.string(name),
            parts.names.isEmpty ? nil : "fields: \(Self.dictionary(parts.names))",
            parts.values.isEmpty ? nil : "values: \(Self.dictionary(parts.values))",
            parts.references.isEmpty ? nil : "references: \(Self.dictionary(parts.references))",
            entity.sourceNamespace.map { "namespace: \(SwiftLiteral.string($0.value))" },
        ]
        return "table.source(\(arguments.compactMap { $0 }.joined(separator: ", ")))"
    }

    /// The entries of the arguments, by the paths of fields.
    private struct Parts {
        var names: [(String, String)] = []
        var values: [(String, String)] = []
        var references: [(String, String)] = []
    }

    /// Adds what a field is taken from, and the fields of a value or union in it, the cases of an
    /// enum, and the id of the entity that it refers to.
    private func add(
        _ field: TranslatedField, _ prefix: String, _ kind: SourceKind, _ parts: inout Parts
    ) {
        let path = prefix + field.name
        if let name = field.declaration.from[kind] {
            parts.names.append((path, SwiftLiteral.string(name.value)))
        }
        switch scope.kind(of: field.declaration.type.value) {
        case .value(let value):
            for member in value.fields {
                let member = TranslatedField(member, of: value.header.name.value, scope: scope)
                add(member, path + ".", kind, &parts)
            }
        case .union(let union):
            for item in union.cases {
                for member in item.fields {
                    let member = TranslatedField(
                        member, of: union.header.name.value, scope: scope)
                    add(member, "\(path).\(item.name.value).", kind, &parts)
                }
            }
        case .entity(let target):
            guard case .single(let id) = target.identity, let name = id.from[kind] else { break }
            let namespace = target.sourceNamespace.map { " \($0.value)" } ?? ""
            parts.references.append((path, SwiftLiteral.string(name.value + namespace)))
        case .enumeration(let enumeration):
            let cases = enumeration.cases.compactMap { item in
                item.from[kind].map {
                    ($0.value, SwiftLiteral.string(item.rawValue?.value ?? item.name.value))
                }
            }
            if !cases.isEmpty { parts.values.append((path, Self.dictionary(cases))) }
        default: break
        }
    }

    /// A dictionary literal with strings as keys.
    private static func dictionary(_ entries: [(String, String)]) -> String {
        "[\(entries.map { "\(SwiftLiteral.string($0)): \($1)" }.joined(separator: ", "))]"
    }
}
