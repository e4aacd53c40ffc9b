internal import RepositorySchema

/// Creates the layer of an enum. An enum with a case for unknown values becomes an open enum.
///
/// ```swift
/// /// Whether a book can be borrowed.
/// nonisolated public enum Status: String, … {
///     /// Stored as `on_loan`.
///     case onLoan = "on_loan"
/// }
/// ```
struct EnumerationTranslator {
    let enumeration: EnumDeclaration
    let scope: SchemaScope
    /// The access level with a trailing space, or an empty string.
    let access: String

    init(_ enumeration: EnumDeclaration, scope: SchemaScope, access: String) {
        self.scope = scope
        self.enumeration = enumeration
        self.access = access
    }

    /// The layer of a closed or of an open enum.
    var layer: DeclarationLayer {
        let header = enumeration.header
        let availability = Prose.availability(header.deprecated)
        let doc = header.doc ?? "\(Prose.withArticle(header.name.value).capitalizedFirst)."
        let unknown = enumeration.unknownCase?.value
        let closed = EnumerationLayer(
            heading: Prose.documentation(doc) + availability, availability: availability,
            access: access, name: header.name.value, type: OutputNames.own(header.name.value),
            rawType: scope.names.qualified(enumeration.rawType.value.rawValue),
            cases: enumeration.cases.flatMap { lines(of: $0, isRaw: unknown == nil) })
        guard let unknown else { return .enumeration(closed) }
        let names = enumeration.cases.map { Naming.escaped($0.name.value) }
        return .openEnumeration(
            OpenEnumerationLayer(
                enumeration: closed, unknown: Naming.escaped(unknown),
                names: SwiftLiteral.elements(names.map { "." + $0 }),
                readings: zip(enumeration.cases, names).map { item, name in
                    "case \(raw(item)): self = .\(name)"
                },
                writings: zip(enumeration.cases, names).map { item, name in
                    "case .\(name): \(raw(item))"
                }))
    }

    /// The lines of a case. Its raw value is written only for a closed enum, and only if it differs
    /// from the name.
    private func lines(of item: EnumCaseDeclaration, isRaw: Bool) -> [String] {
        let stored = item.rawValue?.value ?? item.name.value
        let doc =
            item.doc.map(Prose.documentation) ?? ["/// Stored as `\(CommentText.line(stored))`."]
        let isNamedAlike = enumeration.rawType.value == .string && stored == item.name.value
        let value = isRaw && !isNamedAlike ? " = \(raw(item))" : ""
        return doc + ["case \(Naming.escaped(item.name.value))\(value)"]
    }

    /// The raw value of a case as a literal.
    private func raw(_ item: EnumCaseDeclaration) -> String {
        let stored = item.rawValue?.value ?? item.name.value
        guard enumeration.rawType.value == .int else { return SwiftLiteral.string(stored) }
        return Int64(stored).map { "\($0)" } ?? stored
    }
}
