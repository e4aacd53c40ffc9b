internal import Foundation

/// Stored values as bytes, for what a migration writes down while it runs. Equal values have equal
/// bytes. The layout is private to one run.
package enum StoredBytes {
    /// The first byte of a value.
    private enum Tag: UInt8 {
        case null, no, yes, integer, double, decimal, date, uuid, text, data, list, object
    }

    /// Returns a value as bytes.
    package static func bytes(of value: StoredValue) -> [UInt8] {
        var bytes: [UInt8] = []
        append(value, to: &bytes)
        return bytes
    }

    /// Returns the value of bytes.
    ///
    /// - Throws: ``RecordDecodingError`` for bytes that ``bytes(of:)`` has not returned.
    package static func value(of bytes: [UInt8]) throws -> StoredValue {
        var rest = bytes[...]
        return try value(from: &rest)
    }

    private static func append(_ value: StoredValue, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes.append(Tag.null.rawValue)
        case .bool(let flag): bytes.append((flag ? Tag.yes : .no).rawValue)
        case .integer(let integer): append(.integer, integer, to: &bytes)
        case .double(let number):
            append(.double, Int64(bitPattern: number.bitPattern), to: &bytes)
        case .decimal(let number): append(.decimal, Array(number.description.utf8), to: &bytes)
        case .date(let date):
            let bits = date.timeIntervalSinceReferenceDate.bitPattern
            append(.date, Int64(bitPattern: bits), to: &bytes)
        case .uuid(let uuid):
            bytes.append(Tag.uuid.rawValue)
            withUnsafeBytes(of: uuid.uuid) { bytes.append(contentsOf: $0) }
        case .text(let text): append(.text, Array(text.utf8), to: &bytes)
        case .data(let data): append(.data, Array(data), to: &bytes)
        case .list(let elements):
            append(.list, Int64(elements.count), to: &bytes)
            for element in elements { append(element, to: &bytes) }
        case .object(let members):
            append(.object, Int64(members.count), to: &bytes)
            for (name, member) in members.sorted(by: { $0.key.precedes($1.key) }) {
                append(.text, Array(name.utf8), to: &bytes)
                append(member, to: &bytes)
            }
        }
    }

    private static func append(_ tag: Tag, _ integer: Int64, to bytes: inout [UInt8]) {
        bytes.append(tag.rawValue)
        withUnsafeBytes(of: integer.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private static func append(_ tag: Tag, _ content: [UInt8], to bytes: inout [UInt8]) {
        append(tag, Int64(content.count), to: &bytes)
        bytes.append(contentsOf: content)
    }

    private static func value(from bytes: inout ArraySlice<UInt8>) throws -> StoredValue {
        guard let tag = bytes.popFirst().flatMap(Tag.init) else { throw damage }
        switch tag {
        case .null: return .null
        case .no: return .bool(false)
        case .yes: return .bool(true)
        case .integer: return .integer(try integer(from: &bytes))
        case .double:
            return .double(Double(bitPattern: UInt64(bitPattern: try integer(from: &bytes))))
        case .decimal:
            guard let number = Decimal(string: try text(from: &bytes)) else { throw damage }
            return .decimal(number)
        case .date:
            let bits = UInt64(bitPattern: try integer(from: &bytes))
            return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits)))
        case .uuid:
            var uuid = UUID().uuid
            let content = try take(16, from: &bytes)
            withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: content) }
            return .uuid(UUID(uuid: uuid))
        case .text: return .text(try text(from: &bytes))
        case .data: return .data(Data(try content(from: &bytes)))
        case .list:
            let count = try count(from: &bytes)
            return .list(try (0..<count).map { _ in try value(from: &bytes) })
        case .object:
            var members: [String: StoredValue] = [:]
            for _ in 0..<(try count(from: &bytes)) {
                guard case .text(let name) = try value(from: &bytes) else { throw damage }
                members[name] = try value(from: &bytes)
            }
            return .object(members)
        }
    }

    private static func integer(from bytes: inout ArraySlice<UInt8>) throws -> Int64 {
        var integer: Int64 = 0
        let content = try take(8, from: &bytes)
        withUnsafeMutableBytes(of: &integer) { $0.copyBytes(from: content) }
        return Int64(littleEndian: integer)
    }

    /// Reads a number of parts, each of which has a byte at least.
    private static func count(from bytes: inout ArraySlice<UInt8>) throws -> Int {
        let count = Int(clamping: try integer(from: &bytes))
        guard count >= 0, count <= bytes.count else { throw damage }
        return count
    }

    private static func content(from bytes: inout ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
        try take(Int(clamping: try integer(from: &bytes)), from: &bytes)
    }

    private static func text(from bytes: inout ArraySlice<UInt8>) throws -> String {
        String(decoding: try content(from: &bytes), as: UTF8.self)
    }

    private static func take(
        _ count: Int, from bytes: inout ArraySlice<UInt8>
    ) throws -> ArraySlice<UInt8> {
        guard count >= 0, count <= bytes.count else { throw damage }
        defer { bytes.removeFirst(count) }
        return bytes.prefix(count)
    }

    private static var damage: RecordDecodingError { RecordDecodingError("is damaged") }
}

extension String {
    fileprivate func precedes(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }
}
