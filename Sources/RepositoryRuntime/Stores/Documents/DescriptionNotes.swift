internal import Foundation
internal import StoredSchema

/// The notes that contain the description of a document store, that is the schemas of its sets.
///
/// The complete description is one note. Earlier versions wrote one note per set and a separate
/// note with its format. They are merged into the single note when it is first written. A mark then
/// replaces each earlier note: earlier versions reject a set whose note contains the mark.
struct DescriptionNotes {
    /// The name of the note with the description.
    static let name = "schema"
    /// The name of the note of a set in earlier versions.
    private static func earlierNote(_ set: String) -> String { earlierPrefix + set }
    /// The name of the note with the format of a set in earlier versions.
    private static func earlierFormatNote(_ set: String) -> String { "format of \(set)" }
    /// The prefix of the notes of earlier versions.
    private static let earlierPrefix = "schema of "

    /// The driver that stores the notes. The caller holds its lock.
    let driver: any DocumentDriver

    /// Returns the description, merged with the notes of earlier versions; nil for a new store.
    ///
    /// - Parameter set: The name of the set that is being opened.
    func read(for set: String) throws -> StoreDescription? {
        guard let data = try driver.note(Self.name) else { return try earlier(for: set) }
        var description = try StoreDescription(json: data, store: driver.name)
        // An earlier version may have been the first to open the set. Or the note of an earlier
        // version remains because this version's process ended before it replaced the note.
        if description.set(set) == nil, let schema = try earlier(set) {
            description.merge(schema, format: try earlierFormat(of: schema.name))
        }
        return description
    }

    /// Returns the description from the notes of earlier versions.
    private func earlier(for set: String) throws -> StoreDescription? {
        var schemas: [SchemaDescription] = []
        for name in try driver.noteNames().sorted() where name.hasPrefix(Self.earlierPrefix) {
            guard let schema = try earlier(String(name.dropFirst(Self.earlierPrefix.count))) else {
                continue
            }
            schemas.append(schema)
        }
        // The driver may store a long note name as a hash, so that the name is not in the listing.
        if !schemas.contains(where: { $0.name == set }), let schema = try earlier(set) {
            schemas.append(schema)
        }
        if schemas.isEmpty { return nil }
        var formats: [String: String] = [:]
        for schema in schemas { formats[schema.name] = try earlierFormat(of: schema.name) }
        return StoreDescription(merging: schemas, formats: formats, preferring: set)
    }

    /// Returns the schema of a set from the note of an earlier version; nil if there is none or the
    /// note contains the mark.
    private func earlier(_ set: String) throws -> SchemaDescription? {
        guard let data = try driver.note(Self.earlierNote(set)),
            try StoreDescription.format(of: data, store: driver.name)
                != StoreDescription.formatVersion
        else { return nil }
        return try SchemaDescription(json: data, store: driver.name)
    }

    /// Returns the record format of a set from the note of an earlier version.
    private func earlierFormat(of set: String) throws -> String? {
        try driver.note(Self.earlierFormatNote(set)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Replaces the notes of earlier versions for a set with the mark, if it is not there yet.
    func mark(_ set: String) throws {
        let note = Self.earlierNote(set)
        if try driver.note(note) == StoreDescription.successorMark { return }
        try driver.setNote(note, StoreDescription.successorMark)
        if try driver.note(Self.earlierFormatNote(set)) != nil {
            try driver.setNote(Self.earlierFormatNote(set), nil)
        }
    }

    /// Writes the description with a new revision, and updates the marks. An empty description
    /// removes the note.
    func write(_ description: inout StoreDescription) throws {
        description.revision += 1
        let before = try driver.note(Self.name).map {
            try StoreDescription(json: $0, store: driver.name)
        }
        try driver.setNote(
            Self.name, description.sets.isEmpty ? nil : description.json())
        for set in description.sets where before?.set(set.name) == nil {
            try mark(set.name)
        }
        for set in before?.sets ?? [] where description.set(set.name) == nil {
            try driver.setNote(Self.earlierNote(set.name), nil)
        }
    }
}
