package import StoredSchema

/// A field that marked the deleted records of a table and, in the declared schema, no longer does.
///
/// Deleted records would come back, so that a store fails to migrate as long as there are any.
package struct ForgottenDeletion: Sendable {
    /// The table as it is stored.
    package let stored: StoredTable
    /// The index of the field in the stored table.
    package let index: Int
    /// The names under which documents may contain each field of the table.
    package let names: [[String]]
    /// The values of the fields that documents may lack, by field index.
    package let missing: [Int: StoredValue]

    /// The stored name of the table.
    package var table: String { stored.name }
    /// The stored name of the field.
    package var field: String { stored.fields[index].name }
    /// The column of the field.
    package var column: String { stored.fields[index].columns.first ?? field }

    /// The change as a clause.
    var words: String { "the field '\(field)' of '\(table)' no longer marks deleted records" }

    /// Throws if there are deleted records.
    ///
    /// - Parameters:
    ///   - count: the number of deleted records.
    ///   - store: the kind of store.
    /// - Throws: `schemaMismatch`.
    package func require(noneOf count: Int, in store: String) throws {
        guard count > 0 else { return }
        throw CRUDRepositoryError.schemaMismatch(
            store: store,
            differences: [
                "\(words), and \(count == 1 ? "one record is" : "\(count) records are") deleted: restore or purge what is deleted with a program of the earlier version first"
            ])
    }
}

extension SchemaOpening {
    /// Notes a field that no longer marks deleted records.
    ///
    /// - Parameters:
    ///   - declared: the declared name of the table.
    ///   - tables: the comparison that found the difference.
    mutating func forgetDeletion(of declared: String, _ tables: TableComparison) {
        guard let old = tables.pairs.first(where: { $0.new.name == declared })?.old,
            let table = migration?.table(old.name), let name = table.stored.deletion,
            let index = table.stored.fields.firstIndex(where: {
                String.isSameIdentifier($0.name, name)
            })
        else { return }
        let (names, missing) = reading(table)
        forgottenDeletions.append(
            ForgottenDeletion(stored: table.stored, index: index, names: names, missing: missing))
    }
}
