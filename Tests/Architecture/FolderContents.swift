/// What the folders of the modules hold: the sentences of the architecture pages.
///
/// A new folder is described here; the test names folders without a description and descriptions
/// without a folder.
enum FolderContents {
    /// The modules that are documented on a page, in order, by the documentation catalog.
    static let pages: [(catalog: String, modules: [String])] = [
        ("RepositoryRuntime", ["RepositoryRuntime", "StoredSchema"]),
        ("RepositorySQLite", ["RepositorySQLite"]),
        ("RepositorySQL", ["RepositorySQL", "RepositorySQLCore"]),
        ("RepositoryPostgreSQL", ["RepositoryPostgreSQL"]),
        ("RepositoryTesting", ["RepositoryTesting"]),
        (
            "repository-generator",
            [
                "repository-generator", "RepositoryGeneratorCore", "RepositorySchemaParser",
                "RepositorySchema", "ConditionLanguage", "RepositoryImport",
            ]
        ),
    ]

    /// A sentence for each folder, by its module.
    static let sentences: [String: [String: String]] = [
        "RepositoryRuntime": runtime,
        "StoredSchema": stored,
        "RepositorySQLite": sqlite,
        "RepositorySQL": sql,
        "RepositorySQLCore": sqlCore,
        "RepositoryPostgreSQL": postgreSQL,
        "RepositoryTesting": testing,
        "repository-generator": tool,
        "RepositoryGeneratorCore": core,
        "RepositorySchemaParser": parser,
        "RepositorySchema": schema,
        "ConditionLanguage": conditions,
        "RepositoryImport": imports,
    ]

    private static let runtime = [
        "AssignedIDs": "Ids that the store gives to new records.",
        "Bytes": "Growing buffers, UTF-8 validation, and percent-encoding.",
        "Capabilities": "What a store can do, as data.",
        "Conditions": "Conditions over fields, and the operators that build them.",
        "Conflicts": "Saves with a conflict policy, and the three-way merge.",
        "Descriptors": "The file descriptors that all stores of the process keep open.",
        "Entity": "Entities, their ids and mappers, and the schema of a set.",
        "Errors": "The public error and its codes.",
        "ExternalData": "Data apart from its record: size, hash, and where the bytes are.",
        "FieldEncryption": "The protocol of an encryption of single fields.",
        "IndexKeys": "Keys of index entries as bytes in sort order, and a tree ordered by them.",
        "Mapping":
            "The encoders and decoders of fields, the mappers that call them, and paths to fields.",
        "Mapping/Codable": "`Codable` of every record through its mapper.",
        "Migration": "The conversion of records that earlier versions of a schema wrote.",
        "MigrationControl": "What a program wants of a migration, its plan and its progress.",
        "MigrationSpace":
            "Tables and lists that a migration fills while it runs, in memory and in a file.",
        "Observation": "Sequences of query results and of their changes.",
        "OwnStatements": "SQL statements that the caller writes, and the rows of their results.",
        "Patches": "Patches, drafts, and changes of an entity by a closure.",
        "Query": "Queries, sort keys and cursors, and the evaluator that defines their meaning.",
        "Query/Grouping": "Functions over groups of records: counts, sums, averages.",
        "Query/Planning": "The choice between reads by id, index scans and full scans.",
        "QueryExecution": "Runs a query plan on a store: reads pages, filters, sorts and limits.",
        "Relations": "Loading of related records in batches.",
        "Repository": "The typed repositories and the sets that hold them.",
        "Repository/Queries": "The repositories' methods for queries, groups and projections.",
        "Rules": "Validation of records before they are stored, and text patterns.",
        "StoreProtocol": "What a store implements, and how it reports its commits.",
        "Search": "Full-text search: words, the language of searches, and the rank.",
        "SchemaOpening":
            "The description that a store saves, and the comparison of a set with it.",
        "Stores/Documents": "Stores over a driver that keeps documents under keys.",
        "Stores/Files": "The driver and the stores that keep a file for each record.",
        "Stores/IndexPages": "Indexes as pages of keys.",
        "Stores/Memory": "The store and the repository in memory.",
        "Stores/TableEngine":
            "Tables with transactions, references and indexes over any storage of records.",
        "Stores/UserDefaults": "The driver and the stores in user defaults.",
        "Synchronization": "A mutex that the Thread Sanitizer understands, and a result handover.",
        "Tables": "The static description of an entity's table: fields, indexes, checks.",
        "Tenants": "The names of tenants as files, and where their stores are.",
        "Transformers": "The protocols of formats, and their errors.",
        "Transformers/CBOR": "CBOR (RFC 8949).",
        "Transformers/Coder": "Formats over any encoder and decoder of `Codable` values.",
        "Transformers/JSON": "JSON.",
        "Transformers/PropertyList": "XML and binary property lists.",
        "Transformers/Streaming":
            "The field encoder and decoder over a format's writer and reader.",
        "Transformers/Tree": "The encoder and decoder of `Codable` items over a tree of values.",
        "Transformers/Wrapping":
            "Transformers around the bytes of a format: compression, encryption.",
        "Updates": "Changes of single fields, increments and replacement of query results.",
        "Upkeep": "The check of a store's records, and the defaults of backups and compaction.",
        "Values": "Stored values, and the arithmetic of dates and decimals.",
        "Wrappers": "Stores that wrap another store: read-only, repeating, measuring.",
    ]

