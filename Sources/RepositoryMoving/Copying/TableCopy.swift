internal import Foundation
internal import RepositoryRuntime

/// What the copy of one table has counted.
struct TableCounts {
    var written = 0
    var removed = 0
    /// The records of the source that are not in the target, because its programs deleted them, or
    /// that `setAside` left out.
    var keptMissing = 0
    /// The records that differ, because the target's was kept or a field was set to null.
    var keptDifferent = 0
    /// The records of the target that the source does not have.
    var keptSurplus = 0
    /// The unreadable records that `setAside` left out.
    var keptUnreadable = 0
    /// The records that `setAside` left out, or that were written with a field set to null.
    var adjusted = 0
    /// Whether a reference was written as null, so that the table is copied again.
    var hasOpenReferences = false
}

/// Copies a table: reads the source, the target and the digests of earlier copies in id order, and
/// writes what differs.
///
/// For each id there are up to three records: that of the source, that of the target, and the one
/// that an earlier copy has written, of which the digest is known. What only the source has changed
/// since is written. What programs of the target have changed, created or deleted stays.
final class TableCopy<E: Entity> {
    private typealias Entry = MovedDigests<E>.Entry

    let run: CopyRun
    private let writer: TargetWriter
    private let fields: ComparedFields<E>
    /// The fields that are written as null.
    private var openFields: [Int]
    private let table = E.Mapper.table
    /// The records for which a decision was made, which the second reading does not make again.
    private var handled: Set<E.ID> = []
    private var isSecondReading = false
    private var isTargetEmpty = false
    /// Records with a unique value that another record of the target has, which may release it.
    private var postponed: [(record: E, entry: Entry, isThere: Bool)] = []
    private var isRetrying = false
    private(set) var counts = TableCounts()
    /// The ids of records that an unfinished copy wrote and the source no longer has.
    private(set) var removals: [E.ID] = []

    /// Records to be written in the next transaction, and whether the target has the record.
    private var batch: [(record: E, entry: Entry, isThere: Bool)] = []
    /// The digests of the current part that need no write.
    private var settled: [Entry] = []
    private var bytes = 0
    private var runNumber = 1
    private var partNumber = 0
    private let prefix: String

    init(_ run: CopyRun, _ writer: TargetWriter, openFields: [Int]) {
        (self.run, self.writer, self.openFields) = (run, writer, openFields)
        fields = ComparedFields(rounding: nil)
        prefix = MovedPartName.prefix(set: run.schema.name, table: E.Mapper.table.name)
    }

    /// Copies the table.
    func copy(_ parts: [MovedPart.ID], isTargetEmpty: Bool) async throws {
        self.isTargetEmpty = isTargetEmpty
        var source = try await RecordCursor<E>(run.source.source)
        var target = try await RecordCursor<E>(
            isTargetEmpty ? NoRecords() : StoreSource(store: run.target.store))
        var base = try await MovedDigests<E>(run.target.store, parts, prefix: prefix)
        runNumber = base.nextRun
        let hadRecords = base.current != nil
        while true {
            for failure in source.takeFailures() { try report(failure) }
            for failure in target.takeFailures() { run.addUnreadableTarget(failure) }
            let (s, t, b) = (source.current, target.current, base.current)
            guard let id = [s?.id, t?.id, b?.id].compactMap({ $0 }).min() else { break }
            let (isOurs, isTheirs, isKnown) = (s?.id == id, t?.id == id, b?.id == id)
            try settle(
                id, isOurs ? s : nil, isTheirs ? t : nil, isKnown ? b?.digest : nil)
            if batch.count >= run.options.batchSize || bytes > 1 << 22 { try await flush(id) }
            if settled.count >= 4096 { try await flush(id) }
            if isOurs { try await source.advance() }
            if isTheirs { try await target.advance() }
            if isKnown { try await base.advance() }
            if source.count % 256 == 0 { run.report(table.name, source.count) }
        }
        if source.count + source.failureCount == 0, hadRecords {
            throw MoveError(
                .sourceEmptied,
                "'\(table.name)' of \(run.source.name) has no records, and had some at an earlier copy. Nothing was removed from the target.",
                table: table.name)
        }
        try await flush(nil)
        isRetrying = true
        let late = postponed
        postponed = []
        _ = try await divide(late[...])
        isRetrying = false
        let old = base.names.map(\.id)
        for start in stride(from: 0, to: old.count, by: 512) {
            let ids = Array(old[start..<min(start + 512, old.count)])
            try await writer.write { try await $0.deleteAll(MovedPart.self, ids: ids) }
        }
        run.report(table.name, source.count)
    }

    /// Copies the table again, with the references that were written as null.
    func copyOpenReferences(_ parts: [MovedPart.ID]) async throws {
        (openFields, isSecondReading, removals) = ([], true, [])
        (counts.keptMissing, counts.keptDifferent, counts.keptSurplus) = (0, 0, 0)
        try await copy(parts, isTargetEmpty: false)
    }

