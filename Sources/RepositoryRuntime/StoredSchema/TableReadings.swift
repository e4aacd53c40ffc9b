/// How a record of documents holds one field that an earlier schema wrote otherwise.
///
/// A document carries no version. It may hold a field under an earlier name, and may lack a field that
/// it was written without. The description keeps this for each table, so that a rename and a new field
/// with a default rewrite nothing.
package struct StoredReading: Sendable, Hashable, Codable {
    /// The present name of the field.
    package var field: String
    /// The earlier names under which records may hold the field, newest first.
    package var names: [String]?
    /// Whether records may lack the field because they were written without it.
    package var mayLack: Bool?
    /// The value of the field in the records that lack it; nil is null.
    package var value: StoredConstant?
}

/// How the fields of the records of one table are to be read, in the order of the table's layout.
package struct EarlierFields: Sendable, Hashable {
    /// One field.
    package struct Field: Sendable, Hashable {
        /// The names under which records hold it, newest first; none if it is new.
        package var names: [String]
        /// The value where a record lacks it; nil is null.
        package var value: StoredConstant?
        /// Whether a record may lack it.
        package var mayLack: Bool
    }

    /// The fields.
    package var fields: [Field]
}

/// Follows how records hold the fields of a table from one schema to the next, and decides whether the
/// generated mapper reads them right.
///
/// The mapper looks for a field under its name, then under the names of `renamedFrom`, and takes the
/// declared default where there is none. Records must be rewritten where that differs from what the
/// description says: an earlier name is used for another field, is no longer declared, or the default is
/// another one than that in force when the records were written.
struct TableReadings {
    /// How records are read after this schema was opened, unless they are rewritten.
    let after: [StoredReading]
    /// How records are read now.
    let fields: EarlierFields
    /// Whether the mapper would read some record wrong.
    let mustRewrite: Bool

    /// - Parameters:
    ///   - table: the declared table.
    ///   - new: the same as it is described.
    ///   - described: the stored table.
    ///   - matches: the stored field of each declared one.
    init(
        _ table: EntityTable, _ new: StoredTable, _ described: DescribedTable,
        _ matches: [StoredField?]
    ) {
        let before = described.readings ?? Self.assumed(table, described.table, matches)
        var after: [StoredReading] = []
        var fields: [EarlierFields.Field] = []
        for (index, field) in new.fields.enumerated() {
            guard matches.indices.contains(index), let old = matches[index] else {
                after.append(
                    StoredReading(field: field.name, mayLack: true, value: field.defaultValue))
                fields.append(.init(names: [], value: field.defaultValue, mayLack: true))
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
                    mayLack: known?.mayLack, value: known?.value))
        }
        self.after = after
        self.fields = EarlierFields(fields: fields)
        mustRewrite = Self.mustRewrite(table, new, after)
    }

    /// What is assumed of records that a program wrote which did not keep readings: any field with a
    /// default may be missing, and any field may have each of the names that are declared.
    private static func assumed(
        _ table: EntityTable, _ stored: StoredTable, _ matches: [StoredField?]
    ) -> [StoredReading] {
        zip(table.layout.fields, matches).compactMap { field, match in
            guard let old = match else { return nil }
            let names = field.renamedFrom.filter { name in stored.field(name) == nil }
            if names.isEmpty, old.defaultValue == nil { return nil }
            return StoredReading(
                field: old.name, names: names.isEmpty ? nil : names,
                mayLack: old.defaultValue == nil ? nil : true, value: old.defaultValue)
        }
    }

    private static func mustRewrite(
        _ table: EntityTable, _ new: StoredTable, _ readings: [StoredReading]
    ) -> Bool {
        let layout = table.layout
        return readings.contains { reading in
            guard let index = layout.indexByKey[reading.field] else { return false }
            // Each earlier name leads the mapper to this field and to no other.
            let isMisread = (reading.names ?? []).contains { layout.indexByKey[$0] != index }
            let isOther =
                reading.mayLack == true && reading.value != new.field(reading.field)?.defaultValue
            return isMisread || isOther
        }
    }
}
