internal import ConditionLanguage
internal import RepositorySchema

/// Converts a YAML document to a declaration.
///
/// It first checks the document against the ``KeyTable`` of its kind, then builds the declaration
/// from the values that passed the check.
struct DocumentReader {
    /// The result of reading a document.
    enum Outcome {
        /// A declaration, which may be incomplete.
        case declared(Declaration)
        /// The name of a declaration that could not be built.
        case refused(Located<String>)
        /// A document without a type name.
        case nameless
    }

    private let sourceFile: String
    private var checker = ShapeChecker()
    /// Whether the document contains further type names that were not read.
    private(set) var hidesNames = false

    /// Creates a reader for the documents of a file, whose path is relative to the schema folder.
    init(sourceFile: String) {
        self.sourceFile = sourceFile
    }

    /// The problems found in the document.
    var diagnostics: [Diagnostic] { checker.diagnostics }

    /// Reads a document.
    mutating func read(_ root: YAMLNode) -> Outcome {
        guard let entries = root.entries, let first = entries.first else {
            checker.add(
                root.isNull || root.entries != nil
                    ? "the document is empty" : "a document is a mapping that declares a type",
                at: root.range,
                help: root.isNull
                    ? "remove the '---', or declare a type after it"
                    : "begin with its kind and name, such as 'entity: Book'")
            return .nameless
        }
        guard let kind = Kind(rawValue: first.key.value) else {
            noKind(first, entries)
            return .nameless
        }
        let before = checker.diagnostics.count - checker.harmlessCount
        checkOneKind(entries)
        checker.checkKeys(
            entries.filter { Kind(rawValue: $0.key.value) == nil || $0.key == first.key },
            kind.table, at: first.key.range)
        let mapping = YAMLMapping(entries)
        guard let name = mapping.name(kind.rawValue) else { return .nameless }
        var header = DeclarationHeader(name: name, sourceFile: sourceFile)
        header.doc = mapping.prose("doc")
        header.deprecated = mapping.flagOrText("deprecated")
        header.isComplete = checker.diagnostics.count - checker.harmlessCount == before
        return declaration(kind, header, mapping)
    }

    /// Builds the declaration of a document whose keys have been checked.
    private func declaration(
        _ kind: Kind, _ header: DeclarationHeader, _ mapping: YAMLMapping
    ) -> Outcome {
        switch kind {
        case .entity: .declared(.entity(EntityDeclaration(header: header, mapping)))
        case .value: .declared(.value(ValueDeclaration(header: header, mapping)))
        case .enum: .declared(.enumeration(EnumDeclaration(header: header, mapping)))
        case .scalar:
            if let scalar = ScalarDeclaration(header: header, mapping) {
                .declared(.scalar(scalar))
            } else {
                .refused(header.name)
            }
        case .mixin: .declared(.mixin(MixinDeclaration(header: header, mapping)))
        case .union: .declared(.union(UnionDeclaration(header: header, mapping)))
        }
    }

    /// Reports further kinds in the same document. Their types are unknown afterwards, so
    /// ``hidesNames`` is set.
    private mutating func checkOneKind(_ entries: [YAMLEntry]) {
        for entry in entries.dropFirst() where Kind(rawValue: entry.key.value) != nil {
            hidesNames = true
            checker.add(
                "a document declares one type only", at: entry.key.range,
                help: "write a line '---' before it")
        }
    }

    /// Reports that the first key of a document is not a kind.
    private mutating func noKind(_ first: YAMLEntry, _ entries: [YAMLEntry]) {
        if let later = entries.first(where: { Kind(rawValue: $0.key.value) != nil }) {
            checker.add(
                "'\(later.key.value)' is the first key of a document, before '\(first.key.value)'",
                at: later.key.range, help: "move this line up")
            return
        }
        let isSettings = KeyTable.settings[first.key.value] != nil
        checker.add(
            "a document begins with its kind, not with '\(first.key.value.shortened)'",
            at: first.key.range,
            help: isSettings
                ? "settings belong in 'repositories.yaml' at the top of the schema folder"
                : NearestName.help(
                    for: first.key.value, among: Kind.allCases.map(\.rawValue), kind: "kinds"))
    }
}
