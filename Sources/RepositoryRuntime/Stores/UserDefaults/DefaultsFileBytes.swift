internal import Foundation

/// The encoding of the file that contains a domain of user defaults.
enum DefaultsFileBytes {
    /// Encodes a domain as a binary property list.
    ///
    /// Foundation reads the file after each change, and it reads a binary property list several
    /// times faster than XML. On Linux, Foundation copies each value byte by byte when it encodes a
    /// list, which took a third of the time of a change. Therefore this type encodes the list
    /// itself. It uses Foundation only if the domain contains a value of another type.
    static func encode(_ domain: [String: Any]) throws -> Data {
        var writer = BinaryPropertyListWriter()
        guard write(domain, to: &writer) else {
            writer.buffer.discard()
            return try PropertyListSerialization.data(
                fromPropertyList: domain, format: .binary, options: 0)
        }
        return writer.takeDocument()
    }

    /// Encodes a value. Returns false if the value is of a type that only Foundation can encode;
    /// the output is then incomplete.
    private static func write(_ value: Any, to writer: inout BinaryPropertyListWriter) -> Bool {
        switch value {
        case let data as Data: writer.write(data)
        case let text as String: writer.write(text)
        case let date as Date:
            // The domain may contain values of another program. Foundation encodes dates that no
            // record can contain.
            guard StoredDate.canStore(date) else { return false }
            writer.write(seconds: date.timeIntervalSinceReferenceDate)
        // Numbers are objects, and a cast would convert a number to `Bool` and vice versa.
        case let flag as Bool where type(of: value) == Bool.self: writer.write(flag)
        case let number as NSNumber: return write(number, to: &writer)
        case let list as [Any]:
            writer.beginList(count: list.count)
            for element in list where !write(element, to: &writer) { return false }
            writer.endList(count: list.count)
        case let members as [String: Any]: return write(members, to: &writer)
        default: return false
        }
        return true
    }

    /// Encodes a dictionary. Returns false as ``write(_:to:)`` for a value does.
    private static func write(
        _ members: [String: Any], to writer: inout BinaryPropertyListWriter
    ) -> Bool {
        writer.beginMap(count: members.count)
        for (position, member) in members.enumerated() {
            writer.writeMapKey(member.key, position: position)
            guard write(member.value, to: &writer) else { return false }
        }
        writer.endMap(count: members.count)
        return true
    }

    /// Encodes a number. Returns false if its type is ambiguous.
    private static func write(
        _ number: NSNumber, to writer: inout BinaryPropertyListWriter
    ) -> Bool {
        switch String(cString: number.objCType) {
        case "f": writer.write(number.floatValue)
        case "d": writer.write(number.doubleValue)
        case "s", "i", "l", "q": writer.write(number.int64Value)
        case "C", "S", "I", "L", "Q": writer.write(number.uint64Value)
        // "c" is the type of both `Bool` and `Int8`.
        default: return false
        }
        return true
    }
}
