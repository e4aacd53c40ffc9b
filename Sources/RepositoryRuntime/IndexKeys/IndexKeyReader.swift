internal import Foundation

/// Decodes keys written by ``IndexKeyWriter``: skips the fields, and decodes the components of the
/// id.
///
/// Malformed bytes give nil or false, and never a trap.
struct IndexKeyReader {
    /// The bytes of the key.
    private let bytes: [UInt8]
    /// The offset of the next byte. It may exceed the length after a failed ``skip(descending:)``.
    private(set) var position: Int
    /// The XOR mask of each byte: all ones in a descending field.
    private var mask: UInt8 = 0

    init(_ key: IndexKey, at position: Int = 0) {
        bytes = key.bytes
        self.position = position
    }

    /// Whether all bytes were read.
    var isAtEnd: Bool { position == bytes.count }

    /// Skips the value of a field. Returns false if there is no complete value.
    mutating func skip(descending: Bool) -> Bool {
        mask = descending ? 0xFF : 0
        defer { mask = 0 }
        guard let kind = nextKind() else { return false }
        return skip(kind)
    }

    /// Skips the rest of a value of the given kind.
    private mutating func skip(_ kind: IndexKeyWriter.Kind) -> Bool {
        switch kind {
        case .end: return false
        case .null: return true
        case .bool: return skip(count: 1)
        case .integer, .double, .date: return skip(count: 8)
        case .uuid: return skip(count: 16)
        case .text, .data: return skipTerminated()
        case .decimal:
            guard let sign = next(), sign < 4 else { return false }
            if sign == 0 || sign == 2 { return true }
            let outer = mask
            defer { mask = outer }
            if sign == 1 { mask = ~mask }
            return skip(count: 2) && skipTerminated()
        case .list, .object:
            while let kind = nextKind() {
                if kind == .end { return true }
                guard skip(kind) else { return false }
            }
            return false
        }
    }

    /// Decodes the next value as a component of an id: a Boolean, an integer, a UUID, a string, or
    /// a composite of these.
    mutating func component(_ type: StoredType) -> StoredValue? {
        guard let kind = nextKind() else { return nil }
        switch kind {
        case .null: return .null
        case .bool: return next().map { .bool($0 != 0) }
        case .integer:
            guard position + 8 <= bytes.count else { return nil }
            let word = bytes[position..<position + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            position += 8
            return .integer(Int64(bitPattern: word ^ 1 << 63))
        case .uuid: return uuid()
        case .text: return text().map { .text($0) }
        case .object:
            guard case .composite(let layout) = type else { return nil }
            var fields: [String: StoredValue] = [:]
            for field in layout.fields {
                guard let value = component(field.type) else { return nil }
                if value != .null { fields[field.name] = value }
            }
            return nextKind() == .end ? .object(fields) : nil
        case .end, .double, .decimal, .date, .data, .list: return nil
        }
    }

    /// Reads the 16 bytes of a UUID.
    private mutating func uuid() -> StoredValue? {
        guard position + 16 <= bytes.count else { return nil }
        var value = UUID().uuid
        withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: bytes[position..<position + 16]) }
        position += 16
        return .uuid(UUID(uuid: value))
    }

    /// Decodes a terminated string. Only a string with escaped or inverted bytes is decoded byte by
    /// byte.
    private mutating func text() -> String? {
        let start = position
        guard skipTerminated() else { return nil }
        let content = bytes[start..<position - 1]
        if mask == 0, !content.contains(1) { return String(validating: content, as: UTF8.self) }
        position = start
        return terminated().flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Decodes terminated content and removes the escapes.
    private mutating func terminated() -> [UInt8]? {
        var content: [UInt8] = []
        while let byte = next() {
            switch byte {
            case 0: return content
            case 1:
                guard let escaped = next(), escaped == 1 || escaped == 2 else { return nil }
                content.append(escaped - 1)
            default: content.append(byte)
            }
        }
        return nil
    }

    /// Skips to after the terminator, which is the only zero byte of the content.
    private mutating func skipTerminated() -> Bool {
        guard position < bytes.count else { return false }
        let end = bytes[position...].firstIndex(of: mask)
        position = end.map { $0 + 1 } ?? bytes.count
        return end != nil
    }

    /// Skips a fixed number of bytes. Returns false if the key is too short.
    private mutating func skip(count: Int) -> Bool {
        position += count
        return position <= bytes.count
    }

    /// Reads the byte for the kind of a value; nil if it is unknown.
    private mutating func nextKind() -> IndexKeyWriter.Kind? {
        next().flatMap(IndexKeyWriter.Kind.init)
    }

    /// Reads the next byte; nil at the end.
    private mutating func next() -> UInt8? {
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position] ^ mask
    }
}
