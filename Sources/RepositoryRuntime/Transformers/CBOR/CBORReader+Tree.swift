internal import Foundation

extension CBORReader: DocumentTreeReader {
    func standsAtObject() -> Bool { major == CBORMajor.map }

    /// Reads any value that is not a container, without a requested type. Returns nil before a list
    /// or a map.
    mutating func readScalar() throws -> DocumentNode? {
        let head = try peekHead()
        switch head.major {
        case CBORMajor.unsigned:
            _ = try readHead()
            return Int64(exactly: head.argument).map(DocumentNode.integer)
                ?? .unsigned(head.argument)
        case CBORMajor.negative:
            if head.argument > UInt64(Int64.max) { return .decimal(try readDecimal()) }
            return .integer(try readInteger())
        case CBORMajor.bytes: return .data(try readData())
        case CBORMajor.text: return .string(try readString())
        case CBORMajor.tag: return try readTagged(head.argument)
        case CBORMajor.simple: return try readSimple()
        default: return nil
        }
    }

    /// Reads null, a Boolean or a float.
    private mutating func readSimple() throws -> DocumentNode {
        if try readNull() { return .null }
        if isFloating() { return .double(try readDouble()) }
        return .bool(try readBool())
    }

    /// Reads a tagged value. Unknown tags are ignored.
    private mutating func readTagged(_ tag: UInt64) throws -> DocumentNode? {
        switch tag {
        case CBORTag.dateText, CBORTag.seconds, CBORTag.extendedTime: return .date(try readDate())
        case CBORTag.positiveBignum, CBORTag.negativeBignum, CBORTag.decimal:
            return .decimal(try readDecimal())
        case CBORTag.url: return .url(try readURL())
        case CBORTag.uuid: return .uuid(try readUUID())
        default:
            // Nested tags are read in a loop, because recursion could exhaust the stack.
            while try readTag() != nil {}
            return try readScalar()
        }
    }
}