    private static let stored = [
        "History":
            "The released versions of a schema, and what each of them changes in stored data.",
        "Comparison": "Differences between two descriptions, and the steps that resolve them.",
        "Description": "What stored data looks like: tables, fields, types, constants, conditions.",
        "Hashing": "SHA-256, and the canonical encoding that it is computed of.",
        "Text": "The order of strings by bytes, case folding, decimals as text, and days.",
    ]

    private static let sql = [
        "Driver": "What a driver implements, and the dialect that the store makes of it.",
        "Encryption": "The notes, hashes and reencryption of encrypted fields.",
        "Migration": "The conversion of stored records, and those that are set aside.",
        "OwnStatements": "SQL statements that the caller writes.",
        "Records":
            "Reading and writing of entities, and the checks of unique values and references.",
        "Schema": "Creation and upgrade of tables, and their description.",
        "Sessions": "Connections, their threads, and transactions that run again.",
        "Store": "The store, its transactions and its snapshots.",
        "Synchronization": "A mutex that the Thread Sanitizer understands.",
    ]

    private static let sqlCore = [
        "EncryptionUpkeep":
            "Notes, hashes and reencryption of encrypted fields, on a connection of any store.",
        "ExternalData":
            "The tables of external data: their statements, and how they follow a migration.",
        "FieldEncryption": "Encrypted fields: encoding, decoding, and what is noted.",
        "Migration":
            "The conversion of stored records, over a connection that a store supplies.",
        "Sessions": "What every connection does for the shared code.",
        "Transactions": "What the transactions and snapshots of all stores have in common.",
        "Statements": "SQL statements of queries and schemas for any dialect.",
        "Synchronization": "A mutex that the Thread Sanitizer understands.",
    ]

    private static let sqlite = [
        "Connection": "A connection, what it prepares and caches, and the catalog of its database.",
        "Dialect": "SQLite's dialect of SQL and its type affinities.",
        "Encryption": "The keys and names that are noted for encrypted fields.",
        "Errors": "SQLite's errors, and their translation into the runtime's.",
        "ExternalData": "The triggers of external data.",
        "ItemRepository": "The repository of `Codable` items.",
        "OwnStatements": "SQL statements that the caller writes.",
        "Records": "Reading, writing and finding of entities.",
        "References": "Deferred foreign key checks, and the search for a broken reference.",
        "Scheduling": "Which connection and thread runs what: group commit, leases, scans.",
        "Schema": "Creation, verification and upgrade of tables.",
        "Search": "The tables and triggers of search indexes.",
        "Statements": "Prepared statements, bound parameters and result columns.",
        "Store": "The public store, its transactions and snapshots.",
        "Synchronization": "A connection that one thread uses at a time.",
        "Values": "Dates and UUIDs as text, and other column types of existing databases.",
    ]

    private static let postgreSQL = [
        "Backup": "Exports of all tables from one snapshot, and their restore.",
        "Dialect": "PostgreSQL's dialect of SQL, and the limits of its names.",
        "Distribution":
            "Tables that Citus spreads over nodes: its catalog, the errors of nodes, and references before a commit.",
        "Driver": "Connections over libpq, their pool, and the thread that waits for them.",
        "Encryption": "The keys and names that are noted for encrypted fields.",
        "ExternalData": "The triggers of external data.",
        "Errors": "PostgreSQL's errors, and their translation into the runtime's.",
        "Journal":
            "What is written in the transaction of each write besides the records: its number, the changed ids.",
        "Migration": "Conversion of records by the versions of a schema.",
        "OwnStatements": "SQL statements that the caller writes, and connections that are lent.",
        "Records": "Reading, writing and finding of entities.",
        "Rows": "Records and ids as parameters of statements and as rows of results.",
        "Schema": "Creation and upgrade of tables.",
        "Search": "The tables and triggers of the index of words.",
        "Sharing": "Connections that many tasks share, in pipeline mode.",
        "Store": "The public store, its transactions and snapshots.",
        "Synchronization": "A mutex that the Thread Sanitizer understands.",
        "Tables": "The statements and constraints of a table, and the catalog of a database.",
        "Values": "The binary formats of values.",
    ]

