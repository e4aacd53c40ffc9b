extension SchemaChange {
    /// The change as a sentence without a final period. It names the declaration and the part.
    package var sentence: String {
        switch code {
        case .tableAdded, .typeAdded: "\(label) is new"
        case .tableRemoved, .typeRemoved: "\(label) is no longer declared"
        case .tableRenamed: "the table of \(label) \(isWas)"
        case .tableMigrated:
            if case .entities(let names) = detail {
                names.count == 1
                    ? "all records of the entity \(detail.newText) are migrated by one call of a function"
                    : "the entities \(detail.newText) are migrated together by code"
            } else {
                "the records of \(label) are migrated by code"
            }
        case .manageChanged: "'manage' of \(label) \(isWas)"
        case .readOnlyChanged: "'readOnly' of \(label) \(isWas)"
        case .distributionChanged:
            new.isEmpty
                ? "\(label) is no longer distributed, was by \(old)"
                : "'distribute' of \(label) \(isWas)"
        case .typeRenamed: "\(label) was named \(old)"
        case .scalarChanged: "the stored type of \(label) \(isWas)"
        case .rawTypeChanged: "the raw type of \(label) \(isWas)"
        case .unknownCaseAdded: "\(label) has an unknown case, '\(name)'"
        case .unknownCaseRemoved: "\(label) no longer has its unknown case, '\(name)'"
        case .fieldsReordered: "the fields of \(owner) are in another order"
        case .casesReordered: "the cases of \(label) are in another order"
        case .idChanged:
            if case .identity = detail {
                "the id of \(label) \(isWas)"
            } else {
                "the type of \(part) \(isWas)"
            }
        default: "\(part) \(words)"
        }
    }

    /// The sentence after the name of a part.
    private var words: String {
        switch code {
        case .fieldAdded, .requiredFieldAdded, .memberAdded, .requiredMemberAdded, .caseAdded,
            .openCaseAdded, .unionCaseAdded, .indexAdded, .uniqueIndexAdded, .checkAdded:
            "is new"
        case .fieldRemoved, .memberRemoved, .unionCaseRemoved, .indexRemoved, .uniqueIndexRemoved,
            .checkRemoved:
            "is no longer declared"
        case .caseRemoved:
            new.isEmpty ? "is no longer declared" : "is no longer declared: \(new) replaces it"
        case .fieldRenamed, .memberRenamed, .caseRenamed, .indexRenamed: "was named \(old)"
        case .nameReused: "has the name of removed data"
        case .columnRenamed: has("column")
        case .columnTypeChanged: has("representation")
        case .encryptionChanged: new.isEmpty ? "is no longer encrypted" : "is encrypted"
        case .typeChanged, .typeWidened, .swiftTypeChanged: "is of the type \(newWas)"
        case .becameRequired: "is required, was optional"
        case .becameOptional: "is optional, was required"
        case .defaultChanged: has("default")
        case .rulesLoosened, .rulesTightened, .rulesChanged: has("rules")
        case .foldingChanged: new.isEmpty ? "no longer ignores case" : "ignores case"
        case .versionFieldChanged:
            new.isEmpty ? "no longer counts updates" : "counts the updates of its record"
        case .creationDateChanged:
            new.isEmpty ? "is no longer set by the creation" : "is set to the date of the creation"
        case .updateDateChanged:
            new.isEmpty ? "is no longer set by updates" : "is set to the date of each update"
        case .computedChanged:
            new.isEmpty ? "is written like other fields" : "is only read from the database"
        case .softDeleteAdded: "marks deleted records, which stay stored"
        case .softDeleteRemoved: "no longer marks deleted records"
        case .sensitiveChanged: new.isEmpty ? "is no longer sensitive" : "is sensitive"
        case .referenceAdded: "refers to \(new)"
        case .referenceRemoved: "no longer refers to \(old)"
        case .referenceChanged: "refers to \(newWas)"
        case .deleteRuleChanged: has("delete rule")
        case .rawValueChanged: has("raw value")
        case .checkChanged: "has another condition"
        case .tableAdded, .tableRemoved, .tableRenamed, .tableMigrated, .manageChanged,
            .readOnlyChanged, .distributionChanged, .typeAdded, .typeRemoved, .typeRenamed,
            .scalarChanged, .idChanged,
            .rawTypeChanged,
            .unknownCaseAdded, .unknownCaseRemoved, .fieldsReordered, .casesReordered:
            "has changed"
        }
    }

    /// The owner of the part: the declaration, or a case of a union.
    private var owner: String {
        guard kind == .union, let item = member.first else { return label }
        return "the case '\(item)' of \(label)"
    }

    /// The part with its declaration: `the field 'price' of the entity 'Book'`.
    private var part: String {
        switch code {
        case .caseAdded, .openCaseAdded, .caseRemoved, .caseRenamed, .rawValueChanged,
            .unionCaseAdded, .unionCaseRemoved:
            return "the case '\(name)' of \(label)"
        case .indexAdded, .uniqueIndexAdded, .indexRemoved, .uniqueIndexRemoved, .indexRenamed:
            let isUnique = code == .uniqueIndexAdded || code == .uniqueIndexRemoved
            return "the \(isUnique ? "unique " : "")index '\(name)' of \(label)"
        case .checkAdded, .checkRemoved, .checkChanged: return "the check '\(name)' of \(label)"
        case .nameReused where member.isEmpty: return label
        case .nameReused where kind == .union && member.count == 1:
            return "the case '\(name)' of \(label)"
        default: return "the field '\(name)' of \(owner)"
        }
    }

    private var name: String { member.last ?? declaration }

    private var isWas: String { "is \(newWas)" }

    private func has(_ noun: String) -> String {
        new.isEmpty ? "has no \(noun), was \(old)" : "has the \(noun) \(newWas)"
    }

    /// What is new, and what was before.
    private var newWas: String {
        old.isEmpty ? "\(new), had none" : "\(new), was \(old)"
    }

    /// The old text of the detail; empty for none.
    private var old: String { detail.oldText }

    /// The new text of the detail; empty for none.
    private var new: String { detail.newText }
}
