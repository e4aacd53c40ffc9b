/// The settings of a set: `Schemas/repositories.yaml`, or the defaults.
public struct SchemaSettings: Sendable, Hashable {
    /// The access level of the generated code.
    public enum Access: String, Sendable, Hashable, CaseIterable {
        /// `public`
        case `public`
        /// `package`
        case package
        /// `internal`
        case `internal`
    }

    /// The naming style of columns.
    public enum ColumnNaming: String, Sendable, Hashable, CaseIterable {
        /// The field's name in snake case.
        case snakeCase = "snake_case"
        /// The field's name unchanged.
        case asWritten = "as_written"
    }

    /// The name of the generated set type, which holds one repository per entity.
    public var name = "Repositories"
    /// The position of the name in the settings file; nil if the default is used.
    public var nameRange: SourceRange?
    /// `access`
    public var access = Access.public
    /// The path of the output folder, relative to the parent of the schema folder.
    public var output = "Generated"
    /// `columns`
    public var columns = ColumnNaming.snakeCase
    /// `stores`: the stores that the schema has to work with.
    public var stores: [Located<String>] = []
    /// `manage`: whether the tables are created and changed, or only verified.
    public var manage = true
    /// `imports`: additional modules that the generated files import.
    public var imports: [Located<String>] = []
    /// `templates`: a folder with templates that replace or extend the built-in ones.
    public var templates: String?
    /// The position of `templates` in the settings file.
    public var templatesRange: SourceRange?

    /// `oldest`: the number of the oldest released version whose data is still read; nil for all
    /// versions.
    public var oldest: Located<Int>?
    /// `removed`: entities that are no longer declared, and whose records are dropped.
    public var removed: [Located<String>] = []
    /// `reuse`: names of removed entities that are declared again, for other data.
    public var reuse: [Located<String>] = []
    /// `migrate: { code: [Client, Membership] }`: entities that are migrated together by a function.
    public var migrate: [MigrateDecision] = []
    /// `migrations`: the type of the module that implements the generated protocol; nil if the
    /// program passes an instance to the initializer of the set.
    public var migrations: Located<String>?

    /// Creates the default settings.
    public init() {}
}

/// All schemas of one module, as declared.
public struct SchemaSet: Sendable, Hashable {
    /// The settings of the set.
    public var settings: SchemaSettings
    /// The relative paths of all schema files in byte order, including files without a declaration.
    /// Each has an output file.
    public var files: [String]
    /// All declarations, in the order of the files and of the documents in them.
    public var declarations: [Declaration]
    /// The names of declared types that were rejected, so that uses of them are not reported as
    /// unknown.
    public var refusedNames: [Located<String>] = []
    /// Whether the names in all documents could be read. If not, types are missing here, and
    /// diagnostics have been reported.
    public var isComplete = true
    /// The revision of each schema file by path, if the files are cached; empty otherwise. A file
    /// with the same revision has the same contents.
    public var revisions: [String: Int] = [:]

    /// Creates a set.
    public init(settings: SchemaSettings, files: [String], declarations: [Declaration]) {
        self.settings = settings
        self.files = files
        self.declarations = declarations
    }

    /// The declarations by name. If two share a name, the first one.
    public var declarationsByName: [String: Declaration] {
        Dictionary(
            declarations.map { ($0.header.name.value, $0) }, uniquingKeysWith: { first, _ in first }
        )
    }
}
