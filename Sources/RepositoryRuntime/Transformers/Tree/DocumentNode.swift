internal import Foundation

/// A document as a tree: what stands between `Codable` and the formats that have no coder of Foundation's.
indirect enum DocumentNode {
    case null
    case bool(Bool)
    case integer(Int64)
    /// An integer past the largest `Int64`.
    case unsigned(UInt64)
    case float(Float)
    case double(Double)
    case decimal(Decimal)
    case date(Date)
    case uuid(UUID)
    case url(URL)
    case string(String)
    case data(Data)
    case list([DocumentNode])
    /// Members in the order in which they were written.
    case object([(key: String, value: DocumentNode)])
}

extension DocumentNode {
    /// Writes the tree.
    ///
    /// - Parameter depth: how many containers it lies in.
    /// - Throws: ``FieldFailure`` with the path of a value that the format cannot hold, and for a tree that is deeper than
    ///   readers accept.
    func write<W: DocumentWriter>(to writer: inout W, depth: Int = 0) throws {
        guard depth + containers <= DocumentLimits.depth else {
            throw FieldFailure(
                "has more than \(DocumentLimits.depth) containers inside one another")
        }
        switch self {
        case .null: try writer.writeNull()
        case .bool(let value): try writer.write(value)
        case .integer(let value): try writer.write(value)
        case .unsigned(let value): try writer.write(value)
        case .float(let value): try writer.write(value)
        case .double(let value): try writer.write(value)
        case .decimal(let value): try writer.write(value)
        case .date(let value): try writer.write(value)
        case .uuid(let value): try writer.write(value)
        case .url(let value): try writer.write(value)
        case .string(let value): try writer.write(value)
        case .data(let value): try writer.write(value)
        case .list(let elements):
            try writer.beginList(count: elements.count)
            for (position, element) in elements.enumerated() {
                try writer.beginElement(position: position)
                do { try element.write(to: &writer, depth: depth + 1) } catch {
                    throw FieldFailure.inside(nil, position, error)
                }
            }
            try writer.endList(count: elements.count)
        case .object(let members):
            try writer.beginMap(count: members.count)
            for (position, member) in members.enumerated() {
                do {
                    try writer.writeMapKey(member.key, position: position)
                    try member.value.write(to: &writer, depth: depth + 1)
                } catch {
                    throw FieldFailure.inside(member.key, error)
                }
            }
            try writer.endMap(count: members.count)
        }
    }

    /// How many containers the value itself takes, at most: property lists write a decimal as a list in an object.
    private var containers: Int {
        switch self {
        case .list, .object, .url: 1
        case .decimal: 2
        default: 0
        }
    }

    /// The number as an integer; nil where it is none, or too large for the type.
    func integer<I: FixedWidthInteger>(_ type: I.Type) -> I? {
        switch self {
        case .integer(let value): I(exactly: value)
        case .unsigned(let value): I(exactly: value)
        case .float(let value): I(exactly: value)
        case .double(let value): I(exactly: value)
        default: nil
        }
    }

    /// The number in double precision; nil where it is none.
    var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .float(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// The kind in words, for messages.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a truth value"
        case .integer, .unsigned: "an integer"
        case .float, .double: "a number"
        case .decimal: "a decimal"
        case .date: "a date"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .string: "a text"
        case .data: "data"
        case .list: "a list"
        case .object: "an object"
        }
    }
}

/// A reader that can tell which kind of value comes next.
protocol DocumentTreeReader: DocumentReader {
    /// Reads a scalar of whatever kind; nil, and nothing is read, before an object or a list.
    mutating func readScalar() throws -> DocumentNode?
    /// Whether an object comes next, not a list; asked where ``readScalar()`` gave nil.
    func standsAtObject() -> Bool
}

extension DocumentTreeReader {
    /// Reads a value of whatever kind.
    mutating func readNode() throws -> DocumentNode {
        if let scalar = try readScalar() { return scalar }
        guard standsAtObject() else {
            var elements: [DocumentNode] = []
            var frame = try beginList()
            while try nextElement(&frame) { elements.append(try readNode()) }
            return .list(elements)
        }
        var members: [(key: String, value: DocumentNode)] = []
        var frame = try beginObject()
        while try nextMember(&frame) {
            let key = try readKey(&frame)
            members.append((key, try readNode()))
        }
        return .object(members)
    }
}
