internal import Foundation

/// A keyed archive (`NSKeyedArchiver`) in a binary property list: its objects, one by one.
///
/// Its graph of objects may contain cycles. It is not `Sendable`, because it caches what it read.
final class KeyedArchive {
    /// What a reference or an inline value of an archive is.
    enum Value {
        case null
        case bool(Bool)
        case integer(Int128)
        case double(Double)
        case date(Double)
        case data(Data)
        case string(String)
        case list([Int])
        case object(Object)
    }

    /// An object of a class, or a dictionary without one.
    struct Object {
        /// The number in the property list, by which the object is known.
        let number: Int
        /// The class; `nil` for a dictionary.
        let className: String?
        /// The numbers of the values by their keys.
        let members: [String: Int]
    }

    private let list: BinaryPropertyList
    private let objects: [Int]
    /// The number of the top-level object.
    let root: Int
    private var cache: [Int: Value] = [:]
    private var names: [Int: String] = [:]

    /// Reads the outermost parts of an archive.
    ///
    /// - Throws: ``CoreDataFileError`` if it is damaged, or no keyed archive.
    init(_ bytes: [UInt8]) throws(CoreDataFileError) {
        let list = try BinaryPropertyList(bytes)
        let none = CoreDataFileError(.damaged, "The property list is not a keyed archive.")
        func members(_ number: Int) throws(CoreDataFileError) -> [(String, Int)] {
            guard case .dictionary(let keys, let values) = try list.object(number) else {
                throw none
            }
            var found: [(String, Int)] = []
            for (key, value) in zip(keys, values) {
                guard case .string(let name) = try list.object(key) else { throw none }
                found.append((name, value))
            }
            return found
        }
        let outer = try members(list.top)
        func member(_ name: String) -> Int? { outer.last { $0.0 == name }?.1 }
        if let archiver = member("$archiver") {
            guard case .string(let name) = try list.object(archiver),
                ["NSKeyedArchiver", "NSUIDKeyedArchiver"].contains(name)
            else { throw none }
        }
        guard let contents = member("$objects"), let top = member("$top"),
            case .list(let objects) = try list.object(contents)
        else { throw none }
        let roots = try members(top)
        guard let root = roots.last(where: { $0.0 == "root" })?.1 ?? roots.first?.1 else {
            throw none
        }
        self.list = list
        self.objects = objects
        self.root = root
    }

    /// The number of bytes of the archive.
    var byteCount: Int { list.byteCount }

    /// Returns what a number of the property list represents, and follows a reference.
    ///
    /// - Throws: ``CoreDataFileError`` if it is damaged.
    func value(_ number: Int) throws(CoreDataFileError) -> Value {
        if let known = cache[number] { return known }
        let found = try read(number)
        cache[number] = found
        return found
    }

    private func read(_ number: Int) throws(CoreDataFileError) -> Value {
        switch try list.object(number) {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .integer(let value): return .integer(value)
        case .real(let value): return .double(value)
        case .date(let value): return .date(value)
        case .data(let value): return .data(value)
        case .string(let value): return .string(value)
        case .list(let numbers), .set(let numbers): return .list(numbers)
        case .dictionary(let keys, let values): return try object(number, keys, values)
        case .reference(let index):
            guard objects.indices.contains(index) else {
                throw CoreDataFileError(
                    .damaged, "The archive refers to an object that is not there.")
            }
            switch try list.object(objects[index]) {
            case .reference: return .null
            case .string("$null"): return .null
            default: return try value(objects[index])
            }
        }
    }

    private func object(
        _ number: Int, _ keys: [Int], _ values: [Int]
    ) throws(CoreDataFileError) -> Value {
        var members: [String: Int] = [:]
        for (key, value) in zip(keys, values) { members[try name(key)] = value }
        let className = try members["$class"].flatMap(className)
        return .object(Object(number: number, className: className, members: members))
    }

