internal import RepositorySchema
internal import StoredSchema

/// The ids that change in a version.
extension VersionStep {
    /// Whether records get ids that only a function knows, or that cannot be computed from a
    /// reference alone. References to them follow the records.
    func getsOtherIDs(_ entity: EntityStep) -> Bool {
        guard let oldEntity = entity.oldEntity else { return false }
        if isMigratedByCode(entity) {
            return replacesCases(ofIDOf: entity)
                || !ShapeDescriber(scope: old).shape(ofIDOf: oldEntity)
                    .hasSameValues(as: ShapeDescriber(scope: new).shape(ofIDOf: entity.entity))
        }
        switch (oldEntity.identity, entity.entity.identity) {
        case (.single(let oldID), .single(let id)):
            return conversion(of: id, oldID)?.method == .code
        case (.composite, .composite):
            return components(of: entity).contains { conversion(of: $1, $0) != nil }
        case (.single, .composite), (.composite, .single): return false
        }
    }

    /// Whether ids of an entity are or contain an enum of which cases are replaced.
    func replacesCases(ofIDOf entity: EntityStep) -> Bool {
        components(of: entity).contains { before, after in
            guard let values = values(from: before.type.value, to: after.type.value),
                let name = values.new.innermostName, let oldName = values.old.innermostName
            else { return false }
            if let target = self.entity(name) {
                return target.oldEntity?.header.name.value == oldName
                    && replacesCases(ofIDOf: target)
            }
            return !casesOfEnums.replacements(from: oldName, to: name).isEmpty
        }
    }

    /// The types of the values that two types store: a reference stores an id, which can be a
    /// reference itself. They end at an entity whose id is composite.
    ///
    /// - Returns: nil if the values are not the same ids any more, or a decision converts them.
    func values(
        from old: TypeExpression, to new: TypeExpression
    ) -> (old: TypeExpression, new: TypeExpression)? {
        var values = (old: old, new: new)
        while let name = values.new.innermostName, let entity = entity(name),
            case .single(let id) = entity.entity.identity
        {
            guard let oldEntity = entity.oldEntity,
                oldEntity.header.name.value == values.old.innermostName,
                case .single(let oldID) = oldEntity.identity,
                !isMigratedByCode(entity), conversion(of: id, oldID) == nil
            else { return nil }
            values = (oldID.type.value, id.type.value)
        }
        return values
    }

    /// The fields of the id of an entity that both versions have, in the order of the later one.
    func components(
        of entity: EntityStep
    ) -> [(old: FieldDeclaration, new: FieldDeclaration)] {
        guard let oldEntity = entity.oldEntity else { return [] }
        if case (.single(let oldID), .single(let id)) = (oldEntity.identity, entity.entity.identity)
        {
            return [(oldID, id)]
        }
        let before = ShapeDescriber(scope: old).shape(ofIDOf: oldEntity)
        let after = ShapeDescriber(scope: new).shape(ofIDOf: entity.entity)
        guard case (.composite(let before), .composite(let after)) = (before, after) else {
            return []
        }
        let oldFields = old.identityFields(of: oldEntity)
        return zip(new.identityFields(of: entity.entity), after).compactMap { field, member in
            let names = [member.name] + member.renamedFrom.names
            let index = before.firstIndex { names.contains($0.name) }
            return index.flatMap { oldFields.indices.contains($0) ? (oldFields[$0], field) : nil }
        }
    }

    /// Whether a decision is for this version.
    func counts(_ version: Located<Int>?) -> Bool {
        version.map { $0.value == number } ?? true
    }
}

extension ShapeDescriber {
    /// Returns the stored type of references to an entity.
    fileprivate func shape(ofIDOf entity: EntityDeclaration) -> StoredShape {
        shape(of: .named(entity.header.name.value))
    }
}

extension StoredShape {
    /// Whether two types of ids have the same values: the same type, or components with the same
    /// names and types.
    fileprivate func hasSameValues(as other: StoredShape) -> Bool {
        guard case (.composite(let own), .composite(let others)) = (self, other) else {
            return self == other
        }
        return own.elementsEqual(others) {
            UTF8Order.areEqual($0.name, $1.name) && $0.type == $1.type
        }
    }
}
