/// A Realm file, of which the committed state is read. Nothing is written.
///
/// Formats 2 to 11 and 20 to 24 are known, files that are encrypted among them. Neither Realm nor
/// the classes of the app are needed. The schema is in memory; objects are read a cluster at a time.
package final class RealmDatabase: Sendable {
    /// What changes when a program writes the file.
    package struct State: Sendable, Equatable {
        /// The size of the file in bytes.
        package let size: Int
        /// The time of the last change, in nanoseconds since 1970.
        package let modified: Int64
        /// The position of the committed state.
        package let topRef: UInt64
        /// The number of the last transaction; 0 if the file does not say it.
        package let version: UInt64
    }

    /// Whether the file is encrypted.
    package let isEncrypted: Bool
    /// The version of the file format.
    package let format: Int
    /// Whether the file was written in one go, as a copy or in memory.
    package let isStreamed: Bool
    /// Who keeps the history of changes: 2 is a local file; 3 and 4 are synchronized ones.
    package let historyType: UInt64
    /// The version of the schema that the app set last.
    package let schemaVersion: UInt64?
    /// All tables, those of Realm itself among them.
    package let tables: [RealmClass]
    /// What is unusual about the file, as sentences without their full stops.
    package let notes: [String]
    /// The state that was read.
    package let state: State

    private let pages: DataPages
    private let header: FileHeader
    private let schemaNodes: RefSet

    /// The classes of the app.
    package var classes: [RealmClass] { tables.filter { !$0.isInternal } }

    /// Opens a file and reads its schema.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - key: the key of 64 bytes, if the file is encrypted.
    /// - Throws: ``RealmFileError`` if the file cannot be read, or a program has it open with Realm.
    package convenience init(path: String, key: [UInt8]? = nil) throws(RealmFileError) {
        let file = try FileBytes(path)
        guard !FileBytes.isLocked(path + ".lock") else {
            throw RealmFileError(.inUse, "a program has the file open; close it first")
        }
        try self.init(file, key: key)
    }

    /// Opens the bytes of a file.
    package convenience init(bytes: [UInt8], key: [UInt8]? = nil) throws(RealmFileError) {
        try self.init(FileBytes(bytes), key: key)
    }

    private init(_ file: FileBytes, key: [UInt8]?) throws(RealmFileError) {
        let pages = try DataPages(file, key: key)
        self.pages = pages
        isEncrypted = key != nil
        let (size, modified) = try file.status()
        let header = try FileHeader(pages)
        self.header = header
        (format, isStreamed) = (header.format, header.isStreamed)
        notes =
            pages.size % 8 == 0
            ? [] : ["the size of the file is no multiple of 8, and Realm does not open it"]
        let reader = NodeReader(pages, format: header.format)
        guard header.topRef != 0 else {
            (tables, schemaVersion, historyType, schemaNodes) = ([], nil, 0, RefSet())
            state = State(size: size, modified: modified, topRef: 0, version: 0)
            return
        }
        do throws(RealmFileError) {
            let schema = try SchemaReader(reader, topRef: header.topRef, size: pages.size)
            historyType = schema.historyType
            schemaNodes = reader.seen
            func first(_ name: String) -> RealmClass? {
                schema.tables.first { $0.tableName == name }
            }
            let internalReader = NodeReader(pages, format: header.format, seen: reader.seen)
            schemaVersion = try first("metadata").flatMap { table throws(RealmFileError) in
                try Self.schemaVersion(table, internalReader)
            }
            tables =
                try header.format < 12
                ? Self.withPrimaryKeys(schema.tables, from: first("pk"), internalReader)
                : schema.tables
            state = State(
                size: size, modified: modified, topRef: header.topRef, version: schema.version)
        } catch {
            throw try Self.changed(header, pages) ?? error
        }
    }

    /// Begins a pass over the objects of classes. Each class is read at most once in a pass, and
    /// what is damaged across classes is found.
    package func pass() -> Pass { Pass(self) }

    /// Returns the number of objects of a class. Their values are not read.
    package func count(of table: RealmClass) throws(RealmFileError) -> Int {
        let reader = NodeReader(pages, format: format, seen: schemaNodes)
        do throws(RealmFileError) {
            var count = 0
            if format < 10 {
                var objects = try ObjectReader(table, reader)
                while try objects.next() != nil { count += 1 }
            } else if table.data != 0 {
                var clusters = Clusters(reader, root: table.data)
                while let cluster = try clusters.next() { count += cluster.count }
            }
            if let changed = try changed() { throw changed }
            return count
        } catch {
            throw try changed() ?? error
        }
    }

    /// Makes a lookup of single objects.
    package func lookup() -> ObjectLookup { ObjectLookup(pages, format: format) }

    /// One pass over the objects of classes.
    package struct Pass {
        private let database: RealmDatabase
        private let reader: NodeReader

        fileprivate init(_ database: RealmDatabase) {
            self.database = database
            reader = NodeReader(
                database.pages, format: database.format, seen: database.schemaNodes)
        }

        /// Calls a closure with each object of a class, in the order of their keys.
        ///
        /// - Returns: the number of objects.
        /// - Throws: ``RealmFileError`` if the file is damaged or has changed; what the closure
        ///   throws.
        @discardableResult
        package func forEach(
            of table: RealmClass, _ body: (RealmObject) throws -> Void
        ) throws -> Int {
            var objects = try objects(of: table)
            var count = 0
            while let object = try objects.next() {
                count += 1
                try body(object)
            }
            return count
        }

        /// The objects of a class, in the order of their keys.
        package func objects(of table: RealmClass) throws(RealmFileError) -> Objects {
            do throws(RealmFileError) {
                return Objects(
                    database: database, objects: try ObjectReader(table, reader))
            } catch {
                throw try database.changed() ?? error
            }
        }
    }

    /// The objects of a class, one after the other. At the end it is checked that no program has
    /// written the file.
    package struct Objects {
        fileprivate let database: RealmDatabase
        fileprivate var objects: ObjectReader

        /// Returns the next object; `nil` at the end.
        package mutating func next() throws(RealmFileError) -> RealmObject? {
            do throws(RealmFileError) {
                if let object = try objects.next() { return object }
            } catch {
                throw try database.changed() ?? error
            }
            if let changed = try database.changed() { throw changed }
            return nil
        }
    }

    /// Returns an error if a program has committed a transaction since the file was opened, whose
    /// nodes may overwrite those that are read.
    private func changed() throws(RealmFileError) -> RealmFileError? {
        try Self.changed(header, pages)
    }

    private static func changed(
        _ header: FileHeader, _ pages: DataPages
    ) throws(RealmFileError) -> RealmFileError? {
        guard try FileHeader(pages) != header else { return nil }
        return RealmFileError(.changed, "a program has written the file while it was read")
    }

    /// Reads the version of the app's schema.
    private static func schemaVersion(
        _ table: RealmClass, _ reader: NodeReader
    ) throws(RealmFileError) -> UInt64? {
        guard let index = table.properties.firstIndex(where: { $0.name == "version" }) else {
            return nil
        }
        var objects = try ObjectReader(table, reader)
        guard case .int(let version) = try objects.next()?.values[index] else { return nil }
        return version == -1 ? nil : UInt64(bitPattern: version)
    }

    /// Adds the primary keys, which have a table of their own up to format 9.
    private static func withPrimaryKeys(
        _ tables: [RealmClass], from keys: RealmClass?, _ reader: NodeReader
    ) throws(RealmFileError) -> [RealmClass] {
        guard let keys, let table = keys.properties.firstIndex(where: { $0.name == "pk_table" }),
            let property = keys.properties.firstIndex(where: { $0.name == "pk_property" })
        else { return tables }
        var tables = tables
        var objects = try ObjectReader(keys, reader)
        while let row = try objects.next() {
            guard case .string(let name) = row.values[table],
                case .string(let primaryKey) = row.values[property]
            else { continue }
            for index in tables.indices
            where [name, "class_\(name)"].contains(tables[index].tableName)
                && tables[index].primaryKey == nil
            {
                tables[index].primaryKey = primaryKey
            }
        }
        return tables
    }
}
