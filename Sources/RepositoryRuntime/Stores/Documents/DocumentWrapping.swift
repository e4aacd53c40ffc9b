internal import Foundation
internal import Synchronization

/// The transformers around the documents of a store, and what the store notes for them.
///
/// The note names the keys that documents were written with, so that a missing or wrong key is an
/// error where the store is opened, and not many damaged records. It also has the earlier names of
/// renamed collections, because each document was wrapped for the collection that it was written
/// to.
final class DocumentWrapping: Sendable {
    /// What is known of the note.
    private struct State {
        /// Whether the note was read and its keys were checked.
        var isRead = false
        /// The stamp of the note when it was read.
        var stamp: DocumentStamp?
        /// The note; nil if the store has none.
        var note: WrappingNote?
        /// The earlier names of collections.
        var names: [String: [String]] = [:]
    }

    let layers: WrappingLayers
    private let state = Mutex(State())

    init(_ layers: WrappingLayers) { self.layers = layers }

    /// Whether the note was read, so that ``unwrapKnown(_:_:in:)`` knows the earlier names.
    var isReady: Bool { state.withLock { $0.isRead } }

    /// Reads the note again at the next call.
    func forget() { state.withLock { $0 = State() } }

    /// Reads the note before the first document is read.
    ///
    /// - Throws: `keyNotFound`; `unsupported` for transformers in the wrong order.
    func prepareToRead(_ driver: some DocumentDriver) throws {
        try state.withLock { if !$0.isRead { try read(driver, &$0) } }
    }

    /// Reads the note if another process has changed it, and notes the key that documents are now
    /// written with. The caller holds the driver's lock.
    func prepareToWrite(_ driver: some DocumentDriver) throws {
        try state.withLock { state in
            guard let layer = layers.keyed, let key = layer.wrappingKey else {
                if !state.isRead { try read(driver, &state) }
                return
            }
            try readIfChanged(driver, &state)
            var note = state.note ?? WrappingNote()
            if note.keys[key]?.isWritten == true { return }
            note.keys[key] = WrappingNote.NotedKey(
                check: try layer.check(ofKey: key), isWritten: true)
            try write(note, driver, &state)
        }
    }

    /// Changes the note. The caller holds the driver's lock.
    func change(_ driver: some DocumentDriver, _ body: (inout WrappingNote) throws -> Void) throws {
        try state.withLock { state in
            try readIfChanged(driver, &state)
            var note = state.note ?? WrappingNote()
            try body(&note)
            if note != state.note { try write(note, driver, &state) }
        }
    }

    /// Notes that a collection is about to get another name. Can be repeated. The caller holds the
    /// driver's lock.
    func note(renaming collection: String, to other: String, _ driver: some DocumentDriver) throws {
        guard let layer = layers.keyed else { return }
        try prepareToWrite(driver)
        try state.withLock { state in
            var names = state.names[other] ?? []
            for name in (state.names[collection] ?? []) + [collection]
            where name != other && !names.contains(name) { names.append(name) }
            if names == state.names[other] ?? [] { return }
            var all = state.names
            all[other] = names
            var note = state.note ?? WrappingNote()
            note.renamed = try layer.wrap(
                JSONEncoder().encode(all), at: WrappingNote.renamedPlace)
            try write(note, driver, &state)
            state.names = all
        }
    }

    /// Wraps a document.
    func wrap(_ data: Data, _ key: String, in collection: String) throws -> Data {
        try layers.wrap(data, at: DocumentPlace(collection: Self.home(of: collection), key: key))
    }

    /// Unwraps a document; returns the mark of a damaged one if that is not possible.
    ///
    /// - Throws: `keyNotFound`.
    func unwrap(
        _ data: Data, _ key: String, in collection: String, of driver: some DocumentDriver
    ) throws -> Data {
        let home = Self.home(of: collection)
        let place = DocumentPlace(collection: home, key: key)
        if let plain = try unwrapped(data, place, driver) { return plain }
        guard layers.keyed != nil else { return DamagedDocument.bytes }
        // Another process may have renamed the collection since the note was read.
        if try tryEarlierNames(data, place, driver) == nil {
            try state.withLock { try readIfChanged(driver, &$0) }
        }
        return try tryEarlierNames(data, place, driver) ?? DamagedDocument.bytes
    }