    /// Decides what becomes of the record with an id.
    private func settle(_ id: E.ID, _ source: E?, _ target: E?, _ base: Data?) throws {
        guard let source else { return settleWithoutSource(id, target, base) }
        if isSecondReading, handled.contains(id) {
            if target == nil { counts.keptMissing += 1 } else { counts.keptDifferent += 1 }
            if let base { settled.append(Entry(id: id, digest: base)) }
            return
        }
        let whole: E
        do {
            whole = try run.target.rounded(source)
        } catch let error as CRUDRepositoryError {
            return try refuse(source, error)
        }
        let record = try opened(whole, replacing: target)
        let ours = try fields.bytes(record)
        let digest = TableDigest.of(ours)
        let entry = Entry(id: id, digest: digest)
        guard let target else {
            guard let base else { return write(record, entry, ours.count, isThere: false) }
            // Only a program of the target can have removed what a copy has written.
            if base == digest || winner(id, isDeleted: true) == .target {
                counts.keptMissing += 1
                settled.append(Entry(id: id, digest: base))
                return
            }
            return write(record, entry, ours.count, isThere: false)
        }
        let theirs = try fields.bytes(target)
        if ours == theirs { return settled.append(entry) }
        if let base {
            let isUntouched = TableDigest.of(theirs) == base
            if isUntouched { return write(record, entry, ours.count, isThere: true) }
            if base == digest {
                counts.keptDifferent += 1
                return settled.append(entry)
            }
        }
        if winner(id, isDeleted: false) == .source {
            return write(record, entry, ours.count, isThere: true)
        }
        counts.keptDifferent += 1
        if let base { settled.append(Entry(id: id, digest: base)) }
    }

    /// Decides what becomes of a record that the source does not have.
    private func settleWithoutSource(_ id: E.ID, _ target: E?, _ base: Data?) {
        guard let target else { return }
        guard let base, !run.wasComplete, let bytes = try? fields.bytes(target),
            TableDigest.of(bytes) == base
        else {
            counts.keptSurplus += 1
            if let base { settled.append(Entry(id: id, digest: base)) }
            return
        }
        // Nobody has used the target yet: the record was deleted in the source since.
        removals.append(id)
        settled.append(Entry(id: id, digest: base))
    }

    private func winner(_ id: E.ID, isDeleted: Bool) -> MergePolicy.Winner {
        let conflict = MergePolicy.Conflict(
            table: table.name, id: id.description, isDeletedInTarget: isDeleted)
        if let winner = run.options.merge.winner(conflict) { return winner }
        run.addConflict(table.name, id.description)
        return .target
    }

    private func write(_ record: E, _ entry: Entry, _ size: Int, isThere: Bool) {
        batch.append((record, entry, isThere))
        bytes += size
    }

    /// Returns a record without the references that are written later. Those that the target has
    /// already stay.
    private func opened(_ record: E, replacing target: E?) throws -> E {
        guard !openFields.isEmpty else { return record }
        let values = try StoredValueEncoder.values(of: record, E.Mapper.self)
        let there = try target.map { try StoredValueEncoder.values(of: $0, E.Mapper.self) }
        let set = openFields.filter { values[$0] != .null && values[$0] != there?[$0] }
        if set.isEmpty { return record }
        counts.hasOpenReferences = true
        return try Self.nulling(set, of: record, values)
    }

    private static func nulling(
        _ fields: [Int], of record: E, _ values: [StoredValue]
    ) throws -> E {
        var row = values
        for field in fields { row[field] = .null }
        var decoder = StoredValueDecoder(row, layout: E.Mapper.layout)
        return try E.Mapper.decode(from: &decoder).withBytes(of: record)
    }
}

/// Writing.
extension TableCopy {
    /// Writes the batch, with the digests of all records up to an id.
    ///
    /// - Parameter end: the last id that was settled; nil at the end of the table.
    private func flush(_ end: E.ID?) async throws {
        guard !batch.isEmpty || !settled.isEmpty else { return }
        let last = end ?? (settled.map(\.id) + batch.map(\.entry.id)).max()
        let (records, plain) = (batch, settled)
        (batch, settled, bytes) = ([], [], 0)
        do {
            try await write(records, plain, until: last)
            return
        } catch let error as CRUDRepositoryError where error.concernsRecord {
            if records.isEmpty { throw error }
        }
        // One of the records is refused. The others are written in smaller steps.
        let written = try await divide(records[...])
        try await write([], plain + written, until: last)
    }

    /// Writes records in one transaction, and the part that has them.
    private func write(
        _ records: [(record: E, entry: Entry, isThere: Bool)], _ others: [Entry],
        until end: E.ID?
    ) async throws {
        var part: MovedPart?
        if let end {
            var digests = Data()
            let entries = (others + records.map(\.entry)).sorted { $0.id < $1.id }
            for entry in entries { MovedDigests<E>.append(entry, to: &digests) }
            part = MovedPart(
                id: MovedPartName(prefix: prefix, run: runNumber, part: partNumber).id,
                digests: digests, end: end.description)
        }
        try await writer.write { store in
            let all = records.map(\.record)
            if records.contains(where: \.isThere) {
                try await store.putAll(all)
            } else if !all.isEmpty {
                try await store.createAll(all)
            }
            if let part { _ = try await store.save(part) }
            return all.count
        }
        counts.written += records.count
        if part != nil { partNumber += 1 }
    }