    /// Returns the name of a class. It does not read its description as an object, which hostile
    /// archives give themselves as a class.
    private func className(_ number: Int) throws(CoreDataFileError) -> String? {
        guard case .dictionary(let keys, let values) = try followed(number) else { return nil }
        for (key, value) in zip(keys, values) where try name(key) == "$classname" {
            if case .string(let text) = try followed(value) { return text }
        }
        return nil
    }

    private func followed(_ number: Int) throws(CoreDataFileError) -> BinaryPropertyList.ListObject
    {
        let found = try list.object(number)
        guard case .reference(let index) = found, objects.indices.contains(index) else {
            return found
        }
        return try list.object(objects[index])
    }

    /// Returns a key of a dictionary. Most objects have the same ones.
    private func name(_ number: Int) throws(CoreDataFileError) -> String {
        if let known = names[number] { return known }
        guard case .string(let name) = try list.object(number) else {
            throw CoreDataFileError(
                .damaged, "An object of the archive has a key that is no string.")
        }
        names[number] = name
        return name
    }

    /// The names of all classes in the archive, `NSObject` left out.
    func classes() -> [String] {
        var found: Set<String> = []
        for number in objects {
            guard case .object(let object)? = try? value(number),
                let name = object.members["$classname"], let text = try? string(name)
            else { continue }
            found.insert(text)
        }
        return found.subtracting(["NSObject"]).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}

// MARK: - Values of standard classes

extension KeyedArchive {
    /// Returns an object; `nil` for null and for other values.
    func object(_ number: Int?) throws(CoreDataFileError) -> Object? {
        guard let number, case .object(let object) = try value(number) else { return nil }
        return object
    }

    /// Returns a string; `nil` if it is none.
    func string(_ number: Int?) throws(CoreDataFileError) -> String? {
        guard let number else { return nil }
        switch try value(number) {
        case .string(let text): return text
        case .object(let object):
            if let inner = object.members["NS.string"], case .string(let text) = try value(inner) {
                return text
            }
            if let inner = object.members["NS.bytes"], case .data(let data) = try value(inner) {
                return String(decoding: data, as: UTF8.self)
            }
            return nil
        default: return nil
        }
    }

    /// Returns an integer; `nil` if it is none.
    func integer(_ number: Int?) throws(CoreDataFileError) -> Int? {
        guard let number else { return nil }
        switch try value(number) {
        case .integer(let value): return Int(exactly: value)
        case .bool(let value): return value ? 1 : 0
        case .double(let value): return Int(exactly: value)
        default: return nil
        }
    }

    /// Returns whether a value is true; false if it is none.
    func isTrue(_ number: Int?) throws(CoreDataFileError) -> Bool {
        (try integer(number) ?? 0) != 0
    }

    /// Returns the numbers of the elements of a list or set; none for null.
    func items(_ number: Int?) throws(CoreDataFileError) -> [Int] {
        guard let object = try object(number) else { return [] }
        if let inner = object.members["NS.objects"] {
            guard case .list(let numbers) = try value(inner) else { return [] }
            return numbers
        }
        // Ordered sets of old systems and counted sets.
        var found: [Int] = []
        while let next = object.members["NS.object.\(found.count)"] { found.append(next) }
        return found
    }

    /// Returns the keys and the numbers of the values of a dictionary, that of the entities of a
    /// model among them.
    func pairs(_ number: Int?) throws(CoreDataFileError) -> [(key: String, value: Int)] {
        guard let object = try object(number) else { return [] }
        let keys: [Int]
        let values: [Int]
        if let mapping = try self.object(object.members["searchMapping"]) {
            keys = try items(mapping.members["keys"])
            values = try items(object.members["values"])
        } else {
            guard let first = object.members["NS.keys"], case .list(let found) = try value(first)
            else { return [] }
            keys = found
            values = try items(number)
        }
        var result: [(key: String, value: Int)] = []
        for (key, value) in zip(keys, values) {
            guard let name = try string(key) else {
                throw CoreDataFileError(
                    .damaged, "A dictionary of the archive has a key that is no string.")
            }
            result.append((name, value))
        }
        return result
    }
}
