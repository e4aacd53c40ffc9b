internal import RepositorySchema

/// Translates a schema to the layers for the templates. All decisions about the output are made
/// here and in the translators of the declarations.
///
/// A translator is immutable, so files can be translated concurrently.
struct SchemaTranslator {
    /// The scope of the set.
    let scope: SchemaScope
    /// The access level with a trailing space, or an empty string.
    let access: String
    /// The declarations of each schema file, in their order.
    private let declarationsByFile: [String: [Declaration]]

    /// Creates a translator for a set without errors.
    init(_ set: SchemaSet) {
        scope = SchemaScope(set)
        access = set.settings.access == .internal ? "" : set.settings.access.rawValue + " "
        declarationsByFile = Dictionary(grouping: scope.set.declarations, by: \.header.sourceFile)
    }

    /// Creates a translator whose lookups are recorded.
    private init(_ other: SchemaTranslator, notes: LookupNotes) {
        scope = other.scope.noting(in: notes)
        access = other.access
        declarationsByFile = other.declarationsByFile
    }

    /// Returns the layer of a schema file and the names that it depends on: those that it declares
    /// and those that it looks up.
    func notedFile(_ path: String) -> (layer: FileLayer, names: Set<String>) {
        let notes = LookupNotes()
        for declaration in declarationsByFile[path] ?? [] {
            notes.add(declaration.header.name.value)
        }
        let layer = SchemaTranslator(self, notes: notes).file(path)
        return (layer, notes.names)
    }

    /// Returns the layer of a schema file.
    func file(_ path: String) -> FileLayer {
        let declarations = declarationsByFile[path] ?? []
        return FileLayer(
            imports: FileImports(declarations, scope).statements,
            declarations: declarations.map(layer), types: scope.names)
    }

    /// Returns the layer of the set's own file.
    ///
    /// - Parameters:
    ///   - history: the parts of the JSON of the released versions; empty if there are none.
    ///   - needsFunctions: whether a version needs functions of the program.
    func setFile(history: [String] = [], needsFunctions: Bool = false) -> FileLayer {
        let translator = SetTranslator(
            scope: scope, access: access, history: history, needsFunctions: needsFunctions)
        return FileLayer(
            imports: FileImports.ofSet(scope.set.settings), declarations: [.set(translator.layer)],
            types: scope.names)
    }

    /// The layer of a declaration.
    private func layer(_ declaration: Declaration) -> DeclarationLayer {
        switch declaration {
        case .entity(let entity):
            return .entity(EntityTranslator(entity, scope: scope, access: access).layer)
        case .value(let value):
            return .value(ValueTranslator(value, scope: scope, access: access).layer)
        case .union(let union):
            return .union(UnionTranslator(union, scope: scope, access: access).layer)
        case .enumeration(let enumeration):
            return EnumerationTranslator(enumeration, scope: scope, access: access).layer
        case .scalar(let scalar):
            let place = scalar.module.map { "the module `\($0.value)`" } ?? "this module"
            let name = scalar.header.name.value
            return .scalar(
                ScalarLayer(
                    access: access, name: name,
                    type: scalar.module == nil ? OutputNames.own(name) : name, place: place))
        case .mixin(let mixin):
            return .mixin(MixinLayer(name: mixin.header.name.value))
        }
    }
}
