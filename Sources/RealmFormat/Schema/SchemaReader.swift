/// Reads the top array and the descriptions of all tables.
struct SchemaReader {
    /// The most columns of a table, which is also the most tables.
    static let columnLimit = 1 << 16

    let reader: NodeReader
    private(set) var tables: [RealmClass] = []
    /// The number of the transaction.
    private(set) var version: UInt64 = 0
    /// 0: none, 1: outside of the file, 2: local, 3: of a synchronized client, 4: of a server.
    private(set) var historyType: UInt64 = 0

    /// - Parameters:
    ///   - reader: reads the nodes.
    ///   - topRef: the ref of the top array.
    ///   - size: the size of the file.
    init(_ reader: NodeReader, topRef: UInt64, size: Int) throws(RealmFileError) {
        self.reader = reader
        let top = try reader.refs(reader.node(topRef))
        guard 3...12 ~= top.count else {
            throw .damaged("the top array has \(top.count) entries")
        }
        let logicalSize = try top[ref: 2].asNumber()
        guard logicalSize <= UInt64(size) else {
            throw .damaged("the file is cut off: \(size) bytes of \(logicalSize)")
        }
        if top.count > 6 { version = try top[ref: 6].asNumber() }
        if top.count > 7 { historyType = try top[ref: 7].asNumber() }
        let names = try self.names(top[ref: 0])
        let refs = try reader.refs(reader.node(top[ref: 1].asRef()))
        guard names.count == refs.count else {
            throw .damaged("\(names.count) table names for \(refs.count) tables")
        }
        for (index, name) in names.enumerated() {
            let ref = refs[ref: index]
            // The place of a removed table.
            guard ref != 0, ref & 1 == 0 else { continue }
            tables.append(
                reader.format >= 10
                    ? try clusteredTable(name, ref) : try columnTable(name, index, ref))
        }
        for table in tables.indices {
            tables[table] = try withValues(tables[table])
        }
    }

    /// Reads columns only.
    init(_ reader: NodeReader) { self.reader = reader }

    /// Reads the names of tables or columns, which are never null.
    func names(_ ref: UInt64) throws(RealmFileError) -> [String] {
        let node = try reader.node(ref.asRef())
        guard !node.hasRefs else { throw .damaged("node \(node.ref) is not an array of names") }
        let leaf = try StringLeaf.strings(node, isNullable: false, reader)
        var names: [String] = []
        for index in 0..<leaf.count {
            names.append(Self.name(try leaf.bytes(at: index, reader) ?? []))
        }
        return names
    }

    /// Returns a name. If it is not UTF-8, its bytes are told apart nevertheless.
    private static func name(_ bytes: ArraySlice<UInt8>) -> String {
        if let name = String(validating: bytes, as: UTF8.self) { return name }
        return bytes.map { byte in
            byte < 0x80 ? String(UnicodeScalar(byte)) : "\\x" + String(byte, radix: 16)
        }.joined()
    }

    /// Returns the type of a column.
    func type(_ number: Int, of table: String) throws(RealmFileError) -> RealmType {
        guard let type = RealmType(rawValue: number) else {
            throw RealmFileError(
                .unknownContent, "table \(table): column type \(number) is not known")
        }
        return type
    }

    /// Reads the values of the enumerated strings of a table.
    private func withValues(_ table: RealmClass) throws(RealmFileError) -> RealmClass {
        RealmClass(
            tableName: table.tableName, key: table.key, kind: table.kind,
            properties: try withValues(table.properties), primaryKey: table.primaryKey,
            data: table.data)
    }

    /// Reads the values of enumerated strings.
    func withValues(_ columns: [RealmProperty]) throws(RealmFileError) -> [RealmProperty] {
        var columns = columns
        for index in columns.indices {
            if columns[index].enumerationRef != 0 {
                let string = RealmProperty(
                    name: "", type: .string, isNullable: columns[index].isNullable, place: 0)
                var values = CollectionReader(reader)
                columns[index].enumeration = try values.elements(
                    columns[index].enumerationRef, string)
            }
            if let inner = columns[index].columns {
                columns[index].columns = try withValues(inner)
            }
        }
        return columns
    }

    /// Renames columns without a name, and those with the name of another one, as Realm does when
    /// it upgrades a file.
    static func named(_ columns: [(index: Int, column: RealmProperty)]) -> [RealmProperty] {
        var used: Set<String> = []
        return columns.map { index, column in
            var column = column
            if column.name.isEmpty { column.name = "col_\(index)" }
            while !used.insert(column.name).inserted { column.name += "_\(index)" }
            return column
        }
    }
}