    /// Writes records in halves, down to the single ones that are refused.
    ///
    /// - Returns: The digests of those that were written.
    private func divide(
        _ records: ArraySlice<(record: E, entry: Entry, isThere: Bool)>
    ) async throws -> [Entry] {
        guard let first = records.first else { return [] }
        do {
            try await write(Array(records), [], until: nil)
            return records.map(\.entry)
        } catch let error as CRUDRepositoryError where error.concernsRecord {
            if records.count == 1 {
                return try await replace(first.record, first.isThere, error).map { [$0] } ?? []
            }
        }
        let middle = records.startIndex + records.count / 2
        let written = try await divide(records[..<middle])
        return written + (try await divide(records[middle...]))
    }

    /// Does with a refused record what the decisions say.
    ///
    /// - Returns: The digest of the record that was written in its place.
    private func replace(
        _ record: E, _ isThere: Bool, _ error: CRUDRepositoryError
    ) async throws -> Entry? {
        let (kind, failure) = (error.problemKind, error.failure(of: record))
        if kind == .duplicateValue, !isTargetEmpty, !isRetrying {
            let entry = Entry(id: record.id, digest: TableDigest.of(try fields.bytes(record)))
            postponed.append((record, entry, isThere))
            return nil
        }
        handled.insert(record.id)
        if run.options.decisions[kind] == .null, let name = error.field,
            let field = E.Mapper.layout.indexByKey[name], E.Mapper.layout.fields[field].isOptional
        {
            let values = try StoredValueEncoder.values(of: record, E.Mapper.self)
            let changed = try Self.nulling([field], of: record, values)
            let entry = Entry(id: record.id, digest: TableDigest.of(try fields.bytes(changed)))
            do {
                try await write([(changed, entry, isThere)], [], until: nil)
            } catch let next as CRUDRepositoryError where next.concernsRecord {
                return try await replace(changed, isThere, next)
            }
            run.add(kind, failure, stops: false)
            counts.adjusted += 1
            counts.keptDifferent += 1
            return entry
        }
        try refuse(record, error)
        if isThere { counts.keptMissing -= 1; counts.keptDifferent += 1 }
        return nil
    }

    /// Reports a record that breaks a rule or is refused by the target.
    private func refuse(_ record: E, _ error: CRUDRepositoryError) throws {
        let kind = error.problemKind
        let failure = error.failure(of: record)
        handled.insert(record.id)
        guard run.options.decisions[kind] == .setAside, let file = run.setAside else {
            return run.add(kind, failure, stops: true)
        }
        try file.add(
            failure, record: JSONDataTransformer().encodeRecord(record, E.Mapper.self))
        run.add(kind, failure, stops: false)
        counts.adjusted += 1
        counts.keptMissing += 1
    }

    /// Reports a record of the source that cannot be read.
    private func report(_ failure: RecordFailure) throws {
        if isSecondReading { return }
        let isSetAside = run.options.decisions[.unreadableRecord] == .setAside
        guard isSetAside, let file = run.setAside else {
            return run.add(.unreadableRecord, failure, stops: true)
        }
        try file.add(failure, record: nil)
        run.add(.unreadableRecord, failure, stops: false)
        counts.adjusted += 1
        counts.keptUnreadable += 1
    }

    /// Removes the records that an unfinished copy wrote and the source no longer has.
    func remove() async throws {
        for start in stride(from: 0, to: removals.count, by: 512) {
            let ids = Array(removals[start..<min(start + 512, removals.count)])
            try await writer.write { try await $0.deleteAll(E.self, ids: ids) }
            counts.removed += ids.count
        }
    }
}

/// A source without records, in place of a target that is known to be empty.
private struct NoRecords: RecordSource {
    var name: String { "" }
    func state() async throws -> String? { nil }
    func count<E: Entity>(_ type: E.Type) async throws -> Int { 0 }
    func page<E: Entity>(
        _ type: E.Type, after id: E.ID?, limit: Int
    ) async throws -> SourcePage<E> { SourcePage([]) }
}

extension CRUDRepositoryError {
    /// Whether the error is about a record, not about the store.
    fileprivate var concernsRecord: Bool {
        switch code {
        case .constraintViolated, .invalidItem, .invalidIdentifier, .unsupported, .invalidRecord,
            .recordAlreadyExists, .externalDataNotFound:
            true
        default: false
        }
    }

    /// The kind of problem that the error is for a copy.
    fileprivate var problemKind: MoveProblem.Kind {
        switch code {
        case .constraintViolated:
            constraint != nil
                ? .duplicateValue
                : message.contains("refers to") ? .danglingReference : .duplicateValue
        case .externalDataNotFound, .invalidRecord: .damagedExternalData
        default: .invalidValue
        }
    }

    /// The failure of a record.
    fileprivate func failure(of record: some Entity) -> RecordFailure {
        RecordFailure(
            table: type(of: record).linkedTable, id: record.id.description, field: field,
            reason: message)
    }
}
