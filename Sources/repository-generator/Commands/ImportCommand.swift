internal import ArgumentParser
internal import Foundation

/// The `import` command: writes schemas that describe a database which exists already.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Writes schemas that describe a database that exists already.",
        discussion: """
            Reads the database and writes a schema for each table, with 'manage: false': its tables are \
            verified and never changed. Prints what each guess rests on, and names what cannot be \
            described. The database and the files beside it are not changed.

            A PostgreSQL database is read by its client 'psql', which finds a password in the URL, in \
            PGPASSWORD or in ~/.pgpass. '?schema=NAME' chooses another schema than the first one of the \
            search path.

            A Realm file, 'realm:default.realm', is read without Realm; an encrypted one needs '--key'. \
            Its schemas are those of a new store, and name the class and the property of everything. The \
            folder must have no schemas yet.

            A store of Core Data or SwiftData, 'coredata:Model.sqlite' or 'swiftdata:default.store', is \
            read without its framework, from a copy of the file and its -wal. Its model is in the store; \
            '--model' names that of the app where it is not. The schemas are those of a new store.

            If the folder has schemas already, what they lack is added to them. Their text is neither \
            changed nor removed. What is gone from the database, and what the schemas say otherwise, is \
            reported at its line.

            '--take-over' leaves 'manage: false' out for each table of which a store would lose nothing. \
            Open the store for the first time with 'takeOver(backup:)', which copies the database and \
            then makes the tables its own.

            Exits with 1 when lines must be added by hand, 2 when no table can be described or the \
            schemas have errors, and 3 when the database cannot be read or a file cannot be written. \
            Nothing is written then.
            """)

    @Argument(
        help: ArgumentHelp(
            "The database: sqlite:FILE, realm:FILE, coredata:FILE, swiftdata:FILE or postgresql://USER@HOST/DATABASE.",
            valueName: "source"))
    var source: String

    @Option(help: "The folder of the schemas.")
    var output = "Schemas"

    @Flag(
        help: "Asks in the terminal about each guess that has alternatives; Enter accepts a guess.")
    var ask = false

    @Flag(help: "Writes schemas whose tables become the store's own when it is first opened.")
    var takeOver = false

    @OptionGroup var key: KeyOption

    @Option(
        help: ArgumentHelp(
            "The model of a store of Core Data without one: .momd, .mom, .xcdatamodeld or .xcdatamodel.",
            valueName: "path"))
    var model: String?

    func validate() throws {
        if let coreData {
            if coreData.isEmpty { throw ValidationError("'\(source)' names no file") }
            if takeOver || ask {
                throw ValidationError("'--take-over' and '--ask' are for SQLite databases")
            }
            if key.key != nil { throw ValidationError("'--key' is for Realm files") }
            return
        }
        if model != nil { throw ValidationError("'--model' is for stores of Core Data") }
        if let realm {
            if realm.isEmpty { throw ValidationError("'\(source)' names no file") }
            if takeOver || ask {
                throw ValidationError("'--take-over' and '--ask' are for SQLite databases")
            }
            return
        }
        if key.key != nil { throw ValidationError("'--key' is for Realm files") }
        if isServer {
            if takeOver { throw ValidationError("'--take-over' is for SQLite databases") }
            return
        }
        guard source.hasPrefix(Self.scheme), source.count > Self.scheme.count else {
            let help =
                source.contains(":")
                ? "only SQLite, Realm, Core Data and PostgreSQL databases can be imported"
                : "write 'sqlite:\(source)'"
            throw ValidationError("'\(source)' is not the name of a database: \(help)")
        }
        guard !ask || isatty(STDIN_FILENO) == 1 else {
            throw ValidationError("'--ask' needs a terminal, and the standard input is none")
        }
    }

    func run() throws {
        if let coreData {
            return try Tool.standard.importCoreData(at: coreData, model: model, into: output)
                .throwExit()
        }
        if let realm {
            return try Tool.standard.importRealm(at: realm, key: key.bytes, into: output)
                .throwExit()
        }
        if isServer { return try Tool.standard.importServer(at: source, into: output).throwExit() }
        let path = String(source.dropFirst(Self.scheme.count))
        let input = ask ? { readLine() } : nil
        try Tool.standard.importDatabase(
            at: path, into: output, asking: input, takingOver: takeOver
        ).throwExit()
    }

    /// The path of a Realm file; `nil` for another source.
    private var realm: String? {
        source.hasPrefix("realm:") ? String(source.dropFirst("realm:".count)) : nil
    }

    /// The path of a store of Core Data or SwiftData; `nil` for another source.
    private var coreData: String? {
        for scheme in ["coredata:", "swiftdata:"] where source.hasPrefix(scheme) {
            return String(source.dropFirst(scheme.count))
        }
        return nil
    }

    /// Whether the source is the URL of a PostgreSQL database.
    private var isServer: Bool {
        source.hasPrefix("postgresql://") || source.hasPrefix("postgres://")
    }

    /// What stands before the path of an SQLite database.
    private static let scheme = "sqlite:"
}
