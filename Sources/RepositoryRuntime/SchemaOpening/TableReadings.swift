package import StoredSchema

/// How the documents of a table represent a field that was written under an earlier schema.
///
/// A document contains no schema version. It may contain a field under an earlier name, and may
/// lack a field that was added later. The store description records this for each table, so that
/// renaming a field or adding a field with a default does not rewrite documents.
package struct StoredReading: Sendable, Hashable, Codable {
    /// The current name of the field.
    package var field: String
    /// The earlier names under which documents may contain the field, newest first.
    package var names: [String]?
    /// Whether documents may lack the field because they were written before it was added.
    package var mayLack: Bool?
    /// The value of the field in documents that lack it; nil means null.
    package var value: StoredConstant?
    /// Whether the value is a fill that differs from the default.
    package var isFill: Bool?
}

/// How to read the fields of a table's documents, in the order of the table's layout.
package struct EarlierFields: Sendable, Hashable {
    /// How to read one field.
    package struct Field: Sendable, Hashable {
        /// The names under which documents contain the field, newest first; empty if the field is
        /// new.
        package var names: [String]
        /// The value in a document that lacks the field; nil means null.
        package var value: StoredConstant?
        /// Whether a document may lack the field.
        package var mayLack: Bool
    }

    /// The fields.
    package var fields: [Field]
}

/// Tracks how documents represent the fields of a table from one schema to the next, and decides
/// whether the generated mapper reads them correctly.
///
/// The mapper looks for a field under its name, then under the names in `renamedFrom`, and
/// otherwise uses the declared default, or the fill with which a version added the field
/// (``FillReadings``). The documents must be rewritten if that differs from the description. There
/// are four cases: an earlier name is now used for another field, an earlier name is no longer
/// declared, the default or fill differs from the one in force when the documents were written, or
/// the name of a removed field is used again.
///
/// Example: the field `name` was renamed to `title` in an earlier schema. The readings of the table
/// then contain `title` with the name `name`, and the mapper finds old values because `title`
/// declares `renamedFrom: name`. If a later schema drops that declaration, the mapper would no
/// longer find them, so opening the store rewrites the documents.
struct TableReadings {
    /// How documents are represented after this schema was opened, unless they are rewritten.
    let after: [StoredReading]
    /// The names of removed fields that documents may contain, sorted; nil if there are none.
    let removedNames: [String]?
    /// How to read the current documents.
    let fields: EarlierFields
    /// Whether the mapper would read some documents incorrectly.
    let mustRewrite: Bool

    /// Derives the readings of a table.
    ///
    /// A field without a stored match is new, so existing documents lack it. For any other field,
    /// the previous readings are carried over to its current name.
    ///
    /// - Parameters:
    ///   - table: the declared table.
    ///   - new: the description of the declared table.
    ///   - described: the stored table.
    ///   - matches: the stored field for each declared field.
    ///   - changed: the stored table with the changes of versions; nil if there are none.
    init(
        _ table: EntityTable, _ new: StoredTable, _ described: DescribedTable,
        _ matches: [StoredField?], after changed: SchemaMigration.Table? = nil
    ) {
        let before = described.readings ?? []
        var after: [StoredReading] = []
        var fields: [EarlierFields.Field] = []
        for (index, field) in new.fields.enumerated() {
            guard matches.indices.contains(index), let old = matches[index] else {
                var value = field.defaultValue
                if let fill = changed?.constants[field.name] { value = fill == .null ? nil : fill }
                let isFill = value != field.defaultValue && table.takes(value, at: field.name)
                after.append(
                    StoredReading(
                        field: field.name, mayLack: true, value: value,
                        isFill: isFill ? true : nil))
                fields.append(.init(names: [], value: value, mayLack: true))
                continue
            }
            let known = before.first { String.isSameIdentifier($0.field, old.name) }
            let names = [old.name] + (known?.names ?? [])
            let isOptional = old.isOptional && old.defaultValue == nil
            let mayLack = known?.mayLack == true || isOptional
            fields.append(.init(names: names, value: known?.value, mayLack: mayLack))
            let earlier = names.filter { !String.isSameIdentifier($0, field.name) }
            if earlier.isEmpty, known?.mayLack != true { continue }
            after.append(
                StoredReading(
                    field: field.name, names: earlier.isEmpty ? nil : earlier,
                    mayLack: known?.mayLack, value: known?.value,
                    isFill: old.defaultValue == field.defaultValue ? known?.isFill : nil))
        }
        self.after = after
        self.fields = EarlierFields(fields: fields)
        let removed = (changed?.removedFields ?? []).flatMap { name in
            [name] + (before.first { String.isSameIdentifier($0.field, name) }?.names ?? [])
        }
        let names = Set(removed).union(described.removedNames ?? [])
        removedNames = names.isEmpty ? nil : names.sorted(by: UTF8Order.precedes)
        mustRewrite =
            Self.mustRewrite(table, new, after)
            || names.contains { table.layout.indexByKey[$0] != nil }
    }

    /// Returns whether the mapper would read some documents incorrectly.
    private static func mustRewrite(
        _ table: EntityTable, _ new: StoredTable, _ readings: [StoredReading]
    ) -> Bool {
        let layout = table.layout
        return readings.contains { reading in
            guard let index = layout.indexByKey[reading.field] else { return false }
            // Each earlier name must lead the mapper to this field and to no other.
            let isMisread = (reading.names ?? []).contains { layout.indexByKey[$0] != index }
            let isOther =
                reading.mayLack == true && reading.isFill != true
                && reading.value != new.field(reading.field)?.defaultValue
            return isMisread || isOther
        }
    }
}

extension EntityTable {
    /// Returns whether documents that lack a field can be read as having a value: whether the field
    /// is required, because documents may lack an optional field that is null, and the value
    /// satisfies the rules of the field, and no check of the table contains the field.
    fileprivate func takes(_ value: StoredConstant?, at name: String) -> Bool {
        guard let value,
            let index = layout.fields.firstIndex(where: { String.isSameIdentifier($0.name, name) }),
            !layout.fields[index].isOptional,
            !checks.contains(where: { $0.condition.fields.contains(index) })
        else { return false }
        let rules = fields[index].rules
        return StoredValue(value).violation(of: rules, rules.pattern.map { TextPattern($0) }) == nil
    }
}
