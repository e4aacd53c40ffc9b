internal import RepositorySchema

/// Rules for the names of properties.
///
/// The name of a property is derived from the field: a reference `author` becomes `authorID`.
/// Different fields can therefore become the same property.
extension Validator {
    /// Checks the names of an entity's properties.
    ///
    /// `id` is reserved for the id, and the components of a composite id cannot have the names of
    /// its members.
    mutating func checkMembers(_ fields: [FieldDeclaration], of entity: EntityDeclaration) {
        var idName: SourceRange?
        if case .single(let field) = entity.identity { idName = field.name.range }
        checkMembers(fields, idName: idName)
        let idProperties = scope.identityFields(of: entity).map(scope.property(of:))
        guard idProperties != ["id"] else { return }
        for field in fields where scope.property(of: field) == "id" {
            add(
                "a field cannot be called 'id' beside another identity", at: field.place,
                help: "rename it; 'column: id' keeps the column", notes: field.mixinNotes)
        }
        guard case .composite = entity.identity else { return }
        for field in scope.identityFields(of: entity) {
            let property = scope.property(of: field)
            guard Self.idMembers.contains(property) else { continue }
            add(
                "a component of an id cannot be called '\(property)': the id has a member of that name",
                at: field.place, help: Self.keepColumn(field), notes: field.mixinNotes)
        }
    }

    /// Checks the names of a value's properties.
    mutating func checkMembers(_ fields: [FieldDeclaration], of value: ValueDeclaration) {
        checkMembers(fields, idName: nil)
    }

    /// Checks that no two fields have the same Swift property.
    ///
    /// ```yaml
    /// entity: Book
    /// fields:
    ///   author: Author
    ///   authorID: UUID   # reported: both become the property 'authorID'
    /// ```
    ///
    /// - Parameter idName: The range of the id's name if the id is a field of its own, for a more
    ///   specific message.
    mutating func checkMembers(_ fields: [FieldDeclaration], idName: SourceRange?) {
        checkStorageNames(fields)
        var seen: [String: FieldDeclaration] = [:]
        for field in fields {
            let property = scope.property(of: field)
            if let first = seen[property] {
                if field.isOfSameMixin(as: first) { continue }
                let isId = first.name.range == idName
                if field.origin != nil {
                    includedTwice(field, first, isId: isId)
                    continue
                }
                let same = first.name.value == field.name.value
                add(
                    same
                        ? "two fields are called '\(property)'"
                        : "two fields become the property '\(property)'",
                    at: field.name.range,
                    help: isId
                        ? "remove it here: the id is declared under 'id' only"
                        : "rename one of them",
                    notes: [Diagnostic.Note("the other one is declared here", at: first.name.range)]
                )
                continue
            }
            seen[property] = field
        }
    }

    /// Checks the names of the stored properties that back deprecated fields: a deprecated `title`
    /// is stored in `_title`.
    ///
    /// ```yaml
    /// title: { type: String, deprecated: Use name. }
    /// _title: String   # reported: the output declares '_title' for 'title'
    /// ```
    private mutating func checkStorageNames(_ fields: [FieldDeclaration]) {
        let deprecated = Dictionary(
            fields.filter { $0.deprecated != nil }.map { ("_" + scope.property(of: $0), $0) },
            uniquingKeysWith: { first, _ in first })
        for field in fields {
            guard let other = deprecated[scope.property(of: field)],
                !field.isOfSameMixin(as: other)
            else { continue }
            add(
                "'\(field.name.value)' is what stands behind the deprecated '\(other.name.value)' "
                    + "in the output",
                at: field.place, help: Self.keepColumn(field),
                notes: field.mixinNotes + [
                    Diagnostic.Note("that one is declared here", at: other.name.range)
                ])
        }
    }

