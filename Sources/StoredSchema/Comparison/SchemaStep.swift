/// One compatible change that adapts a store to the declared schema. Names are the declared ones,
/// unless stated otherwise.
package enum SchemaStep: Sendable, Hashable {
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
    /// Declares that a field marks deleted records. Nothing that is stored changes.
    case startSoftDelete(table: String, field: String)
    /// Drops an index that is no longer declared, or whose declaration changed.
    case dropIndex(table: String, index: String)
    /// Creates an index that is new, or whose declaration changed. Duplicates in a unique index are
    /// detected when it is built.
    case createIndex(table: String, index: String)

    /// A compatible change of one field.
    package enum FieldChange: Sendable, Hashable {
        /// The field became optional.
        case becameOptional
        /// The integer type became wider, for example `int32` to `int64`.
        case widened
        /// The rules changed. Stored records that violate the new rules can still be read, because
        /// reading never validates.
        case rules
        /// The reference is no longer enforced, or no longer one.
        case referenceRemoved
        /// The delete rule of a reference changed.
        case deleteRule
        /// The constant default changed. Stored records keep their values.
        case defaultValue
        /// The text ignores case, or no longer does: its column with the folded text is added or
        /// dropped.
        case folding
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
        case .changeField, .changeChecks, .startSoftDelete: 4
        case .dropIndex: 5
        case .createIndex: 6
        }
    }

    /// Returns whether a step is executed before another.
    package static func < (left: SchemaStep, right: SchemaStep) -> Bool { left.rank < right.rank }
}

extension SchemaStep {
    /// The declared name of the table that the step changes.
    package var table: String {
        switch self {
        case .renameTable(_, let table), .renameField(let table, _, _),
            .renameColumn(let table, _, _), .createTable(let table), .addField(let table, _),
            .changeChecks(let table), .changeField(let table, _, _), .dropIndex(let table, _),
            .startSoftDelete(let table, _),
            .createIndex(let table, _):
            table
        }
    }

    /// The declared name of the field that the step changes; nil for a change of a whole table.
    package var field: String? {
        switch self {
        case .renameField(_, _, let field), .addField(_, let field), .changeField(_, let field, _),
            .startSoftDelete(_, let field):
            field
        case .renameTable, .renameColumn, .createTable, .changeChecks, .dropIndex, .createIndex:
            nil
        }
    }

    /// The kind of the change.
    package var code: SchemaChangeCode {
        switch self {
        case .renameTable: .tableRenamed
        case .renameField: .fieldRenamed
        case .renameColumn: .columnRenamed
        case .createTable: .tableAdded
        case .addField: .fieldAdded
        case .changeField(_, _, let change): change.code
        case .changeChecks: .checksChanged
        case .startSoftDelete: .softDeleteAdded
        case .dropIndex: .indexRemoved
        case .createIndex: .indexAdded
        }
    }

    /// A description of the step, for messages.
    package var words: String {
        switch self {
        case .renameTable(let old, let new): "'\(old)' is renamed to '\(new)'"
        case .renameField(_, let old, let new): "the field '\(old)' is renamed to '\(new)'"
        case .renameColumn(_, let old, let new): "the column '\(old)' is renamed to '\(new)'"
        case .createTable(let table): "the table '\(table)' is new"
        case .addField(_, let field): "the field '\(field)' is new"
        case .changeField(_, let field, let change): "the field '\(field)' \(change.words)"
        case .changeChecks: "its checks differ"
        case .startSoftDelete(_, let field): "the field '\(field)' marks deleted records"
        case .dropIndex(_, let index): "the index '\(index)' is not declared"
        case .createIndex(_, let index): "the index '\(index)' is new"
        }
    }
}

extension SchemaStep.FieldChange {
    /// The kind of the change.
    package var code: SchemaChangeCode {
        switch self {
        case .becameOptional: .becameOptional
        case .widened: .typeWidened
        case .rules: .rulesChanged
        case .referenceRemoved: .referenceRemoved
        case .deleteRule: .deleteRuleChanged
        case .defaultValue: .defaultChanged
        case .folding: .foldingChanged
        case .cases: .casesChanged
        case .members: .membersChanged
        }
    }

    /// A description of the change, for messages, to follow the name of the field.
    fileprivate var words: String {
        switch self {
        case .becameOptional: "became optional"
        case .widened: "has a wider type"
        case .rules: "has other rules"
        case .referenceRemoved: "is no reference that is enforced"
        case .deleteRule: "has another rule for deletions"
        case .defaultValue: "has another default"
        case .folding: "ignores case, or no longer does"
        case .cases: "has other cases"
        case .members: "has other members"
        }
    }
}
