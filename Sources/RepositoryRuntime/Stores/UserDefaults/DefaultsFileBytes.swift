internal import Foundation

/// The bytes of the file that holds a domain of user defaults.
enum DefaultsFileBytes {
    /// A binary property list, which Foundation reads several times faster than XML, and reads after each change.
    ///
    /// Foundation on Linux copies each value byte by byte when it writes, which was a third of what a change cost. So the
    /// list is written here, and left to Foundation only where it holds a value of a kind that is not known.
    static func encode(_ domain: [String: Any]) throws -> Data {
        var writer = BinaryPropertyListWriter()
        guard write(domain, to: &writer) else {
            writer.buffer.discard()
            return try PropertyListSerialization.data(
                fromPropertyList: domain, format: .binary, options: 0)
        }
        return writer.takeDocument()
    }

    /// False where a value is of a kind that is left to Foundation; what was written then is of no use.
    private static func write(_ value: Any, to writer: inout BinaryPropertyListWriter) -> Bool {
        switch value {
        case let data as Data: writer.write(data)
        case let text as String: writer.write(text)
        case let date as Date:
            // The domain may hold another program's values: a date that no record can hold is left to Foundation.
            guard StoredDate.canStore(date) else { return false }
            writer.write(seconds: date.timeIntervalSinceReferenceDate)
        // Numbers come as objects, and each of the two could be taken for the other.
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

    private static func write(
        _ number: NSNumber, to writer: inout BinaryPropertyListWriter
    ) -> Bool {
        switch String(cString: number.objCType) {
        case "f": writer.write(number.floatValue)
        case "d": writer.write(number.doubleValue)
        case "s", "i", "l", "q": writer.write(number.int64Value)
        case "C", "S", "I", "L", "Q": writer.write(number.uint64Value)
        // "c" is a Bool or a small number.
        default: return false
        }
        return true
    }
}
