/// What is to be done so that a store fits the declared schema.
///
/// | difference | verdict |
/// |---|---|
/// | a new table; a new field that is optional or has a constant default | harmless |
/// | a table or field renamed as `renamedFrom` says | harmless |
/// | a column of the same field with another name | harmless: it is renamed |
/// | a new, dropped or changed index, another condition of one | harmless; a new unique one can still fail when it is built |
/// | a required field that became optional, a wider integer type | harmless |
/// | other rules (`minimum`, `pattern` …), tighter ones too | harmless: reading never validates |
/// | a new, dropped or changed check | harmless for the same reason |
/// | another `onDelete`, a reference that is no longer kept | harmless |
/// | another constant default, another order, the optimistic lock | harmless |
/// | a table or field that is stored and not declared | mismatch: its values would be lost |
/// | a new field that is neither optional nor has a constant default | mismatch |
/// | a new case of an enum | harmless |
/// | a stored case of an enum that is not declared | mismatch: records may hold it |
/// | another type or scale, another id, an optional field that became required | mismatch |
/// | a reference where there was none, or to another table | mismatch: stored ids may refer to nothing |
///
/// Data may return to a schema that it has been through: an index that was added and dropped again
/// leaves the same schema as before. So the schemas that the data has been through decide nothing;
/// where a comparison ends in a mismatch, they tell that a newer program wrote the data.
public enum SchemaComparison: Sendable, Hashable {
    /// How records are kept, which decides what their fields are known by.
    public enum Form: Sendable, Hashable {
        /// Documents: a field is known by its name.
        case documents
        /// Tables with columns: a field is known by its name, or by its column.
        case columns
    }

    /// The data is what is declared.
    case identical
    /// The data fits after these steps, which are harmless, in this order. There may be none.
    case upgrade([SchemaStep])
    /// The data does not fit; every difference in words.
    case mismatch([String])

    /// Compares what a store holds with what the program declares.
    ///
    /// - Parameters:
    ///   - stored: the description found beside the data.
    ///   - declared: the program's schema.
    ///   - form: how the store keeps records.
    public static func compare(
        stored: StoredSchema, declared: StoreSchema, form: Form
    ) -> SchemaComparison {
        let target = StoredSchema(declared, form: form)
        // The cases of enums are no part of fingerprints.
        if stored.fingerprint == target.fingerprint, stored.hasSameCases(as: target) {
            return .identical
        }
        var tables = TableComparison(stored: stored, declared: declared, target: target, form: form)
        tables.run()
        if !tables.differences.isEmpty {
            let isNewer = stored.history.contains(target.fingerprint)
            return .mismatch((isNewer ? [newerProgram] : []) + tables.differences)
        }
        return .upgrade(tables.steps.stablySorted())
    }

    /// The first difference of data that has been through the declared schema and has changed since.
    static let newerProgram =
        "it was written by a newer program: the data has been through the schema of this program and has changed since"

    /// The steps that make a store fit; none where it does.
    ///
    /// - Parameter store: the kind of store, for the message.
    /// - Throws: `schemaMismatch` with every difference.
    public func steps(for store: String) throws -> [SchemaStep] {
        switch self {
        case .identical: []
        case .upgrade(let steps): steps
        case .mismatch(let differences):
            throw CRUDRepositoryError.schemaMismatch(store: store, differences: differences)
        }
    }
}

extension [SchemaStep] {
    /// Sorted by rank, equal ranks in the order they were found in; the standard sort does not
    /// promise that.
    func stablySorted() -> [SchemaStep] {
        enumerated()
            .sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }
            .map(\.element)
    }
}
