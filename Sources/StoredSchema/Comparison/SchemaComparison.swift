/// The result of comparing the stored schema with the declared schema.
///
/// | Difference | Result |
/// |---|---|
/// | new table; new field that is optional or has a constant default | compatible |
/// | table or field renamed as in `renamedFrom` | compatible |
/// | field with another column name | compatible: the column is renamed |
/// | index added, dropped or changed, or its condition changed | compatible; see below |
/// | required field that became optional; wider integer type | compatible |
/// | other rules (`minimum`, `pattern` …), even stricter | compatible: reading never validates |
/// | check added, dropped or changed | compatible: reading never tests checks |
/// | other `onDelete`; reference no longer enforced | compatible |
/// | other constant default, field order or version field | compatible |
/// | new enum case | compatible |
/// | text that ignores case, or no longer does | compatible |
/// | stored table or field that is not declared | mismatch: its values would be lost |
/// | new field that is neither optional nor has a constant default | mismatch |
/// | stored enum case that is not declared | mismatch: records may contain it |
/// | other type, scale or id; optional field that became required | mismatch |
/// | new reference, or reference to another table | mismatch: stored ids may have no target |
///
/// Building a new unique index fails if stored records have duplicate values.
///
/// Data may return to an earlier schema: adding and dropping an index restores the previous one.
/// The history of schemas therefore does not affect the result. It only serves to report, in case
/// of a mismatch, that a newer program wrote the data.
package enum SchemaComparison: Sendable, Hashable {
    /// How a store stores records, which determines how fields are identified.
    package enum Form: Sendable, Hashable {
        /// Documents: a field is identified by its name.
        case documents
        /// Tables with columns: a field is identified by its name or by its column.
        case columns
        /// Tables with columns, in which a field that ignores case has another column with its
        /// folded text.
        case foldedColumns

        /// Whether tables have columns.
        package var hasColumns: Bool { self != .documents }
    }

    /// The stored schema equals the declared one.
    case identical
    /// The data is compatible after these steps, in this order. There may be none.
    case upgrade([SchemaStep])
    /// The data is incompatible, with all differences.
    case mismatch([SchemaDifference])

    /// Compares the stored schema with the declared one.
    ///
    /// - Parameters:
    ///   - stored: the description stored with the data.
    ///   - declared: the schema of the program.
    ///   - form: how the store stores records.
    package static func compare(
        stored: SchemaDescription, declared: DeclaredSchema, form: Form
    ) -> SchemaComparison {
        // Fingerprints do not include what was not recorded from the beginning.
        if stored.fingerprint == declared.fingerprint,
            stored.hasSameDetails(as: SchemaDescription(declared))
        {
            return .identical
        }
        var tables = TableComparison(stored: stored, declared: declared, form: form)
        tables.run()
        if !tables.differences.isEmpty {
            let isNewer = stored.history.contains(declared.fingerprint)
            return .mismatch((isNewer ? [.newerProgram] : []) + tables.differences)
        }
        return .upgrade(tables.steps.stablySorted())
    }
}

extension [SchemaStep] {
    /// Returns the steps sorted by rank. Steps of equal rank keep their order; the standard library
    /// does not guarantee a stable sort.
    package func stablySorted() -> [SchemaStep] {
        enumerated()
            .sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }
            .map(\.element)
    }
}