    /// Checks `renamedFrom`: an earlier name must not be the name of a current field, and only one
    /// field can claim it.
    ///
    /// ```yaml
    /// title: { type: String, renamedFrom: pages }   # reported: 'pages' still exists
    /// pages: Int
    /// ```
    mutating func checkEarlierNames(_ fields: [FieldDeclaration]) {
        let current = Dictionary(
            fields.map { ($0.name.value, $0.name.range) }, uniquingKeysWith: { first, _ in first })
        var seen: [String: SourceRange] = [:]
        for name in fields.flatMap(\.renamedFrom) {
            checkEarlierName(name, current: current, seen: &seen, kind: "field")
        }
    }

    /// Checks the earlier names of an enum's cases: they must not be declared any more.
    mutating func checkEarlierNames(ofCases cases: [EnumCaseDeclaration]) {
        let current = Dictionary(
            cases.map { ($0.name.value, $0.name.range) }, uniquingKeysWith: { first, _ in first })
        var seen: [String: SourceRange] = [:]
        for name in cases.flatMap(\.renamedFrom) {
            checkEarlierName(name, current: current, seen: &seen, kind: "case")
        }
    }

    /// Checks the earlier names of a type: they must not be declared any more.
    mutating func checkEarlierNames(_ names: [Located<String>], of header: DeclarationHeader) {
        var seen: Set<String> = []
        for name in names {
            if !seen.insert(name.value).inserted {
                add("'\(name.value)' stands here twice", at: name.range, help: "remove one of them")
            }
            guard let other = scope.declarations[name.value] else { continue }
            add(
                "'\(name.value)' is still declared, so '\(header.name.value)' cannot have been "
                    + "renamed from it",
                at: name.range, help: "remove it here, or the declaration there",
                notes: [Diagnostic.Note("it is declared here", at: other.header.name.range)])
        }
    }

    /// Checks one earlier name and adds it to `seen`.
    private mutating func checkEarlierName(
        _ name: Located<String>, current: [String: SourceRange], seen: inout [String: SourceRange],
        kind: String
    ) {
        if let field = current[name.value] {
            add(
                "the \(kind) '\(name.value)' still exists, so none can have been renamed from it",
                at: name.range, help: "remove it here",
                notes: [Diagnostic.Note("the \(kind) is declared here", at: field)])
        } else if let first = seen[name.value] {
            add(
                "two \(kind)s were renamed from '\(name.value)'", at: name.range,
                help: "remove one of them",
                notes: [Diagnostic.Note("the other one stands here", at: first)])
        } else {
            seen[name.value] = name.range
        }
    }

    /// Checks the protocols that an entity declares: valid names, no duplicates, and none that
    /// every entity conforms to.
    ///
    /// A protocol may be qualified with its module, for example `Billing.Priced`.
    mutating func checkConformances(of entity: EntityDeclaration) {
        var seen: Set<String> = []
        for name in entity.conformances {
            let parts = name.value.split(separator: ".", omittingEmptySubsequences: false)
            if !parts.allSatisfy({ Naming.isIdentifier(String($0)) }) {
                add(
                    "'\(name.value)' cannot be the name of a protocol", at: name.range,
                    help: "name a protocol, with its module if need be: 'Billing.Priced'")
            } else if Self.ownConformances.contains(name.value) {
                add(
                    "every entity conforms to '\(name.value)' already", at: name.range,
                    help: "remove it")
            } else if !seen.insert(name.value).inserted {
                add("'\(name.value)' stands here twice", at: name.range, help: "remove one of them")
            }
        }
    }

    /// The suggestion to rename a field without renaming its column.
    private static func keepColumn(_ field: FieldDeclaration) -> String {
        "rename it; 'column: \(field.name.value)' keeps the column"
    }

    /// The members of composite ids, which components cannot hide.
    private static let idMembers: Set<String> = [
        "componentCount", "componentStrings", "description", "id", "identifierString", "rawValue",
    ]
    /// The protocols that every entity conforms to, or that entities must not declare.
    private static let ownConformances: Set<String> = [
        "Codable", "Decodable", "Encodable", "Entity", "Equatable", "Hashable", "Identifiable",
        "Sendable",
    ]
}
