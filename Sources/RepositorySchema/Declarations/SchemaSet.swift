/// The settings of a set: `Schemas/repositories.yaml`, or the defaults.
public struct SchemaSettings: Sendable, Hashable {
    /// The access level of everything generated.
    public enum Access: String, Sendable, Hashable, CaseIterable {
        /// `public`
        case `public`
        /// `package`
        case package
        /// `internal`
        case `internal`
    }

    /// How a column is named after its field.
    public enum ColumnNaming: String, Sendable, Hashable, CaseIterable {
        /// The field's name in snake case.
        case snakeCase = "snake_case"
        /// The field's name as it is.
        case asWritten = "as_written"
    }

    /// The generated type that holds one repository for each entity.
    public var name = "Repositories"
    /// Where the settings file gives the name; nil where it does not.
    public var nameRange: SourceRange?
    /// `access`
    public var access = Access.public
    /// The output folder, beside the schema folder.
    public var output = "Generated"
    /// `columns`
    public var columns = ColumnNaming.snakeCase
    /// `stores`: the stores that the schema must suit.
    public var stores: [Located<String>] = []
    /// `manage`: whether the tables are created and changed, not only verified.
    public var manage = true
    /// `imports`: modules that the generated files import besides their own.
    public var imports: [Located<String>] = []
    /// `templates`: a folder whose templates replace or add to the built-in ones.
    public var templates: String?
    /// Where the settings file names that folder.
    public var templatesRange: SourceRange?

    /// The default settings.
    public init() {}
}

/// All schemas of one module, as they were written.
public struct SchemaSet: Sendable, Hashable {
    /// The settings of the set.
    public var settings: SchemaSettings
    /// All schema files' relative paths in byte order, also of files without a declaration: each has an output file.
    public var files: [String]
    /// All declarations, in the order of the files and of the documents in them.
    public var declarations: [Declaration]
    /// The names of types that are declared and were refused, so that nobody calls them unknown.
    public var refusedNames: [Located<String>] = []
    /// Whether all documents could be read at least as far as their names; otherwise types are
    /// missing here, and that has been reported.
    public var isComplete = true
    /// Which reading of each schema file this is, by its path, where readings are remembered; empty elsewhere. What has one
    /// number has one text.
    public var revisions: [String: Int] = [:]

    /// Makes a set.
    public init(settings: SchemaSettings, files: [String], declarations: [Declaration]) {
        self.settings = settings
        self.files = files
        self.declarations = declarations
    }

    /// The declarations by name; of two that share a name, the first.
    public var declarationsByName: [String: Declaration] {
        Dictionary(
            declarations.map { ($0.header.name.value, $0) }, uniquingKeysWith: { first, _ in first }
        )
    }
}
