internal import RepositorySchema

/// The values and unions that contain a sensitive field, directly or through embedded types.
///
/// They are computed once per set, from the sensitive fields outwards, so that each field is read
/// once. A recursive search from each type would take exponential time if every value embeds the
/// next one twice.
///
/// ```yaml
/// value: Address
/// fields:
///   street: { type: String, sensitive: true }
/// ---
/// value: Person            # sensitive, because it embeds an 'Address'
/// fields: { home: Address }
/// ```
struct SensitiveTypes: Sendable {
    private(set) var names: Set<String> = []
    /// The number of fields and types visited. Tests use it to bound the cost.
    private(set) var visitedCount = 0

    init(_ declarations: [String: Declaration]) {
        var holders: [String: [String]] = [:]
        var queue: [String] = []
        for (name, declaration) in declarations {
            for field in declaration.embeddedFields {
                visitedCount += 1
                if field.sensitive?.value == true { queue.append(name) }
                if let inner = field.type.value.innermostName {
                    holders[inner, default: []].append(name)
                }
            }
        }
        while let name = queue.popLast() {
            visitedCount += 1
            if names.insert(name).inserted { queue += holders[name] ?? [] }
        }
    }
}

extension SchemaScope {
    /// Returns whether one of the fields is sensitive or embeds a type with a sensitive field.
    func hasSensitive(_ fields: [FieldDeclaration]) -> Bool {
        fields.contains { field in
            if field.sensitive?.value == true { return true }
            // The scope resolves the type, so that the lookup is recorded and a change of the type
            // renders the dependents again.
            switch kind(of: field.type.value) {
            case .value, .union:
                return field.type.value.innermostName.map(sensitiveTypes.names.contains) ?? false
            case .base, .entity, .enumeration, .scalar, .unknown: return false
            }
        }
    }
}

extension Declaration {
    /// The fields of a value or of all cases of a union. Empty for other declarations.
    var embeddedFields: [FieldDeclaration] {
        switch self {
        case .value(let value): value.fields
        case .union(let union): union.cases.flatMap(\.fields)
        case .entity, .enumeration, .scalar, .mixin: []
        }
    }
}
