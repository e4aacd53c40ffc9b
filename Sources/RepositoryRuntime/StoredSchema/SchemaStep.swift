/// One compatible change that adapts a store to the declared schema. Names are the declared ones,
/// unless stated otherwise.
public enum SchemaStep: Sendable, Hashable {
    /// Renames a table.
    case renameTable(from: String, to: String)
    /// Renames a field in a store of documents. Documents may keep the earlier name, because
    /// readers look for both.
    case renameField(table: String, from: String, to: String)
    /// Renames a column of a SQL store.
    case renameColumn(table: String, from: String, to: String)
    /// Creates a table.
    case createTable(String)
    /// Adds a field. It is optional or has a constant default, which is the value in stored
    /// records.
    case addField(table: String, field: String)
    /// Changes the declaration of a field. All stored values remain valid.
    case changeField(table: String, field: String, FieldChange)
    /// Changes the checks of a table. The runtime tests the new checks on later writes. Stored
    /// records that violate them can still be read, because reading never tests checks.
    case changeChecks(table: String)
    /// Drops an index that is no longer declared, or whose declaration changed.
    case dropIndex(table: String, index: String)
    /// Creates an index that is new, or whose declaration changed. Duplicates in a unique index are
    /// detected when it is built.
    case createIndex(table: String, index: String)

    /// A compatible change of one field.
    public enum FieldChange: Sendable, Hashable {
        /// The field became optional.
        case becameOptional
        /// The integer type became wider, for example `int32` to `int64`.
        case widened
        /// The rules changed. Stored records that violate the new rules can still be read, because
        /// reading never validates.
        case rules
        /// The delete rule of a reference changed, or the reference is no longer enforced.
        case reference
        /// The constant default changed. Stored records keep their values.
        case defaultValue
        /// The cases of the enum changed. All stored cases are still declared.
        case cases
        /// An embedded value in the field has new members, which are optional or have a constant
        /// default, or renamed members.
        case members
    }
}

extension SchemaStep: Comparable {
    /// The position in the order of execution: renames first, then additions, indexes last.
    private var rank: Int {
        switch self {
        case .renameTable: 0
        case .renameField, .renameColumn: 1
        case .createTable: 2
        case .addField: 3
        case .changeField, .changeChecks: 4
        case .dropIndex: 5
        case .createIndex: 6
        }
    }

    /// Returns whether a step is executed before another.
    public static func < (left: SchemaStep, right: SchemaStep) -> Bool { left.rank < right.rank }
}

extension SchemaStep {
    /// The declared name of the table that the step changes.
    package var table: String {
        switch self {
        case .renameTable(_, let table), .renameField(let table, _, _),
            .renameColumn(let table, _, _), .createTable(let table), .addField(let table, _),
            .changeChecks(let table), .changeField(let table, _, _), .dropIndex(let table, _),
            .createIndex(let table, _):
            table
        }
    }

    /// A description of the step, for messages.
    var words: String {
        switch self {
        case .renameTable(let old, let new): "'\(old)' is renamed to '\(new)'"
        case .renameField(_, let old, let new): "the field '\(old)' is renamed to '\(new)'"
        case .renameColumn(_, let old, let new): "the column '\(old)' is renamed to '\(new)'"
        case .createTable(let table): "the table '\(table)' is new"
        case .addField(_, let field): "the field '\(field)' is new"
        case .changeField(_, let field, let change): "the field '\(field)' \(change.words)"
        case .changeChecks: "its checks differ"
        case .dropIndex(_, let index): "the index '\(index)' is not declared"
        case .createIndex(_, let index): "the index '\(index)' is new"
        }
    }
}

extension SchemaStep.FieldChange {
    /// A description of the change, for messages, to follow the name of the field.
    fileprivate var words: String {
        switch self {
        case .becameOptional: "became optional"
        case .widened: "has a wider type"
        case .rules: "has other rules"
        case .reference: "has another rule for deletions"
        case .defaultValue: "has another default"
        case .cases: "has other cases"
        case .members: "has other members"
        }
    }
}
