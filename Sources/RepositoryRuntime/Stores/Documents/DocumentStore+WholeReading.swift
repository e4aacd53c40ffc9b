internal import Foundation

/// Reading several documents so that each batch is seen whole or not at all.
///
/// The stamp of a table moves with every write and is nil while one is under way: what was read between two looks that found
/// the same one is of one state. Where others write all the time, the driver is asked to keep their batches out.
extension DocumentStore {
    /// How often a read is made anew before batches are kept out for it.
    static var quietTries: Int { 3 }

    /// Runs a body that reads several documents of a table.
    func whole<R>(_ table: String, _ body: () throws -> R) throws -> R {
        for _ in 0..<Self.quietTries {
            guard let state = try quietState(table) else { continue }
            let result = try body()
            if try holds(state, table) { return result }
        }
        return try driver.betweenBatches(of: table, body)
    }

    /// The state of a table in which nobody writes; nil while somebody does.
    func quietState(_ table: String) throws -> QuietState? {
        guard driver.keepsStamps else { return QuietState(stamp: nil) }
        return try driver.stamp(of: table).map(QuietState.init)
    }

    /// Whether nobody has written since.
    func holds(_ state: QuietState, _ table: String) throws -> Bool {
        try state.stamp == nil || driver.stamp(of: table) == state.stamp
    }

    /// The documents of those of the ids that are there.
    func found<E: Entity>(_ ids: some Sequence<E.ID>) throws -> [FoundDocument<E>] {
        let documents = try driver.documents(ids.map(\.description), in: E.Mapper.table.name)
        return zip(ids, documents).compactMap { id, data in
            data.map { FoundDocument(id: id, data: $0) }
        }
    }

    /// The records of documents.
    func decoded<E: Entity>(_ documents: [FoundDocument<E>]) async throws -> [E] {
        var records: [E] = []
        records.reserveCapacity(documents.count)
        for document in documents {
            records.append(try await coder.decode(document.data, E.self, id: document.id))
        }
        return records
    }
}

/// A state of a table in which nobody writes; without a stamp where the driver keeps none.
struct QuietState: Sendable {
    let stamp: DocumentStamp?
}

/// The bytes of a record.
struct FoundDocument<E: Entity>: Sendable {
    let id: E.ID
    let data: Data
}
