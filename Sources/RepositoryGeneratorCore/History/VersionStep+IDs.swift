internal import RepositorySchema
internal import StoredSchema

/// The ids that change in a version.
extension VersionStep {
    /// Whether records get ids that only a function knows, or that cannot be computed from a
    /// reference alone. References to them follow the records.
    func getsOtherIDs(_ entity: EntityStep) -> Bool {
        guard let oldEntity = entity.oldEntity else { return false }
        if entity.isMigratedByCode(to: number) {
            return !ShapeDescriber(scope: old).shape(ofIDOf: oldEntity)
                .hasSameValues(as: ShapeDescriber(scope: new).shape(ofIDOf: entity.entity))
        }
        switch (oldEntity.identity, entity.entity.identity) {
        case (.single, .single(let id)):
            guard let convert = id.convert, counts(convert.version),
                case .code = convert.method
            else { return false }
            return true
        case (.composite, .composite):
            return new.identityFields(of: entity.entity).contains { component in
                component.convert.map { counts($0.version) } ?? false
            }
        case (.single, .composite), (.composite, .single): return false
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
