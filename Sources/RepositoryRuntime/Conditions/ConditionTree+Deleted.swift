extension ConditionTree {
    /// The condition that a record is not deleted.
    ///
    /// - Parameter path: the field that is null unless the record is deleted.
    static func isPresent(_ path: FieldPath) -> ConditionTree { .compare(path, .equal, .null) }

    /// Returns the condition on the records of an entity that are not deleted, and on related
    /// records that are not deleted.
    ///
    /// - Parameter path: the field that is null unless the record is deleted; nil if deleted
    ///   records are removed.
    func hidingDeleted(_ path: FieldPath?) -> ConditionTree {
        let hidden = hidingDeletedRelatives
        guard let path else { return hidden }
        return ConditionJoining(isAll: true).join(.isPresent(path), hidden)
    }

    /// The condition with related records that are not deleted.
    private var hidingDeletedRelatives: ConditionTree {
        switch self {
        case .related(let related):
            .related(
                RelatedCondition(
                    related.link.hidingDeleted,
                    related.condition.hidingDeleted(related.link.target.deletionPath),
                    minimum: related.minimum, distinct: related.distinct))
        case .not(let condition): .not(condition.hidingDeletedRelatives)
        case .all(let conditions): .all(conditions.map(\.hidingDeletedRelatives))
        case .any(let conditions): .any(conditions.map(\.hidingDeletedRelatives))
        case .constant, .compare, .compareFields, .isIn, .text, .hasElement, .invalid: self
        }
    }
}

extension RecordLink {
    /// The link to records that are not deleted.
    var hidingDeleted: RecordLink {
        guard target.deletionPath != nil else { return self }
        var link = self
        link.hidesDeleted = true
        return link
    }

    /// The field that is null unless a record that the link must not find is deleted; nil if the
    /// link finds all records.
    package var hiddenPath: FieldPath? { hidesDeleted ? target.deletionPath : nil }

    /// Returns a condition on the target with the condition that the link finds the record.
    func found(_ condition: ConditionTree?) -> ConditionTree {
        let condition = condition ?? .constant(true)
        guard let path = hiddenPath else { return condition }
        return ConditionJoining(isAll: true).join(.isPresent(path), condition)
    }
}

extension RelatedValue {
    /// The value that only records determine that are not deleted.
    var hidingDeleted: RelatedValue {
        switch self {
        case .field: self
        case .count(let link, let join): .count(link.hidingDeleted, through: join?.hidingDeleted)
        case .behind(let link, let value): .behind(link.hidingDeleted, value.hidingDeleted)
        }
    }
}
