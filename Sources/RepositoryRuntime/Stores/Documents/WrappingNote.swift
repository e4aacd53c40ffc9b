internal import Foundation

/// The note of a store whose documents a transformer with keys wraps.
struct WrappingNote: Codable, Equatable {
    /// The name of the note.
    static let name = "wrapping"
    /// The place at which ``renamed`` is wrapped.
    static let renamedPlace = DocumentPlace(collection: ".wrapping", key: "renamed")

    /// A key that documents were written with.
    struct NotedKey: Codable, Equatable {
        /// The value of ``WrappingTransformer/check(ofKey:)``.
        var check: Data
        /// Whether a program has written with the key since the last count of its documents began.
        var isWritten: Bool
    }

    /// The version of the form.
    var version = 1
    /// The keys by their ids.
    var keys: [String: NotedKey] = [:]
    /// The earlier names of collections as wrapped JSON. Nobody without the keys can add a name.
    var renamed: Data?

    init() {}

    /// Reads the note.
    ///
    /// - Throws: `databaseError` if the note is damaged or has a newer form.
    init(_ data: Data, store: String) throws {
        do {
            self = try JSONDecoder().decode(Self.self, from: data)
        } catch {
            throw CRUDRepositoryError(
                .databaseError, "The note of the keys of \(store) cannot be read.",
                underlyingError: error)
        }
        guard version == 1 else {
            throw CRUDRepositoryError(
                .databaseError,
                "The keys of \(store) were noted by a newer program (form \(version)).")
        }
    }

    /// Returns the note's bytes.
    func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }
}
