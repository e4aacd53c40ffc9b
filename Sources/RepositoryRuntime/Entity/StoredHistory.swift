internal import Foundation
internal import StoredSchema
internal import Synchronization

/// The released versions in generated code, decoded at the first use.
///
/// A program without versions, and one whose stores are empty or in memory, never decodes them. The
/// text of a large schema takes milliseconds, and each store asks for them when it is opened.
final class StoredHistory: Sendable {
    /// The parts of the JSON text; empty if no version has been released.
    let text: [String]
    private let decoded = Mutex<SchemaHistory?>(nil)

    /// Creates a history from the parts of its JSON text.
    init(_ text: [String]) { self.text = text }

    /// Returns the versions; nil if none has been released.
    ///
    /// - Throws: `DecodingError` if the text was not written by this version of the generator.
    func versions() throws -> SchemaHistory? {
        if text.isEmpty { return nil }
        return try decoded.withLock { decoded in
            if let decoded { return decoded }
            let history = try JSONDecoder().decode(
                SchemaHistory.self, from: Data(text.joined().utf8))
            decoded = history
            return history
        }
    }
}
