/// The kind of a change between two schemas. Its raw value is stable: programs and files may
/// contain it.
package enum SchemaChangeCode: String, Sendable, Hashable, CaseIterable {
    /// A table is new.
    case tableAdded = "table-added"
    /// A stored table is no longer declared.
    case tableRemoved = "table-removed"
    /// A table has another name.
    case tableRenamed = "table-renamed"
    /// A function of a version converts the records of a table, or of several tables together.
    case tableMigrated = "table-migrated"
    /// A table that another set shares has changed.
    case tableShared = "table-shared"
    /// The fields that form the id have changed, or their order.
    case idChanged = "id-changed"
    /// A field is new, and optional or with a constant default.
    case fieldAdded = "field-added"
    /// A field is new, required and without a constant default.
    case requiredFieldAdded = "required-field-added"
    /// A stored field is no longer declared.
    case fieldRemoved = "field-removed"
    /// A field has another name.
    case fieldRenamed = "field-renamed"
    /// A column has another name.
    case columnRenamed = "column-renamed"
    /// A column has the earlier name of another stored column.
    case columnTaken = "column-taken"
    /// The columns of a field have another representation.
    case columnTypeChanged = "column-type-changed"
    /// The type has changed, so that stored values may not be readable.
    case typeChanged = "type-changed"
    /// The integer type has become wider.
    case typeWidened = "type-widened"
    /// An optional field or member has become required.
    case becameRequired = "became-required"
    /// A required field has become optional.
    case becameOptional = "became-optional"
    /// The constant default has changed.
    case defaultChanged = "default-changed"
    /// The rules for the values of a field have changed.
    case rulesChanged = "rules-changed"
    /// A field ignores case, or no longer does.
    case foldingChanged = "folding-changed"
    /// A field has become a reference.
    case referenceAdded = "reference-added"
    /// A field is no longer an enforced reference.
    case referenceRemoved = "reference-removed"
    /// A reference refers to another table.
    case referenceChanged = "reference-changed"
    /// The delete rule of a reference has changed.
    case deleteRuleChanged = "delete-rule-changed"
    /// The cases of an enum have changed, and all stored cases are still declared.
    case casesChanged = "cases-changed"
    /// A stored case of an enum is no longer declared.
    case caseRemoved = "case-removed"
    /// A member of an embedded value is new, required and without a constant default.
    case requiredMemberAdded = "required-member-added"
    /// A stored member of an embedded value is no longer declared.
    case memberRemoved = "member-removed"
    /// The members of an embedded value have changed, and stored values are still readable.
    case membersChanged = "members-changed"
    /// An index is new, or its declaration has changed.
    case indexAdded = "index-added"
    /// An index is no longer declared, or its declaration has changed.
    case indexRemoved = "index-removed"
    /// The checks of a table have changed.
    case checksChanged = "checks-changed"
    /// The records are stored in another format.
    case formatChanged = "format-changed"
    /// Another field counts the updates of a record.
    case versionFieldChanged = "version-field-changed"
    /// A field marks deleted records, which stay stored.
    case softDeleteAdded = "soft-delete-added"
    /// A field no longer marks deleted records, so that they would come back.
    case softDeleteRemoved = "soft-delete-removed"
    /// Stored records contain fields under names that the program does not look for.
    case recordsOutdated = "records-outdated"
    /// The data had the declared schema before and has changed since.
    case newerProgram = "newer-program"
}
