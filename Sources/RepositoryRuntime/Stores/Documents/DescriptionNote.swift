internal import Foundation
internal import StoredSchema

/// The note that contains the description of a document store, that is the schemas of its sets.
struct DescriptionNote {
    /// The name of the note.
    static let name = "schema"

    /// The driver that stores the note. The caller holds its lock.
    let driver: any DocumentDriver

    /// Returns the description; nil for a new store.
    ///
    /// - Parameter set: The name of the set that is being opened.
    /// - Throws: `schemaMismatch` for a description in another format.
    func read(for set: String) throws -> StoreDescription? {
        if let data = try driver.note(Self.name) {
            return try StoreDescription(json: data, store: driver.name)
        }
        // Programs before the first release described each set in a note of its own.
        if let data = try driver.note("schema of \(set)") {
            return try StoreDescription(json: data, store: driver.name)
        }
        return nil
    }

    /// Writes the description with a new revision. An empty description removes the note.
    func write(_ description: inout StoreDescription) throws {
        description.revision += 1
        try driver.setNote(Self.name, description.sets.isEmpty ? nil : description.json())
    }
}
