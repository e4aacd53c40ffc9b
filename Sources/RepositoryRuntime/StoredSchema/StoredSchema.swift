public import Foundation

/// The description of a schema that a store saves with the data: the structure of the data,
/// regardless of which program wrote it.
///
/// It contains only what affects the stored bytes: no Swift type names, no documentation and no
/// earlier names. Its JSON encoding is canonical.
public struct StoredSchema: Sendable, Hashable, Codable {
    /// The format version that this version of the library writes, and the newest that it reads.
    public static let formatVersion = 1

    /// The format version of this description.
    public let format: Int
    /// The name of the generated set.
    public let name: String
    /// The fingerprints of the schemas that the data has had, oldest first. The last one is the
    /// fingerprint of ``tables``.
    public let history: [String]
    /// The tables, sorted by name.
    public let tables: [StoredTable]

    /// The fingerprint of the current schema of the data.
    public var fingerprint: String { history.last ?? "" }

    /// Describes a declared schema.
    ///
    /// - Parameters:
    ///   - schema: the declared schema.
    ///   - previous: the previous description, whose history is continued.
    ///   - form: how the store stores records. In a store with columns, unmanaged tables are not
    ///     included, because the store neither creates nor migrates them.
    public init(
        _ schema: StoreSchema, after previous: StoredSchema? = nil,
        form: SchemaComparison.Form = .documents
    ) {
        format = Self.formatVersion
        name = schema.name
        let described = DescribedTables.of(schema, form)
        tables = described.tables
        let fingerprint = described.fingerprint
        let earlier = previous?.history ?? []
        history = earlier.filter { $0 != fingerprint } + [fingerprint]
    }

    /// Creates a part of a store description.
    init(name: String, history: [String], tables: [StoredTable]) {
        format = Self.formatVersion
        self.name = name
        self.history = history
        self.tables = tables
    }
}

extension StoredSchema {
    /// Returns the description as JSON.
    ///
    /// - Throws: the error of the encoder; never for a schema that the generator created.
    public func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    /// Decodes a description from JSON.
    ///
    /// - Parameters:
    ///   - json: the result of ``json()``.
    ///   - store: the kind of store, for the error message.
    /// - Throws: `schemaMismatch` for a newer format version, and for invalid JSON.
    public init(json: Data, store: String) throws {
        self = try Self.decode(Self.self, from: json, upTo: Self.formatVersion, store: store)
    }

    /// Decodes a description in one of the known formats.
    ///
    /// - Throws: `schemaMismatch` for a format version newer than `format`, and for invalid JSON.
    static func decode<D: Decodable>(
        _ type: D.Type, from json: Data, upTo format: Int, store: String
    ) throws -> D {
        let found = try self.format(of: json, store: store)
        guard found <= format else {
            throw CRUDRepositoryError.schemaMismatch(
                store: store,
                differences: [
                    "it was written by a newer program: its description has the form \(found), and this program reads up to \(format)"
                ])
        }
        do {
            return try JSONDecoder().decode(type, from: json)
        } catch {
            throw unreadable(store, error)
        }
    }

    /// Returns the format version of a description.
    static func format(of json: Data, store: String) throws -> Int {
        do {
            return try JSONDecoder().decode(Header.self, from: json).format
        } catch {
            throw unreadable(store, error)
        }
    }

    /// The part of a description that can be decoded in every format.
    private struct Header: Decodable {
        let format: Int
    }

    /// Returns the error for a description that cannot be decoded.
    private static func unreadable(_ store: String, _ error: any Error) -> CRUDRepositoryError {
        var mismatch = CRUDRepositoryError.schemaMismatch(
            store: store, differences: ["the description of its schema cannot be read"])
        mismatch.underlyingError = error
        return mismatch
    }
}

extension StoredSchema {
    /// Returns the SHA-256 hash of everything that affects stored data. The order of tables, fields
    /// and indexes does not affect it.
    static func fingerprint(of tables: [StoredTable]) -> String {
        var text = CanonicalText()
        text.add(tables.sorted { String.identifierPrecedes($0.name, $1.name) }) {
            $1.write(to: &$0)
        }
        return SHA256.hexadecimal(text.bytes)
    }
}

extension CRUDRepositoryError {
    /// Returns the error for a store whose schema is incompatible with that of the program.
    ///
    /// - Parameters:
    ///   - store: the kind of store.
    ///   - differences: all differences, as messages without a final period.
    public static func schemaMismatch(store: String, differences: [String]) -> Self {
        let list = differences.map { "\n- \($0)" }.joined()
        return Self(
            .schemaMismatch,
            "What is stored in \(store) does not fit the program's schema; nothing was changed:\(list)"
        )
    }
}
