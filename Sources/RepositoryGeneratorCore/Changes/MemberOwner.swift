internal import RepositorySchema

/// A declaration in a version and now, or a case of a union: what the compared fields belong to.
struct MemberOwner {
    /// The kind of the declaration.
    let kind: SchemaChange.Kind
    /// The declaration in the version.
    let earlier: DeclarationHeader
    /// The present declaration.
    let header: DeclarationHeader
    /// The case of a union in which the fields are, with its present place.
    var unionCase: Located<String>?
    /// `removed` of the declaration.
    var removed: [Located<String>] = []
    /// `reuse` of the declaration.
    var reused: [Located<String>] = []
    /// The decision that migrates the whole records.
    var migrate: MigrateDecision?
    /// Whether the table is migrated.
    var isManaged = true

    init(_ kind: SchemaChange.Kind, _ earlier: DeclarationHeader, _ header: DeclarationHeader) {
        self.kind = kind
        self.earlier = earlier
        self.header = header
    }

    /// The owner in a message.
    var label: String {
        let declaration = "the \(kind.rawValue) '\(header.name.value)'"
        return unionCase.map { "the case '\($0.value)' of \(declaration)" } ?? declaration
    }

    /// The declaration under which `removed` and `reuse` are written.
    var declarationLabel: String { "the \(kind.rawValue) '\(header.name.value)'" }

    /// The name of a field in `removed` and `reuse`: `circle.radius` in a union.
    func listed(_ name: String) -> String { unionCase.map { "\($0.value).\(name)" } ?? name }

    /// The place of the owner in the present schema.
    var place: SourceRange { unionCase?.range ?? header.name.range }

    /// Returns a change of the owner as a whole.
    func change(_ code: ChangeCode, _ detail: SchemaChange.Detail = .none) -> SchemaChange {
        var change = SchemaChange(
            code: code, kind: kind, declaration: header.name.value,
            earlierDeclaration: earlier.name.value, range: place, earlier: earlier.name.range,
            place: place)
        change.member = unionCase.map { [$0.value] } ?? []
        change.earlierMember = change.member
        change.detail = detail
        change.isUnmanaged = !isManaged
        return change
    }

    /// Returns a change of a part of the owner.
    ///
    /// - Parameters:
    ///   - old: The name and place in the version; nil if the part is new.
    ///   - new: The name and place in the present schema; nil if the part is gone.
    func change(
        _ code: ChangeCode, from old: Located<String>?, to new: Located<String>?,
        _ detail: SchemaChange.Detail = .none
    ) -> SchemaChange {
        var change = change(code, detail)
        let name = new ?? old
        change.member += name.map { [$0.value] } ?? []
        change.earlierMember = old.map { (unionCase.map { [$0.value] } ?? []) + [$0.value] }
        change.range = name?.range ?? place
        change.earlier = old?.range
        change.place = new?.range ?? place
        return change
    }

    /// Returns a change of a field.
    func change(
        _ code: ChangeCode, _ old: FieldDeclaration?, _ new: FieldDeclaration?,
        _ detail: SchemaChange.Detail = .none
    ) -> SchemaChange {
        var change = change(code, from: old?.name, to: new?.name, detail)
        // A field of a mixin has changed where the entity includes it.
        if let new { change.place = new.place }
        return change
    }
}
