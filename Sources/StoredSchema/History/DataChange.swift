/// A change that a version makes to stored data, and that comparing the schemas alone does not
/// tell: a decision, or a step that later steps depend on.
///
/// The changes of a version apply in their order, and a path has the names that are in use at that
/// point: first tables are renamed, then fields and members, then everything else follows.
package enum DataChange: Sendable, Hashable {
    /// A table has another name.
    case renameTable(from: String, to: String)
    /// A table is dropped with its records.
    case removeTable(String)
    /// The value has another name.
    case rename(DataPath, to: String)
    /// The value is dropped.
    case remove(DataPath)
    /// The value is new. Stored records get the constant: null, the default or the fill.
    case add(DataPath, StoredShape, isOptional: Bool, value: StoredConstant)
    /// The value is new. A function supplies it.
    case addByCode(DataPath, StoredShape, isOptional: Bool, function: String)
    /// The value is required from now on. Stored nulls become the constant.
    case require(DataPath, value: StoredConstant)
    /// The value is required from now on. A function supplies the value of stored nulls.
    case requireByCode(DataPath, function: String)
    /// The type has changed. Each stored value becomes the same value in the new type;
    /// `otherwise` replaces values that do not fit, or else the migration fails. `cases` are those
    /// of an enum as the new type, which other values do not fit.
    case convert(
        DataPath, StoredShape, isOptional: Bool, cases: [String]? = nil,
        otherwise: StoredConstant? = nil)
    /// The type has changed. A function converts the values.
    case convertByCode(DataPath, StoredShape, isOptional: Bool, function: String)
    /// Cases of an enum have other raw values, or other cases replace them, all at once. The texts
    /// are those of ``StoredField/cases``.
    case replaceCases(DataPath, [String: String])
    /// The value is an id of the table, whose records get other ids in this version. Each stored id
    /// becomes the new id of the same record. An id of no record becomes null if the value is
    /// optional, or else the migration fails.
    case followID(DataPath, StoredShape, isOptional: Bool, of: String)
    /// The id of the table consists of other fields.
    case changeKey(String, to: [String])
    /// A function converts whole records of a table to these fields, or drops them.
    case records(String, fields: [StoredField], function: String)
    /// A function migrates several tables together. Each gets the new description.
    case tables([String], new: [StoredTable], function: String)
}

extension DataChange {
    /// The name of the function that the change calls; nil if it calls none.
    package var function: String? {
        switch self {
        case .addByCode(_, _, _, let function), .requireByCode(_, let function),
            .convertByCode(_, _, _, let function), .records(_, _, let function),
            .tables(_, _, let function):
            function
        case .renameTable, .removeTable, .rename, .remove, .add, .require, .convert, .replaceCases,
            .followID, .changeKey:
            nil
        }
    }

    /// The place that the change concerns; nil for changes of whole tables.
    package var path: DataPath? {
        switch self {
        case .rename(let path, _), .remove(let path), .add(let path, _, _, _),
            .addByCode(let path, _, _, _), .require(let path, _), .requireByCode(let path, _),
            .convert(let path, _, _, _, _), .convertByCode(let path, _, _, _),
            .replaceCases(let path, _), .followID(let path, _, _, _):
            path
        case .renameTable, .removeTable, .changeKey, .records, .tables: nil
        }
    }

    /// Whether it drops stored values.
    package var dropsData: Bool {
        switch self {
        case .remove, .removeTable: true
        default: false
        }
    }
}
