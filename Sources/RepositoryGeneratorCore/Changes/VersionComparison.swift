package import RepositorySchema

/// The changes between a released version of a schema and the schema after it.
///
/// ```swift
/// let comparison = VersionComparison(from: version, number: 3, to: present)
/// guard comparison.isDecided else { return report(comparison.diagnostics) }
/// ```
///
/// The schema after it is the present one, or the next version. Both must be valid schemas. The cost
/// is linear in their size.
package struct VersionComparison: Sendable {
    /// The number of the version that the schema is compared with.
    package let number: Int
    /// The changes, in the order of the present declarations; what is gone follows.
    package let changes: [SchemaChange]
    /// Errors for changes that need a decision and have none, and for decisions that do not fit.
    /// Warnings for changes that some stored data may not fit.
    package let diagnostics: [Diagnostic]

    /// Compares a version with the schema after it.
    ///
    /// - Parameters:
    ///   - old: The schema in the file of the version.
    ///   - number: The number of the version.
    ///   - new: The schema after it.
    ///   - earlier: The versions before that one, oldest first and without gaps. They tell which
    ///     decisions have been used and which names are reserved.
    package init(
        from old: SchemaSet, number: Int, to new: SchemaSet, earlier: [SchemaSet] = []
    ) {
        self.number = number
        var comparer = SchemaComparer(
            SchemaScope(old), SchemaScope(new),
            history: DecisionHistory(earlier + [old], last: number), number: number)
        comparer.run()
        changes = comparer.changes
        diagnostics = comparer.diagnostics
    }

    /// The number of the version that the changes belong to.
    package var nextNumber: Int { number + 1 }

    /// Whether every change is automatic or decided.
    package var isDecided: Bool { !diagnostics.contains { $0.severity == .error } }
}

/// Finds the changes between two schemas. The extensions compare the kinds of declarations.
struct SchemaComparer {
    /// The scope of the version.
    let old: SchemaScope
    /// The present scope.
    let new: SchemaScope
    /// The comparison of types.
    let types: TypeComparison
    /// The decisions that earlier versions have used.
    let history: DecisionHistory
    /// The number of the version.
    let number: Int
    /// The normal forms of both schemas.
    let normal: (old: SchemaNormalizer, new: SchemaNormalizer)
    /// The matched declarations.
    let declarations: DeclarationPairs
    /// The decisions in the settings that count for the next version.
    let migrations: SetMigrations
    /// The changes found so far.
    private(set) var changes: [SchemaChange] = []
    /// The diagnostics found so far.
    var diagnostics: [Diagnostic] = []

    init(_ old: SchemaScope, _ new: SchemaScope, history: DecisionHistory, number: Int) {
        self.old = old
        self.new = new
        self.history = history
        self.number = number
        declarations = DeclarationPairs(old, new)
        types = TypeComparison(old: old, new: new, names: declarations.names)
        normal = (SchemaNormalizer(old), SchemaNormalizer(new))
        migrations = SetMigrations(new.set.settings, history, next: number + 1)
    }

    /// Compares all declarations.
    mutating func run() {
        for (before, after) in declarations.pairs { compare(before, after) }
        let twin = likelyRename()
        for declaration in declarations.gone { remove(declaration, twin) }
        compareMigrations()
        checkUnusedNames()
    }

    /// Adds a change.
    ///
    /// - Parameter field: The present field that has the change, if a function could carry it out.
    mutating func add(_ change: SchemaChange, _ field: FieldDeclaration? = nil) {
        var change = change
        change.function = function(for: change, field)
        changes.append(change)
    }

    private mutating func compare(_ before: Declaration?, _ after: Declaration) {
        guard let before else { return add(after) }
        if !UTF8Name(before.header.name.value).isEqual(after.header.name.value) {
            rename(before, after)
        }
        switch (before, after) {
        case (.entity(let old), .entity(let new)): compare(old, new)
        case (.value(let old), .value(let new)): compare(old, new)
        case (.union(let old), .union(let new)): compare(old, new)
        case (.enumeration(let old), .enumeration(let new)): compare(old, new)
        case (.scalar(let old), .scalar(let new)): compare(old, new)
        default: break
        }
    }

    /// Adds the change of a new declaration.
    private mutating func add(_ declaration: Declaration) {
        let header = declaration.header
        var change = SchemaChange(
            code: .typeAdded, kind: declaration.kind ?? .settings, declaration: header.name.value,
            range: header.name.range, place: header.name.range)
        guard case .entity(let entity) = declaration else { return add(change) }
        change.code = .tableAdded
        change.isReferredTo = declarations.referred.contains(header.name.value)
        add(change)
        reuseEntity(entity)
        checkUnusedDecisions(of: entity)
    }

    /// Adds the changes of a declaration that is gone.
    private mutating func remove(_ declaration: Declaration, _ twin: EntityDeclaration?) {
        let header = declaration.header
        var change = SchemaChange(
            code: .typeRemoved, kind: declaration.kind ?? .settings,
            declaration: header.name.value, earlierDeclaration: header.name.value,
            range: header.name.range, earlier: header.name.range, place: header.name.range)
        guard case .entity(let entity) = declaration else { return add(change) }
        change.code = .tableRemoved
        removeEntity(entity, change, twin)
    }

    /// Adds the change of the name of a Swift type.
    private mutating func rename(_ before: Declaration, _ after: Declaration) {
        let names = (before.header.name, after.header.name)
        var change = SchemaChange(
            code: .typeRenamed, kind: after.kind ?? .settings, declaration: names.1.value,
            earlierDeclaration: names.0.value, range: names.1.range, earlier: names.0.range,
            place: names.1.range)
        change.detail = .text(old: names.0.value, new: names.1.value)
        change.decision =
            after.renamedFrom.first { $0.value == names.0.value }.map { .renamed($0) }
        add(change)
    }
}

extension UTF8Name {
    /// Returns whether a name has the same bytes.
    func isEqual(_ name: String) -> Bool { self == UTF8Name(name) }
}
