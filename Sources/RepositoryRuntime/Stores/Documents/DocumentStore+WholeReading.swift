internal import Foundation

/// Consistent reads of several documents: each batch is visible completely or not at all.
///
/// The stamp of a table changes with every write and is nil during a write. If the stamps before
/// and after a read are equal, the read has seen a single state. If other processes write all the
/// time, the store asks the driver to keep their batches out; see
/// ``DocumentDriver/withConsistentReads(of:_:)``.
extension DocumentStore {
    /// The number of optimistic attempts before a read keeps batches out.
    static var quietTries: Int { 3 }

    /// Runs a body that reads several documents of a table in a single state. The body may run
    /// several times.
    ///
    /// Called on a thread that may block. If the driver keeps no stamps, the body runs once,
    /// without any check.
    func whole<R>(_ table: String, _ body: () throws -> R) throws -> R {
        for _ in 0..<Self.quietTries {
            guard let state = try quietState(table) else { continue }
            let result = try body()
            if try holds(state, table) { return result }
        }
        return try driver.withConsistentReads(of: table, body)
    }

    /// Returns the state of a table without a running write; nil during a write.
    func quietState(_ table: String) throws -> QuietState? {
        guard driver.providesStamps else { return QuietState(stamp: nil) }
        return try driver.stamp(of: table).map(QuietState.init)
    }

    /// Returns whether no process has written since the state was determined. Always true if the
    /// driver keeps no stamps.
    func holds(_ state: QuietState, _ table: String) throws -> Bool {
        try state.stamp == nil || driver.stamp(of: table) == state.stamp
    }

    /// Returns the documents of the ids that exist, in the order of the ids.
    func found<E: Entity>(_ ids: some Sequence<E.ID>) throws -> [FoundDocument<E>] {
        let documents = try driver.documents(ids.map(\.description), in: E.Mapper.table.name)
        return zip(ids, documents).compactMap { id, data in
            data.map { FoundDocument(id: id, data: $0) }
        }
    }

    /// Decodes the records of documents.
    func decoded<E: Entity>(_ documents: [FoundDocument<E>]) async throws -> [E] {
        var records: [E] = []
        records.reserveCapacity(documents.count)
        for document in documents {
            records.append(try await coder.decode(document.data, E.self, id: document.id))
        }
        return records
    }
}

/// A state of a table without a running write. The stamp is nil if the driver keeps no stamps.
struct QuietState: Sendable {
    let stamp: DocumentStamp?
}

/// The id and the encoded bytes of a record.
struct FoundDocument<E: Entity>: Sendable {
    let id: E.ID
    let data: Data
}
