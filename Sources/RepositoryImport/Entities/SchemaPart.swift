/// A part of the written schemas that can be left out or changed if the schema language does not
/// accept it.
///
/// Parts are identified by what they describe in the database, so that they stay the same when the
/// schemas are built again.
enum SchemaPart: Hashable {
    /// The entity of a table.
    case table(String)
    /// The name of the entity of a table.
    case entityName(String)
    /// The field of a column.
    case column(String, Int)
    /// The name of the field of a column.
    case fieldName(String, Int)
    /// The rule of the reference of a column; without it the reference is `onDelete: none`.
    case rule(String, Int)
    /// The reference of a column; without it the field is a plain one.
    case reference(String, Int)
    /// A key of the field of a column, such as `default`.
    case option(String, Int, String)
    /// An index of a table.
    case index(String, String)
    /// A check of a table.
    case check(String, Int)
    /// A relation of the entity of a table, by its origin.
    case relation(String, String)
    /// The name of a relation.
    case relationName(String, String)
    /// The name of the set.
    case setName

    /// The part that is given up if this one has been given up already; `nil` for the last resort.
    var fallback: SchemaPart? {
        switch self {
        case .entityName(let table): .table(table)
        case .fieldName(let table, let column): .column(table, column)
        case .rule(let table, let column): .reference(table, column)
        case .reference(let table, let column): .column(table, column)
        case .relationName(let table, let origin): .relation(table, origin)
        case .table, .column, .option, .index, .check, .relation, .setName: nil
        }
    }
}
