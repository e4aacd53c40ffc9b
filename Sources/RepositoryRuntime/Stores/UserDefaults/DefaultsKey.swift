/// The user defaults keys of a table: `database_<table>_item_<id>`.
///
/// The encoding is part of the frozen stored form. In both parts, `%`, control characters and
/// non-ASCII characters are percent-encoded. In the name of a table, the underscore of each `_item`
/// is percent-encoded too. Therefore different pairs of table and id have different keys.
struct DefaultsKey {
    /// The prefix of the keys of the table.
    let prefix: String

    /// Creates the keys of a table.
    init(table: String) {
        if let indexed = DocumentIndexNames.table(of: table) {
            // Index documents have keys that no record can have.
            prefix = "repository_index_\(Self.escaped(indexed))_item_"
        } else {
            prefix = "database_\(Self.escaped(table))_item_"
        }
    }

    /// The encoded name of a table.
    private static func escaped(_ table: String) -> String {
        let name = encode(table)
        var bytes: [UInt8] = []
        var rest = Array(name.utf8)[...]
        while let byte = rest.first {
            if rest.starts(with: "_item".utf8) {
                bytes.append(contentsOf: "%5F".utf8)
            } else {
                bytes.append(byte)
            }
            rest.removeFirst()
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the key of an id.
    func key(_ id: String) -> String { prefix + Self.encode(id) }

    /// Returns the id of a key.
    ///
    /// Returns nil if the key belongs to another table, or if it is not in the form that
    /// ``key(_:)`` produces.
    func id(_ key: String) -> String? {
        guard key.utf8.starts(with: prefix.utf8) else { return nil }
        let part = String(decoding: key.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
        guard let id = PercentEncoding.decode(part), !id.isEmpty, Self.encode(id) == part else {
            return nil
        }
        return id
    }

    /// Percent-encodes a string.
    private static func encode(_ text: String) -> String {
        PercentEncoding.encode(text) { (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "%") }
    }
}
