internal import StoredSchema

extension DocumentStore: RewrappingStore {
    package func rewrap(batch: Int) async throws -> RewrappedDocuments {
        guard let wrapped = driver as? any WrappedDocuments,
            let layer = wrapped.wrapping.layers.keyed,
            let key = layer.wrappingKey
        else { throw CRUDRepositoryError.unsupported("writing records with another key", by: name) }
        // A program with an older key ring that writes from now on says so in the note.
        let (collections, revision) = try await alone { [self] in
            try driver.recover()
            try requireFittingDescription()
            try wrapped.changeNote { note in
                for other in note.keys.keys where other != key {
                    note.keys[other]?.isWritten = false
                }
            }
            return (try storedCollections(), try storedRevision())
        }
        var result = RewrappedDocuments()
        for collection in collections {
            var keys = try await reading.run { [driver] in try driver.keys(in: collection) }[...]
            while !keys.isEmpty {
                try Task.checkCancellation()
                let part = Array(keys.prefix(max(1, batch)))
                keys = keys.dropFirst(part.count)
                let isOld = try await reading.run {
                    try part.filter {
                        try wrapped.storedDocument($0, in: collection)
                            .map { layer.key(of: $0) != key } ?? false
                    }
                }
                if isOld.isEmpty { continue }
                result.rewritten += try await alone { [self] in
                    try driver.recover()
                    return try rewrap(isOld, in: collection, wrapped)
                }
            }
        }
        result.remaining = try await reading.run { [driver] in
            var counts: [String: Int] = [:]
            for collection in collections {
                try driver.visitKeys(in: collection) { document in
                    guard let data = try wrapped.storedDocument(document, in: collection),
                        let key = layer.key(of: data)
                    else { return }
                    counts[key, default: 0] += 1
                }
            }
            return counts
        }
        let remaining = result.remaining
        try await alone { [self] in
            try driver.recover()
            // A migration may have moved documents between collections while they were counted.
            guard try storedRevision() == revision else { return }
            try wrapped.changeNote { note in
                let unused = note.keys.filter {
                    $0.key != key && !$0.value.isWritten && remaining[$0.key] == nil
                }
                if unused.isEmpty { return }
                // The renamed tables are noted with the key that is used now.
                if let renamed = note.renamed {
                    note.renamed = try layer.wrap(
                        layer.unwrap(renamed, at: WrappingNote.renamedPlace),
                        at: WrappingNote.renamedPlace)
                }
                for key in unused.keys { note.keys[key] = nil }
            }
        }
        return result
    }

    /// Writes documents again. The caller holds the driver's lock.
    ///
    /// - Returns: Their number. What cannot be unwrapped stays as it is.
    private func rewrap(
        _ keys: [String], in collection: String, _ wrapped: any WrappedDocuments
    ) throws -> Int {
        let changes = try keys.compactMap { key -> DocumentChange? in
            guard let data = try wrapped.get(key, in: collection), data != DamagedDocument.bytes
            else { return nil }
            return DocumentChange(key, in: collection, data: data)
        }
        try wrapped.applyAll(changes)
        return changes.count
    }

    /// The collections with documents of all sets.
    private func storedCollections() throws -> [String] {
        guard let data = try driver.note(DescriptionNote.name) else { return [] }
        let description = try StoreDescription(json: data, store: name)
        return description.tables.map(\.table.name).flatMap { table in
            [
                table, DocumentIndexNames.collection(of: table),
                ExternalDataNames.collection(of: table),
            ]
        }
    }

    private func storedRevision() throws -> Int? {
        try driver.note(DescriptionNote.name).map {
            try StoreDescription(json: $0, store: name).revision
        }
    }
}
