internal import Foundation

/// The notes in which a store of documents keeps its description.
///
/// The whole description is one note. Earlier programs wrote one note for each set, with a format
/// beside it; they are merged into the one note when it is first written. In their place stands a mark
/// that those programs refuse.
struct DescriptionNotes {
    /// The note of the description.
    static let name = "schema"
    private static func earlierNote(_ set: String) -> String { earlierPrefix + set }
    private static func earlierFormatNote(_ set: String) -> String { "format of \(set)" }
    private static let earlierPrefix = "schema of "

    let driver: any DocumentDriver

    /// The description, with what earlier programs wrote; nil in a new store.
    ///
    /// - Parameter set: the set that is being opened.
    func read(for set: String) throws -> StoreDescription? {
        guard let data = try driver.note(Self.name) else { return try earlier(for: set) }
        var description = try StoreDescription(json: data, store: driver.name)
        // An earlier program may have been the first to open the set, or its note is still there because
        // this program ended before it replaced it.
        if description.set(set) == nil, let schema = try earlier(set) {
            description.merge(schema, format: try earlierFormat(of: schema.name))
        }
        return description
    }

    /// The description that earlier programs wrote, one note for each set.
    private func earlier(for set: String) throws -> StoreDescription? {
        var schemas: [StoredSchema] = []
        for name in try driver.noteNames().sorted() where name.hasPrefix(Self.earlierPrefix) {
            guard let schema = try earlier(String(name.dropFirst(Self.earlierPrefix.count))) else {
                continue
            }
            schemas.append(schema)
        }
        // A long name cannot be read from the name of a file.
        if !schemas.contains(where: { $0.name == set }), let schema = try earlier(set) {
            schemas.append(schema)
        }
        if schemas.isEmpty { return nil }
        var formats: [String: String] = [:]
        for schema in schemas { formats[schema.name] = try earlierFormat(of: schema.name) }
        return StoreDescription(merging: schemas, formats: formats, preferring: set)
    }

    private func earlier(_ set: String) throws -> StoredSchema? {
        guard let data = try driver.note(Self.earlierNote(set)),
            try StoreDescription.format(of: data, store: driver.name)
                != StoreDescription.formatVersion
        else { return nil }
        return try StoredSchema(json: data, store: driver.name)
    }

    private func earlierFormat(of set: String) throws -> String? {
        try driver.note(Self.earlierFormatNote(set)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Puts the mark in place of the notes of earlier programs, unless it is there.
    func mark(_ set: String) throws {
        let note = Self.earlierNote(set)
        if try driver.note(note) == StoreDescription.successorMark { return }
        try driver.setNote(note, StoreDescription.successorMark)
        if try driver.note(Self.earlierFormatNote(set)) != nil {
            try driver.setNote(Self.earlierFormatNote(set), nil)
        }
    }

    /// Writes the description.
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