    /// Unwraps a good document with what is known, without blocking; nil if that is not possible.
    func unwrapKnown(_ data: Data, _ key: String, in collection: String) -> Data? {
        let home = Self.home(of: collection)
        for name in [home] + state.withLock({ $0.names[home] ?? [] }) {
            // Every error is found again by the call that may block.
            if let plain = try? layers.unwrap(data, at: DocumentPlace(collection: name, key: key)) {
                return plain
            }
        }
        return nil
    }

    private func tryEarlierNames(
        _ data: Data, _ place: DocumentPlace, _ driver: some DocumentDriver
    ) throws -> Data? {
        for name in state.withLock({ $0.names[place.collection] ?? [] }) {
            let earlier = DocumentPlace(collection: name, key: place.key)
            if let plain = try unwrapped(data, earlier, driver) { return plain }
        }
        return nil
    }

    /// Unwraps a document at one place; nil if it was not wrapped for it.
    private func unwrapped(
        _ data: Data, _ place: DocumentPlace, _ driver: some DocumentDriver
    ) throws -> Data? {
        do {
            return try layers.unwrap(data, at: place)
        } catch is RecordDecodingError {
            return nil
        } catch let error as CRUDRepositoryError where error.code == .keyNotFound {
            guard let layer = layers.keyed, let key = layer.key(of: data) else { throw error }
            // The document may name a key that the store was never written with.
            let note = try state.withLock { state in
                try readIfChanged(driver, &state)
                return state.note
            }
            guard let note else { throw error }
            guard let known = note.keys[key] else { return nil }
            if try layer.check(ofKey: key) == known.check { return nil }
            throw error
        }
    }

    /// Reads the note unless it is known to be the same.
    private func readIfChanged(_ driver: some DocumentDriver, _ state: inout State) throws {
        let stamp = try driver.stamp(ofNote: WrappingNote.name)
        if state.isRead, stamp != nil, stamp == state.stamp { return }
        try read(driver, &state)
    }

    /// Reads the note and checks its keys.
    private func read(_ driver: some DocumentDriver, _ state: inout State) throws {
        try layers.checkOrder()
        guard let layer = layers.keyed else {
            state.isRead = true
            return
        }
        // The stamp first: a change after it is read again.
        let stamp = try driver.stamp(ofNote: WrappingNote.name)
        var found = State(isRead: true, stamp: stamp)
        if let data = try driver.note(WrappingNote.name) {
            let note = try WrappingNote(data, store: driver.name)
            for (key, known) in note.keys.sorted(by: { $0.key < $1.key })
            where try layer.check(ofKey: key) != known.check {
                throw CRUDRepositoryError.keyNotFound(key)
            }
            found.note = note
            if let renamed = note.renamed {
                found.names = try Self.names(renamed, layer, store: driver.name)
            }
        }
        state = found
    }

    /// Reads the earlier names of collections.
    private static func names(
        _ data: Data, _ layer: any WrappingTransformer, store: String
    ) throws -> [String: [String]] {
        do {
            return try JSONDecoder().decode(
                [String: [String]].self,
                from: layer.unwrap(data, at: WrappingNote.renamedPlace))
        } catch let error as CRUDRepositoryError {
            throw error
        } catch {
            throw CRUDRepositoryError(
                .databaseError, "The note of the renamed tables of \(store) was changed.",
                underlyingError: error)
        }
    }

    private func write(
        _ note: WrappingNote, _ driver: some DocumentDriver, _ state: inout State
    ) throws {
        try driver.setNote(WrappingNote.name, note.encoded())
        state.note = note
        state.stamp = try driver.stamp(ofNote: WrappingNote.name)
        state.isRead = true
    }

    /// The collection for which a document is wrapped: documents of a migration are moved to it
    /// later.
    private static func home(of collection: String) -> String {
        BesideNames.parts(of: collection)?.table ?? collection
    }
}