    private static let testing = [
        "Behaviours": "The behaviours of stores, a file for each subject.",
        "Generated": "The entities of the suite, generated from its schemas.",
        "Harness": "What runs a behaviour against a store, and its expectations.",
        "Inputs": "Values and ids that are likely to break a store; records whose ids it gives.",
        "Listings": "Records with checks and partial indexes.",
        "MoveChecks": "The check of moves of a user's set between two kinds of stores.",
        "MigrationChecks": "The check of the migrations of a user's set, with random old records.",
        "MigrationModel": "What declared changes mean, as a plain model on dictionaries.",
        "OldPrograms": "Programs of released versions, made from stored descriptions.",
        "RandomPrograms": "Random operations and queries, compared with the reference store.",
        "ReferenceStore": "A slow and simple store that the others are compared with.",
        "RepositoryBehaviours": "The behaviours of repositories of `Codable` items.",
        "Scalars": "Types that the schemas of the suite declare as scalars.",
        "SchemaShapes": "Tables before and after a change of the schema.",
        "Synchronization": "A mutex that the Thread Sanitizer understands.",
    ]

    private static let tool = [
        "Cache": "Hashes of the last run, so that a run with nothing to do ends early.",
        "Commands": "The commands and their options.",
        "Files": "Reading of schemas, versions and templates, and atomic writing.",
        "Generation":
            "Checking of the schemas, their last version, and the changes of the output folder.",
        "Reports": "Diagnostics as text, JSON and SARIF.",
        "Watch": "File system events, and the signals that end the program.",
    ]

    private static let conditions = [
        "Checking": "Names and types of conditions, over any description of fields.",
        "Literals": "Numbers, dates and other values as schemas and conditions write them.",
        "Stored": "What conditions can name in the description of a store.",
        "Suggestions": "The nearest name, for messages.",
        "Syntax": "The grammar and the parser of conditions.",
    ]

    private static let core = [
        "Changes": "The changes since a released version, typed, and the decisions that they need.",
        "Conditions": "What conditions can name in a set, and the order of queries.",
        "Context": "The values that templates see.",
        "Diagram": "The entity-relationship diagram, as Mermaid and DOT.",
        "Diagram/Drawing": "The layout of a diagram, and SVG.",
        "History": "What each version changes in stored data, and the types of old versions.",
        "Generation": "From a checked set to the files of the output.",
        "Layers": "The decisions about each declaration of the output, before it is rendered.",
        "Linter": "Warnings.",
        "Literals": "Checking of default values and text patterns.",
        "OutputText": "Line breaking, literals, file headers and hashes of the output.",
        "Renderer": "Built-in and user templates, and their rendering.",
        "Scope": "The declarations of a set by name, and the names of the output.",
        "StoredTables": "The tables of a set as stores describe them, with their fingerprints.",
        "Translator": "From declarations to layers.",
        "Validator": "Errors that need the whole set.",
        "Verdicts": "The grades of changes, and their lists as text, Markdown and JSON.",
        "Versions": "Released versions: the normal form of a schema, its file and differences.",
    ]

    private static let parser = [
        "": "The parser of schema files.",
        "Declarations": "From YAML nodes to declarations.",
        "Editing": "Lines that are added to the text of a person.",
        "JSONSchema": "The JSON Schema of the schema language.",
        "Keys": "The keys of the schema language.",
        "Shapes": "Checking of keys and scalar types, before declarations are read.",
        "Types": "Parsing of type expressions.",
        "YAML": "YAML events, nodes and their positions, over libyaml.",
    ]

    private static let schema = [
        "": "A concurrent map.",
        "Declarations": "What a schema declares: entities, values, enums, queries.",
        "Diagnostics": "Errors and warnings with their places in the source.",
        "JSON": "JSON values.",
        "Naming": "Swift and column names, and the nearest name to a misspelt one.",
    ]

    private static let imports = [
        "": "Schemas of a database that exists already.",
        "Catalog": "What a database declares: tables, indexes, foreign keys, CHECK constraints.",
        "Checking": "Leaves out what the schema language does not accept.",
        "CoreData": "The entities of stores of Core Data and SwiftData.",
        "Database": "A database file that is read without changing it.",
        "Entities": "Entities, references, indexes and relations, before they are written.",
        "Inspecting": "What a database file is and has, without a schema.",
        "Merging":
            "A further import: the comparison with existing schemas, and what is added to them.",
        "Naming": "Names of types and fields, and singulars.",
        "Objects": "Entities of a file of objects in the making, and the schemas written of them.",
        "Realm": "The classes of Realm files.",
        "Rules": "Defaults, and CHECK constraints as rules.",
        "Server":
            "PostgreSQL databases: the client `psql`, the catalog, its types and expressions.",
        "Text": "Schema files, and the report.",
        "Types": "The types of columns, by their declarations and values.",
        "Reading": "The rows of tables and views, each looked at once.",
        "Values": "What all values of a column have in common.",
    ]
}
