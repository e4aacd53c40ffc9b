/// The keys of user defaults, by the frozen stored form: `database_<table>_item_<id>`.
///
/// In both parts `%`, controls and what is not ASCII are percent-encoded; in a table's name so is the underscore of each
/// `_item`, so that no table and id meet another table and id.
struct DefaultsKey {
    /// What the keys of a table begin with.
    let prefix: String

    /// The keys of a table.
    init(table: String) {
        if let indexed = DocumentIndexNames.table(of: table) {
            // Outside the keys of documents.
            prefix = "repository_index_\(Self.escaped(indexed))_item_"
        } else {
            prefix = "database_\(Self.escaped(table))_item_"
        }
    }

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

    /// The key of an id.
    func key(_ id: String) -> String { prefix + Self.encode(id) }

    /// The id of a key; nil for a key of another table, and for one that the stored form would write differently.
    func id(_ key: String) -> String? {
        guard key.utf8.starts(with: prefix.utf8) else { return nil }
        let part = String(decoding: key.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
        guard let id = PercentEncoding.decode(part), !id.isEmpty, Self.encode(id) == part else {
            return nil
        }
        return id
    }

    private static func encode(_ text: String) -> String {
        PercentEncoding.encode(text) { (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "%") }
    }
}
