internal import RealmFormat

/// The files of Realm. Every value is read, so that what is damaged is found.
struct RealmFileKind: FileKind {
    func recognizes(_ path: String, start: [UInt8], hasKey: Bool) -> Bool {
        hasKey || path.hasSuffix(".realm") || start.dropFirst(16).starts(with: "T-DB".utf8)
    }

    func inspect(_ path: String, key: [UInt8]?) throws(ImportProblem) -> InspectedFile {
        do {
            let database = try RealmDatabase(path: path, key: key)
            let pass = database.pass()
            var tables: [InspectedFile.Table] = []
            for table in database.tables {
                let count = try pass.forEach(of: table) { _ in }
                guard !table.isInternal else { continue }
                tables.append(
                    InspectedFile.Table(
                        name: table.name,
                        kind: table.kind == .object ? "object" : "\(table.kind) object",
                        count: count, primaryKey: table.primaryKey,
                        properties: table.properties.map {
                            InspectedFile.Property(
                                name: $0.name, type: database.typeName(of: $0),
                                isIndexed: $0.isIndexed)
                        }))
            }
            return InspectedFile(
                path: path, kind: "Realm", format: database.format, size: database.state.size,
                isEncrypted: database.isEncrypted,
                schemaVersion: database.schemaVersion.map(String.init), tables: tables,
                ownTables: database.tables.filter(\.isInternal).map(\.tableName),
                notes: database.notes + Self.notes(database),
                command: tables.isEmpty
                    ? nil
                    : "repository-generator import realm:\(path)"
                        + (database.isEncrypted ? " --key …" : ""))
        } catch let error as RealmFileError {
            throw ImportProblem(realm: path, error)
        } catch {
            throw ImportProblem(path: path, reason: "cannot be read: \(error)")
        }
    }

    private static func notes(_ database: RealmDatabase) -> [String] {
        var notes: [String] = []
        if database.format < 10 {
            notes.append("objects without a primary key have no identity in this format")
        }
        if database.historyType == 3 || database.historyType == 4 {
            notes.append(
                "the file was synchronized; changes that were not sent yet are in its history only")
        }
        if database.state.topRef == 0 { notes.append("nothing was ever committed to the file") }
        return notes
    }
}

extension ImportProblem {
    /// The reason why a Realm file cannot be read.
    init(realm path: String, _ error: RealmFileError) {
        let help = error.kind == .notRealm && path.hasSuffix(".realm") ? " ('--key')" : ""
        self.init(path: path, reason: "is not read: \(error.message)\(help)")
    }
}

extension RealmDatabase {
    /// Returns the type of a property as it is declared with RealmSwift.
    func typeName(of property: RealmProperty) -> String {
        var name: String
        switch property.type {
        case .int: name = "Int"
        case .bool: name = "Bool"
        case .string, .enumeratedString: name = "String"
        case .binary: name = "Data"
        case .date, .oldDate: name = "Date"
        case .float: name = "Float"
        case .double: name = "Double"
        case .decimal: name = "Decimal128"
        case .objectID: name = "ObjectId"
        case .uuid: name = "UUID"
        case .mixed: name = "AnyRealmValue"
        case .typedLink: name = "Object"
        case .link, .linkList:
            name = tables.last { $0.key == property.target }?.name ?? "Object"
        case .backlink: name = "LinkingObjects"
        case .table:
            let columns = property.columns ?? []
            let types = columns.map { "\($0.name): \(typeName(of: $0))" }
            name = "{ \(types.joined(separator: ", ")) }"
        }
        if property.isNullable, property.type != .mixed { name += "?" }
        return switch property.collection {
        case .list: "List<\(name)>"
        case .set: "MutableSet<\(name)>"
        case .dictionary: "Map<String, \(name)>"
        case nil: name
        }
    }
}
