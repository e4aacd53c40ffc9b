internal import Foundation

/// A document as a tree, between `Codable` and the formats without a Foundation coder.
/// ``TreeEncoder`` builds it, and ``TreeDecoder`` reads it.
indirect enum DocumentNode {
    /// The missing value.
    case null
    case bool(Bool)
    case integer(Int64)
    /// An integer greater than `Int64.max`.
    case unsigned(UInt64)
    /// A number of single precision, which a format may encode in fewer bytes or digits than
    /// ``double(_:)``.
    case float(Float)
    case double(Double)
    case decimal(Decimal)
    case date(Date)
    case uuid(UUID)
    case url(URL)
    case string(String)
    case data(Data)
    case list([DocumentNode])
    /// The members in the order in which they were written or read.
    case object([(key: String, value: DocumentNode)])
}

extension DocumentNode {
    /// Writes the tree.
    ///
    /// - Parameters:
    ///   - writer: the writer of the format.
    ///   - depth: the number of containers around this node.
    /// - Throws: ``FieldFailure`` with the path of a value that the format cannot represent, and
    ///   for a tree deeper than readers accept.
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

    /// The maximum number of containers that the value itself takes in a format: property lists
    /// encode a decimal as a list in an object.
    private var containers: Int {
        switch self {
        case .list, .object, .url: 1
        case .decimal: 2
        default: 0
        }
    }

    /// Returns the number as an integer; nil if the value is not a number, not integral, or out of
    /// range.
    func integer<I: FixedWidthInteger>(_ type: I.Type) -> I? {
        switch self {
        case .integer(let value): I(exactly: value)
        case .unsigned(let value): I(exactly: value)
        case .float(let value): I(exactly: value)
        case .double(let value): I(exactly: value)
        default: nil
        }
    }

    /// The number as a `Double`; nil if the value is not a number.
    var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .float(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    /// The type of the value, for error messages.
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

/// A reader that can detect the type of the next value, as self-describing formats can.
protocol DocumentTreeReader: DocumentReader {
    /// Reads a scalar of any type. Returns nil and reads nothing before an object or a list.
    mutating func readScalar() throws -> DocumentNode?
    /// Whether the next container is an object and not a list. Called after ``readScalar()``
    /// returned nil.
    func standsAtObject() -> Bool
}

extension DocumentTreeReader {
    /// Reads a value of any type. The recursion is bounded by ``DocumentLimits/depth``.
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
