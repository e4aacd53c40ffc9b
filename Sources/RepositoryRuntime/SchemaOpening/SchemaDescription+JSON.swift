package import Foundation
package import StoredSchema

extension SchemaDescription {
    /// Returns the description as JSON.
    ///
    /// - Throws: the error of the encoder; never for a schema that the generator created.
    package func json() throws -> Data {
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
    package init(json: Data, store: String) throws {
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
