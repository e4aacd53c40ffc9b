/// One harmless change that makes a store fit the declared schema. Names are the declared ones,
/// unless said otherwise.
public enum SchemaStep: Sendable, Hashable {
    /// A table gets its new name.
    case renameTable(from: String, to: String)
    /// A field of documents gets its new name. Documents may keep the earlier one: readers look for
    /// both.
    case renameField(table: String, from: String, to: String)
    /// A column of a SQL store gets its new name.
    case renameColumn(table: String, from: String, to: String)
    /// A table is new.
    case createTable(String)
    /// A field is new; it is optional or has a constant default, which stored records read.
    case addField(table: String, field: String)
    /// What is declared of a field is different, and every stored value still fits.
    case changeField(table: String, field: String, FieldChange)
    /// The checks are others. The runtime tests the new ones on what is written from then on; stored records that break
    /// them stay readable: reading never tests them.
    case changeChecks(table: String)
    /// An index is no longer declared, or declared differently.
    case dropIndex(table: String, index: String)
    /// An index is new, or declared differently. Whether stored records keep a unique one shows
    /// when it is built.
    case createIndex(table: String, index: String)

    /// A difference of one field that does no harm.
    public enum FieldChange: Sendable, Hashable {
        /// It may be null now.
        case becameOptional
        /// Its integers became wider, such as `int32` to `int64`.
        case widened
        /// Its rules are others. Stored records that break the new ones stay readable: reading
        /// never validates.
        case rules
        /// What happens when the record referred to is deleted is another rule, or the reference is
        /// no longer kept.
        case reference
        /// The constant default is another one; stored records keep what they have.
        case defaultValue
        /// Its enum has other cases, and every stored one is still declared.
        case cases
        /// An embedded record inside it has new fields, optional or with a constant default, or
        /// renamed ones.
        case members
    }
}

extension SchemaStep: Comparable {
    /// The order in which steps are taken: names first, then what is new, indexes last.
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

    /// Whether a step is taken before another.
    public static func < (left: SchemaStep, right: SchemaStep) -> Bool { left.rank < right.rank }
}

extension SchemaStep {
    /// The table it changes, by its declared name.
    package var table: String {
        switch self {
        case .renameTable(_, let table), .renameField(let table, _, _),
            .renameColumn(let table, _, _), .createTable(let table), .addField(let table, _),
            .changeChecks(let table), .changeField(let table, _, _), .dropIndex(let table, _),
            .createIndex(let table, _):
            table
        }
    }

    /// What it changes in words.
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
