internal import ConditionLanguage
internal import RepositorySchema
internal import StoredSchema

/// Decides which conditions SQLite can evaluate with exactly the runtime's semantics. The condition
/// of an index must be one of them, because the runtime cannot evaluate it instead.
///
/// The generator does not depend on any store. This type describes the behaviour of
/// `SQLConditionWriter.constant`, and a test compares the two.
///
/// - The elements of a list cannot be searched with `contains`.
/// - A field of an embedded value can be evaluated if its key is plain, it has no earlier name and
///   no default, and its type has the same representation in JSON and in a column.
/// - A Decimal can be compared if it is stored as a number.
struct SQLiteConditions {
    /// The declarations that types are resolved in.
    let scope: SchemaScope

    /// The maximum number of parts of a condition. Databases limit the size of expressions.
    static let mostParts = 200
    /// The maximum number of values in a list. The limit for references to composite ids is lower.
    static let mostValues = 512

    /// Returns the reason why SQLite cannot evaluate a condition, as the end of a message, or nil
    /// if it can.
    ///
    /// The text continues a message such as 'the store cannot evaluate this condition: …'.
    func reason(against condition: CheckedCondition) -> String? {
        if Self.parts(of: condition) > Self.mostParts {
            return "it has more than \(Self.mostParts) parts"
        }
        return reason(insideOf: condition)
    }

    /// Returns the reason for a condition whose size is within the limit.
    private func reason(insideOf condition: CheckedCondition) -> String? {
        switch condition {
        case .all(let parts), .any(let parts):
            return parts.firstResult { reason(insideOf: $0) }
        case .not(let inner): return reason(insideOf: inner)
        case .isNull(let field): return reason(againstPath: field)
        case .compare(let field, _, _):
            return reason(againstPath: field) ?? reason(againstComparing: field)
        case .isIn(let field, let values):
            if values.count > Self.mostValues {
                return "more than \(Self.mostValues) values stand in it"
            }
            return reason(againstPath: field) ?? reason(againstComparing: field)
        case .isInParameter(let field, _): return reason(againstPath: field)
        case .related, .count: return "it asks for other records"
        case .compareFields: return "it compares two fields"
        case .function(_, let field, _):
            if case .list = field.type.unwrapped {
                return "'\(name(field))' is a list"
            }
            return reason(againstPath: field)
        }
    }

    /// Returns the reason why a field inside an embedded value cannot be used. Embedded values are
    /// stored as JSON, and SQLite has to extract the field.
    func reason(againstPath field: ConditionField) -> String? {
        guard field.path.count > 1 else { return nil }
        for inner in field.path.dropFirst() {
            let name = inner.name.value
            guard name.utf8.allSatisfy(Self.isPlain) else {
                return "'\(name)' is no plain key in JSON"
            }
            if !inner.renamedFrom.isEmpty { return "'\(name)' may be stored by an earlier name" }
            if case .literal = inner.defaultValue?.value {
                return "'\(name)' has a default, which a stored value may lack"
            }
        }
        guard let base = base(of: field.type) else {
            return "'\(name(field))' is stored as a whole"
        }
        return base.stored.kind.isExactInJSON ? nil : "'\(name(field))' has another form in JSON"
    }

    /// Returns the reason why values of a field cannot be compared. A Decimal that is stored as
    /// text sorts differently from its number, and one number can have several texts.
    private func reason(againstComparing field: ConditionField) -> String? {
        guard field.path.count == 1, let declared = field.path.first,
            base(of: field.type) == .decimal
        else { return nil }
        switch declared.sqliteForm?.value {
        case "real", "integer": return nil
        case nil where declared.scale != nil: return nil
        default: return "'\(name(field))' is a Decimal that is stored as text"
        }
    }

    /// Returns the base type in which a type is stored, or nil if it is stored as JSON or in
    /// several columns.
    private func base(of type: TypeExpression) -> BaseType? {
        switch type.unwrapped {
        case .list, .map, .optional: return nil
        case .base(let base): return base
        case .named:
            switch scope.kind(of: type) {
            case .base(let base): return base
            case .enumeration(let enumeration): return enumeration.rawType.value
            case .scalar(let scalar): return scalar.stored.value
            case .entity(let entity):
                guard case .single(let id) = entity.identity else { return nil }
                return base(of: id.type.value)
            case .value, .union, .unknown: return nil
            }
        }
    }

    /// The name of a field as written in the condition.
    private func name(_ field: ConditionField) -> String {
        field.path.map(\.name.value).joined(separator: ".")
    }

    /// Returns whether a byte needs no quoting in a JSON path.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D: true
        default: false
        }
    }

    /// The number of parts of a condition, including the conjunctions, disjunctions and negations.
    private static func parts(of condition: CheckedCondition) -> Int {
        switch condition {
        case .all(let parts), .any(let parts): parts.reduce(1) { $0 + Self.parts(of: $1) }
        case .not(let inner): Self.parts(of: inner) + 1
        default: 1
        }
    }
}
