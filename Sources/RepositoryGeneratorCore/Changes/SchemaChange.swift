package import RepositorySchema

/// A change between a released version of a schema and the schema after it.
package struct SchemaChange: Sendable, Hashable {
    /// The kind of a declaration.
    package enum Kind: String, Sendable, Hashable {
        case entity
        case value
        case union
        case enumeration = "enum"
        case scalar
        /// Not a declaration: a migration of several entities in the settings.
        case settings
    }

    /// The kind of change.
    package var code: ChangeCode
    /// The kind of the declaration that has changed.
    package var kind: Kind
    /// The name of the declaration: the present one, or that in the version if it is gone.
    package var declaration: String
    /// The name of the declaration in the version; nil if it is new.
    package var earlierDeclaration: String?
    /// The part of the declaration that has changed: a field, index, check or case by its name, or
    /// a case of a union and a field of it. Empty for the declaration as a whole.
    package var member: [String] = []
    /// The names of the part in the version; nil if it is new.
    package var earlierMember: [String]?
    /// The place in the present schema, or in the version if the part is gone.
    package var range: SourceRange
    /// The place in the version; nil if the part is new.
    package var earlier: SourceRange?
    /// The place for diagnostics: in the present schema even if the part is gone.
    package var place: SourceRange
    /// What has changed, typed.
    package var detail = Detail.none
    /// The decision that covers the change; nil if it is automatic or undecided.
    package var decision: Decision?
    /// Whether the table is unmanaged: it is not migrated, so that the change needs no decision.
    package var isUnmanaged = false
    /// Whether the change needs a decision and has none.
    package var isUndecided = false
    /// Whether it is a new entity that a field of an entity of the version refers to.
    package var isReferredTo = false
    /// Whether nothing that stores keep depends on it: an unindexed field ignores case, or a field
    /// has `default: now`.
    package var isUnstored = false
    /// Whether it is about an index over an encrypted field, whose values are hashed for it.
    package var isHashed = false
    /// Whether some stored data may not fit the change: the migration then fails, and the data
    /// stays as it is.
    package var dependsOnData = false

    /// The function of the generated protocol that carries out the change: `bookPriceTo4`. Nil if
    /// none does.
    package var function: String?

    /// What has changed.
    package enum Detail: Sendable, Hashable {
        /// The code says everything.
        case none
        /// A name, rule, condition or representation in its canonical text; nil for none.
        case text(old: String?, new: String?)
        /// The type, with the scales of decimals. If the name is the same, with
        /// the stored types of scalars.
        case type(
            old: TypeExpression, new: TypeExpression, oldScale: Int? = nil, newScale: Int? = nil,
            oldStored: BaseType? = nil, newStored: BaseType? = nil)
        /// The default; nil for none.
        case defaultValue(old: DefaultValue?, new: DefaultValue?)
        /// A field that is new or gone.
        case field(FieldDeclaration)
        /// The names of the fields of an id.
        case identity(old: [String], new: [String])
        /// The entities that are migrated together.
        case entities([String])
    }

    /// A decision in the schema.
    package enum Decision: Sendable, Hashable {
        /// `fill`
        case fill(FillDecision)
        /// `convert`
        case convert(ConvertDecision)
        /// `migrate` of the entity, or in the settings.
        case migrate(MigrateDecision)
        /// An entry of `removed` of an entity, value, union or the settings.
        case removed(Located<String>)
        /// An entry of `removed` of an enum.
        case replaced(RemovedCase)
        /// An entry of `renamedFrom`.
        case renamed(Located<String>)
        /// An entry of `reuse`.
        case reused(Located<String>)

        /// Whether a function carries out the change.
        package var isCode: Bool {
            switch self {
            case .fill(let fill): fill.source == .code
            case .convert(let convert): convert.method == .code
            case .migrate: true
            case .removed, .replaced, .renamed, .reused: false
            }
        }

        /// The place of the decision.
        package var range: SourceRange {
            switch self {
            case .fill(let fill): fill.range
            case .convert(let convert): convert.range
            case .migrate(let migrate): migrate.range
            case .removed(let name), .renamed(let name), .reused(let name): name.range
            case .replaced(let entry): entry.name.range
            }
        }
    }
}

extension SchemaChange.Detail {
    /// What there was before, in quotes; empty if the detail does not say it.
    package var oldText: String {
        switch self {
        case .text(let old, _): old.map { "'\($0)'" } ?? ""
        case .type(let old, _, let scale, _, let stored, _): Self.text(old, scale, stored)
        case .defaultValue(let old, _): old.map { "'\($0.text)'" } ?? ""
        case .identity(let old, _): Self.list(old)
        case .none, .field, .entities: ""
        }
    }

    /// What there is now, in quotes; empty if the detail does not say it.
    package var newText: String {
        switch self {
        case .text(_, let new): new.map { "'\($0)'" } ?? ""
        case .type(_, let new, _, let scale, _, let stored): Self.text(new, scale, stored)
        case .defaultValue(_, let new): new.map { "'\($0.text)'" } ?? ""
        case .identity(_, let new): Self.list(new)
        case .entities(let names): Self.list(names)
        case .none, .field: ""
        }
    }

    private static func text(_ type: TypeExpression, _ scale: Int?, _ stored: BaseType?) -> String {
        "'\(type.description)'" + (scale.map { " with the scale \($0)" } ?? "")
            + (stored.map { " stored as '\($0.rawValue)'" } ?? "")
    }

    private static func list(_ names: [String]) -> String {
        let list = names.map { "'\($0)'" }.joined(separator: ", ")
        return names.count == 1 ? list : "[\(list)]"
    }
}

extension DefaultValue {
    /// The value as the schema has it.
    fileprivate var text: String {
        switch self {
        case .now: "now"
        case .generated: "generated"
        case .assigned: "assigned"
        case .literal(let literal): Self.text(literal)
        }
    }

    private static func text(_ literal: Literal) -> String {
        switch literal {
        case .scalar(let text, _): text
        case .list(let values):
            "[" + values.map { text($0.value) }.joined(separator: ", ") + "]"
        case .map(let entries):
            "{ "
                + entries.map { "\($0.key.value): \(text($0.value.value))" }
                .joined(separator: ", ") + " }"
        }
    }
}

extension SchemaChange {
    /// The declaration in a message: `the entity 'Book'`.
    package var label: String {
        kind == .settings ? "the settings" : "the \(kind.rawValue) '\(declaration)'"
    }

    /// The whole path: `Book.price`.
    package var path: String { ([declaration] + member).joined(separator: ".") }
}
