internal import CoreDataFormat
internal import Foundation

/// A store of Core Data or SwiftData whose objects were all read once.
struct ScannedCoreData {
    /// What the values of a property of an entity have in common.
    struct Facts {
        /// The number of values that are not null.
        var count = 0
        /// The number of null values, and of references to objects that do not exist.
        var nullCount = 0
        /// The number of references to objects that do not exist.
        var danglingCount = 0
        /// The different strings; `nil` if there are many.
        var few: Set<String>? = []
        /// The type of the plain values of a transformable; `nil` if they have several.
        var plainType: PlainType? = .unknown
        /// The classes of archives that contain others than standard classes.
        var classes: Set<String> = []
        /// Whether every string is a URL.
        var areURLs = true
        /// The most digits behind the point of a decimal.
        var scale = 0
        /// The range of the numbers, or of the lengths of strings.
        var range: ClosedRange<Double>?
        /// The number of values in files that are missing.
        var missingFileCount = 0
    }

    /// A type of plain values.
    enum PlainType: Equatable {
        /// Of no value, or of an empty list.
        case unknown
        case list(String?)
        case map(String?)
    }

    let path: String
    let store: CoreDataStore
    let report: StoreReport
    /// The facts by entity and property; of an element of a composite, by `property.element`.
    private(set) var facts: [String: [String: Facts]] = [:]

    /// Reads a store.
    ///
    /// - Throws: ``ImportProblem``.
    init(_ path: String, model: String?) throws(ImportProblem) {
        self.path = path
        do throws(CoreDataFileError) {
            store = try CoreDataStore(path: path, model: model)
            report = try store.report()
            for entity in store.entities {
                var found: [String: Facts] = [:]
                let cursor = try store.objects(entity.name)
                while let object = try cursor.next() {
                    for (name, value) in object.attributes {
                        found[name, default: Facts()].add(value)
                        guard case .composite(let fields) = value else { continue }
                        Self.add(fields, name, to: &found)
                    }
                    for (name, other) in object.toOne {
                        found[name, default: Facts()].add(other)
                        if object.dangling[name] != nil {
                            found[name, default: Facts()].danglingCount += 1
                        }
                    }
                }
                facts[entity.name] = found
            }
        } catch {
            throw ImportProblem(coreData: path, error)
        }
    }

    private static func add(
        _ fields: [ObjectField], _ prefix: String, to found: inout [String: Facts]
    ) {
        for field in fields {
            let name = "\(prefix).\(field.name)"
            found[name, default: Facts()].add(field.value)
            if case .composite(let inner) = field.value { add(inner, name, to: &found) }
        }
    }

    /// The name of the file.
    var source: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The facts of a property of several entities.
    func facts(_ entities: [String], _ property: String) -> Facts {
        var all = Facts()
        for entity in entities {
            if let found = facts[entity]?[property] { all.merge(found) }
        }
        return all
    }

    /// Whether no two objects have the same values of properties.
    func isUnique(_ entity: String, _ properties: [String], withChildren: Bool) -> Bool {
        let found = try? store.hasDuplicates(entity, properties, withChildren: withChildren)
        return found == false
    }
}

extension ImportProblem {
    /// The reason why a store of Core Data cannot be read.
    init(coreData path: String, _ error: CoreDataFileError) {
        self.init(path: path, reason: "is not read: \(error.reason)")
    }
}

extension ScannedCoreData.Facts {
    fileprivate mutating func add(_ reference: ObjectReference?) {
        if reference == nil { nullCount += 1 } else { count += 1 }
    }

    fileprivate mutating func add(_ value: ObjectValue) {
        if value == .null { nullCount += 1 } else { count += 1 }
        switch value {
        case .null, .bool, .uuid, .composite, .data, .date: break
        case .integer(let number): addRange(Double(number))
        case .double(let number): addRange(number)
        case .decimal(let number):
            addRange((number as NSDecimalNumber).doubleValue)
            scale = max(scale, -number.exponent)
        case .string(let text):
            addFew(text)
            addRange(Double(text.count))
            if URL(string: text) == nil { areURLs = false }
        case .enumCase(let text): addFew(text)
        case .archive(let plain, _), .propertyList(let plain, _):
            addType(ScannedCoreData.PlainType(plain))
        case .json: plainType = nil
        case .opaque(_, let names):
            classes.formUnion(names)
            plainType = nil
        case .missingFile: missingFileCount += 1
        }
    }

    private mutating func addRange(_ number: Double) {
        guard number.isFinite else { return }
        range =
            range.map { min($0.lowerBound, number)...max($0.upperBound, number) }
            ?? number...number
    }

    private mutating func addFew(_ text: String) {
        few?.insert(text)
        if few?.count ?? 0 > 12 { few = nil }
    }

    private mutating func addType(_ added: ScannedCoreData.PlainType?) {
        guard let own = plainType, let added else {
            plainType = nil
            return
        }
        switch (own, added) {
        case (_, .unknown): break
        case (.unknown, _), (.list(nil), .list), (.map(nil), .map): plainType = added
        case (.list, .list(nil)), (.map, .map(nil)): break
        default: if own != added { plainType = nil }
        }
    }

    fileprivate mutating func merge(_ other: Self) {
        count += other.count
        nullCount += other.nullCount
        danglingCount += other.danglingCount
        missingFileCount += other.missingFileCount
        scale = max(scale, other.scale)
        areURLs = areURLs && other.areURLs
        classes.formUnion(other.classes)
        addType(other.plainType)
        if let found = other.few { found.forEach { addFew($0) } } else { few = nil }
        if let found = other.range {
            addRange(found.lowerBound)
            addRange(found.upperBound)
        }
    }
}

extension ScannedCoreData.PlainType {
    /// Returns the type of a value; `nil` if no type of the schema language has it.
    fileprivate init?(_ value: PlainValue) {
        switch value {
        case .null: self = .unknown
        case .list(let items):
            guard let name = Self.name(items) else { return nil }
            self = .list(name.isEmpty ? nil : name)
        case .dictionary(let pairs):
            guard pairs.allSatisfy({ $0.key.string != nil }),
                let name = Self.name(pairs.map(\.value))
            else { return nil }
            self = .map(name.isEmpty ? nil : name)
        default: return nil
        }
    }

    /// The type of all values; empty for none, `nil` for several.
    private static func name(_ values: [PlainValue]) -> String? {
        var found = ""
        for value in values {
            let name: String
            switch value {
            case .bool: name = "Bool"
            case .integer(let number) where Int64(exactly: number) != nil: name = "Int64"
            case .double: name = "Double"
            case .string: name = "String"
            case .uuid: name = "UUID"
            case .date: name = "Date"
            case .data: name = "Data"
            default: return nil
            }
            guard found.isEmpty || found == name else { return nil }
            found = name
        }
        return found
    }
}
