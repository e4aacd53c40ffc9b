internal import RepositorySchema

/// The values and unions that hold a sensitive field, themselves or inside others.
///
/// It is found once for a set, from the sensitive fields outwards, so that the cost is that of
/// reading each field once: values that each hold two of the next have exponentially many ways
/// through them.
struct SensitiveTypes: Sendable {
    private(set) var names: Set<String> = []
    /// How many fields and holders were looked at; the cost, for tests.
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
    /// Whether one of the fields is sensitive, or embeds a value that has such a field.
    func hasSensitive(_ fields: [FieldDeclaration]) -> Bool {
        fields.contains { field in
            if field.sensitive?.value == true { return true }
            // The scope is asked for the type, so that what is made of it is made again when the
            // type changes.
            switch kind(of: field.type.value) {
            case .value, .union:
                return field.type.value.innermostName.map(sensitiveTypes.names.contains) ?? false
            case .base, .entity, .enumeration, .scalar, .unknown: return false
            }
        }
    }
}

extension Declaration {
    /// The fields of a value, or of all cases of a union.
    var embeddedFields: [FieldDeclaration] {
        switch self {
        case .value(let value): value.fields
        case .union(let union): union.cases.flatMap(\.fields)
        case .entity, .enumeration, .scalar, .mixin: []
        }
    }
}
