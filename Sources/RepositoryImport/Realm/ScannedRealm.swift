internal import RealmFormat

/// A Realm file whose objects were all read once.
struct ScannedRealm {
    /// What the values of a property have in common.
    struct Facts {
        /// The most values of a property that could be an enum.
        fileprivate static let mostCases = 12

        /// Whether one of them is null.
        var hasNull = false
        /// The types of the values of a property that may have any type, with the classes of links.
        var mixedTypes: Set<MixedType> = []
        /// The different texts or numbers; `nil` if there are many.
        var few: Set<String>? = []
    }

    /// A type of a value of any type.
    enum MixedType: Hashable, Comparable {
        case bool, data, date, decimal, double, float, int
        /// A list or dictionary, which may have others in it.
        case json
        /// A link to a class, by the key of its table.
        case link(UInt32)
        case objectID, string, uuid
    }

    let path: String
    let database: RealmDatabase
    /// The number of objects, by the key of the table.
    private(set) var counts: [UInt32: Int] = [:]
    /// The facts of each property, by the key of the table.
    private(set) var facts: [UInt32: [Facts]] = [:]

    /// Reads a file.
    init(_ path: String, key: [UInt8]?) throws(ImportProblem) {
        self.path = path
        do {
            database = try RealmDatabase(path: path, key: key)
            let pass = database.pass()
            for table in database.tables {
                var found = [Facts](repeating: Facts(), count: table.properties.count)
                counts[table.key] = try pass.forEach(of: table) { object in
                    for (index, value) in object.values.enumerated() {
                        found[index].add(value, of: table.properties[index])
                    }
                }
                facts[table.key] = found
            }
        } catch let error as RealmFileError {
            throw ImportProblem(realm: path, error)
        } catch {
            throw ImportProblem(path: path, reason: "cannot be read: \(error)")
        }
    }

    /// The name of the file.
    var source: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Returns the class that links refer to.
    func target(of property: RealmProperty) -> RealmClass? {
        property.target.flatMap { key in database.classes.last { $0.key == key } }
    }
}

extension ScannedRealm.Facts {
    fileprivate mutating func add(_ value: RealmValue, of property: RealmProperty) {
        if property.type == .mixed { addTypes(of: value, isCollection: property.collection != nil) }
        switch value {
        case .null: hasNull = true
        // Texts and numbers that people give to the cases of an enum.
        case .string(let text) where text.isOneLine && text.utf8.count <= 40: addFew(text)
        case .int(let number) where 0..<1000 ~= number: addFew(String(number))
        default: few = nil
        }
    }

    private mutating func addFew(_ text: String) {
        few?.insert(text)
        if few?.count ?? 0 > Self.mostCases { few = nil }
    }

    /// Adds the type of a value or, of a collection, of its elements.
    private mutating func addTypes(of value: RealmValue, isCollection: Bool) {
        switch value {
        case .null: break
        case .list(let values), .set(let values):
            guard isCollection else { return _ = mixedTypes.insert(.json) }
            for value in values { addTypes(of: value, isCollection: false) }
        case .dictionary(let entries):
            guard isCollection else { return _ = mixedTypes.insert(.json) }
            for entry in entries { addTypes(of: entry.value, isCollection: false) }
        case .table: mixedTypes.insert(.json)
        case .bool: mixedTypes.insert(.bool)
        case .binary, .invalidString: mixedTypes.insert(.data)
        case .date: mixedTypes.insert(.date)
        case .decimal: mixedTypes.insert(.decimal)
        case .double: mixedTypes.insert(.double)
        case .float: mixedTypes.insert(.float)
        case .int: mixedTypes.insert(.int)
        case .link(let link): mixedTypes.insert(link.table.map { .link($0) } ?? .json)
        case .objectID: mixedTypes.insert(.objectID)
        case .string: mixedTypes.insert(.string)
        case .uuid: mixedTypes.insert(.uuid)
        }
    }
}
