internal import Foundation

/// The external data of one field value of a record. Two fields of a record with the same value
/// share it.
struct ExternalContent<ID: EntityIdentifier>: Hashable {
    /// The id of the record.
    var id: ID
    /// The value of the field, which identifies the bytes.
    var content: String
}

extension EntityTable {
    /// Returns the values of the external fields in the field values of a record.
    func externalContents(of row: [StoredValue]) -> Set<String> {
        var contents: Set<String> = []
        for field in externalFields {
            if case .text(let content) = row[field] { contents.insert(content) }
        }
        return contents
    }
}

extension TableStorage {
    /// Returns whether the committed record has a content. True for a record that cannot be read:
    /// it may have it.
    func mayHave(_ content: ExternalContent<Model.ID>) throws -> Bool {
        do {
            guard let record = try record(content.id) else { return false }
            let row = try StoredValueEncoder.values(of: record, Model.Mapper.self)
            return Model.Mapper.table.externalContents(of: row).contains(content.content)
        } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
            return true
        }
    }

    /// Returns a chunk of a content that the committed record has; nil if there is none.
    func committedChunk(_ index: Int, of content: ExternalContent<Model.ID>) throws -> Data? {
        try mayHave(content) ? chunk(index, of: content) : nil
    }

    /// Removes the chunks of those contents that no committed record has, and the note about them.
    func settle(_ contents: Set<ExternalContent<Model.ID>>) throws {
        for content in contents where try !mayHave(content) { try removeChunks(of: content) }
        try noteUnsettled([])
    }
}

/// External data of the open write. Chunks are stored at once; the note about them, which is stored
/// before them, lets the next writer remove them if the write does not end.
extension StoreTable {
    /// Returns a chunk of a content that the record has, as the open write sees it.
    func chunk(_ index: Int, of content: ExternalContent<E.ID>) throws -> Data? {
        try has(content) ? committed.storage.chunk(index, of: content) : nil
    }

    /// Stores a chunk of a content that the open write has given to a record.
    ///
    /// - Throws: `externalDataNotFound` if the record does not have the content.
    func write(_ chunk: Data, _ index: Int, of content: ExternalContent<E.ID>) throws {
        guard try has(content) else {
            throw CRUDRepositoryError(
                .externalDataNotFound, "The record does not have this external data.",
                id: content.id.description, table: description.name)
        }
        try unsettle([content])
        try committed.storage.write(chunk, index, of: content)
    }

    private func has(_ content: ExternalContent<E.ID>) throws -> Bool {
        guard let record = try record(content.id) else { return false }
        return description.externalContents(of: try Self.row(of: record)).contains(content.content)
    }

    /// Notes the contents that the changed and deleted records lose.
    func unsettleReplaced() throws {
        guard !description.externalFields.isEmpty else { return }
        var lost: Set<ExternalContent<E.ID>> = []
        for (id, change) in overlay.changes where !overlay.isNew.contains(id) {
            guard let old = try readable(id) else { continue }
            let new = try change.record.map { try Self.row(of: $0) }
            let gone = description.externalContents(of: try Self.row(of: old))
                .subtracting(new.map(description.externalContents(of:)) ?? [])
            for content in gone { lost.insert(ExternalContent(id: id, content: content)) }
        }
        try unsettle(lost)
    }

    /// Returns the committed record; nil if it cannot be read.
    private func readable(_ id: E.ID) throws -> E? {
        do {
            return try committed.storage.record(id)
        } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
            return nil
        }
    }

    /// Adds contents to the note, before they get chunks or their records lose them.
    private func unsettle(_ contents: Set<ExternalContent<E.ID>>) throws {
        if contents.isSubset(of: unsettled) { return }
        // An earlier write may have left some.
        if unsettled.isEmpty { unsettled = try committed.storage.unsettled() }
        unsettled.formUnion(contents)
        try committed.storage.noteUnsettled(unsettled)
    }

    /// Removes the chunks that no committed record has, after a write.
    func settle() {
        guard !unsettled.isEmpty else { return }
        let contents = unsettled
        unsettled = []
        // The records are committed. If this fails, the note stays for the next writer.
        try? committed.storage.settle(contents)
    }

    func settleEarlier() throws {
        guard !description.externalFields.isEmpty else { return }
        let contents = try committed.storage.unsettled()
        if !contents.isEmpty { try committed.storage.settle(contents) }
    }

    func removeStrayChunks() throws {
        guard !description.externalFields.isEmpty else { return }
        var contents: Set<ExternalContent<E.ID>> = []
        do {
            try committed.storage.visitIDs { id in
                guard let record = try committed.storage.record(id) else { return }
                for content in description.externalContents(of: try Self.row(of: record)) {
                    contents.insert(ExternalContent(id: id, content: content))
                }
            }
        } catch let error as CRUDRepositoryError where error.code == .invalidRecord {
            // It is not known which chunks belong to this record.
            return
        }
        try committed.storage.removeChunks(except: contents)
        try committed.storage.noteUnsettled([])
    }
}
