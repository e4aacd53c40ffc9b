public import Foundation

/// The description of a schema that a store keeps beside the data: what the data looks like,
/// whoever wrote it.
///
/// It holds what matters to stored bytes and nothing else: no Swift type names, no documentation,
/// no earlier names. Its JSON is the same bytes for the same schema.
public struct StoredSchema: Sendable, Hashable, Codable {
    /// The form of the description that this program writes, and the newest it reads.
    public static let formatVersion = 1

    /// The form this description was written in.
    public let format: Int
    /// The name of the generated set.
    public let name: String
    /// The fingerprints of the schemas that the data has been through, oldest first; the last is of
    /// ``tables``.
    public let history: [String]
    /// The tables, by name.
    public let tables: [StoredTable]

    /// The fingerprint of the schema that the data has now.
    public var fingerprint: String { history.last ?? "" }

    /// Describes a declared schema.
    ///
    /// - Parameters:
    ///   - schema: the schema as the program declares it.
    ///   - previous: what the data was before, whose history goes on.
    ///   - form: how the store keeps records. Among tables with columns those of somebody else are left out: a store
    ///     that neither makes nor changes them has nothing to remember.
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

    /// A part of a store's description.
    init(name: String, history: [String], tables: [StoredTable]) {
        format = Self.formatVersion
        self.name = name
        self.history = history
        self.tables = tables
    }
}

extension StoredSchema {
    /// The description as JSON.
    ///
    /// - Throws: what the coder throws; never for a schema that the generator made.
    public func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    /// Reads the description of JSON.
    ///
    /// - Parameters:
    ///   - json: what ``json()`` wrote.
    ///   - store: the kind of store it was found in, for the message.
    /// - Throws: `schemaMismatch` for a description in a newer form, and for what is none.
    public init(json: Data, store: String) throws {
        self = try Self.decode(Self.self, from: json, upTo: Self.formatVersion, store: store)
    }

    /// Reads a description of one of the formats.
    ///
    /// - Throws: `schemaMismatch` for a description in a newer format than `format`, and for JSON
    ///   that is no description.
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

    /// The format of a description.
    static func format(of json: Data, store: String) throws -> Int {
        do {
            return try JSONDecoder().decode(Header.self, from: json).format
        } catch {
            throw unreadable(store, error)
        }
    }

    /// What can be read of a description in any form.
    private struct Header: Decodable {
        let format: Int
    }

    private static func unreadable(_ store: String, _ error: any Error) -> CRUDRepositoryError {
        var mismatch = CRUDRepositoryError.schemaMismatch(
            store: store, differences: ["the description of its schema cannot be read"])
        mismatch.underlyingError = error
        return mismatch
    }
}

extension StoredSchema {
    /// The hash of everything that matters to stored data; the order of tables, fields and indexes
    /// does not.
    static func fingerprint(of tables: [StoredTable]) -> String {
        var text = CanonicalText()
        text.add(tables.sorted { String.identifierPrecedes($0.name, $1.name) }) {
            $1.write(to: &$0)
        }
        return SHA256.hexadecimal(text.bytes)
    }
}

extension CRUDRepositoryError {
    /// The store holds another schema than the program's.
    ///
    /// - Parameters:
    ///   - store: the kind of store.
    ///   - differences: every difference, each in words without a final stop.
    public static func schemaMismatch(store: String, differences: [String]) -> Self {
        let list = differences.map { "\n- \($0)" }.joined()
        return Self(
            .schemaMismatch,
            "What is stored in \(store) does not fit the program's schema; nothing was changed:\(list)"
        )
    }
}
