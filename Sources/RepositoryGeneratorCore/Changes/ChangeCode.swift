/// The kind of a change between two versions of a schema.
///
/// Its raw value is stable: reports contain it. Where the comparison of stored schemas finds the
/// same kind of change, its code is the same; see `SchemaChangeCode`.
package enum ChangeCode: String, Sendable, Hashable, CaseIterable {
    /// An entity is new.
    case tableAdded = "table-added"
    /// An entity is no longer declared.
    case tableRemoved = "table-removed"
    /// The table of an entity has another name.
    case tableRenamed = "table-renamed"
    /// The records of one entity or of several are migrated by a function.
    case tableMigrated = "table-migrated"
    /// A table has become managed or unmanaged.
    case manageChanged = "manage-changed"
    /// The records of an entity are only read, or can be written.
    case readOnlyChanged = "read-only-changed"

    /// A value, union, enum or scalar is new.
    case typeAdded = "type-added"
    /// A value, union, enum or scalar is no longer declared.
    case typeRemoved = "type-removed"
    /// The Swift type of a declaration has another name.
    case typeRenamed = "type-renamed"
    /// A scalar is stored as another base type.
    case scalarChanged = "scalar-changed"

    /// The type or the fields of an id have changed, or their order.
    case idChanged = "id-changed"
    /// A field is new, and optional or with a constant default.
    case fieldAdded = "field-added"
    /// A field is new, required and without a constant default.
    case requiredFieldAdded = "required-field-added"
    /// A field is no longer declared.
    case fieldRemoved = "field-removed"
    /// A field has another name.
    case fieldRenamed = "field-renamed"
    /// The name of a removed field or entity is declared again, for other data.
    case nameReused = "name-reused"
    /// A column has another name.
    case columnRenamed = "column-renamed"
    /// The columns of a field have another representation.
    case columnTypeChanged = "column-type-changed"
    /// SQL stores encrypt a field, or no longer do.
    case encryptionChanged = "encryption-changed"

    /// A field of a value or union case is new, and optional or with a constant default.
    case memberAdded = "member-added"
    /// A field of a value or union case is new, required and without a constant default.
    case requiredMemberAdded = "required-member-added"
    /// A field of a value or union case is no longer declared.
    case memberRemoved = "member-removed"
    /// A field of a value or union case has another name.
    case memberRenamed = "member-renamed"

    /// The type has changed, and stored values must be converted.
    case typeChanged = "type-changed"
    /// The type has become wider: every stored value is a value of the new type.
    case typeWidened = "type-widened"
    /// Another Swift type has the same stored values.
    case swiftTypeChanged = "swift-type-changed"
    /// An optional field has become required.
    case becameRequired = "became-required"
    /// A required field has become optional.
    case becameOptional = "became-optional"
    /// The default has changed.
    case defaultChanged = "default-changed"
    /// The rules for the values of a field have become looser.
    case rulesLoosened = "rules-loosened"
    /// The rules for the values of a field have become stricter, or it has another pattern.
    case rulesTightened = "rules-tightened"
    /// The rules for the values of a field have changed: other values are accepted than before.
    case rulesChanged = "rules-changed"
    /// A text field ignores case, or no longer does.
    case foldingChanged = "folding-changed"
    /// Another field counts the updates of a record.
    case versionFieldChanged = "version-field-changed"
    /// The creation sets the date of a field, or no longer does.
    case creationDateChanged = "creation-date-changed"
    /// Updates set the date of a field, or no longer do.
    case updateDateChanged = "update-date-changed"
    /// A field is only read from its database, or is written as well.
    case computedChanged = "computed-changed"
    /// A field marks deleted records, which stay stored.
    case softDeleteAdded = "soft-delete-added"
    /// A field no longer marks deleted records.
    case softDeleteRemoved = "soft-delete-removed"
    /// Another field decides which machine of a distributed database has a record.
    case distributionChanged = "distribution-changed"
    /// The values of a field have become sensitive, or no longer are.
    case sensitiveChanged = "sensitive-changed"

    /// A field has become a reference that stores check.
    case referenceAdded = "reference-added"
    /// A field is no longer a reference that stores check.
    case referenceRemoved = "reference-removed"
    /// A reference refers to another entity.
    case referenceChanged = "reference-changed"
    /// The delete rule of a reference has changed.
    case deleteRuleChanged = "delete-rule-changed"

    /// A case of an enum is new.
    case caseAdded = "case-added"
    /// A case of an enum that has an unknown case is new.
    case openCaseAdded = "open-case-added"
    /// A stored case of an enum is no longer declared.
    case caseRemoved = "case-removed"
    /// A case of an enum has another name in Swift.
    case caseRenamed = "case-renamed"
    /// A case of an enum has another raw value.
    case rawValueChanged = "raw-value-changed"
    /// An enum has raw values of another type.
    case rawTypeChanged = "raw-type-changed"
    /// An enum accepts unknown raw values.
    case unknownCaseAdded = "unknown-case-added"
    /// An enum no longer accepts unknown raw values.
    case unknownCaseRemoved = "unknown-case-removed"
    /// A case of a union is new.
    case unionCaseAdded = "union-case-added"
    /// A case of a union is no longer declared.
    case unionCaseRemoved = "union-case-removed"

    /// An index is new.
    case indexAdded = "index-added"
    /// A unique index is new.
    case uniqueIndexAdded = "unique-index-added"
    /// An index is no longer declared.
    case indexRemoved = "index-removed"
    /// A unique index is no longer declared.
    case uniqueIndexRemoved = "unique-index-removed"
    /// An index has another name.
    case indexRenamed = "index-renamed"
    /// A check is new.
    case checkAdded = "check-added"
    /// A check is no longer declared.
    case checkRemoved = "check-removed"
    /// The condition of a check has changed.
    case checkChanged = "check-changed"

    /// The fields of a declaration are in another order.
    case fieldsReordered = "fields-reordered"
    /// The cases of an enum or union are in another order.
    case casesReordered = "cases-reordered"
}
